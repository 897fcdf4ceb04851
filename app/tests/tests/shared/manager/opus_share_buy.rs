//! /manager/opus_share_buy: reading and printed copies of somebody else's work, and what its maker has of them.

use reqwest::StatusCode;

use support::printed_copies::shared;
use support::{Server, on_both_engines};

on_both_engines!(what_is_not_for_sale_is_said,);

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
