//! Pictures of the pages of a round, the same as those of the proof.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use web::app::App;

use super::open::{self, page_of, page_ref};
use super::store;
use works::WIDTHS;

/// GET /review/{code}/picture/{round}/{page}/{width}: of any round, since comments show the page on which they were made.
pub async fn serve(
    State(app): State<App>,
    Path((code, round, page, width)): Path<(String, i64, String, u32)>,
    parts: Parts,
) -> Result<Response, Error> {
    if !WIDTHS.contains(&width) {
        return Err(Error::NotFound);
    }
    let opened = open::open(&app, &parts, &code).await?;
    let document = if round == opened.round.number {
        opened.document
    } else {
        let round = store::round(&app.db, &opened.work.id, round).await?.ok_or(Error::NotFound)?;
        works::document_at(&app, &opened.work.id, &opened.link.member, round.revision).await?
    };
    let page = page_ref(page_of(&document, &page)?);
    let picture = works::page_picture(&app, &opened.link.member, document, page, width).await?;
    Ok(works::shown_picture(picture))
}
