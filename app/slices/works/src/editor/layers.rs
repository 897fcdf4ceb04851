//! The pictures that the editor's pages are made of while something on them is moved.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use base::error::Error;
use base::storage::page_picture_key;
use domain::document::{Document, Page};
use domain::ids::{ElementId, MemberId, PageId};
use press::PageRef;
use sha2::{Digest, Sha256};
use web::app::App;
use web::session::Member;

use crate::pictures::{Asked, DRAWING, WIDTHS, look_of, page_picture, proxies_of};
use photos::{self, Picture};

/// GET /manager/opus/{id}/layer/{element}/{width}?r={revision}: one element by itself, as fine as a picture of its page in
/// this width.
pub async fn element(
    State(app): State<App>,
    member: Member,
    Path((id, element, width)): Path<(String, String, u32)>,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let document = document(&app, &member.id, &id, &asked, width).await?;
    let element: ElementId = element.parse().map_err(|_| Error::NotFound)?;
    let page = document.all_pages().find(|page| page.place_of(&element).is_some()).ok_or(Error::NotFound)?;
    let mut shown = page.clone();
    shown.elements.retain(|other| other.common().id.as_ref() == Some(&element));
    Ok(photos::webp(element_picture(&app, &member.id, document, shown, element, width).await?))
}

/// GET /manager/opus/{id}/backdrop/{page}/{width}?r={revision}: a page, by its id, with nothing on it.
pub async fn backdrop(
    State(app): State<App>,
    member: Member,
    Path((id, page, width)): Path<(String, String, u32)>,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let mut document = document(&app, &member.id, &id, &asked, width).await?;
    let id: PageId = page.parse().map_err(|_| Error::NotFound)?;
    let place = document.all_pages().position(|page| page.id.as_ref() == Some(&id));
    let page = place.ok_or(Error::NotFound)?.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner);
    document.page_mut(&id).ok_or(Error::NotFound)?.elements.clear();
    Ok(photos::webp(page_picture(&app, &member.id, document, page, width).await?))
}

async fn document(
    app: &App,
    member: &MemberId,
    id: &str,
    asked: &Asked,
    width: u32,
) -> Result<Document, Error> {
    if !WIDTHS.contains(&width) {
        return Err(Error::NotFound);
    }
    asked.document(app, member, id).await
}

/// Draws an element, or finds it drawn. `shown` is its page with nothing else on it.
async fn element_picture(
    app: &App,
    member: &MemberId,
    document: Document,
    shown: Page,
    element: ElementId,
    width: u32,
) -> Result<Picture, Error> {
    // what it depends on: its page's look, whatever stands beside it, and how it is turned
    let mut seen = shown.without_ids();
    seen.elements.iter_mut().for_each(|element| element.common_mut().rotation = 0.0);
    let basis = serde_json::to_vec(&("layer", DRAWING, &document.trim, look_of(&document), &seen))?;
    let key = page_picture_key(&hex::encode(Sha256::digest(&basis)), width);
    if let Some(bytes) = app.storage.picture(&key).await? {
        return Ok(Picture { bytes, lasts: true });
    }
    let (proxies, lasts) = proxies_of(app, member, &shown).await?;
    let press = app.press;
    let bytes = app
        .compute(move || {
            let drawn = press.element_picture(&document, &element, &proxies, width);
            proxies.complete(drawn)
        })
        .await??
        .ok_or(Error::NotFound)?;
    if lasts {
        app.storage.keep_picture(&key, bytes.clone()).await?;
    }
    Ok(Picture { bytes, lasts })
}
