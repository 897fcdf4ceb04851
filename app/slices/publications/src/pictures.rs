//! Pictures of published pages and of photos in articles. Their addresses hold a key of the issue, so that nobody guesses
//! one, and each is only answered to who may read its page.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::ids::{MemberId, PhotoId};
use domain::publication::Kind;
use press::{PageRef, ShareCover};
use sha2::{Digest, Sha256};

use base::error::Error;
use base::storage::{derivative_key, page_picture_key};
use reader::room::{LARGEST, SCREENS};
use web::app::App;

use super::given;
use super::open::{self, Opened};
use super::store::articles;
use super::store::issues::{self, Issue};
use photos::{self, Picture};
use works::{self, AskedPicture};

/// One of the widths of screens, which are drawn together.
pub const COMMON: u32 = 720;
/// The width of the page that a card shows.
const CARD_WIDTH: u32 = 1440;
/// The long side of the photo that an article's card shows.
const PHOTO_SIDE: u32 = 1280;
/// Changed whenever the press draws pages for readers differently.
const DRAWING: &str = "1";

/// GET /epaper/{title}/{issue}/picture/{key}/{page}/{width}, and of magazines; a width of `720.jpg` asks for a JPEG.
pub async fn serve(
    State(app): State<App>,
    Path((title, issue, key, page, asked)): Path<(String, String, String, usize, String)>,
    parts: Parts,
) -> Result<Response, Error> {
    let AskedPicture { width, as_jpeg } = asked.parse()?;
    let Opened { issue, rights, .. } = open::open(&app, &parts, kind_of(&parts)?, &title, &issue).await?;
    let is_drawn = SCREENS.contains(&width) || width == LARGEST;
    let is_page = (1..=issue.pages).contains(&page);
    if key != issue.picture_key || !is_page || !rights.opens(page) || !is_drawn {
        return Err(Error::NotFound);
    }
    let drawn = drawn(&app, &issue, page, width);
    let picture = match as_jpeg {
        true => works::as_jpeg(&app, &digest(&issue, page), width, drawn).await?,
        false => drawn.await?,
    };
    Ok(works::shown_picture(picture))
}

/// GET /epaper/{title}/{issue}/card.jpg: what messengers show, the first page beside the name; of what is sold only the name,
/// where the first page is not among those that anybody may read.
pub async fn card(
    State(app): State<App>,
    Path((title, issue)): Path<(String, String)>,
    parts: Parts,
) -> Result<Response, Error> {
    let opened = strangers(&app, parts, &title, &issue).await?;
    if !opened.rights.opens(1) {
        return Err(Error::NotFound);
    }
    let Opened { publication, issue, .. } = opened;
    let picture = drawn(&app, &issue, 1, CARD_WIDTH).await?;
    let under = format!("{} {}", issue.day, issue.title());
    card_of(&app, picture, publication.name, under).await
}

/// GET /epaper/{title}/{issue}/a/{article}/card.jpg: the same of an article, its first photo or its page beside the headline; none
/// of what is closed to strangers.
pub async fn card_of_article(
    State(app): State<App>,
    Path((title, issue, number)): Path<(String, String, i64)>,
    parts: Parts,
) -> Result<Response, Error> {
    let Opened { publication, issue, rights, .. } = strangers(&app, parts, &title, &issue).await?;
    let article = articles::at(&app.db, &issue.id, number).await?;
    if !rights.opens(article.page) {
        return Err(Error::NotFound);
    }
    let picture = match article.photos.first() {
        Some(photo) => derivative(&app, &issue.member, &photo.photo, PHOTO_SIDE).await?,
        None => drawn(&app, &issue, article.page, CARD_WIDTH).await?,
    };
    let page = publication.kind.page_title(article.page, "");
    let under = format!("{} {} {page}", publication.name, issue.day);
    card_of(&app, picture, article.title, under).await
}

/// What a stranger may see of an issue, whoever asks.
async fn strangers(app: &App, parts: Parts, title: &str, issue: &str) -> Result<Opened, Error> {
    let mut stranger = parts;
    stranger.extensions.remove::<web::session::Visitor>();
    open::open(app, &stranger, kind_of(&stranger)?, title, issue).await
}

async fn card_of(app: &App, picture: Picture, name: String, under: String) -> Result<Response, Error> {
    let press = app.press;
    let card = app
        .compute(move || press.share_card(ShareCover::Picture(&picture.bytes), &name, &under))
        .await?
        .map_err(Error::internal)?;
    let mut response = card.into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"));
    Ok(response)
}

/// GET /epaper/{title}/{issue}/photo/{number}/{photo}/{size}: a photo that stands in an article.
pub async fn photo(
    State(app): State<App>,
    Path((title, issue, number, photo, size)): Path<(String, String, i64, String, u32)>,
    parts: Parts,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, kind_of(&parts)?, &title, &issue).await?;
    let article = articles::at(&app.db, &opened.issue.id, number).await?;
    let is_open = opened.rights.opens(article.page)
        || given::leave(&app, &parts, &opened, article.number).await?.is_some();
    if !is_open || !photo::LONG_SIDES.contains(&size) {
        return Err(Error::NotFound);
    }
    let photo = article.photos.iter().find(|known| known.photo.as_str() == photo).ok_or(Error::NotFound)?;
    Ok(works::shown_picture(derivative(&app, &opened.issue.member, &photo.photo, size).await?))
}

/// A photo of a member's in a size.
pub async fn derivative(app: &App, member: &MemberId, id: &PhotoId, size: u32) -> Result<Picture, Error> {
    photos::make_derivatives(app, id).await?;
    let photo =
        photos::of_member(app, member, std::slice::from_ref(id)).await?.pop().ok_or(Error::NotFound)?;
    let bytes = app.storage.get(&derivative_key(&photo.sha256, size)).await?.ok_or(Error::NotFound)?;
    Ok(Picture { bytes, lasts: true })
}

/// How many bytes a photo has in a size; `None` while it is not made.
pub async fn photo_bytes(
    app: &App,
    member: &MemberId,
    id: &PhotoId,
    size: u32,
) -> Result<Option<u64>, Error> {
    let photo =
        photos::of_member(app, member, std::slice::from_ref(id)).await?.pop().ok_or(Error::NotFound)?;
    app.storage.size(&derivative_key(&photo.sha256, size)).await
}

/// How many bytes a page's picture has; `None` while it is not drawn.
pub async fn bytes(app: &App, issue: &Issue, page: usize, width: u32) -> Result<Option<u64>, Error> {
    app.storage.size(&page_picture_key(&digest(issue, page), width)).await
}

/// The kind that a public address is of.
pub fn kind_of(parts: &Parts) -> Result<Kind, Error> {
    let first = parts.uri.path().split('/').nth(1).unwrap_or_default();
    Kind::of_code(first).ok_or(Error::NotFound)
}

/// Of what a page shows: the pages of an edition never change, and an issue made again is another one.
fn digest(issue: &Issue, page: usize) -> String {
    let edition = if issue.edition == 0 { String::new() } else { format!(" edition {}", issue.edition) };
    hex::encode(Sha256::digest(format!("issue {DRAWING} {} {page}{edition}", issue.id)))
}

/// A page's picture, drawn now where it was not before: all widths of screens together, or the largest alone.
pub async fn drawn(app: &App, issue: &Issue, page: usize, width: u32) -> Result<Picture, Error> {
    let digest = digest(issue, page);
    if let Some(bytes) = app.storage.picture(&page_picture_key(&digest, width)).await? {
        return Ok(Picture { bytes, lasts: true });
    }
    let document = issues::document(&app.db, &issue.id).await?;
    let index = page.checked_sub(1).ok_or(Error::NotFound)?;
    let widths = if width == LARGEST { &[LARGEST][..] } else { &SCREENS[..] };
    let (pictures, lasts) =
        works::reading_pictures(app, &issue.member, document, PageRef::Inner(index), widths).await?;
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
