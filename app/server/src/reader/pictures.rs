//! Pictures of published pages. Their addresses hold a key of the work, so that nobody guesses one, and each is only
//! answered while its page may be read.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::ids::WorkId;
use sha2::{Digest, Sha256};

use super::open::{self, Opened};
use super::store::{self, Share};
use super::words::page_ref;
use crate::works;
use platform::app::App;
use platform::error::Error;
use platform::storage::page_picture_key;

/// The widths that pages are drawn in for readers, in pixels; the last is for who looks closer.
pub const WIDTHS: [u32; 6] = [360, 540, 720, 1080, 1440, 2048];
/// Changed whenever the press draws pages for readers differently.
const DRAWING: &str = "1";

/// The address of a page's picture, 0 for the cover.
pub fn address(share: &Share, page: usize, width: u32) -> String {
    format!("/read/{}/picture/{}/{page}/{width}", share.work, share.picture_key)
}

/// The value of `srcset` for a page.
pub fn addresses(share: &Share, page: usize) -> String {
    let of = |width: &u32| format!("{} {width}w", address(share, page, *width));
    WIDTHS[..5].iter().map(of).collect::<Vec<_>>().join(", ")
}

/// GET /read/{work}/picture/{key}/{page}/{width}.
pub async fn serve(
    State(app): State<App>,
    Path((work, key, page, width)): Path<(String, String, usize, u32)>,
    parts: Parts,
) -> Result<Response, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open_for(&app, &parts, &work).await?;
    if key != share.picture_key || page > share.facts.pages || !access.opens(page) || !WIDTHS.contains(&width)
    {
        return Err(Error::NotFound);
    }
    let picture = drawn(&app, &share, page, width).await?;
    let mut response = picture.bytes.into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/webp"));
    // a browser may keep what it was shown; nobody in between may, since reading can end at any moment
    let keeping = if picture.lasts { "private, max-age=31536000, immutable" } else { "private, no-store" };
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static(keeping));
    Ok(response)
}

/// A page's picture, drawn now where it was not before.
pub async fn drawn(
    app: &App,
    share: &Share,
    page: usize,
    width: u32,
) -> Result<crate::photos::Picture, Error> {
    let basis = format!("reader {DRAWING} {} {} {page}", share.work, share.revision);
    let key = page_picture_key(&hex::encode(Sha256::digest(basis)), width);
    if let Some(bytes) = app.storage.get(&key).await? {
        return Ok(crate::photos::Picture { bytes, lasts: true });
    }
    let document = store::document(&app.db, &share.work).await?;
    let picture = works::page_picture(app, &share.member, document, page_ref(page), width).await?;
    if picture.lasts {
        app.storage.put(&key, picture.bytes.clone()).await?;
    }
    Ok(picture)
}
