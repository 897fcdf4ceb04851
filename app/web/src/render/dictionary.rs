//! What pages have in common. A browser fetches it once, while nothing else is to do, and is sent of each page what that has
//! beyond it (Compression Dictionary Transport, RFC 9842). `make dictionaries` reads it off the demo's pages.

use std::sync::LazyLock;

use axum::http::HeaderMap;
use sha2::{Digest as _, Sha256};
use zstd::dict::EncoderDictionary;

use super::compressed::Digest;
use crate::assets::{self, DICTIONARIES};

/// One of [`DICTIONARIES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dictionary(usize);

/// A dictionary, ready to pack with.
pub struct Made {
    pub text: Vec<u8>,
    pub digest: Digest,
    pub prepared: EncoderDictionary<'static>,
    /// How a browser says that it has it: its digest as a byte sequence (section 2.2; RFC 8941, section 3.3.5).
    said: String,
}

/// With its dictionary, a page takes a third to six tenths of brotli's bytes, and less time.
const LEVEL: i32 = 9;

static MADE: LazyLock<[Option<Made>; DICTIONARIES.len()]> =
    LazyLock::new(|| DICTIONARIES.map(|(name, _)| Made::of(assets::text(name)?)));

impl Dictionary {
    /// That of the page at this path.
    pub fn of(path: &str) -> Option<Self> {
        let is_of = |pattern: &str| path.starts_with(pattern.trim_end_matches('*'));
        DICTIONARIES.iter().position(|(_, pattern)| is_of(pattern)).map(Self).filter(|it| it.made().is_some())
    }

    /// Its address.
    pub fn address(self) -> String {
        assets::address(DICTIONARIES[self.0].0)
    }

    /// Itself; `None` where the build has none.
    pub fn made(self) -> Option<&'static Made> {
        MADE[self.0].as_ref()
    }

    /// Whether a browser with these headers has it.
    pub fn is_had(self, headers: &HeaderMap) -> bool {
        let said = headers.get("available-dictionary").map(|said| said.as_bytes());
        self.made().is_some_and(|made| said == Some(made.said.as_bytes()))
    }
}

impl Made {
    fn of(text: String) -> Option<Self> {
        let said = format!(":{}:", assets::digest(&text));
        let text = text.into_bytes();
        let digest = Sha256::digest(&text).into();
        let prepared = EncoderDictionary::try_copy(&text, LEVEL).ok()?;
        Some(Self { text, digest, prepared, said })
    }
}
