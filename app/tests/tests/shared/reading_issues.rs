//! /epaper and /magazine as rooms to read in: what a reader marks and writes, where it has come to, what it finds and saves, and
//! that nobody gets a page that way which is not open to them.

use std::collections::BTreeSet;

use reqwest::StatusCode;
use reqwest::multipart::Form;
use serde_json::Value;

use support::pdfs::Pdf;
use support::publications::{editor, issue, out, paper, set, sheet, title};
use support::wait::until;
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    an_issue_is_marked_and_written_on,
    an_issue_is_searched_as_far_as_it_is_open,
    an_issue_is_saved_by_who_may_read_all_of_it,
    ; on_sqlite:
    an_article_is_one_link_however_many_areas_it_has,
    two_pages_lie_side_by_side,
);

/// An issue of two pages of which the first may be tried.
const SOLD: [(&str, &str); 3] = [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "1")];
const NOTES: &str = "/manager/book-study/notes";

/// A form about an issue.
fn of<'a>(issue: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("kind", "issue"), ("id", issue)], more].concat()
}

/// Buys an issue from the balance.
async fn bought(reader: &Caller, issue: &str) {
    let sale = location(&reader.post(&format!("/manager/issue/{issue}/purchase"), &[]).await);
    location(&reader.post(&sale, &[("method", "balance")]).await);
}

/// The maker of a withdrawn issue gives its reader the money back.
async fn given_back(maker: &Caller, reader: &Caller, issue: &str) {
    let all = [("act", "withdraw"), ("refund", "all")];
    location(&maker.post(&format!("/manager/epaper_issue/{issue}/state"), &all).await);
    until("the money is back", async || reader.balance().await == "10.00").await;
}

async fn an_issue_is_marked_and_written_on(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "room-a", "2026-01-10", &SOLD).await;
    let reader = server.member("reader@example.com", "10").await;
    let base = "/epaper/room-a/2026-01-10";
    let (first, second) = (format!("{base}/1"), format!("{base}/2"));
    let marks = "/manager/book-study/bookmarks";
    // of what is not open nothing can be marked, and nothing shows where it would be
    let mark = of(&id, &[("page", "2"), ("act", "set")]);
    assert_eq!(reader.post(marks, &mark).await.status(), StatusCode::NOT_FOUND);
    assert!(!reader.page(&second).await.contains("夹书签"));
    assert!(!server.visitor().page(&first).await.contains("夹书签"), "who is nobody has no study");
    bought(&reader, &id).await;
    assert_eq!(location(&reader.post(marks, &mark).await), second);
    let page = reader.page(&second).await;
    assert!(page.contains("拿掉书签"), "{page}");
    assert!(page.contains(&format!("data-kind=\"issue\" data-volume=\"{id}\" data-page=\"2\"")), "{page}");

    let note = |words| of(&id, &[("page", "2"), ("note", "a-note-room-a"), ("words", words)]);
    let long = "长".repeat(2_001);
    let refused = reader.post(NOTES, &note(&long)).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let refused = refused.text().await.unwrap();
    assert!(refused.contains("一条笔记最多 2000 个字") && refused.contains(&long), "what was typed is there");
    assert_eq!(location(&reader.post(NOTES, &note("周末去看看")).await), format!("{second}#notes"));
    assert!(reader.page(&second).await.contains("周末去看看"));
    assert!(!maker.page(&second).await.contains("周末去看看"), "nobody else's");
    let list = reader.page(NOTES).await;
    assert!(
        list.contains("《西湖晚报 2026-01-10》第 2 页") && list.contains(&format!("href=\"{second}\"")),
        "{list}"
    );

    // where it has come to is known on the title's own page and in the study
    let place = of(&id, &[("page", "2"), ("ago", "5")]);
    assert_eq!(reader.post("/manager/book-study/place", &place).await.status(), StatusCode::NO_CONTENT);
    let home = reader.page("/epaper/room-a").await;
    assert!(home.contains("继续第 2 版") && home.contains(&format!("data-start=\"{id}\"")), "{home}");
    let study = reader.page("/manager/book-study").await;
    assert!(
        study.contains("西湖晚报 2026-01-10") && study.contains(&format!("href=\"{second}\"")),
        "{study}"
    );

    // what is withdrawn is read on by whoever bought it; given back it leads nowhere, and the note stays its reader's
    set(&maker, "epaper", &id, "withdraw").await;
    let list = reader.page(NOTES).await;
    assert!(list.contains("周末去看看") && list.contains(&format!("href=\"{second}\"")), "{list}");
    assert_eq!(location(&reader.post(marks, &mark).await), second);
    given_back(&maker, &reader, &id).await;
    let list = reader.page(NOTES).await;
    assert!(list.contains("周末去看看") && !list.contains(&format!("href=\"{second}\"")), "{list}");
    assert_eq!(reader.post(marks, &mark).await.status(), StatusCode::NOT_FOUND);
}

async fn an_issue_is_searched_as_far_as_it_is_open(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "room-b", "2026-01-10", &SOLD).await;
    let base = "/epaper/room-b/2026-01-10";
    let ask = |words: &str| format!("{base}/search?q={words}");
    let hits = |page: &str| between_all(page, "<li><a href=\"/epaper/room-b/2026-01-10/", "?q=");
    let visitor = server.visitor();
    let form = visitor.page(&format!("{base}/search")).await;
    assert!(
        form.contains("role=\"search\"") && form.contains("noindex") && !form.contains("没有找到"),
        "{form}"
    );
    // the same words stand on both pages, of which one is open
    let page = visitor.page(&ask("UMBRELLA")).await;
    assert_eq!(hits(&page), ["a/2"], "{page}");
    assert!(page.contains("<mark>umbrella</mark>") && page.contains("只搜索了可以试读的前 1 版"), "{page}");
    for closed in ["library", "football"] {
        let page = visitor.page(&ask(closed)).await;
        assert!(page.contains("没有找到") && hits(&page).is_empty(), "{closed}: {page}");
    }
    assert!(visitor.page(&ask("%25")).await.contains("没有找到"), "no pattern");
    let found = visitor.page(&format!("{base}/a/2?q=umbrella")).await;
    assert!(found.contains("<mark>umbrella</mark>"), "{found}");
    let marked = visitor.page(&format!("{base}/1?q=umbrella")).await;
    assert_eq!(between(&marked, "class=\"marks\"", "</svg>").matches("<rect").count(), 1, "{marked}");
    let closed = visitor.page(&format!("{base}/2?q=umbrella")).await;
    assert!(!closed.contains("umbrella</mark>") && !closed.contains("class=\"marks\""), "{closed}");

    let reader = server.member("reader@example.com", "10").await;
    bought(&reader, &id).await;
    let page = reader.page(&ask("umbrella")).await;
    assert_eq!(hits(&page), ["a/2", "a/4"], "{page}");
    assert_eq!(hits(&reader.page(&ask("football")).await), ["a/4"]);

    // where no article says the words, the page itself is found, and says them
    let magazine = title(&maker, "magazine", "room-b-m", &[]).await;
    let id = issue(&maker, "magazine", &magazine, "2026-01-10", paper()).await;
    set(&maker, "magazine", &id, "publish").await;
    // on a busy machine they are read by a job
    let football = "/magazine/room-b-m/1/search?q=football";
    until("the words are read", async || !visitor.page(football).await.contains("的文字正在读")).await;
    let page = visitor.page(football).await;
    assert_eq!(between_all(&page, "<li><a href=\"/magazine/room-b-m/1/", "?q="), ["2"], "{page}");
    let page = visitor.page("/magazine/room-b-m/1/2?q=football").await;
    assert!(
        page.contains("第 2 页的文字") && page.to_lowercase().contains("<mark>football</mark>"),
        "{page}"
    );
}

async fn an_issue_is_saved_by_who_may_read_all_of_it(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "room-c", "2026-01-10", &SOLD).await;
    let base = "/epaper/room-c/2026-01-10";
    let list = format!("{base}/offline?width=720");
    let (visitor, reader) = (server.visitor(), server.member("reader@example.com", "10").await);
    for nobody in [&visitor, &reader] {
        assert_eq!(nobody.get(&list).await.status(), StatusCode::FORBIDDEN, "a part of it is not saved");
        assert!(!nobody.page(&format!("{base}/1")).await.contains("data-offline"));
    }
    bought(&reader, &id).await;
    assert!(reader.page(&format!("{base}/1")).await.contains(&format!("data-offline=\"{base}\"")));
    let read = async || -> Value { serde_json::from_str(&reader.page(&list).await).unwrap() };
    until("the pages are drawn", async || read().await["ready"] == true).await;
    let saved = read().await;
    let addresses: Vec<&str> =
        saved["addresses"].as_array().unwrap().iter().map(|address| address.as_str().unwrap()).collect();
    let unique: BTreeSet<_> = addresses.iter().collect();
    assert_eq!(unique.len(), addresses.len(), "each once: {addresses:?}");
    let mut bytes = 0;
    for address in &addresses {
        let answer = reader.get(address).await;
        assert_eq!(answer.status(), StatusCode::OK, "{address}");
        if address.contains("/picture/") {
            assert!(address.ends_with("/720"), "{address}");
            bytes += answer.bytes().await.unwrap().len();
        }
    }
    for expected in ["/1", "/2", "/a/1", "/a/2", "/a/3", "/a/4"] {
        assert!(addresses.contains(&&*format!("{base}{expected}")), "{expected}: {addresses:?}");
    }
    let told = saved["bytes"].as_u64().unwrap();
    assert!(told >= bytes as u64 && told < bytes as u64 + 8 * 20_000, "{told} of {bytes}");
    let key = saved["key"].as_str().unwrap();
    assert!(addresses.iter().any(|address| address.contains(&format!("/picture/{key}/2/"))));

    // a browser hears of the end when it asks for the list again
    set(&maker, "epaper", &id, "withdraw").await;
    assert_eq!(visitor.get(&list).await.status(), StatusCode::GONE);
    assert_eq!(reader.get(&list).await.status(), StatusCode::OK, "what was bought stays");
    given_back(&maker, &reader, &id).await;
    assert_eq!(reader.get(&list).await.status(), StatusCode::GONE);
    let worker = visitor.get("/read/worker.js").await;
    assert_eq!(worker.headers()["service-worker-allowed"], "/", "newspapers lie beside it");
    let worker = worker.text().await.unwrap();
    assert!(!worker.contains("import"), "it is one file: {worker}");
}

async fn an_article_is_one_link_however_many_areas_it_has(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "room-d", "2026-01-10", &[]).await;
    let desk = format!("/manager/epaper_issue/{id}/1");
    // on a busy machine they are proposed by a job
    until("articles are proposed", async || maker.page(&desk).await.contains("?article=")).await;
    let article = between(&maker.page(&desk).await, "?article=", "\"").replace("#form", "");
    let six = ["10 500 100 50", "150 500 100 50", "300 500 100 50", "450 500 100 50", "600 500 100 50"];
    let form = [
        ("article", &*article),
        ("title", "七块的稿件"),
        ("text", "一段。"),
        ("x", "100"),
        ("y", "100"),
        ("width", "500"),
        ("height", "200"),
        ("areas", &[&six[..], &["750 500 100 50"]].concat().join("\n")),
        ("act", "keep"),
    ];
    let form = form
        .iter()
        .fold(Form::new(), |form, (name, value)| form.text((*name).to_owned(), (*value).to_owned()));
    assert_eq!(location(&maker.post_multipart(&desk, form).await), format!("{desk}?done=kept"));
    let page = server.visitor().page("/epaper/room-d/2026-01-10/1").await;
    let areas = between(&page, "<svg viewBox=\"0 0 1000 1000\"", "</svg>");
    let links: Vec<&str> = areas.split("<a ").skip(1).filter(|link| link.contains("七块的稿件")).collect();
    assert_eq!(links.len(), 1, "{areas}");
    assert_eq!(links[0].matches("<rect").count(), 7, "{areas}");
    assert_eq!(between_all(&areas, "aria-label=\"", "\""), ["七块的稿件", "Weather"], "as they are read");
}

async fn two_pages_lie_side_by_side(server: Server) {
    let maker = editor(&server).await;
    let magazine = title(&maker, "magazine", "room-e", &tried("3")).await;
    let id = issue(&maker, "magazine", &magazine, "2026-01-10", pdf_of(6)).await;
    set(&maker, "magazine", &id, "publish").await;
    let beside = async |caller: &Caller, page: usize| {
        let page = caller.page(&format!("/magazine/room-e/1/{page}")).await;
        between_all(&page, "data-sheet=\"", "\"").join(" ")
    };
    let visitor = server.visitor();
    assert_eq!(beside(&visitor, 1).await, "1", "the front stands alone");
    assert_eq!(beside(&visitor, 2).await, "2 3");
    assert_eq!(beside(&maker, 4).await, "4 5");
    assert_eq!(beside(&maker, 6).await, "6");
    // beside what may be tried nothing is laid that may not
    let more = title(&maker, "magazine", "room-f", &tried("2")).await;
    let id = issue(&maker, "magazine", &more, "2026-01-10", pdf_of(6)).await;
    set(&maker, "magazine", &id, "publish").await;
    let page = visitor.page("/magazine/room-f/1/2").await;
    assert!(page.contains("/2/720") && !page.contains("/3/720") && !page.contains("Story 3"), "{page}");
    assert!(
        page.contains("rel=\"next\" href=\"/magazine/room-f/1/3\""),
        "the way on leads to where it is bought"
    );
}

/// What is sold, but for so many pages.
fn tried(pages: &str) -> [(&'static str, &str); 3] {
    [("reading", "sold"), ("issue_price", "6"), ("preview_pages", pages)]
}

/// So many pages.
fn pdf_of(pages: usize) -> Vec<u8> {
    (1..=pages).fold(Pdf::new(), |pdf, number| sheet(pdf, &format!("Story {number}"), "Another")).bytes()
}
