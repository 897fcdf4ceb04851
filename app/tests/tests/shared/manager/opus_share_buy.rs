//! /manager/opus_share_buy: reading and printed copies of somebody else's work, and what its maker has of them.

use reqwest::StatusCode;

use support::printed_copies::shared;
use support::{Server, between, location, on_both_engines};

on_both_engines!(
    what_is_not_for_sale_is_said;
    on_sqlite:
    a_reader_chooses_what_a_craft_is_drawn_from,
);

async fn what_is_not_for_sale_is_said(server: Server) {
    let (maker, work) = shared(&server, &[]).await;
    let buyer = server.member("buyer@example.com", "50").await;
    let desk = format!("/manager/opus_share_buy/{work}");
    assert!(buyer.page(&desk).await.contains("免费阅读"));
    let print = [("what", "print"), ("goods", "album-210"), ("quantity", "1")];
    assert_eq!(buyer.post(&desk, &print).await.status(), StatusCode::CONFLICT);
    assert_eq!(buyer.get(&format!("{desk}/order?goods=album-210")).await.status(), StatusCode::CONFLICT);
    // its own maker buys nothing here
    maker.share_as(&work, &[("print", "1"), ("markup", "0")]).await;
    assert!(maker.page(&desk).await.contains("这是您自己的作品"));
    assert_eq!(maker.post(&desk, &print).await.status(), StatusCode::CONFLICT);
    for markup in ["-1", "x", "10000.01", "1.234"] {
        let answer = maker.share_as(&work, &[("print", "1"), ("markup", markup)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{markup}");
    }
    // behind a password, private, and withdrawn
    maker.share_as(&work, &[("visibility", "password"), ("password", "lantern"), ("print", "1")]).await;
    let locked = buyer.page(&desk).await;
    assert!(locked.contains("先输入密码") && !locked.contains("山海之间"), "{locked}");
    assert_eq!(buyer.post(&desk, &print).await.status(), StatusCode::CONFLICT);
    maker.share_as(&work, &[("visibility", "private")]).await;
    assert_eq!(buyer.get(&desk).await.status(), StatusCode::NOT_FOUND);
    maker.share_as(&work, &[]).await;
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    assert_eq!(buyer.get(&desk).await.status(), StatusCode::GONE);
}

async fn a_reader_chooses_what_a_craft_is_drawn_from(server: Server) {
    let (_, work) = shared(&server, &[("print", "1"), ("markup", "0")]).await;
    let buyer = server.member("buyer@example.com", "50").await;
    let page = format!("/manager/opus_share_buy/{work}?goods=album-210");
    let plain = buyer.page(&page).await;
    assert!(plain.contains("选了烫金、局部UV或起鼓以后") && !plain.contains("name=\"artwork\""));
    let foil = plain.split("<input type=\"radio\"").find(|radio| radio.contains("<span>烫金")).unwrap();
    let (craft, foil) = (between(foil, "name=\"", "\""), between(foil, "value=\"", "\""));
    let asked = buyer.page(&format!("{page}&{craft}={foil}&artwork=title-sprig")).await;
    assert!(asked.contains("value=\"title-sprig\" checked"), "{asked}");
    let fields: Vec<(String, String)> = asked
        .split("<input type=\"radio\"")
        .skip(1)
        .filter(|radio| radio.split('>').next().is_some_and(|input| input.contains(" checked")))
        .map(|radio| (between(radio, "name=\"", "\""), between(radio, "value=\"", "\"")))
        .chain(
            [("what", "print"), ("goods", "album-210"), ("quantity", "1")].map(|(a, b)| (a.into(), b.into())),
        )
        .collect();
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let confirm = location(&buyer.post(&page, &fields).await);
    assert!(buyer.page(&confirm).await.contains("书名和枝叶"), "{confirm}");
    // an address that knows nothing of it means the title, and one that asks for what there is not says so
    let older = confirm.replace("&artwork=title-sprig", "");
    assert!(!buyer.page(&older).await.contains("书名和枝叶"));
    let answer = buyer.get(&confirm.replace("title-sprig", "star")).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
}
