//! GET /read/{work}/offline: what a reader's browser saves of a whole work.

use axum::extract::{Path, RawQuery, State};
use axum::http::request::Parts;
use base::error::Error;
use domain::ids::WorkId;
use domain::sharing::Access;
use web::app::App;

use super::open::{self, Opened};
use super::pages::Place;
use super::pictures;
use super::room::{Saved, saved_width};

/// GET /read/{work}/offline?width=: every address that belongs to the work, and how much they are.
pub async fn list(
    State(app): State<App>,
    Path(work): Path<String>,
    RawQuery(query): RawQuery,
    parts: Parts,
) -> Result<Saved, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open_for(&app, &parts, &work).await?;
    if access != Access::Whole {
        return Err(Error::Forbidden("能读完整本的人才可以离线保存。"));
    }
    let width = saved_width(query)?;
    let mut saved = Saved::new(&Place::Site.address(&share, 0), width, share.picture_key.clone());
    for page in 0..=share.facts.pages {
        saved.page(Place::Site.address(&share, page));
        let bytes = pictures::bytes(&app, &share, page, width).await?;
        saved.picture(pictures::address(&share, page, width), bytes);
    }
    Ok(saved)
}
