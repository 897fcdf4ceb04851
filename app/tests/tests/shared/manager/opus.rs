//! /manager/make_ebook, /manager/opus_list/{type}, /manager/opus/{id}.

use image::GenericImageView;
use reqwest::StatusCode;
use reqwest::multipart::Form;

use support::{Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    photos_become_a_laid_out_album;
    on_sqlite:
    photos_of_the_very_form_are_taken_and_stay_chosen_when_it_is_refused,
    texts_are_saved_and_shown_on_the_page,
    a_save_against_an_old_revision_is_refused_and_nothing_typed_is_lost,
    texts_are_data_and_never_markup,
    words_that_look_like_markup_are_kept,
    somebody_elses_work_looks_like_none,
);

async fn photos_become_a_laid_out_album(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let sizes = [(800, 600), (600, 800), (900, 600), (640, 640), (1200, 400), (500, 700), (800, 533)];
    let photos = sizes.iter().enumerate().map(|(n, (w, h))| ("照片.jpg", jpeg(*w, *h, n as u8))).collect();
    let photos = member.upload(photos).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let page = member.page(&format!("/manager/opus/{work}")).await;
    assert!(page.contains("海边的夏天"));
    let pages = between_all(&page, "alt=\"第 ", " 页\"").len();
    assert!(pages >= 4 && pages.is_multiple_of(2), "{pages} pages");
    for (place, width) in [("cover", 320u32), ("1", 720), ("2", 1280)] {
        let answer = member.get(&format!("/manager/opus/{work}/page/{place}/{width}?r=1")).await;
        assert_eq!(answer.status(), StatusCode::OK, "{place}");
        let picture = image::load_from_memory(&answer.bytes().await.unwrap()).unwrap();
        assert_eq!(picture.dimensions(), (width, width), "a square page");
    }
    for missing in ["0/320", "999/320", "x/320", "1/321", "cover/99999"] {
        let answer = member.get(&format!("/manager/opus/{work}/page/{missing}")).await;
        assert!(answer.status().is_client_error(), "{missing}");
    }
    assert!(member.page("/manager/opus_list/all").await.contains("海边的夏天"));
    assert!(member.page("/manager/opus_list/album").await.contains("海边的夏天"));
    assert_eq!(member.get("/manager/opus_list/nonsense").await.status(), StatusCode::NOT_FOUND);
}

async fn photos_of_the_very_form_are_taken_and_stay_chosen_when_it_is_refused(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let form = support::photo_form(vec![("一.jpg", jpeg(400, 300, 1)), ("二.jpg", jpeg(300, 400, 2))])
        .text("format", "a4-portrait")
        .text("theme", "classic")
        .text("title", "长".repeat(61))
        .text("author", "林知夏");
    let answer = member.post_multipart("/manager/make_ebook", form).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("书名最多"), "{page}");
    assert!(page.contains(r#"value="林知夏""#), "the author comes back");
    assert_eq!(page.matches("name=\"photo\"").count(), 2);
    let library = page.split("id=\"ahead\"").next().unwrap();
    assert_eq!(library.matches(" checked aria-label").count(), 2, "both stay chosen");
    assert!(between(&page, r#"value="a4-portrait""#, ">").contains("checked"));
    let photos = between_all(&page, "name=\"photo\" value=\"", "\"");
    let form = photos.into_iter().fold(
        Form::new().text("format", "a4-portrait").text("theme", "classic").text("title", "两张照片"),
        |form, id| form.text("photo", id),
    );
    let made = member.post_multipart("/manager/make_ebook", form).await;
    assert!(location(&made).starts_with("/manager/opus/"));
}

/// The first text field of a work's page.
fn first_text(page: &str) -> String {
    format!("text-{}", between(page, "name=\"text-", "\""))
}

async fn texts_are_saved_and_shown_on_the_page(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload((0..5).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = member.album("square-210", "旧书名", &photos).await;
    let address = format!("/manager/opus/{work}");
    let page = member.page(&address).await;
    let field = first_text(&page);
    let before = member.get(&format!("{address}/page/cover/320?r=1")).await.bytes().await.unwrap();
    let answer = member
        .post(
            &format!("{address}/texts"),
            &[("revision", "1"), ("title", "新书名"), ("author", "林知夏"), (&field, "清晨，雾从谷底升起。")],
        )
        .await;
    assert_eq!(location(&answer), format!("{address}?saved=1"));
    let page = member.page(&address).await;
    assert!(page.contains("新书名") && page.contains("清晨，雾从谷底升起。") && page.contains("林知夏"));
    assert!(page.contains(r#"name="revision" value="2""#));
    let after = member.get(&format!("{address}/page/cover/320?r=2")).await.bytes().await.unwrap();
    assert_ne!(before, after, "the title stands on the cover");
}

async fn a_save_against_an_old_revision_is_refused_and_nothing_typed_is_lost(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
    let work = member.album("square-210", "书名", &photos).await;
    let texts = format!("/manager/opus/{work}/texts");
    let field = first_text(&member.page(&format!("/manager/opus/{work}")).await);
    let one = member.post(&texts, &[("revision", "1"), ("title", "甲"), (&field, "甲的话")]).await;
    assert_eq!(one.status(), StatusCode::SEE_OTHER);
    let other = member.post(&texts, &[("revision", "1"), ("title", "乙"), (&field, "乙的话")]).await;
    assert_eq!(other.status(), StatusCode::CONFLICT);
    let page = other.text().await.unwrap();
    assert!(page.contains("乙的话") && page.contains(r#"value="乙""#), "what was typed is in the form");
    assert!(page.contains(r#"name="revision" value="2""#), "and can be saved over the newest revision");
    let title = between(&member.page(&format!("/manager/opus/{work}")).await, "<h1>", "</h1>");
    assert_eq!(title, "甲");
}

async fn texts_are_data_and_never_markup(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
    let hostile = r##"<script>alert(1)</script> #import "x" $1$ *a* \ "<!>"##;
    let work = member.album("square-210", hostile, &photos).await;
    let page = member.page(&format!("/manager/opus/{work}")).await;
    assert!(!page.contains("<script>alert"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)"));
    let answer = member.get(&format!("/manager/opus/{work}/page/cover/320?r=1")).await;
    assert_eq!(answer.status(), StatusCode::OK);
}

async fn words_that_look_like_markup_are_kept(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
    let work = member.album("square-210", r#"写作 class="" 的一天"#, &photos).await;
    let page = member.page(&format!("/manager/opus/{work}")).await;
    assert_eq!(between(&page, "<h1>", "</h1>"), r#"写作 class="" 的一天"#);
    // a text that would end its own field
    let caption = between(&page, "name=\"text-", "\"");
    let caption = format!("text-{caption}");
    let hostile = "</textarea><script>alert(1)</script> & <b>";
    let fields = [("revision", "1"), ("title", "书"), (caption.as_str(), hostile)];
    location(&member.post(&format!("/manager/opus/{work}/texts"), &fields).await);
    let page = member.page(&format!("/manager/opus/{work}")).await;
    assert!(
        !page.contains("<script>alert")
            && page.contains("&lt;/textarea>&lt;script>alert(1)&lt;/script> &amp; &lt;b>")
    );
}

async fn somebody_elses_work_looks_like_none(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let photos = owner.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
    let work = owner.album("square-210", "我的书", &photos).await;
    for path in [
        format!("/manager/opus/{work}"),
        format!("/manager/opus/{work}/page/cover/320"),
        format!("/manager/add_shopping/{work}"),
    ] {
        assert_eq!(other.get(&path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let answer =
        other.post(&format!("/manager/opus/{work}/texts"), &[("revision", "1"), ("title", "夺走")]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let answer = other
        .post(&format!("/manager/add_shopping/{work}"), &[("line", "abc"), ("goods", "album-210")])
        .await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert!(owner.page(&format!("/manager/opus/{work}")).await.contains("我的书"));
}
