//! A member's photos: taking them in, keeping the originals unchanged, serving smaller copies.
//!
//! Not here: where a photo stands on a page (works), and how one is decoded (the crate `photo`).

mod closing;
mod demo;
mod forms;
mod jobs;
mod others;
mod pages;
mod pictures;
mod props;
mod receive;
mod removal;
mod store;
pub mod uploads;

use domain::sub_member::Role;
use leptos::prelude::*;
use std::sync::LazyLock;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use base::db::{Tx, now_ms, sql};
use base::error::Error;
use base::jobs as queue;
use base::keyed::KeyedLock;
use base::storage::{ORIGINALS, PREVIEWS, original_key};
use domain::ids::{MemberId, PhotoId};
use photo::{Derivatives, PhotoRefusal};
use web::access::Policy;
use web::app::App;
use web::pixels;
use web::route::Route;
use web::slice::{AtDesk, Entry, Group, Named, Slice};

pub use others::{Facts, Seen, adopt, fits, look, room_left};
pub use pages::{
    Choice, PhotoInput, PhotoPage, PhotoPicker, PhotosPage, UploadSlot, guests_uploader_props, month_of,
    turns, uploader_props,
};
pub use pictures::{Picture, smaller, smaller_of_original, webp};
pub use props::UploaderProps;
pub use receive::{
    Arriving, Intake, Limit, MAX_FILE_BYTES, MAX_REQUEST_BYTES, Room, broken_request, keep_arrived,
    keep_jpeg, no_room, shown_name,
};
pub use removal::take_out;
pub use store::{Kept, Photo, PhotoState};

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::uploads::headers::{Metadata, number};
}

use store::Sight;

use jobs::{DerivePhoto, ForgetPhoto, LookForFaces, MeasurePhoto, ReadClock, TakeOutAll, TakeUpload};

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/photo/{id}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| PhotoPage().into_any()),
    Route::new("/manager/photo/{id}/{size}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(pictures::serve)),
    Route::new("/manager/photos", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| PhotosPage().into_any())
        .handled(|| post(forms::upload).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))),
    Route::new("/manager/photos/removal", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(removal::remove)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES, uploads::ROUTES],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    navigation: &[Entry::new(Group::Make, "/manager/photos", "素材", 50)],
    jobs: |handlers| {
        handlers
            .with::<DerivePhoto>()
            .with::<TakeUpload>()
            .with::<ForgetPhoto>()
            .with::<TakeOutAll>()
            .with::<ReadClock>()
            .with::<LookForFaces>()
            .with::<MeasurePhoto>()
    },
    tables: &["photos"],
    background: uploads::CLEARING,
    passing: &["upload_pieces", "uploads"],
    files: &[
        Named {
            folder: ORIGINALS,
            count: sql!("select count(*) from photos where sha256 = $1 and preview is null"),
            all: sql!("select sha256 from photos where sha256 is not null and preview is null"),
        },
        Named {
            folder: PREVIEWS,
            count: sql!("select count(*) from photos where preview = $1"),
            all: sql!("select preview from photos where preview is not null"),
        },
    ],
    keeps: &[store::KEEPS],
    closing: Some(&closing::AtClosing),
    ..Slice::new("photos")
};

/// All of a member's photos, the newest first.
pub async fn library(app: &App, member: &MemberId) -> Result<Vec<Photo>, Error> {
    let photos = store::of_member(&app.db, member).await?;
    Ok(photos.into_iter().filter(|photo| photo.removed_at.is_none()).collect())
}

/// The photos that came last, the newest first.
pub async fn newest(app: &App, member: &MemberId, most: usize) -> Result<Vec<Photo>, Error> {
    store::newest(&app.db, member, "", None, most).await
}

/// A library in the order in which it came, by parts.
pub struct Newest {
    pub photos: Vec<Photo>,
    /// Whether there are older ones.
    pub is_further: bool,
}

/// The newest photos, at most so many: those whose file's name holds `search`, older than `last`, where it is named.
pub async fn newest_part(
    app: &App,
    member: &MemberId,
    search: &str,
    last: Option<&PhotoId>,
    most: usize,
) -> Result<Newest, Error> {
    let mut photos = store::newest(&app.db, member, search, last, most + 1).await?;
    let is_further = photos.len() > most;
    photos.truncate(most);
    Ok(Newest { photos, is_further })
}

/// What a member keeps.
pub async fn kept(app: &App, member: &MemberId) -> Result<Kept, Error> {
    store::kept(app, member).await
}

/// Those of the named photos that are the member's, in the order of the names; also those that were removed lately.
pub async fn of_member(app: &App, member: &MemberId, ids: &[PhotoId]) -> Result<Vec<Photo>, Error> {
    let found = store::named(&app.db, ids).await?.into_iter().filter(|photo| photo.member == *member);
    let mut known: std::collections::HashMap<PhotoId, Photo> =
        found.map(|photo| (photo.id.clone(), photo)).collect();
    Ok(ids.iter().filter_map(|id| known.remove(id)).collect())
}

/// Queues the served sizes of every photo, where a backup left them out.
pub async fn derive_again(tx: &mut Tx) -> Result<(), Error> {
    let now = now_ms();
    for (photo, member) in store::set_pending(tx).await? {
        queue::enqueue_for(tx, &DerivePhoto { photo }, &member, now).await?;
    }
    Ok(())
}

/// One making of a photo's served sizes at a time; the others wait and find them made.
static UNDER_WAY: LazyLock<KeyedLock<PhotoId>> = LazyLock::new(KeyedLock::default);

/// Makes the served sizes of a photo and notes that it is ready. Safe to run again.
///
/// A photo that cannot be decoded is marked as broken: trying again would not help.
pub async fn make_derivatives(app: &App, id: &PhotoId) -> Result<(), Error> {
    let turn = UNDER_WAY.of(id.clone());
    let _turn = turn.lock().await;
    let Some(photo) = store::find(&app.db, id).await? else { return Ok(()) };
    if photo.state != PhotoState::Pending {
        return Ok(());
    }
    let (state, sight) = match derived(app, &photo.member, &photo.sha256).await? {
        Ok(sight) => (PhotoState::Ready, sight),
        Err(refusal) => {
            tracing::warn!(photo = %id, %refusal, "A photo could not be decoded");
            (PhotoState::Broken, Sight::default())
        }
    };
    store::set_state(&app.db, id, state, sight).await
}

/// Makes the served sizes of an original, and what is seen in it. The inner error says why it can't be decoded.
async fn derived(app: &App, member: &MemberId, sha256: &str) -> Result<Result<Sight, PhotoRefusal>, Error> {
    let made = match app.storage.bring(&original_key(sha256)).await? {
        Some(path) => pixels::derive(app, member, path).await?,
        None => Err(PhotoRefusal::Unreadable),
    };
    match made {
        Ok(Derivatives { sizes, subject, look, faces, quality }) => {
            let kept = sizes.map(|derivative| {
                let key = base::storage::derivative_key(sha256, derivative.long_side);
                async move { app.storage.put(&key, derivative.webp).await }
            });
            futures::future::try_join_all(kept).await?;
            Ok(Ok(Sight { subject, look, faces, quality }))
        }
        // the disk's fault, not the photo's: worth another try
        Err(PhotoRefusal::Unreadable) => Err(Error::internal("the original could not be read")),
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// Looks for the faces of a photo whose served sizes were made before, in the middle one. Safe to run again.
async fn look_for_faces(app: &App, id: &PhotoId) -> Result<(), Error> {
    let Some(detector) = pixels::detector(app) else { return Ok(()) };
    let Some(picture) = made_before(app, id, |photo| photo.faces.is_some()).await? else { return Ok(()) };
    match app.compute(move || photo::faces_of(detector, &picture)).await? {
        Some(faces) => store::set_faces(&app.db, id, &faces).await,
        None => Ok(()),
    }
}

/// Measures how good a photo is whose served sizes were made before, in the middle one. Safe to run again.
async fn measure(app: &App, id: &PhotoId) -> Result<(), Error> {
    let Some(picture) = made_before(app, id, |photo| photo.quality.is_some()).await? else { return Ok(()) };
    match app.compute(move || photo::quality_of(&picture)).await? {
        Some(quality) => store::set_quality(&app.db, id, &quality).await,
        None => Ok(()),
    }
}

/// The middle one of a photo's served sizes, where these were made and nobody has seen yet what is asked for.
async fn made_before(app: &App, id: &PhotoId, is_seen: fn(&Photo) -> bool) -> Result<Option<Vec<u8>>, Error> {
    let photo = store::find(&app.db, id).await?;
    let is_unseen = |photo: &Photo| photo.state == PhotoState::Ready && !photo.is_coming() && !is_seen(photo);
    let Some(photo) = photo.filter(is_unseen) else { return Ok(None) };
    let [_, middle, _] = photo::LONG_SIDES;
    app.storage.get(&base::storage::derivative_key(&photo.sha256, middle)).await
}
