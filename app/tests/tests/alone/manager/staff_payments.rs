//! /staff/payments: transfers that somebody confirms, and money that goes back.

use reqwest::{Response, StatusCode};

use super::recharge::with_bank;
use support::payments::{books_hold, frozen, page, recharge, said};
use support::staff::{Clerk, next_page};
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    a_transfer_is_confirmed_by_hand_once,
    a_transfer_goes_back_by_hand_once,
    much_goes_back_when_another_agrees,
    much_has_arrived_when_another_agrees,
    much_was_not_sent_when_another_agrees;
    on_sqlite:
    payments_are_found_and_stand_in_pages,
    what_a_provider_does_not_send_back_is_listed,
);

const LIST: &str = "/staff/payments";

/// What the payer of a transfer writes on it.
async fn reference_of(member: &Caller, payment: &str) -> String {
    between(&member.page(&page(payment)).await, "class=\"reference num\">", "<")
}

/// What a refused form's page says.
async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// Sends a form with these fields and a code that was not used yet.
async fn send(clerk: &Clerk, server: &Server, path: &str, fields: &[(&str, &str)]) -> Response {
    let code = clerk.code(server).await;
    let all: Vec<(&str, &str)> = fields.iter().copied().chain([("code", code.as_str())]).collect();
    clerk.caller.post(path, &all).await
}

async fn a_transfer_is_confirmed_by_hand_once(mut server: Server) {
    with_bank(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "transfer", "100").await;
    let reference = reference_of(&member, &payment).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    assert!(chen.caller.page("/staff").await.contains("待核对的转账"));
    let own = format!("{LIST}/{payment}");
    let written = format!("{}-{}", reference[..4].to_lowercase(), &reference[4..]);
    for words in ["", &reference, &written, "PAYER@ex", &payment] {
        let found = chen.caller.page(&format!("{LIST}?q={words}")).await;
        assert!(found.contains(&own) && found.contains("待到账"), "{words}: {found}");
    }
    assert!(!chen.caller.page(&format!("{LIST}?q=nothing")).await.contains(&own));
    let shown = chen.caller.page(&own).await;
    assert!(shown.contains(&reference) && shown.contains("payer@example.com"), "{shown}");
    assert!(!shown.contains("原路退回"), "what has not come can't go back");

    let arrival = format!("{own}/arrival");
    for (amount, number, told) in [
        ("100", "B-1", "请再输入一次动态验证码"),
        ("", "", "请输入金额"),
        ("一百", "", "金额须是数字"),
        ("-100", "", "金额须是数字"),
        ("99.99", "B-1", "会员该付的是 ¥100.00"),
    ] {
        let page = refused(chen.caller.post(&arrival, &[("amount", amount), ("number", number)]).await).await;
        assert!(page.contains(told) && page.contains("id=\"code-error\""), "{amount}: {page}");
        assert!(page.contains(&format!("value=\"{amount}\"")), "what was typed comes back");
    }
    books_hold(&server, 0).await;
    let fields = [("amount", "¥100.00"), ("number", "B-1")];
    assert_eq!(location(&send(&chen, &server, &arrival, &fields).await), format!("{own}?said=done"));
    // pressed again, it moves nothing and needs no other code
    assert_eq!(location(&chen.caller.post(&arrival, &fields).await), format!("{own}?said=before"));
    for other in [[("amount", "100"), ("number", "B-2")], [("amount", "99"), ("number", "B-1")]] {
        let page = refused(chen.caller.post(&arrival, &other).await).await;
        assert!(page.contains("已经确认到账") && !page.contains("value=\"99\""), "{page}");
    }
    assert_eq!(member.balance().await, "100.00");
    books_hold(&server, 10_000).await;
    let shown = chen.caller.page(&own).await;
    assert!(shown.contains("已到账") && shown.contains("B-1") && shown.contains("原路退回"), "{shown}");
    assert!(!chen.caller.page(LIST).await.contains(&own), "nothing waits");
    assert!(said(&server.run(&["audit", &payment])).contains("chen: recharge confirm"));

    // one booking is not two payments; and what comes late counts, too
    let second = recharge(&member, "transfer", "50").await;
    server.sql(&format!("update payments set state = 'closed' where id = '{second}'")).await;
    let own = format!("{LIST}/{second}");
    assert!(chen.caller.page(&own).await.contains("已过有效期"));
    let arrival = format!("{own}/arrival");
    let fields = [("amount", "50"), ("number", "B-1")];
    let page = refused(send(&chen, &server, &arrival, &fields).await).await;
    assert!(page.contains("另一笔转账") && page.contains("value=\"B-1\""), "{page}");
    let fields = [("amount", "50"), ("number", "")];
    assert_eq!(location(&send(&chen, &server, &arrival, &fields).await), format!("{own}?said=done"));
    books_hold(&server, 15_000).await;
    let nothing = chen.caller.post(&format!("{LIST}/none/arrival"), &fields).await;
    assert_eq!(nothing.status(), StatusCode::NOT_FOUND);
    assert_eq!(chen.caller.get(&format!("{LIST}/none")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(chen.caller.get(&format!("{LIST}?view=none")).await.status(), StatusCode::NOT_FOUND);
}

async fn much_goes_back_when_another_agrees(mut server: Server) {
    server.set("BINDERY_STAFF_LIMIT", "50");
    with_bank(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "transfer", "100").await;
    let reference = reference_of(&member, &payment).await;
    said(&server.run(&["recharge", "confirm", &reference, "--amount", "100"]));
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let own = format!("{LIST}/{payment}");
    let (refund, second) = (format!("{own}/refund"), format!("{own}/second"));
    let part = |key: &'static str, amount: &'static str| [("key", key), ("part", "some"), ("amount", amount)];
    send(&chen, &server, &refund, &part("one", "30")).await;
    assert_eq!(member.balance().await, "70.00", "as much as one may");
    let answer = send(&chen, &server, &refund, &part("two", "30")).await;
    assert_eq!(location(&answer), format!("{own}?said=asked"));
    assert_eq!(member.balance().await, "70.00", "together it is too much for one");
    assert!(chen.caller.page(&own).await.contains("等另一位同事复核"));
    let grant = [("request", "two"), ("decision", "grant")];
    assert!(refused(send(&chen, &server, &second, &grant).await).await.contains("要由另一位同事复核"));
    let zhao = Clerk::sign_in(&server, "zhao", &["财务"]).await;
    assert!(zhao.caller.page("/staff").await.contains("待复核的收款退款"));
    assert!(zhao.caller.page(&format!("{LIST}?view=second")).await.contains(&own));
    assert!(refused(zhao.caller.post(&second, &grant).await).await.contains("请再输入一次动态验证码"));
    assert_eq!(location(&send(&zhao, &server, &second, &grant).await), format!("{own}?said=done"));
    assert_eq!(location(&send(&zhao, &server, &second, &grant).await), format!("{own}?said=before"));
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("40.00", 6_000));
    let audit = said(&server.run(&["audit", &payment]));
    assert!(
        audit.contains("chen: recharge refund-ask") && audit.contains("zhao: recharge refund-decide"),
        "{audit}"
    );
}

async fn much_has_arrived_when_another_agrees(mut server: Server) {
    server.set("BINDERY_STAFF_LIMIT", "150");
    with_bank(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let zhao = Clerk::sign_in(&server, "zhao", &["财务"]).await;
    let mut own = Vec::new();
    for amount in ["100", "100", "151"] {
        own.push(format!("{LIST}/{}", recharge(&member, "transfer", amount).await));
    }
    let arrives = async |clerk: &Clerk, place: &str, amount: &str, number: &str| {
        let fields = [("amount", amount), ("number", number)];
        send(clerk, &server, &format!("{place}/arrival"), &fields).await
    };
    let first = arrives(&chen, &own[0], "100", "B-1").await;
    assert_eq!(location(&first), format!("{}?said=done", own[0]));
    assert_eq!(member.balance().await, "100.00", "as much as one may say");
    // a second one, and one that is too much by itself, wait
    for (place, amount, number) in [(&own[1], "100", "B-2"), (&own[2], "151", "")] {
        assert_eq!(location(&arrives(&chen, place, amount, number).await), format!("{place}?said=asked"));
        let again = arrives(&chen, place, amount, number).await;
        assert_eq!(location(&again), format!("{place}?said=asked-before"));
    }
    let asked = chen.caller.page(&format!("{}?said=asked", own[1])).await;
    assert!(asked.contains("已提出，等另一位同事复核。") && !asked.contains("已办好"), "{asked}");
    assert!(between(&asked, "<header class=\"head\">", "</header>").contains(">待复核</span>"), "{asked}");
    // it waits in one place
    let awaited = chen.caller.page(LIST).await;
    assert!(!awaited.contains(&own[1]) && !awaited.contains(&own[2]), "{awaited}");
    let all = chen.caller.page(&format!("{LIST}?view=all")).await;
    assert_eq!(all.matches("class=\"badge warn\">待复核</span>").count(), 2, "{all}");
    let page = refused(arrives(&chen, &own[1], "100", "B-3").await).await;
    assert!(page.contains("正在等另一位同事复核"), "{page}");
    assert_eq!(member.balance().await, "100.00", "nothing moves yet");
    books_hold(&server, 10_000).await;
    let shown = chen.caller.page(&own[1]).await;
    assert!(shown.contains("待复核的到账") && shown.contains("银行流水号 B-2"), "{shown}");
    assert!(shown.contains("等另一位同事复核") && !shown.contains("到账金额"), "{shown}");

    let decide = async |clerk: &Clerk, place: &str, decision: &str| {
        let request = between(&chen.caller.page(place).await, "name=\"request\" value=\"", "\"");
        let fields = [("request", request.as_str()), ("decision", decision)];
        send(clerk, &server, &format!("{place}/arrival_second"), &fields).await
    };
    assert!(refused(decide(&chen, &own[1], "grant").await).await.contains("要由另一位同事复核"));
    assert!(zhao.caller.page("/staff").await.contains("待复核的到账"));
    let waiting = zhao.caller.page(&format!("{LIST}?view=second")).await;
    assert!(
        waiting.contains(&own[1]) && waiting.contains(&own[2]) && !waiting.contains(&own[0]),
        "{waiting}"
    );
    let asked = between(&zhao.caller.page(&own[1]).await, "name=\"request\" value=\"", "\"");
    let fields = [("request", asked.as_str()), ("decision", "grant")];
    let second = format!("{}/arrival_second", own[1]);
    assert!(refused(zhao.caller.post(&second, &fields).await).await.contains("请再输入一次动态验证码"));
    assert_eq!(member.balance().await, "100.00");
    assert_eq!(location(&decide(&zhao, &own[1], "grant").await), format!("{}?said=done", own[1]));
    assert_eq!(location(&send(&zhao, &server, &second, &fields).await), format!("{}?said=before", own[1]));
    assert_eq!(member.balance().await, "200.00", "once");
    books_hold(&server, 20_000).await;
    assert!(zhao.caller.page(&own[1]).await.contains("B-2"), "with the number that was asked with");

    // what was taken back, or not agreed to, may be asked again, and one that the host confirmed meanwhile counts once
    for (clerk, word) in [(&chen, "taken-back"), (&zhao, "declined")] {
        assert_eq!(location(&decide(clerk, &own[2], "decline").await), format!("{}?said={word}", own[2]));
        assert!(chen.caller.page(LIST).await.contains(&own[2]), "awaited as before");
        assert_eq!(location(&arrives(&chen, &own[2], "151", "").await), format!("{}?said=asked", own[2]));
    }
    let declined = zhao.caller.page(&format!("{}?said=declined", own[2])).await;
    assert!(declined.contains("不同意已记下"), "{declined}");
    let id = own[2].rsplit('/').next().unwrap();
    let reference = reference_of(&member, id).await;
    said(&server.run(&["recharge", "confirm", &reference, "--amount", "151"]));
    assert_eq!(location(&decide(&zhao, &own[2], "grant").await), format!("{}?said=before", own[2]));
    assert_eq!(member.balance().await, "351.00");
    books_hold(&server, 35_100).await;
    let first = own[1].rsplit('/').next().unwrap();
    let audit = said(&server.run(&["audit", first]));
    assert!(
        audit.contains("chen: recharge confirm-ask") && audit.contains("zhao: recharge confirm-decide"),
        "{audit}"
    );
}

/// Whoever had a bank transfer made could say that it was not: the member would have the money twice.
async fn much_was_not_sent_when_another_agrees(mut server: Server) {
    server.set("BINDERY_STAFF_LIMIT", "50");
    with_bank(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "transfer", "100").await;
    let reference = reference_of(&member, &payment).await;
    said(&server.run(&["recharge", "confirm", &reference, "--amount", "100"]));
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let zhao = Clerk::sign_in(&server, "zhao", &["财务"]).await;
    let own = format!("{LIST}/{payment}");
    let (refund, end) = (format!("{own}/refund"), format!("{own}/refund_end"));
    let second = format!("{own}/refund_end_second");
    let back = async |key: &'static str, amount: &'static str| {
        let fields = [("key", key), ("part", "some"), ("amount", amount)];
        assert_eq!(location(&send(&chen, &server, &refund, &fields).await), format!("{own}?said=done"));
    };
    let ends = async |key: &'static str| {
        location(&send(&chen, &server, &end, &[("key", key), ("end", "withdrawn")]).await)
    };
    back("one", "20").await;
    assert_eq!(ends("one").await, format!("{own}?said=done"));
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("100.00", 0), "as much as one may");
    // on other days: what came back of this payment adds up, too
    server.sql("update given_alone set given_at = given_at - 86400001").await;
    back("two", "30").await;
    server.sql("update given_alone set given_at = given_at - 86400001").await;
    server.sql("update given_alone set amount = 2001 where kind = 'withdrawal'").await;
    assert_eq!(ends("two").await, format!("{own}?said=asked"));
    assert_eq!(ends("two").await, format!("{own}?said=asked-before"));
    assert_eq!(
        (member.balance().await.as_str(), frozen(&server).await),
        ("70.00", 3_000),
        "nothing moves yet"
    );
    let shown = zhao.caller.page(&own).await;
    assert!(shown.contains("待复核的退回余额") && shown.contains("同意退回余额"), "{shown}");
    assert!(zhao.caller.page("/staff").await.contains("待复核的退回余额"));
    assert!(zhao.caller.page(&format!("{LIST}?view=second")).await.contains(&own));
    let asked = between(&shown, "name=\"request\" value=\"", "\"");
    let decide = async |clerk: &Clerk, decision: &str| {
        let fields = [("request", asked.as_str()), ("decision", decision)];
        send(clerk, &server, &second, &fields).await
    };
    assert!(refused(decide(&chen, "grant").await).await.contains("要由另一位同事复核"));
    assert_eq!(frozen(&server).await, 3_000);
    assert_eq!(location(&decide(&zhao, "grant").await), format!("{own}?said=done"));
    assert_eq!(location(&decide(&zhao, "grant").await), format!("{own}?said=before"));
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("100.00", 0));
    books_hold(&server, 10_000).await;
    // that it was sent gives nothing, and needs nobody
    server.sql("delete from given_alone").await;
    back("three", "50").await;
    assert_eq!(ends("three").await, format!("{own}?said=asked"));
    let sent = [("key", "three"), ("end", "sent")];
    assert_eq!(location(&send(&chen, &server, &end, &sent).await), format!("{own}?said=done"));
    let asked = between(&zhao.caller.page(&own).await, "name=\"request\" value=\"", "\"");
    let fields = [("request", asked.as_str()), ("decision", "grant")];
    assert!(refused(send(&zhao, &server, &second, &fields).await).await.contains("结果不能再改"));
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("50.00", 0));
    books_hold(&server, 5_000).await;
}

async fn a_transfer_goes_back_by_hand_once(mut server: Server) {
    with_bank(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "transfer", "100").await;
    let reference = reference_of(&member, &payment).await;
    said(&server.run(&["recharge", "confirm", &reference, "--amount", "100"]));
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let own = format!("{LIST}/{payment}");
    let (refund, end) = (format!("{own}/refund"), format!("{own}/refund_end"));
    let key = between(&chen.caller.page(&own).await, "name=\"key\" value=\"", "\"");
    for (part, amount, told) in [
        ("", "", "请选择全部退回"),
        ("some", "", "请输入金额"),
        ("some", "0", "金额须是数字"),
        ("some", "100.01", "最多还能退 ¥100.00"),
        ("some", "40", "请再输入一次动态验证码"),
    ] {
        let fields = [("key", key.as_str()), ("part", part), ("amount", amount)];
        let page = refused(chen.caller.post(&refund, &fields).await).await;
        assert!(page.contains(told) && page.contains(&format!("value=\"{key}\"")), "{part} {amount}: {page}");
    }
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("100.00", 0));
    let page = refused(chen.caller.post(&refund, &[("key", ""), ("part", "whole")]).await).await;
    assert!(page.contains("表单不完整"), "{page}");

    let fields = [("key", key.as_str()), ("part", "some"), ("amount", "40")];
    assert_eq!(location(&send(&chen, &server, &refund, &fields).await), format!("{own}?said=done"));
    assert_eq!(location(&chen.caller.post(&refund, &fields).await), format!("{own}?said=before"));
    let other = [("key", key.as_str()), ("part", "some"), ("amount", "41")];
    assert!(refused(chen.caller.post(&refund, &other).await).await.contains("已经退过一笔 ¥40.00"));
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("60.00", 4_000));
    assert!(chen.caller.page("/staff").await.contains("待汇出的退款"));
    let waiting = chen.caller.page(&format!("{LIST}?view=refunds&q={reference}")).await;
    assert!(waiting.contains(&own) && waiting.contains("40.00"), "{waiting}");

    // what became of it: one end, once
    let page = refused(chen.caller.post(&end, &[("key", &key), ("end", "")]).await).await;
    assert!(page.contains("请选择结果") && page.contains("id=\"code-error\""), "{page}");
    assert_eq!(page.matches(&format!("value=\"{key}\"")).count(), 1, "another refund has another key");
    let sent = [("key", key.as_str()), ("end", "sent")];
    assert_eq!(location(&send(&chen, &server, &end, &sent).await), format!("{own}?said=done"));
    assert_eq!(location(&chen.caller.post(&end, &sent).await), format!("{own}?said=before"));
    let withdrawn = [("key", key.as_str()), ("end", "withdrawn")];
    assert!(refused(chen.caller.post(&end, &withdrawn).await).await.contains("结果不能再改"));
    assert_eq!(frozen(&server).await, 0);
    books_hold(&server, 6_000).await;
    assert!(!chen.caller.page(&format!("{LIST}?view=refunds")).await.contains(&own));

    // all that is left, which can't be sent
    let whole = [("key", "second"), ("part", "whole")];
    assert_eq!(location(&send(&chen, &server, &refund, &whole).await), format!("{own}?said=done"));
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("0.00", 6_000));
    let withdrawn = [("key", "second"), ("end", "withdrawn")];
    assert_eq!(location(&send(&chen, &server, &end, &withdrawn).await), format!("{own}?said=done"));
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("60.00", 0));
    books_hold(&server, 6_000).await;
    assert_eq!(
        chen.caller.post(&end, &[("key", "none"), ("end", "sent")]).await.status(),
        StatusCode::NOT_FOUND
    );
    // what was spent can't go back
    server.sql("update ledger_accounts set balance = 1000 where id like 'member:%'").await;
    let whole = [("key", "third"), ("part", "whole")];
    let page = refused(send(&chen, &server, &refund, &whole).await).await;
    assert!(page.contains("会员余额只有 ¥10.00") && page.contains("value=\"third\""), "{page}");
    server.sql("update ledger_accounts set balance = 6000 where id like 'member:%'").await;
    books_hold(&server, 6_000).await;
    let noted =
        "select cast(count(*) as text) from audit_log where action = 'recharge refund' and actor = 'chen'";
    assert_eq!(server.read(noted).await, "4", "each step once");
}

async fn what_a_provider_does_not_send_back_is_listed(server: Server) {
    server.member("payer@example.com", "0").await;
    let member = server.read("select id from members where account = 'payer@example.com'").await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let day = 24 * 60 * 60_000;
    let now: i64 = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_millis()
        .try_into()
        .unwrap();
    // asked for two days ago, an hour ago, and of a transfer, which somebody here sends
    for (id, method, asked) in [
        ("slow", "alipay", now - 2 * day),
        ("fresh", "wechat", now - day / 24),
        ("hand", "transfer", now - 2 * day),
    ] {
        server
            .sql(&format!(
                "insert into payments (id, member_id, method, amount, request_key, state, created_at, expires_at, paid_at)
                 values ('{id}', '{member}', '{method}', 100, '{id}', 'paid', 1, 1, 1);
                 insert into payment_refunds (id, payment_id, amount, request_key, state, created_at)
                 values ('{id}', '{id}', 100, '{id}', 'pending', {asked})"
            ))
            .await;
    }
    assert!(chen.page("/staff").await.contains("平台没有退成的退款"));
    let stuck = chen.page(&format!("{LIST}?view=stuck")).await;
    assert!(stuck.contains("/staff/payments/slow") && stuck.contains("支付宝"), "{stuck}");
    assert!(!stuck.contains("/staff/payments/fresh") && !stuck.contains("/staff/payments/hand"), "{stuck}");
    assert!(stuck.contains("还没有问过平台"), "{stuck}");
    // one that was tried in vain again and again needs somebody at once
    server.sql("update payment_refunds set asked_at = 1, trouble = '连不上平台', troubles = 2 where id = 'fresh'").await;
    assert!(!chen.page(&format!("{LIST}?view=stuck")).await.contains("/staff/payments/fresh"));
    server.sql("update payment_refunds set troubles = 3 where id = 'fresh'").await;
    let stuck = chen.page(&format!("{LIST}?view=stuck")).await;
    assert!(stuck.contains("/staff/payments/fresh") && stuck.contains("连不上平台"), "{stuck}");
    assert!(stuck.contains("接连 3 次"), "{stuck}");
    assert!(chen.page(&format!("{LIST}?view=stuck&q=nobody")).await.contains("没有符合的收款"));
    let by_hand = chen.page(&format!("{LIST}?view=refunds")).await;
    assert!(by_hand.contains("/staff/payments/hand") && !by_hand.contains("/staff/payments/slow"));
}

async fn payments_are_found_and_stand_in_pages(server: Server) {
    server.member("payer@example.com", "0").await;
    let member = server.read("select id from members where account = 'payer@example.com'").await;
    let rows: Vec<String> = (10..41)
        .map(|number| {
            let (id, reference) = (format!("payment-{number}"), format!("TRANSF{number}"));
            format!("('{id}', '{member}', 'transfer', 100, '{id}', 'pending', '{reference}', {number}, 9000000000000)")
        })
        .collect();
    server
        .sql(&format!(
            "insert into payments (id, member_id, method, amount, request_key, state, reference, created_at, expires_at)
             values {}",
            rows.join(", ")
        ))
        .await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    for (view, first, last) in [("", "payment-10", "payment-40"), ("all", "payment-40", "payment-10")] {
        let page = chen.page(&format!("{LIST}?view={view}")).await;
        assert_eq!(page.matches("data-label=\"金额\"").count(), 30, "{view}");
        assert!(page.contains(first) && !page.contains(last), "{view}");
        let next = next_page(&page);
        let page = chen.page(&next).await;
        assert_eq!(page.matches("data-label=\"金额\"").count(), 1, "{view}");
        assert!(page.contains(last) && page.contains("回到开头"), "{view}");
    }
    assert_eq!(chen.get(&format!("{LIST}?after=x")).await.status(), StatusCode::NOT_FOUND);
}
