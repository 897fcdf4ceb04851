//! What programs follow titles and works by: feeds, catalogues, manifests and frames, read by others' parsers.

use std::collections::{BTreeMap, BTreeSet};

use atom_syndication::Feed;
use reqwest::{Response, StatusCode};
use roxmltree::{Document, Node};
use serde_json::Value;

use support::publications::{editor, issue, out, paper, set};
use support::{Caller, Server, between, jpeg, location, on_both_engines};

on_both_engines!(
    a_sold_issue_is_taken_away_by_who_bought_it;
    on_sqlite:
    a_shared_work_has_a_manifest,
    what_nobody_may_embed_is_offered_to_nobody,
    a_frame_of_another_site_gets_no_cookie,
    articles_are_read_whole_where_they_are_free,
    a_free_issue_is_taken_away,
    a_feed_is_read_by_others_programs,
    who_has_a_feed_is_told_so,
    a_catalogue_goes_on_to_the_first_issue,
);

const OPDS: &str = "http://opds-spec.org/2010/catalog";

fn header(answer: &Response, name: &str) -> String {
    answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

/// A feed as a strict parser of XML and a parser of Atom read it.
fn read(text: &str) -> Feed {
    Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    Feed::read_from(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Links of a catalogue's entry: the relation's last word, the media type, the place on this site, and what it says of prices
/// and of what comes later.
fn ways(server: &Server, entry: Node) -> Vec<(String, String, String, Vec<String>)> {
    let links = entry.children().filter(|node| node.has_tag_name("link"));
    let said = |node: Node| {
        let name = node.tag_name();
        assert_eq!(name.namespace(), Some(OPDS));
        match name.name() {
            "price" => format!("{} {}", node.attribute("currencycode").unwrap(), node.text().unwrap()),
            _ => node.attribute("type").unwrap().to_owned(),
        }
    };
    links
        .map(|link| {
            let of = |name: &str| link.attribute(name).unwrap().to_owned();
            let href = of("href").strip_prefix(&server.base).expect("a whole address").to_owned();
            let rel = of("rel").rsplit('/').next().unwrap().to_owned();
            (rel, of("type"), href, link.children().filter(Node::is_element).map(said).collect())
        })
        .collect()
}

/// Follows all links of a catalogue's entries: each has what it says.
async fn follow(server: &Server, caller: &Caller, catalogue: &str) -> BTreeSet<(String, String)> {
    let catalogue = Document::parse(catalogue).unwrap();
    let mut seen = BTreeSet::new();
    for entry in catalogue.root_element().children().filter(|node| node.has_tag_name("entry")) {
        for (rel, kind, href, _) in ways(server, entry) {
            let answer = caller.get(&href).await;
            assert_eq!(answer.status(), StatusCode::OK, "{rel} {href}");
            assert_eq!(header(&answer, "content-type").split(';').next().unwrap(), kind, "{rel} {href}");
            let bytes = answer.bytes().await.unwrap();
            let beginning: &[u8] = match kind.as_str() {
                "application/pdf" => b"%PDF-",
                "application/epub+zip" => b"PK\x03\x04",
                "image/jpeg" => b"\xff\xd8\xff",
                _ => b"<",
            };
            assert!(bytes.starts_with(beginning), "{rel} {href}");
            seen.insert((rel, kind));
        }
    }
    seen
}

fn pairs<const N: usize>(all: [(&str, &str); N]) -> BTreeSet<(String, String)> {
    all.map(|(rel, kind)| (rel.to_owned(), kind.to_owned())).into()
}

async fn a_feed_is_read_by_others_programs(server: Server) {
    let maker = editor(&server).await;
    let (title, first) = out(&maker, "epaper", "feed-a", "2026-11-18", &[]).await;
    let second = issue(&maker, "epaper", &title, "2026-11-21", paper()).await;
    set(&maker, "epaper", &second, "publish").await;
    // words that XML has no place for come from texts of PDFs, and from wherever members copy theirs
    let odd = "西湖\u{ffff}晚报\u{fdd0}<&>\u{1}";
    server
        .sql(&format!("update publications set name = '{odd}', description = '{odd}' where id = '{title}'"))
        .await;
    server
        .sql(&format!(
            "update articles set title = '{odd}', updated_at = 4000000000000 where issue_id = '{first}'"
        ))
        .await;
    let visitor = server.visitor();
    let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for name in ["feed.atom", "opds.xml"] {
        let path = format!("/epaper/feed-a/{name}");
        let text = visitor.page(&path).await;
        assert!(!text.contains('\u{ffff}') && !text.contains('\u{fdd0}'));
        let feed = read(&text);
        assert_eq!(feed.title().as_str(), "西湖晚报<&>");
        let link = |rel: &str| feed.links().iter().find(|link| link.rel() == rel).unwrap();
        assert_eq!(link("self").href(), format!("{}{path}", server.base));
        assert_eq!(link("alternate").href(), format!("{}/epaper/feed-a", server.base));
        assert_eq!(feed.authors()[0].name(), "西湖文化站");
        // the newest first; what was changed last is the change of the whole
        let titles: Vec<&str> = feed.entries().iter().map(|entry| entry.title().as_str()).collect();
        assert!(titles[0].contains("2026-11-21") && titles[1].contains("2026-11-18"), "{titles:?}");
        let corrected = &feed.entries()[1];
        assert_eq!(corrected.updated().timestamp_millis(), 4_000_000_000_000, "an article was changed");
        assert_eq!(feed.updated(), corrected.updated());
        assert!(feed.entries()[0].updated() < corrected.updated());
        for entry in feed.entries() {
            assert_eq!(entry.links().iter().filter(|link| link.rel() == "alternate").count(), 1);
            assert!(entry.published().is_some());
        }
        names.insert(name, feed.entries().iter().map(|entry| entry.id().to_owned()).collect());
        // names are no addresses: the site moves, and they stay
        let moved = visitor.get_with(&path, &[("host", "other.example")]).await.text().await.unwrap();
        assert!(moved.contains("http://other.example/epaper/feed-a"), "{moved}");
        let moved = read(&moved);
        let all = |feed: &Feed| -> Vec<String> {
            let entries = feed.entries().iter().map(|entry| entry.id().to_owned());
            std::iter::once(feed.id().to_owned()).chain(entries).collect()
        };
        assert_eq!(all(&moved), all(&feed));
        assert!(all(&feed).iter().all(|id| id.starts_with("urn:uuid:")), "{:?}", all(&feed));
        assert_eq!(all(&feed).into_iter().collect::<BTreeSet<_>>().len(), 3, "each its own");
    }
    assert_eq!(names["feed.atom"], names["opds.xml"], "one issue is one thing in both");
}

async fn articles_are_read_whole_where_they_are_free(server: Server) {
    let maker = editor(&server).await;
    let visitor = server.visitor();
    let (title, id) = out(&maker, "epaper", "feed-articles", "2026-11-18", &[]).await;
    let second = issue(&maker, "epaper", &title, "2026-11-21", paper()).await;
    set(&maker, "epaper", &second, "publish").await;
    let author = format!("update articles set author = '沈砚 & 友' where issue_id = '{id}' and number = 1");
    server.sql(&author).await;
    let page = visitor.page("/epaper/feed-articles").await;
    assert!(
        page.contains("type=\"application/atom+xml\" href=\"/epaper/feed-articles/articles.atom\""),
        "{page}"
    );
    let answer = visitor.get("/epaper/feed-articles/articles.atom").await;
    assert_eq!(header(&answer, "content-type"), "application/atom+xml; charset=utf-8");
    let tag = header(&answer, "etag");
    let again = visitor.get_with("/epaper/feed-articles/articles.atom", &[("if-none-match", &tag)]).await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    let feed = read(&answer.text().await.unwrap());
    // those of the other issue were proposed, and nobody took them
    let titles: Vec<&str> = feed.entries().iter().map(|entry| entry.title().as_str()).collect();
    assert_eq!(titles, ["Trees along the river", "Weather", "A library in a tea mill", "Football"]);
    assert_eq!(feed.entries()[0].authors()[0].name(), "沈砚 & 友");
    let names: BTreeSet<&str> = feed.entries().iter().map(atom_syndication::Entry::id).collect();
    assert_eq!(names.len(), 4, "each its own: {names:?}");
    for entry in feed.entries() {
        let content = entry.content().unwrap();
        assert_eq!(content.content_type(), Some("html"));
        let text = content.value().unwrap();
        Document::parse(&format!("<div>{text}</div>")).unwrap_or_else(|error| panic!("{error}: {text}"));
        let path = entry.links()[0].href().strip_prefix(&server.base).unwrap();
        let page = visitor.page(path).await;
        for paragraph in support::between_all(text, "<p>", "</p>") {
            assert!(page.contains(&format!("<p>{paragraph}</p>")), "{paragraph} is not on {path}");
        }
    }
    let all: Vec<_> = feed.entries().iter().filter_map(|entry| entry.content()?.value()).collect();
    assert!(all[0].contains("goes on in a second line") && all[2].contains("goes on in a second line"));

    // of what is sold no more than everybody may read
    let sale = [("reading", "sold"), ("issue_price", "3.00"), ("preview_pages", "1")];
    out(&maker, "epaper", "feed-closed", "2026-11-18", &sale).await;
    let feed = read(&visitor.page("/epaper/feed-closed/articles.atom").await);
    let said: Vec<_> = feed.entries().iter().map(|entry| (entry.content(), entry.summary())).collect();
    let open = said[..2].iter().all(|(content, summary)| content.is_some() && summary.is_none());
    let closed = said[2..].iter().all(|(content, summary)| {
        content.is_none() && summary.is_some_and(|summary| summary.as_str() == "订阅以后读全文。")
    });
    assert!(said.len() == 4 && open && closed, "{said:?}");
    // its maker's feed is everybody's
    assert_eq!(read(&maker.page("/epaper/feed-closed/articles.atom").await), feed);

    // what messengers show of an article is its own
    let card = |page: &str| {
        between(page, "og:image\" content=\"", "\"").strip_prefix(&server.base).unwrap().to_owned()
    };
    let article = "/epaper/feed-closed/2026-11-18/a";
    let own = card(&visitor.page(&format!("{article}/1")).await);
    assert!(own.starts_with(&format!("{article}/1/card.jpg")), "{own}");
    let picture = image::load_from_memory(&visitor.get(&own).await.bytes().await.unwrap()).unwrap();
    assert_eq!((picture.width(), picture.height()), (1200, 630));
    let of_issue = card(&visitor.page(&format!("{article}/3")).await);
    assert!(of_issue.starts_with("/epaper/feed-closed/2026-11-18/card.jpg"), "{of_issue}");
    for caller in [&visitor, &maker] {
        let answer = caller.get(&format!("{article}/3/card.jpg")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "the page is closed to strangers");
    }
}

async fn who_has_a_feed_is_told_so(server: Server) {
    let maker = editor(&server).await;
    let (title, first) = out(&maker, "epaper", "feed-b", "2026-11-18", &[]).await;
    let second = issue(&maker, "epaper", &title, "2026-11-21", paper()).await;
    set(&maker, "epaper", &second, "publish").await;
    // this was long ago
    let old = 1_795_218_309_000_i64;
    server.sql(&format!("update publications set updated_at = {old} where id = '{title}'")).await;
    server.sql(&format!("update issues set updated_at = {old} where publication_id = '{title}'")).await;
    server
        .sql(&format!("update articles set updated_at = {old} where issue_id in ('{first}', '{second}')"))
        .await;
    let visitor = server.visitor();
    for name in ["feed.atom", "opds.xml", "opds.json"] {
        let path = format!("/epaper/feed-b/{name}");
        let whole = visitor.get(&path).await;
        let (tag, since) = (header(&whole, "etag"), header(&whole, "last-modified"));
        assert_eq!(since, "Fri, 20 Nov 2026 23:45:09 GMT", "{name}");
        assert_eq!(header(&visitor.get(&path).await, "etag"), tag, "the same words, the same tag");
        for (conditions, expected) in [
            (vec![("if-none-match", tag.as_str())], StatusCode::NOT_MODIFIED),
            (vec![("if-modified-since", since.as_str())], StatusCode::NOT_MODIFIED),
            (vec![("if-none-match", "\"other\""), ("if-modified-since", &since)], StatusCode::OK),
            (vec![("if-modified-since", "Fri, 20 Nov 2026 23:45:08 GMT")], StatusCode::OK),
        ] {
            let answer = visitor.get_with(&path, &conditions).await;
            assert_eq!(answer.status(), expected, "{name} {conditions:?}");
            assert_eq!(header(&answer, "etag"), tag);
            let is_empty = answer.bytes().await.unwrap().is_empty();
            assert_eq!(is_empty, expected == StatusCode::NOT_MODIFIED, "{name} {conditions:?}");
        }
        let asked = visitor.head(&path).await;
        assert_eq!(header(&asked, "etag"), tag);
    }
    // what is withdrawn is a change, though everything that is left is as it was
    let before = visitor.get("/epaper/feed-b/opds.xml").await;
    let (tag, since) = (header(&before, "etag"), header(&before, "last-modified"));
    set(&maker, "epaper", &first, "withdraw").await;
    for condition in [("if-none-match", tag.as_str()), ("if-modified-since", &since)] {
        for name in ["feed.atom", "opds.xml", "opds.json"] {
            let answer = visitor.get_with(&format!("/epaper/feed-b/{name}"), &[condition]).await;
            assert_eq!(answer.status(), StatusCode::OK, "{name} {condition:?}");
            assert!(!answer.text().await.unwrap().contains("2026-11-18"));
        }
    }
    set(&maker, "epaper", &second, "withdraw").await;
    for name in ["feed.atom", "opds.xml", "opds.json"] {
        assert_eq!(visitor.get(&format!("/epaper/feed-b/{name}")).await.status(), StatusCode::NOT_FOUND);
    }
}

async fn a_free_issue_is_taken_away(server: Server) {
    let maker = editor(&server).await;
    let (title, id) = out(&maker, "epaper", "feed-c", "2026-11-18", &[]).await;
    let visitor = server.visitor();
    let (base, catalogue) = ("/epaper/feed-c/2026-11-18", "/epaper/feed-c/opds.xml");
    // a maker who allows no files gives none
    let seen = follow(&server, &visitor, &visitor.page(catalogue).await).await;
    let picture = [("image", "image/jpeg"), ("thumbnail", "image/jpeg")];
    let [large, small] = picture;
    assert_eq!(seen, pairs([("alternate", "text/html"), ("open-access", "text/html"), large, small]));
    for ending in ["pdf", "epub"] {
        let answer = visitor.get(&format!("{base}/issue.{ending}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{ending}");
    }
    let settings = format!("/manager/epaper/{title}/settings");
    let fields = [&support::publications::TITLE[..], &[("pdf", "1"), ("epub", "1")]].concat();
    location(&maker.post(&settings, &fields).await);
    assert_eq!(maker.page(&settings).await.matches("value=\"1\" checked").count(), 2, "what was chosen");
    let seen = follow(&server, &visitor, &visitor.page(catalogue).await).await;
    assert_eq!(
        seen,
        pairs([
            ("alternate", "text/html"),
            ("open-access", "application/pdf"),
            ("open-access", "application/epub+zip"),
            large,
            small
        ])
    );
    let page = visitor.page(&format!("{base}/1")).await;
    assert!(page.contains("下载 PDF") && page.contains("application/divina+json"), "{page}");
    // the pages of the paper, each once
    let pdf = visitor.get(&format!("{base}/issue.pdf")).await;
    assert!(header(&pdf, "content-disposition").contains("filename*=UTF-8''%E8%A5%BF%E6%B9%96"));
    let pdf = lopdf::Document::load_mem(&pdf.bytes().await.unwrap()).unwrap();
    assert_eq!(pdf.get_pages().len(), 2);
    let epub = visitor.get(&format!("{base}/issue.epub")).await.bytes().await.unwrap();
    let mut epub = zip::ZipArchive::new(std::io::Cursor::new(epub)).unwrap();
    let mut file = |name: &str| std::io::read_to_string(epub.by_name(name).unwrap()).unwrap();
    let (package, contents) = (file("EPUB/package.opf"), file("EPUB/nav.xhtml"));
    assert_eq!(package.matches("<itemref").count(), 2, "{package}");
    assert!(contents.contains(">01版") && contents.contains(">02版"), "{contents}");
    assert!(contents.contains("\"page-0002.xhtml\">2<"), "the second page is the paper's second: {contents}");
    assert!(file("EPUB/page-0002.xhtml").contains("A library in a tea mill"), "its words are there");

    // the manifest and the catalogue in JSON say the same
    let said: Value = serde_json::from_str(&visitor.page(&format!("{base}/manifest.json")).await).unwrap();
    assert_eq!(said["metadata"]["conformsTo"], "https://readium.org/webpub-manifest/profiles/divina");
    assert!(package.contains(said["metadata"]["identifier"].as_str().unwrap()), "one name in all forms");
    let pages = said["readingOrder"].as_array().unwrap();
    assert_eq!(pages.len(), 2);
    for page in pages {
        let place = page["href"].as_str().unwrap().strip_prefix(&server.base).unwrap();
        let picture = visitor.get(place).await;
        assert_eq!(header(&picture, "content-type"), page["type"].as_str().unwrap());
        let picture = image::load_from_memory(&picture.bytes().await.unwrap()).unwrap();
        let size = (picture.width().into(), picture.height().into());
        assert_eq!((page["width"].as_u64(), page["height"].as_u64()), (Some(size.0), Some(size.1)));
    }
    let answer = visitor.get("/epaper/feed-c/opds.json").await;
    assert_eq!(header(&answer, "content-type"), "application/opds+json");
    let json: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert_eq!(json["publications"][0]["metadata"]["identifier"], said["metadata"]["identifier"]);
    let kinds: Vec<_> = json["publications"][0]["links"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|link| link["rel"].as_str().unwrap().ends_with("/open-access"))
        .map(|link| link["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["application/pdf", "application/epub+zip", "application/divina+json"]);
    assert_eq!(json["publications"][0]["images"][0]["type"], "image/jpeg");

    // withdrawn at once, in every form
    let picture = pages[0]["href"].as_str().unwrap().strip_prefix(&server.base).unwrap().to_owned();
    set(&maker, "epaper", &id, "withdraw").await;
    for path in ["issue.pdf", "issue.epub", "manifest.json"].map(|name| format!("{base}/{name}")) {
        assert_eq!(visitor.get(&path).await.status(), StatusCode::GONE, "{path}");
    }
    assert_eq!(visitor.get(&picture).await.status(), StatusCode::GONE);
}

async fn a_sold_issue_is_taken_away_by_who_bought_it(server: Server) {
    let maker = editor(&server).await;
    let sold =
        [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "1"), ("pdf", "1"), ("epub", "1")];
    let (title, first) = out(&maker, "epaper", "feed-d", "2026-01-10", &sold).await;
    let second = issue(&maker, "epaper", &title, "2026-01-11", paper()).await;
    set(&maker, "epaper", &second, "publish").await;
    let (visitor, catalogue) = (server.visitor(), "/epaper/feed-d/opds.xml");
    let base = "/epaper/feed-d/2026-01-10";
    let strangers = visitor.page(catalogue).await;
    read(&strangers);
    let strangers = Document::parse(&strangers).unwrap();
    for entry in strangers.root_element().children().filter(|node| node.has_tag_name("entry")) {
        let ways = ways(&server, entry);
        let (.., said) = ways.iter().find(|(rel, ..)| rel == "buy").expect("a way to buy it");
        assert_eq!(said, &["CNY 6.00", "application/pdf", "application/epub+zip"]);
        assert!(ways.iter().any(|(rel, kind, ..)| (rel.as_str(), kind.as_str()) == ("sample", "text/html")));
        assert!(ways.iter().all(|(_, kind, ..)| !kind.starts_with("application/")), "{ways:?}");
    }
    for name in ["issue.pdf", "issue.epub"] {
        assert_eq!(visitor.get(&format!("{base}/{name}")).await.status(), StatusCode::FORBIDDEN, "{name}");
    }
    let manifest = |page: String| -> Value { serde_json::from_str(&page).unwrap() };
    let tried = manifest(visitor.page(&format!("{base}/manifest.json")).await);
    assert_eq!(tried["readingOrder"].as_array().unwrap().len(), 1, "the page that anybody may try");
    let json: Value = serde_json::from_str(&visitor.page("/epaper/feed-d/opds.json").await).unwrap();
    let buy = &json["publications"][0]["links"][0];
    assert_eq!(buy["properties"]["price"], serde_json::json!({ "value": 6.0, "currency": "CNY" }));
    assert_eq!(buy["properties"]["indirectAcquisition"][0]["type"], "application/pdf");

    let buyer = server.member("buyer@example.com", "10").await;
    let sale = location(&buyer.post(&format!("/manager/issue/{first}/purchase"), &[]).await);
    location(&buyer.post(&sale, &[("method", "balance")]).await);
    let answer = buyer.get(catalogue).await;
    assert_eq!(header(&answer, "cache-control"), "private, no-cache", "it is the buyer's alone");
    let bought = answer.text().await.unwrap();
    let bought = Document::parse(&bought).unwrap();
    let entries: Vec<_> =
        bought.root_element().children().filter(|node| node.has_tag_name("entry")).collect();
    let files = |entry: &Node| -> Vec<(String, String)> {
        let files = ways(&server, *entry).into_iter().filter(|(rel, ..)| rel == "acquisition");
        files.map(|(_, kind, href, _)| (kind, href)).collect()
    };
    assert!(files(&entries[0]).is_empty(), "the other one is still to be bought");
    let files = files(&entries[1]);
    assert_eq!(files.len(), 2, "{files:?}");
    for (kind, href) in files {
        let answer = buyer.get(&href).await;
        assert_eq!((answer.status(), header(&answer, "content-type")), (StatusCode::OK, kind));
    }
    let whole = manifest(buyer.page(&format!("{base}/manifest.json")).await);
    assert_eq!(whole["readingOrder"].as_array().unwrap().len(), 2);
    // nobody keeps it for others
    assert!(visitor.page(catalogue).await.contains("acquisition/buy"));
    let mine = follow(&server, &maker, &maker.page(catalogue).await).await;
    assert!(mine.contains(&("acquisition".to_owned(), "application/pdf".to_owned())), "{mine:?}");
    // of what nobody may try nothing is shown
    server.sql(&format!("update publications set preview_pages = 0 where id = '{title}'")).await;
    assert!(!visitor.page(catalogue).await.contains("image/jpeg"));
    assert_eq!(visitor.get(&format!("{base}/manifest.json")).await.status(), StatusCode::FORBIDDEN);
}

async fn a_catalogue_goes_on_to_the_first_issue(server: Server) {
    let maker = editor(&server).await;
    let (_, first) = out(&maker, "magazine", "feed-e", "2024-12-31", &[]).await;
    // more issues like it
    let columns = "publication_id, member_id, name, state, published_at, document, width, height, pages, picture_key, \
                   created_at, updated_at";
    for number in 1..=64 {
        let (id, day) =
            (format!("{first}-{number}"), format!("2025-{:02}-{:02}", number / 28 + 1, number % 28 + 1));
        server
            .sql(&format!(
                "insert into issues (id, day, year, number, total, {columns})
                 select '{id}', '{day}', 2025, {number}, {}, {columns} from issues where id = '{first}'",
                number + 1
            ))
            .await;
    }
    let visitor = server.visitor();
    let (mut path, mut ids, mut pages) = ("/magazine/feed-e/opds.xml".to_owned(), BTreeSet::new(), 0);
    loop {
        let text = visitor.page(&path).await;
        let feed = read(&text);
        ids.extend(feed.entries().iter().map(|entry| entry.id().to_owned()));
        pages += 1;
        let link =
            |rel: &str| feed.links().iter().find(|link| link.rel() == rel).map(|link| link.href().to_owned());
        assert_eq!(link("self"), Some(format!("{}{path}", server.base)));
        assert_eq!(link("previous").is_some(), pages > 1);
        let Some(next) = link("next") else { break };
        path = next.strip_prefix(&server.base).unwrap().to_owned();
    }
    assert_eq!((pages, ids.len()), (3, 65));
    // or of one year
    let text = visitor.page("/magazine/feed-e/opds.xml?year=2024").await;
    assert_eq!(read(&text).entries().len(), 1);
    let text = Document::parse(&text).unwrap();
    let facets: Vec<_> = text
        .descendants()
        .filter(|node| node.attribute("rel") == Some("http://opds-spec.org/facet"))
        .map(|node| (node.attribute("title").unwrap(), node.attribute((OPDS, "activeFacet"))))
        .collect();
    assert_eq!(facets, [("全部", None), ("2025 年", None), ("2024 年", Some("true"))]);
    let json: Value = serde_json::from_str(&visitor.page("/magazine/feed-e/opds.json?page=2").await).unwrap();
    assert_eq!(json["metadata"]["numberOfItems"], 65);
    assert_eq!(json["publications"].as_array().unwrap().len(), 30);
    let years: Vec<_> =
        json["navigation"].as_array().unwrap().iter().map(|link| link["title"].as_str().unwrap()).collect();
    assert_eq!(years, ["2025 年", "2024 年"]);
    for missing in ["page=4", "page=0", "page=x", "page=9223372036854775807", "year=1999", "year=x"] {
        for name in ["opds.xml", "opds.json"] {
            let answer = visitor.get(&format!("/magazine/feed-e/{name}?{missing}")).await;
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{name}?{missing}");
        }
    }
}

/// A work of three photos, shared, and its maker.
async fn shared(server: &Server, changes: &[(&str, &str)]) -> (Caller, String) {
    let maker = server.member("maker@example.com", "0").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    assert_eq!(maker.share_as(&work, changes).await.status(), StatusCode::SEE_OTHER);
    (maker, work)
}

async fn a_shared_work_has_a_manifest(server: Server) {
    let (maker, work) = shared(&server, &[("direction", "right"), ("epub", "1")]).await;
    let (visitor, address) = (server.visitor(), format!("/read/{work}/manifest.json"));
    let page = visitor.page(&format!("/read/{work}")).await;
    assert!(page.contains(&format!("rel=\"alternate\" type=\"application/divina+json\" href=\"{address}\"")));
    let answer = visitor.get(&address).await;
    assert_eq!(header(&answer, "content-type"), "application/divina+json");
    let tag = header(&answer, "etag");
    let said: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert_eq!(
        (&said["metadata"]["title"], &said["metadata"]["readingProgression"]),
        (&"山海之间".into(), &"rtl".into())
    );
    let links = said["links"].as_array().unwrap();
    assert_eq!(links[0]["href"], format!("{}{address}", server.base));
    let file =
        links.iter().find(|link| link["type"] == "application/epub+zip").unwrap()["href"].as_str().unwrap();
    let file = visitor.get(file.strip_prefix(&server.base).unwrap()).await;
    assert_eq!(file.status(), StatusCode::OK);
    let mut epub = zip::ZipArchive::new(std::io::Cursor::new(file.bytes().await.unwrap())).unwrap();
    let package = std::io::read_to_string(epub.by_name("EPUB/package.opf").unwrap()).unwrap();
    assert!(package.contains(said["metadata"]["identifier"].as_str().unwrap()), "{package}");
    let pages = said["readingOrder"].as_array().unwrap();
    assert_eq!(pages[0]["rel"], "cover");
    let place = pages[1]["href"].as_str().unwrap().strip_prefix(&server.base).unwrap().to_owned();
    let picture = visitor.get(&place).await;
    assert_eq!(header(&picture, "content-type"), "image/jpeg");
    let first = picture.bytes().await.unwrap();
    assert_eq!(image::guess_format(&first).unwrap(), image::ImageFormat::Jpeg);
    assert_eq!(visitor.get(&place).await.bytes().await.unwrap(), first, "made once");
    for other in ["1441.jpg", "720.png", ".jpg", "x"] {
        let wrong = place.replace("1440.jpg", other);
        assert_eq!(visitor.get(&wrong).await.status(), StatusCode::NOT_FOUND, "{other}");
    }
    let page = pages[1]["alternate"][0]["href"].as_str().unwrap().strip_prefix(&server.base).unwrap();
    assert_eq!(page, format!("/read/{work}/1"));
    let known = visitor.get_with(&address, &[("if-none-match", &tag)]).await;
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);

    for (visibility, expected) in
        [("link", StatusCode::OK), ("password", StatusCode::FORBIDDEN), ("private", StatusCode::NOT_FOUND)]
    {
        let fields = [("visibility", visibility), ("password", "lantern"), ("act", "save")];
        assert_eq!(maker.share_as(&work, &fields).await.status(), StatusCode::SEE_OTHER);
        for path in [&address, &format!("/read/{work}/card.jpg")] {
            let expected =
                if path != &address && visibility == "password" { StatusCode::NOT_FOUND } else { expected };
            assert_eq!(visitor.get(path).await.status(), expected, "{visibility} {path}");
        }
    }
    let picture = visitor.get(&place).await;
    assert_eq!(picture.status(), StatusCode::NOT_FOUND, "the same right as its page");
    // open once more, under addresses that nobody has yet
    maker.share_as(&work, &[("act", "save")]).await;
    let said: Value = serde_json::from_str(&visitor.page(&address).await).unwrap();
    let place =
        said["readingOrder"][1]["href"].as_str().unwrap().strip_prefix(&server.base).unwrap().to_owned();
    assert_eq!(visitor.get(&place).await.status(), StatusCode::OK);
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    for path in [&address, &place] {
        assert_eq!(visitor.get(path).await.status(), StatusCode::GONE, "{path}");
    }
}

async fn what_nobody_may_embed_is_offered_to_nobody(server: Server) {
    let (maker, work) = shared(&server, &[]).await;
    let visitor = server.visitor();
    let (read, asked) = (format!("/read/{work}"), format!("/oembed?url={}/read/{work}", server.base));
    assert_eq!(visitor.get(&asked).await.status(), StatusCode::NOT_FOUND);
    assert!(!visitor.page(&read).await.contains("json+oembed"));
    maker.share_as(&work, &[("embed_sites", "https://blog.example"), ("act", "save")]).await;
    let page = visitor.page(&read).await;
    let found = between(&page, "type=\"application/json+oembed\" href=\"", "\"").replace("&amp;", "&");
    let answer = visitor.get(found.strip_prefix(&server.base).unwrap()).await;
    assert_eq!(header(&answer, "content-type"), "application/json");
    let told: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert_eq!((&told["version"], &told["type"]), (&"1.0".into(), &"rich".into()));
    let sides = |told: &Value| {
        ["width", "height", "thumbnail_width", "thumbnail_height"].map(|side| told[side].as_u64())
    };
    let [Some(720), Some(_), Some(1200), Some(630)] = sides(&told) else { panic!("{told}") };
    let card = told["thumbnail_url"].as_str().unwrap().strip_prefix(&server.base).unwrap();
    let card = image::load_from_memory(&visitor.get(card).await.bytes().await.unwrap()).unwrap();
    assert_eq!((card.width(), card.height()), (1200, 630));
    // bounds are kept by everything that it names
    for (bounds, expected) in [
        ("maxwidth=400&maxheight=350", [Some(400), Some(350), Some(300), Some(300)]),
        ("maxwidth=50&maxheight=40", [Some(50), Some(40), None, None]),
    ] {
        let told: Value = serde_json::from_str(&visitor.page(&format!("{asked}&{bounds}")).await).unwrap();
        assert_eq!(sides(&told), expected, "{bounds}");
        assert!(expected[2].is_some() == told["thumbnail_url"].is_string());
    }
    let xml = visitor.get(&format!("{asked}&format=xml")).await;
    assert_eq!(xml.status(), StatusCode::NOT_IMPLEMENTED);
}

async fn a_frame_of_another_site_gets_no_cookie(server: Server) {
    let (maker, work) = shared(&server, &[("embed_sites", "https://blog.example")]).await;
    let own = maker.cookie("maker@example.com").await;
    let visitor = server.visitor();
    let unlocked = "bindery_read=a~1~b; bindery_styles=x";
    let jars = ["", &own, "bindery=AAAAAAAAAAAAAAAAAAAAAA", "bindery=", unlocked];
    let token = [("authorization", "no-such-token")];
    let silent = async |path: &str, expected: Option<StatusCode>| {
        for jar in jars {
            let answer = visitor.get_with(path, &[&[("cookie", jar)][..], &token].concat()).await;
            assert!(expected.is_none_or(|status| status == answer.status()), "{path}: {}", answer.status());
            assert!(!answer.headers().contains_key("set-cookie"), "{path} {jar}: {:?}", answer.headers());
            let page = answer.text().await.unwrap();
            assert!(!page.contains("这是您的作品"), "nobody is known there");
        }
        let answer = maker.get(path).await;
        assert!(!answer.headers().contains_key("set-cookie"), "{path}: a browser that is signed in");
    };
    let embed = format!("/embed/{work}");
    for (rest, expected) in [
        ("", Some(StatusCode::OK)),
        ("?view=pages", Some(StatusCode::OK)),
        ("?q=山", Some(StatusCode::OK)),
        ("/1", Some(StatusCode::OK)),
        ("/999", Some(StatusCode::NOT_FOUND)),
        ("/goto?page=1", Some(StatusCode::SEE_OTHER)),
        ("/a/b/c", None),
    ] {
        silent(&format!("{embed}{rest}"), expected).await;
    }
    silent("/embed", None).await;
    silent("/embed/none", Some(StatusCode::NOT_FOUND)).await;
    for jar in jars {
        let answer = visitor.post_with_cookie(&embed, jar, &[("password", "x")]).await;
        assert!(answer.status().is_client_error() && !answer.headers().contains_key("set-cookie"), "{jar}");
    }
    // other pages do set one, so that this says something
    assert!(server.visitor().get(&format!("/read/{work}")).await.headers().contains_key("set-cookie"));
    maker.share_as(&work, &[("visibility", "password"), ("password", "lantern"), ("act", "save")]).await;
    silent(&embed, Some(StatusCode::OK)).await;
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    silent(&embed, Some(StatusCode::GONE)).await;
}
