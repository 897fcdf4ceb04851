//! What hot areas play and show, for whoever may read the page that they are on.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::storage::original_key;
use domain::ids::{HotAreaId, WorkId};
use web::app::App;
use web::ui::files::stored;

use super::{HotArea, store};
use crate::open::{self, Opened};
use crate::store::Share;

/// Where the sound or film of an area is.
pub fn film_address(share: &Share, area: &HotArea) -> String {
    format!("/read/{}/area/{}/{}/film", share.work, share.picture_key, area.id)
}

/// Where one of the photos of an area is, counted from 1, with a long side of so many pixels.
pub fn picture_address(share: &Share, area: &HotArea, photo: usize, size: u32) -> String {
    format!("/read/{}/area/{}/{}/{photo}/{size}", share.work, share.picture_key, area.id)
}

/// An area that the caller may see.
async fn seen(
    app: &App,
    parts: &Parts,
    work: &str,
    key: &str,
    area: &str,
) -> Result<(Share, HotArea), Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let area: HotAreaId = area.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open_for(app, parts, &work).await?;
    let area = store::find(&app.db, &work, &area).await?.ok_or(Error::NotFound)?;
    let page = share.facts.page_ids.iter().position(|page| page.as_ref() == Some(&area.page));
    let is_open = page.is_some_and(|page| access.opens(page));
    if is_open && key == share.picture_key { Ok((share, area)) } else { Err(Error::NotFound) }
}

/// GET /read/{work}/area/{key}/{area}/film: whole, or the part that the player asks for.
pub async fn film(
    State(app): State<App>,
    Path((work, key, area)): Path<(String, String, String)>,
    parts: Parts,
) -> Result<Response, Error> {
    let (_, area) = seen(&app, &parts, &work, &key, &area).await?;
    let media = area.media.ok_or(Error::NotFound)?;
    let path = app.storage.bring(&original_key(&media.sha256)).await?.ok_or(Error::NotFound)?;
    let kind = media.format.media_type().parse().map_err(Error::internal)?;
    stored(&path, &parts, &kind).await
}

/// GET /read/{work}/area/{key}/{area}/{photo}/{size}: one of its photos, from 1.
pub async fn picture(
    State(app): State<App>,
    Path((work, key, area, photo, size)): Path<(String, String, String, usize, u32)>,
    parts: Parts,
) -> Result<Response, Error> {
    let (share, area) = seen(&app, &parts, &work, &key, &area).await?;
    let photo = photo.checked_sub(1).and_then(|index| area.photos.get(index)).ok_or(Error::NotFound)?;
    Ok(photos::webp(photos::smaller(&app, photo, &share.member, size).await?))
}
