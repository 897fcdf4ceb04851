//! Pages in brotli (RFC 7932), made in one piece.
//!
//! A page is whole before its first byte leaves, so it needs no stream; and a window as large as a page is enough. The layer
//! that compresses everything else takes a window of 4 MiB for each answer, which costs more than the page.
//!
//! A page that was sent lately is not compressed again: it is known by the digest of its words. What is another one each time
//! stands at its end, and goes behind that as it is.

use std::io::Write;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use brotli::enc::BrotliEncoderParams;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// SHA-256 of a page.
pub type Digest = [u8; 32];

/// Pages as they were sent lately, by what they are unpacked.
#[derive(Debug)]
pub struct Packed(Cache<Digest, Bytes, Weight>);

/// What they take together.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// What one takes beside its bytes.
const EACH: u64 = 128;

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<Digest, Bytes> for Weight {
    fn weight(&self, _: &Digest, packed: &Bytes) -> u64 {
        EACH + packed.len() as u64
    }
}

impl Default for Packed {
    fn default() -> Self {
        Self(Cache::with_weighter(1024, MOST_BYTES, Weight))
    }
}

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

impl Packed {
    /// A page as it is sent, and what its headers say of that: `html`, whose digest is known, and what comes behind it.
    pub fn body(
        &self,
        html: String,
        digest: Digest,
        tail: &str,
        in_brotli: bool,
        headers: &mut HeaderMap,
    ) -> Body {
        if !in_brotli {
            return Body::from(html + tail);
        }
        match self.0.get_or_insert_with(&digest, || pack(&html)) {
            Ok(packed) => {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
                Body::from(ended(&packed, tail))
            }
            Err(_) => Body::from(html + tail),
        }
    }
}

fn pack(html: &str) -> std::io::Result<Bytes> {
    let params = BrotliEncoderParams {
        quality: QUALITY,
        lgwin: WINDOW,
        size_hint: html.len(),
        ..BrotliEncoderParams::default()
    };
    let packed = Vec::with_capacity(html.len() / 4);
    let mut packing = brotli::CompressorWriter::with_params(packed, html.len(), &params);
    packing.write_all(html.as_bytes())?;
    packing.flush()?;
    Ok(Bytes::copy_from_slice(packing.get_ref()))
}

/// The longest part that goes uncompressed, in bytes.
const MOST_RAW: usize = 1 << 16;
/// The last part of a stream, which has nothing in it: ISLAST and ISLASTEMPTY.
const END: u8 = 0b11;

/// A stream to its end: what was flushed, which ends with a whole byte, and behind it the tail uncompressed (RFC 7932, section
/// 9.2: ISLAST 0, MNIBBLES 0 for four, MLEN - 1 in them, ISUNCOMPRESSED 1, and zeros to the end of the byte).
fn ended(flushed: &[u8], tail: &str) -> Vec<u8> {
    let mut stream = Vec::with_capacity(flushed.len() + tail.len() + 8);
    stream.extend_from_slice(flushed);
    for part in tail.as_bytes().chunks(MOST_RAW) {
        let header = ((part.len() - 1) << 3) | (1 << 19);
        stream.extend((0..3).map(|byte| (header >> (8 * byte)) as u8));
        stream.extend_from_slice(part);
    }
    stream.push(END);
    stream
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
        let known = Packed::default();
        let bytes = async |in_brotli, tail: &str| {
            let mut headers = HeaderMap::new();
            let body = known.body(html.clone(), [1; 32], tail, in_brotli, &mut headers);
            (headers, axum::body::to_bytes(body, usize::MAX).await.expect("bytes"))
        };
        // an end of its own each time, some longer than goes in one part
        for tail in ["", "<i>1</i>", "<i>2</i>", &"x".repeat(MOST_RAW), &"书".repeat(MOST_RAW)] {
            let (headers, packed) = bytes(true, tail).await;
            assert_eq!(headers["content-encoding"], "br");
            assert!(packed.len() < html.len() / 100 + tail.len() + 100);
            let mut unpacked = Vec::new();
            brotli::BrotliDecompress(&mut &packed[..], &mut unpacked).expect("brotli");
            assert_eq!(String::from_utf8(unpacked).expect("UTF-8"), html.clone() + tail);
            let (headers, plain) = bytes(false, tail).await;
            assert!(!headers.contains_key("content-encoding"));
            assert_eq!(plain, (html.clone() + tail).as_bytes());
        }
    }
}
