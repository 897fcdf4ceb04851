//! SQL of what guests sent. Whoever changes a photo's state holds [`web::files::lock`]: files come and go with it.

mod book;
pub mod coming;

use std::collections::BTreeMap;

use ::photos::Facts;
use base::db::{Db, Sql, Tx, json, new_id, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::guests::{Counts, PieceState};
use domain::ids::{CollectionId, GuestPhotoId, MemberId, PhotoId};

use super::Collection;

pub use book::{accepted, words};

/// A photo that a guest sent.
#[derive(Debug, Clone)]
pub struct Piece {
    pub id: GuestPhotoId,
    pub guest: String,
    pub member: MemberId,
    pub sha256: String,
    pub file_name: String,
    pub bytes: u64,
    pub facts: Facts,
    pub caption: String,
    pub state: PieceState,
    pub is_broken: bool,
    pub photo: Option<PhotoId>,
    pub is_added: bool,
    pub hidden_at: Option<i64>,
    /// The small copy that stands for it while its original is on the way, by the SHA-256 of the copy.
    pub preview: Option<String>,
}

impl Piece {
    /// Whether its original is on the way.
    pub fn is_coming(&self) -> bool {
        self.preview.is_some()
    }
}

/// A photo that has just come.
#[derive(Debug)]
pub struct NewPiece {
    pub sha256: String,
    pub file_name: String,
    pub bytes: u64,
    pub facts: Facts,
    pub preview: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    guest_id: String,
    member_id: String,
    sha256: String,
    file_name: String,
    bytes: i64,
    facts: String,
    caption: String,
    state: String,
    is_broken: i64,
    photo_id: Option<String>,
    is_added: i64,
    hidden_at: Option<i64>,
    preview: Option<String>,
}

impl TryFrom<Row> for Piece {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            guest: row.guest_id,
            member: row.member_id.try_into().map_err(Error::internal)?,
            sha256: row.sha256,
            file_name: row.file_name,
            bytes: u64::try_from(row.bytes).map_err(Error::internal)?,
            facts: json("facts", &row.facts)?,
            caption: row.caption,
            state: PieceState::of_code(&row.state).ok_or_else(|| Error::internal("a photo in no state"))?,
            is_broken: row.is_broken == 1,
            photo: row.photo_id.map(|id| id.try_into().map_err(Error::internal)).transpose()?,
            is_added: row.is_added == 1,
            hidden_at: row.hidden_at,
            preview: row.preview,
        })
    }
}

const COLUMNS: &str = "id, guest_id, member_id, sha256, file_name, bytes, facts, caption, state, is_broken, \
                       photo_id, is_added, hidden_at, preview";

/// Bytes that a member keeps of its guests'; what it accepted is among its photos, and what is on the way among the uploads.
pub const KEEPS: Sql = sql!(
    "select cast(coalesce(sum(bytes), 0) as bigint) from guest_photos
     where member_id = $1 and state <> 'accepted' and preview is null"
);

/// How many photos a collection has, and one of its guests.
pub async fn counts(tx: &mut Tx, collection: &CollectionId, guest: &str) -> Result<Counts, Error> {
    let (all, own): (i64, i64) = with_tx!(tx, |conn| sqlx::query_as(
        "select count(*), cast(coalesce(sum(case when guest_id = $2 then 1 else 0 end), 0) as bigint)
         from guest_photos where collection_id = $1"
    )
    .bind(collection.as_str())
    .bind(guest)
    .fetch_one(conn)
    .await)?;
    Ok(Counts { all, own })
}

/// Adds a photo that waits for its owner's word.
pub async fn insert(
    tx: &mut Tx,
    collection: &Collection,
    guest: &str,
    new: &NewPiece,
    now: i64,
) -> Result<GuestPhotoId, Error> {
    let (id, facts): (GuestPhotoId, _) =
        (new_id(), serde_json::to_string(&new.facts).map_err(Error::internal)?);
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into guest_photos (id, collection_id, guest_id, member_id, sha256, file_name, bytes, facts, caption,
                                   state, created_at, preview)
         values ($1, $2, $3, $4, $5, $6, $7, $8, '', 'waiting', $9, $10)",
        )
        .bind(id.as_str())
        .bind(collection.id.as_str())
        .bind(guest)
        .bind(collection.member.as_str())
        .bind(&new.sha256)
        .bind(&new.file_name)
        .bind(i64::try_from(new.bytes).map_err(Error::internal)?)
        .bind(&facts)
        .bind(now)
        .bind(&new.preview)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(id)
}

/// A place in a collection's list: behind this guest's photo.
pub type Position = base::lists::Position<GuestPhotoId, String>;

/// A collection's photos of a state, guest by guest, behind a place; the guests who came first first.
pub async fn of_collection(
    db: &Db,
    collection: &CollectionId,
    state: PieceState,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Piece>, Error> {
    let sql = sql!(
        "select {COLUMNS} from guest_photos
         where collection_id = $1 and state = $2 and (guest_id > $3 or guest_id = $3 and id > $4)
         order by guest_id, id limit $5"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(collection.as_str())
        .bind(state.code())
        .bind(after.map_or("", |after| after.at.as_str()))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Piece::try_from).collect()
}

/// The first of a collection's photos that wait since a moment, are whole and can be decoded, for whoever goes through them all.
pub async fn some_waiting(
    tx: &mut Tx,
    collection: &CollectionId,
    before: i64,
    most: i64,
) -> Result<Vec<Piece>, Error> {
    let sql = sql!(
        "select {COLUMNS} from guest_photos
         where collection_id = $1 and state = 'waiting' and is_broken = 0 and preview is null and created_at <= $2
         order by guest_id, id limit $3"
    );
    let rows: Vec<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(collection.as_str())
        .bind(before)
        .bind(most)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Piece::try_from).collect()
}

/// Those of a collection's photos that are named.
pub async fn named(
    tx: &mut Tx,
    collection: &CollectionId,
    ids: &[GuestPhotoId],
) -> Result<Vec<Piece>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!("select {COLUMNS} from guest_photos where collection_id || '' = $1 and id in ([?])");
    let sql = sql.repeated(ids.len());
    let rows: Vec<Row> = with_tx!(tx, |conn| {
        let query = sqlx::query_as(sql.text()).bind(collection.as_str());
        ids.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all(conn).await
    })?;
    rows.into_iter().map(Piece::try_from).collect()
}

/// One photo of a collection.
pub async fn find(db: &Db, collection: &CollectionId, id: &GuestPhotoId) -> Result<Piece, Error> {
    let sql = sql!("select {COLUMNS} from guest_photos where collection_id = $1 and id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(collection.as_str())
        .bind(id.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any photo, for jobs.
pub async fn find_any(tx: &mut Tx, id: &GuestPhotoId) -> Result<Option<Piece>, Error> {
    let sql = sql!("select {COLUMNS} from guest_photos where id = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.map(Piece::try_from).transpose()
}

/// What a guest has sent, the last first, behind a photo where one is named.
pub async fn of_guest(db: &Db, guest: &str, before: &str, most: i64) -> Result<Vec<Piece>, Error> {
    let sql = sql!(
        "select {COLUMNS} from guest_photos where guest_id = $1 and ($2 = '' or id < $2) order by id desc limit $3"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(guest)
        .bind(before)
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Piece::try_from).collect()
}

/// How many photos a guest has sent.
pub async fn count_of_guest(db: &Db, guest: &str) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar("select count(*) from guest_photos where guest_id = $1")
        .bind(guest)
        .fetch_one(pool)
        .await)?)
}

/// How many photos of a collection there are in each state.
pub async fn count_by_state(db: &Db, collection: &CollectionId) -> Result<BTreeMap<String, i64>, Error> {
    let rows: Vec<(String, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select state, count(*) from guest_photos where collection_id = $1 group by state"
    )
    .bind(collection.as_str())
    .fetch_all(pool)
    .await)?;
    Ok(rows.into_iter().collect())
}

/// How many guests of a collection sent photos.
pub async fn count_senders(db: &Db, collection: &CollectionId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(distinct guest_id) from guest_photos where collection_id = $1"
    )
    .bind(collection.as_str())
    .fetch_one(pool)
    .await)?)
}

/// The names and wishes of some guests of a collection.
pub async fn guests_named(db: &Db, ids: &[String]) -> Result<BTreeMap<String, (String, String)>, Error> {
    let mut found = BTreeMap::new();
    let sql = sql!("select id, name, wish from guests where id in ([?])");
    for part in ids.chunks(100) {
        let sql = sql.repeated(part.len());
        let rows: Vec<(String, String, String)> = with_db!(db, |pool| {
            let query = sqlx::query_as(sql.text());
            part.iter().fold(query, |query, id| query.bind(id)).fetch_all(pool).await
        })?;
        found.extend(rows.into_iter().map(|(id, name, wish)| (id, (name, wish))));
    }
    Ok(found)
}

/// Notes that a photo is in its owner's library.
pub async fn set_accepted(
    tx: &mut Tx,
    id: &GuestPhotoId,
    photo: &PhotoId,
    is_added: bool,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "update guest_photos set state = 'accepted', photo_id = $2, is_added = $3, hidden_at = null where id = $1",
        )
        .bind(id.as_str())
        .bind(photo.as_str())
        .bind(i64::from(is_added))
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Notes that a photo's owner does not want it, or has to look at it again.
pub async fn set_state(
    tx: &mut Tx,
    id: &GuestPhotoId,
    state: PieceState,
    hidden_at: Option<i64>,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "update guest_photos set state = $2, hidden_at = $3, photo_id = null, is_added = 0 where id = $1",
        )
        .bind(id.as_str())
        .bind(state.code())
        .bind(hidden_at)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Another accepted photo that is the same one of the library takes over that it came by it; false where there is none.
pub async fn hand_over(tx: &mut Tx, photo: &PhotoId, from: &GuestPhotoId) -> Result<bool, Error> {
    let done = with_tx!(tx, |conn| {
        sqlx::query(
            "update guest_photos set is_added = 1 where id in (
             select id from guest_photos where photo_id = $1 and state = 'accepted' and id <> $2 limit 1)",
        )
        .bind(photo.as_str())
        .bind(from.as_str())
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(done > 0)
}

/// Notes that a photo can't be decoded.
pub async fn set_broken(db: &Db, id: &GuestPhotoId) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update guest_photos set is_broken = 1 where id = $1")
        .bind(id.as_str())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Writes what stands below a guest's own photo, while that is the guest's.
pub async fn set_caption(tx: &mut Tx, id: &GuestPhotoId, guest: &str, caption: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update guest_photos set caption = $3 where id = $1 and guest_id = $2 and state <> 'accepted'"
    )
    .bind(id.as_str())
    .bind(guest)
    .bind(caption)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Takes a guest's own photo back, while that is the guest's; its original's SHA-256 and its small copy where it did.
pub async fn take_back(
    tx: &mut Tx,
    id: &GuestPhotoId,
    guest: &str,
) -> Result<Option<(String, Option<String>)>, Error> {
    Ok(with_tx!(tx, |conn| {
        sqlx::query_as(
        "delete from guest_photos where id = $1 and guest_id = $2 and state <> 'accepted' returning sha256, preview"
    )
    .bind(id.as_str())
    .bind(guest)
    .fetch_optional(conn)
    .await
    })?)
}

/// Forgets a photo.
pub async fn forget(tx: &mut Tx, id: &GuestPhotoId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from guest_photos where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
