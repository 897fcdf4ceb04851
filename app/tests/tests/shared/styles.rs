//! The first page that a browser opens has its styles inside; later ones name the files.

use base64::Engine;
use reqwest::{Response, StatusCode};
use sha2::{Digest, Sha256};

use support::{Server, between_all, brotli_size, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    the_styles_of_pages_for_everybody_are_allowed_by_their_digests,
    the_carts_buttons_without_a_script_move_nothing_with_one,
    a_first_page_waits_for_no_styles_and_a_second_has_their_files,
    what_the_next_page_needs_takes_nothing_from_the_editors_scripts,
);

/// What the first flight of a connection carries: ten segments.
const FLIGHT: usize = 14_600;

fn policy(answer: &Response) -> String {
    answer.headers()["content-security-policy"].to_str().unwrap().to_owned()
}

/// What stands in a page, as a policy names it.
fn digest(text: &str) -> String {
    format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text)))
}

/// The tags of styles that hold a page up.
fn blocking(page: &str) -> Vec<String> {
    between_all(page, "<link rel=\"stylesheet\" ", ">")
}

async fn a_first_page_waits_for_no_styles_and_a_second_has_their_files(server: Server) {
    let visitor = server.visitor();
    let answer = visitor.get("/manager/login").await;
    let allowed = between_all(&policy(&answer), "style-src 'self' ", ";").remove(0);
    let cookies: Vec<&str> =
        answer.headers().get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap()).collect();
    let cookie = cookies.iter().find(|cookie| cookie.starts_with("bindery_styles=")).unwrap();
    for flag in ["; Path=/", "; HttpOnly", "; SameSite=Lax"] {
        assert!(cookie.contains(flag), "{cookie}");
    }
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let ahead = answer.headers()["link"].to_str().unwrap().to_owned();
    let first = answer.text().await.unwrap();
    assert!(blocking(&first).is_empty(), "{:?}", blocking(&first));
    let inside = between_all(&first, "<style>", "</style>");
    assert_eq!(inside.len(), 2, "every page's and the door's");
    let named: Vec<String> = inside.iter().map(|style| digest(style)).collect();
    assert_eq!(allowed, named.join(" "), "each by what it is, and nothing else");
    let files = between_all(&ahead, "<", ">; rel=prefetch; as=style");
    assert_eq!(files.len(), 2, "they are fetched for the next page");
    assert!(!first.contains(".css"), "and are no part of this one");
    assert!(brotli_size(first.as_bytes()) <= FLIGHT, "{}", brotli_size(first.as_bytes()));
    for file in &files {
        let file = visitor.get(file).await;
        assert_eq!(file.status(), StatusCode::OK);
        assert!(inside.contains(&file.text().await.unwrap()), "the same as inside");
    }

    let again = visitor.get("/manager/login").await;
    let set = again.headers().get_all("set-cookie").iter();
    assert!(!set.into_iter().any(|cookie| cookie.to_str().unwrap().starts_with("bindery_styles")));
    assert!(!again.headers().contains_key("link"));
    let second = again.text().await.unwrap();
    assert!(!second.contains("<style") && blocking(&second).len() == 2, "{second}");

    // of another page only what is new stands in it, and the cookie grows
    let member = server.member("reader@example.com", "0").await;
    let page = member.get_with("/manager/shopping/cart", &[]).await;
    assert!(page.headers()["set-cookie"].to_str().unwrap().starts_with("bindery_styles="));
    member.page("/manager/userInfo").await;
    let page = member.page("/manager/login").await;
    assert_eq!(page.matches("<style").count(), 1, "the door's own");
    assert_eq!(blocking(&page).len(), 1, "what the cart has had, too");

    // marks that nobody gave out count for nothing and are not kept
    let invented = format!("{cookie}.<script>.OLDER000; bindery_qr=x");
    let answer = server.visitor().get_with("/manager/shopping/pay", &[("cookie", &invented)]).await;
    assert!(!answer.headers().get_all("set-cookie").iter().any(|cookie| {
        let cookie = cookie.to_str().unwrap();
        cookie.contains("OLDER000") || cookie.contains("script")
    }));
}

async fn the_styles_of_pages_for_everybody_are_allowed_by_their_digests(server: Server) {
    let visitor = server.visitor();
    for path in ["/about", "/about/prices", "/about/faq"] {
        let answer = visitor.get(path).await;
        let policy = policy(&answer);
        let etag = answer.headers()["etag"].to_str().unwrap().to_owned();
        assert!(answer.headers()["cache-control"].to_str().unwrap().starts_with("public"));
        assert!(!answer.headers().contains_key("set-cookie"));
        let page = answer.text().await.unwrap();
        assert!(blocking(&page).is_empty(), "{path}");
        let inside = between_all(&page, "<style>", "</style>");
        assert_eq!(inside.len(), 2, "{path}");
        for style in &inside {
            assert!(policy.contains(&digest(style)), "{policy}");
        }
        // an answer without a body replaces the headers that a browser keeps
        let same = visitor.get_with(path, &[("if-none-match", &etag)]).await;
        assert_eq!(same.status(), StatusCode::NOT_MODIFIED);
        assert!(inside.iter().all(|style| self::policy(&same).contains(&digest(style))));
        assert!(brotli_size(page.as_bytes()) <= FLIGHT, "{path}: {}", brotli_size(page.as_bytes()));
    }
}

async fn the_carts_buttons_without_a_script_move_nothing_with_one(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    member.cart_with_album().await;
    let answer = member.get("/manager/shopping/cart").await;
    let policy = policy(&answer);
    let page = answer.text().await.unwrap();
    assert!(page.contains("更新数量") && page.contains("合计所选"), "they are there without a script");
    let own = "<script type=\"module\">";
    let script = between_all(&page, own, "</script>");
    assert!(script.len() == 1 && script[0].contains("alone"), "{script:?}");
    let allowed = between_all(&policy, "script-src ", ";").remove(0);
    assert!(allowed.contains(&digest(&script[0])), "{policy}");
    let scripts = page.find("/assets/cart-").unwrap();
    assert!(scripts < page.find(own).unwrap(), "it runs after the cart's own");
    let hidden = between_all(&page, "<style>", "</style>").concat();
    assert!(hidden.contains("@media (scripting: enabled)") || hidden.contains("(scripting:enabled)"));
}

async fn what_the_next_page_needs_takes_nothing_from_the_editors_scripts(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let work = support::shelf::album(&member, "海边").await;
    let answer = member.get(&format!("/manager/opus_list_edit?id={work}")).await;
    assert!(!answer.headers().contains_key("link"), "a header is followed at once");
    let page = answer.text().await.unwrap();
    assert!(page.contains("rel=\"modulepreload\""));
    let later = between_all(&page, "<template data-later>", "</template>").remove(0);
    let files = between_all(&later, "<link rel=\"prefetch\" as=\"style\" href=\"", "\">");
    assert!(!files.is_empty());
    for file in files {
        assert!(file.ends_with(".css") && member.get(&file).await.status() == StatusCode::OK, "{file}");
    }
}
