//! What browsers keep of pages: they go back to one at once, ask whether it is still the same, and forget it with whoever leaves.

use reqwest::{Response, StatusCode};

use support::shelf::album;
use support::{Server, between, on_both_engines};

on_both_engines!(
    a_page_that_did_not_change_is_not_sent_again,
    what_is_another_each_time_stands_at_the_end_and_is_unpacked,
    whoever_leaves_takes_what_the_browser_kept,
    ; on_sqlite:
    a_form_that_makes_one_thing_is_kept_by_nobody,
);

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

async fn a_page_that_did_not_change_is_not_sent_again(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let path = "/manager/order";
    // the first showing has the styles inside
    member.page(path).await;
    let answer = member.get(path).await;
    let (tag, policy) =
        (header(&answer, "etag").to_owned(), header(&answer, "content-security-policy").to_owned());
    assert_eq!(header(&answer, "cache-control"), "private, no-cache");
    let vary = header(&answer, "vary").to_owned();
    assert!(vary.contains("cookie") && vary.contains("accept-encoding"), "{vary}");
    let page = answer.text().await.unwrap();
    assert_eq!(page, member.page(path).await, "byte for byte");
    let known = [("if-none-match", tag.as_str())];
    let same = member.get_with(path, &known).await;
    assert_eq!(same.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(header(&same, "etag"), tag);
    assert_eq!(header(&same, "vary"), vary);
    // its headers take the place of those that are kept
    let without_nonce = |policy: &str| policy.replace(&between(policy, "'nonce-", "'"), "");
    assert_eq!(without_nonce(header(&same, "content-security-policy")), without_nonce(&policy));
    assert!(same.text().await.unwrap().is_empty());

    assert_eq!(other.get_with(path, &known).await.status(), StatusCode::OK, "another's is another");
    member.cart_with_album().await;
    assert_eq!(member.get_with(path, &known).await.status(), StatusCode::OK, "its cart has one more");
}

async fn what_is_another_each_time_stands_at_the_end_and_is_unpacked(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    album(&member, "海边的夏天").await;
    let path = "/manager/opus_list/all";
    member.page(path).await;
    let answer = member.get(path).await;
    assert_eq!(header(&answer, "etag"), "", "it is never the same");
    let (first, second) = (answer.text().await.unwrap(), member.page(path).await);
    let shown = |page: &str| between(page, "name=\"copy\" value=\"", "\"");
    assert_ne!(shown(&first), shown(&second));
    assert_eq!(first.replace(&shown(&first), ""), second.replace(&shown(&second), ""));
    assert!(first.ends_with(" data-once></body></html>"), "{first}");
    // packed by one program, unpacked by another
    for _ in 0..2 {
        let packed = member.get_with(path, &[("accept-encoding", "br")]).await;
        assert_eq!(header(&packed, "content-encoding"), "br");
        let page = unpacked(&packed.bytes().await.unwrap());
        assert_eq!(page.replace(&shown(&page), ""), first.replace(&shown(&first), ""));
    }
}

fn unpacked(packed: &[u8]) -> String {
    let mut page = Vec::new();
    brotli::BrotliDecompress(&mut &*packed, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

async fn whoever_leaves_takes_what_the_browser_kept(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let path = "/manager/order";
    let page = member.page(path).await;
    let tag = header(&member.get(path).await, "etag").to_owned();
    assert_eq!(between(&page, "data-here=\"", "\"").len(), 12, "whose it is");
    let answer = member.post("/manager/logout", &[]).await;
    assert_eq!(header(&answer, "clear-site-data"), "\"cache\"");
    let cookies: Vec<&str> =
        answer.headers().get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap()).collect();
    assert!(cookies.iter().any(|cookie| cookie.starts_with("bindery_styles=;")), "{cookies:?}");
    // nobody is told that a member's page is still the same
    let answer = member.get_with(path, &[("if-none-match", &tag)]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let door = member.page("/manager/login").await;
    assert!(door.contains("data-here=\"\""), "it is nobody's");
    assert!(!member.page("/about").await.contains("data-here"), "and this everybody's");
}

async fn a_form_that_makes_one_thing_is_kept_by_nobody(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let album = album(&member, "海边的夏天").await;
    for path in
        [format!("/manager/add_shopping/{album}"), "/manager/opus_import".into(), "/manager/login".into()]
    {
        let answer = member.get(&path).await;
        assert_eq!(header(&answer, "cache-control"), "private, no-store", "{path}");
        assert_eq!(header(&answer, "etag"), "", "{path}");
    }
}
