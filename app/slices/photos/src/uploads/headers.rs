//! What tus 1.0 says in headers.

use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::digest;
use web::calls::Refusal;

use crate::receive::shown_name;

/// The most bytes of `Upload-Metadata` that are kept and said again.
const MOST_METADATA: usize = 4096;

/// A refusal with a status of its own.
pub fn refusal(code: u16, msg: impl Into<String>) -> Refusal {
    Refusal { code, msg: msg.into(), data: None }
}

/// A header's text; what is no visible ASCII counts as absent.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// A whole number that is not negative, such as `Upload-Offset`; nothing but digits.
pub fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    let text = text(headers, name)?;
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    // what the database can count
    digits.then(|| text.parse().ok()).flatten().filter(|number| i64::try_from(*number).is_ok())
}

/// What a sender says of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// As it was sent: the position is answered with it.
    pub sent: String,
    /// Without path and control characters.
    pub file_name: String,
    /// Of the whole file, lower-case hex.
    pub sha256: Option<String>,
}

impl Metadata {
    /// Reads `Upload-Metadata`: pairs between commas, each a key, a space and a value in base64; keys are not empty and
    /// not said twice (tus 1.0, "Creation").
    pub fn read(headers: &HeaderMap) -> Result<Self, Refusal> {
        let malformed = || refusal(400, "Upload-Metadata 的格式不正确");
        let sent = match headers.get("upload-metadata") {
            None => "",
            Some(value) => value.to_str().map_err(|_| malformed())?,
        };
        if sent.len() > MOST_METADATA {
            return Err(malformed());
        }
        let mut metadata = Self { sent: sent.to_owned(), ..Self::default() };
        let mut keys = Vec::new();
        for pair in sent.split(',').filter(|_| !sent.is_empty()) {
            // senders put a space behind a comma, too
            let pair = if keys.is_empty() { pair } else { pair.trim_start() };
            let (key, value) = pair.split_once(' ').unwrap_or((pair, ""));
            if key.is_empty() || keys.contains(&key) {
                return Err(malformed());
            }
            keys.push(key);
            let value = STANDARD.decode(value.trim()).map_err(|_| malformed())?;
            match key {
                "filename" => metadata.file_name = shown_name(&String::from_utf8_lossy(&value)),
                "sha256" => {
                    let text = String::from_utf8(value).map_err(|_| malformed())?;
                    metadata.sha256 = Some(sha256(&text).ok_or_else(malformed)?);
                }
                // a type that somebody claims is not believed
                _ => {}
            }
        }
        Ok(metadata)
    }
}

/// A SHA-256 as lower-case hex, or nothing.
pub fn sha256(text: &str) -> Option<String> {
    let hex = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    hex.then(|| text.to_owned())
}

/// What the bytes of one request must add up to.
pub struct Checksum {
    context: digest::Context,
    expected: Vec<u8>,
}

impl Checksum {
    /// The algorithms, as `Tus-Checksum-Algorithm` names them; sha1 must be one of them (tus 1.0, "Checksum").
    pub const ALGORITHMS: &str = "sha1,sha256";

    /// Reads `Upload-Checksum`: an algorithm, a space and the digest in base64.
    pub fn read(headers: &HeaderMap) -> Result<Option<Self>, Refusal> {
        if !headers.contains_key("upload-checksum") {
            return Ok(None);
        }
        let unknown = || refusal(400, "校验方式不正确，只支持 sha1 和 sha256");
        let (name, value) =
            text(headers, "upload-checksum").and_then(|value| value.split_once(' ')).ok_or_else(unknown)?;
        let algorithm = match name {
            "sha1" => &digest::SHA1_FOR_LEGACY_USE_ONLY,
            "sha256" => &digest::SHA256,
            _ => return Err(unknown()),
        };
        let expected = STANDARD.decode(value.trim()).map_err(|_| unknown())?;
        Ok(Some(Self { context: digest::Context::new(algorithm), expected }))
    }

    /// Counts bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        self.context.update(bytes);
    }

    /// Whether they were the right ones.
    pub fn agrees(self) -> bool {
        self.context.finish().as_ref() == self.expected
    }
}
