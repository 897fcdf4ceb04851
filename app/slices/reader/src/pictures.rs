//! Pictures of published pages. Their addresses hold a key of the work, so that nobody guesses one, and each is only
//! answered while its page may be read.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::storage::page_picture_key;
use domain::ids::WorkId;
use domain::sharing::Access;
use orders::Pictures;
use sha2::{Digest, Sha256};
use web::app::App;

use super::open::{self, Opened};
use super::room::{LARGEST, SCREENS};
use super::store::{self, Share};
use super::words::page_ref;
use photos::Picture;
use works::{self, AskedPicture};

/// Changed whenever the press draws pages for readers differently.
const DRAWING: &str = "3";

/// What the addresses of a work's pictures begin with.
pub fn base(share: &Share) -> String {
    format!("/read/{}/picture/{}", share.work, share.picture_key)
}

/// The address of a page's picture, 0 for the cover.
pub fn address(share: &Share, page: usize, width: u32) -> String {
    format!("{}/{page}/{width}", base(share))
}

/// Pictures of all pages that whoever has this access may read.
pub fn of_whole(share: &Share, access: Access) -> Pictures {
    let base = format!("/read/{}/picture/{}", share.work, share.picture_key);
    let most = (1..=share.facts.pages).take_while(|page| access.opens(*page)).count();
    let [small, _, large, ..] = SCREENS;
    Pictures { base, cover: "0", query: String::new(), widths: [small, large], most: Some(most) }
}

/// The same as JPEG, for programs that know nothing newer.
pub fn jpeg_address(share: &Share, page: usize, width: u32) -> String {
    format!("{}.jpg", address(share, page, width))
}

/// GET /read/{work}/picture/{key}/{page}/{width}; a width of `720.jpg` asks for a JPEG.
pub async fn serve(
    State(app): State<App>,
    Path((work, key, page, asked)): Path<(String, String, usize, String)>,
    parts: Parts,
) -> Result<Response, Error> {
    let AskedPicture { width, as_jpeg } = asked.parse()?;
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open_for(&app, &parts, &work).await?;
    let is_drawn = SCREENS.contains(&width) || width == LARGEST;
    if key != share.picture_key || page > share.facts.pages || !access.opens(page) || !is_drawn {
        return Err(Error::NotFound);
    }
    let drawn = drawn(&app, &share, page, width);
    let picture = match as_jpeg {
        true => works::as_jpeg(&app, &digest(&share, page), width, drawn).await?,
        false => drawn.await?,
    };
    Ok(works::shown_picture(picture))
}

fn digest(share: &Share, page: usize) -> String {
    hex::encode(Sha256::digest(format!("reader {DRAWING} {} {} {page}", share.work, share.revision)))
}

/// How many bytes a page's picture has; `None` while it is not drawn.
pub async fn bytes(app: &App, share: &Share, page: usize, width: u32) -> Result<Option<u64>, Error> {
    app.storage.size(&page_picture_key(&digest(share, page), width)).await
}

/// A page's picture, drawn now where it was not before: with all widths of screens together, or alone where it is for who
/// looks closer.
pub async fn drawn(app: &App, share: &Share, page: usize, width: u32) -> Result<Picture, Error> {
    let digest = digest(share, page);
    if let Some(bytes) = app.storage.picture(&page_picture_key(&digest, width)).await? {
        return Ok(Picture { bytes, lasts: true });
    }
    let document = store::document(&app.db, &share.work).await?;
    let widths = if width == LARGEST { &[LARGEST][..] } else { &SCREENS[..] };
    let (pictures, lasts) =
        works::reading_pictures(app, &share.member, document, page_ref(page), widths).await?;
    let mut asked = None;
    for picture in pictures {
        if lasts {
            app.storage
                .keep_picture(&page_picture_key(&digest, picture.width), picture.bytes.clone())
                .await?;
        }
        if picture.width == width {
            asked = Some(picture.bytes);
        }
    }
    Ok(Picture { bytes: asked.ok_or(Error::NotFound)?, lasts })
}
