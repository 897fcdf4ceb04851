//! What is signed with the installation's key, and the cookies that carry it.

use axum::http::header::InvalidHeaderValue;
use axum::http::{HeaderMap, HeaderValue, header};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::security::cookie_name;

/// A signature to be made, bound to its purpose: what is signed for one is worth nothing for another.
pub fn keyed(key: &[u8], purpose: &str) -> Hmac<Sha256> {
    // HMAC takes a key of any length
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap_or_else(|_| unreachable!("any key will do"));
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac
}

/// A cookie of this site that no script reads. It lasts as long as the browser runs, or so many seconds.
pub fn cookie(
    name: &'static str,
    value: &str,
    seconds: Option<i64>,
    secure: bool,
) -> Result<HeaderValue, InvalidHeaderValue> {
    let name = cookie_name(name, secure);
    let age = seconds.map(|seconds| format!("; Max-Age={seconds}")).unwrap_or_default();
    let secure = if secure { "; Secure" } else { "" };
    HeaderValue::from_str(&format!("{name}={value}; Path=/{age}; HttpOnly; SameSite=Lax{secure}"))
}

/// Every value that a browser sent for a cookie.
pub fn cookies<'a>(
    headers: &'a HeaderMap,
    name: &'static str,
    secure: bool,
) -> impl Iterator<Item = &'a str> {
    let name = cookie_name(name, secure);
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(move |(known, _)| *known == name.as_ref())
        .map(|(_, value)| value)
}
