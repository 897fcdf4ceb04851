//! A guest's browser: it keeps a random name that is signed, so that two guests of one name are two, and nobody is another one.

use axum::http::request::Parts;
use base::error::Error;
use base::signing::keyed;
use hmac::Mac;
use rand::Rng;
use sha2::{Digest, Sha256};
use web::app::App;
use web::cookies::{cookie, cookies};
use web::security::Cookies;

const COOKIE: &str = "bindery_guest";
/// What the cookie is signed for.
const PURPOSE: &str = "guest";
/// How long it lasts, in seconds.
const LIFE_S: i64 = 365 * 24 * 60 * 60;
/// Bytes of a name and of a signature.
const SHORT: usize = 16;

/// The digest under which the browser of a request is known, where it is.
pub fn known(app: &App, parts: &Parts) -> Option<String> {
    let mut sent = cookies(&parts.headers, COOKIE, app.config.secure_cookies);
    let name = sent.find_map(|value| {
        let (name, mac) = value.split_once('.')?;
        let mac = hex::decode(mac).ok().filter(|mac| mac.len() == SHORT)?;
        keyed(app.key.as_bytes(), PURPOSE).chain_update(name).verify_truncated_left(&mac).ok()?;
        Some(name)
    })?;
    Some(hex::encode(Sha256::digest(name)))
}

/// The same; a browser that has no name is given one with the answer.
///
/// # Errors
/// None that happen: a name fits into a header.
pub fn named(app: &App, parts: &Parts) -> Result<String, Error> {
    if let Some(known) = known(app, parts) {
        return Ok(known);
    }
    let mut name = [0; SHORT];
    rand::rng().fill_bytes(&mut name);
    let name = hex::encode(name);
    let mac = keyed(app.key.as_bytes(), PURPOSE).chain_update(&name).finalize().into_bytes();
    let value = format!("{name}.{}", hex::encode(&mac[..SHORT]));
    let set = cookie(COOKIE, &value, Some(LIFE_S), app.config.secure_cookies).map_err(Error::internal)?;
    Cookies::add(parts, set);
    Ok(hex::encode(Sha256::digest(&name)))
}
