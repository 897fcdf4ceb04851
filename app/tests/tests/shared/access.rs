//! Who may open what, and what every answer carries.

use std::io::{Read, Write};

use reqwest::StatusCode;

use support::{Server, between, brotli_size, location, on_both_engines};

on_both_engines!(
    signed_out_callers_are_sent_to_the_door;
    on_sqlite:
    foreign_origins_change_nothing,
    headers_keep_browsers_safe,
    html_is_clean,
    pages_alone_are_fetched_before_they_are_wanted,
    assets_are_immutable_and_unknown_ones_are_missing,
    health,
    dripping_headers_are_cut_off,
    pages_stay_within_their_budget,
);

async fn signed_out_callers_are_sent_to_the_door(server: Server) {
    let visitor = server.visitor();
    for path in [
        "/",
        "/manager",
        "/manager/make_ebook",
        "/manager/photos",
        "/manager/opus_list/all",
        "/manager/opus/abc",
        "/manager/opus/abc/page/1/320",
        "/manager/photo/abc/320",
        "/manager/add_shopping/abc",
        "/manager/shopping/cart",
        "/manager/shopping/order/a,b",
        "/manager/shopping/pay?order=1",
        "/manager/order",
        "/manager/recharge",
        "/manager/payment/abc",
        "/no/such/page",
    ] {
        let door = location(&visitor.get(path).await);
        let encoded = door.strip_prefix("/manager/login/").unwrap_or_else(|| panic!("{path} led to {door}"));
        use base64::Engine;
        let decoded = base64::engine::general_purpose::STANDARD.decode(encoded.replace("%2F", "/")).unwrap();
        assert_eq!(String::from_utf8(decoded).unwrap(), path);
    }
    for path in [
        "/about",
        "/about/products",
        "/error",
        "/healthz",
        "/manager/login",
        "/manager/login/x/y",
        "/readyz",
        "/robots.txt",
        "/sitemap.xml",
    ] {
        assert_eq!(visitor.get(path).await.status(), StatusCode::OK, "{path}");
    }
    let answer = visitor.post("/manager/shopping/pay", &[("order", "1")]).await;
    assert!(location(&answer).starts_with("/manager/login/"));
    let member = server.member("reader@example.com", "0").await;
    let answer = member.get("/no/such/page").await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert!(answer.text().await.unwrap().contains("没有找到这一页"));
    assert_eq!(location(&member.get("/manager").await), "/manager/make_ebook");
    // what failed elsewhere is tried again there
    let from = format!("{}/manager/photos?q=a", server.base);
    let failed = member.get_with("/error", &[("referer", &from)]).await.text().await.unwrap();
    assert!(failed.contains("再试一次") && failed.contains("href=\"/manager/photos?q=a\""), "{failed}");
    let failed = member.get_with("/error", &[("referer", "https://other.example/a")]).await;
    assert!(!failed.text().await.unwrap().contains("再试一次"));
}

async fn foreign_origins_change_nothing(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example"] {
        let answer = member.post_with_origin("/manager/logout", origin).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{origin}");
    }
    assert_eq!(member.get("/manager/order").await.status(), StatusCode::OK, "still signed in");
    let answer = member.post_with_origin("/manager/logout", &server.base).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
}

async fn headers_keep_browsers_safe(server: Server) {
    let visitor = server.visitor();
    let mut nonces = Vec::new();
    for _ in 0..2 {
        let answer = visitor.get("/manager/login").await;
        let headers = answer.headers().clone();
        let policy = headers["content-security-policy"].to_str().unwrap().to_owned();
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"));
        let nonce = between(&policy, "'nonce-", "'");
        let page = answer.text().await.unwrap();
        assert!(!page.contains("nonce"), "what is inside is allowed by what it is");
        nonces.push(nonce);
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["referrer-policy"], "same-origin");
        assert_eq!(headers["cross-origin-opener-policy"], "same-origin");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
        assert!(!headers.contains_key("strict-transport-security"), "not over plain http");
        assert!(policy.contains("report-uri /csp_report; report-to csp"), "{policy}");
        assert_eq!(headers["reporting-endpoints"], "csp=\"/csp_report\"");
        assert!(headers.contains_key("x-request-id"));
        assert!(!headers.contains_key("server"));
    }
    assert_ne!(nonces[0], nonces[1]);
    let member = server.member("reader@example.com", "0").await;
    let keeping =
        async |path: &str| member.get(path).await.headers()["cache-control"].to_str().unwrap().to_owned();
    assert_eq!(keeping("/manager/opus_list/all").await, "private, no-cache", "only its browser, and it asks");
    for path in ["/manager/userInfo/second_factor", "/manager/opus_import", "/no/such/page"] {
        assert_eq!(keeping(path).await, "private, no-store", "{path}");
    }
}

async fn pages_alone_are_fetched_before_they_are_wanted(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let ahead = ("sec-purpose", "prefetch;anonymous-client-ip");
    let status = async |path: &str, headers: &[(&str, &str)]| member.get_with(path, headers).await.status();
    for path in ["/manager/order", "/manager/opus_list/all", "/about"] {
        assert_eq!(status(path, &[ahead]).await, StatusCode::OK, "{path}");
        // whoever saves data is sent what it asks for
        assert_eq!(status(path, &[ahead, ("save-data", "on")]).await, StatusCode::FORBIDDEN, "{path}");
        assert_eq!(status(path, &[("save-data", "on")]).await, StatusCode::OK, "{path}");
    }
    // one that draws a page ahead is sent all that is on it
    let page = member.page("/manager/order").await;
    let script = format!("/assets/{}", between(&page, "src=\"/assets/", "\""));
    assert_eq!(status(&script, &[("sec-purpose", "prefetch;prerender")]).await, StatusCode::OK);
    // and what a page names for the next one is, but to those who count bytes
    assert_eq!(status(&script, &[ahead]).await, StatusCode::OK);
    assert_eq!(status(&script, &[ahead, ("save-data", "on")]).await, StatusCode::FORBIDDEN);
    let saving = server.visitor().get_with("/manager/login", &[("save-data", "on")]).await;
    assert!(!saving.headers().contains_key("link"));
    // what was fetched is from before something changed
    let answer = member.post("/manager/userInfo", &[]).await;
    assert_eq!(answer.headers()["clear-site-data"], "\"prefetchCache\"");
    // files, and what leads on to somewhere else
    for path in ["/healthz", "/favicon.ico", "/manager", "/no/such/page"] {
        assert_eq!(status(path, &[ahead]).await, StatusCode::FORBIDDEN, "{path}");
        assert_ne!(status(path, &[]).await, StatusCode::FORBIDDEN, "{path}");
    }
}

async fn html_is_clean(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    for path in ["/manager/make_ebook", "/manager/opus_list/all", "/manager/shopping/cart", "/no/such/page"] {
        let page = member.get(path).await.text().await.unwrap();
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"zh-CN\">"), "{path}: {page}");
        for trace in ["<!>", "<!--", "__RESOLVED", "hydrat", " onclick", " style=", "data-hk", "wasm"] {
            assert!(!page.contains(trace), "{path} has {trace}");
        }
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        assert_eq!(page.matches("<title>").count(), 1, "{path}");
        assert_eq!(
            page.matches("<script").count(),
            page.matches("<script type=\"module\"").count() + 1,
            "{path}: and what is fetched when a link is pressed"
        );
    }
}

async fn assets_are_immutable_and_unknown_ones_are_missing(server: Server) {
    let visitor = server.visitor();
    let page = visitor.page("/manager/login").await;
    for asset in support::between_all(&page, "\"/assets/", "\"") {
        let answer = visitor.get(&format!("/assets/{asset}")).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let headers = answer.headers();
        assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
        assert_eq!(headers["x-content-type-options"], "nosniff");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.starts_with("default-src 'self'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        let wrong = asset.replace(|c: char| c.is_ascii_uppercase(), "A");
        assert_eq!(visitor.get(&format!("/assets/{wrong}")).await.status(), StatusCode::NOT_FOUND);
    }
    for path in ["/assets/manifest.json", "/assets/..%2f..%2fCargo.toml", "/assets/x"] {
        assert_eq!(visitor.get(path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

async fn health(server: Server) {
    assert_eq!(server.visitor().get("/healthz").await.text().await.unwrap(), "ok");
    assert!(server.visitor().get("/readyz").await.text().await.unwrap().starts_with("ready\nworkers: "));
}

async fn dripping_headers_are_cut_off(server: Server) {
    let address = server.base.trim_start_matches("http://").to_owned();
    let waited = tokio::task::spawn_blocking(move || {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_millis(1))).unwrap();
        let start = std::time::Instant::now();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
        loop {
            std::thread::sleep(std::time::Duration::from_millis(500));
            let open = stream.write_all(b"X-Drip: y\r\n").is_ok();
            let mut answer = [0; 1];
            let ended = stream.read(&mut answer).is_ok();
            if !open || ended || start.elapsed().as_secs() > 40 {
                return start.elapsed().as_secs();
            }
        }
    })
    .await
    .unwrap();
    assert!(waited < 30, "the caller could drip for {waited} s");
    assert_eq!(server.visitor().get("/healthz").await.status(), StatusCode::OK);
}

/// Bytes of a page with its styles and scripts, compressed as a browser gets them; pictures are not counted.
async fn weight(caller: &support::Caller, path: &str) -> usize {
    let page = caller.page(path).await;
    let mut weight = brotli_size(page.as_bytes());
    for asset in support::between_all(&page, "\"/assets/", "\"") {
        if asset.ends_with(".css") || asset.ends_with(".js") {
            weight +=
                brotli_size(caller.get(&format!("/assets/{asset}")).await.bytes().await.unwrap().as_ref());
        }
    }
    weight
}

async fn pages_stay_within_their_budget(server: Server) {
    let visitor = server.visitor();
    let login = weight(&visitor, "/manager/login").await;
    assert!(login <= 14_600, "the sign-in page has {login} bytes");
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload(vec![("一.jpg", support::jpeg(320, 240, 1))]).await;
    for number in 0..50 {
        member.album("square-210", &format!("第 {number} 本书"), &photos).await;
    }
    let shelf = weight(&member, "/manager/opus_list/all").await;
    assert!(shelf <= 14_600, "a shelf of 50 has {shelf} bytes");
}
