//! Photos of guests 来宾照片: collections that a member makes, the page on which guests without an account send to them, and what
//! the member does with what came.
//!
//! Not here: how a file becomes a photo (photos), and the book that is made of them (works), which asks here what its guests said.

mod arriving;
mod browser;
mod came;
mod closing;
mod collection_form;
mod collection_page;
mod collections;
mod coming;
mod deciding;
mod guest_page;
mod jobs;
mod pictures;
mod sent;
mod store;
mod uploads;
mod wishes;

use std::collections::BTreeMap;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use base::db::sql;
use base::error::Error;
use base::storage::{ORIGINALS, PREVIEWS};
use domain::guests::{MOST, MOST_GUESTS};
use domain::ids::{CollectionId, MemberId, PhotoId};
use domain::layout::{Sender, Wish};
use domain::sub_member::Role;
use leptos::prelude::*;
use photos::MAX_REQUEST_BYTES;
use photos::uploads::{asking, creating, going_ahead, going_on};
use web::access::Policy;
use web::app::App;
use web::background::{Background, HOUR};
use web::route::Route;
use web::slice::{AtDesk, Entry, Group, Named, Slice};

use collection_form::{NewCollectionPage, SettingsPage};
use collection_page::CollectionPage;
use collections::CollectionsPage;
use guest_page::GuestPage;
use jobs::{AcceptAll, DeriveSent, ForgetCollection, ForgetHidden, TakeSent};
use uploads::AtCollection;

/// Where a member has its collections.
const PAGE: &str = "/manager/guests";

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/g/{code}", Policy::Public)
        .page(|| GuestPage().into_any())
        .handled(|| post(guest_page::send).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))),
    Route::new("/g/{code}/photo/{photo}", Policy::Public).handled(|| get(pictures::serve_small)),
    Route::new("/g/{code}/uploads", Policy::Public).handled(creating::<AtCollection>),
    Route::new("/g/{code}/uploads/known", Policy::Public).handled(asking::<AtCollection>),
    Route::new("/g/{code}/uploads/preview", Policy::Public).handled(going_ahead::<AtCollection>),
    Route::new("/g/{code}/uploads/{id}", Policy::Public).handled(going_on::<AtCollection>),
    Route::new("/g/{code}/sent", Policy::Public).handled(|| post(guest_page::change_sent)),
    Route::new("/manager/guests", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| CollectionsPage().into_any()),
    Route::new("/manager/guests/new", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| NewCollectionPage().into_any())
        .handled(|| post(collection_form::make)),
    Route::new("/manager/guests/{id}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| CollectionPage().into_any())
        .handled(|| post(collection_page::decide)),
    Route::new("/manager/guests/{id}/card.pdf", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(collection_page::card)),
    Route::new("/manager/guests/{id}/deletion", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(collection_form::delete)),
    Route::new("/manager/guests/{id}/end", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(collection_form::end)),
    Route::new("/manager/guests/{id}/opening", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(collection_form::open_again)),
    Route::new("/manager/guests/{id}/photo/{photo}/{size}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(pictures::serve)),
    Route::new("/manager/guests/{id}/settings", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| SettingsPage().into_any())
        .handled(|| post(collection_form::change)),
    Route::new("/manager/guests/{id}/wishes", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(wishes::decide)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    navigation: &[Entry::new(Group::Make, PAGE, "来宾照片", 60)],
    jobs: |handlers| {
        handlers
            .with::<DeriveSent>()
            .with::<TakeSent>()
            .with::<AcceptAll>()
            .with::<ForgetHidden>()
            .with::<ForgetCollection>()
    },
    tables: &["guest_collections", "guests", "guest_photos"],
    background: &[Background::every(HOUR, "guests' photos whose originals never came", |app| {
        Box::pin(async move { coming::forget_over(&app).await })
    })
    .for_all()],
    files: &[
        Named {
            folder: ORIGINALS,
            count: sql!(
                "select count(*) from guest_photos where sha256 = $1 and state <> 'accepted' and preview is null"
            ),
            all: sql!(
                "select sha256 from guest_photos
                 where sha256 is not null and state <> 'accepted' and preview is null"
            ),
        },
        Named {
            folder: PREVIEWS,
            count: sql!("select count(*) from guest_photos where preview = $1"),
            all: sql!("select preview from guest_photos where preview is not null"),
        },
    ],
    keeps: &[store::photos::KEEPS],
    closing: Some(&closing::AtClosing),
    ..Slice::new("guests")
};

/// What a book is told of a member's collection.
#[derive(Debug, Clone, Default)]
pub struct ForBook {
    pub title: String,
    /// The accepted photos, as they came.
    pub photos: Vec<PhotoId>,
    /// Wanted wishes.
    pub wishes: i64,
}

/// The accepted photos of a member's own collection; none of what is nobody's, or somebody else's.
///
/// # Errors
/// Those of the database.
pub async fn for_book(app: &App, member: &MemberId, id: &CollectionId) -> Result<Option<ForBook>, Error> {
    let collection = match store::find_for_owner(&app.db, id, member).await {
        Err(Error::NotFound) => return Ok(None),
        found => found?,
    };
    let photos = store::photos::accepted(&app.db, id, member, i64::from(MOST)).await?;
    let wishes = store::count_wishes(&app.db, id).await?;
    Ok(Some(ForBook { title: collection.title, photos, wishes }))
}

/// Who sent the accepted photos of a member's own collection, and what stands below them.
///
/// # Errors
/// Those of the database.
pub async fn senders(
    app: &App,
    member: &MemberId,
    id: &CollectionId,
) -> Result<BTreeMap<PhotoId, Sender>, Error> {
    store::find_for_owner(&app.db, id, member).await?;
    let mut senders = BTreeMap::new();
    for (photo, name, caption) in store::photos::words(&app.db, id, member, i64::from(MOST)).await? {
        let photo = photo.try_into().map_err(Error::internal)?;
        senders.entry(photo).or_insert(Sender { name, caption });
    }
    Ok(senders)
}

/// The wanted wishes of a member's own collection, those that came first first.
///
/// # Errors
/// Those of the database.
pub async fn wishes(app: &App, member: &MemberId, id: &CollectionId) -> Result<Vec<Wish>, Error> {
    store::find_for_owner(&app.db, id, member).await?;
    let all = store::wishes(&app.db, id, "", MOST_GUESTS).await?;
    let wanted = all.into_iter().filter(|guest| guest.is_wish_hidden == 0);
    Ok(wanted.map(|guest| Wish { name: guest.name, words: guest.wish }).collect())
}
