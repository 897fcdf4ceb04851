//! /manager/book-study 书房: what a reader put there, how far it has read, its bookmarks and notes. What it bought is tested
//! with selling.

use reqwest::StatusCode;

use support::{Caller, Server, jpeg, location, on_both_engines};

on_both_engines!(
    bookmarks_and_notes_are_a_readers_own,
    ; on_sqlite:
    a_book_is_put_read_on_and_taken_out,
    what_is_not_there_is_refused_and_what_was_typed_comes_back,
    what_was_withdrawn_is_named_and_opens_nothing,
);

const NOTES: &str = "/manager/book-study/notes";

/// A work that everybody may read, and somebody who reads it.
async fn read(server: &Server, changes: &[(&str, &str)]) -> (Caller, Caller, String) {
    let maker = server.member_of("maker@example.com", "0", "超级会员").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    assert_eq!(maker.share_as(&work, changes).await.status(), StatusCode::SEE_OTHER);
    (maker, server.member("reader@example.com", "0").await, work)
}

fn of<'a>(work: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("kind", "work"), ("id", work)], more].concat()
}

async fn a_book_is_put_read_on_and_taken_out(server: Server) {
    let (_, reader, work) = read(&server, &[]).await;
    let cover = format!("/read/{work}");
    assert!(!server.visitor().page(&cover).await.contains("放入书房"), "who has no account has no study");
    assert!(reader.page("/manager/book-study").await.contains("书房还空着"));
    assert!(reader.page(&cover).await.contains("放入书房"));
    // sent twice, it is there once
    for _ in 0..2 {
        assert_eq!(
            location(&reader.post("/manager/book-study/items", &of(&work, &[("act", "put")])).await),
            cover
        );
    }
    let study = reader.page("/manager/book-study").await;
    assert!(
        study.contains("我放进来的") && study.matches("<strong>山海之间</strong>").count() == 1,
        "{study}"
    );
    assert!(reader.page(&cover).await.contains("移出书房"));
    // two devices: the later one counts, in whatever order they say so
    let place = "/manager/book-study/place";
    for (page, ago) in [("2", "60000"), ("3", "1000"), ("1", "90000")] {
        let answer = reader.post(place, &of(&work, &[("page", page), ("ago", ago)])).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    }
    let opened = reader.page(&cover).await;
    assert!(opened.contains("继续第 3 页") && opened.contains("从头看"), "{opened}");
    assert!(opened.contains(&format!("href=\"/read/{work}/3\" data-on=\"3\"")), "{opened}");
    let study = reader.page("/manager/book-study").await;
    assert!(study.contains("接着读") && study.contains("继续第 3 页"), "{study}");
    assert!(!server.visitor().page(&cover).await.contains("继续第"), "nobody else is led there");
    let taken =
        reader.post("/manager/book-study/items", &of(&work, &[("act", "remove"), ("from", "study")])).await;
    assert_eq!(location(&taken), "/manager/book-study?done=removed");
    assert!(reader.page("/manager/book-study").await.contains("书房还空着"));
}

async fn bookmarks_and_notes_are_a_readers_own(server: Server) {
    let (maker, reader, work) = read(&server, &[]).await;
    let page = format!("/read/{work}/2");
    let marks = "/manager/book-study/bookmarks";
    assert_eq!(location(&reader.post(marks, &of(&work, &[("page", "2"), ("act", "set")])).await), page);
    assert!(reader.page(&page).await.contains("拿掉书签"));
    let note = |words| of(&work, &[("page", "2"), ("note", "a-note-b"), ("words", words)]);
    // pressed twice, it is one
    for _ in 0..2 {
        assert_eq!(location(&reader.post(NOTES, &note("云<b>散</b>开")).await), format!("{page}#notes"));
    }
    let shown = reader.page(&page).await;
    assert!(shown.contains("我的笔记（1）") && shown.contains("云&lt;b&gt;散"), "{shown}");
    assert!(reader.page(&format!("/read/{work}")).await.contains("我的书签"));
    let list = reader.page(NOTES).await;
    assert!(list.contains("《山海之间》第 2 页") && list.contains("云&lt;b&gt;散"), "{list}");
    assert!(reader.page("/manager/book-study").await.contains("最近的笔记"));
    // nobody else sees them, their book's maker included, and nobody else changes them
    for other in [&maker, &server.visitor()] {
        assert!(!other.page(&page).await.contains("云&lt;b&gt;散"));
    }
    assert!(maker.page(NOTES).await.contains("还没有笔记和书签"));
    let (change, removal) = (format!("{NOTES}/a-note-b"), format!("{NOTES}/a-note-b/removal"));
    assert_eq!(maker.post(&change, &[("words", "改")]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(maker.post(&removal, &[]).await.status(), StatusCode::NOT_FOUND);
    maker.post(NOTES, &note("改")).await;
    assert!(
        reader.page(NOTES).await.contains("云&lt;b&gt;散"),
        "another's form with the same id changes nothing"
    );
    assert_eq!(
        location(&reader.post(&change, &[("words", "雨停了")]).await),
        format!("{NOTES}?done=changed")
    );
    assert!(reader.page(&page).await.contains("雨停了"));
    reader.post(&removal, &[]).await;
    reader.post(marks, &of(&work, &[("page", "2"), ("act", "remove"), ("from", "study")])).await;
    assert!(reader.page(NOTES).await.contains("还没有笔记和书签"));
}

async fn what_is_not_there_is_refused_and_what_was_typed_comes_back(server: Server) {
    let sold = [("reading", "sold"), ("price", "9.90"), ("preview_pages", "2")];
    let (maker, reader, work) = read(&server, &sold).await;
    // a note of 100,000 characters
    let long = format!("开头{}", "长".repeat(100_000));
    let fields = of(&work, &[("page", "2"), ("note", "long"), ("words", &long)]);
    let answer = reader.post(NOTES, &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("一条笔记最多 2000 个字，现在有 100002 个"), "the reason");
    assert!(
        page.contains("开头长长") && page.contains(&format!("data-volume=\"{work}\"")),
        "the page, and the words"
    );
    let empty = reader.post(NOTES, &of(&work, &[("page", "2"), ("note", "x"), ("words", " ")])).await;
    assert_eq!(empty.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // pages that are not there, or not for this reader; the maker has them all
    for missing in ["0", "3", "999", "-1", "x", ""] {
        for path in [NOTES, "/manager/book-study/bookmarks", "/manager/book-study/place"] {
            let more = [("page", missing), ("note", "x"), ("words", "字"), ("act", "set"), ("ago", "0")];
            let answer = reader.post(path, &of(&work, &more)).await;
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path} {missing}");
        }
    }
    let own = of(&work, &[("page", "3"), ("act", "set")]);
    assert_eq!(maker.post("/manager/book-study/bookmarks", &own).await.status(), StatusCode::SEE_OTHER);
    for ago in ["-1", "x", "", "99999999999999999999"] {
        let answer =
            reader.post("/manager/book-study/place", &of(&work, &[("page", "1"), ("ago", ago)])).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{ago}");
    }
    // what a reader may not know of can't be put anywhere
    maker.share_as(&work, &[("visibility", "private")]).await;
    for (kind, id) in [("work", &*work), ("work", "x"), ("work", "../x"), ("title", &*work)] {
        let answer =
            reader.post("/manager/book-study/items", &[("kind", kind), ("id", id), ("act", "put")]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{kind} {id}");
    }
    assert_eq!(
        server
            .column(&format!("select item_id from study_items where member_id in {}", server.members()))
            .await,
        Vec::<String>::new()
    );
}

async fn what_was_withdrawn_is_named_and_opens_nothing(server: Server) {
    let (maker, reader, work) = read(&server, &[]).await;
    reader.post("/manager/book-study/items", &of(&work, &[("act", "put")])).await;
    reader.post(NOTES, &of(&work, &[("page", "2"), ("note", "a-note-d"), ("words", "云散开")])).await;
    let key =
        server.read(&format!("select picture_key from shares where member_id in {}", server.members())).await;
    assert!(reader.page("/manager/book-study").await.contains(&key), "its cover");
    maker.share_as(&work, &[("title", "秘密的新书名"), ("visibility", "private")]).await;
    for state in ["private", "withdrawn"] {
        let study = reader.page("/manager/book-study").await;
        assert!(study.contains("山海之间") && study.contains("现在不能看了"), "{state}: {study}");
        assert!(!study.contains("秘密的新书名") && !study.contains("/picture/"), "{state}: {study}");
        assert!(reader.page(NOTES).await.contains("云散开"), "{state}: what one wrote stays");
        maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    }
}
