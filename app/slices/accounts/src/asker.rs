//! Who tries at a door: the network address, the browser, and whether it is a known one.
//!
//! A browser that has signed an account in keeps a signed cookie that names the account by a keyed digest. It counts its
//! tries at that account for itself, so what strangers try elsewhere never keeps a member out of its own browser.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use base::db::now_ms;
use base::signing::keyed;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::days::DAY_MS;
use domain::ids::MemberId;
use hmac::Mac;
use rand::Rng;
use web::app::App;
use web::client;
use web::cookies::{cookie, cookies};
use web::security::Cookies;

use super::qr::{self, Browser};

const COOKIE: &str = "bindery_known";
/// How long a browser stays known after it last signed in, in ms. Browsers keep no cookie for longer than 400 days.
const LIFE_MS: i64 = 365 * DAY_MS;
/// From this age on the next sign-in renews it, in ms.
const RENEWAL_MS: i64 = 30 * DAY_MS;
/// The most accounts that one browser is known to; the one that signed in longest ago goes.
const MOST: usize = 8;
/// Bytes of the browser's name, of an account's digest and of the signature: 128 bits.
const SHORT: usize = 16;

/// Who tries.
pub struct Asker {
    address: String,
    browser: Browser,
    /// The cookie that a new browser is given.
    cookie: Option<HeaderValue>,
    /// The browser's name, where it is known to the member.
    known: Option<String>,
}

impl Asker {
    /// Who makes a request, at the account of `member` where there is one.
    pub fn of(app: &App, parts: &Parts, member: Option<&MemberId>) -> Self {
        let (browser, cookie) = qr::browser(app, &parts.headers);
        let known = member.and_then(|member| {
            let known = Known::of(app, &parts.headers, now_ms())?;
            known.has(app.key.as_bytes(), member).then(|| hex::encode(known.browser))
        });
        let cookie = cookie.map(|(_, cookie)| cookie);
        Self { address: client::address(app, parts), browser, cookie, known }
    }

    /// The network address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A digest of the browser's secret.
    pub fn browser(&self) -> String {
        self.browser.digest()
    }

    /// The name under which a known browser's tries are counted.
    pub fn known(&self) -> Option<&str> {
        self.known.as_deref()
    }

    /// Gives a new browser its secret with the answer.
    pub fn remember(self, parts: &Parts) {
        if let Some(cookie) = self.cookie {
            Cookies::add(parts, cookie);
        }
    }
}

/// The browser of this request has signed the member in: from now on it is known.
pub fn know(app: &App, parts: &Parts, member: &MemberId) {
    let (key, now) = (app.key.as_bytes(), now_ms());
    let known = Known::of(app, &parts.headers, now);
    if known.as_ref().is_some_and(|known| known.has(key, member) && now - known.since < RENEWAL_MS) {
        return;
    }
    let mut known = known.unwrap_or_else(Known::new);
    known.add(key, member, now);
    if let Some(cookie) = known.cookie(key, app.config.secure_cookies) {
        Cookies::add(parts, cookie);
    }
}

/// What a known browser keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    /// A random name, so that two browsers of an account have nothing in common.
    browser: [u8; SHORT],
    /// When it was last given, epoch ms.
    since: i64,
    /// The accounts that it has signed in, the last one first.
    accounts: Vec<[u8; SHORT]>,
}

impl Known {
    fn new() -> Self {
        let mut browser = [0; SHORT];
        rand::rng().fill_bytes(&mut browser);
        Self { browser, since: 0, accounts: Vec::new() }
    }

    /// What the browser keeps, if this installation signed it and it is not over.
    fn of(app: &App, headers: &HeaderMap, now: i64) -> Option<Self> {
        Self::kept(headers, app.key.as_bytes(), app.config.secure_cookies, now)
    }

    fn kept(headers: &HeaderMap, key: &[u8], secure: bool, now: i64) -> Option<Self> {
        let known = cookies(headers, COOKIE, secure).find_map(|value| Self::read(key, value))?;
        (now - known.since < LIFE_MS).then_some(known)
    }

    fn read(key: &[u8], text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (bytes, signature) = bytes.split_at_checked(bytes.len().checked_sub(SHORT)?)?;
        keyed(key, "known browser").chain_update(bytes).verify_truncated_left(signature).ok()?;
        let (browser, rest) = bytes.split_first_chunk::<SHORT>()?;
        let (since, rest) = rest.split_first_chunk::<8>()?;
        let accounts = rest.chunks_exact(SHORT).filter_map(|digest| digest.try_into().ok()).collect();
        Some(Self { browser: *browser, since: i64::from_be_bytes(*since), accounts })
    }

    fn to_text(&self, key: &[u8]) -> String {
        let mut bytes = self.browser.to_vec();
        bytes.extend(self.since.to_be_bytes());
        bytes.extend(self.accounts.iter().flatten());
        let signature = keyed(key, "known browser").chain_update(&bytes).finalize().into_bytes();
        bytes.extend(&signature[..SHORT]);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// An account as this browser names it: to another browser, and to whoever reads the cookie, it says nothing.
    fn digest(&self, key: &[u8], member: &MemberId) -> [u8; SHORT] {
        let mac = keyed(key, "known account").chain_update(self.browser).chain_update(member.as_str());
        let mut digest = [0; SHORT];
        digest.copy_from_slice(&mac.finalize().into_bytes()[..SHORT]);
        digest
    }

    fn has(&self, key: &[u8], member: &MemberId) -> bool {
        self.accounts.contains(&self.digest(key, member))
    }

    fn add(&mut self, key: &[u8], member: &MemberId, now: i64) {
        let digest = self.digest(key, member);
        self.accounts.retain(|known| *known != digest);
        self.accounts.insert(0, digest);
        self.accounts.truncate(MOST);
        self.since = now;
    }

    fn cookie(&self, key: &[u8], secure: bool) -> Option<HeaderValue> {
        cookie(COOKIE, &self.to_text(key), Some(LIFE_MS / 1000), secure).ok()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    const KEY: &[u8] = b"a key of this installation";

    fn kept(known: &Known) -> HeaderMap {
        let cookie = known.cookie(KEY, true).unwrap().to_str().unwrap().to_owned();
        for flag in ["; HttpOnly", "; SameSite=Lax", "; Secure", "; Path=/", "; Max-Age=31536000"] {
            assert!(cookie.contains(flag), "{cookie}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.split(';').next().unwrap().parse().unwrap());
        headers
    }

    #[test]
    fn a_browser_is_known_to_the_accounts_that_it_signed_in() {
        let member = |number: usize| -> MemberId { format!("m{number}").try_into().unwrap() };
        let mut known = Known::new();
        for number in 0..MOST + 2 {
            known.add(KEY, &member(number), 1_000);
        }
        let read = Known::kept(&kept(&known), KEY, true, 2_000).unwrap();
        assert_eq!(read, known);
        assert!((2..MOST + 2).all(|number| read.has(KEY, &member(number))));
        assert!(!read.has(KEY, &member(0)) && !read.has(KEY, &member(1)), "the oldest ones went");
        assert_eq!(Known::kept(&kept(&known), b"another key", true, 2_000), None);
        assert_eq!(Known::kept(&kept(&known), KEY, true, 1_000 + LIFE_MS), None, "it is over after a year");
        // in another browser the same account has another digest
        let mut other = Known::new();
        other.add(KEY, &member(5), 1_000);
        assert!(other.accounts.iter().all(|digest| !known.accounts.contains(digest)));
    }

    #[test]
    fn what_was_bent_is_nothing() {
        let mut known = Known::new();
        known.add(KEY, &"m1".parse().unwrap(), 1_000);
        let text = known.to_text(KEY);
        for at in 0..text.len() {
            let mut bent = text.clone().into_bytes();
            bent[at] = if bent[at] == b'A' { b'B' } else { b'A' };
            assert_ne!(Known::read(KEY, std::str::from_utf8(&bent).unwrap()), Some(known.clone()), "{at}");
        }
        for short in ["", "AAAA", &text[..30]] {
            assert_eq!(Known::read(KEY, short), None);
        }
    }
}
