//! What the slice signs with the installation's key, and the cookies that carry it.

use axum::http::{HeaderMap, header};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// A signature to be made, bound to its purpose: what is signed for one is worth nothing for another.
pub fn keyed(key: &[u8], purpose: &str) -> Hmac<Sha256> {
    // HMAC takes a key of any length
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap_or_else(|_| unreachable!("any key will do"));
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac
}

/// Every value that a browser sent for a cookie.
pub fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(move |(known, _)| *known == name)
        .map(|(_, value)| value)
}
