//! Pages as readers' screens show them: in several widths, each in the format that shows it in the fewest bytes; and as JPEG
//! for programs that know nothing newer.

use std::str::FromStr;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use base::storage::page_picture_key;
use domain::document::{Document, Trim};
use domain::ids::MemberId;
use press::{PageRef, ReadingPicture};
use sha2::{Digest, Sha256};
use web::app::App;

use super::pictures::proxies_of;
use photos::Picture;

/// The quality of JPEGs.
const QUALITY: u8 = 82;

/// The last part of the address of a page's picture, `720` or `720.jpg`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedPicture {
    /// In pixels.
    pub width: u32,
    pub as_jpeg: bool,
}

impl FromStr for AskedPicture {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let (width, as_jpeg) = match text.strip_suffix(".jpg") {
            Some(width) => (width, true),
            None => (text, false),
        };
        Ok(Self { width: width.parse().map_err(|_| Error::NotFound)?, as_jpeg })
    }
}

/// Draws a page in several widths for readers; and whether the pictures last.
pub async fn reading_pictures(
    app: &App,
    member: &MemberId,
    document: Document,
    page: PageRef,
    widths: &'static [u32],
) -> Result<(Vec<ReadingPicture>, bool), Error> {
    let shown = match page {
        PageRef::Cover => &document.cover,
        PageRef::Inner(index) => document.pages.get(index).ok_or(Error::NotFound)?,
    };
    let (proxies, lasts) = proxies_of(app, member, shown).await?;
    let press = app.press;
    let drawn = app
        .compute(move || {
            let drawn = press.reading_pictures(&document, page, &proxies, widths);
            proxies.complete(drawn)
        })
        .await??;
    Ok((drawn, lasts))
}

/// A page's picture as JPEG; `drawn` draws it where none was made. `digest` says what it shows.
pub async fn as_jpeg(
    app: &App,
    digest: &str,
    width: u32,
    drawn: impl Future<Output = Result<Picture, Error>> + Send,
) -> Result<Picture, Error> {
    let key = page_picture_key(&hex::encode(Sha256::digest(format!("jpeg {QUALITY} {digest}"))), width);
    if let Some(bytes) = app.storage.picture(&key).await? {
        return Ok(Picture { bytes, lasts: true });
    }
    let Picture { bytes, lasts } = drawn.await?;
    let made = app
        .compute(move || photo::progressive_jpeg(&photo::to_srgb(photo::read_derivative(&bytes)?), QUALITY))
        .await?;
    let bytes = made.ok_or_else(|| Error::internal("a page's picture can't be read"))?;
    if lasts {
        app.storage.keep_picture(&key, bytes.clone()).await?;
    }
    Ok(Picture { bytes, lasts })
}

/// The size of a page's picture in pixels.
pub fn picture_size(trim: Trim, width: u32) -> (u32, u32) {
    (width, (f64::from(width) * trim.height / trim.width).round().max(1.0) as u32)
}

/// A page's picture as an answer. A browser may keep what it was shown; nobody in between may, since reading can end at any
/// moment.
pub fn shown_picture(picture: Picture) -> Response {
    let kind = match picture.bytes.as_slice() {
        [0x89, b'P', ..] => "image/png",
        [0xff, 0xd8, ..] => "image/jpeg",
        _ => "image/webp",
    };
    let keeping = if picture.lasts { "private, max-age=31536000, immutable" } else { "private, no-store" };
    let mut response = picture.bytes.into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static(keeping));
    response
}
