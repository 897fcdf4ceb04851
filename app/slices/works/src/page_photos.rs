//! Which photos stand on a page.

use std::cmp::Ordering;

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::document::{Document, Page};
use domain::ids::{PhotoId, WorkId};
use domain::layout::{MAX_PER_PAGE, PhotoInput, is_free, takes_photos, with_photos};
use press::PageRef;
use web::app::App;
use web::multipart::Multipart;
use web::render;
use web::session::Member;

use super::forms::{chosen_photos, for_same_page, read_desk, refuse_broken, stale};
use super::photo_input;
use super::pictures::page_of;
use super::store::{self, Cause};

/// The page of that name, with its index, where it takes photos.
pub fn page_for_photos<'d>(document: &'d Document, name: &str) -> Result<(usize, &'d Page), Error> {
    let PageRef::Inner(index) = page_of(document, name)? else { return Err(Error::NotFound) };
    let page = document.pages.get(index).ok_or(Error::NotFound)?;
    if is_free(document) && takes_photos(page) {
        Ok((index, page))
    } else {
        Err(Error::Conflict("书名页、章名页、月历和 PDF 的页面不放别的照片。".into()))
    }
}

/// POST /manager/opus/{id}/page/{page}/photos: `photo` for each photo, and `place-{photo}` for those that have a number;
/// those without follow. Photos that came with the form are taken into the library and chosen.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Path((id, name)): Path<(String, String)>,
    parts: Parts,
    multipart: Multipart,
) -> Result<Response, Error> {
    let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let mut form = read_desk(&app, &member, multipart).await?;
    let address = format!("/manager/opus/{id}/page/{name}");
    if photos::turns(&mut form) {
        return render::again(&app, parts, &format!("{address}/photos"), form).await;
    }
    let (base, mut document) = super::document_before(&app, &member.id, &work, &form).await?;
    let (index, page) = page_for_photos(&document, &name)?;
    let before: Vec<PhotoId> = page.photos().map(|frame| frame.photo.clone()).collect();
    let ids = in_order(chosen_photos(&form), &before, |id| {
        domain::typed::whole(form.get(&format!("place-{id}")), &[])
    });
    let chosen = photos::of_member(&app, &member.id, &ids).await?;
    let ids: Vec<PhotoId> = chosen.iter().map(|photo| photo.id.clone()).collect();
    refuse_broken(&mut form, &chosen);
    if chosen.len() > MAX_PER_PAGE {
        form.refuse("photos", format!("一页最多放 {MAX_PER_PAGE} 张照片，选了 {} 张", chosen.len()));
    }
    if !form.is_refused() {
        let mut library = photos::of_member(&app, &member.id, &before).await?;
        library.extend(chosen);
        let library: Vec<PhotoInput> = library.iter().map(photo_input).collect();
        let before = document.clone();
        match app.compute(move || with_photos(&before, index, &ids, &library)).await? {
            Some(page) => document.pages[index] = page,
            None => form.refuse("photos", "这一页放不下这些照片，请少选几张"),
        }
    }
    if form.is_refused() {
        return render::again(&app, parts, &format!("{address}/photos"), form).await;
    }
    if super::save(&app, &member.id, &id, base, &document, Cause::Photos).await? {
        return Ok(Redirect::to(&format!("{address}?saved=photos")).into_response());
    }
    let form = for_same_page(&app, &member.id, &id, base, &name, form).await?;
    stale(&app, parts, &id, &format!("{address}/photos"), form).await
}

/// Photos by the numbers that a member gave them; those without follow. A number that was changed counts before the same one
/// that was not, or after it where the photo was moved back.
pub fn in_order(
    mut ids: Vec<PhotoId>,
    before: &[PhotoId],
    number: impl Fn(&PhotoId) -> Option<u32>,
) -> Vec<PhotoId> {
    ids.sort_by_key(|id| {
        let Some(number) = number(id).map(u64::from) else { return u64::MAX };
        let old = before.iter().position(|known| known == id).map_or(number, |index| index as u64 + 1);
        // three places for each number
        match number.cmp(&old) {
            Ordering::Less => 3 * number,
            Ordering::Equal => 3 * number + 1,
            Ordering::Greater => 3 * number + 2,
        }
    });
    ids
}
