//! Works whose readers order printed copies.

use reqwest::StatusCode;

use crate::{Caller, Server, between, jpeg, location};

pub async fn shared(server: &Server, changes: &[(&str, &str)]) -> (Caller, String) {
    let maker = server.member_of("maker@example.com", "0", "超级会员").await;
    let photos = maker.upload((0..6).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    assert_eq!(maker.share_as(&work, changes).await.status(), StatusCode::SEE_OTHER);
    (maker, work)
}

/// The fields that choose copies at a work's desk, as they are chosen beforehand.
pub async fn chosen(reader: &Caller, desk: &str, copies: &str) -> Vec<(String, String)> {
    let options = reader.page(&format!("{desk}?goods=album-210")).await;
    assert!(options.contains("作者加价"), "{options}");
    let radios = options
        .split("<input type=\"radio\"")
        .skip(1)
        .filter(|radio| radio.split('>').next().is_some_and(|input| input.contains(" checked")))
        .map(|radio| (between(radio, "name=\"", "\""), between(radio, "value=\"", "\"")));
    let own = [("what", "print"), ("goods", "album-210"), ("quantity", copies), ("remark", "送老师")];
    own.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().chain(radios).collect()
}

/// The fields that place an order of copies, whose page is given.
pub async fn order_form(reader: &Caller, page: &str) -> (String, Vec<(String, String)>) {
    let new = [
        ("address", "new"),
        ("receiver", "读者甲"),
        ("phone", "13800138000"),
        ("province", "浙江省"),
        ("city", "杭州市"),
        ("district", "西湖区"),
        ("street", "龙井路 18 号"),
    ];
    let there = location(&reader.post(page, &new).await);
    let shown = reader.page(&there).await;
    let fields = vec![
        ("request_key".into(), between(&shown, "name=\"request_key\" value=\"", "\"")),
        ("address".into(), there.rsplit('=').next().unwrap().to_owned()),
        ("total".into(), between(&shown, "name=\"total\" value=\"", "\"")),
    ];
    (shown, fields)
}
