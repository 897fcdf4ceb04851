//! /manager/opus_setting/{id}: title, author, description, category, the photo on the cover.

use reqwest::StatusCode;

use support::documents::{made, picture, unpacked, words_of};
use support::{Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    settings_are_saved_and_shown;
    on_sqlite:
    settings_that_make_no_sense_come_back,
    settings_over_an_old_revision_are_kept_beside_the_line,
    emoji_are_shown_and_printed_as_chosen,
);

async fn settings_are_saved_and_shown(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = member.album("square-210", "旧书名", &photos).await;
    let (address, base) = (format!("/manager/opus_setting/{work}"), format!("/manager/opus/{work}"));
    let page = member.page(&address).await;
    let choices = between_all(&page, "name=\"cover\" value=\"", "\"");
    assert_eq!(choices.len(), 3);
    let now = choices.iter().find(|id| page.contains(&format!("value=\"{id}\" checked"))).unwrap();
    let other = choices.iter().find(|id| *id != now).unwrap();
    let before = member.get(&format!("{base}/page/cover/320?r=1")).await.bytes().await.unwrap();
    let fields = [
        ("revision", "1"),
        ("title", "新书名"),
        ("author", "林知夏"),
        ("category", "travel"),
        ("description", "第一行\r\n<b>第二行</b>"),
        ("cover", other.as_str()),
    ];
    // pressed twice, it is one revision
    for _ in 0..2 {
        assert_eq!(location(&member.post(&address, &fields).await), format!("{base}?saved=settings"));
    }
    let opened = member.page(&base).await;
    assert!(opened.contains("新书名") && opened.contains("林知夏") && opened.contains("旅行"));
    assert!(opened.contains("第一行\n&lt;b&gt;第二行&lt;/b&gt;"), "{opened}");
    assert!(opened.contains("第 2 版") && !opened.contains("第 3 版"));
    let after = member.get(&format!("{base}/page/cover/320?r=2")).await.bytes().await.unwrap();
    assert_ne!(before, after, "another cover");
    let kept = member.get(&format!("{base}/page/cover/320?r=1")).await.bytes().await.unwrap();
    assert_eq!(before, kept, "the earlier version is as it was");
    let page = member.page(&address).await;
    assert!(
        page.contains(&format!("value=\"{other}\" checked")) && page.contains("value=\"travel\" selected")
    );
    assert!(member.page("/manager/opus_list/all").await.contains("<strong>新书名</strong>"));
}

/// Whether a page shows bright colours.
fn is_coloured(page: &image::RgbImage) -> bool {
    let is_bright = |pixel: &&image::Rgb<u8>| {
        let [red, green, blue] = pixel.0;
        red.max(green).max(blue) - red.min(green).min(blue) > 130
    };
    page.pixels().filter(is_bright).count() > 20
}

async fn emoji_are_shown_and_printed_as_chosen(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let chosen = |page: &str| {
        let one = between(page, "id=\"emoji\"", "</fieldset>");
        let checked = |code: &str| one.contains(&format!("value=\"{code}\" checked"));
        match (checked("plain"), checked("colour")) {
            (true, false) => "plain",
            (false, true) => "colour",
            _ => "neither",
        }
    };
    for desk in ["/manager/make_ebook", "/manager/opus-document", "/manager/opus-doc-calendar"] {
        assert_eq!(chosen(&member.page(desk).await), "colour", "{desk}: a new work");
    }
    // a form that says nothing of it, as programs and older pages send it
    let text = "# 聚会🎉\n\n😀😀😀👨\u{200d}👩\u{200d}👧\n";
    let work = made(&member, &[("title", "聚会"), ("text", text), ("markup", "markdown")], None).await;
    let id = work.rsplit('/').next().unwrap();
    let address = format!("/manager/opus_setting/{id}");
    assert_eq!(chosen(&member.page(&address).await), "plain");
    assert!(!is_coloured(&picture(&member, &format!("{work}/page/3/720")).await));

    // what nobody offers comes back with what was typed
    let fields = [("revision", "1"), ("title", "聚会🎉"), ("author", "林知夏"), ("emoji", "rainbow")];
    let answer = member.post(&address, &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("请选择表情符号是单色还是彩色") && page.contains("value=\"聚会🎉\""), "{page}");

    let fields = [("revision", "1"), ("title", "聚会🎉"), ("author", "林知夏"), ("emoji", "colour")];
    // pressed twice, it is one revision
    for _ in 0..2 {
        assert_eq!(location(&member.post(&address, &fields).await), format!("{work}?saved=settings"));
    }
    assert_eq!(chosen(&member.page(&address).await), "colour");
    for page in ["cover", "1", "3"] {
        assert!(is_coloured(&picture(&member, &format!("{work}/page/{page}/720")).await), "{page}");
    }
    // the earlier version is as it was
    assert!(!is_coloured(&picture(&member, &format!("{work}/page/3/720?r=1")).await));
    let difference = member.page(&format!("{work}/comparison?before=1&after=2")).await;
    assert!(difference.contains("表情符号") && difference.contains("单色 → 彩色"), "{difference}");

    // the files for print, the proof and the EPUB say the same words
    let archive = member.get(&format!("{work}/export")).await.bytes().await.unwrap();
    for file in ["print/inner.pdf", "print/cover.pdf"] {
        let words = words_of(&unpacked(&archive, file));
        assert!(words.contains("聚会🎉"), "{file}: {words}");
    }
    let inner = words_of(&unpacked(&archive, "print/inner.pdf"));
    assert!(inner.contains("😀😀😀👨\u{200d}👩\u{200d}👧"), "{inner}");
    assert_eq!(member.get(&format!("{work}/proof.pdf")).await.status(), StatusCode::OK);

    // a form without it leaves it, and a version from before brings back what it was
    let fields = [("revision", "2"), ("title", "聚会"), ("author", "林知夏")];
    location(&member.post(&address, &fields).await);
    assert_eq!(chosen(&member.page(&address).await), "colour");
    location(&member.post(&format!("{work}/revisions/1/restoration"), &[("revision", "3")]).await);
    assert_eq!(chosen(&member.page(&address).await), "plain");
    assert!(!is_coloured(&picture(&member, &format!("{work}/page/3/720")).await));
}

async fn settings_that_make_no_sense_come_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload((0..2).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = member.album("square-210", "书名", &photos[..1]).await;
    let address = format!("/manager/opus_setting/{work}");
    let foreign = photos[1].as_str();
    let long = "长".repeat(501);
    for (field, value) in [
        ("title", ""),
        ("category", "nonsense"),
        ("cover", foreign),
        ("cover", "x"),
        ("description", long.as_str()),
    ] {
        let mut fields = vec![("revision", "1"), ("title", "改好的"), ("author", "林知夏")];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let answer = member.post(&address, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        assert!(answer.text().await.unwrap().contains(r#"value="林知夏""#), "what was typed comes back");
    }
    assert_eq!(member.post(&address, &[("title", "x")]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(member.page(&format!("/manager/opus/{work}")).await.contains("第 1 版"));
}

async fn settings_over_an_old_revision_are_kept_beside_the_line(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
    let work = member.album("square-210", "书名", &photos).await;
    let address = format!("/manager/opus_setting/{work}");
    location(&member.post(&address, &[("revision", "1"), ("title", "甲")]).await);
    let answer = member.post(&address, &[("revision", "1"), ("title", "乙")]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let page = answer.text().await.unwrap();
    assert!(page.contains(r#"value="乙""#) && page.contains(r#"name="revision" value="2""#));
    let kept = member.page(&format!("/manager/opus/{work}/revisions/-1")).await;
    assert_eq!(between(&kept, "<h1>", "</h1>"), "另存的版本 1");
}
