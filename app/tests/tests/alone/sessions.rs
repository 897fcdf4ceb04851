//! What it costs to know who asks, and that a login that was ended is refused everywhere.

use reqwest::StatusCode;

use support::{Engine, PASSWORD, Server, between, location, on_both_engines};

on_both_engines!(
    a_login_that_was_ended_elsewhere_is_refused_at_once;
    on_sqlite:
    a_signed_in_request_asks_for_its_member_alone,
    files_and_probes_ask_for_nobody,
);

const PAGE: &str = "/manager/userInfo";

/// Takes the table of sessions away: whoever asks it now fails.
async fn hide_sessions(server: &Server) {
    let table = match server.engine {
        Engine::Sqlite => "tower_sessions",
        Engine::Postgres => "tower_sessions.session",
    };
    server.sql(&format!("alter table {table} rename to hidden_sessions")).await;
}

async fn a_signed_in_request_asks_for_its_member_alone(server: Server) {
    let member = server.member("reader@example.com", "12.30").await;
    hide_sessions(&server).await;
    assert!(member.page(PAGE).await.contains("12.30"));
    let answer = member.post(PAGE, &[("name", "林知夏")]).await;
    assert_eq!(location(&answer), "/manager/userInfo?done=name");
    // what others change shows at once
    server.sql("update ledger_accounts set balance = 4560 where id like 'member:%'").await;
    assert!(member.page(PAGE).await.contains("45.60"));
    let unknown = server.visitor();
    let cookie = ("cookie", "bindery=AAAAAAAAAAAAAAAAAAAAAA");
    assert_eq!(
        unknown.get_with(PAGE, &[cookie]).await.status(),
        StatusCode::INTERNAL_SERVER_ERROR,
        "the table is gone"
    );
}

async fn files_and_probes_ask_for_nobody(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let page = member.page(PAGE).await;
    let file = format!("/assets/{}", between(&page, "src=\"/assets/", "\""));
    hide_sessions(&server).await;
    server.sql("alter table logins rename to hidden_logins").await;
    assert_eq!(member.get(PAGE).await.status(), StatusCode::INTERNAL_SERVER_ERROR, "a page asks");
    for path in ["/healthz", "/about", "/robots.txt", file.as_str()] {
        assert_eq!(member.get(path).await.status(), StatusCode::OK, "{path}");
    }
}

async fn a_login_that_was_ended_elsewhere_is_refused_at_once(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let second = server.visitor();
    second.sign_in("reader@example.com", PASSWORD).await;
    let elsewhere = server.another();
    for base in [&server.base, &elsewhere.base] {
        assert_eq!(second.at(base).get(PAGE).await.status(), StatusCode::OK);
    }
    let ended = member.at(&elsewhere.base).post("/manager/userInfo/logins/others/removal", &[]).await;
    assert_eq!(location(&ended), "/manager/userInfo?done=logins#logins");
    for base in [&server.base, &elsewhere.base] {
        let over = second.at(base);
        assert!(location(&over.get(PAGE).await).starts_with("/manager/login/"));
        assert!(location(&over.post(PAGE, &[("name", "别人")]).await).starts_with("/manager/login"));
    }
    assert!(!member.page(PAGE).await.contains("别人"));
    // who signs out there is signed out here, even with the cookie that was given up
    let cookie = server.visitor().cookie("reader@example.com").await;
    let third = [("cookie", cookie.as_str())];
    let visitor = server.visitor();
    assert_eq!(visitor.get_with(PAGE, &third).await.status(), StatusCode::OK);
    visitor.at(&elsewhere.base).post_with_cookie("/manager/logout", &cookie, &[]).await;
    assert!(location(&visitor.get_with(PAGE, &third).await).starts_with("/manager/login/"));
    // and so is an id that a login gave up there, where there can be an elsewhere
    if server.engine == Engine::Postgres {
        let cookie = server.visitor().cookie("reader@example.com").await;
        let before = [("cookie", cookie.as_str())];
        assert_eq!(visitor.get_with(PAGE, &before).await.status(), StatusCode::OK);
        let other = [("current", PASSWORD), ("password", "another horse battery")];
        let changed =
            visitor.at(&elsewhere.base).post_with_cookie("/manager/userInfo/password", &cookie, &other).await;
        assert!(location(&changed).starts_with(PAGE));
        assert!(location(&visitor.get_with(PAGE, &before).await).starts_with("/manager/login/"));
    }
}
