//! /manager/login?way=registration and ?way=recovery: codes, and what a stranger learns from them.

use reqwest::{Response, StatusCode};

use support::codes::{NEW, RECOVER, REGISTER, finish, other_than, refused, send};
use support::{Caller, PASSWORD, Server, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    a_code_goes_with_the_browser_and_with_nobody_else,
    codes_are_guessed_at_a_hundred_times_a_day_at_most,
    a_stranger_who_burns_codes_closes_nobodys_recovery,
    a_stranger_cannot_tell_who_has_an_account,
);

/// A page without the contact.
fn plain(page: &str, contact: &str) -> String {
    page.replace(contact, "")
}

async fn a_stranger_cannot_tell_who_has_an_account(server: Server) {
    server.member("known@example.com", "0").await;
    server.run(&["member", "add", "--account", "13800138000", "--password", PASSWORD]);
    for address in [REGISTER, RECOVER] {
        for (known, unknown) in [("known@example.com", "nobody@example.com"), ("13800138000", "13900139000")]
        {
            let mut seen: Vec<Vec<String>> = Vec::new();
            for contact in [known, unknown] {
                let stranger = server.visitor();
                let mut pages = Vec::new();
                for answer in [
                    send(&stranger, address, contact).await,
                    // at once again: too early, with the same words
                    send(&stranger, address, contact).await,
                    finish(&stranger, address, contact, "000000", NEW).await,
                ] {
                    let status = answer.status();
                    let cookies = answer.headers().get_all("set-cookie").iter().count();
                    let page = plain(&answer.text().await.unwrap(), contact);
                    // how many seconds are left may differ
                    let page = page.replace(|c: char| c.is_ascii_digit(), "");
                    pages.push(format!("{status} {cookies} {page}"));
                }
                server.wait_a_minute().await;
                seen.push(pages);
            }
            assert_eq!(seen[0], seen[1]);
            assert!(
                seen[0][0].starts_with("200")
                    && seen[0][1].starts_with("429")
                    && seen[0][2].starts_with("422")
            );
        }
    }
    // only the contact itself learns it, and no code would help
    let messages = server.outbox();
    for words in ["已经有账号了", "还没有账号"] {
        assert_eq!(messages.matches(words).count(), 2, "{words}");
    }
    assert_eq!(messages.matches("验证码是").count(), 4);
}

/// The same steps from a network address.
async fn send_via(caller: &Caller, at: &str, contact: &str) -> Response {
    caller.post_via(at, RECOVER, &[("way", "recovery"), ("step", "send"), ("contact", contact)]).await
}

async fn finish_via(caller: &Caller, at: &str, contact: &str, code: &str) -> Response {
    let fields = [("way", "recovery"), ("step", "finish"), ("contact", contact), ("code", code)];
    caller.post_via(at, RECOVER, &[&fields[..], &[("password", NEW)]].concat()).await
}

async fn a_stranger_who_burns_codes_closes_nobodys_recovery(mut server: Server) {
    server.behind_a_proxy();
    let contact = "reader@example.com";
    server.member(contact, "0").await;
    let (stranger, evil) = (server.visitor(), "203.0.113.9");
    // asks as often as it may, and guesses at all of them
    for _ in 0..8 {
        send_via(&stranger, evil, contact).await;
        let wrong = other_than(&server.code_to(contact));
        for _ in 0..5 {
            finish_via(&stranger, evil, contact, &wrong).await;
        }
        server.sql("update sign_in_attempts set last_failure_at = last_failure_at - 480000").await;
    }
    let answer = send_via(&stranger, evil, contact).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.text().await.unwrap().contains("验证码发得太频繁，请 8 分钟后再发"));
    // the owner asks at once, and its code stands whatever the stranger does
    let (owner, home) = (server.visitor(), "198.51.100.7");
    assert_eq!(send_via(&owner, home, contact).await.status(), StatusCode::OK);
    let code = server.code_to(contact);
    for _ in 0..6 {
        finish_via(&stranger, evil, contact, &other_than(&code)).await;
    }
    assert_eq!(finish_via(&owner, home, contact, &code).await.status(), StatusCode::SEE_OTHER);
}

async fn a_code_goes_with_the_browser_and_with_nobody_else(mut server: Server) {
    server.behind_a_proxy();
    let contact = "reader@example.com";
    server.member(contact, "0").await;
    let (owner, stranger) = (server.visitor(), server.visitor());
    assert_eq!(send_via(&owner, "198.51.100.7", contact).await.status(), StatusCode::OK);
    let code = server.code_to(contact);
    let answer = finish_via(&stranger, "203.0.113.9", contact, &code).await;
    refused(answer, "只在要它的那个浏览器或网络里有效").await;
    // on the way from Wi-Fi to the street
    assert_eq!(finish_via(&owner, "198.51.100.8", contact, &code).await.status(), StatusCode::SEE_OTHER);
    // in the same network with another browser, as on a phone and a computer at home
    let another = server.visitor();
    send_via(&another, "198.51.100.20", contact).await;
    let code = server.code_to(contact);
    let answer = finish_via(&server.visitor(), "198.51.100.20", contact, &code).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    // a code that was used ends all others
    assert_eq!(server.column("select digest from sent_codes").await.len(), 0);
}

async fn codes_are_guessed_at_a_hundred_times_a_day_at_most(mut server: Server) {
    server.behind_a_proxy();
    let contact = "reader@example.com";
    let known = server.member(contact, "0").await;
    let mut answered = 0;
    for network in 0..12 {
        let (at, visitor) = (format!("203.0.113.{network}"), server.visitor());
        for _ in 0..5 {
            send_via(&visitor, &at, contact).await;
            for guess in 0..5 {
                let answer = finish_via(&visitor, &at, contact, &format!("00000{guess}")).await;
                answered += usize::from(answer.status() == StatusCode::UNPROCESSABLE_ENTITY);
            }
            server.wait_a_minute().await;
        }
    }
    assert_eq!(answered, 80);
    // nor does a day end at midnight
    server.sql("update sign_in_attempts set last_failure_at = last_failure_at - 36000000").await;
    let at = "198.51.100.7";
    let answer = finish_via(&server.visitor(), at, contact, "000000").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let page = answer.text().await.unwrap();
    assert!(page.contains("今天有很多地方在猜它的验证码") && page.contains("小时后再试"), "{page}");
    // the owner's own browser is not shut out
    assert_eq!(send_via(&known, at, contact).await.status(), StatusCode::OK);
    let code = server.code_to(contact);
    finish_via(&known, at, contact, &other_than(&code)).await;
    assert_eq!(finish_via(&known, at, contact, &code).await.status(), StatusCode::SEE_OTHER);
}
