//! Serving the smaller copies.

use std::sync::LazyLock;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use base::keyed::KeyedLock;
use base::storage::{derivative_key, preview_key};
use domain::ids::{MemberId, PhotoId};
use web::app::App;
use web::session::Member;

use super::store::{self, PhotoState};

/// GET /manager/photo/{id}/{size}: 320, 1280 or 2048 pixels on the long side, WebP. The small copy of a photo that is on
/// its way has a size of its own.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Path((id, size)): Path<(String, u32)>,
) -> Result<Response, Error> {
    let id: PhotoId = id.parse().map_err(|_| Error::NotFound)?;
    Ok(webp(smaller(&app, &id, &member.id, size).await?))
}

/// A member's own photo in one of the sizes that are served.
pub async fn smaller(app: &App, id: &PhotoId, member: &MemberId, size: u32) -> Result<Picture, Error> {
    if !photo::LONG_SIDES.contains(&size) {
        return Err(Error::NotFound);
    }
    let photo = store::find_for_owner(&app.db, id, member).await?;
    if photo.state == PhotoState::Pending {
        // somebody looks at it now: no need to wait for its turn in the queue
        super::make_derivatives(app, id).await?;
    }
    let key = match &photo.preview {
        Some(preview) => preview_key(preview),
        None => derivative_key(&photo.sha256, size),
    };
    let bytes = app.storage.get(&key).await?.ok_or(Error::NotFound)?;
    Ok(Picture { bytes, lasts: !photo.is_coming() })
}

/// One making of an original's served sizes at a time, where no photo of a library has them.
static UNDER_WAY: LazyLock<KeyedLock<String>> = LazyLock::new(KeyedLock::default);

/// An original of a member's in one of the sizes that are served, made where it is not there yet; `None` where it can't be
/// decoded.
///
/// # Errors
/// Those of the storage.
pub async fn smaller_of_original(
    app: &App,
    member: &MemberId,
    sha256: &str,
    size: u32,
) -> Result<Option<Picture>, Error> {
    if !photo::LONG_SIDES.contains(&size) {
        return Err(Error::NotFound);
    }
    let key = derivative_key(sha256, size);
    if let Some(bytes) = app.storage.get(&key).await? {
        return Ok(Some(Picture { bytes, lasts: true }));
    }
    let turn = UNDER_WAY.of(sha256.to_owned());
    let _turn = turn.lock().await;
    if let Some(bytes) = app.storage.get(&key).await? {
        return Ok(Some(Picture { bytes, lasts: true }));
    }
    if super::derived(app, member, sha256).await?.is_err() {
        return Ok(None);
    }
    let bytes = app.storage.get(&key).await?.ok_or(Error::NotFound)?;
    Ok(Some(Picture { bytes, lasts: true }))
}

/// A picture as WebP.
pub struct Picture {
    pub bytes: Vec<u8>,
    /// Whether it never changes under its address: it shows no photo that is on its way.
    pub lasts: bool,
}

/// A private picture.
pub fn webp(picture: Picture) -> Response {
    let keeping = if picture.lasts { "private, max-age=31536000, immutable" } else { "private, no-store" };
    let mut response = picture.bytes.into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/webp"));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static(keeping));
    response
}
