//! Who may open what, and what every answer carries.

use reqwest::StatusCode;

use support::{Server, between, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    what_the_content_policy_stopped_is_logged_and_bounded,
    programs_find_whom_to_tell_and_where_passwords_change,
    a_site_of_https_says_so_and_its_cookies_are_its_own,
);

async fn a_site_of_https_says_so_and_its_cookies_are_its_own(mut server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let plain = member.cookie("reader@example.com").await;
    assert!(plain.starts_with("bindery=") || plain.contains("; bindery="), "{plain}");
    server.kill();
    server.set("BINDERY_SECURE_COOKIES", "1");
    server.restart();
    let visitor = server.visitor();
    let answer = visitor.get("/manager/login").await;
    assert_eq!(answer.headers()["strict-transport-security"], "max-age=63072000");
    // a cookie of the plain name may have been planted: it is worth nothing, as are those of before
    let answer = visitor.get_with("/manager/order", &[("cookie", &plain)]).await;
    assert!(location(&answer).starts_with("/manager/login/"));
    let own = visitor.cookie("reader@example.com").await;
    assert!(own.split("; ").all(|pair| pair.starts_with("__Host-bindery")), "{own}");
    assert_eq!(visitor.get_with("/manager/order", &[("cookie", &own)]).await.status(), StatusCode::OK);
    // what is public may be shown elsewhere, and a style is public
    let page = visitor.page("/about").await;
    let asset = format!("/assets/{}", between(&page, "\"/assets/", "\""));
    assert_eq!(visitor.get(&asset).await.headers()["cross-origin-resource-policy"], "cross-origin");
}

async fn what_the_content_policy_stopped_is_logged_and_bounded(mut server: Server) {
    server.kill();
    let log = server.log_everything();
    server.restart();
    let visitor = server.visitor();
    let report = |number: usize| {
        format!(
            r#"{{"csp-report":{{"document-uri":"https://books.example/page-{number}?token=secret",
                "effective-directive":"script-src","blocked-uri":"https://evil.example/x.js\\nINFO forged"}}}}"#
        )
    };
    let kind = [("content-type", "application/csp-report")];
    for number in 0..50 {
        let answer = visitor.post_with_headers("/csp_report", &kind, &report(number)).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    }
    for other in ["", "{", "[]", "null"] {
        let answer = visitor.post_with_headers("/csp_report", &kind, other).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    }
    let large = "x".repeat(20_000);
    let answer = visitor.post_with_headers("/csp_report", &kind, &large).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<_> = log.lines().filter(|line| line.contains("what the content policy stopped")).collect();
    assert!((20..=40).contains(&lines.len()), "{} lines", lines.len());
    assert!(
        lines[0].contains("https://books.example/page-0") && lines[0].contains("script-src"),
        "{}",
        lines[0]
    );
    assert!(!log.contains("token=secret") && !log.lines().any(|line| line.starts_with("INFO forged")));
}

async fn programs_find_whom_to_tell_and_where_passwords_change(mut server: Server) {
    let visitor = server.visitor();
    let answer = visitor.get("/.well-known/change-password").await;
    assert_eq!(answer.status(), StatusCode::FOUND);
    assert_eq!(answer.headers()["location"], "/manager/userInfo/password");
    assert_eq!(visitor.get("/.well-known/security.txt").await.status(), StatusCode::NOT_FOUND);
    server.kill();
    server.set("BINDERY_SECURITY_CONTACT", "safety@books.example");
    server.set("BINDERY_PUBLIC_URL", "https://books.example");
    server.restart();
    let answer = server.visitor().get("/.well-known/security.txt").await;
    assert_eq!(answer.headers()["content-type"], "text/plain; charset=utf-8");
    let text = answer.text().await.unwrap();
    assert!(text.contains("Contact: mailto:safety@books.example\n"), "{text}");
    assert!(text.contains("Canonical: https://books.example/.well-known/security.txt\n"), "{text}");
    let expires = between(&text, "Expires: ", "\n");
    let days = |days: i64| (time::OffsetDateTime::now_utc() + time::Duration::days(days)).date().to_string();
    assert!(expires.as_str() > days(90).as_str() && expires.as_str() < days(365).as_str(), "{expires}");
}
