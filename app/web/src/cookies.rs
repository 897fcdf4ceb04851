//! The cookies of this site that no script reads.

use std::borrow::Cow;

use axum::http::header::InvalidHeaderValue;
use axum::http::{HeaderMap, HeaderValue, header};

/// A cookie's name. Where the site is https only, the prefix has browsers take the cookie from this very host alone, and
/// give it back to no other (RFC 6265bis, section 4.1.3.2): another machine of the domain can plant none.
pub fn cookie_name(name: &'static str, secure: bool) -> Cow<'static, str> {
    if secure { Cow::Owned(format!("__Host-{name}")) } else { Cow::Borrowed(name) }
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
