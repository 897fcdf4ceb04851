//! /manager/opus/{id}/revisions and /comparison: looking at versions, comparing them, going back.

use reqwest::StatusCode;

use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    every_save_is_a_version_that_can_be_looked_at,
    two_versions_are_compared_in_words_and_pictures,
    a_refused_save_is_kept_once_and_can_be_forgotten;
    on_sqlite:
    a_version_is_restored_as_a_new_one,
    a_refused_save_is_kept_and_can_be_taken,
    somebody_elses_versions_look_like_none,
);

async fn album(member: &Caller) -> (String, String) {
    let photos = member.upload((0..5).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = member.album("square-210", "书名", &photos).await;
    let page = member.page(&format!("/manager/opus/{work}")).await;
    (format!("/manager/opus/{work}"), format!("text-{}", between(&page, "name=\"text-", "\"")))
}

async fn save(member: &Caller, base: &str, revision: &str, title: &str, text: (&str, &str)) -> StatusCode {
    let fields = [("revision", revision), ("title", title), text];
    member.post(&format!("{base}/texts"), &fields).await.status()
}

async fn every_save_is_a_version_that_can_be_looked_at(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let (base, field) = album(&member).await;
    assert_eq!(save(&member, &base, "1", "第二个书名", (&field, "一句话")).await, StatusCode::SEE_OTHER);
    let page = member.page(&format!("{base}/revisions")).await;
    assert!(
        page.contains("第 1 版")
            && page.contains("第 2 版")
            && page.contains("新建")
            && page.contains("改文字")
    );
    let one = member.page(&format!("{base}/revisions/1")).await;
    assert!(one.contains("《书名》") && one.contains("还原成这一版") && one.contains("page/1/320?r=1"));
    assert!(!member.page(&format!("{base}/revisions/2")).await.contains("还原成这一版"));
    let cover = async |revision: i64| {
        let answer = member.get(&format!("{base}/page/cover/320?r={revision}")).await;
        assert_eq!(answer.status(), StatusCode::OK);
        answer.bytes().await.unwrap()
    };
    assert_ne!(cover(1).await, cover(2).await, "each shows its own title");
    for missing in ["/revisions/3", "/revisions/0", "/revisions/-1", "/revisions/x", "/page/cover/320?r=9"] {
        assert!(member.get(&format!("{base}{missing}")).await.status().is_client_error(), "{missing}");
    }
    // many versions stand on many pages
    for revision in 2..40 {
        let title = format!("书名 {revision}");
        assert_eq!(
            save(&member, &base, &revision.to_string(), &title, (&field, "")).await,
            StatusCode::SEE_OTHER
        );
    }
    let page = member.page(&format!("{base}/revisions")).await;
    assert!(page.contains("第 40 版") && !page.contains(">第 10 版<"));
    assert!(member.page(&format!("{base}/revisions?below=11")).await.contains(">第 10 版<"));
}

async fn two_versions_are_compared_in_words_and_pictures(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let (base, field) = album(&member).await;
    save(&member, &base, "1", "新书名", (&field, "旧话")).await;
    save(&member, &base, "2", "新书名", (&field, "<i>新话</i>")).await;
    let page = member.page(&format!("{base}/comparison?before=1&after=3")).await;
    assert!(page.contains("书名 → 新书名") && page.contains("<ins>&lt;i&gt;新话&lt;/i&gt;</ins>"), "{page}");
    assert!(page.contains("page/cover/320?r=1") && page.contains("page/cover/320?r=3"));
    let page = member.page(&format!("{base}/comparison?before=2&after=3")).await;
    assert!(page.contains("<del>旧话</del>") && page.contains("有 1 页不同"));
    assert!(member.page(&format!("{base}/comparison?before=3&after=3")).await.contains("完全一样"));
    for wrong in ["", "?before=1", "?before=1&after=x", "?before=1&after=9"] {
        let answer = member.get(&format!("{base}/comparison{wrong}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{wrong}");
    }
}

async fn a_version_is_restored_as_a_new_one(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let (base, field) = album(&member).await;
    save(&member, &base, "1", "新书名", (&field, "话")).await;
    let restore = format!("{base}/revisions/1/restoration");
    // pressed twice, it is one version
    for _ in 0..2 {
        let answer = member.post(&restore, &[("revision", "2")]).await;
        assert_eq!(location(&answer), format!("{base}?saved=restored"));
    }
    let page = member.page(&base).await;
    assert!(page.contains("<h1>书名</h1>") && page.contains("第 3 版") && !page.contains("第 4 版"));
    let list = member.page(&format!("{base}/revisions")).await;
    assert!(list.contains("还原自第 1 版") && list.contains("第 2 版"), "nothing is lost");
    save(&member, &base, "3", "别处的改动", (&field, "")).await;
    let answer = member.post(&restore, &[("revision", "3")]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(member.page(&base).await.contains("<h1>别处的改动</h1>"));
}

async fn a_refused_save_is_kept_and_can_be_taken(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let (base, field) = album(&member).await;
    assert_eq!(save(&member, &base, "1", "甲", (&field, "甲的话")).await, StatusCode::SEE_OTHER);
    let fields = [("revision", "1"), ("title", "乙"), (field.as_str(), "乙的话")];
    let answer = member.post(&format!("{base}/texts"), &fields).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let page = answer.text().await.unwrap();
    assert!(page.contains("乙的话") && page.contains(&format!("{base}/revisions/-1")), "{page}");
    // both versions are there, with their own pictures
    let kept = member.page(&format!("{base}/revisions/-1")).await;
    assert!(kept.contains("《乙》") && kept.contains("page/cover/320?r=-1") && kept.contains("用这个版本"));
    assert_eq!(member.get(&format!("{base}/page/cover/320?r=-1")).await.status(), StatusCode::OK);
    let both = member.page(&format!("{base}/comparison?before=2&after=-1")).await;
    assert!(both.contains("<del>甲的话</del>") && both.contains("<ins>乙的话</ins>"));
    assert!(member.page(&format!("{base}/revisions")).await.contains("还没有并进来的改动"));
    for _ in 0..2 {
        let answer = member.post(&format!("{base}/revisions/-1/restoration"), &[("revision", "2")]).await;
        assert_eq!(location(&answer), format!("{base}?saved=restored"));
    }
    let page = member.page(&base).await;
    assert!(page.contains("<h1>乙</h1>") && page.contains("乙的话") && !page.contains("有改动还没有并进来"));
    assert!(member.page(&format!("{base}/revisions/2")).await.contains("《甲》"));
}

async fn a_refused_save_is_kept_once_and_can_be_forgotten(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let (base, field) = album(&member).await;
    save(&member, &base, "1", "甲", (&field, "")).await;
    for _ in 0..2 {
        assert_eq!(save(&member, &base, "1", "乙", (&field, "")).await, StatusCode::CONFLICT);
    }
    assert_eq!(save(&member, &base, "1", "丙", (&field, "")).await, StatusCode::CONFLICT);
    let page = member.page(&base).await;
    assert!(page.contains("revisions/-1") && page.contains("revisions/-2") && !page.contains("revisions/-3"));
    for _ in 0..2 {
        let answer = member.post(&format!("{base}/revisions/-1/removal"), &[]).await;
        assert_eq!(location(&answer), format!("{base}/revisions"));
    }
    let page = member.page(&base).await;
    assert!(!page.contains("revisions/-1") && page.contains("revisions/-2"));
    // no number names something else later: a page may be open that shows the one before
    member.post(&format!("{base}/revisions/-2/removal"), &[]).await;
    assert_eq!(save(&member, &base, "1", "丁", (&field, "")).await, StatusCode::CONFLICT);
    let kept = between_all(&member.page(&base).await, "revisions/-", "\"");
    assert!(!kept.is_empty() && kept.iter().all(|number| number != "1" && number != "2"), "{kept:?}");
    let answer = member.post(&format!("{base}/revisions/1/removal"), &[]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT, "the line loses nothing");
}

async fn somebody_elses_versions_look_like_none(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let (base, _) = album(&member).await;
    let (theirs, _) = album(&other).await;
    for path in ["/revisions", "/revisions/1", "/comparison?before=1&after=1", "/page/cover/320?r=1"] {
        assert_eq!(other.get(&format!("{base}{path}")).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let answer = other.post(&format!("{base}/revisions/1/restoration"), &[("revision", "1")]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert_eq!(member.get(&format!("{theirs}/revisions/1")).await.status(), StatusCode::NOT_FOUND);
}
