//! PDFs that were made to hurt: each is refused with a sentence, and nobody else notices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lopdf::{Dictionary, Object, Stream, dictionary};
use reqwest::StatusCode;

use support::documents::{a5, send};
use support::pdfs::Pdf;
use support::{Engine, Server, between};

/// Some hundred kilobytes that unpack to 16 GB.
fn swelling() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut spaces = Stream::new(Dictionary::new(), vec![b' '; 64 << 20]);
    spaces.compress().unwrap();
    let spaces = pdf.document.add_object(spaces);
    let contents: Vec<Object> = (0..256).map(|_| spaces.into()).collect();
    pdf.page_with(148.0, 210.0, "", dictionary! { "Contents" => contents }).bytes()
}

/// Forms that paint each other, ten times each, fifteen deep.
fn endless() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let form = |inside: Option<lopdf::ObjectId>| {
        let mut dict = dictionary! {
            "Type" => "XObject", "Subtype" => "Form", "BBox" => vec![0.into(), 0.into(), 400.into(), 600.into()],
        };
        if let Some(inside) = inside {
            dict.set("Resources", dictionary! { "XObject" => dictionary! { "X" => inside } });
        }
        let content = if inside.is_some() { "/X Do ".repeat(10) } else { "0 0 300 300 re f".to_owned() };
        Stream::new(dict, content.into_bytes())
    };
    let mut inner = pdf.document.add_object(form(None));
    for _ in 0..15 {
        inner = pdf.document.add_object(form(Some(inner)));
    }
    let content = pdf.document.add_object(Stream::new(Dictionary::new(), b"/X Do".to_vec()));
    let resources = dictionary! { "XObject" => dictionary! { "X" => inner } };
    pdf.add(148.0, 210.0, content, dictionary! { "Resources" => resources }).bytes()
}

/// A tree of pages that is its own branch.
fn looping() -> Vec<u8> {
    let good = String::from_utf8_lossy(&a5(&["x"])).into_owned();
    let pages = between(&good, "/Pages ", " ");
    let kids = between(&good, "/Kids[", "]");
    // as long as before, so that all places in the file stay right
    let own = format!("{pages:>width$} 0 R", width = kids.len() - " 0 R".len());
    good.replace(&format!("/Kids[{kids}]"), &format!("/Kids[{own}]")).into_bytes()
}

/// One page, half a million times.
fn countless() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let page = pdf.document.add_object(dictionary! { "Type" => "Page" });
    let kids: Vec<Object> = (0..500_000).map(|_| page.into()).collect();
    let branch =
        pdf.document.add_object(dictionary! { "Type" => "Pages", "Count" => 500_000, "Kids" => kids });
    pdf.page_with(148.0, 210.0, "", dictionary! { "Type" => "Pages", "Kids" => vec![branch.into()] }).bytes()
}

/// Brackets in brackets.
fn nested() -> Vec<u8> {
    let mut bytes = a5(&["x"]);
    let deep = [b"99 0 obj\n".to_vec(), vec![b'['; 2_000_000], b"\nendobj\n".to_vec()].concat();
    let at = bytes.windows(5).position(|window| window == b"%PDF-").unwrap() + 9;
    // every place behind it is wrong now, so the file is searched from its beginning
    bytes.splice(at..at, deep);
    bytes
}

#[tokio::test]
async fn hostile_files_cost_nobody_anything() {
    let server = Arc::new(Server::start(Engine::Sqlite).await.unwrap());
    let member = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let before = server.peak_memory();

    let done = Arc::new(AtomicBool::new(false));
    let over = done.clone();
    let asking = tokio::spawn(async move {
        let mut slowest = Duration::ZERO;
        while !over.load(Ordering::Relaxed) {
            let asked = Instant::now();
            assert_eq!(other.get("/manager/opus_list/all").await.status(), StatusCode::OK);
            slowest = slowest.max(asked.elapsed());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        slowest
    });

    let hostile: [(&str, Vec<u8>); 5] = [
        ("swelling", swelling()),
        ("endless", endless()),
        ("looping", looping()),
        ("countless", countless()),
        ("nested", nested()),
    ];
    for (name, bytes) in hostile {
        assert!(bytes.len() < 6 << 20, "{name} is {} bytes", bytes.len());
        let sent = Instant::now();
        let answer = send(&member, &[("title", name)], Some(("a.pdf", bytes))).await;
        let (status, took) = (answer.status(), sent.elapsed());
        let page = answer.text().await.unwrap();
        // brackets that nothing refers to harm nobody
        if name == "nested" && status == StatusCode::SEE_OTHER {
            continue;
        }
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        let said = between(&page, "<a href=\"#file\">", "<");
        eprintln!("{name}: {said} ({took:?})");
        assert!(!said.is_empty() && took < Duration::from_secs(40), "{name}: {said} after {took:?}");
    }
    done.store(true, Ordering::Relaxed);
    let slowest = asking.await.unwrap();
    let peak = server.peak_memory();
    eprintln!("the slowest page took {slowest:?}; {before} MB before, {peak} MB at most");
    assert!(peak < 400, "{peak} MB");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
    // and a good file is taken after all of them
    let answer = send(&member, &[("title", "好")], Some(("b.pdf", a5(&["x"])))).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
}
