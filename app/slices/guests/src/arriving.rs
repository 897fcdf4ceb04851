//! What a guest sends, file by file: looked at as a member's photos are, and kept while the collection, the guest's share and its
//! owner's room have place for it. What was kept stays, whatever becomes of the files behind it.

use axum::extract::multipart::Field;
use axum::http::request::Parts;
use domain::guests::{MOST_GUESTS, NotTaken, PieceState, may_add};
use domain::ids::CollectionId;
use photos::Arriving;

use super::jobs::DeriveSent;
use super::store::photos::{self as pieces, Piece};
use super::store::{self, Collection, Guest};
use platform::app::App;
use platform::db::{new_id, now_ms};
use platform::error::Error;
use platform::files;
use platform::jobs;
use platform::storage::original_key;

/// Why a file is not taken.
#[derive(Debug)]
pub enum Refused {
    /// Nor are those behind it.
    All(NotTaken),
    /// Empty, too large or no photo: the sentence says it.
    This(String),
    Failed(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<NotTaken> for Refused {
    fn from(reason: NotTaken) -> Self {
        Self::All(reason)
    }
}

/// The guest of a browser, who may be new.
///
/// # Errors
/// The collection takes nothing any more, or too many came.
pub async fn guest(app: &App, parts: &Parts, id: &CollectionId, browser: &str) -> Result<Guest, Refused> {
    let now = now_ms();
    if let Some(guest) = store::guest_of(&app.db, id, browser).await? {
        return Ok(guest);
    }
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let collection = held(store::hold(&mut tx, id).await)?;
    if let Some(reason) = collection.state(now).refusal() {
        return Err(reason.into());
    }
    if store::count_guests(&mut tx, id).await? >= MOST_GUESTS {
        return Err(NotTaken::TooManyGuests.into());
    }
    accounts::take_guest(app, &mut tx, parts, id).await?;
    let guest = store::insert_guest(&mut tx, &new_id(), id, browser, now).await?;
    tx.commit().await.map_err(Error::from)?;
    Ok(guest)
}

/// A collection that was deleted meanwhile has ended for who is sending.
fn held(found: Result<Collection, Error>) -> Result<Collection, Refused> {
    found.map_err(|error| match error {
        Error::NotFound => NotTaken::Ended.into(),
        error => error.into(),
    })
}

/// Bytes that a file may have, where one more is taken at all; asked before its first byte is written.
async fn place(app: &App, collection: &Collection, guest: &Guest) -> Result<u64, Refused> {
    let mut tx = app.db.begin_snapshot().await.map_err(Error::from)?;
    let counts = pieces::counts(&mut tx, &collection.id, &guest.id).await?;
    may_add(counts, collection.most, collection.most_each)?;
    let standing = accounts::standing(&mut tx, &collection.member).await?;
    drop(tx);
    let tier = standing.at(now_ms()).0;
    match photos::room_left(app, &collection.member, tier).await? {
        0 => Err(NotTaken::RoomFull.into()),
        left => Ok(left),
    }
}

/// Takes one file of a guest's form. True where it is new; the same bytes again are the same photo.
///
/// # Errors
/// See [`Refused`].
pub async fn take(
    app: &App,
    id: &CollectionId,
    guest: &Guest,
    file_name: &str,
    mut field: Field<'_>,
) -> Result<bool, Refused> {
    // its owner may have changed its mind since the form began to come
    let collection = held(store::find_any(&app.db, id).await)?;
    if let Some(reason) = collection.state(now_ms()).refusal() {
        return Err(reason.into());
    }
    let left = place(app, &collection, guest).await?;
    let mut arriving = Arriving::begin(app)?;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        arriving.write(&chunk).await?;
        if arriving.bytes() > left {
            return Err(NotTaken::RoomFull.into());
        }
    }
    match photos::look(app, &collection.member, file_name, arriving).await? {
        Ok(seen) => keep(app, &collection, guest, file_name, seen).await,
        Err(reason) => Err(Refused::This(reason)),
    }
}

/// A line that broke, or no form at all.
fn broken(error: &axum::extract::multipart::MultipartError) -> Error {
    match photos::broken_request(error) {
        Error::TooLarge(_) => Error::TooLarge("一次发的文件太多，请分几次发。已经发到的都在。".into()),
        _ => Error::BadRequest("没有发完，请再试一次。已经发到的都在，再选同样的照片也不会重复。".into()),
    }
}

/// What becomes of a request that ends in the middle.
pub fn broken_form(error: &axum::extract::multipart::MultipartError) -> Error {
    broken(error)
}

/// Puts an original in its place with its row, while there is a place for it: who holds the lock counts alone.
async fn keep(
    app: &App,
    collection: &Collection,
    guest: &Guest,
    file_name: &str,
    seen: photos::Seen,
) -> Result<bool, Refused> {
    let photos::Seen { file, sha256, bytes, facts } = seen;
    // the slow part comes before the lock
    let staged = app.storage.stage(file, original_key(&sha256)).await?;
    let now = now_ms();
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    files::lock(&mut tx).await?;
    let collection = held(store::hold(&mut tx, &collection.id).await)?;
    if let Some(reason) = collection.state(now).refusal() {
        return Err(reason.into());
    }
    if pieces::is_known(&mut tx, &guest.id, &sha256).await? {
        return Ok(false);
    }
    may_add(
        pieces::counts(&mut tx, &collection.id, &guest.id).await?,
        collection.most,
        collection.most_each,
    )?;
    let piece = Piece {
        id: new_id(),
        collection: collection.id.clone(),
        guest: guest.id.clone(),
        member: collection.member.clone(),
        sha256,
        file_name: file_name.to_owned(),
        bytes,
        facts,
        caption: String::new(),
        state: PieceState::Waiting,
        is_broken: false,
        photo: None,
        is_added: false,
        hidden_at: None,
    };
    pieces::insert(&mut tx, &piece, now).await?;
    let tier = accounts::standing(&mut tx, &collection.member).await?.at(now).0;
    if !photos::fits(app, &mut tx, &collection.member, tier).await? {
        return Err(NotTaken::RoomFull.into());
    }
    let job = DeriveSent { collection: collection.id.clone(), photo: piece.id.clone() };
    jobs::enqueue_for(&mut tx, &job, &collection.member, now).await?;
    app.storage.keep(staged).await?;
    tx.commit().await.map_err(Error::from)?;
    app.bell.ring();
    Ok(true)
}
