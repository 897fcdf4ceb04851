//! What tests of payments share: beginning one, and holding the books against what must be true of them.

use reqwest::StatusCode;

use crate::{Caller, Server, between, location};

/// Begins a recharge; answers the payment's number.
pub async fn recharge(member: &Caller, method: &str, amount: &str) -> String {
    let key = recharge_key(member).await;
    let fields = [("request_key", key.as_str()), ("method", method), ("amount", amount)];
    payment_of(&location(&member.post("/manager/recharge", &fields).await))
}

/// The key of a freshly rendered form.
pub async fn recharge_key(member: &Caller) -> String {
    between(&member.page("/manager/recharge").await, "name=\"request_key\" value=\"", "\"")
}

/// Begins to pay an order from outside; answers the payment's number.
pub async fn pay_order(member: &Caller, order: &str, method: &str) -> String {
    let page = member.page(&format!("/manager/shopping/pay?order={order}")).await;
    let key = between(&page, "name=\"request_key\" value=\"", "\"");
    let fields = [("request_key", key.as_str()), ("method", method), ("order", order), ("amount", "0.01")];
    payment_of(&location(&member.post("/manager/shopping/pay", &fields).await))
}

fn payment_of(place: &str) -> String {
    place.strip_prefix("/manager/payment/").unwrap_or_else(|| panic!("went to {place}")).to_owned()
}

pub fn page(payment: &str) -> String {
    format!("/manager/payment/{payment}")
}

/// What scripts are told of a payment.
pub async fn state(member: &Caller, payment: &str) -> String {
    let answer = member.get(&format!("/manager/payment/{payment}/state")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    between(&answer.text().await.unwrap(), "\"state\":\"", "\"")
}

/// Presses the button that asks.
pub async fn question(member: &Caller, payment: &str) -> String {
    location(&member.post(&format!("/manager/payment/{payment}/question"), &[]).await)
}

/// The program's own check finds nothing, and what came in from outside is this, in 分.
pub async fn books_hold(server: &Server, came_in: i64) {
    assert!(said(&server.run(&["ledger", "check"])).contains("The books hold"));
    let number = |query: &'static str| async move { server.read(query).await };
    let clearing =
        "select cast(coalesce((select balance from ledger_accounts where id = 'clearing'), 0) as text)";
    assert_eq!(number(clearing).await, (-came_in).to_string(), "what came in from outside");
    let paid = "select cast(coalesce(sum(amount), 0) as text) from payments where state = 'paid'";
    let back = "select cast(coalesce(sum(amount), 0) as text) from payment_refunds where state = 'done'";
    let (paid, back) = (number(paid).await, number(back).await);
    assert_eq!(paid.parse::<i64>().unwrap() - back.parse::<i64>().unwrap(), came_in);
}

/// An order that waits for its payment. What is printed does not matter.
pub async fn unpaid_order(server: &Server, account: &str, order: &str, total: i64) {
    let address = r#"{"id":"a","receiver":"林知夏","phone":"13800138000","province":"浙江省","city":"杭州市","district":"西湖区","street":"龙井路 18 号","is_default":true}"#;
    server
        .sql(&format!(
            "insert into orders
                (id, member_id, request_key, state, goods_total, shipping, total, address, created_at, state_since)
             select '{order}', id, '{order}', 'unpaid', {total} - 200, 200, {total}, '{address}', 1, 1
             from members where account = '{account}'"
        ))
        .await;
}

/// What waits, in 分: frozen money of all members.
pub async fn frozen(server: &Server) -> i64 {
    let frozen =
        "select cast(coalesce(sum(balance), 0) as text) from ledger_accounts where id like 'frozen:%'";
    server.read(frozen).await.parse().unwrap()
}

/// A payment's time is over, and its job runs now.
pub async fn expire(server: &Server, payment: &str) {
    server.sql(&format!("update payments set expires_at = 1 where id = '{payment}'")).await;
    server.sql("update jobs set run_at = 1").await;
}

/// What a command printed, when it succeeded.
pub fn said(output: &std::process::Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Why a command failed.
pub fn failed(output: &std::process::Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr.clone()).unwrap()
}
