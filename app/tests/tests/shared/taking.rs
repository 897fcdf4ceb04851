//! /read/{work}/book.pdf, book.epub and offline: what readers take away of a work, and that they can't when they may not.

use reqwest::{Method, Response, StatusCode};
use serde_json::Value;

use support::wait::until;
use support::{Caller, Server, jpeg, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    files_are_for_whoever_may_read_all,
    parts_of_a_file_are_sent_as_the_standard_says,
    a_work_is_saved_while_it_may_be_read,
);

async fn shared(server: &Server, changes: &[(&str, &str)]) -> (Caller, String) {
    let maker = server.member_of("maker@example.com", "0", "超级会员").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    assert_eq!(maker.share_as(&work, changes).await.status(), StatusCode::SEE_OTHER);
    (maker, work)
}

async fn files_are_for_whoever_may_read_all(server: Server) {
    let (maker, work) = shared(&server, &[("pdf", "1"), ("epub", "1")]).await;
    let visitor = server.visitor();
    let read = format!("/read/{work}");
    let cover = visitor.page(&read).await;
    for (name, start, kind) in [
        ("book.pdf", b"%PDF".as_slice(), "application/pdf"),
        ("book.epub", b"PK\x03\x04".as_slice(), "application/epub+zip"),
    ] {
        let address = format!("{read}/{name}");
        assert!(cover.contains(&address), "{name}");
        let whole = visitor.get(&address).await;
        assert_eq!(whole.status(), StatusCode::OK, "{name}");
        assert_eq!(whole.headers()["content-type"], kind);
        let named = whole.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(named.contains("%E5%B1%B1%E6%B5%B7%E4%B9%8B%E9%97%B4."), "{named}");
        let whole = whole.bytes().await.unwrap();
        assert!(whole.starts_with(start), "{name}");
        let end = visitor.get_with(&address, &[("range", "bytes=-5")]).await;
        assert_eq!(end.status(), StatusCode::PARTIAL_CONTENT);
        assert_eq!(end.bytes().await.unwrap(), whole[whole.len() - 5..]);
    }
    // one is not allowed any more
    maker.share_as(&work, &[("epub", "1"), ("act", "save")]).await;
    assert_eq!(visitor.get(&format!("{read}/book.pdf")).await.status(), StatusCode::NOT_FOUND);
    assert!(!visitor.page(&read).await.contains("book.pdf"));
    // what is sold is not given away, and a password is asked for
    let sold = [("reading", "sold"), ("price", "9.90"), ("preview_pages", "1"), ("epub", "1")];
    maker.share_as(&work, &sold).await;
    assert_eq!(visitor.get(&format!("{read}/book.epub")).await.status(), StatusCode::FORBIDDEN);
    assert_eq!(maker.get(&format!("{read}/book.epub")).await.status(), StatusCode::OK);
    maker.share_as(&work, &[("visibility", "password"), ("password", "lantern"), ("epub", "1")]).await;
    assert_eq!(visitor.get(&format!("{read}/book.epub")).await.status(), StatusCode::SEE_OTHER);
    maker.share_as(&work, &[("epub", "1")]).await;
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    assert_eq!(visitor.get(&format!("{read}/book.epub")).await.status(), StatusCode::GONE);
}

/// RFC 9110, sections 13 and 14.
async fn parts_of_a_file_are_sent_as_the_standard_says(server: Server) {
    let (_, work) = shared(&server, &[("pdf", "1")]).await;
    let (visitor, address) = (server.visitor(), format!("/read/{work}/book.pdf"));
    let answer = visitor.get(&address).await;
    let header = |answer: &Response, name: &str| {
        answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned())
    };
    let (tag, changed) = (header(&answer, "etag").unwrap(), header(&answer, "last-modified").unwrap());
    assert!(tag.starts_with('"') && header(&answer, "accept-ranges").as_deref() == Some("bytes"), "{tag}");
    let whole = answer.bytes().await.unwrap();
    let size = whole.len();
    let last = size - 1;
    let (weak, beyond) = (format!("W/{tag}"), format!("bytes={size}-"));
    let many = format!("bytes={}0-", "0-,".repeat(1000));
    let earlier = "Sun, 06 Nov 1994 08:49:37 GMT";
    let part = |from: usize, to: usize| Some((from, to));
    /// What is asked, the status, and which bytes come.
    type Case<'a> = (Vec<(&'a str, &'a str)>, u16, Option<(usize, usize)>);
    let cases: Vec<Case> = vec![
        (vec![("range", "bytes=0-99")], 206, part(0, 99)),
        (vec![("range", "bytes=-7")], 206, part(size - 7, last)),
        (vec![("range", "bytes=100-")], 206, part(100, last)),
        (vec![("range", "bytes=0-99999999999")], 206, part(0, last)),
        (vec![("range", "bytes=-99999999999")], 206, part(0, last)),
        (vec![("range", "bytes=5-9,99999999999-")], 206, part(5, 9)),
        (vec![("range", "bytes=0-1,5-9")], 200, None),
        (vec![("range", &*many)], 200, None),
        (vec![("range", "pages=1-2")], 200, None),
        (vec![("range", "bytes=9-5")], 200, None),
        (vec![("range", &*beyond)], 416, None),
        (vec![("range", "bytes=-0")], 416, None),
        (vec![("range", "bytes=0-9"), ("if-range", &*tag)], 206, part(0, 9)),
        (vec![("range", "bytes=0-9"), ("if-range", &*changed)], 206, part(0, 9)),
        (vec![("range", "bytes=0-9"), ("if-range", &*weak)], 200, None),
        (vec![("range", "bytes=0-9"), ("if-range", "\"another\"")], 200, None),
        (vec![("range", "bytes=0-9"), ("if-range", earlier)], 200, None),
        (vec![("range", &*beyond), ("if-range", "\"another\"")], 200, None),
        // whether anything is sent at all is decided first
        (vec![("range", "bytes=0-9"), ("if-none-match", &*tag)], 304, None),
        (vec![("range", &*beyond), ("if-match", "\"another\"")], 412, None),
    ];
    for (headers, status, expected) in cases {
        let answer = visitor.get_with(&address, &headers).await;
        assert_eq!(answer.status(), status, "{headers:?}");
        let range = header(&answer, "content-range");
        let body = answer.bytes().await.unwrap();
        match (status, expected) {
            (206, Some((from, to))) => {
                assert_eq!(range, Some(format!("bytes {from}-{to}/{size}")), "{headers:?}");
                assert_eq!(body, whole[from..=to], "{headers:?}");
            }
            (416, _) => assert_eq!(range, Some(format!("bytes */{size}")), "{headers:?}"),
            (200, _) => assert!(range.is_none() && body == whole, "{headers:?}"),
            _ => assert!(range.is_none() && body != whole, "{headers:?}"),
        }
    }
    for headers in [&[][..], &[("range", "bytes=0-9")], &[("range", &*beyond)]] {
        let answer = visitor.bare(Method::HEAD, &address, headers).await;
        assert_eq!(answer.status(), 200, "{headers:?}");
        assert_eq!(header(&answer, "content-length"), Some(size.to_string()));
        assert_eq!(header(&answer, "etag").as_ref(), Some(&tag));
    }
}

async fn a_work_is_saved_while_it_may_be_read(server: Server) {
    let (maker, work) = shared(&server, &[]).await;
    let visitor = server.visitor();
    let address = format!("/read/{work}/offline?width=720");
    let list = async || -> Value {
        serde_json::from_str(&visitor.get(&address).await.text().await.unwrap()).unwrap()
    };
    // behind the pages of all who share the server
    until("its pictures are drawn by a job", async || list().await["ready"] == true).await;
    let known = list().await;
    assert!(known["bytes"].as_u64().unwrap() > 10_000);
    for address in known["addresses"].as_array().unwrap() {
        assert_eq!(visitor.get(address.as_str().unwrap()).await.status(), StatusCode::OK, "{address}");
    }
    let worker = visitor.get("/read/worker.js").await;
    assert!(worker.headers()["content-type"].to_str().unwrap().starts_with("text/javascript"));
    // fewer people may read it: what was saved goes on the next contact
    maker.share_as(&work, &[("visibility", "password"), ("password", "lantern")]).await;
    assert_eq!(visitor.get(&address).await.status(), StatusCode::FORBIDDEN);
    maker.share_as(&work, &[("reading", "sold"), ("price", "9.90"), ("preview_pages", "1")]).await;
    assert_eq!(visitor.get(&address).await.status(), StatusCode::FORBIDDEN);
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    assert_eq!(visitor.get(&address).await.status(), StatusCode::GONE);
}
