//! Nothing is written that people send while the host moves something: pages go on, and what was typed comes back.

use reqwest::StatusCode;

use support::staff::{self, Clerk};
use support::uploads::tus;
use support::wait::{eventually, until};
use support::{Caller, PASSWORD, Server, between, location, on_both_engines};

on_both_engines!(
    pages_go_on_and_what_is_sent_is_refused,
    ; on_sqlite:
    whoever_runs_the_machine_says_so_and_why,
    the_environment_says_so,
);

const PLACE: &str = "/staff/machine/read-only";
/// What an address has beside what is typed first.
const REST: [(&str, &str); 3] = [("province", "浙江省"), ("city", "杭州市"), ("district", "西湖区")];
const SENTENCE: &str = "机房搬家：现在只能浏览，不能保存";

async fn begin(clerk: &Caller) {
    let fields = [("act", "begin"), ("reason", "机房搬家"), ("on", "2099-01-02"), ("at", "06:30")];
    assert_eq!(location(&clerk.post(PLACE, &fields).await), "/staff/machine?said=done");
}

async fn pages_go_on_and_what_is_sent_is_refused(server: Server) {
    let member = server.member("reader@example.com", "10").await;
    let Clerk { caller: clerk, secret, .. } = Clerk::sign_in(&server, "owner", &["站长"]).await;
    let other = server.another();
    let visitor = server.visitor();
    begin(&clerk).await;

    // every page says so, on every instance
    let banner = "class=\"read-only\">机房搬家：现在只能浏览，不能保存，预计 2099 年 1 月 2 日 06:30 恢复。";
    for page in ["/manager/opus_list/all", "/manager/userInfo", "/manager/shopping/cart"] {
        assert!(member.page(page).await.contains(banner), "{page}");
    }
    assert!(visitor.page("/manager/login").await.contains(banner));
    assert!(clerk.page("/staff").await.contains(banner));
    let there = member.at(&other.base);
    until("the other instance knows", async || there.page("/manager/opus_list/all").await.contains(banner))
        .await;
    assert_eq!(visitor.get("/readyz").await.status(), StatusCode::OK);
    // what is the same for everybody is as always
    assert!(!visitor.page("/about/faq").await.contains("只能浏览"));

    // a form comes back with what was typed in it
    let address = "/manager/userInfo/addresses/new";
    let fields = [("receiver", "林小满"), ("phone", "13800000000"), ("street", "翠湖路 1 号")];
    for caller in [&member, &there] {
        let answer = caller.post_from(address, address, &fields).await;
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        let wait: i64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert!(wait > 86_400, "until it is said to end: {wait}");
        let page = answer.text().await.unwrap();
        assert!(
            page.contains("翠湖路 1 号") && page.contains("id=\"errors\"") && page.contains(SENTENCE),
            "{page}"
        );
    }
    // a page that whoever sent it may not open is not shown to it
    for page in ["/staff/machine", "/staff/members", "/manager/nothing", "/about/faq"] {
        let answer = member.post_from(page, address, &fields).await;
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        let shown = answer.text().await.unwrap();
        assert!(!shown.contains("id=\"read-only\"") && !shown.contains("翠湖路"), "{page}: {shown}");
    }
    let answer = visitor.post_from(address, address, &fields).await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(!answer.text().await.unwrap().contains("翠湖路"));
    // programs, uploads and whoever wants to sign in are told so, too
    let upload = tus(&member, "POST", "/manager/uploads", &[("upload-length", "10")], b"").await;
    assert_eq!(upload.status(), StatusCode::SERVICE_UNAVAILABLE);
    // who asks whether somebody is signed in is always answered
    let asked = member.post("/user-center/userIsLogin3", &[]).await;
    assert_eq!(asked.status(), StatusCode::OK);
    let call = member.post("/cart/x", &[]).await;
    assert_eq!(call.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(call.text().await.unwrap().starts_with("{\"code\":503,\"msg\":\"机房搬家"));
    let sign_in =
        visitor.post_from("/manager/login", "/manager/login", &[("account", "reader@example.com")]).await;
    assert_eq!(sign_in.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        sign_in.text().await.unwrap().contains("value=\"reader@example.com\""),
        "it needn't be typed again"
    );
    assert_eq!(server.read("select cast(count(*) as text) from addresses").await, "0");

    // jobs wait
    let waiting = "select cast(count(*) as text) from jobs where id = 'waiting'";
    server
        .sql(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
             values ('waiting', 'forget_original', '{\"kind\":\"forget_original\",\"sha256\":\"0\"}', 0, 0, 0, 0)",
        )
        .await;

    // the bell that wakes them rings
    begin(&clerk).await;

    // whoever leaves may, and the back office lets it end
    assert_eq!(member.post("/manager/logout", &[]).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(location(&clerk.post("/staff/logout", &[]).await), "/staff/login");
    let back = server.visitor();
    assert_eq!(location(&staff::password(&back, "owner", staff::SECRET).await), "/staff/login/code");
    server.sql("update staff set last_step = 0").await;
    let answer = back.post("/staff/login/code", &[("code", &staff::code(&secret, 0))]).await;
    assert_eq!(location(&answer), "/staff");
    assert_eq!(server.read(waiting).await, "1");
    // nothing else of it is open
    assert_eq!(back.post("/staff/jobs/dead/retry", &[]).await.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(location(&back.post(PLACE, &[("act", "end")]).await), "/staff/machine?said=done");
    assert_eq!(location(&back.post(PLACE, &[("act", "end")]).await), "/staff/machine?said=before");
    eventually(&server, waiting, "0").await;
    member.sign_in("reader@example.com", PASSWORD).await;
    assert!(!member.page("/manager/opus_list/all").await.contains("只能浏览"));
    location(&member.post_from(address, address, &[&fields[..], &REST].concat()).await);
}

async fn whoever_runs_the_machine_says_so_and_why(server: Server) {
    let clerk = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    for (fields, told) in [
        ([("reason", ""), ("on", ""), ("at", "")], "请输入原因"),
        ([("reason", "长"), ("on", "2099-01-02"), ("at", "")], "还说不准，就都空着"),
        ([("reason", "长"), ("on", "2099-13-02"), ("at", "06:30")], "还说不准，就都空着"),
        ([("reason", "长"), ("on", "2020-01-02"), ("at", "06:30")], "已经过去了"),
    ] {
        let answer = clerk.post(PLACE, &[&[("act", "begin")][..], &fields].concat()).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        assert!(
            page.contains(told) && page.contains(&format!("value=\"{}\"", fields[1].1)),
            "{told}: {page}"
        );
    }
    let long = "长".repeat(61);
    let answer = clerk.post(PLACE, &[("act", "begin"), ("reason", &*long)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(clerk.post(PLACE, &[]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // nobody else's business
    let helper = Clerk::sign_in(&server, "helper", &["客服"]).await.caller;
    assert_eq!(helper.post(PLACE, &[("act", "end")]).await.status(), StatusCode::FORBIDDEN);

    // without an end, then with one
    let end = async || server.read("select coalesce(cast(until_at as text), '') from read_only").await;
    location(&clerk.post(PLACE, &[("act", "begin"), ("reason", "换磁盘")]).await);
    assert!(clerk.page("/staff/machine").await.contains("换磁盘：现在只能浏览，不能保存。"));
    assert_eq!(end().await, "");
    begin(&clerk).await;
    let page = clerk.page("/staff/machine").await;
    assert!(page.contains("value=\"2099-01-02\"") && page.contains("value=\"06:30\""), "{page}");
    assert!(
        between(&page, "<section id=\"read-only\" class=\"sheet stack\">", "</section>").contains(SENTENCE)
    );
    let log = String::from_utf8(server.run(&["audit", "site"]).stdout).unwrap();
    assert!(log.contains("owner: read-only begin") && log.contains("2099-01-02 06:30"), "{log}");
    // it outlasts the program
    let mut server = server;
    server.restart();
    assert!(server.visitor().page("/manager/login").await.contains(SENTENCE));
}

async fn the_environment_says_so(server: Server) {
    let clerk = Clerk::sign_in(&server, "owner", &["站长"]).await;
    let mut server = server;
    server.set("BINDERY_READ_ONLY", "1");
    server.stop();
    server.restart();
    let visitor = server.visitor();
    assert!(visitor.page("/manager/login").await.contains("本站正在维护：现在只能浏览，不能保存。"));
    let answer = visitor.post("/manager/login", &[("account", "a"), ("password", "b")]).await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.headers()["retry-after"], "600");
    let caller = clerk.caller.at(&server.base);
    assert!(caller.page("/staff/machine").await.contains("由 BINDERY_READ_ONLY 设置"));
    for act in ["begin", "end"] {
        assert_eq!(caller.post(PLACE, &[("act", act)]).await.status(), StatusCode::CONFLICT);
    }
}
