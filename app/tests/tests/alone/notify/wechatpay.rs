//! /notify/wechatpay: what WeChat Pay tells, and what somebody else says in its name.

use serde_json::{Value, json};

use support::fakes::keys::{seal, seconds};
use support::fakes::wechatpay::{API_KEY, APPID, FakeWechatpay, MCHID, Note};
use support::payments::{books_hold, expire, page, pay_order, question, recharge, state};
use support::wait::eventually;
use support::{Server, location, on_both_engines};

on_both_engines!(
    a_notification_credits_once_however_often_it_comes,
    sixteen_copies_questions_and_the_job_at_once_credit_once,
    a_notification_may_overtake_the_answer,
    money_that_comes_after_the_end_is_kept,
    an_order_is_paid_by_its_notification,
    an_order_that_was_paid_meanwhile_is_not_paid_twice,
    an_order_that_was_cancelled_leaves_the_money_in_the_balance,
    two_payments_of_one_order_pay_it_once;
    on_sqlite:
    what_is_not_provably_wechats_moves_nothing,
    where_nothing_is_configured_nobody_listens,
    money_that_nobody_asked_for_moves_nothing,
);

async fn a_notification_credits_once_however_often_it_comes(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "wechat", "88.50").await;
    let waiting = member.page(&page(&payment)).await;
    assert!(waiting.contains("微信支付二维码") && waiting.contains("<small>¥</small>88.50<"));
    assert_eq!(state(&member, &payment).await, "pending");
    fake.pay(&payment);
    let note = fake.note(&payment);
    for _ in 0..3 {
        assert_eq!(note.send(&server).await, 204);
    }
    // the same money told of anew, under another nonce
    assert_eq!(fake.note(&payment).send(&server).await, 204);
    assert_eq!(member.balance().await, "88.50");
    assert_eq!(state(&member, &payment).await, "paid");
    let paid = member.page(&page(&payment)).await;
    assert!(paid.contains("已收到付款") && paid.contains("已存入您的账户"));
    books_hold(&server, 8850).await;
}

async fn what_is_not_provably_wechats_moves_nothing(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "wechat", "100").await;
    fake.pay(&payment);
    let good = fake.note(&payment);
    let base = &server;
    let told = |note: Note| async move { note.send(base).await };
    let bent = |bend: fn(&mut Note)| {
        let mut note = good.clone();
        bend(&mut note);
        note
    };
    assert_eq!(
        told(bent(|note| note.body = note.body.replace("支付成功", "支付成攻"))).await,
        401,
        "altered"
    );
    assert_eq!(told(bent(|note| note.body.push(' '))).await, 401, "longer");
    assert_eq!(told(bent(|note| note.body.clear())).await, 401, "empty");
    assert_eq!(told(bent(|note| note.nonce = "0".repeat(32))).await, 401, "another nonce");
    assert_eq!(told(bent(|note| note.signature = "AAAA".into())).await, 401, "no signature");
    assert_eq!(told(bent(|note| note.signature.insert_str(0, "WECHATPAY/SIGNTEST/"))).await, 401, "a probe");
    assert_eq!(told(bent(|note| note.signature.clear())).await, 401, "unsigned");
    assert_eq!(told(bent(|note| note.serial = "5157F09EFDC096DE".into())).await, 401, "another serial");
    assert_eq!(told(bent(|note| note.timestamp = (seconds() - 10).to_string())).await, 401, "another time");
    assert_eq!(told(bent(|note| note.timestamp = "now".into())).await, 401, "no time");
    // a second may go by before it is read
    for off in [-301, 310, -86_400] {
        assert_eq!(told(Note::signed(&good.body, seconds() + off, "wechatpay")).await, 401, "{off} s off");
    }
    for key in ["merchant", "alipay"] {
        assert_eq!(told(Note::signed(&good.body, seconds(), key)).await, 401, "signed with {key}'s key");
    }
    // rightly signed, but what is inside is not sealed for us
    let resource = |change: &dyn Fn(&mut Value)| {
        let mut body: Value = serde_json::from_str(&good.body).unwrap();
        change(&mut body);
        Note::sealed(&body)
    };
    let other_key = seal(&API_KEY.to_lowercase(), "0123456789ab", "transaction", "{}");
    for (why, note) in [
        ("another key", resource(&|body| body["resource"]["ciphertext"] = json!(other_key))),
        ("another nonce", resource(&|body| body["resource"]["nonce"] = json!("ba9876543210"))),
        ("a long nonce", resource(&|body| body["resource"]["nonce"] = json!("0123456789abcdef"))),
        ("something else beside it", resource(&|body| body["resource"]["associated_data"] = json!("refund"))),
        ("another way", resource(&|body| body["resource"]["algorithm"] = json!("AES_256_CBC"))),
        ("nothing", resource(&|body| *body = json!({}))),
    ] {
        assert_eq!(told(note).await, 401, "{why}");
    }
    assert_eq!(state(&member, &payment).await, "pending");
    assert_eq!(member.balance().await, "0.00");
    books_hold(&server, 0).await;
    // within five minutes a clock may be wrong
    assert_eq!(told(Note::signed(&good.body, seconds() - 290, "wechatpay")).await, 204);
    books_hold(&server, 10_000).await;
}

async fn money_that_nobody_asked_for_moves_nothing(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    server.set("BINDERY_BANK_HOLDER", "书坊印刷有限公司");
    server.set("BINDERY_BANK_NAME", "工商银行杭州分行");
    server.set("BINDERY_BANK_ACCOUNT", "6222020000000000001");
    server.kill();
    server.restart();
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "wechat", "100").await;
    let other = recharge(&member, "wechat", "100").await;
    let transfer = recharge(&member, "transfer", "100").await;
    for number in [&payment, &other] {
        fake.pay(number);
    }
    let with = |pointer: &str, value: Value| {
        let mut transaction = fake.transaction(&payment);
        *transaction.pointer_mut(pointer).unwrap() = value;
        Note::of(&transaction)
    };
    for (why, status, note) in [
        ("a fen less", 400, with("/amount/total", json!(9_999))),
        ("a fen more", 400, with("/amount/total", json!(10_001))),
        ("less than nothing", 400, with("/amount/total", json!(-10_000))),
        ("another currency", 401, with("/amount/currency", json!("USD"))),
        ("another appid", 401, with("/appid", json!("wx-somebody-else"))),
        ("another mchid", 401, with("/mchid", json!("1900000002"))),
        ("no number", 401, with("/transaction_id", json!(""))),
        ("an unknown payment", 400, with("/out_trade_no", json!("01k0000000000000000000000b"))),
        ("a strange payment", 401, with("/out_trade_no", json!("../../x"))),
        ("a bank transfer's", 400, with("/out_trade_no", json!(transfer))),
        ("a state that needs a look", 401, with("/trade_state", json!("REFUND"))),
    ] {
        assert_eq!(note.send(&server).await, status, "{why}");
    }
    for (why, note) in [
        ("not paid", with("/trade_state", json!("NOTPAY"))),
        ("closed", with("/trade_state", json!("CLOSED"))),
        ("a refund", {
            let mut body: Value = serde_json::from_str(&fake.note(&payment).body).unwrap();
            body["event_type"] = json!("REFUND.SUCCESS");
            Note::sealed(&body)
        }),
    ] {
        assert_eq!(note.send(&server).await, 204, "{why} is heard, and moves nothing");
    }
    books_hold(&server, 0).await;
    assert_eq!(fake.note(&other).send(&server).await, 204);
    // one transaction is not two payments
    let number = fake.transaction(&other)["transaction_id"].clone();
    assert_eq!(with("/transaction_id", number).send(&server).await, 400);
    // and a payment is not paid by two transactions
    let mut again = fake.transaction(&other);
    again["transaction_id"] = json!("4200009999202611210000000001");
    assert_eq!(Note::of(&again).send(&server).await, 400);
    assert_eq!((APPID.len(), MCHID.len()), (18, 10));
    assert_eq!(member.balance().await, "100.00");
    books_hold(&server, 10_000).await;
}

async fn sixteen_copies_questions_and_the_job_at_once_credit_once(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    for round in 1..=3 {
        let payment = recharge(&member, "wechat", "10").await;
        fake.pay(&payment);
        let note = fake.note(&payment);
        server.sql("update jobs set run_at = 1").await;
        let copies = futures::future::join_all((0..16).map(|_| note.send(&server)));
        let questions = futures::future::join_all((0..8).map(|_| question(&member, &payment)));
        let (copies, questions) = tokio::join!(copies, questions);
        assert_eq!(copies, [204; 16]);
        assert!(questions.iter().all(|place| place.starts_with(&page(&payment))));
        assert_eq!(state(&member, &payment).await, "paid");
        books_hold(&server, round * 1_000).await;
    }
    assert_eq!(member.balance().await, "30.00");
    eventually(&server, "select cast(count(*) as text) from jobs", "0").await;
}

async fn a_notification_may_overtake_the_answer(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    fake.be_hasty(&server.base);
    let payment = recharge(&member, "wechat", "12.34").await;
    assert_eq!(state(&member, &payment).await, "paid");
    assert!(member.page(&page(&payment)).await.contains("已收到付款"));
    assert_eq!(member.balance().await, "12.34");
    books_hold(&server, 1_234).await;
}

async fn money_that_comes_after_the_end_is_kept(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "wechat", "20").await;
    let late = Note::of(&{
        fake.pay(&payment);
        fake.transaction(&payment)
    });
    // it never heard of it: nobody scanned
    let never = recharge(&member, "wechat", "30").await;
    expire(&server, &never).await;
    eventually(&server, &format!("select state from payments where id = '{never}'"), "closed").await;
    assert_eq!(fake.state(&never), "CLOSED", "closed there, too");
    let over = member.page(&page(&never)).await;
    assert!(over.contains("付款已过期") && over.contains("/manager/recharge?amount=30.00"));
    // closed first, then told of as paid: the order of notifications is nobody's promise
    server.sql(&format!("update payments set state = 'closed' where id = '{payment}'")).await;
    assert_eq!(late.send(&server).await, 204);
    assert_eq!(late.send(&server).await, 204);
    assert_eq!(member.balance().await, "20.00");
    // paid in the last moment: what can't be closed is found paid
    let last = recharge(&member, "wechat", "40").await;
    fake.pay(&last);
    expire(&server, &last).await;
    eventually(&server, &format!("select state from payments where id = '{last}'"), "paid").await;
    books_hold(&server, 6_000).await;
}

async fn an_order_is_paid_by_its_notification(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "3.00").await;
    let order = member.order(&member.cart_with_album().await).await;
    let payment = pay_order(&member, &order, "wechat").await;
    assert_eq!(pay_order(&member, &order, "wechat").await, payment, "the same one while it is good");
    let total = fake.transaction(&payment)["amount"]["total"].as_i64().unwrap();
    assert!(total > 100, "the amount is the order's, not the form's");
    fake.pay(&payment);
    for _ in 0..2 {
        assert_eq!(fake.note(&payment).send(&server).await, 204);
    }
    assert_eq!(member.balance().await, "3.00", "what was there before stays");
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("<strong>已付款</strong>"));
    let success = member.page(&format!("/manager/shopping/success?order={order}")).await;
    assert!(success.contains("微信支付"));
    assert!(member.page(&page(&payment)).await.contains("订单已付款"));
    books_hold(&server, total).await;
    // from the balance it can't be paid once more
    let again = location(&member.post("/manager/shopping/pay", &[("order", &order)]).await);
    assert!(again.contains("success"));
    assert_eq!(member.balance().await, "3.00");
}

async fn an_order_that_was_paid_meanwhile_is_not_paid_twice(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "500.00").await;
    let order = member.order(&member.cart_with_album().await).await;
    let payment = pay_order(&member, &order, "wechat").await;
    let total = fake.transaction(&payment)["amount"]["total"].as_i64().unwrap();
    fake.pay(&payment);
    let note = fake.note(&payment);
    // both at once: the order is paid by one of them, and the other money is the member's
    let pay = [("order", order.as_str())];
    let (_, status) = tokio::join!(member.post("/manager/shopping/pay", &pay), note.send(&server));
    assert_eq!(status, 204);
    assert_eq!(member.balance().await, "500.00");
    let payments =
        "select cast(count(*) as text) from ledger_transactions where posting_key like 'order-payment:%'";
    assert_eq!(server.read(payments).await, "1");
    books_hold(&server, total).await;
    let told = member.page(&page(&payment)).await;
    assert!(told.contains("已经付过款") || told.contains("订单已付款"));
    // and one after the other
    let order = member.order(&member.cart_with_album().await).await;
    let payment = pay_order(&member, &order, "wechat").await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    fake.pay(&payment);
    assert_eq!(fake.note(&payment).send(&server).await, 204);
    let told = member.page(&page(&payment)).await;
    assert!(told.contains("订单在这之前已经付过款") && told.contains("没有重复付款"));
    assert_eq!(member.balance().await, "500.00");
    assert!(member.page(&format!("/manager/shopping/success?order={order}")).await.contains("余额"));
    books_hold(&server, total * 2).await;
}

async fn an_order_that_was_cancelled_leaves_the_money_in_the_balance(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let order = member.order(&member.cart_with_album().await).await;
    let payment = pay_order(&member, &order, "wechat").await;
    let total = fake.transaction(&payment)["amount"]["total"].as_i64().unwrap();
    member.post(&format!("/manager/order/{order}/cancellation"), &[]).await;
    fake.pay(&payment);
    for _ in 0..2 {
        assert_eq!(fake.note(&payment).send(&server).await, 204);
    }
    assert!(member.page(&page(&payment)).await.contains("订单在这之前已经取消"));
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("已取消"));
    assert_eq!(member.balance().await.replace('.', "").parse::<i64>().unwrap(), total);
    books_hold(&server, total).await;
}

async fn two_payments_of_one_order_pay_it_once(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let order = member.order(&member.cart_with_album().await).await;
    let one = pay_order(&member, &order, "wechat").await;
    // the first one is nearly over, so that another begins
    server.sql(&format!("update payments set expires_at = created_at + 60000 where id = '{one}'")).await;
    let other = pay_order(&member, &order, "wechat").await;
    assert_ne!(one, other);
    let total = fake.transaction(&one)["amount"]["total"].as_i64().unwrap();
    fake.pay(&one);
    fake.pay(&other);
    let (first, second) = (fake.note(&one), fake.note(&other));
    let copies = (0..8).map(|at| if at % 2 == 0 { first.send(&server) } else { second.send(&server) });
    assert_eq!(futures::future::join_all(copies).await, [204; 8]);
    assert_eq!(member.balance().await.replace('.', "").parse::<i64>().unwrap(), total, "the second is kept");
    let paid = "select cast(sum(paid_order) as text) from payments";
    assert_eq!(server.read(paid).await, "1");
    books_hold(&server, total * 2).await;
}

async fn where_nothing_is_configured_nobody_listens(server: Server) {
    let note = Note::of(&json!({}));
    assert_eq!(note.send(&server).await, 404);
    let member = server.member("payer@example.com", "0").await;
    assert!(member.page("/manager/recharge").await.contains("还没有开通充值"));
}
