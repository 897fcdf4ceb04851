//! /manager/opus/{id}/ebook 发布为电子书.

use reqwest::StatusCode;

use support::{Caller, Server, jpeg, location, on_both_engines};

on_both_engines!(
    a_work_is_published_as_an_ebook,
    ; on_sqlite:
    other_tiers_are_told_what_it_is_and_the_way,
);

async fn made(server: &Server, account: &str, tier: &str) -> (Caller, String) {
    let maker = server.member_of(account, "0", tier).await;
    let photos = maker.upload(vec![("照片.jpg", jpeg(640, 480, 1))]).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    (maker, work)
}

async fn a_work_is_published_as_an_ebook(server: Server) {
    let (maker, work) = made(&server, "maker@example.com", "超级会员").await;
    let form = format!("/manager/opus/{work}/ebook");
    let (read, reader) = (format!("/read/{work}"), server.visitor());
    assert!(maker.page("/manager/make_ebook").await.contains(&form), "offered on the desk");
    assert!(maker.page(&format!("/manager/opus/{work}")).await.contains(&form), "and on the work's page");
    assert!(!maker.page("/manager/opus_list/ebook").await.contains("山海之间"));
    let good = [
        ("visibility", "public"),
        ("title", "山海之间"),
        ("description", "一路向西"),
        ("epub", "1"),
        ("act", "publish"),
    ];
    for (field, value) in [
        ("visibility", "password"),
        ("visibility", "kept"),
        ("title", ""),
        ("description", &*"长".repeat(501)),
        ("reading", "y"),
        ("reading", "sold"),
    ] {
        let mut fields: Vec<_> = good.into_iter().filter(|(name, _)| *name != field).collect();
        fields.push((field, value));
        let answer = maker.post(&form, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
    }
    assert_eq!(reader.get(&read).await.status(), StatusCode::NOT_FOUND, "nothing was published");
    let sold = [("reading", "sold"), ("price", "9.90"), ("preview_pages", "1")];
    let answer = maker.post(&form, &[&good[..], &sold].concat()).await;
    assert_eq!(location(&answer), format!("{form}?done=published"));
    assert!(reader.page(&read).await.contains("一路向西"));
    assert!(reader.page(&read).await.contains("读完整本"), "only its beginning is free");
    let listed = maker.page("/manager/opus_list/ebook").await;
    assert!(listed.contains("山海之间") && listed.contains("电子书"), "{listed}");
    assert!(
        maker.page("/manager/opus_list/album").await.contains("山海之间"),
        "it is still what it was made as"
    );
    let allowed = async || {
        server
            .column(&format!(
                "select 'epub ' || epub || ', pdf ' || pdf from shares where member_id in {}",
                server.members()
            ))
            .await
    };
    assert_eq!(allowed().await, ["epub 1, pdf 0"]);
    // what only the whole form of sharing has is left alone by this one
    let whole = [("visibility", "link"), ("direction", "right"), ("epub", "1"), ("act", "save")];
    maker.share_as(&work, &[&sold[..], &whole].concat()).await;
    assert_eq!(allowed().await, ["epub 1, pdf 0"]);
    let fields =
        [("visibility", "link"), ("title", "山海之间"), ("description", ""), ("pdf", "1"), ("act", "save")];
    assert_eq!(location(&maker.post(&form, &fields).await), format!("{form}?done=saved"));
    assert_eq!(allowed().await, ["epub 0, pdf 1"]);
    assert_eq!(
        server
            .column(&format!(
                "select direction || ' ' || visibility from shares where member_id in {}",
                server.members()
            ))
            .await,
        ["right link"]
    );
    // no e-book any more, and still read
    maker.post(&format!("{form}/removal"), &[]).await;
    assert!(!maker.page("/manager/opus_list/ebook").await.contains("山海之间"));
    assert_eq!(reader.get(&read).await.status(), StatusCode::OK);
}

async fn other_tiers_are_told_what_it_is_and_the_way(server: Server) {
    for (account, tier) in [("basic@example.com", "普通会员"), ("vip@example.com", "VIP")] {
        let (maker, work) = made(&server, account, tier).await;
        let form = format!("/manager/opus/{work}/ebook");
        for page in ["/manager/make_ebook".to_owned(), format!("/manager/opus/{work}")] {
            let page = maker.page(&page).await;
            assert!(page.contains("发布电子书由超级会员开通") && !page.contains(&form), "{tier}");
        }
        let refused = maker.get(&form).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{tier}");
        assert!(refused.text().await.unwrap().contains("超级会员"));
        let fields = [("visibility", "public"), ("title", "山海之间"), ("act", "publish")];
        assert_eq!(maker.post(&form, &fields).await.status(), StatusCode::FORBIDDEN, "{tier}");
        assert_eq!(server.visitor().get(&format!("/read/{work}")).await.status(), StatusCode::NOT_FOUND);
    }
}
