//! Pages packed in one piece: in brotli (RFC 7932), or in Zstandard with a dictionary (RFC 8878 and 9842) for a browser that
//! has it.
//!
//! A page is whole before its first byte leaves, so it needs no stream; and a window as large as a page is enough. The layer
//! that compresses everything else takes a window of 4 MiB for each answer, which costs more than the page.
//!
//! A page that was sent lately is not compressed again: it is known by the digest of its words. What is another one each time
//! stands at its end, and goes behind that as it is.

use std::io::{self, Write};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use brotli::enc::BrotliEncoderParams;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::dictionary::Dictionary;

/// SHA-256 of a page.
pub type Digest = [u8; 32];

/// How a page is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coding {
    Plain,
    Brotli,
    /// What it has beyond what this dictionary says already.
    Beyond(Dictionary),
}

impl Coding {
    /// The best that a browser with these headers takes, of a page that goes with this dictionary.
    pub fn of(headers: &HeaderMap, dictionary: Option<Dictionary>) -> Self {
        match dictionary {
            Some(dictionary) if takes(headers, "dcz") && dictionary.is_had(headers) => {
                Self::Beyond(dictionary)
            }
            _ if takes(headers, "br") => Self::Brotli,
            _ => Self::Plain,
        }
    }

    /// As HTTP calls it.
    fn name(self) -> Option<HeaderValue> {
        match self {
            Self::Plain => None,
            Self::Brotli => Some(HeaderValue::from_static("br")),
            Self::Beyond(_) => Some(HeaderValue::from_static("dcz")),
        }
    }
}

/// Whether a browser takes this coding (RFC 9110, section 12.5.3).
fn takes(headers: &HeaderMap, coding: &str) -> bool {
    let said = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    said.flat_map(|value| value.split(',')).any(|taken| {
        let mut parts = taken.split(';').map(str::trim);
        let is_it = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map(str::parse::<f64>);
        is_it && weight.is_none_or(|weight| weight.is_ok_and(|weight| weight > 0.0))
    })
}

/// Pages as they were sent lately, by what they are unpacked.
#[derive(Debug)]
pub struct Packed(Cache<(Digest, Coding), Bytes, Weight>);

/// What they take together.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// What one takes beside its bytes.
const EACH: u64 = 128;

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<(Digest, Coding), Bytes> for Weight {
    fn weight(&self, _: &(Digest, Coding), packed: &Bytes) -> u64 {
        EACH + packed.len() as u64
    }
}

impl Default for Packed {
    fn default() -> Self {
        Self(Cache::with_weighter(1024, MOST_BYTES, Weight))
    }
}

impl Packed {
    /// A page as it is sent, and what its headers say of that: `html`, whose digest is known, and what comes behind it.
    pub fn body(
        &self,
        html: String,
        digest: Digest,
        tail: &str,
        coding: Coding,
        headers: &mut HeaderMap,
    ) -> Body {
        let pack = || match coding {
            Coding::Plain => Err(io::ErrorKind::Unsupported.into()),
            Coding::Brotli => in_brotli(&html),
            Coding::Beyond(dictionary) => in_zstandard(&html, dictionary),
        };
        let (Some(name), Ok(packed)) = (coding.name(), self.0.get_or_insert_with(&(digest, coding), pack))
        else {
            return Body::from(html + tail);
        };
        headers.insert(header::CONTENT_ENCODING, name);
        Body::from(match coding {
            Coding::Beyond(_) => ended_zstandard(&packed, tail),
            _ => ended_brotli(&packed, tail),
        })
    }
}

/// As good as the streams of other answers are.
const BROTLI_QUALITY: i32 = 4;
/// 64 KiB, as a power of two.
const BROTLI_WINDOW: i32 = 16;

/// A stream of brotli without its end.
fn in_brotli(html: &str) -> io::Result<Bytes> {
    let params = BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        lgwin: BROTLI_WINDOW,
        size_hint: html.len(),
        ..BrotliEncoderParams::default()
    };
    let packed = Vec::with_capacity(html.len() / 4);
    let mut packing = brotli::CompressorWriter::with_params(packed, html.len(), &params);
    packing.write_all(html.as_bytes())?;
    packing.flush()?;
    Ok(Bytes::copy_from_slice(packing.get_ref()))
}

/// The longest part that goes uncompressed in brotli, in bytes.
const BROTLI_RAW: usize = 1 << 16;
/// The last part of a stream of brotli, which has nothing in it: ISLAST and ISLASTEMPTY.
const BROTLI_END: u8 = 0b11;

/// A stream of brotli to its end: what was flushed, which ends with a whole byte, and behind it the tail uncompressed (RFC
/// 7932, section 9.2: ISLAST 0, MNIBBLES 0 for four, MLEN - 1 in them, ISUNCOMPRESSED 1, and zeros to the end of the byte).
fn ended_brotli(flushed: &[u8], tail: &str) -> Vec<u8> {
    let mut stream = Vec::with_capacity(flushed.len() + tail.len() + 8);
    stream.extend_from_slice(flushed);
    for part in tail.as_bytes().chunks(BROTLI_RAW) {
        let header = ((part.len() - 1) << 3) | (1 << 19);
        stream.extend((0..3).map(|byte| (header >> (8 * byte)) as u8));
        stream.extend_from_slice(part);
    }
    stream.push(BROTLI_END);
    stream
}

/// What begins a page in Zstandard with a dictionary: a frame that is skipped, of 32 bytes, which are the dictionary's digest
/// (RFC 9842, section 5).
const WITH_DICTIONARY: [u8; 8] = [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0];
/// Zstandard's magic number, what the frame's header says, and how large the window is (RFC 8878, section 3.1.1.1).
const FRAME_HEADER: usize = 6;
/// A block's header: whether it is the last one, its kind in two bits, its size in the rest (section 3.1.1.2).
const BLOCK_HEADER: usize = 3;
const LAST: u8 = 1;
/// The longest block that every window lets through, in bytes.
const BLOCK: usize = 1024;

/// A page in Zstandard without its end: after its last block another one comes.
fn in_zstandard(html: &str, dictionary: Dictionary) -> io::Result<Bytes> {
    let made = dictionary.made().ok_or(io::ErrorKind::NotFound)?;
    let mut packing = Compressor::with_prepared_dictionary(&made.prepared)?;
    packing.set_parameter(CParameter::ContentSizeFlag(false))?;
    let mut frame = packing.compress(html.as_bytes())?;
    // with a checksum, a dictionary's number, the length or one segment, what follows would stand elsewhere
    if frame.get(FRAME_HEADER - 2) != Some(&0) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut block = FRAME_HEADER;
    loop {
        let header = frame.get(block..block + BLOCK_HEADER).ok_or(io::ErrorKind::InvalidData)?;
        let (first, size) = (header[0], u32::from_le_bytes([header[0], header[1], header[2], 0]) >> 3);
        if first & LAST == LAST {
            frame[block] &= !LAST;
            break;
        }
        let is_one_byte = first >> 1 & 0b11 == 1;
        block += BLOCK_HEADER + if is_one_byte { 1 } else { size as usize };
    }
    Ok([&WITH_DICTIONARY, &made.digest[..], &frame].concat().into())
}

/// A page in Zstandard to its end: the tail goes in blocks that are as they are.
fn ended_zstandard(begun: &[u8], tail: &str) -> Vec<u8> {
    let mut stream = Vec::with_capacity(begun.len() + tail.len() + 8);
    stream.extend_from_slice(begun);
    let mut left = tail.as_bytes();
    loop {
        let (part, rest) = left.split_at(left.len().min(BLOCK));
        let header = (part.len() << 3) as u32 | u32::from(rest.is_empty());
        stream.extend_from_slice(&header.to_le_bytes()[..BLOCK_HEADER]);
        stream.extend_from_slice(part);
        if rest.is_empty() {
            return stream;
        }
        left = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest as _, Sha256};

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
            assert_eq!(super::takes(&headers, "br"), takes, "{said}");
        }
        assert!(!super::takes(&HeaderMap::new(), "br"));
    }

    #[tokio::test]
    async fn a_page_is_the_same_unpacked() {
        let known = Packed::default();
        let bytes = async |html: &str, coding, tail: &str| {
            let mut headers = HeaderMap::new();
            let digest = Sha256::digest(html).into();
            let body = known.body(html.to_owned(), digest, tail, coding, &mut headers);
            (headers, axum::body::to_bytes(body, usize::MAX).await.expect("bytes"))
        };
        let dictionary = Dictionary::of("/manager/order").expect("the members'");
        // blocks that are packed, that are one byte many times, and that are as they are
        let noise: String = (0_u32..3000).map(|n| hex::encode(Sha256::digest(n.to_le_bytes()))).collect();
        // and whether it says the same again and again, which takes next to nothing
        let pages = [
            ("<p>海边的夏天</p>".repeat(9000), true),
            ("a".repeat(400_000), true),
            (noise, false),
            ("<p>短</p>".to_owned(), false),
        ];
        for (html, is_alike) in pages {
            // an end of its own each time, some longer than goes in one part
            for tail in ["", "<i>1</i>", "<i>2</i>", &"x".repeat(BROTLI_RAW), &"书".repeat(BROTLI_RAW)] {
                let whole = html.clone() + tail;
                let (headers, packed) = bytes(&html, Coding::Brotli, tail).await;
                assert_eq!(headers["content-encoding"], "br");
                assert!(!is_alike || packed.len() < html.len() / 100 + tail.len() + 100);
                let mut unpacked = Vec::new();
                brotli::BrotliDecompress(&mut &packed[..], &mut unpacked).expect("brotli");
                assert_eq!(unpacked, whole.as_bytes());

                let (headers, packed) = bytes(&html, Coding::Beyond(dictionary), tail).await;
                assert_eq!(headers["content-encoding"], "dcz");
                let made = dictionary.made().expect("it is in the build");
                assert_eq!(packed[8..40], made.digest);
                // every frame of it, the skipped one as well
                let unpacking = zstd::Decoder::with_dictionary(&packed[..], &made.text).expect("Zstandard");
                assert_eq!(io::read_to_string(unpacking).expect("a whole frame"), whole);

                let (headers, plain) = bytes(&html, Coding::Plain, tail).await;
                assert!(!headers.contains_key("content-encoding"));
                assert_eq!(plain, whole.as_bytes());
            }
        }
    }
}
