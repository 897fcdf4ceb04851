//! /manager/myMember, /manager/invitation, /manager/desk: who works for a house, what for, and with whose money.

use reqwest::StatusCode;

use support::payments::said;
use support::sub_members::{MEMBERS, invite, sub_member};
use support::{Server, between, location, on_both_engines};

on_both_engines!(
    an_allowance_pays_orders_and_nothing_else;
    on_sqlite:
    an_invitation_names_the_configured_address_alone,
    accounts_with_places_are_closed,
);

async fn an_invitation_names_the_configured_address_alone(mut server: Server) {
    server.kill();
    server.set("BINDERY_PUBLIC_URL", "https://books.example");
    server.restart();
    let house = server.member_of("house@example.com", "0", "VIP").await;
    let path = invite(&house, "外婆", "viewer", "grandmother@example.com").await;
    let told = server.message_to("grandmother@example.com");
    assert!(told.contains(&format!("https://books.example{path}")), "{told}");
}

fn books_hold(server: &Server) {
    assert!(said(&server.run(&["ledger", "check"])).contains("The books hold"));
}

async fn an_allowance_pays_orders_and_nothing_else(server: Server) {
    let house = server.member_of("house@example.com", "500", "VIP").await;
    let (helper, place) = sub_member(&server, &house, "helper@example.com", "editor").await;
    let page = format!("{MEMBERS}/{place}");
    let key = between(&house.page(&page).await, "name=\"request_key\" value=\"", "\"");
    let give = |amount: &'static str, way: &'static str, key: String| {
        let (house, address) = (house.clone(), format!("{page}/allowance"));
        async move { house.post(&address, &[("request_key", &key), ("amount", amount), ("way", way)]).await }
    };
    for (amount, way, told) in [
        ("-5", "give", "单笔至少"),
        ("0", "give", "单笔至少"),
        ("500.01", "give", "账户余额不足"),
        ("1", "take", "额度里没有这么多"),
    ] {
        let answer = give(amount, way, "wrong".to_owned()).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{amount}");
        assert!(answer.text().await.unwrap().contains(told), "{amount}: no {told}");
    }
    for _ in 0..3 {
        assert_eq!(
            location(&give("300", "give", key.clone()).await),
            format!("{page}?done=moved"),
            "sent again, moved once"
        );
    }
    assert!(give("299", "give", key).await.text().await.unwrap().contains("这张表单已经用过"));
    assert_eq!(location(&give("50", "take", "back".to_owned()).await), format!("{page}?done=moved"));
    assert_eq!((house.balance().await.as_str(), helper.balance().await.as_str()), ("250.00", "0.00"));

    let line = helper.cart_with_album().await;
    let order = helper.order(&line).await;
    let till = helper.page(&format!("/manager/shopping/pay?order={order}")).await;
    assert!(till.contains("给的额度支付（有 ¥250.00）"), "{till}");
    let purse = between(&till, "value=\"purse:", "\"");
    let pay = [("order", order.as_str()), ("method", &*format!("purse:{purse}"))];
    // another's purse, and another's order
    let stranger = server.member("stranger@example.com", "0").await;
    assert_eq!(stranger.post("/manager/shopping/pay", &pay).await.status(), StatusCode::NOT_FOUND);
    let theirs = stranger.order(&stranger.cart_with_album().await).await;
    let answer = stranger.post("/manager/shopping/pay", &[("order", &theirs), pay[1]]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let presses = futures::future::join_all((0..4).map(|_| helper.post("/manager/shopping/pay", &pay))).await;
    assert!(
        presses.iter().all(|answer| location(answer) == format!("/manager/shopping/success?order={order}"))
    );
    let total = server.read(&format!("select cast(total as text) from orders where id = '{order}'")).await;
    let left = format!("select cast(balance as text) from ledger_accounts where id = 'allowance:{place}'");
    let spent = |total: &str| (25_000 - total.parse::<i64>().unwrap()).to_string();
    assert_eq!(server.read(&left).await, spent(&total));
    assert_eq!(helper.balance().await, "0.00", "it passes through, and never rests there");
    assert!(house.page(&page).await.contains(&format!("用额度支付订单 {order}")));
    books_hold(&server);

    // cancelled, the money is the allowance's again
    assert!(
        helper.post(&format!("/manager/order/{order}/cancellation"), &[]).await.status().is_redirection()
    );
    assert_eq!((server.read(&left).await.as_str(), helper.balance().await.as_str()), ("25000", "0.00"));
    books_hold(&server);

    // removed, what is left is the house's, and so is what is given back later
    let order = helper.order(&helper.cart_with_album().await).await;
    let pay = [("order", order.as_str()), pay[1]];
    assert!(helper.post("/manager/shopping/pay", &pay).await.status().is_redirection());
    house.post(&format!("{page}/removal"), &[]).await;
    let short = format!(
        "{}.{:02}",
        (50_000 - total.parse::<i64>().unwrap()) / 100,
        (50_000 - total.parse::<i64>().unwrap()) % 100
    );
    assert_eq!(house.balance().await, short);
    assert!(server.run(&["order", "refund", &order, "--reason", "测试"]).status.success());
    assert_eq!((house.balance().await.as_str(), helper.balance().await.as_str()), ("500.00", "0.00"));
    books_hold(&server);
}

async fn accounts_with_places_are_closed(server: Server) {
    let house = server.member_of("house@example.com", "100", "VIP").await;
    let (helper, place) = sub_member(&server, &house, "helper@example.com", "editor").await;
    let fields = [("request_key", "key"), ("amount", "100"), ("way", "give")];
    house.post(&format!("{MEMBERS}/{place}/allowance"), &fields).await;
    assert!(house.page("/manager/userInfo/closing").await.contains("给成员的额度里还有 ¥100.00"));
    // the sub-member closes its account: what it had to spend goes back
    let close = [("word", "注销"), ("current", support::PASSWORD)];
    assert!(location(&helper.post("/manager/userInfo/closing", &close).await).contains("closed"));
    assert_eq!(house.balance().await, "100.00");
    assert!(house.page(MEMBERS).await.contains("还没有成员"));
    books_hold(&server);
}
