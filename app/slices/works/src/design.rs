//! How one page looks: its layout, its theme, its background.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::document::{Document, Ground, Page};
use domain::ids::{MemberId, WorkId};
use domain::layout::{Arrangement, PhotoInput, arrangements};
use press::PageRef;
use web::app::App;
use web::render;
use web::session::Member;
use web::ui::forms::read_form;

use super::forms::{for_same_page, stale, theme_or_none};
use super::pictures::page_of;
use super::store::{self, Cause};
use super::{photo_input, photos_of};

/// POST /manager/opus/{id}/page/{page}: `layout` (a template's code, or empty for the page as it is), `theme` (empty for the
/// book's), `ground`.
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

    let layout = form.get("layout");
    let arranged = match (layout, place) {
        ("", _) | (_, PageRef::Cover) => None,
        (code, PageRef::Inner(index)) => {
            let found = ways(&app, &member.id, &document, index).await?;
            let chosen = found.into_iter().find(|way| way.template.code() == code);
            if chosen.is_none() {
                form.refuse("layout", "这种版式放不下这一页的照片和文字，请另选一种");
            }
            chosen
        }
    };
    let theme = theme_or_none(&mut form);
    let ground = Ground::ALL.into_iter().find(|ground| ground.code() == form.get("ground"));
    if ground.is_none() {
        form.refuse("ground", "请选择底色");
    }
    let address = format!("/manager/opus/{id}/page/{name}");
    let Some(ground) = ground.filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, &address, form).await;
    };
    let page = match place {
        PageRef::Cover => &mut document.cover,
        PageRef::Inner(index) => document.pages.get_mut(index).ok_or(Error::NotFound)?,
    };
    let elements = arranged.map_or_else(|| page.elements.clone(), |way| way.page.elements);
    // a colour of its own would hide the background that was chosen
    let background = page.background.filter(|_| page.ground == ground);
    let theme = theme.map(|theme| theme.name.to_owned());
    *page = Page { id: page.id.clone(), theme, ground, background, elements };
    if super::save(&app, &member.id, &id, base, &document, Cause::Design).await? {
        let anchor = match place {
            PageRef::Cover => String::new(),
            PageRef::Inner(index) => format!("#page-{}", index + 1),
        };
        return Ok(Redirect::to(&format!("/manager/opus/{id}?saved=design{anchor}")).into_response());
    }
    let form = for_same_page(&app, &member.id, &id, base, &name, form).await?;
    stale(&app, parts, &id, &address, form).await
}

/// The ways in which a page's photos can stand, the best first.
pub async fn ways(
    app: &App,
    member: &MemberId,
    document: &Document,
    index: usize,
) -> Result<Vec<Arrangement>, Error> {
    let library: Vec<PhotoInput> =
        photos::of_member(app, member, &photos_of(document)).await?.iter().map(photo_input).collect();
    let document = document.clone();
    app.compute(move || arrangements(&document, index, &library)).await
}
