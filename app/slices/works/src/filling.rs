//! Two facing pages filled up with photos that the book does not show yet: 补满.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::document::Document;
use domain::ids::{MemberId, WorkId};
use domain::layout::{Filling, Unfilled, filled};
use domain::library::LibraryPhoto;
use press::PageRef;
use web::app::App;
use web::render;
use web::session::Member;
use web::ui::forms::read_form;

use super::forms::{for_same_page, stale};
use super::library::{compared, photos_for};
use super::pictures::page_of;
use super::spread::facing;
use super::store::{self, Cause};

/// The pages that are seen at once with one (counted from 0), filled up; the inner error is the sentence for a member.
pub async fn fill(
    app: &App,
    member: &MemberId,
    document: &Document,
    place: PageRef,
) -> Result<Result<Filling, Unfilled>, Error> {
    let PageRef::Inner(index) = place else { return Ok(Err(Unfilled::Fixed)) };
    let photos = photos_for(app, member, document).await?;
    let document = document.clone();
    app.compute(move || {
        let library: Vec<LibraryPhoto> = photos.iter().map(|photo| compared(photo, document.trim)).collect();
        filled(&document, &facing(&document, index), &library)
    })
    .await
}

/// POST /manager/opus/{id}/page/{page}/filling.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Path((id, name)): Path<(String, String)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let (base, mut document) = super::document_before(&app, &member.id, &work, &form).await?;
    let place = page_of(&document, &name)?;
    let address = format!("/manager/opus/{id}/page/{name}");
    let filling = match fill(&app, &member.id, &document, place).await? {
        Ok(filling) => filling,
        Err(reason) => {
            form.refuse("filling", reason.to_string());
            return render::again(&app, parts, &address, form).await;
        }
    };
    for (index, page) in filling.pages {
        document.pages[index] = page;
    }
    if super::save(&app, &member.id, &id, base, &document, Cause::Photos).await? {
        return Ok(Redirect::to(&format!("{address}?saved=filling")).into_response());
    }
    let form = for_same_page(&app, &member.id, &id, base, &name, form).await?;
    stale(&app, parts, &id, &address, form).await
}
