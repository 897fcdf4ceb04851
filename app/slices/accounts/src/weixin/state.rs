//! A login at weixin that has begun: which one it is, how long it is good for, and what it is for.
//!
//! The browser keeps it in a signed cookie of ten minutes, so nothing is stored before somebody comes back. Weixin is told a random word and nothing else; a login counts only where word and cookie meet (RFC 6749
//! section 10.12), once.

use axum::http::{HeaderMap, HeaderValue};
use base::signing::keyed;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::MemberId;
use hmac::{Hmac, Mac};
use rand::Rng;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use web::cookies::{cookie, cookies};

/// How long a login may take at weixin, in ms.
const LIFE_MS: i64 = 10 * 60_000;
const COOKIE: &str = "bindery_weixin";
/// Where weixin leads back to.
pub const CALLBACK: &str = "/manager/login_weixin";

/// What a login at weixin is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Intent {
    /// To sign in, and go on to this page.
    SignIn(String),
    /// To bind the weixin to this member.
    Bind(MemberId),
}

/// A login that has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// 256 random bits.
    pub nonce: String,
    /// Epoch ms.
    pub expires_at: i64,
    pub intent: Intent,
}

impl Begun {
    /// A login that begins now.
    pub fn new(intent: Intent, now: i64) -> Self {
        let mut nonce = [0; 32];
        rand::rng().fill_bytes(&mut nonce);
        Self { nonce: URL_SAFE_NO_PAD.encode(nonce), expires_at: now + LIFE_MS, intent }
    }

    /// The cookie that keeps it in the browser.
    pub fn cookie(&self, key: &[u8], secure: bool) -> Result<HeaderValue, base::error::Error> {
        let body = URL_SAFE_NO_PAD.encode(serde_json::to_vec(self)?);
        let signature = URL_SAFE_NO_PAD.encode(signed(key, &body).finalize().into_bytes());
        written(&format!("{body}.{signature}"), LIFE_MS / 1000, secure)
    }

    /// The login that a browser began, if this installation signed it.
    pub fn of(headers: &HeaderMap, key: &[u8], secure: bool) -> Option<Self> {
        let kept = cookies(headers, COOKIE, secure).next()?;
        let (body, signature) = kept.split_once('.')?;
        signed(key, body).verify_slice(&URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).ok()?).ok()
    }
}

/// The cookie that ends the other one.
pub fn no_cookie(secure: bool) -> Result<HeaderValue, base::error::Error> {
    written("", 0, secure)
}

fn written(value: &str, seconds: i64, secure: bool) -> Result<HeaderValue, base::error::Error> {
    cookie(COOKIE, value, Some(seconds), secure).map_err(base::error::Error::internal)
}

fn signed(key: &[u8], body: &str) -> Hmac<Sha256> {
    keyed(key, "weixin login").chain_update(body)
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    const KEY: &[u8] = b"a key of this installation";

    fn read(cookie: &str, key: &[u8]) -> Option<Begun> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, format!("other=1; {cookie}").parse().unwrap());
        Begun::of(&headers, key, true)
    }

    #[test]
    fn what_has_begun_is_read_only_as_it_was_signed() {
        let begun = Begun::new(Intent::SignIn(format!("/manager/order?{}", "a=1&".repeat(490))), 1_000);
        let cookie = begun.cookie(KEY, true).unwrap();
        let cookie = cookie.to_str().unwrap();
        for flag in ["; HttpOnly", "; SameSite=Lax", "; Secure", "; Max-Age=600", "; Path=/;"] {
            assert!(cookie.contains(flag), "{cookie}");
        }
        let pair = cookie.split(';').next().unwrap();
        assert!(pair.len() < 4_000, "browsers keep no cookie over 4096 bytes");
        assert_eq!(read(pair, KEY), Some(begun));
        assert_eq!(read(pair, b"another key"), None);
        for at in ("__Host-".len() + COOKIE.len() + 1..pair.len()).step_by(7) {
            let mut bent = pair.to_owned().into_bytes();
            bent[at] = if bent[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(read(std::str::from_utf8(&bent).unwrap(), KEY), None, "bent at {at}");
        }
        for short in [
            "__Host-bindery_weixin=",
            "__Host-bindery_weixin=.",
            "__Host-bindery_weixin=e30.e30",
            "bindery_weixin=x",
        ] {
            assert_eq!(read(short, KEY), None);
        }
    }

    #[test]
    fn no_two_words_are_alike() {
        let words = (0..100).map(|_| Begun::new(Intent::SignIn("/".into()), 0).nonce);
        let words: std::collections::HashSet<_> = words.collect();
        assert_eq!(words.len(), 100);
        assert!(words.iter().all(|word| word.len() == 43));
    }
}
