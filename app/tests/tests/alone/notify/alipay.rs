//! /notify/alipay: what Alipay tells, and what somebody else says in its name.

use support::fakes::alipay::{FakeAlipay, Mood, Note, send, send_body, signed};
use support::payments::{books_hold, expire, page, pay_order, question, recharge, said, state};
use support::wait::eventually;
use support::{Caller, Server, between, on_both_engines};

on_both_engines!(
    a_payment_is_signed_notified_and_credited_once,
    what_is_not_provably_alipays_moves_nothing,
    the_gateways_answers_count_only_when_they_are_signed,
    an_order_is_paid_and_the_time_of_another_is_over,
    money_goes_back_through_the_gateway,
);

/// Where a payment's page sends the member.
async fn way(member: &Caller, payment: &str) -> String {
    let page = member.page(&page(payment)).await;
    format!("http://127.0.0.1{}", between(&page, "href=\"http://127.0.0.1", "\"").replace("&amp;", "&"))
}

fn with(note: &Note, name: &str, value: &str) -> Note {
    let mut note = note.clone();
    note.insert(name.into(), value.into());
    note
}

async fn a_payment_is_signed_notified_and_credited_once(mut server: Server) {
    let fake = FakeAlipay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "alipay", "88.5").await;
    assert_eq!(fake.pay(&way(&member, &payment).await), payment);
    let note = fake.note(&payment);
    let copies = futures::future::join_all((0..16).map(|_| send(&server, &note))).await;
    assert!(copies.iter().all(|answer| *answer == (200, "success".to_owned())), "{copies:?}");
    // told of again when it can no longer be sent back
    fake.set_status(&payment, "TRADE_FINISHED");
    assert_eq!(send(&server, &fake.note(&payment)).await.1, "success");
    assert_eq!(member.balance().await, "88.50");
    assert_eq!(state(&member, &payment).await, "paid");
    books_hold(&server, 8_850).await;
}

async fn what_is_not_provably_alipays_moves_nothing(mut server: Server) {
    let fake = FakeAlipay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "alipay", "100").await;
    fake.pay(&way(&member, &payment).await);
    let (good, plain) = (fake.note(&payment), fake.unsigned_note(&payment));
    let future = "2099-01-01 00:00:00";
    for (why, status, note) in [
        ("altered", 401, with(&good, "total_amount", "1.00")),
        ("one field more", 401, with(&good, "receipt_amount", "1.00")),
        ("unsigned", 401, plain.clone()),
        ("an empty signature", 401, with(&good, "sign", "")),
        ("signed by us", 401, signed(plain.clone(), "merchant")),
        ("signed by WeChat Pay", 401, signed(plain.clone(), "wechatpay")),
        ("another algorithm", 401, signed(with(&plain, "sign_type", "RSA"), "alipay")),
        ("another charset", 401, signed(with(&plain, "charset", "gbk"), "alipay")),
        ("another app", 401, signed(with(&plain, "app_id", "2021000000000002"), "alipay")),
        ("another seller", 401, signed(with(&plain, "seller_id", "2088000000000002"), "alipay")),
        ("from the future", 401, signed(with(&plain, "notify_time", future), "alipay")),
        ("no number", 401, signed(with(&plain, "trade_no", ""), "alipay")),
        ("no amount", 401, signed(with(&plain, "total_amount", "1e2"), "alipay")),
        ("a strange state", 401, signed(with(&plain, "trade_status", "TRADE_PENDING"), "alipay")),
        ("a fen less", 400, signed(with(&plain, "total_amount", "99.99"), "alipay")),
        ("a fen more", 400, signed(with(&plain, "total_amount", "100.01"), "alipay")),
        ("unknown", 400, signed(with(&plain, "out_trade_no", "01k0000000000000000000000b"), "alipay")),
    ] {
        assert_eq!(send(&server, &note).await, (status, "failure".to_owned()), "{why}");
    }
    // a name twice could be signed as one thing and read as another
    let twice = format!("{}&total_amount=100.00", serde_urlencoded::to_string(&good).unwrap());
    assert_eq!(send_body(&server, &twice).await.0, 401);
    assert_eq!(send_body(&server, &"a".repeat(70_000)).await.0, 413);
    for status in ["WAIT_BUYER_PAY", "TRADE_CLOSED"] {
        let note = signed(with(&plain, "trade_status", status), "alipay");
        assert_eq!(send(&server, &note).await, (200, "success".to_owned()), "{status} moves nothing");
    }
    books_hold(&server, 0).await;
    assert_eq!(state(&member, &payment).await, "pending");
    assert_eq!(send(&server, &good).await.0, 200);
    books_hold(&server, 10_000).await;
}

async fn the_gateways_answers_count_only_when_they_are_signed(mut server: Server) {
    let fake = FakeAlipay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "alipay", "100").await;
    assert!(question(&member, &payment).await.ends_with("?asked=1"), "nobody has gone there yet");
    fake.visit(&way(&member, &payment).await);
    for mood in [Mood::Unsigned, Mood::OtherKey, Mood::Altered] {
        fake.set_mood(mood);
        assert!(question(&member, &payment).await.ends_with("?silent=1"), "{mood:?}");
        assert_eq!(state(&member, &payment).await, "pending", "{mood:?}");
    }
    fake.set_mood(Mood::Good);
    assert!(question(&member, &payment).await.ends_with("?asked=1"));
    assert!(member.page(&format!("{}?asked=1", page(&payment))).await.contains("还没有收到付款"));
    fake.set_status(&payment, "TRADE_SUCCESS");
    question(&member, &payment).await;
    assert_eq!(state(&member, &payment).await, "paid");
    assert_eq!(send(&server, &fake.note(&payment)).await.0, 200, "told of afterwards");
    books_hold(&server, 10_000).await;
}

async fn an_order_is_paid_and_the_time_of_another_is_over(mut server: Server) {
    let fake = FakeAlipay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let order = member.order(&member.cart_with_album().await).await;
    let payment = pay_order(&member, &order, "alipay").await;
    fake.pay(&way(&member, &payment).await);
    let note = fake.note(&payment);
    assert_eq!(send(&server, &note).await.0, 200);
    assert!(member.page(&format!("/manager/shopping/success?order={order}")).await.contains("支付宝"));
    assert_eq!(member.balance().await, "0.00");
    books_hold(&server, note["total_amount"].replace('.', "").parse().unwrap()).await;

    let begun = recharge(&member, "alipay", "5").await;
    fake.visit(&way(&member, &begun).await);
    let untouched = recharge(&member, "alipay", "6").await;
    for payment in [&begun, &untouched] {
        expire(&server, payment).await;
        eventually(&server, &format!("select state from payments where id = '{payment}'"), "closed").await;
    }
    assert_eq!(fake.closed(), [begun]);
}

async fn money_goes_back_through_the_gateway(mut server: Server) {
    let fake = FakeAlipay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "alipay", "100").await;
    fake.pay(&way(&member, &payment).await);
    send(&server, &fake.note(&payment)).await;
    // the command has no settings of its own here: the server's job asks the provider
    for _ in 0..2 {
        said(&server.run(&["recharge", "refund", &payment, "--amount", "30.00"]));
    }
    eventually(&server, "select state from payment_refunds", "done").await;
    assert_eq!(member.balance().await, "70.00");
    said(&server.run(&["recharge", "refund", &payment]));
    eventually(&server, "select cast(count(*) as text) from payment_refunds where state = 'done'", "2").await;
    assert_eq!(fake.refunds(), 2);
    assert_eq!(member.balance().await, "0.00");
    books_hold(&server, 0).await;
}
