//! Taking photos out of the library. What a work or an order shows stays.
//!
//! A photo is out of sight at once and gone a day later: a work that was being made of it meanwhile brings it back, and
//! a backup that is being written finds the files that its rows name.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use domain::days::DAY_MS;
use domain::ids::{MemberId, PhotoId};
use web::app::App;
use web::files::{self, ForgetOriginal, ForgetPreview};
use web::render;
use web::session::Member;
use web::ui::forms::read_form;
use web::uses::{self, Places, Shown};

use super::store::{self, removal};
use crate::jobs::ForgetPhoto;

/// How long the files of a removed photo stay, in ms.
const STAY_MS: i64 = DAY_MS;

/// POST /manager/photos/removal: the chosen photos (`photo`, several). Those in use stay, each with its reason.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let chosen: Vec<PhotoId> = form.all("photo").filter_map(|id| id.parse().ok()).collect();
    let (removed, places) = take_out(&app, &member.id, &chosen).await?;
    let used: Vec<PhotoId> =
        chosen.into_iter().filter(|id| places.contains_key(&Shown::Photo(id.clone()))).collect();
    for photo in super::of_member(&app, &member.id, &used).await? {
        if let Some(places) = places.get(&Shown::Photo(photo.id)) {
            form.refuse("photos", format!("{}：正用在{}里", photo.file_name, places.join("、")));
        }
    }
    if removed > 0 && !form.is_refused() {
        return Ok(Redirect::to(&format!("/manager/photos?removed={removed}")).into_response());
    }
    if !form.is_refused() {
        form.refuse("photos", "请先选中要删除的照片");
    }
    form.set("removed", &removed.to_string());
    render::again(&app, parts, "/manager/photos", form).await
}

/// Photos that are taken out in one transaction: others want to write, too.
const AT_ONCE: usize = 200;

/// Takes those of a member's photos out of the library that nothing shows. How many they are, and where the others are
/// shown.
pub async fn take_out(app: &App, member: &MemberId, chosen: &[PhotoId]) -> Result<(u64, Places), Error> {
    let (mut removed, mut places) = (0, Places::new());
    for part in chosen.chunks(AT_ONCE) {
        let now = now_ms();
        let mut tx = app.db.begin().await?;
        uses::hold(app, &mut tx, member).await?;
        let asked: Vec<Shown> = part.iter().cloned().map(Shown::Photo).collect();
        let shown = uses::places(app, &mut tx, member, &asked).await?;
        let unused: Vec<&PhotoId> =
            part.iter().filter(|id| !shown.contains_key(&Shown::Photo((*id).clone()))).collect();
        let gone = removal::remove(&mut tx, &unused, member, now).await?;
        removed += gone.len() as u64;
        forget_later(&mut tx, member, gone, now).await?;
        tx.commit().await?;
        places.extend(shown);
    }
    Ok((removed, places))
}

async fn forget_later(tx: &mut Tx, member: &MemberId, photos: Vec<PhotoId>, now: i64) -> Result<(), Error> {
    let jobs: Vec<_> = photos.into_iter().map(|photo| ForgetPhoto { photo }).collect();
    jobs::enqueue_all_for(tx, &jobs, member, now + STAY_MS).await
}

/// Takes some photos of a member whose account is closed out of the library, each of which goes as a removed one does; whether there
/// may be more.
pub async fn take_some_out(tx: &mut Tx, member: &MemberId, now: i64) -> Result<bool, Error> {
    let gone = removal::remove_some(tx, member, AT_ONCE, now).await?;
    let is_more = gone.len() == AT_ONCE;
    forget_later(tx, member, gone, now).await?;
    Ok(is_more)
}

/// The job of an older version: takes all of them out.
pub async fn take_out_all(app: &App, member: &MemberId) -> Result<(), Error> {
    let mut is_more = true;
    while is_more {
        let mut tx = app.db.begin().await?;
        is_more = take_some_out(&mut tx, member, now_ms()).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// The job: deletes a removed photo, and its files where nothing else names them. One that came into use meanwhile is
/// in the library again.
///
/// Its files go by a job of their own: a file that is deleted before the row is, is missed when the commit fails.
pub async fn forget(app: &App, id: &PhotoId) -> Result<(), Error> {
    let Some(found) = store::find(&app.db, id).await? else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    uses::hold(app, &mut tx, &found.member).await?;
    files::lock(&mut tx).await?;
    let Some(photo) = removal::removed(&mut tx, id, now_ms() - STAY_MS).await? else { return Ok(()) };
    if uses::is_shown(&mut tx, &photo.member, &Shown::Photo(id.clone())).await? {
        removal::restore(&mut tx, id).await?;
    } else {
        removal::forget(&mut tx, &photo).await?;
        if !photo.is_coming() {
            let job = ForgetOriginal { sha256: photo.sha256.clone() };
            jobs::enqueue_for(&mut tx, &job, &photo.member, now_ms()).await?;
        }
        if let Some(preview) = photo.preview {
            jobs::enqueue_for(&mut tx, &ForgetPreview { preview }, &photo.member, now_ms()).await?;
        }
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// Queues the end of the small copy that stood for a photo's original.
pub async fn forget_preview_later(tx: &mut Tx, photo: &store::Photo) -> Result<(), Error> {
    match photo.preview.clone() {
        Some(preview) => {
            jobs::enqueue_for(tx, &ForgetPreview { preview }, &photo.member, now_ms() + STAY_MS).await
        }
        None => Ok(()),
    }
}

/// One of a member's own photos with the places where it is used.
pub async fn with_uses(
    app: &App,
    id: &PhotoId,
    member: &MemberId,
) -> Result<(store::Photo, Vec<String>), Error> {
    let photo = store::find_for_owner(&app.db, id, member).await?;
    let shown = Shown::Photo(id.clone());
    let mut tx = app.db.begin_snapshot().await?;
    let mut places = uses::places(app, &mut tx, member, std::slice::from_ref(&shown)).await?;
    Ok((photo, places.remove(&shown).unwrap_or_default()))
}
