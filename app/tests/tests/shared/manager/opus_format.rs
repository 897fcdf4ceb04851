//! /manager/opus/{id}/format: another page size for a finished work, and one step back.

use reqwest::StatusCode;

use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    what_would_change_is_said_before_anything_does,
    a_work_changes_its_format_and_goes_back,
    a_format_over_an_old_revision_changes_nothing,
    a_line_of_the_cart_says_that_its_goods_no_longer_fit,
);

async fn album(member: &Caller) -> String {
    let sizes = [(640, 480), (480, 640), (600, 600), (900, 400), (640, 427)];
    let photos = sizes.iter().enumerate().map(|(n, (w, h))| ("照片.jpg", jpeg(*w, *h, n as u8))).collect();
    let photos = member.upload(photos).await;
    member.album("square-210", "海边的夏天", &photos).await
}

async fn what_would_change_is_said_before_anything_does(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let base = format!("/manager/opus/{work}");
    let page = member.page(&format!("{base}/format")).await;
    let choices = between_all(&page, "/format?to=", "\"");
    assert_eq!(choices, ["a4-portrait", "a5-portrait", "landscape-280"], "not the one it has");
    let page = member.page(&format!("{base}/format?to=a5-portrait")).await;
    assert!(
        page.contains("换成“A5 小画册”以后")
            && page.contains("148 × 210 mm")
            && page.contains("只是照片和文字的位置")
    );
    for wrong in ["square-210", "nonsense"] {
        let answer = member.get(&format!("{base}/format?to={wrong}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{wrong}");
        let answer = member.post(&format!("{base}/format"), &[("revision", "1"), ("to", wrong)]).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{wrong}");
    }
    assert!(member.page(&base).await.contains("第 1 版"), "looking changes nothing");
}

async fn a_work_changes_its_format_and_goes_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let base = format!("/manager/opus/{work}");
    let field = format!("text-{}", between(&member.page(&base).await, "name=\"text-", "\""));
    let fields = [("revision", "1"), ("title", "海边的夏天"), (field.as_str(), "写下的话")];
    location(&member.post(&format!("{base}/texts"), &fields).await);
    let size = |page: &str| between(page, "<p class=\"quiet num\">", "</p>");
    let facts = |page: &str| between_all(page, "<dl class=\"facts\">", "</dl>").concat();
    // pressed twice, it is one change
    for _ in 0..2 {
        let answer =
            member.post(&format!("{base}/format"), &[("revision", "2"), ("to", "a5-portrait")]).await;
        assert_eq!(location(&answer), base);
    }
    let page = member.page(&base).await;
    assert!(size(&page).contains("148 × 210 mm") && facts(&page).contains("第 3 版"), "{page}");
    assert!(page.contains("开本已换成 148 × 210 mm") && page.contains("撤销换开本"));
    assert!(page.contains("写下的话"), "what was written stays");
    assert!(page.contains("印前检查"), "preflight runs again");
    let picture = member.get(&format!("{base}/page/1/320?r=3")).await.bytes().await.unwrap();
    let picture = image::load_from_memory(&picture).unwrap();
    assert_eq!((picture.width(), picture.height()), (320, 454), "pages have the new shape");
    let compared = member.page(&format!("{base}/comparison?before=2&after=3")).await;
    assert!(compared.contains("210 × 210 mm → 148 × 210 mm"));
    assert!(member.page("/manager/opus_list/all").await.contains("148 × 210 mm"));
    // one step back, exactly
    let before = member.get(&format!("{base}/page/2/320?r=2")).await.bytes().await.unwrap();
    let answer = member.post(&format!("{base}/revisions/2/restoration"), &[("revision", "3")]).await;
    assert_eq!(location(&answer), format!("{base}?saved=restored"));
    let page = member.page(&base).await;
    assert!(size(&page).contains("210 × 210 mm") && !page.contains("撤销换开本"), "one undo");
    let after = member.get(&format!("{base}/page/2/320?r=4")).await.bytes().await.unwrap();
    assert_eq!(before, after);
}

async fn a_format_over_an_old_revision_changes_nothing(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let base = format!("/manager/opus/{work}");
    location(&member.post(&format!("{base}/texts"), &[("revision", "1"), ("title", "别处改了")]).await);
    let answer = member.post(&format!("{base}/format"), &[("revision", "1"), ("to", "a5-portrait")]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let page = member.page(&base).await;
    assert!(page.contains("第 2 版") && page.contains("<h1>别处改了</h1>") && page.contains("210 × 210 mm"));
}

async fn a_line_of_the_cart_says_that_its_goods_no_longer_fit(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let line = member.add_to_cart(&work, "album-210").await;
    let base = format!("/manager/opus/{work}");
    location(&member.post(&format!("{base}/format"), &[("revision", "1"), ("to", "a4-portrait")]).await);
    let cart = member.page("/manager/shopping/cart").await;
    assert!(cart.contains("《海边的夏天》的开本已换成 210 × 297 mm，印不成"), "{cart}");
    let answer = member.get(&format!("/manager/shopping/order/{line}")).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let goods = member.page(&format!("/manager/add_shopping/{work}")).await;
    assert!(!goods.contains("album-210"), "only what fits is offered");
}
