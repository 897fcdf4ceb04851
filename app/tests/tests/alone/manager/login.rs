//! /manager/login and /manager/logout.

use reqwest::StatusCode;

use support::{Caller, PASSWORD, Server, on_both_engines};

on_both_engines!(
    a_stranger_who_guesses_keeps_nobody_else_out,
    ; on_sqlite:
    guessing_from_everywhere_stops_only_those_that_nothing_is_known_of,
    a_browser_that_signed_in_before_has_a_count_of_its_own,
);

const READER: &str = "reader@example.com";

/// A sign-in from a network address.
async fn try_via(caller: &Caller, address: &str, account: &str, password: &str) -> reqwest::Response {
    caller.post_via(address, "/manager/login", &[("account", account), ("password", password)]).await
}

/// Fails from this address until it has to wait.
async fn fail_until_refused(server: &Server, address: &str, account: &str) -> String {
    for _ in 0..40 {
        let answer = try_via(&server.visitor(), address, account, "a guess").await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            return answer.text().await.unwrap();
        }
    }
    panic!("nobody is slowed down");
}

async fn a_stranger_who_guesses_keeps_nobody_else_out(mut server: Server) {
    server.behind_a_proxy();
    server.member(READER, "0").await;
    let page = fail_until_refused(&server, "203.0.113.9", READER).await;
    assert!(page.contains("从您所在的网络对这个账号尝试次数过多"), "{page}");
    // who has no such account is told the same
    let other = fail_until_refused(&server, "203.0.113.10", "nobody@example.com").await;
    assert!(other.contains("从您所在的网络对这个账号尝试次数过多"));
    // the owner is somewhere else, with a browser that nobody knows
    let answer = try_via(&server.visitor(), "198.51.100.7", READER, PASSWORD).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    // and has taken nothing back of what the stranger tried
    let mut statuses = Vec::new();
    for _ in 0..2 {
        statuses.push(try_via(&server.visitor(), "203.0.113.9", READER, "a guess").await.status());
    }
    // on a slow machine the first wait is over by now, but no five tries are free again
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS), "{statuses:?}");
}

async fn a_browser_that_signed_in_before_has_a_count_of_its_own(mut server: Server) {
    server.behind_a_proxy();
    let owner = server.member(READER, "0").await;
    owner.post("/manager/logout", &[]).await;
    let at = "203.0.113.9";
    fail_until_refused(&server, at, READER).await;
    for number in 0..40 {
        try_via(&server.visitor(), at, &format!("guess-{number}@example.com"), "a guess").await;
    }
    let answer = try_via(&server.visitor(), at, "other@example.com", "a guess").await;
    assert!(answer.text().await.unwrap().contains("从您所在的网络登录，尝试次数过多"));
    // the owner sits in the same network
    assert_eq!(try_via(&owner, at, READER, PASSWORD).await.status(), StatusCode::SEE_OTHER);
    owner.post("/manager/logout", &[]).await;
    // its browser is slowed down by its own failures
    for _ in 0..5 {
        let answer = try_via(&owner, "198.51.100.7", READER, "a guess").await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = try_via(&owner, "198.51.100.8", READER, PASSWORD).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.text().await.unwrap().contains("在这个浏览器里对这个账号尝试次数过多"));
    // at another account it is a browser like any other
    server.member("second@example.com", "0").await;
    for _ in 0..5 {
        try_via(&owner, "198.51.100.9", "second@example.com", "a guess").await;
    }
    let answer = try_via(&server.visitor(), "198.51.100.9", "second@example.com", PASSWORD).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
}

async fn guessing_from_everywhere_stops_only_those_that_nothing_is_known_of(mut server: Server) {
    server.behind_a_proxy();
    let owner = server.member(READER, "0").await;
    owner.post("/manager/logout", &[]).await;
    for account in [READER, "nobody@example.com"] {
        for number in 0..100 {
            let answer = try_via(&server.visitor(), &format!("203.0.113.{number}"), account, "a guess").await;
            assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{number}");
        }
        let answer = try_via(&server.visitor(), "203.0.113.1", account, "a guess").await;
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
        let wait: u64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((30..=60).contains(&wait), "{wait}");
        let page = answer.text().await.unwrap();
        for words in ["很多地方在猜这个账号的密码", "秒后再试", "找回密码"] {
            assert!(page.contains(words), "{words}");
        }
    }
    // somebody who has not failed is let in still
    let somewhere = server.visitor();
    assert_eq!(try_via(&somewhere, "198.51.100.7", READER, PASSWORD).await.status(), StatusCode::SEE_OTHER);
    // a thousand addresses that each have one try are no way round
    server.sql("update sign_in_attempts set failures = 1000 where subject like 'account:%'").await;
    let answer = try_via(&server.visitor(), "198.51.100.8", READER, PASSWORD).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    for known in [&owner, &somewhere] {
        assert_eq!(try_via(known, "203.0.113.1", READER, PASSWORD).await.status(), StatusCode::SEE_OTHER);
    }
}
