//! A member's own changes to a book's pages: /manager/opus/{id}/page/{page}/photos, /manager/opus/{id}/pages, and the book
//! that begins without photos.

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};

use support::documents::made;
use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    a_blank_book_is_filled_page_by_page;
    on_sqlite:
    pages_that_follow_from_something_else_stay_as_they_are,
    pages_are_added_moved_and_left_out_two_by_two,
    a_page_that_moved_leaves_its_forms_behind,
    words_typed_before_pages_moved_get_on_no_other_page,
    what_a_page_cannot_show_is_refused_and_nothing_is_lost,
    photos_stand_in_the_order_of_their_numbers,
);

async fn library(member: &Caller, count: u8) -> Vec<String> {
    member.upload((0..count).map(|n| ("照片.jpg", jpeg(1600, 1200, n))).collect()).await
}

/// The photos that a page shows, in their order.
async fn shown(member: &Caller, work: &str, page: usize) -> Vec<String> {
    let html = member.page(&format!("/manager/opus/{work}/page/{page}/photos")).await;
    between_all(&html, "name=\"place-", "\"")
}

fn photos_form(revision: u32, photos: &[(&str, &str)]) -> Form {
    let form = Form::new().text("revision", revision.to_string());
    photos.iter().fold(form, |form, (id, place)| {
        form.text("photo", (*id).to_owned()).text(format!("place-{id}"), (*place).to_owned())
    })
}

async fn a_blank_book_is_filled_page_by_page(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let form = || Form::new().text("format", "square-210").text("theme", "calm").text("blank", "1");
    let nameless = member.post_multipart("/manager/make_ebook", form().text("title", "")).await;
    assert!(
        member.page(&location(&nameless)).await.contains("<h1>未命名作品</h1>"),
        "its title may come later"
    );
    let made = member.post_multipart("/manager/make_ebook", form().text("title", "慢慢做的书")).await;
    let address = location(&made);
    let work = address.strip_prefix("/manager/opus/").unwrap().to_owned();
    let page = member.page(&address).await;
    assert!(page.contains("慢慢做的书") && page.contains("/pages\""), "{page}");
    for page in ["cover", "1", "2"] {
        let picture = member.get(&format!("{address}/page/{page}/320")).await;
        assert_eq!(picture.status(), StatusCode::OK, "{page}");
    }
    // one photo comes with the form, one is in the library already
    let [known] = &library(&member, 1).await[..] else { panic!("one photo") };
    let new = Part::bytes(jpeg(1600, 1200, 9)).file_name("新.jpg").mime_str("image/jpeg").unwrap();
    let form = photos_form(1, &[(known, "1")]).part("photos", new);
    let saved = member.post_multipart(&format!("{address}/page/2/photos"), form).await;
    assert_eq!(location(&saved), format!("{address}/page/2?saved=photos"));
    let placed = shown(&member, &work, 2).await;
    assert_eq!((placed.len(), &placed[0]), (2, known));
    assert!(member.page(&format!("{address}/page/2?saved=photos")).await.contains("照片已换好"));
    assert!(member.page(&format!("{address}/revisions")).await.contains("换照片"));
    // a photo that a page shows is in use
    let removal = member.post("/manager/photos/removal", &[("photo", known)]).await;
    assert_eq!(removal.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // without photos it is for words again
    let saved = member.post_multipart(&format!("{address}/page/2/photos"), photos_form(2, &[])).await;
    assert_eq!(saved.status(), StatusCode::SEE_OTHER);
    assert!(shown(&member, &work, 2).await.is_empty());
    assert!(member.page(&address).await.contains("第 2 页的正文"));
}

async fn photos_stand_in_the_order_of_their_numbers(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = library(&member, 8).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let address = format!("/manager/opus/{work}/page/3/photos");
    let [a, b, c, d] = [&photos[0], &photos[1], &photos[2], &photos[3]].map(String::as_str);
    let form = photos_form(1, &[(a, "3"), (b, "1"), (c, "2"), (d, "x")]);
    assert_eq!(member.post_multipart(&address, form).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(shown(&member, &work, 3).await, [b, c, a, d]);
    // words stay with their page
    let page = member.page(&format!("/manager/opus/{work}")).await;
    let place = format!("text-1-{}", between(&page, "id=\"text-1-", "\""));
    let words = [("revision", "2"), ("title", "海边的夏天"), ("author", ""), (&*place, "第一天的早晨")];
    let saved = member.post(&format!("/manager/opus/{work}/texts"), &words).await;
    assert_eq!(saved.status(), StatusCode::SEE_OTHER);
    let second = format!("/manager/opus/{work}/page/2/photos");
    let saved = member.post_multipart(&second, photos_form(3, &[(d, "1")])).await;
    assert_eq!(saved.status(), StatusCode::SEE_OTHER);
    assert_eq!(shown(&member, &work, 2).await, [d]);
    assert!(member.page(&format!("/manager/opus/{work}")).await.contains("第一天的早晨"));
    // a design follows from there
    assert!(member.page(&format!("/manager/opus/{work}/page/2")).await.contains(&format!("/photo/{d}/320")));
}

async fn what_a_page_cannot_show_is_refused_and_nothing_is_lost(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = library(&member, 10).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let base = format!("/manager/opus/{work}");
    let before = shown(&member, &work, 3).await;
    let ten: Vec<(&str, &str)> = photos[..10].iter().map(|id| (id.as_str(), "1")).collect();
    let answer = member.post_multipart(&format!("{base}/page/3/photos"), photos_form(1, &ten)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("一页最多放 9 张照片，选了 10 张"), "{page}");
    assert_eq!(page.matches(" checked").count(), 10, "the choice comes back");
    assert_eq!(shown(&member, &work, 3).await, before);

    // somebody else's photo is none
    let other = server.member("other@example.com", "0").await;
    let [theirs] = &library(&other, 1).await[..] else { panic!("one photo") };
    let form = photos_form(1, &[(theirs, "1"), (&photos[0], "2")]);
    assert_eq!(
        member.post_multipart(&format!("{base}/page/3/photos"), form).await.status(),
        StatusCode::SEE_OTHER
    );
    assert_eq!(shown(&member, &work, 3).await, [photos[0].clone()]);

    // over an older revision: kept beside, and chosen still
    let form = photos_form(1, &[(&photos[1], "1")]);
    let stale = member.post_multipart(&format!("{base}/page/3/photos"), form).await;
    assert_eq!(stale.status(), StatusCode::CONFLICT);
    let page = stale.text().await.unwrap();
    assert!(page.contains("已另存为一个版本") && page.contains("name=\"revision\" value=\"2\""));
    let box_of_it = between(&page, &format!("value=\"{}\"", photos[1]), ">");
    assert!(box_of_it.contains("checked"), "{box_of_it}");

    for (page, status) in [
        ("1", StatusCode::CONFLICT), // the title page
        ("cover", StatusCode::NOT_FOUND),
        ("999", StatusCode::NOT_FOUND),
    ] {
        let address = format!("{base}/page/{page}/photos");
        assert_eq!(member.get(&address).await.status(), status, "{page}");
        let answer = member.post_multipart(&address, photos_form(2, &[(&photos[0], "1")])).await;
        assert_eq!(answer.status(), status, "{page}");
    }
}

/// The photos of all pages, a list for each.
async fn all_shown(member: &Caller, work: &str, pages: usize) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for page in 2..pages {
        all.push(shown(member, work, page).await);
    }
    all
}

async fn pages_are_added_moved_and_left_out_two_by_two(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = library(&member, 12).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let address = format!("/manager/opus/{work}/pages");
    let page = member.page(&address).await;
    let count: usize = between(&page, "共 ", " 页").parse().unwrap();
    assert!(count >= 8 && count.is_multiple_of(2), "{count}");
    let before = all_shown(&member, &work, count).await;
    let act = async |revision: u32, act: &str, page: usize| {
        let (revision, page) = (revision.to_string(), page.to_string());
        member.post(&address, &[("revision", &revision), (act, &page)]).await
    };

    assert_eq!(location(&act(1, "later", 2).await), format!("{address}?done=later#page-4"));
    let mut moved = before.clone();
    moved[..4].rotate_left(2);
    assert_eq!(all_shown(&member, &work, count).await, moved);
    assert_eq!(location(&act(2, "earlier", 4).await), format!("{address}?done=earlier#page-2"));
    assert_eq!(all_shown(&member, &work, count).await, before);

    assert_eq!(location(&act(3, "add", 1).await), format!("{address}?done=add#page-2"));
    let added = all_shown(&member, &work, count + 2).await;
    assert!(added[..2].iter().all(Vec::is_empty));
    assert_eq!(added[2..], before[..]);
    assert_eq!(location(&act(4, "remove", 2).await), format!("{address}?done=remove#page-1"));
    assert_eq!(all_shown(&member, &work, count).await, before);
    // what was left out comes back with one button
    assert_eq!(act(5, "remove", 4).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(all_shown(&member, &work, count - 2).await, [&before[..2], &before[4..]].concat());
    let done = member.page(&format!("{address}?done=remove")).await;
    let notice = between(&done, "role=\"status\"", "</form>");
    let undo = between(&notice, "action=\"", "\"");
    assert_eq!(undo, format!("/manager/opus/{work}/revisions/5/restoration"));
    assert_eq!(member.post(&undo, &[("revision", "6")]).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(all_shown(&member, &work, count).await, before);

    // what is not there, and what would change a page's side
    for (name, page) in [
        ("later", count - 2),
        ("earlier", 2),
        ("remove", 1),
        ("remove", 3),
        ("add", count),
        ("add", 0),
        ("later", usize::MAX),
    ] {
        assert_eq!(act(7, name, page).await.status(), StatusCode::BAD_REQUEST, "{name} {page}");
    }
    let nothing = member.post(&address, &[("revision", "7")]).await;
    assert_eq!(nothing.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let stale = act(1, "remove", 2).await;
    assert_eq!(stale.status(), StatusCode::CONFLICT, "over an old revision");
    assert!(stale.text().await.unwrap().contains("请看过最新的书页再改"));
    assert_eq!(all_shown(&member, &work, count).await, before);
}

async fn pages_that_follow_from_something_else_stay_as_they_are(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let fields = [("title", "笔记"), ("format", "a5-portrait"), ("text", "# 第一章\n\n一些文字。")];
    let address = made(&member, &fields, None).await;
    assert!(address.starts_with("/manager/opus/"), "{address}");
    assert!(!member.page(&address).await.contains(&format!("{address}/pages\"")));
    assert_eq!(member.get(&format!("{address}/pages")).await.status(), StatusCode::CONFLICT);
    let remove = member.post(&format!("{address}/pages"), &[("revision", "1"), ("remove", "2")]).await;
    assert_eq!(remove.status(), StatusCode::CONFLICT);
    // the back of the title is empty, and belongs to the text all the same
    for page in 1..=3 {
        let photos = member.get(&format!("{address}/page/{page}/photos")).await;
        assert_eq!(photos.status(), StatusCode::CONFLICT, "{page}");
    }
}

async fn words_typed_before_pages_moved_get_on_no_other_page(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = library(&member, 12).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let base = format!("/manager/opus/{work}");
    let place = async |page: usize| {
        let html = member.page(&base).await;
        let field = format!("text-{}-", page - 1);
        format!("{field}{}", between(&html, &format!("id=\"{field}"), "\""))
    };
    let save = async |revision: u32, title: &str, (place, words): (&str, &str)| {
        let revision = revision.to_string();
        let fields = [("revision", &*revision), ("title", title), ("author", ""), (place, words)];
        member.post(&format!("{base}/texts"), &fields).await
    };
    // two pages, each with a photo and with words about it
    for (revision, page, photo) in [(1, 2, &photos[0]), (3, 4, &photos[1])] {
        let saved = save(revision, "海边的夏天", (&place(page).await, "那天的风")).await;
        assert_eq!(saved.status(), StatusCode::SEE_OTHER);
        let form = photos_form(revision + 1, &[(photo, "1")]);
        let saved = member.post_multipart(&format!("{base}/page/{page}/photos"), form).await;
        assert_eq!(saved.status(), StatusCode::SEE_OTHER);
    }
    let seen = place(2).await;
    assert_eq!(seen.replace("text-1", "text-3"), place(4).await, "the words stand at the same place");
    let moved = member.post(&format!("{base}/pages"), &[("revision", "5"), ("later", "2")]).await;
    assert_eq!(moved.status(), StatusCode::SEE_OTHER);
    // by somebody who saw the pages before
    let stale = save(5, "另一个书名", (&seen, "第一天的早晨")).await;
    assert_eq!(stale.status(), StatusCode::CONFLICT);
    let page = stale.text().await.unwrap();
    assert!(page.contains("另一个书名"), "what still has its place comes back");
    assert!(!page.contains("第一天的早晨"), "and nothing gets under another photo");
    let kept = member.page(&format!("{base}/comparison?before=5&after=-1")).await;
    assert!(kept.contains("第一天的早晨"), "it is in the version that was kept");
}

async fn a_page_that_moved_leaves_its_forms_behind(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = library(&member, 12).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let base = format!("/manager/opus/{work}");
    let moved = member.post(&format!("{base}/pages"), &[("revision", "1"), ("later", "2")]).await;
    assert_eq!(moved.status(), StatusCode::SEE_OTHER);
    // forms of page 3 as it was: their photos and their look are not offered to the page that stands there now
    let form = photos_form(1, &[(&photos[11], "1")]);
    let late_photos = member.post_multipart(&format!("{base}/page/3/photos"), form).await;
    let look = [("revision", "1"), ("layout", ""), ("theme", ""), ("ground", "deep")];
    let late_look = member.post(&format!("{base}/page/3"), &look).await;
    for late in [late_photos, late_look] {
        assert_eq!(late.status(), StatusCode::CONFLICT);
        let page = late.text().await.unwrap();
        assert!(page.contains("已另存为一个版本，请看过最新的书页再改"), "{page}");
    }

    // pages without photos are told by their words
    let blank = Form::new().text("format", "square-210").text("theme", "calm").text("blank", "1");
    let made = member.post_multipart("/manager/make_ebook", blank.text("title", "慢慢做的书")).await;
    let base = location(&made);
    let place = async |page: usize| {
        let field = format!("text-{}-", page - 1);
        format!("{field}{}", between(&member.page(&base).await, &format!("id=\"{field}"), "\""))
    };
    let (third, fifth) = (place(3).await, place(5).await);
    let words = |revision: &str, third_says: &str, title: &str| {
        let fields = [("revision", revision), ("title", title), (&third, third_says), (&fifth, "后来")];
        fields.map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let save = async |fields: [(String, String); 4]| {
        let fields = fields.each_ref().map(|(name, value)| (name.as_str(), value.as_str()));
        member.post(&format!("{base}/texts"), &fields).await
    };
    assert_eq!(save(words("1", "先前", "慢慢做的书")).await.status(), StatusCode::SEE_OTHER);
    let moved = member.post(&format!("{base}/pages"), &[("revision", "2"), ("later", "2")]).await;
    assert_eq!(moved.status(), StatusCode::SEE_OTHER);
    let late = save(words("2", "更早的时候", "慢慢做的书")).await;
    assert_eq!(late.status(), StatusCode::CONFLICT);
    assert!(!late.text().await.unwrap().contains("更早的时候"), "it would replace other words");
    let kept = member.page(&format!("{base}/comparison?before=2&after=-1")).await;
    assert!(kept.contains("更早的时候"));
}
