//! Pages in brotli (RFC 7932), made in one piece.
//!
//! A page is whole before its first byte leaves, so it needs no stream; and a window as large as a page is enough. The layer
//! that compresses everything else takes a window of 4 MiB for each answer, which costs more than the page.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use brotli::enc::BrotliEncoderParams;

/// As good as the streams of other answers are.
const QUALITY: i32 = 4;
/// 64 KiB, as a power of two.
const WINDOW: i32 = 16;

/// Whether a browser takes brotli (RFC 9110, section 12.5.3).
pub fn takes_brotli(headers: &HeaderMap) -> bool {
    let said = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    said.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_brotli = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("br"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map(str::parse::<f64>);
        is_brotli && weight.is_none_or(|weight| weight.is_ok_and(|weight| weight > 0.0))
    })
}

/// A page as it is sent, and what its headers say of that.
pub fn body(html: String, in_brotli: bool, headers: &mut HeaderMap) -> Body {
    let params = BrotliEncoderParams {
        quality: QUALITY,
        lgwin: WINDOW,
        size_hint: html.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::with_capacity(html.len() / 4);
    if !in_brotli || brotli::BrotliCompress(&mut html.as_bytes(), &mut packed, &params).is_err() {
        return Body::from(html);
    }
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    Body::from(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_says_what_it_takes() {
        for (said, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=0.5, gzip", true),
            ("BR", true),
            ("gzip, br;q=0", false),
            ("br; q=0.0", false),
            ("gzip", false),
            ("brotli", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(said))]);
            assert_eq!(takes_brotli(&headers), takes, "{said}");
        }
        assert!(!takes_brotli(&HeaderMap::new()));
    }

    #[tokio::test]
    async fn a_page_is_the_same_unpacked() {
        let html = "<p>海边的夏天</p>".repeat(9000);
        let mut headers = HeaderMap::new();
        let packed = body(html.clone(), true, &mut headers);
        assert_eq!(headers["content-encoding"], "br");
        let packed = axum::body::to_bytes(packed, usize::MAX).await.expect("bytes");
        assert!(packed.len() < html.len() / 100);
        let mut unpacked = Vec::new();
        brotli::BrotliDecompress(&mut &packed[..], &mut unpacked).expect("brotli");
        assert_eq!(String::from_utf8(unpacked).expect("UTF-8"), html);
        let mut headers = HeaderMap::new();
        let plain =
            axum::body::to_bytes(body(html.clone(), false, &mut headers), usize::MAX).await.expect("bytes");
        assert!(headers.is_empty() && plain == html.as_bytes());
    }
}
