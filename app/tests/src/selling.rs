//! Packages, codes and sales.

use reqwest::StatusCode;
use serde_json::Value;

use crate::{Caller, Server, between, jpeg, location};

/// A 超级会员, signed in, with two works.
pub async fn seller(server: &Server, account: &str) -> (Caller, Vec<String>) {
    let caller = server.member_of(account, "0", "超级会员").await;
    let photos = caller.upload((0..6).map(|n| ("照片.jpg", jpeg(320, 240, n))).collect()).await;
    let mut works = Vec::new();
    for title in ["海边的夏天", "=cmd|'/c calc'!A1"] {
        works.push(format!("work:{}", caller.album("square-210", title, &photos).await));
    }
    (caller, works)
}

/// Makes a package through its form, and answers its id.
pub async fn package(
    seller: &Caller,
    works: &[String],
    title: &str,
    price: &str,
    term: (&str, &str),
) -> String {
    let page = seller.page("/manager/epaper_sell/new").await;
    let id = between(&page, "name=\"package\" value=\"", "\"");
    let mut fields = vec![
        ("package", id.as_str()),
        ("title", title),
        ("description", "说明"),
        ("unit", term.0),
        ("count", term.1),
        ("price", price),
        ("trial_pages", "3"),
    ];
    fields.extend(works.iter().map(|work| ("content", work.as_str())));
    // pressed twice it is made once
    for _ in 0..2 {
        let answer = seller.post("/manager/epaper_sell/new", &fields).await;
        assert_eq!(location(&answer), "/manager/epaper_sell?done=added");
    }
    id
}

/// Makes a batch through its form, and answers its id.
pub async fn batch(seller: &Caller, package: &str, more: &[(&str, &str)]) -> String {
    let page = seller.page("/manager/epaper_code/new").await;
    let id = between(&page, "name=\"batch\" value=\"", "\"");
    let mut fields = vec![("batch", id.as_str()), ("package", package), ("codes", "5"), ("note", "三年级")];
    fields.extend(more);
    for _ in 0..2 {
        let answer = seller.post("/manager/epaper_code/new", &fields).await;
        assert_eq!(location(&answer), format!("/manager/epaper_code/{id}?done=made"));
    }
    id
}

/// Takes a batch's file away, and answers its codes.
pub async fn codes(seller: &Caller, batch: &str) -> Vec<String> {
    let answer = seller.post(&format!("/manager/epaper_code/{batch}/codes.csv"), &[]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "text/csv; charset=utf-8");
    let text = String::from_utf8(answer.bytes().await.unwrap().to_vec()).unwrap();
    codes_of(&text)
}

pub fn codes_of(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').expect("a mark of UTF-8");
    let mut lines = text.split("\r\n");
    assert!(lines.next().unwrap().starts_with("code,"));
    lines.filter(|line| !line.is_empty()).map(|line| line.split(',').next().unwrap().to_owned()).collect()
}

pub async fn redeem(reader: &Caller, code: &str) -> (StatusCode, Value) {
    let answer = reader.post("/user-center/redeemCode", &[("code", code)]).await;
    (answer.status(), serde_json::from_str(&answer.text().await.unwrap()).unwrap())
}

/// Begins to buy a package, and answers the sale's id.
pub async fn order(reader: &Caller, package: &str) -> String {
    let place = location(&reader.post(&format!("/manager/package/{package}"), &[]).await);
    place.strip_prefix("/manager/purchase/").unwrap_or_else(|| panic!("went to {place}")).to_owned()
}

pub async fn buy(reader: &Caller, package: &str) -> String {
    let sale = order(reader, package).await;
    let page = format!("/manager/purchase/{sale}");
    assert_eq!(location(&reader.post(&page, &[("method", "balance")]).await), page);
    sale
}
