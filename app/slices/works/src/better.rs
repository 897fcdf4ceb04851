//! A better photo of the same moment in a frame: 换一张更好的.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::document::{Crop, Document, Element, PhotoFrame};
use domain::ids::{ElementId, MemberId, WorkId};
use domain::layout::{PhotoInput, crop, is_half_frame};
use domain::library::{LibraryPhoto, Merit, better};
use web::app::App;
use web::render;
use web::session::Member;
use web::ui::forms::read_form;

use super::forms::{for_same_page, stale};
use super::library::{compared, photos_for};
use super::photos_of;
use super::pictures::page_of;
use super::store::{self, Cause};
use photos::{Photo, PhotoState};
use press::PageRef;

/// A photo that would be better in a frame.
#[derive(Debug, Clone)]
pub struct Better {
    pub photo: Photo,
    pub merits: Vec<Merit>,
    /// The part of it that the frame would show.
    pub crop: Crop,
}

/// A photo's frame on a page.
pub fn frame_of<'d>(document: &'d Document, place: PageRef, id: &ElementId) -> Option<&'d PhotoFrame> {
    let page = match place {
        PageRef::Cover => &document.cover,
        PageRef::Inner(index) => document.pages.get(index)?,
    };
    match page.elements.get(page.place_of(id)?)? {
        Element::Photo(frame) => Some(frame),
        _ => None,
    }
}

/// What is said of a photo that stands across the fold: each of its pages has a half of it, and both would have to change.
pub const ACROSS: &str = "跨页的照片左右两页各有一半，这里不能只换一半。";
/// What is said where no photo is better.
const NONE_BETTER: &str =
    "没有更好的：同一时刻没有用过的照片里，没有比它更清晰、像素更多、脸更清楚而别处不差的。";

/// Whether a frame is a half of a photo across the fold.
pub fn is_across(document: &Document, place: PageRef, frame: &PhotoFrame) -> bool {
    matches!(place, PageRef::Inner(index) if is_half_frame(document, index, frame))
}

/// Why there are none for a frame, in a sentence.
pub fn none_better(document: &Document, place: PageRef, frame: &PhotoFrame) -> &'static str {
    if is_across(document, place, frame) { ACROSS } else { NONE_BETTER }
}

/// The photos of the library that show the same moment better than the one in a frame, the best first. Those that the work shows
/// already are none of them, and a half of a photo across the fold has none.
pub async fn better_for(
    app: &App,
    member: &MemberId,
    document: &Document,
    place: PageRef,
    frame: &PhotoFrame,
) -> Result<Vec<Better>, Error> {
    if is_across(document, place, frame) {
        return Ok(Vec::new());
    }
    let (trim, frame, used) = (document.trim, frame.clone(), photos_of(document));
    let mut library = photos_for(app, member, document).await?;
    app.compute(move || {
        let Some(at) = library.iter().position(|photo| photo.id == frame.photo) else { return Vec::new() };
        let shown = compared(&library.swap_remove(at), trim);
        library.retain(|photo| photo.state != PhotoState::Broken && !used.contains(&photo.id));
        let others: Vec<LibraryPhoto> = library.iter().map(|photo| compared(photo, trim)).collect();
        let part = |photo: &PhotoInput| {
            if photo.id == frame.photo { frame.crop } else { crop(photo, frame.frame, trim) }
        };
        let pixels = |known: &LibraryPhoto| known.photo.pixels() * part(&known.photo).area();
        let found = better(&shown, &others, pixels).into_iter();
        found
            .map(|(place, merits)| Better {
                photo: library[place].clone(),
                merits,
                crop: part(&others[place].photo),
            })
            .collect()
    })
    .await
}

/// POST /manager/opus/{id}/page/{page}/better/{element}: `photo`, one of those that were shown.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Path((id, name, element)): Path<(String, String, String)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
    let element: ElementId = element.parse().map_err(|_| Error::NotFound)?;
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let (base, mut document) = super::document_before(&app, &member.id, &work, &form).await?;
    let place = page_of(&document, &name)?;
    let frame = frame_of(&document, place, &element).ok_or(Error::NotFound)?;
    let found = better_for(&app, &member.id, &document, place, frame).await?;
    let design = format!("/manager/opus/{id}/page/{name}");
    let address = format!("{design}/better/{element}");
    let Some(chosen) = found.into_iter().find(|one| one.photo.id.as_str() == form.get("photo")) else {
        form.refuse("photo", "请从列出的照片里选一张");
        return render::again(&app, parts, &address, form).await;
    };
    let page = match place {
        PageRef::Cover => &mut document.cover,
        PageRef::Inner(index) => document.pages.get_mut(index).ok_or(Error::NotFound)?,
    };
    for known in &mut page.elements {
        if let Element::Photo(frame) = known
            && frame.common.id.as_ref() == Some(&element)
        {
            (frame.photo, frame.crop) = (chosen.photo.id.clone(), chosen.crop);
        }
    }
    if super::save(&app, &member.id, &id, base, &document, Cause::Photos).await? {
        return Ok(Redirect::to(&format!("{design}?saved=better")).into_response());
    }
    let form = for_same_page(&app, &member.id, &id, base, &name, form).await?;
    stale(&app, parts, &id, &design, form).await
}
