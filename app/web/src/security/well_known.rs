//! What programs look for below `/.well-known/` (RFC 8615).

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;

use crate::app::App;
use crate::origin::Origin;

/// How long what `security.txt` says is good, in ms. RFC 9116, section 2.5.5 recommends less than a year.
const GOOD_MS: i64 = 180 * 24 * 60 * 60_000;

/// GET /.well-known/security.txt: who hears of security holes (RFC 9116), where the host says so.
pub async fn security(State(app): State<App>, headers: HeaderMap) -> Result<Response, Error> {
    let Some(contact) = &app.config.security_contact else { return Err(Error::NotFound) };
    let canonical = Origin::of(&app.config, &headers).join("/.well-known/security.txt");
    let expires = time::rfc3339(now_ms() + GOOD_MS);
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: zh, en\nCanonical: {canonical}\n"
    );
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
