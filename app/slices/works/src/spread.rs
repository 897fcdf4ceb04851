//! Two facing pages with the photos that they have, laid out in another way: 换一换.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::document::{Document, Ground, Page};
use domain::ids::{MemberId, WorkId};
use domain::layout::{CoverStyle, Density, SpreadWay, cover_ways, is_free, spread_ways};
use press::PageRef;
use serde::Deserialize;
use web::app::App;
use web::render;
use web::session::Member;
use web::ui::forms::read_form;

use super::design;
use super::forms::{for_same_page, stale};
use super::pictures::page_of;
use super::store::{self, Cause};
use super::weak::library;

/// The first page (counted from 0) of those that are seen at once with a page.
pub fn first_of(index: usize) -> usize {
    if index == 0 || !index.is_multiple_of(2) { index } else { index - 1 }
}

/// The pages (counted from 0) that are seen at once with one.
pub fn facing(document: &Document, index: usize) -> Vec<usize> {
    let first = first_of(index);
    let pair = first != 0 && first + 1 < document.pages.len();
    if pair { vec![first, first + 1] } else { vec![first] }
}

/// The ways in which the photos of a page and the one that it faces can stand, the best first; none in books whose pages
/// follow from something else.
async fn ways(
    app: &App,
    member: &MemberId,
    document: &Document,
    index: usize,
) -> Result<Vec<SpreadWay>, Error> {
    if !is_free(document) {
        return Ok(Vec::new());
    }
    let library = library(app, member, document, document.trim).await?;
    let document = document.clone();
    app.compute(move || spread_ways(&document, first_of(index), &library)).await
}

/// The compositions that a cover can have.
async fn covers(app: &App, member: &MemberId, document: &Document) -> Result<Vec<(CoverStyle, Page)>, Error> {
    if !is_free(document) {
        return Ok(Vec::new());
    }
    let library = library(app, member, document, document.trim).await?;
    let document = document.clone();
    app.compute(move || cover_ways(&document, &library)).await
}

/// The ways in which a page can stand: the cover's compositions, or those of two facing pages.
pub async fn ways_of(
    app: &App,
    member: &MemberId,
    document: &Document,
    place: PageRef,
) -> Result<Vec<SpreadWay>, Error> {
    match place {
        PageRef::Inner(index) => ways(app, member, document, index).await,
        PageRef::Cover => {
            let way = |(style, page): (CoverStyle, Page)| SpreadWay {
                code: style.code().to_owned(),
                title: style.name().to_owned(),
                density: Density::default(),
                pages: vec![page],
            };
            Ok(covers(app, member, document).await?.into_iter().map(way).collect())
        }
    }
}

/// How a page would be.
#[derive(Debug, Default, Deserialize)]
pub struct Tried {
    /// The code of another way for it and the page that it faces.
    way: Option<String>,
    /// The code of another layout for it alone.
    layout: Option<String>,
    theme: Option<String>,
    ground: Option<String>,
}

/// The document with a page as it would be.
pub async fn tried(
    app: &App,
    member: &MemberId,
    mut document: Document,
    place: PageRef,
    tried: &Tried,
) -> Result<Document, Error> {
    if let Some(code) = &tried.way {
        match place {
            PageRef::Cover => {
                let found = covers(app, member, &document).await?;
                let (_, page) =
                    found.into_iter().find(|(style, _)| style.code() == *code).ok_or(Error::NotFound)?;
                document.cover = page;
            }
            PageRef::Inner(index) => {
                let found = ways(app, member, &document, index).await?;
                let way = found.into_iter().find(|way| way.code == *code).ok_or(Error::NotFound)?;
                put(&mut document, index, way.pages);
            }
        }
    }
    if let (Some(code), PageRef::Inner(index)) = (&tried.layout, place) {
        let found = design::ways(app, member, &document, index).await?;
        let way = found.into_iter().find(|way| way.template.code() == *code).ok_or(Error::NotFound)?;
        document.pages[index] = way.page;
    }
    let page = match place {
        PageRef::Cover => &mut document.cover,
        PageRef::Inner(index) => document.pages.get_mut(index).ok_or(Error::NotFound)?,
    };
    let theme = tried.theme.as_ref().and_then(|name| press::themes().iter().find(|it| it.name == *name));
    if let Some(theme) = theme {
        page.theme = Some(theme.name.to_owned());
    }
    let ground =
        tried.ground.as_ref().and_then(|code| Ground::ALL.into_iter().find(|ground| ground.code() == code));
    if let Some(ground) = ground {
        (page.ground, page.background) = (ground, None);
    }
    Ok(document)
}

fn put(document: &mut Document, index: usize, pages: Vec<Page>) {
    let first = first_of(index);
    for (at, page) in pages.into_iter().enumerate() {
        if let Some(place) = document.pages.get_mut(first + at) {
            *place = page;
        }
    }
}

/// POST /manager/opus/{id}/page/{page}/spread: `way`, one of those that were shown, or on the cover a composition.
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
    let (base, document) = super::document_before(&app, &member.id, &work, &form).await?;
    let place = page_of(&document, &name)?;
    let address = format!("/manager/opus/{id}/page/{name}");
    let chosen = Tried { way: Some(form.get("way").to_owned()), ..Tried::default() };
    let document = match tried(&app, &member.id, document, place, &chosen).await {
        Err(Error::NotFound) => {
            form.refuse("way", "这种版式放不下这两页的照片和文字，请另选一种");
            return render::again(&app, parts, &address, form).await;
        }
        document => document?,
    };
    if super::save(&app, &member.id, &id, base, &document, Cause::Design).await? {
        return Ok(Redirect::to(&format!("{address}?saved=spread#ways")).into_response());
    }
    let form = for_same_page(&app, &member.id, &id, base, &name, form).await?;
    stale(&app, parts, &id, &address, form).await
}
