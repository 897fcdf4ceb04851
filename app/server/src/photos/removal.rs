//! Taking photos out of the library. What a work or an order shows stays.
//!
//! A photo is out of sight at once and gone a day later: a work that was being made of it meanwhile brings it back, and
//! a backup that is being written finds the files that its rows name.

use std::collections::HashMap;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::ids::{MemberId, PhotoId};

use super::store::{self, removal};
use crate::photos::jobs::{ForgetOriginal, ForgetPhoto, ForgetPreview};
use crate::{orders, works};
use platform::app::App;
use platform::db::{Tx, now_ms};
use platform::error::Error;
use platform::jobs;
use platform::render;
use platform::session::Member;
use platform::storage::preview_key;
use platform::turns::Turns;
use platform::ui::forms::read_form;

/// How long the files of a removed photo stay, in ms.
const STAY_MS: i64 = 24 * 60 * 60_000;

/// POST /manager/photos/removal: the chosen photos (`photo`, several). Those in use stay, each with its reason.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let chosen: Vec<PhotoId> = form.all("photo").filter_map(|id| id.parse().ok()).collect();
    let now = now_ms();
    // going over all documents takes a while: nobody's writes wait for it, and one member's forms wait for each other
    let turn = LOOKING.of(member.id.clone());
    let _turn = turn.lock().await;
    let mut uses = uses_before(app.db.begin_snapshot().await?, &member.id, &chosen).await?;
    let mut tx = app.db.begin().await?;
    uses.extend(uses_since(&mut tx, &member.id, &chosen, now - OVERLAP_MS).await?);
    let mut removed = 0;
    for id in chosen.iter().filter(|id| !uses.contains_key(*id)) {
        if removal::remove(&mut tx, id, &member.id, now).await? {
            jobs::enqueue_at(&mut tx, &ForgetPhoto { photo: id.clone() }, now + STAY_MS).await?;
            removed += 1;
        }
    }
    tx.commit().await?;
    let used: Vec<PhotoId> = chosen.iter().filter(|id| uses.contains_key(*id)).cloned().collect();
    for photo in super::of_member(&app, &member.id, &used).await? {
        if let Some(places) = uses.get(&photo.id) {
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

/// Takes all of a member's photos out of the library, as part of a transaction; each goes as a removed one does.
pub async fn remove_all(tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
    for photo in removal::remove_all(tx, member, now).await? {
        jobs::enqueue_at(tx, &ForgetPhoto { photo }, now + STAY_MS).await?;
    }
    Ok(())
}

/// By how much two looks at documents overlap, in ms: instances' clocks differ, and what is saved has its time from
/// before its transaction.
const OVERLAP_MS: i64 = 5 * 60_000;

/// Who looks over a member's documents.
static LOOKING: LazyLock<Turns<MemberId>> = LazyLock::new(Turns::default);

/// Where photos are used, in words.
type Uses = HashMap<PhotoId, Vec<String>>;

/// Where some of a member's photos are used, as a transaction of its own sees it.
async fn uses_before(mut tx: Tx, member: &MemberId, photos: &[PhotoId]) -> Result<Uses, Error> {
    uses_since(&mut tx, member, photos, 0).await
}

/// Where some of a member's photos are used, in words: works, orders, and earlier versions of works, as far as they were
/// saved at a moment (epoch ms) or later.
async fn uses_since(tx: &mut Tx, member: &MemberId, photos: &[PhotoId], since: i64) -> Result<Uses, Error> {
    let mut uses: HashMap<PhotoId, Vec<String>> = HashMap::new();
    let mut note = |photo: PhotoId, place: String| {
        let known = uses.entry(photo).or_default();
        if !known.contains(&place) {
            known.push(place);
        }
    };
    let wanted = Wanted::new(photos)?;
    works::each_document(tx, member, since, |title, document| {
        wanted.shown_in(document).for_each(|photo| note(photo.clone(), format!("作品《{title}》")));
    })
    .await?;
    orders::each_document(tx, member, since, |id, document| {
        wanted.shown_in(document).for_each(|photo| note(photo.clone(), format!("订单 {id}")));
    })
    .await?;
    let unused: Vec<PhotoId> = photos.iter().filter(|photo| !uses.contains_key(*photo)).cloned().collect();
    if !unused.is_empty() {
        let wanted = Wanted::new(&unused)?;
        works::each_document_before(tx, member, since, |title, document| {
            for photo in wanted.shown_in(document) {
                uses.entry(photo.clone()).or_insert_with(|| vec![format!("作品《{title}》的旧版本")]);
            }
        })
        .await?;
    }
    Ok(uses)
}

/// Photos that are looked for in documents. A member has any number of these: each is searched as the text that it is
/// stored as, in which ids stand as they are.
struct Wanted<'a> {
    photos: &'a [PhotoId],
    search: AhoCorasick,
}

impl<'a> Wanted<'a> {
    fn new(photos: &'a [PhotoId]) -> Result<Self, Error> {
        let search = AhoCorasick::new(photos.iter().map(PhotoId::as_str)).map_err(Error::internal)?;
        Ok(Self { photos, search })
    }

    /// Those that a document shows, as often as it does.
    fn shown_in(&self, document: &str) -> impl Iterator<Item = &'a PhotoId> {
        self.search.find_iter(document).map(|found| &self.photos[found.pattern().as_usize()])
    }
}

/// The job: deletes a removed photo, and its files where nothing else names them. One that came into use meanwhile is
/// in the library again.
///
/// Its files go by a job of their own: a file that is deleted before the row is, is missed when the commit fails.
pub async fn forget(app: &App, id: &PhotoId) -> Result<(), Error> {
    let Some(found) = store::find(&app.db, id).await? else { return Ok(()) };
    let (now, ids) = (now_ms(), std::slice::from_ref(id));
    let before = uses_before(app.db.begin_snapshot().await?, &found.member, ids).await?;
    let mut tx = app.db.begin().await?;
    removal::lock_originals(&mut tx).await?;
    let Some(photo) = removal::removed(&mut tx, id, now - STAY_MS).await? else { return Ok(()) };
    let since = uses_since(&mut tx, &photo.member, ids, now - OVERLAP_MS).await?;
    if before.contains_key(id) || since.contains_key(id) {
        removal::restore(&mut tx, id).await?;
    } else {
        removal::forget(&mut tx, &photo).await?;
        if !photo.is_coming() {
            jobs::enqueue(&mut tx, &ForgetOriginal { sha256: photo.sha256.clone() }).await?;
        }
        if let Some(preview) = photo.preview {
            jobs::enqueue(&mut tx, &ForgetPreview { preview }).await?;
        }
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// Queues the end of the small copy that stood for a photo's original.
pub async fn forget_preview_later(tx: &mut Tx, photo: &store::Photo) -> Result<(), Error> {
    match photo.preview.clone() {
        Some(preview) => jobs::enqueue_at(tx, &ForgetPreview { preview }, now_ms() + STAY_MS).await,
        None => Ok(()),
    }
}

/// The job: deletes a small copy that stands for no photo any more.
pub async fn forget_preview(app: &App, preview: &str) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    removal::lock_originals(&mut tx).await?;
    delete_unused(app, &mut tx, preview).await?;
    Ok(tx.commit().await?)
}

async fn delete_unused(app: &App, tx: &mut Tx, preview: &str) -> Result<(), Error> {
    if store::coming::is_unused(tx, preview).await? {
        app.storage.delete(&preview_key(preview)).await?;
    }
    Ok(())
}

/// One of a member's own photos with the places where it is used.
pub async fn with_uses(
    app: &App,
    id: &PhotoId,
    member: &MemberId,
) -> Result<(store::Photo, Vec<String>), Error> {
    let photo = store::find_for_owner(&app.db, id, member).await?;
    let tx = app.db.begin_snapshot().await?;
    let places = uses_before(tx, member, std::slice::from_ref(id)).await?.remove(id).unwrap_or_default();
    Ok((photo, places))
}
