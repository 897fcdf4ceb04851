//! /manager/opus/{id}/page/{page}: how one page looks. And what the making desk writes into a new book.

use reqwest::StatusCode;
use reqwest::multipart::Form;

use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    a_page_gets_another_layout_and_keeps_its_photos,
    a_design_that_does_not_fit_is_refused_and_changes_nothing,
    the_cover_has_no_layouts,
    a_text_gets_another_typeface,
    a_new_book_says_the_days_of_its_photos,
);

async fn an_album(member: &Caller) -> String {
    let photos = (0..9).map(|n| ("照片.jpg", jpeg(2400, 1800, n))).collect();
    let photos = member.upload(photos).await;
    member.album("square-210", "海边的夏天", &photos).await
}

/// The value of the chosen radio button.
fn chosen(page: &str, name: &str) -> String {
    let mut values = between_all(page, &format!("name=\"{name}\" value=\""), ">");
    values.retain(|value| value.ends_with(" checked"));
    assert_eq!(values.len(), 1, "{name}: {values:?}");
    values[0].split('"').next().unwrap().to_owned()
}

/// The photos in the thumbnail of the chosen layout, in their order.
fn photos_in(page: &str, layout: &str) -> Vec<String> {
    let card = between(page, &format!("name=\"layout\" value=\"{layout}\""), "</label>");
    between_all(&card, "/manager/photo/", "/320")
}

async fn a_page_gets_another_layout_and_keeps_its_photos(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let base = format!("/manager/opus/{work}");
    let opened = member.page(&base).await;
    let links = between_all(&opened, "href=\"", "\"");
    let editor =
        links.iter().find(|link| link.ends_with("page=3")).expect("the work leads to the editor of a page");
    let editor = member.page(&editor.replace("&amp;", "&")).await;
    assert!(editor.contains(&format!("{base}/page/3\"")), "and that, without a script, to its layouts");
    let address = format!("{base}/page/3");
    let page = member.page(&address).await;
    let now = chosen(&page, "layout");
    let codes = between_all(&page, "name=\"layout\" value=\"", "\"");
    assert!(codes.len() >= 5, "{codes:?}");
    let other = codes.iter().find(|code| **code != now).unwrap();
    let shown = photos_in(&page, &now);
    assert!(!shown.is_empty());
    assert_eq!(photos_in(&page, other), shown, "every layout holds the same photos");

    let before = member.get(&format!("{base}/page/3/320?r=1")).await.bytes().await.unwrap();
    let fields = [("revision", "1"), ("layout", other.as_str()), ("theme", "night"), ("ground", "tint")];
    assert_eq!(location(&member.post(&address, &fields).await), format!("{base}?saved=design#page-3"));
    let after = member.get(&format!("{base}/page/3/320?r=2")).await.bytes().await.unwrap();
    assert_ne!(before, after);
    let page = member.page(&address).await;
    assert_eq!(chosen(&page, "layout"), *other);
    assert_eq!((chosen(&page, "theme"), chosen(&page, "ground")), ("night".into(), "tint".into()));
    assert_eq!(photos_in(&page, other), shown);
    // the other pages are as they were
    let fourth = |revision| format!("{base}/page/4/320?r={revision}");
    let (one, two) = (member.get(&fourth(1)).await, member.get(&fourth(2)).await);
    assert_eq!(one.bytes().await.unwrap(), two.bytes().await.unwrap());
    assert!(member.page(&format!("{base}/revisions")).await.contains("改版式"));

    let answer = member.post(&address, &[("revision", "2"), ("theme", "night"), ("ground", "deep")]).await;
    assert_eq!(location(&answer), format!("{base}?saved=design#page-3"));
    let differences = |before, after| format!("{base}/comparison?before={before}&after={after}");
    let (both, look) = (member.page(&differences(1, 2)).await, member.page(&differences(2, 3)).await);
    assert!(both.contains("这一页换了风格或底色，"), "and stands in another way");
    assert!(look.contains("这一页换了风格或底色。"), "and nothing else");
}

async fn a_text_gets_another_typeface(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let base = format!("/manager/opus/{work}");
    let page = member.page(&format!("{base}/page/3")).await;
    let field = between_all(&page, "name=\"font-", "\"").into_iter().next().expect("a text with a typeface");
    let (font, text) = (format!("font-{field}"), format!("text-{field}"));
    let save = async |revision: &str, code: &str| {
        let fields = [
            ("revision", revision),
            ("title", "海边的夏天"),
            ("back", "3"),
            (&*text, "风从海上来"),
            (&*font, code),
        ];
        member.post(&format!("{base}/texts"), &fields).await
    };
    let refused = save("1", "comic").await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let picture = async |revision: u32| {
        member.get(&format!("{base}/page/3/720?r={revision}")).await.bytes().await.unwrap()
    };
    // each of them is set in other letters than the ones before
    let mut seen = vec![picture(1).await];
    for (revision, code) in (1..).zip(["", "sans", "serif", "brush", "xiaowei"]) {
        let saved = save(&revision.to_string(), code).await;
        assert_eq!(location(&saved), format!("{base}/page/3?saved=1"), "{code}");
        let page = member.page(&format!("{base}/page/3")).await;
        let select = between(&page, &format!("name=\"{font}\""), "</select>");
        assert!(select.contains(&format!("value=\"{code}\" selected")), "{code}: {select}");
        let now = picture(revision + 1).await;
        // the theme's own letters are of the first family
        assert!(code == "sans" || !seen.contains(&now), "{code}");
        seen.push(now);
    }
    let document = member.get(&format!("/works/document?workID={work}")).await.text().await.unwrap();
    assert!(document.contains("\"font\":\"xiaowei\""));
}

async fn a_design_that_does_not_fit_is_refused_and_changes_nothing(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let address = format!("/manager/opus/{work}/page/3");
    for (field, value, sentence) in [
        ("layout", "six-rows-margins", "这种版式放不下这一页的照片和文字"),
        ("layout", "nonsense", "这种版式放不下这一页的照片和文字"),
        ("theme", "nonsense", "请选择风格"),
        ("ground", "nonsense", "请选择底色"),
    ] {
        let mut fields = vec![("revision", "1"), ("theme", "journal"), ("ground", "deep")];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let answer = member.post(&address, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field} {value}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(sentence), "{field} {value}");
        if field == "layout" {
            assert_eq!((chosen(&page, "theme"), chosen(&page, "ground")), ("journal".into(), "deep".into()));
        }
    }
    assert!(!member.page(&format!("/manager/opus/{work}/revisions")).await.contains("第 2 版"));
    let stale = [("revision", "1"), ("theme", ""), ("ground", "tint")];
    assert_eq!(member.post(&address, &stale).await.status(), StatusCode::SEE_OTHER);
    let stale = [("revision", "1"), ("theme", "night"), ("ground", "deep")];
    assert_eq!(member.post(&address, &stale).await.status(), StatusCode::CONFLICT);
    for missing in ["0", "999", "x"] {
        let answer = member.get(&format!("/manager/opus/{work}/page/{missing}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{missing}");
    }
}

async fn the_cover_has_no_layouts(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let address = format!("/manager/opus/{work}/page/cover");
    let page = member.page(&address).await;
    assert!(!page.contains("name=\"layout\""));
    assert_eq!(chosen(&page, "ground"), "paper");
    let fields = [("revision", "1"), ("theme", "festive"), ("ground", "deep")];
    assert_eq!(location(&member.post(&address, &fields).await), format!("/manager/opus/{work}?saved=design"));
    assert_eq!(chosen(&member.page(&address).await, "ground"), "deep");
}

/// A JPEG that says when it was taken (EXIF, DateTimeOriginal).
fn taken(day: u8, seed: u8) -> Vec<u8> {
    let moment = format!("2026:05:{day:02} 09:30:00\0");
    // little-endian TIFF: the first directory points to the Exif one, which holds the moment
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0".to_vec();
    exif.extend(b"\x01\0\x03\x90\x02\0\x14\0\0\0\x2c\0\0\0\0\0\0\0");
    exif.extend(moment.as_bytes());
    let plain = jpeg(2400, 1800, seed);
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], &[0xff, 0xe1], &length, &exif, &plain[2..]].concat()
}

async fn a_new_book_says_the_days_of_its_photos(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = (0..12).map(|n| ("照片.jpg", taken(1 + n / 6 * 2, n))).collect();
    let photos = member.upload(photos).await;
    let form = |extra: &[(&'static str, &'static str)]| {
        let form = Form::new().text("format", "square-210").text("theme", "festive").text("title", "五月");
        let form = photos.iter().fold(form, |form, id| form.text("photo", id.clone()));
        extra.iter().fold(form, |form, (name, value)| form.text(*name, *value))
    };
    let made = member.post_multipart("/manager/make_ebook", form(&[("dates", "1"), ("chapters", "1")])).await;
    let page = member.page(&location(&made)).await;
    for words in ["5月1日</textarea>", "5月3日</textarea>", "2026 年</textarea>", "2026年5月1日</textarea>"]
    {
        assert!(page.contains(words), "{words}");
    }
    let made = member.post_multipart("/manager/make_ebook", form(&[])).await;
    assert!(!member.page(&location(&made)).await.contains("5月1日"), "only where it is wanted");
}
