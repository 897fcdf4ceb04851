//! What a reader's browser saves of a whole work to show it without a connection, and the worker that does; it may only be
//! saved, and stays saved, while all of the work may be read.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::ids::WorkId;
use domain::sharing::Access;
use serde_json::json;

use super::open::{self, Opened};
use super::pictures::{self, SCREENS};
use platform::app::App;
use platform::assets;
use platform::error::Error;
use platform::ui::forms::read_form;

/// Bytes of a page without its picture, about.
const PAGE_BYTES: u64 = 12_000;

/// GET /read/{work}/offline?width=: every address that belongs to the work, and how much they are.
pub async fn list(
    State(app): State<App>,
    Path(work): Path<String>,
    RawQuery(query): RawQuery,
    parts: Parts,
) -> Result<Response, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open_for(&app, &parts, &work).await?;
    if access != Access::Whole {
        return Err(Error::Forbidden("能读完整本的人才可以离线保存。"));
    }
    let asked = read_form(query.unwrap_or_default().as_bytes())?;
    let width = asked.get("width").parse().ok().filter(|width| SCREENS.contains(width)).unwrap_or(1080);
    let (mut bytes, mut ready, mut addresses) =
        (0, true, vec![format!("/read/{work}/offline?width={width}")]);
    for page in 0..=share.facts.pages {
        let address = if page == 0 { format!("/read/{work}") } else { format!("/read/{work}/{page}") };
        addresses.push(address);
        addresses.push(pictures::address(&share, page, width));
        match pictures::bytes(&app, &share, page, width).await? {
            Some(picture) => bytes += picture + PAGE_BYTES,
            None => ready = false,
        }
    }
    let list = json!({ "key": share.picture_key, "ready": ready, "bytes": bytes, "addresses": addresses });
    let mut response = Json(list).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}

/// GET /read/worker.js: the worker has to lie where the pages are that it serves.
pub async fn worker() -> Result<Response, Error> {
    let script = assets::text("read_worker.js").ok_or(Error::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        // a browser asks for a new one now and then
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, script).into_response())
}
