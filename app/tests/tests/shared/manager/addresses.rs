//! /manager/userInfo/addresses, and the same form at the checkout.

use reqwest::StatusCode;
use serde_json::Value;

use support::{Caller, Server, location, on_both_engines};

on_both_engines!(
    addresses_are_added_changed_and_removed,
    there_is_one_default_as_long_as_there_is_an_address;
    on_sqlite:
    what_is_wrong_is_said_beside_its_field_and_comes_back,
    lists_follow_the_province_without_a_script,
    regions_are_listed_for_scripts,
    there_is_an_end_to_addresses,
    the_checkout_obeys_the_same_rules,
    somebody_elses_address_looks_like_none,
);

const LIST: &str = "/manager/userInfo/addresses";
const NEW: &str = "/manager/userInfo/addresses/new";

/// A good form, in which some fields say something else.
fn form<'a>(other: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("receiver", "林知夏"),
        ("phone", "13800138000"),
        ("province", "浙江省"),
        ("city", "杭州市"),
        ("district", "西湖区"),
        ("street", "龙井路 18 号"),
    ];
    fields.retain(|(name, _)| other.iter().all(|(changed, _)| changed != name));
    fields.extend(other);
    fields
}

async fn list(member: &Caller) -> Vec<Value> {
    let answer = member.get("/user-center/getUserAddressList").await;
    let body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    body["data"]["list"].as_array().unwrap().clone()
}

fn texts<'a>(list: &'a [Value], part: &str) -> Vec<&'a str> {
    list.iter().map(|address| address[part].as_str().unwrap()).collect()
}

async fn add(member: &Caller, other: &[(&str, &str)]) {
    let answer = member.post(NEW, &form(other)).await;
    assert_eq!(location(&answer), "/manager/userInfo/addresses?done=added");
}

async fn addresses_are_added_changed_and_removed(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    assert!(member.page(LIST).await.contains("还没有收货地址"));
    add(&member, &[("phone", "+86 138-0013 8000"), ("receiver", "<b>林</b>")]).await;
    let saved = list(&member).await;
    assert_eq!(saved[0]["phone"], "13800138000", "numbers are kept in one form");
    let page = member.page(LIST).await;
    assert!(
        page.contains("&lt;b&gt;林&lt;/b&gt;") && page.contains("浙江省 杭州市 西湖区 龙井路 18 号"),
        "{page}"
    );
    let own = format!("{LIST}/{}", saved[0]["ID"].as_str().unwrap());
    let page = member.page(&own).await;
    assert!(
        page.contains("<option value=\"杭州市\" selected")
            && page.contains("<option value=\"西湖区\" selected")
    );
    // a city that is its own province is named once
    let answer = member
        .post(
            &own,
            &form(&[
                ("province", "北京市"),
                ("city", "北京市"),
                ("district", "东城区"),
                ("phone", "010 62345678-12"),
            ]),
        )
        .await;
    assert_eq!(location(&answer), "/manager/userInfo/addresses?done=changed");
    assert!(member.page(LIST).await.contains("北京市 东城区 龙井路 18 号"));
    assert_eq!(list(&member).await[0]["phone"], "010-62345678-12");
    let answer = member.post(&format!("{own}/removal"), &[]).await;
    assert_eq!(location(&answer), "/manager/userInfo/addresses?done=removed");
    assert!(list(&member).await.is_empty());
    assert_eq!(member.get(&own).await.status(), StatusCode::NOT_FOUND);
}

async fn there_is_one_default_as_long_as_there_is_an_address(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    for (receiver, default) in [("甲", ""), ("乙", ""), ("丙", "Y")] {
        add(&member, &[("receiver", receiver), ("is_default", default)]).await;
    }
    let id_of = |list: &[Value], receiver: &str| {
        list.iter().find(|address| address["receiver"] == receiver).unwrap()["ID"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let now = list(&member).await;
    assert_eq!(texts(&now, "receiver"), ["丙", "甲", "乙"], "the default, then the oldest");
    assert_eq!(texts(&now, "IsDefault"), ["Y", "N", "N"]);
    let answer = member.post(&format!("{LIST}/{}/default", id_of(&now, "乙")), &[]).await;
    assert_eq!(location(&answer), "/manager/userInfo/addresses?done=default");
    // changing the default without its box leaves it the default; the box on another one takes the mark over
    member.post(&format!("{LIST}/{}", id_of(&now, "乙")), &form(&[("receiver", "乙")])).await;
    assert_eq!(texts(&list(&member).await, "receiver"), ["乙", "甲", "丙"]);
    member
        .post(&format!("{LIST}/{}", id_of(&now, "丙")), &form(&[("receiver", "丙"), ("is_default", "Y")]))
        .await;
    let now = list(&member).await;
    assert_eq!(texts(&now, "IsDefault"), ["Y", "N", "N"]);
    assert_eq!(texts(&now, "receiver"), ["丙", "甲", "乙"]);
    // without the default, the oldest is
    member.post(&format!("{LIST}/{}/removal", id_of(&now, "丙")), &[]).await;
    let now = list(&member).await;
    assert_eq!(texts(&now, "receiver"), ["甲", "乙"]);
    assert_eq!(texts(&now, "IsDefault"), ["Y", "N"]);
}

async fn what_is_wrong_is_said_beside_its_field_and_comes_back(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let long = "名".repeat(41);
    let street = "路".repeat(121);
    for (field, typed, reason) in [
        ("receiver", "", "请输入收货人"),
        ("receiver", long.as_str(), "收货人最多 40 个字"),
        ("phone", "", "请输入联系电话"),
        ("phone", "12345", "请输入正确的手机号码"),
        ("phone", "23800138000", "请输入正确的手机号码"),
        ("street", "", "请输入详细地址"),
        ("street", street.as_str(), "详细地址最多 120 个字"),
        ("province", "", "请选择省份"),
        ("province", "火星省", "请选择省份"),
        ("city", "苏州市", "请选择城市"),
        ("district", "", "请选择杭州市的区县"),
        ("district", "姑苏区", "请选择杭州市的区县"),
        ("district", "宁波市/海曙区", "请选择杭州市的区县"),
    ] {
        let answer = member.post(NEW, &form(&[(field, typed)])).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field} {typed}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(reason), "{field} {typed}: {reason}");
        for (name, _) in form(&[]) {
            let complained = page.contains(&format!("id=\"{name}-error\" class=\"error\""));
            assert_eq!(complained, name == field, "{field} {typed}: {name}");
        }
        for (name, value) in
            form(&[(field, typed)]).iter().filter(|(name, _)| ["receiver", "phone", "street"].contains(name))
        {
            assert!(page.contains(&format!("value=\"{value}\"")), "{name} comes back");
        }
    }
    let answer = member.post(NEW, &form(&[("receiver", "林\u{0}")])).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert!(list(&member).await.is_empty());
}

async fn lists_follow_the_province_without_a_script(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let look = |other: &[(&str, &str)]| {
        let fields: Vec<(String, String)> = form(other)
            .into_iter()
            .chain([("look", "regions")])
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let member = member.clone();
        async move {
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
            let answer = member.post(NEW, &fields).await;
            assert_eq!(answer.status(), StatusCode::OK, "to look is not to be refused");
            answer.text().await.unwrap()
        }
    };
    let page = look(&[("province", "江苏省"), ("city", ""), ("district", ""), ("street", "平江路")]).await;
    assert!(page.contains("<option value=\"苏州市/姑苏区\">姑苏区"), "{page}");
    assert!(page.contains("value=\"平江路\"") && !page.contains("class=\"error\""), "nothing typed is lost");
    assert_eq!(list(&member).await.len(), 0, "nothing is saved");
    let page = look(&[("province", "湖北省"), ("city", "仙桃市"), ("district", "")]).await;
    assert_eq!(page.matches("<option value=\"仙桃市\" selected").count(), 2, "what has one choice is chosen");
    // one choice is enough where every district is offered
    add(&member, &[("province", "江苏省"), ("city", ""), ("district", "苏州市/姑苏区")]).await;
    assert_eq!(texts(&list(&member).await, "city"), ["苏州市"]);
}

async fn regions_are_listed_for_scripts(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let answer = member.get("/user-center/getRegions?province=%E6%B5%99%E6%B1%9F%E7%9C%81").await;
    let body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert_eq!(body["data"]["list"][0]["name"], "杭州市");
    assert!(body["data"]["list"][0]["districts"].as_array().unwrap().iter().any(|name| name == "西湖区"));
    let answer = member.get("/user-center/getRegions?province=x").await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let answer = server.visitor().get("/user-center/getRegions").await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
}

async fn there_is_an_end_to_addresses(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let adding: Vec<_> = (0..54)
        .map(|_| {
            let member = member.clone();
            tokio::spawn(async move { member.post(NEW, &form(&[])).await.status() })
        })
        .collect();
    let mut refused = 0;
    for task in adding {
        match task.await.unwrap() {
            StatusCode::SEE_OTHER => {}
            StatusCode::UNPROCESSABLE_ENTITY => refused += 1,
            other => panic!("{other}"),
        }
    }
    let saved = list(&member).await;
    assert_eq!((saved.len(), refused), (50, 4));
    assert_eq!(texts(&saved, "IsDefault").iter().filter(|mark| **mark == "Y").count(), 1, "sent at once");
    let page = member.page(LIST).await;
    assert!(!page.contains(&format!("href=\"{NEW}\"")), "nothing to add any more");
}

async fn the_checkout_obeys_the_same_rules(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let page = format!("/manager/shopping/order/{line}");
    let answer = member.post(&page, &form(&[("address", "new"), ("district", "姑苏区")])).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("请选择杭州市的区县"));
    let fields = form(&[("address", "x"), ("city", ""), ("district", ""), ("look", "regions")]);
    let answer = member.post(&page, &fields).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let shown = answer.text().await.unwrap();
    assert!(shown.contains("optgroup") && shown.contains("value=\"龙井路 18 号\""));
    assert!(shown.contains("class=\"new-address\""), "the form is in sight");
    assert!(list(&member).await.is_empty());
    let answer = member.post(&page, &form(&[("address", "new")])).await;
    assert!(location(&answer).starts_with(&format!("{page}?address=")));
    assert_eq!(list(&member).await.len(), 1);
}

async fn somebody_elses_address_looks_like_none(server: Server) {
    let owner = server.member("buyer@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    add(&owner, &[]).await;
    let before = list(&owner).await;
    let id = before[0]["ID"].as_str().unwrap();
    let (mut theirs, mut none) = (Vec::new(), Vec::new());
    for (id, answers) in [(id, &mut theirs), ("00000000000000000000000000", &mut none)] {
        let own = format!("{LIST}/{id}");
        answers.push(other.get(&own).await.status());
        answers.push(other.post(&own, &form(&[("receiver", "不是我")])).await.status());
        answers.push(other.post(&own, &[("receiver", "")]).await.status());
        answers.push(other.post(&format!("{own}/default"), &[]).await.status());
        answers.push(other.post(&format!("{own}/removal"), &[]).await.status());
    }
    assert_eq!(theirs, [StatusCode::NOT_FOUND; 5]);
    assert_eq!(theirs, none);
    assert_eq!(list(&owner).await, before);
}
