//! Signing a browser in with a phone on which the member is signed in already.
//!
//! The browser keeps a secret in a cookie. What it shows as a QR code, the [`Ask`], is no secret: it names the browser
//! by a digest of that secret and the time, and is signed, so nothing is stored before a phone answers. An answer is
//! worth something only to the browser with the secret, only once, and only for a minute. The phone shows which browser
//! asks, from where, and a number to compare, and offers both answers alike (against a code that somebody else shows).

use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use base::error::Error;
use base::signing::keyed;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::MemberId;
use hmac::{Hmac, Mac};
use rand::Rng;
use sha2::{Digest, Sha256};
use web::app::App;
use web::cookies::{cookie, cookies};

use super::store;

/// How long a code is shown, in ms.
pub const LIFE_MS: i64 = 60_000;
/// How long an answer waits to be used after the code has ended, in ms.
const GRACE_MS: i64 = 30_000;
/// Bytes of a signature and of a nonce: 128 bits.
const SHORT: usize = 16;
const BROWSER_COOKIE: &str = "bindery_qr";

/// What a browser keeps to itself.
pub struct Browser(String);

/// A browser's question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    nonce: [u8; SHORT],
    /// Tells questions of the same moment apart.
    salt: [u8; 8],
    /// Epoch ms.
    pub expires_at: i64,
    /// The browser in a few words.
    pub device: String,
    /// The network address that it asks from.
    pub address: String,
}

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Waiting,
    Confirmed,
    Declined,
    Expired,
}

impl State {
    /// As scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Confirmed => "confirmed",
            Self::Declined => "declined",
            Self::Expired => "expired",
        }
    }
}

impl Browser {
    /// The browser of a request, if it has asked before.
    pub fn known(headers: &HeaderMap, secure: bool) -> Option<Self> {
        cookies(headers, BROWSER_COOKIE, secure)
            .find(|value| value.len() == 43)
            .map(|value| Self(value.to_owned()))
    }

    /// A browser that asks for the first time, and the cookie that it is given.
    pub fn new(secure: bool) -> (Self, HeaderValue) {
        let mut secret = [0; 32];
        rand::rng().fill_bytes(&mut secret);
        let secret = URL_SAFE_NO_PAD.encode(secret);
        let cookie = cookie(BROWSER_COOKIE, &secret, None, secure);
        let cookie = cookie.unwrap_or(HeaderValue::from_static(""));
        (Self(secret), cookie)
    }

    /// What the database knows the browser by.
    pub fn digest(&self) -> String {
        hex::encode(Sha256::digest(&self.0))
    }

    fn nonce(&self, expires_at: i64, salt: [u8; 8]) -> [u8; SHORT] {
        let digest = Sha256::digest(format!("{} {expires_at} {}", self.0, u64::from_be_bytes(salt)));
        let mut nonce = [0; SHORT];
        nonce.copy_from_slice(&digest[..SHORT]);
        nonce
    }
}

/// The browser of a request, known or new; a new one's cookie goes with the answer.
pub fn browser(app: &App, headers: &HeaderMap) -> (Browser, Option<(axum::http::HeaderName, HeaderValue)>) {
    match Browser::known(headers, app.config.secure_cookies) {
        Some(browser) => (browser, None),
        None => {
            let (browser, cookie) = Browser::new(app.config.secure_cookies);
            (browser, Some((SET_COOKIE, cookie)))
        }
    }
}

impl Ask {
    /// A question that begins now.
    pub fn new(browser: &Browser, device: String, address: String, now: i64) -> Self {
        let expires_at = now + LIFE_MS;
        let salt = rand::random();
        Self { nonce: browser.nonce(expires_at, salt), salt, expires_at, device, address }
    }

    /// The question as text for an address.
    pub fn to_text(&self, key: &[u8]) -> String {
        let mut bytes = self.nonce.to_vec();
        bytes.extend(self.salt);
        bytes.extend(self.expires_at.to_be_bytes());
        bytes.extend(self.address.as_bytes());
        bytes.push(0);
        bytes.extend(self.device.as_bytes());
        let signature = signed(key, &bytes).finalize().into_bytes();
        bytes.extend(&signature[..SHORT]);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a question that this installation signed; `None` for anything else.
    pub fn read(key: &[u8], text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (bytes, signature) = bytes.split_at_checked(bytes.len().checked_sub(SHORT)?)?;
        signed(key, bytes).verify_truncated_left(signature).ok()?;
        let (nonce, rest) = bytes.split_first_chunk::<SHORT>()?;
        let (salt, rest) = rest.split_first_chunk::<8>()?;
        let (expires_at, rest) = rest.split_first_chunk::<8>()?;
        let (address, device) = std::str::from_utf8(rest).ok()?.split_once('\0')?;
        Some(Self {
            nonce: *nonce,
            salt: *salt,
            expires_at: i64::from_be_bytes(*expires_at),
            device: device.to_owned(),
            address: address.to_owned(),
        })
    }

    /// Two digits that both screens show.
    pub fn number(&self) -> u32 {
        10 + u32::from_be_bytes([0, 0, self.nonce[0], self.nonce[1]]) % 90
    }

    /// When the browser asked, epoch ms.
    pub fn began_at(&self) -> i64 {
        self.expires_at - LIFE_MS
    }

    fn key(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.nonce)
    }
}

fn signed(key: &[u8], bytes: &[u8]) -> Hmac<Sha256> {
    keyed(key, "qr login").chain_update(bytes)
}

/// What a phone answers; false when it comes too late or somebody answered before.
pub async fn answer(
    app: &App,
    ask: &Ask,
    member: &MemberId,
    confirmed: bool,
    now: i64,
) -> Result<bool, Error> {
    if now > ask.expires_at {
        return Ok(false);
    }
    let state = if confirmed { State::Confirmed } else { State::Declined };
    store::insert_qr_answer(&app.db, &ask.key(), member, state.name(), now).await
}

/// What this member answered; `None` when it did not.
pub async fn answered(app: &App, ask: &Ask, member: &MemberId) -> Result<Option<State>, Error> {
    let found = store::qr_answer(&app.db, &ask.key()).await?;
    Ok(found.filter(|(by, _)| by == member).map(|(_, state)| state_of(&state)))
}

/// Where the browser's question stands. Somebody else's is over.
pub async fn state(app: &App, browser: Option<&Browser>, ask: &Ask, now: i64) -> Result<State, Error> {
    if browser.is_none_or(|browser| browser.nonce(ask.expires_at, ask.salt) != ask.nonce) {
        return Ok(State::Expired);
    }
    Ok(match store::qr_answer(&app.db, &ask.key()).await? {
        Some((_, state)) if now <= ask.expires_at + GRACE_MS => state_of(&state),
        None if now <= ask.expires_at => State::Waiting,
        _ => State::Expired,
    })
}

/// The member who confirmed, once.
pub async fn claim(
    app: &App,
    browser: Option<&Browser>,
    ask: &Ask,
    now: i64,
) -> Result<Result<MemberId, State>, Error> {
    let state = state(app, browser, ask, now).await?;
    if state != State::Confirmed {
        return Ok(Err(state));
    }
    // two claims at once: one finds it used
    Ok(store::use_qr_answer(&app.db, &ask.key()).await?.ok_or(State::Expired))
}

fn state_of(name: &str) -> State {
    match name {
        "confirmed" => State::Confirmed,
        "declined" => State::Declined,
        _ => State::Expired,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"a key of this installation";

    #[test]
    fn a_question_is_read_only_as_it_was_signed() {
        let (browser, _) = Browser::new(true);
        let ask = Ask::new(&browser, "Windows · Edge".into(), "192.0.2.7".into(), 1_000_000);
        let text = ask.to_text(KEY);
        assert_eq!(Ask::read(KEY, &text), Some(ask.clone()));
        assert_eq!(Ask::read(b"another key", &text), None);
        for at in 0..text.len() {
            let mut bent = text.clone().into_bytes();
            bent[at] = if bent[at] == b'A' { b'B' } else { b'A' };
            assert_ne!(Ask::read(KEY, std::str::from_utf8(&bent).unwrap()), Some(ask.clone()));
        }
        for short in ["", "AAAA", &text[..20]] {
            assert_eq!(Ask::read(KEY, short), None);
        }
        assert!((10..=99).contains(&ask.number()));
    }

    #[test]
    fn every_question_of_a_browser_is_another_one() {
        let (browser, cookie) = Browser::new(false);
        assert!(cookie.to_str().unwrap().contains("HttpOnly; SameSite=Lax"));
        let ask = || Ask::new(&browser, String::new(), String::new(), 1_000).to_text(KEY);
        let asks: std::collections::HashSet<_> = (0..100).map(|_| ask()).collect();
        assert_eq!(asks.len(), 100, "also at the same moment");
        let (other, _) = Browser::new(false);
        assert_ne!(browser.nonce(1, [0; 8]), other.nonce(1, [0; 8]));
    }
}
