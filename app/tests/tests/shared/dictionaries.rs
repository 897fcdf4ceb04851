//! Pages as they are sent to a browser that has what they have in common (RFC 9842): what they have beyond it.

use base64::Engine as _;
use reqwest::{Response, StatusCode};
use sha2::{Digest, Sha256};

use support::shelf::album;
use support::{Caller, Server, between, jpeg, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    a_member_is_sent_what_a_page_has_of_its_own,
    a_reader_is_sent_what_a_page_has_of_its_own,
    nothing_is_left_out_for_who_does_not_have_it,
);

/// What Chromium takes, and what it took before.
const TAKEN: &str = "gzip, deflate, br, zstd, dcb, dcz";
const BROTLI: &str = "gzip, deflate, br";
/// The most that the words of a small page take, in bytes.
const MOST: usize = 1500;

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// The dictionary that a page names, and how a browser says that it has it.
async fn dictionary(caller: &Caller, path: &str, of: &str) -> (Vec<u8>, String) {
    // whoever sees one page needs none
    caller.page(path).await;
    let address = between(&caller.page(path).await, "<link rel=\"compression-dictionary\" href=\"", "\"");
    let answer = caller.get(&address).await;
    assert_eq!(header(&answer, "use-as-dictionary"), format!("match=\"{of}\", match-dest=(\"document\")"));
    assert_eq!(header(&answer, "cache-control"), "public, max-age=31536000, immutable");
    let text = answer.bytes().await.unwrap().to_vec();
    let digest = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(&text));
    (text, format!(":{digest}:"))
}

/// Asks for a page as a browser does that has the dictionary; answers the page and in how many bytes it came.
async fn beyond(caller: &Caller, path: &str, dictionary: &(Vec<u8>, String)) -> (String, usize) {
    // it turns a page
    let from = format!("{}{path}", caller.base);
    let had = [("accept-encoding", TAKEN), ("available-dictionary", &dictionary.1), ("referer", &from)];
    let answer = caller.get_with(path, &had).await;
    assert_eq!((answer.status(), header(&answer, "content-encoding")), (StatusCode::OK, "dcz"), "{path}");
    let vary: Vec<&str> =
        answer.headers().get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
    let vary = vary.join(", ");
    assert!(vary.contains("accept-encoding") && vary.contains("available-dictionary"), "{path}: {vary}");
    let packed = answer.bytes().await.unwrap();
    let unpacking = zstd::Decoder::with_dictionary(&packed[..], &dictionary.0).unwrap();
    (std::io::read_to_string(unpacking).unwrap(), packed.len())
}

/// A page without what is another one each time.
fn same(page: &str) -> &str {
    let ends = ["<input type=\"hidden\" form=", "<div hidden data-counted="];
    ends.iter().filter_map(|end| page.find(end)).min().map_or(page, |end| &page[..end])
}

async fn each_is_small_and_whole(caller: &Caller, paths: &[&str], of: &str) {
    let dictionary = dictionary(caller, paths[0], of).await;
    for path in paths {
        // a first time has styles inside
        caller.page(path).await;
        let plain = caller.page(path).await;
        let (page, bytes) = beyond(caller, path, &dictionary).await;
        assert_eq!(same(&page), same(&plain), "{path}");
        assert!(page.ends_with("</body></html>"), "{path}");
        let brotli = caller.get_with(path, &[("accept-encoding", BROTLI)]).await.bytes().await.unwrap().len();
        println!("{path}: {bytes} bytes, {brotli} in brotli alone");
        assert!(bytes <= MOST && 3 * bytes <= 2 * brotli, "{path}: {bytes} bytes, {brotli} in brotli alone");
    }
}

async fn a_member_is_sent_what_a_page_has_of_its_own(server: Server) {
    let member = server.member("words@example.com", "0").await;
    for title in ["雨季来信", "祖父的木匠铺", "第一次远行"] {
        album(&member, title).await;
    }
    member.cart_with_album().await;
    let pages = ["/manager/opus_list/all", "/manager/order", "/manager/photos", "/manager/userInfo"];
    each_is_small_and_whole(&member, &pages, "/manager/*").await;
}

async fn a_reader_is_sent_what_a_page_has_of_its_own(server: Server) {
    let maker = server.member("maker@example.com", "0").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "雨季来信", &photos).await;
    maker.share_as(&work, &[]).await;
    let pages = [format!("/read/{work}"), format!("/read/{work}/1"), format!("/read/{work}/2")];
    let visitor = server.visitor();
    assert!(!visitor.page(&pages[0]).await.contains("compression-dictionary"), "it may stay the only one");
    each_is_small_and_whole(&visitor, &pages.each_ref().map(String::as_str), "/*").await;
}

async fn nothing_is_left_out_for_who_does_not_have_it(server: Server) {
    let member = server.member("words@example.com", "0").await;
    let path = "/manager/order";
    let (_, said) = dictionary(&member, path, "/manager/*").await;
    let unknown = format!(":{}:", base64::engine::general_purpose::STANDARD.encode([7; 32]));
    for (taken, had, coding) in [
        (TAKEN, None, "br"),
        (TAKEN, Some(&unknown), "br"),
        (BROTLI, Some(&said), "br"),
        ("gzip, dcz;q=0, br", Some(&said), "br"),
        ("identity", Some(&said), ""),
        (TAKEN, Some(&said), "dcz"),
    ] {
        let mut headers = vec![("accept-encoding", taken)];
        headers.extend(had.map(|had| ("available-dictionary", had.as_str())));
        let answer = member.get_with(path, &headers).await;
        assert_eq!(header(&answer, "content-encoding"), coding, "{headers:?}");
    }
    // the back office's pages have none, and what is kept for everybody neither
    assert!(!server.visitor().page("/about").await.contains("compression-dictionary"));
}
