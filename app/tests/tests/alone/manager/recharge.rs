//! /manager/recharge and /manager/payment: beginning a payment, following it, bank transfers, and money that goes back.

use reqwest::StatusCode;

use support::fakes::wechatpay::{FakeWechatpay, Mood};
use support::payments::{
    books_hold, failed, frozen, page, pay_order, question, recharge, recharge_key, said, state,
};
use support::staff::Clerk;
use support::wait::{carried_out, eventually, until};
use support::{Server, between, location, on_both_engines};

on_both_engines!(
    one_form_begins_one_payment,
    a_provider_that_does_not_answer_takes_nothing,
    a_bank_transfer_is_confirmed_once,
    money_goes_back_to_where_it_came_from,
    money_that_cannot_go_back_returns,
    a_bank_transfer_goes_back_by_hand;
    on_sqlite:
    somebody_elses_payment_looks_like_none,
    a_page_that_waits_is_told,
    what_is_wrong_is_said_beside_the_field,
    a_login_by_phone_asks_for_the_password_before_the_balance_is_spent,
    what_is_asked_counts_only_when_it_is_signed,
);

/// The shop has an account, to which members can transfer.
pub async fn with_bank(server: &mut Server) {
    server.set("BINDERY_BANK_HOLDER", "书坊印刷有限公司");
    server.set("BINDERY_BANK_NAME", "工商银行杭州分行");
    server.set("BINDERY_BANK_ACCOUNT", "6222020000000000001");
    server.kill();
    server.restart();
}

async fn what_is_wrong_is_said_beside_the_field(mut server: Server) {
    FakeWechatpay::started(&mut server).await;
    with_bank(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    for (method, amount, told) in [
        ("wechat", "", "请输入金额"),
        ("wechat", "一百", "金额须是数字"),
        ("wechat", "0.99", "单笔至少 ¥1.00"),
        ("wechat", "-5", "单笔至少 ¥1.00"),
        ("wechat", "50000.01", "微信支付单笔最多 ¥50,000.00"),
        ("transfer", "1000000.01", "对公转账单笔最多 ¥1,000,000.00"),
        ("", "10", "请选择付款方式"),
        ("balance", "10", "请选择付款方式"),
        // there, but not configured here
        ("alipay", "10", "这种付款方式现在不可用"),
    ] {
        let key = recharge_key(&member).await;
        let fields = [("request_key", key.as_str()), ("method", method), ("amount", amount)];
        let answer = member.post("/manager/recharge", &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{method} {amount}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told), "{method} {amount}: no {told}");
        assert!(page.contains(&format!("value=\"{amount}\"")), "what was typed comes back");
    }
    let answer = member.post("/manager/recharge", &[("method", "wechat"), ("amount", "10")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "nothing tells two presses apart");
    let page = answer.text().await.unwrap();
    assert!(page.contains("表单不完整") && page.contains("value=\"10\""), "{page}");
    assert!(!page.contains("name=\"request_key\" value=\"\""), "the form has a new one: {page}");
    assert!(member.page("/manager/recharge").await.contains("还没有付款记录"));
    // a preset counts where nothing was typed
    let key = recharge_key(&member).await;
    let fields =
        [("request_key", key.as_str()), ("method", "transfer"), ("preset", "200.00"), ("amount", " ")];
    let place = location(&member.post("/manager/recharge", &fields).await);
    assert!(member.page(&place).await.contains("<small>¥</small>200.00<"));
}

async fn one_form_begins_one_payment(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let key = recharge_key(&member).await;
    let fields = [("request_key", key.as_str()), ("method", "wechat"), ("amount", "10")];
    let presses = futures::future::join_all((0..8).map(|_| member.post("/manager/recharge", &fields))).await;
    let mut places: Vec<String> = presses.iter().map(location).collect();
    places.dedup();
    assert_eq!(places.len(), 1, "{places:?}");
    let list = member.page("/manager/recharge").await;
    assert_eq!(list.matches("href=\"/manager/payment/").count(), 1);
    // the back button brings the same form with another amount
    let changed = [("request_key", key.as_str()), ("method", "wechat"), ("amount", "20")];
    let answer = member.post("/manager/recharge", &changed).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("请核对后再提交一次"));
    let fresh = between(&page, "name=\"request_key\" value=\"", "\"");
    let again = [("request_key", fresh.as_str()), ("method", "wechat"), ("amount", "20")];
    assert_ne!(location(&member.post("/manager/recharge", &again).await), places[0]);
    // somebody else's form with the same key is its own
    let other = server.member("other@example.com", "0").await;
    assert_ne!(location(&other.post("/manager/recharge", &fields).await), places[0]);
    // nobody leaves a thousand unpaid orders with the provider
    for _ in 0..18 {
        recharge(&member, "wechat", "1").await;
    }
    let before = fake.orders();
    let key = recharge_key(&member).await;
    let answer = member
        .post("/manager/recharge", &[("request_key", &key), ("method", "wechat"), ("amount", "1")])
        .await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("20 笔付款还没有完成"));
    assert_eq!(fake.orders(), before);
}

async fn a_provider_that_does_not_answer_takes_nothing(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let order = member.order(&member.cart_with_album().await).await;
    for mood in [
        Mood::Status(500),
        Mood::Unsigned,
        Mood::OtherKey,
        Mood::Altered,
        Mood::Old,
        Mood::OtherSerial,
        Mood::Redirect,
        Mood::Huge,
    ] {
        fake.set_mood(mood);
        let key = recharge_key(&member).await;
        let fields = [("request_key", key.as_str()), ("method", "wechat"), ("amount", "10")];
        let answer = member.post("/manager/recharge", &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{mood:?}");
        assert!(answer.text().await.unwrap().contains("微信支付现在没有回应"), "{mood:?}");
    }
    assert_eq!(fake.led_astray(), 0);
    let fields = [("request_key", "a-key"), ("method", "wechat"), ("order", order.as_str())];
    let answer = member.post("/manager/shopping/pay", &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("微信支付现在没有回应"));
    fake.set_mood(Mood::Good);
    // once more when it answers, with a fresh form and with the same one
    let fresh = page(&pay_order(&member, &order, "wechat").await);
    let same = location(&member.post("/manager/shopping/pay", &fields).await);
    for place in [fresh, same] {
        assert!(member.page(&place).await.contains("微信支付二维码"));
    }
    books_hold(&server, 0).await;
}

async fn what_is_asked_counts_only_when_it_is_signed(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "wechat", "10").await;
    for mood in
        [Mood::Altered, Mood::OtherKey, Mood::Unsigned, Mood::Old, Mood::OtherSerial, Mood::Status(404)]
    {
        fake.set_mood(mood);
        assert_eq!(question(&member, &payment).await, format!("{}?silent=1", page(&payment)), "{mood:?}");
    }
    assert!(member.page(&format!("{}?silent=1", page(&payment))).await.contains("现在没有回应"));
    fake.set_mood(Mood::Good);
    assert_eq!(question(&member, &payment).await, format!("{}?asked=1", page(&payment)));
    books_hold(&server, 0).await;
    fake.pay(&payment);
    question(&member, &payment).await;
    assert_eq!(member.balance().await, "10.00");
    books_hold(&server, 1_000).await;
}

async fn somebody_elses_payment_looks_like_none(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let payment = recharge(&member, "wechat", "10").await;
    let order = member.order(&member.cart_with_album().await).await;
    fake.pay(&payment);
    for path in [page(&payment), format!("{}/state", page(&payment)), page("nowhere")] {
        assert_eq!(other.get(&path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let answer = other.post(&format!("{}/question", page(&payment)), &[]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let fields = [("request_key", "a-key"), ("method", "wechat"), ("order", order.as_str())];
    assert_eq!(other.post("/manager/shopping/pay", &fields).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(state(&member, &payment).await, "pending", "nobody else's question settles it");
}

async fn a_page_that_waits_is_told(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "wechat", "10").await;
    let address = format!("{}/state", page(&payment));
    let stream = member.get_with(&address, &[("accept", "text/event-stream")]).await;
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    fake.pay(&payment);
    assert_eq!(fake.note(&payment).send(&server).await, 204);
    let told = tokio::time::timeout(std::time::Duration::from_secs(10), stream.text()).await;
    assert_eq!(told.expect("in time").unwrap(), "event: state\ndata: paid\n\n");
    let over = recharge(&member, "wechat", "10").await;
    server.sql(&format!("update payments set expires_at = 1 where id = '{over}'")).await;
    assert_eq!(state(&member, &over).await, "expired");
    assert!(member.page(&page(&over)).await.contains("付款已过期"));
}

async fn a_bank_transfer_is_confirmed_once(mut server: Server) {
    with_bank(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "transfer", "100").await;
    let shown = member.page(&page(&payment)).await;
    assert!(shown.contains("6222020000000000001") && shown.contains("书坊印刷有限公司"));
    let reference = between(&shown, "class=\"reference num\">", "<");
    assert_eq!(reference.len(), 8);
    let listed = said(&server.run(&["recharge", "list", "--state", "pending"]));
    assert!(listed.contains(&reference) && listed.contains("payer@example.com"), "{listed}");

    let confirm = |amount: &'static str, number: &'static str| {
        let reference = reference.clone();
        let mut arguments = vec!["recharge", "confirm", &reference, "--amount", amount];
        if !number.is_empty() {
            arguments.extend(["--number", number]);
        }
        server.run(&arguments)
    };
    assert!(failed(&confirm("99.99", "")).contains("told to pay 100.00"));
    assert!(
        failed(&server.run(&["recharge", "confirm", "ZZZZZZZZ", "--amount", "100"])).contains("no payment")
    );
    books_hold(&server, 0).await;
    // as people write it on a transfer
    let written = format!(" {}-{} ", reference[..4].to_lowercase(), &reference[4..]);
    let first = server.run(&["recharge", "confirm", &written, "--amount", "100", "--number", "B-1"]);
    assert!(said(&first).contains("is credited"));
    assert!(said(&confirm("100.00", "B-1")).contains("confirmed before"));
    assert!(said(&confirm("100.00", "")).contains("confirmed before"));
    assert!(failed(&confirm("99.00", "B-1")).contains("told to pay 100.00"));
    assert!(failed(&confirm("100.00", "B-2")).contains("another bank number"));
    assert_eq!(member.balance().await, "100.00");
    books_hold(&server, 10_000).await;

    // one booking is not two payments; and an order is paid by a transfer, too
    let order = member.order(&member.cart_with_album().await).await;
    let second = pay_order(&member, &order, "transfer").await;
    let reference = between(&member.page(&page(&second)).await, "class=\"reference num\">", "<");
    let total =
        server.read(&format!("select cast(amount as text) from payments where id = '{second}'")).await;
    let total: i64 = total.parse().unwrap();
    let yuan = format!("{}.{:02}", total / 100, total % 100);
    let arguments = ["recharge", "confirm", &reference, "--amount", &yuan, "--number"];
    let with = |number: &'static str| server.run(&[&arguments[..], &[number]].concat());
    assert!(failed(&with("B-1")).contains("another payment was confirmed"));
    said(&with("B-3"));
    assert!(member.page(&format!("/manager/shopping/success?order={order}")).await.contains("对公转账"));
    assert_eq!(member.balance().await, "100.00");
    books_hold(&server, 10_000 + total).await;
    let noted = "select cast(count(*) as text) from audit_log where action = 'recharge confirm'";
    assert_eq!(server.read(noted).await, "2", "each one once");
}

async fn money_goes_back_to_where_it_came_from(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "wechat", "100").await;
    assert!(failed(&server.run(&["recharge", "refund", &payment])).contains("not paid"));
    fake.pay(&payment);
    fake.note(&payment).send(&server).await;
    let refund = |more: &[&str]| server.run(&[&["recharge", "refund", &payment], more].concat());
    assert!(failed(&refund(&["--amount", "100.01"])).contains("no more than 100.00"));
    assert!(failed(&refund(&["--amount", "0"])).contains("no more than"));
    fake.set_refunds("PROCESSING");
    said(&refund(&["--amount", "30"]));
    assert!(said(&refund(&["--amount", "30"])).contains("asked for before"));
    assert!(failed(&refund(&["--amount", "31", "--key", "30.00"])).contains("another --key"));
    assert_eq!(member.balance().await, "70.00", "set aside at once");
    assert_eq!(frozen(&server).await, 3_000);
    assert!(failed(&refund(&["--amount", "30", "--sent"])).contains("by itself"));
    until("the provider is asked", async || fake.refunds() == 1).await;
    fake.set_refunds("SUCCESS");
    carried_out(&server, &["send_back"]).await;
    assert_eq!(server.read("select state from payment_refunds").await, "done");
    assert_eq!((fake.refunds(), frozen(&server).await), (1, 0));
    assert!(member.page(&page(&payment)).await.contains("已退回"));
    books_hold(&server, 7_000).await;
    // a second one of the same amount has a name of its own; together never more than was paid
    said(&refund(&["--amount", "30", "--key", "complaint-7"]));
    assert!(failed(&refund(&["--amount", "40.01"])).contains("no more than 40.00"));
    eventually(&server, "select cast(count(*) as text) from payment_refunds where state = 'done'", "2").await;
    // what was spent can't go back
    server.sql("update ledger_accounts set balance = 1000 where id like 'member:%'").await;
    assert!(failed(&refund(&[])).contains("balance is 10.00"));
    server.sql("update ledger_accounts set balance = 4000 where id like 'member:%'").await;
    books_hold(&server, 4_000).await;
}

async fn money_that_cannot_go_back_returns(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "wechat", "100").await;
    fake.pay(&payment);
    fake.note(&payment).send(&server).await;
    fake.set_refunds("CLOSED");
    said(&server.run(&["recharge", "refund", &payment, "--amount", "30"]));
    eventually(&server, "select state from payment_refunds", "failed").await;
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("100.00", 0));
    books_hold(&server, 10_000).await;
    // an account that takes nothing needs a person: the money stays aside, the job stays to be seen
    fake.set_refunds("ABNORMAL");
    said(&server.run(&["recharge", "refund", &payment, "--key", "again"]));
    eventually(&server, "select cast(count(*) as text) from jobs where last_error like '%ABNORMAL%'", "1")
        .await;
    assert_eq!(frozen(&server).await, 10_000);
    books_hold(&server, 10_000).await;
    // whoever looks after it reads why, and has the provider asked at once: by the job that there is, also when it was given up
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let own = format!("/staff/payments/{payment}");
    let read = chen.page(&own).await;
    assert!(read.contains("ABNORMAL") && read.contains("商户后台"), "{read}");
    let tries = "select cast(sum(troubles) as text) from payment_refunds where state = 'pending'";
    let before: i64 = server.read(tries).await.parse().unwrap();
    server.sql("update jobs set attempts = 100, run_at = 4000000000000 where kind = 'send_back'").await;
    let again = format!("{own}/refund_again");
    assert_eq!(chen.post(&again, &[("key", "again")]).await.status(), StatusCode::SEE_OTHER);
    until("it is asked again", async || server.read(tries).await.parse::<i64>().unwrap() > before).await;
    assert_eq!(server.read("select cast(count(*) as text) from jobs where kind = 'send_back'").await, "1");
    assert_eq!(chen.post(&again, &[]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(chen.post(&again, &[("key", "none")]).await.status(), StatusCode::NOT_FOUND);
    let withdraw = ["recharge", "refund", &payment, "--key", "again", "--withdraw"];
    assert!(
        failed(&server.run(&withdraw)).contains("not configured"),
        "nobody guesses what the provider has"
    );
    assert!(failed(&server.run_configured(&withdraw).await).contains("ABNORMAL"));
    fake.set_refunds("SUCCESS");
    // the job may have been told meanwhile, too
    let told = failed(&server.run_configured(&withdraw).await);
    assert!(told.contains("it was sent") || told.contains("已退回"), "{told}");
    server.sql("update jobs set run_at = 1, leased_until = 0").await;
    eventually(&server, "select cast(count(*) as text) from payment_refunds where state = 'done'", "1").await;
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("0.00", 0));
    books_hold(&server, 0).await;
    // one that the provider never heard of comes back
    let payment = recharge(&member, "wechat", "50").await;
    fake.pay(&payment);
    fake.note(&payment).send(&server).await;
    fake.set_mood(Mood::Status(500));
    said(&server.run(&["recharge", "refund", &payment]));
    fake.set_mood(Mood::Good);
    server.sql("update jobs set run_at = 4000000000000").await;
    said(&server.run_configured(&["recharge", "refund", &payment, "--withdraw"]).await);
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("50.00", 0));
    // the job that comes afterwards finds nothing to do
    server.sql("update jobs set run_at = 1, leased_until = 0").await;
    eventually(&server, "select cast(count(*) as text) from jobs where kind = 'send_back'", "0").await;
    books_hold(&server, 5_000).await;
}

async fn a_bank_transfer_goes_back_by_hand(mut server: Server) {
    with_bank(&mut server).await;
    let member = server.member("payer@example.com", "0").await;
    let payment = recharge(&member, "transfer", "100").await;
    let reference = between(&member.page(&page(&payment)).await, "class=\"reference num\">", "<");
    said(&server.run(&["recharge", "confirm", &reference, "--amount", "100"]));
    let refund =
        |more: &[&str]| server.run(&[&["recharge", "refund", &payment, "--amount", "40"], more].concat());
    assert!(failed(&refund(&["--sent"])).contains("no such refund"));
    assert!(said(&refund(&[])).contains("--sent"));
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("60.00", 4_000));
    for _ in 0..2 {
        assert!(said(&refund(&["--sent"])).contains("was sent back"));
    }
    assert!(failed(&refund(&["--withdraw"])).contains("已退回"));
    books_hold(&server, 6_000).await;
    said(&refund(&["--key", "second"]));
    for _ in 0..2 {
        assert!(said(&refund(&["--key", "second", "--withdraw"])).contains("in the balance"));
    }
    assert_eq!((member.balance().await.as_str(), frozen(&server).await), ("60.00", 0));
    books_hold(&server, 6_000).await;
}

async fn a_login_by_phone_asks_for_the_password_before_the_balance_is_spent(server: Server) {
    let member = server.member("payer@example.com", "500").await;
    let order = member.order(&member.cart_with_album().await).await;
    let pay_page = format!("/manager/shopping/pay?order={order}");
    assert!(!member.page(&pay_page).await.contains("name=\"current\""));
    server.sql("update logins set began_by = 'qr'").await;
    assert!(member.page(&pay_page).await.contains("name=\"current\""));
    for (password, told) in [("", "请输入当前密码"), ("not the password", "当前密码不正确")] {
        let fields = [("order", order.as_str()), ("current", password)];
        let answer = member.post("/manager/shopping/pay", &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text().await.unwrap().contains(told));
    }
    assert_eq!(member.balance().await, "500.00");
    let fields = [("order", order.as_str()), ("current", support::PASSWORD)];
    assert!(location(&member.post("/manager/shopping/pay", &fields).await).contains("success"));
    assert_ne!(member.balance().await, "500.00");
}
