//! /user-center/… and the other calls about who somebody is, as they are on the wire.

use serde_json::{Value, json};

use support::calls::body;
use support::{Caller, Server, on_both_engines};

on_both_engines!(addresses_are_listed_and_one_is_the_default,);

async fn list(member: &Caller) -> Vec<Value> {
    let body = body(member.get("/user-center/getUserAddressList").await).await;
    assert_eq!(body["status"], 1);
    body["data"]["list"].as_array().unwrap().clone()
}

async fn addresses_are_listed_and_one_is_the_default(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let other = server.member("other@example.com", "500").await;
    assert!(list(&member).await.is_empty());
    let line = member.cart_with_album().await;
    member.order_form(&line).await;
    member.order_form(&line).await;
    assert_eq!(list(&member).await.len(), 1, "the same place is one address");
    server.sql("update addresses set street = '世纪大道 1 号'").await;
    member.order_form(&line).await;
    let before = list(&member).await;
    assert_eq!(before.len(), 2);
    assert_eq!(before[0]["receiver"], "林知夏");
    let defaults = |list: &[Value]| list.iter().filter(|address| address["IsDefault"] == "Y").count();
    assert_eq!(defaults(&before), 1);
    let second = before.iter().find(|address| address["IsDefault"] == "N").unwrap()["ID"].as_str().unwrap();
    let set = |id: String| {
        let member = member.clone();
        async move { body(member.post("/shopping/updateDefaultAddr", &[("addrID", &id)]).await).await }
    };
    assert_eq!(set(second.to_owned()).await, json!({ "result": 1 }));
    let after = list(&member).await;
    assert_eq!(defaults(&after), 1);
    assert_eq!(after[0]["ID"], second, "the default comes first");
    // another's looks like none
    let theirs = body(other.post("/shopping/updateDefaultAddr", &[("addrID", second)]).await).await;
    assert_eq!(theirs["result"], -1);
    assert_eq!(theirs, set("nix".into()).await);
    assert_eq!(list(&member).await, after);
    // what fails says so in its own words
    server.sql("alter table addresses rename to addresses_elsewhere").await;
    let failed = body(member.get("/user-center/getUserAddressList").await).await;
    assert_eq!(failed, serde_json::json!({ "status": 0, "data": { "msg": "获取收货地址失败" } }));
}
