//! /manager/userInfo/signins: who came in, and who tried to.

use support::wait::until;
use support::{Caller, PASSWORD, Server, between_all, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    who_guesses_pushes_out_nothing_that_counts,
    the_log_is_the_members_own_and_ends,
    a_member_sees_who_came_in_and_who_tried,
);

const PAGE: &str = "/manager/userInfo/signins";
const ACCOUNT: &str = "reader@example.com";

/// The rows, as soon as there are so many: failures are noted after their answer.
async fn rows(member: &Caller, count: usize) -> Vec<String> {
    let rows = async || between_all(&member.page(PAGE).await, "<li><div><strong>", "</div></li>");
    until("the rows are there", async || rows().await.len() >= count).await;
    let rows = rows().await;
    assert_eq!(rows.len(), count, "{rows:#?}");
    rows
}

async fn a_member_sees_who_came_in_and_who_tried(mut server: Server) {
    server.behind_a_proxy();
    let member = server.member(ACCOUNT, "0").await;
    assert!(rows(&member, 1).await[0].contains("成功</span><p class=\"hint\">密码登录"), "its own sign-in");
    let stranger = server.visitor();
    let guess = [("account", ACCOUNT), ("password", "not-the-secret")];
    // at once: one row counts them all the same
    let guesses = (0..3).map(|_| stranger.post_via("203.0.113.7", "/manager/login", &guess));
    futures::future::join_all(guesses).await;
    until("the three are noted", async || member.page(PAGE).await.contains("一小时内 3 次")).await;
    let failed = rows(&member, 2).await;
    let failed = failed.iter().find(|row| row.contains("密码不正确")).unwrap();
    assert!(failed.contains("一小时内 3 次") && failed.contains("203.0.113.7"), "{failed}");
    // past the free ones nobody looks at the password any more, and the owner is told so
    let guesses = (0..3).map(|_| stranger.post_via("203.0.113.7", "/manager/login", &guess));
    futures::future::join_all(guesses).await;
    assert!(rows(&member, 3).await.iter().any(|row| row.contains("尝试过多，已拦下")));
    // a program, and whoever sits at a session and guesses
    let fields = [("account", ACCOUNT), ("password", PASSWORD)];
    server.visitor().post_via("198.51.100.4", "/user-center/login", &fields).await;
    let change = [("current", "not-the-secret"), ("password", "purple lantern on the hill")];
    member.post("/manager/userInfo/password", &change).await;
    let all = rows(&member, 5).await;
    assert!(
        all.iter().any(|row| row.contains("程序用密码要令牌") && row.contains("198.51.100.4")),
        "{all:#?}"
    );
    assert!(all.iter().any(|row| row.contains("登录后再次输入密码")), "{all:#?}");
    // an unknown account has no log, and nothing that was typed is kept anywhere
    server.visitor().sign_in("nobody@example.com", "not-the-secret").await;
    let kept = server.column("select id || way || outcome || device || address from sign_ins").await;
    assert_eq!(kept.len(), 5);
    assert!(!kept.concat().contains("secret"));
    // the profile leads here
    assert!(member.page("/manager/userInfo").await.contains("href=\"/manager/userInfo/signins\""));
}

async fn who_guesses_pushes_out_nothing_that_counts(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    // a guess from each of many addresses, as the clock would have it
    let owner = server.read("select id from members").await;
    for number in 0..150 {
        server
            .sql(&format!(
                "insert into sign_ins (id, member_id, at, way, outcome, device, address, times)
                 select 'g{number}', '{owner}', at + {number} + 1, 'password', 'wrong_password', 'curl',
                        '203.0.113.{number}', 1 from sign_ins where outcome = 'succeeded'"
            ))
            .await;
    }
    server.visitor().sign_in(ACCOUNT, "not the password").await;
    let kept = async || server.column("select id from sign_ins").await.len();
    until("a hundred failures and one that came in are kept", async || kept().await == 101).await;
    assert!(member.page(PAGE).await.contains("成功</span>"), "and the sign-in before them all");
}

async fn the_log_is_the_members_own_and_ends(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    let other = server.member("other@example.com", "0").await;
    other.sign_in("other@example.com", PASSWORD).await;
    rows(&member, 1).await;
    assert_eq!(other.page(PAGE).await.matches("成功</span>").count(), 2, "one each time");
    let days = |days: i64| format!("update sign_ins set at = at - {}", days * 24 * 60 * 60_000);
    server.sql(&days(89)).await;
    rows(&member, 1).await;
    server.sql(&days(2)).await;
    assert!(member.page(PAGE).await.contains("还没有记录"));
}
