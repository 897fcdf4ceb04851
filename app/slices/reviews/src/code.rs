//! What links and cookies carry: an id under the installation's key, so that nobody makes one. Nothing of it is kept.

use axum::http::{HeaderMap, HeaderValue};
use base::error::Error;
use base::signing::keyed;
use domain::ids::{ReviewLinkId, ReviewerId};
use hmac::Mac;
use web::app::App;
use web::cookies::{cookie, cookies};

/// What something is signed for: it is worth nothing for another.
const LINK: &str = "review link";
const REVIEWER: &str = "reviewer";
/// Bytes of a signature.
const SIGNED: usize = 16;
/// The cookie by which a browser is known that came by a link without a name.
const COOKIE: &str = "review";
/// Who a browser is, at most, on as many links.
const MOST: usize = 12;
const COOKIE_SECONDS: i64 = 200 * 24 * 60 * 60;

fn signed(key: &str, purpose: &str, id: &str) -> String {
    let mac = keyed(key.as_bytes(), purpose).chain_update(id).finalize().into_bytes();
    format!("{id}-{}", hex::encode(&mac[..SIGNED]))
}

/// The id before a signature that is ours.
fn named<'a>(key: &str, purpose: &str, code: &'a str) -> Option<&'a str> {
    let (id, mac) = code.rsplit_once('-')?;
    let mac = hex::decode(mac).ok().filter(|mac| mac.len() == SIGNED)?;
    keyed(key.as_bytes(), purpose).chain_update(id).verify_truncated_left(&mac).ok()?;
    Some(id)
}

/// What a link's address ends with.
pub fn of_link(key: &str, link: &ReviewLinkId) -> String {
    signed(key, LINK, link.as_str())
}

/// The link of a code.
pub fn link(key: &str, code: &str) -> Option<ReviewLinkId> {
    named(key, LINK, code)?.parse().ok()
}

/// Who the browser of a request is, on any link.
pub fn reviewers(app: &App, headers: &HeaderMap) -> Vec<ReviewerId> {
    tokens(app, headers)
        .filter_map(|token| named(&app.key, REVIEWER, token)?.parse().ok())
        .take(MOST)
        .collect()
}

fn tokens<'a>(app: &App, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
    cookies(headers, COOKIE, app.config.secure_cookies).flat_map(|value| value.split('~'))
}

/// The cookie that makes the browser of a request one reviewer more.
pub fn also(app: &App, headers: &HeaderMap, reviewer: &ReviewerId) -> Result<HeaderValue, Error> {
    let new = signed(&app.key, REVIEWER, reviewer.as_str());
    let known =
        tokens(app, headers).filter(|token| named(&app.key, REVIEWER, token).is_some() && *token != new);
    let all: Vec<&str> = std::iter::once(new.as_str()).chain(known).take(MOST).collect();
    cookie(COOKIE, &all.join("~"), Some(COOKIE_SECONDS), app.config.secure_cookies).map_err(Error::internal)
}
