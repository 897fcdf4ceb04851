//! Serving the smaller copies.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::ids::PhotoId;

use super::store::{self, PhotoState};
use crate::app::App;
use crate::error::Error;
use crate::session::Member;
use crate::storage::derivative_key;

/// GET /manager/photo/{id}/{size}: 320, 1280 or 2048 pixels on the long side, WebP.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Path((id, size)): Path<(String, u32)>,
) -> Result<Response, Error> {
    let id: PhotoId = id.parse().map_err(|_| Error::NotFound)?;
    if !press::photo::LONG_SIDES.contains(&size) {
        return Err(Error::NotFound);
    }
    let photo = store::find_for_owner(&app.db, &id, &member.id).await?;
    if photo.state == PhotoState::Pending {
        // somebody looks at it now: no need to wait for its turn in the queue
        super::make_derivatives(&app, &id).await?;
    }
    let bytes = app.storage.get(&derivative_key(&photo.sha256, size)).await?.ok_or(Error::NotFound)?;
    Ok(webp(bytes))
}

/// A private picture that never changes under its address.
pub fn webp(bytes: Vec<u8>) -> Response {
    let mut response = bytes.into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/webp"));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    response
}
