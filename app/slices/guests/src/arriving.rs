//! What a guest sends, file by file: looked at as a member's photos are, and kept while the collection, the guest's share and its
//! owner's room have place for it. What was kept stays, whatever becomes of the files behind it.

use axum::extract::multipart::Field;
use axum::http::request::Parts;
use base::db::{Tx, new_id, now_ms};
use base::error::Error;
use base::jobs;
use base::storage::original_key;
use domain::days::DAY_MS;
use domain::guests::{Counts, MOST_GUESTS, NotTaken, may_add};
use domain::ids::{CollectionId, GuestPhotoId};
use photos::Arriving;
use photos::uploads::{self, Upload, open_to};
use web::app::App;
use web::files::{self, ForgetPreview};

use super::jobs::DeriveSent;
use super::store::photos::{self as pieces, NewPiece, Piece, coming as copies};
use super::store::{self, Collection, Guest};
use super::uploads::sender;

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

/// Bytes that its owner has room for.
pub async fn room(app: &App, collection: &Collection) -> Result<u64, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    let standing = accounts::standing(&mut tx, &collection.member).await?;
    drop(tx);
    photos::room_left(app, &collection.member, standing.at(now_ms()).0).await
}

/// How many photos there are, with those that are on the way.
pub async fn counts(tx: &mut Tx, collection: &CollectionId, guest: &str) -> Result<Counts, Error> {
    let there = pieces::counts(tx, collection, guest).await?;
    let open = open_to(tx, collection.as_str(), guest).await?;
    Ok(Counts { all: there.all + open.everybodys_counted, own: there.own + open.own_counted })
}

/// Bytes that a file may have, where one more is taken at all; asked before its first byte is written.
pub async fn place(app: &App, collection: &Collection, guest: &str) -> Result<u64, Refused> {
    let mut tx = app.db.begin_snapshot().await.map_err(Error::from)?;
    may_add(counts(&mut tx, &collection.id, guest).await?, collection.most, collection.most_each)?;
    drop(tx);
    match room(app, collection).await? {
        0 => Err(NotTaken::RoomFull.into()),
        left => Ok(left),
    }
}

/// What a file that is kept counts on.
#[derive(Debug, Clone, Copy)]
pub enum Place<'a> {
    /// It has to find one: the guest's id.
    ToFind(&'a str),
    /// Place and room were set apart when its upload began.
    SetApart(&'a Upload),
}

impl Place<'_> {
    fn guest(&self) -> &str {
        match self {
            Self::ToFind(guest) => guest,
            Self::SetApart(upload) => &upload.sender.name,
        }
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
    let collection = open_now(app, id).await?;
    let left = place(app, &collection, &guest.id).await?;
    let mut arriving = Arriving::begin(app)?;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        arriving.write(&chunk).await?;
        if arriving.bytes() > left {
            return Err(NotTaken::RoomFull.into());
        }
    }
    let place = Place::ToFind(&guest.id);
    keep_arrived(app, id, file_name, arriving, place).await.map(|(_, is_new)| is_new)
}

/// A collection that takes photos at this moment: its owner may have changed its mind since they began to come.
async fn open_now(app: &App, id: &CollectionId) -> Result<Collection, Refused> {
    let collection = held(store::find_any(&app.db, id).await)?;
    match collection.state(now_ms()).refusal() {
        Some(reason) => Err(reason.into()),
        None => Ok(collection),
    }
}

/// Looks at a file that has arrived and keeps it: which photo it is, and whether it is new.
///
/// # Errors
/// See [`Refused`].
pub async fn keep_arrived(
    app: &App,
    id: &CollectionId,
    file_name: &str,
    arrived: Arriving,
    place: Place<'_>,
) -> Result<(GuestPhotoId, bool), Refused> {
    let collection = open_now(app, id).await?;
    match photos::look(app, file_name, arrived).await? {
        Ok(seen) => keep(app, &collection, file_name, seen, place).await,
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

/// Lets one at a time count what there is and add to it, members' own uploads among them, and answers the collection as it is then.
///
/// # Errors
/// It takes nothing any more.
pub async fn locked(app: &App, tx: &mut Tx, collection: &Collection) -> Result<Collection, Refused> {
    files::lock(tx).await?;
    // before the collection: who closes an account takes them in this order
    app.house.identity.hold(tx, &collection.member).await?;
    let collection = held(store::hold(tx, &collection.id).await)?;
    match collection.state(now_ms()).refusal() {
        Some(reason) => Err(reason.into()),
        None => Ok(collection),
    }
}

/// Puts an original in its place with its row, while there is a place for it. One whose small copy is there becomes whole.
async fn keep(
    app: &App,
    collection: &Collection,
    file_name: &str,
    seen: photos::Seen,
    place: Place<'_>,
) -> Result<(GuestPhotoId, bool), Refused> {
    let photos::Seen { file, sha256, bytes, facts } = seen;
    // the slow part comes before the lock
    let staged = app.storage.stage(file, original_key(&sha256)).await?;
    let (guest, now) = (place.guest(), now_ms());
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let collection = locked(app, &mut tx, collection).await?;
    let there = copies::of_file(&mut tx, guest, &sha256).await?;
    let is_new = there.as_ref().is_none_or(Piece::is_coming);
    if let Place::ToFind(_) = place
        && is_new
    {
        // it is quicker than its upload, which needs its place and its room no more
        let sender = sender(&collection, guest);
        uploads::end_of_file(&mut tx, &sender, &sha256, i64::MAX).await?;
    }
    let photo = match there {
        Some(whole) if !is_new => whole.id,
        Some(coming) => {
            copies::arrived(&mut tx, &coming.id, bytes, &facts).await?;
            if let Some(preview) = coming.preview {
                let job = ForgetPreview { preview };
                jobs::enqueue_for(&mut tx, &job, &collection.member, now + PREVIEW_STAYS_MS).await?;
            }
            coming.id
        }
        None => {
            if let Place::ToFind(_) = place {
                let counts = counts(&mut tx, &collection.id, guest).await?;
                may_add(counts, collection.most, collection.most_each)?;
            }
            let new = NewPiece { sha256, file_name: file_name.to_owned(), bytes, facts, preview: None };
            pieces::insert(&mut tx, &collection, guest, &new, now).await?
        }
    };
    match place {
        Place::SetApart(upload) => uploads::set_taken(&mut tx, &upload.id, photo.as_str()).await?,
        Place::ToFind(_) => {
            let tier = accounts::standing(&mut tx, &collection.member).await?.at(now).0;
            if is_new && !photos::fits(app, &mut tx, &collection.member, tier, 0).await? {
                return Err(NotTaken::RoomFull.into());
            }
        }
    }
    if is_new {
        let job = DeriveSent { collection: collection.id.clone(), photo: photo.clone() };
        jobs::enqueue_for(&mut tx, &job, &collection.member, now).await?;
        app.storage.keep(staged).await?;
    }
    tx.commit().await.map_err(Error::from)?;
    app.bell.ring();
    Ok((photo, is_new))
}

/// How long the small copy of a photo that has come stays, in ms: a backup that was begun before names it.
const PREVIEW_STAYS_MS: i64 = DAY_MS;
