//! Shared works: who reads them, what strangers see of those that they may not read, and what their makers decide.

use std::collections::BTreeSet;

use lopdf::{Object, dictionary};
use reqwest::StatusCode;
use serde_json::Value;

use support::wait::until;
use support::{Caller, Server, between, between_all, brotli_size, jpeg, location, on_both_engines};
use support::{documents, pdfs};

on_both_engines!(
    a_public_work_is_read_by_everybody,
    what_is_withdrawn_is_gone_everywhere_at_once;
    on_sqlite:
    each_visibility_opens_to_whom_it_says,
    a_password_opens_a_work_for_one_browser,
    readers_see_what_was_published,
    protected_works_leave_no_trace,
    other_sites_show_what_they_may,
    a_photo_of_a_shared_work_stays,
    reports_reach_the_operator,
    what_is_sold_ends_where_its_preview_ends,
    words_and_links_of_a_pdf_are_read,
    a_footnote_is_read_at_its_mark,
    words_are_found_however_they_are_written,
    hot_areas_that_make_no_sense_come_back,
    settings_that_make_no_sense_come_back,
    hot_areas_lead_where_their_maker_says,
    a_reading_page_is_small_and_says_what_it_is,
);

/// A work of three photos with a text, and its maker.
async fn made(server: &Server) -> (Caller, String) {
    let maker = server.member("maker@example.com", "0").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    (maker, work)
}

async fn shared(server: &Server, changes: &[(&str, &str)]) -> (Caller, String) {
    let (maker, work) = made(server).await;
    let answer = maker.share_as(&work, changes).await;
    assert_eq!(location(&answer), format!("/manager/opus_share_edit/{work}?saved=published"));
    (maker, work)
}

async fn a_public_work_is_read_by_everybody(server: Server) {
    let (_, work) = shared(&server, &[]).await;
    let visitor = server.visitor();
    let cover = visitor.page(&format!("/read/{work}")).await;
    assert!(cover.contains("山海之间") && cover.contains("一路向西") && cover.contains("开始阅读"));
    let picture = between(&cover, "<img src=\"", "\"");
    let answer = visitor.get(&picture).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.headers()["cache-control"].to_str().unwrap().starts_with("private"));
    let first = visitor.page(&format!("/read/{work}/1")).await;
    assert!(first.contains("rel=\"next\""), "{first}");
    assert!(between_all(&first, "/picture/", " ").len() >= 5, "several widths");
    for missing in ["0", "999", "x", "-1"] {
        assert_eq!(visitor.get(&format!("/read/{work}/{missing}")).await.status(), StatusCode::NOT_FOUND);
    }
    assert_eq!(location(&visitor.get(&format!("/read/{work}/goto?page=2")).await), format!("/read/{work}/2"));
    let card = visitor.get(&format!("/read/{work}/card.jpg")).await;
    assert_eq!(card.headers()["content-type"], "image/jpeg");
    // not once its maker's account is closed, whenever a job comes to its rows
    server.sql(&format!("update members set closed_at = 1 where id in {}", server.members())).await;
    for address in ["", "/1", "/card.jpg"].map(|place| format!("/read/{work}{place}")) {
        assert_eq!(visitor.get(&address).await.status(), StatusCode::NOT_FOUND, "{address}");
    }
    assert_eq!(visitor.get(&picture).await.status(), StatusCode::NOT_FOUND);
    assert!(!visitor.page("/sitemap.xml").await.contains(&work));
}

async fn a_reading_page_is_small_and_says_what_it_is(server: Server) {
    let (_, work) = shared(&server, &[]).await;
    let visitor = server.visitor();
    for path in [format!("/read/{work}"), format!("/read/{work}/1")] {
        let page = visitor.page(&path).await;
        let weight = brotli_size(page.as_bytes());
        assert!(weight <= 14_600, "{path}: {weight}");
        // what a script names at its head comes with it; what it asks for later does not
        let (mut scripts, mut waiting) = (0, between_all(&page, "src=\"/assets/", "\""));
        let mut known: BTreeSet<String> = BTreeSet::new();
        while let Some(asset) = waiting.pop() {
            if !known.insert(asset.clone()) {
                continue;
            }
            let script = visitor.page(&format!("/assets/{asset}")).await;
            scripts += brotli_size(script.as_bytes());
            waiting.extend(between_all(&script, "from\"./", "\""));
            waiting.extend(between_all(&script, "import\"./", "\""));
        }
        // within 6,144 with the bar above words, which comes where there are some
        assert!(scripts <= 5_600, "{path}: {scripts} bytes of script");
        assert!(!page.contains("react-island"));
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        assert!(page.contains("rel=\"canonical\"") && page.contains("og:image"), "{path}");
        let data: Value = serde_json::from_str(&between(&page, "ld+json\">", "</script>")).unwrap();
        assert_eq!(data["@context"], "https://schema.org");
    }
}

async fn each_visibility_opens_to_whom_it_says(server: Server) {
    let (maker, work) = made(&server).await;
    let visitor = server.visitor();
    let (read, embed) = (format!("/read/{work}"), format!("/embed/{work}"));
    assert_eq!(visitor.get(&read).await.status(), StatusCode::NOT_FOUND, "never shared");
    for (visibility, password, expected) in [
        ("private", "", StatusCode::NOT_FOUND),
        ("link", "", StatusCode::OK),
        ("password", "lantern", StatusCode::OK),
        ("public", "", StatusCode::OK),
    ] {
        let answer = maker.share_as(&work, &[("visibility", visibility), ("password", password)]).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{visibility}");
        for address in [&read, &embed, &format!("{read}/1")] {
            assert_eq!(visitor.get(address).await.status(), expected, "{visibility} {address}");
        }
        let page = visitor.get(&read).await.text().await.unwrap();
        let is_listed = visitor.page("/sitemap.xml").await.contains(&read);
        assert_eq!(is_listed, visibility == "public");
        assert_eq!(page.contains("noindex"), ["link", "password"].contains(&visibility), "{visibility}");
        assert_eq!(maker.get(&read).await.status(), StatusCode::OK, "its maker always reads it");
    }
    server.sql(&format!("update shares set ends_at = 1 where member_id in {}", server.members())).await;
    for address in [&read, &embed, &format!("{read}/1")] {
        assert_eq!(visitor.get(address).await.status(), StatusCode::GONE, "{address}");
    }
}

async fn a_password_opens_a_work_for_one_browser(server: Server) {
    let (maker, work) = shared(&server, &[("visibility", "password"), ("password", "lantern")]).await;
    let (visitor, other) = (server.visitor(), server.visitor());
    let read = format!("/read/{work}");
    let locked = visitor.page(&read).await;
    assert!(locked.contains("name=\"password\"") && locked.contains("noindex"));
    assert!(
        !locked.contains("picture") && !locked.contains("山海之间") && !locked.contains("og:"),
        "{locked}"
    );
    let wrong = visitor.post(&read, &[("password", "lanterns")]).await;
    assert_eq!(wrong.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(location(&visitor.post(&read, &[("password", "lantern")]).await), read);
    let opened = visitor.page(&read).await;
    let picture = between(&opened, "<img src=\"", "\"");
    assert_eq!(visitor.get(&picture).await.status(), StatusCode::OK);
    assert_eq!(other.get(&picture).await.status(), StatusCode::NOT_FOUND, "an address alone opens nothing");
    assert!(other.page(&read).await.contains("name=\"password\""));
    // another password is another lock
    maker.share_as(&work, &[("visibility", "password"), ("password", "new word"), ("act", "save")]).await;
    assert!(visitor.page(&read).await.contains("name=\"password\""));
    for _ in 0..6 {
        other.post(&read, &[("password", "guess")]).await;
    }
    let slow = other.post(&read, &[("password", "new word")]).await;
    assert_eq!(slow.status(), StatusCode::TOO_MANY_REQUESTS);
}

async fn what_is_withdrawn_is_gone_everywhere_at_once(server: Server) {
    let (maker, work) = shared(&server, &[]).await;
    let visitor = server.visitor();
    let read = format!("/read/{work}");
    let picture = between(&visitor.page(&read).await, "<img src=\"", "\"");
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    for address in [&read, &format!("{read}/1"), &format!("/embed/{work}"), &picture] {
        assert_eq!(visitor.get(address).await.status(), StatusCode::GONE, "{address}");
    }
    assert!(!visitor.page("/sitemap.xml").await.contains(&read));
    assert_eq!(visitor.get(&format!("{read}/card.jpg")).await.status(), StatusCode::GONE);
    maker.share_as(&work, &[]).await;
    assert_eq!(visitor.get(&read).await.status(), StatusCode::OK, "the same address once more");
    assert_eq!(visitor.get(&picture).await.status(), StatusCode::NOT_FOUND, "but not the old pictures'");
    // the house withdraws it for good
    let done = server.run_configured(&["share", "withdraw", &work, "--reason", "侵权"]).await;
    assert!(done.status.success());
    assert_eq!(visitor.get(&read).await.status(), StatusCode::GONE);
    assert!(maker.page(&format!("/manager/opus_share_edit/{work}")).await.contains("侵权"));
    assert_eq!(maker.share_as(&work, &[]).await.status(), StatusCode::CONFLICT);
    // one in the trash is not read either
    assert!(server.run_configured(&["share", "allow", &work]).await.status.success());
    maker.share_as(&work, &[]).await;
    assert_eq!(visitor.get(&read).await.status(), StatusCode::OK);
    maker.post(&format!("/manager/opus/{work}/trash"), &[]).await;
    assert_eq!(visitor.get(&read).await.status(), StatusCode::GONE);
}

async fn readers_see_what_was_published(server: Server) {
    let (maker, work) = shared(&server, &[]).await;
    let visitor = server.visitor();
    let first = format!("/read/{work}");
    let fields =
        [("revision", "1"), ("title", "新书名"), ("author", "林知夏"), ("category", ""), ("description", "")];
    maker.post(&format!("/manager/opus_setting/{work}"), &fields).await;
    let before = visitor.page(&first).await;
    assert!(!before.contains("林知夏"), "not published yet");
    assert!(maker.page(&format!("/manager/opus_share_edit/{work}")).await.contains("发布以后改过"));
    maker.share_as(&work, &[("title", "新书名")]).await;
    let after = visitor.page(&first).await;
    assert!(after.contains("林知夏") && after.contains("新书名"));
}

async fn protected_works_leave_no_trace(server: Server) {
    let (maker, work) = made(&server).await;
    let visitor = server.visitor();
    let host = server.address();
    for (visibility, password) in [("private", ""), ("password", "lantern"), ("link", "")] {
        maker.share_as(&work, &[("visibility", visibility), ("password", password)]).await;
        let asked = format!("/oembed?url={host}/read/{work}");
        assert_eq!(visitor.get(&asked).await.status(), StatusCode::NOT_FOUND, "{visibility}");
        for place in ["/sitemap.xml", "/about", "/robots.txt"] {
            assert!(!visitor.page(place).await.contains(&work), "{visibility} {place}");
        }
        if visibility != "link" {
            let card = visitor.get(&format!("/read/{work}/card.jpg")).await;
            assert_eq!(card.status(), StatusCode::NOT_FOUND, "{visibility}");
        }
    }
}

async fn other_sites_show_what_they_may(server: Server) {
    let (_, work) = shared(&server, &[("embed_sites", "https://Blog.example/a\nhttps://shop.example")]).await;
    let visitor = server.visitor();
    let policy =
        |answer: &reqwest::Response| answer.headers()["content-security-policy"].to_str().unwrap().to_owned();
    let framed = visitor.get(&format!("/embed/{work}")).await;
    assert!(policy(&framed).contains("frame-ancestors https://blog.example https://shop.example;"));
    assert!(!framed.headers().contains_key("x-frame-options"));
    let own = visitor.get(&format!("/read/{work}")).await;
    assert!(policy(&own).contains("frame-ancestors 'none'"));
    let asked = format!("/oembed?url={}/read/{work}&maxwidth=400", server.base);
    let told: Value = serde_json::from_str(&visitor.get(&asked).await.text().await.unwrap()).unwrap();
    assert_eq!(told["type"], "rich");
    assert_eq!(told["width"], 400.0);
    assert!(told["html"].as_str().unwrap().contains(&format!("/embed/{work}")));
}

async fn settings_that_make_no_sense_come_back(server: Server) {
    let (maker, work) = made(&server).await;
    let other = server.member("other@example.com", "0").await;
    let long = "长".repeat(501);
    for (field, value) in [
        ("visibility", "everybody"),
        ("direction", "up"),
        ("title", ""),
        ("description", long.as_str()),
        ("ends_on", "2020-01-01"),
        ("ends_on", "tomorrow"),
        ("card_page", "9999"),
        ("embed_sites", "javascript:alert(1)"),
        ("embed_sites", "https://a;script-src *"),
    ] {
        let answer = maker.share_as(&work, &[(field, value)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}: {value}");
    }
    let answer = maker.share_as(&work, &[("visibility", "password")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "a password is missing");
    assert!(answer.text().await.unwrap().contains("一路向西"), "what was typed comes back");
    assert_eq!(other.share_as(&work, &[]).await.status(), StatusCode::NOT_FOUND, "somebody else's");
    assert_eq!(server.visitor().get(&format!("/read/{work}")).await.status(), StatusCode::NOT_FOUND);
}

async fn a_photo_of_a_shared_work_stays(server: Server) {
    let (maker, work) = shared(&server, &[]).await;
    let photos = maker.library().await;
    let fields: Vec<(&str, &str)> = photos.iter().map(|photo| ("photo", photo.as_str())).collect();
    maker.post(&format!("/manager/opus/{work}/trash"), &[]).await;
    let page = maker.post("/manager/photos/removal", &fields).await.text().await.unwrap();
    assert!(page.contains("山海之间"), "{page}");
}

async fn reports_reach_the_operator(server: Server) {
    let (_, work) = shared(&server, &[]).await;
    let visitor = server.visitor();
    let address = format!("/read/{work}/report");
    assert!(visitor.page(&address).await.contains("举报"));
    let answer = visitor.post(&address, &[("words", "第三页")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("第三页"));
    let fields = [("reason", "copyright"), ("words", "第三页是我拍的"), ("contact", "13800138000")];
    assert_eq!(location(&visitor.post(&address, &fields).await), format!("{address}?sent=1"));
    let printed = server.run_configured(&["report", "list"]).await;
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(printed.contains("第三页是我拍的") && printed.contains("著作权"), "{printed}");
    let id = printed.split_whitespace().next().unwrap().to_owned();
    assert!(
        server.run_configured(&["report", "close", &id, "--outcome", "已联系作者"]).await.status.success()
    );
    let printed = server.run_configured(&["report", "list"]).await;
    assert!(!String::from_utf8(printed.stdout).unwrap().contains("第三页"));
    for _ in 0..6 {
        visitor.post(&address, &fields).await;
    }
    assert_eq!(visitor.post(&address, &fields).await.status(), StatusCode::TOO_MANY_REQUESTS);
}

async fn what_is_sold_ends_where_its_preview_ends(server: Server) {
    let maker = server.member_of("maker@example.com", "0", "超级会员").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    let sold = [("reading", "sold"), ("price", "9.90"), ("preview_pages", "1"), ("card_page", "2")];
    for (field, value) in
        [("price", "0"), ("price", "x"), ("price", ""), ("preview_pages", "-1"), ("reading", "y")]
    {
        let mut wrong = sold.to_vec();
        wrong.retain(|(name, _)| *name != field);
        wrong.push((field, value));
        let answer = maker.share_as(&work, &wrong).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
    }
    assert_eq!(maker.share_as(&work, &sold).await.status(), StatusCode::SEE_OTHER);
    let buyer = server.member("buyer@example.com", "100").await;
    let read = format!("/read/{work}");
    let cover = buyer.page(&read).await;
    assert!(cover.contains("试读") && cover.contains("读完整本"), "{cover}");
    let picture = between(&buyer.page(&format!("{read}/1")).await, "<img src=\"", "\"");
    let second = picture.replace("/1/720", "/2/720");
    for (caller, first, beyond) in [
        (&maker, StatusCode::OK, StatusCode::OK),
        (&buyer, StatusCode::OK, StatusCode::FORBIDDEN),
        (&server.visitor(), StatusCode::OK, StatusCode::FORBIDDEN),
    ] {
        assert_eq!(caller.get(&format!("{read}/1")).await.status(), first);
        assert_eq!(caller.get(&format!("{read}/2")).await.status(), beyond);
        assert_eq!(caller.get(&picture).await.status(), StatusCode::OK);
        assert_eq!(caller.get(&second).await.status() == StatusCode::OK, beyond == StatusCode::OK);
    }
    let refused = buyer.get(&format!("{read}/2")).await.text().await.unwrap();
    assert!(!refused.contains("/picture/") && refused.contains("noindex"), "{refused}");
    assert!(buyer.page(&format!("{read}/1")).await.contains("试读到这里"));
    let listed = buyer.page("/sitemap.xml").await;
    assert!(listed.contains(&format!("{read}/1<")) && !listed.contains(&format!("{read}/2<")));
    assert_eq!(server.visitor().get(&format!("/embed/{work}/2")).await.status(), StatusCode::FORBIDDEN);
    // a package opens it, too, and promises more pages to try
    let content = format!("work:{work}");
    let package =
        [("package", "both"), ("title", "一套书"), ("unit", "days"), ("count", "30"), ("price", "5")];
    let package = [&package[..], &[("trial_pages", "2"), ("content", &content)]].concat();
    assert_eq!(maker.post("/manager/epaper_sell/new", &package).await.status(), StatusCode::SEE_OTHER);
    assert!(server.visitor().page(&read).await.contains("/manager/package/both"));
    assert_eq!(server.visitor().get(&second).await.status(), StatusCode::OK);
    let purchase = location(&buyer.post("/manager/package/both", &[]).await);
    buyer.post(&purchase, &[]).await;
    assert_eq!(buyer.get(&format!("{read}/3")).await.status(), StatusCode::OK);
    assert_eq!(server.visitor().get(&format!("{read}/3")).await.status(), StatusCode::FORBIDDEN);
    // who bought it reads it whatever its maker decides by then
    maker.share_as(&work, &[&sold[..], &[("visibility", "private")]].concat()).await;
    assert_eq!(buyer.get(&format!("{read}/3")).await.status(), StatusCode::OK);
    assert_eq!(server.visitor().get(&format!("{read}/1")).await.status(), StatusCode::NOT_FOUND);
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    assert_eq!(buyer.get(&format!("{read}/3")).await.status(), StatusCode::OK);
    assert_eq!(server.visitor().get(&format!("{read}/1")).await.status(), StatusCode::NOT_FOUND);
}

async fn words_and_links_of_a_pdf_are_read(server: Server) {
    let maker = server.member("maker@example.com", "0").await;
    let link = |target: lopdf::Dictionary| {
        let mut link = dictionary! {
            "Type" => "Annot", "Subtype" => "Link", "Rect" => pdfs::numbers([60.0, 60.0, 200.0, 120.0])
        };
        for (key, value) in target.iter() {
            link.set(key.clone(), value.clone());
        }
        Object::Dictionary(link)
    };
    let outside = |address: &str| {
        link(dictionary! { "A" => dictionary! { "S" => "URI", "URI" => Object::string_literal(address) } })
    };
    let links = vec![
        outside("https://books.example/a?b=1"),
        outside("javascript:alert(1)"),
        link(dictionary! { "Dest" => vec![1.into(), "Fit".into()] }),
    ];
    let bytes = pdfs::Pdf::new()
        .page_with(148.0, 210.0, "lighthouse keeper", dictionary! { "Annots" => links })
        .page(148.0, 210.0, "second harbour")
        .bytes();
    let address = documents::made(&maker, &[("title", "灯塔")], Some(("灯塔.pdf", bytes))).await;
    let work = address.rsplit('/').next().unwrap().to_owned();
    assert_eq!(maker.share_as(&work, &[]).await.status(), StatusCode::SEE_OTHER);
    let visitor = server.visitor();
    let page = visitor.page(&format!("/read/{work}/1")).await;
    assert!(page.contains("lighthouse keeper"), "{page}");
    assert!(page.contains("href=\"https://books.example/a?b=1\"") && !page.contains("javascript:"), "{page}");
    let to_next = format!("href=\"/read/{work}/2\"");
    let mut links = between_all(&page, "<a ", ">").into_iter();
    assert!(links.any(|link| link.contains(&to_next) && link.contains("aria-label=\"到第 2 页\"")), "{page}");
    // reading a page has its words read; the others are in the queue
    visitor.page(&format!("/read/{work}/2")).await;
    // who takes it away has words, and no pictures of them
    assert_eq!(maker.share_as(&work, &[("pdf", "1")]).await.status(), StatusCode::SEE_OTHER);
    let taken = visitor.get(&format!("/read/{work}/book.pdf")).await;
    assert_eq!(taken.status(), StatusCode::OK);
    let words = documents::words_of(&taken.bytes().await.unwrap());
    assert!(words.contains("lighthouse keeper") && words.contains("second harbour"), "{words}");
    let found = visitor.page(&format!("/read/{work}?q=HARBOUR")).await;
    assert!(found.contains(&format!("/read/{work}/2?q=HARBOUR")), "{found}");
    let hit = visitor.page(&format!("/read/{work}/2?q=harbour")).await;
    assert!(between(&hit, "class=\"marks\"", "</svg>").contains("<rect"), "marked where it stands");
}

/// One sign may be compared as several: …… as six full stops, ß as two letters, a letter with its mark as both.
async fn a_footnote_is_read_at_its_mark(server: Server) {
    let maker = server.member("maker@example.com", "0").await;
    let text =
        "灯塔建于一八五三年[^年]，守塔人住在塔下[^人]。\n\n[^年]: 县志说是一八五四年。\n[^人]: 一家三代。\n";
    let fields = [("title", "灯塔"), ("format", "a5-portrait"), ("markup", "markdown"), ("text", text)];
    let address = documents::made(&maker, &fields, None).await;
    let work = address.rsplit('/').next().unwrap().to_owned();
    assert_eq!(maker.share_as(&work, &[]).await.status(), StatusCode::SEE_OTHER);
    // the text begins behind the title
    let visitor = server.visitor();
    let mut page = String::new();
    for number in 1..=4 {
        page = visitor.page(&format!("/read/{work}/{number}")).await;
        if page.contains("灯塔建于") {
            break;
        }
    }
    let links = between(&page, "class=\"hot\">", "</svg>");
    let marks: Vec<String> =
        between_all(&links, "href=\"#note-", "\"").into_iter().map(|id| format!("note-{id}")).collect();
    let note = |id: &String| between(&page, &format!("<aside id=\"{id}\""), "</aside>");
    let notes: Vec<String> = marks.iter().map(note).collect();
    assert_eq!(notes.len(), 2, "{page}");
    for (note, (name, said)) in notes.iter().zip([("注 1", "县志说是一八五四年。"), ("注 2", "一家三代。")])
    {
        assert!(note.contains(&format!("<h2>{name}")) && note.contains(&format!("<p>{said}")), "{note}");
        let back = between(note, "<a href=\"#", "\"");
        assert!(links.contains(&format!("id=\"{back}\" href=\"#note-")), "{back} is its mark: {links}");
    }
    // the numbers before the printed notes lead to their marks, each to its own
    let backs = between_all(&links, "href=\"#mark-", "\"");
    let own = between_all(&links, "id=\"mark-", "\"");
    assert_eq!(backs, own, "{links}");
    assert_eq!(backs.len(), 2);
}

async fn words_are_found_however_they_are_written(server: Server) {
    let maker = server.member("maker@example.com", "0").await;
    let text = "# 一\n\n他说……\n\nStraße 12㎜ Cafe\u{301} İzmir 西\u{200b}湖";
    let address = documents::made(&maker, &[("title", "写法")], Some(("写法.md", text.into()))).await;
    let work = address.rsplit('/').next().unwrap().to_owned();
    assert_eq!(maker.share_as(&work, &[]).await.status(), StatusCode::SEE_OTHER);
    let visitor = server.visitor();
    // a job reads the words of all pages
    let search = async |typed: &str| visitor.page(&format!("/read/{work}?q={typed}")).await;
    until("the words are read", async || search("西湖").await.contains("<mark>")).await;
    let leaf = between(&search("西湖").await, "class=\"found\"><li><a href=\"", "?q=");
    for (typed, marked) in [
        (".", "…"),
        ("……", "……"),
        ("STRASSE", "Straße"),
        ("mm", "㎜"),
        ("café", "Cafe\u{301}"),
        ("İZMIR", "İzmir"),
        ("西湖", "西\u{200b}湖"),
    ] {
        for address in [format!("/read/{work}?q={typed}"), format!("{leaf}?q={typed}")] {
            let page = visitor.page(&address).await;
            let found = between_all(&page, "<mark>", "</mark>");
            assert!(found.iter().any(|one| one == marked), "{address}: {found:?}");
        }
    }
}

/// The form of a hot area, with some of it changed.
async fn area(maker: &Caller, work: &str, changes: &[(&str, &str)]) -> reqwest::Response {
    let mut fields = vec![
        ("area", "an-area"),
        ("page", "1"),
        ("x", "100"),
        ("y", "200"),
        ("width", "300"),
        ("height", "150"),
        ("name", "看灯塔"),
        ("kind", "link"),
        ("address", "https://books.example/灯塔"),
        ("act", "keep"),
    ];
    fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    fields.extend_from_slice(changes);
    maker.post(&format!("/manager/opus_hotarea_edit/{work}"), &fields).await
}

async fn hot_areas_lead_where_their_maker_says(server: Server) {
    let (maker, work) = shared(&server, &[]).await;
    let visitor = server.visitor();
    let desk = format!("/manager/opus_hotarea_edit/{work}");
    let read = format!("/read/{work}/1");
    // sent twice, it is one
    for _ in 0..2 {
        assert_eq!(location(&area(&maker, &work, &[]).await), format!("{desk}?page=1&saved=kept"));
    }
    area(
        &maker,
        &work,
        &[("area", "to"), ("y", "500"), ("kind", "page"), ("to_page", "2"), ("name", "下一站")],
    )
    .await;
    let words =
        [("area", "said"), ("y", "100"), ("kind", "note"), ("words", "一<b>座</b>\n灯塔"), ("name", "注")];
    area(&maker, &work, &words).await;
    let page = visitor.page(&read).await;
    let links = between(&page, "class=\"hot\">", "</svg>");
    let order: Vec<String> = between_all(&links, "href=\"", "\"");
    assert_eq!(
        order,
        ["#area-said", "https://books.example/灯塔", &format!("/read/{work}/2")],
        "as they are read"
    );
    assert!(
        links.contains("x=\"100.0\" y=\"200.0\" width=\"300.0\" height=\"150.0\"")
            && links.contains("nofollow")
    );
    assert!(
        page.contains("id=\"area-said\"") && page.contains("一&lt;b>座") || page.contains("一&lt;b&gt;座")
    );
    assert!(!visitor.page(&format!("/read/{work}/2")).await.contains("class=\"more\" id=\"area-an-area\""));
    // an area of several rectangles is one link
    let several = [
        ("area", "several"),
        ("y", "800"),
        ("name", "转栏"),
        ("more", "500,800,100,90"),
        ("more", "650，800，100，90"),
    ];
    assert_eq!(area(&maker, &work, &several).await.status(), StatusCode::SEE_OTHER);
    let links = between_all(&visitor.page(&read).await, "<a href=\"https://books.example", "</a>");
    assert!(
        links.iter().any(|link| link.matches("<rect").count() == 3 && link.contains("x=\"650.0\"")),
        "{links:?}"
    );
    assert!(maker.page(&format!("{desk}?page=1&area=several")).await.contains("value=\"650,800,100,90\""));
    area(&maker, &work, &[("area", "several"), ("act", "remove")]).await;
    let edited = maker.page(&format!("{desk}?page=1&area=said")).await;
    assert!(edited.contains("value=\"注\"") && edited.contains("拿掉这个热区"));
    // changed and taken away
    area(&maker, &work, &[("address", "tel:+8610")]).await;
    assert!(visitor.page(&read).await.contains("tel:+8610"));
    area(&maker, &work, &[("act", "remove")]).await;
    assert!(!visitor.page(&read).await.contains("tel:+8610"));
    for missing in ["0", "999", "x"] {
        assert_eq!(maker.get(&format!("{desk}?page={missing}")).await.status(), StatusCode::NOT_FOUND);
    }
}

async fn hot_areas_that_make_no_sense_come_back(server: Server) {
    let (maker, work) = shared(&server, &[]).await;
    for (field, value) in [
        ("x", "900"),
        ("x", "-1"),
        ("width", "4294967295"),
        ("height", "9"),
        ("y", "NaN"),
        ("address", "javascript:alert(1)"),
        ("address", "/read/x"),
        ("name", ""),
        ("kind", "script"),
        ("more", "900,0,200,51"),
        ("more", "<b>"),
    ] {
        let answer = area(&maker, &work, &[(field, value)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
        let page = answer.text().await.unwrap();
        assert!(
            field == "name" || page.contains("value=\"看灯塔\""),
            "{field}: what was typed is still there"
        );
        assert!(
            field != "more"
                || page.contains("value=\"900,0,200,51\"")
                || page.contains("value=\"&lt;b&gt;\""),
            "{page}"
        );
    }
    for changes in [[("kind", "note"), ("words", "  ")], [("kind", "page"), ("to_page", "999")]] {
        assert_eq!(area(&maker, &work, &changes).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    for wrong in [("page", "999"), ("page", "0")] {
        assert_eq!(area(&maker, &work, &[wrong]).await.status(), StatusCode::BAD_REQUEST);
    }
    assert_eq!(area(&maker, &work, &[("area", "../x")]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let long = "长".repeat(301);
    let answer = area(&maker, &work, &[("kind", "note"), ("words", &long)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // a page that is full takes no more, and one that is there can still be changed
    for number in 0..60 {
        let id = format!("a{number}");
        assert_eq!(area(&maker, &work, &[("area", &id)]).await.status(), StatusCode::SEE_OTHER);
    }
    assert_eq!(area(&maker, &work, &[]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(area(&maker, &work, &[("area", "a7")]).await.status(), StatusCode::SEE_OTHER);
    // another member's work, and an area of another work
    let other = server.member("other@example.com", "0").await;
    assert_eq!(area(&other, &work, &[]).await.status(), StatusCode::NOT_FOUND);
    let photos = other.upload(vec![("照片.jpg", jpeg(640, 480, 9))]).await;
    let others = other.album("square-210", "别人的", &photos).await;
    assert_eq!(area(&other, &others, &[("area", "a7")]).await.status(), StatusCode::NOT_FOUND);
    area(&other, &others, &[("area", "a7"), ("act", "remove")]).await;
    assert_eq!(server.column("select page_id from hot_areas where id = 'a7'").await.len(), 1);
}
