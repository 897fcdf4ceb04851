//! SQL of photos.

use domain::ids::{MemberId, PhotoId};

use crate::db::{Db, Tx, with_db, with_tx};
use crate::error::Error;
use crate::jobs::{self, Job};

/// Whether a photo's served sizes exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhotoState {
    Pending,
    Ready,
    /// The original could not be decoded.
    Broken,
}

impl PhotoState {
    fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Ready => "ready",
            Self::Broken => "broken",
        }
    }
}

/// A photo in a member's library.
#[derive(Debug, Clone)]
pub struct Photo {
    pub id: PhotoId,
    pub member: MemberId,
    /// Of the original's bytes, lower-case hex.
    pub sha256: String,
    pub file_name: String,
    /// `jpg`, `png` or `webp`.
    pub format: String,
    pub bytes: u64,
    /// Stored pixels, before the orientation is applied.
    pub width: u32,
    pub height: u32,
    /// EXIF, 1 to 8.
    pub orientation: u8,
    /// Epoch milliseconds, from the camera's clock.
    pub taken_at: Option<i64>,
    pub state: PhotoState,
}

impl Photo {
    /// Width and height as the photo is looked at.
    pub fn upright(&self) -> (u32, u32) {
        if self.orientation >= 5 { (self.height, self.width) } else { (self.width, self.height) }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    member_id: String,
    sha256: String,
    file_name: String,
    format: String,
    bytes: i64,
    width: i64,
    height: i64,
    orientation: i64,
    taken_at: Option<i64>,
    state: String,
}

impl TryFrom<Row> for Photo {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            sha256: row.sha256,
            file_name: row.file_name,
            format: row.format,
            bytes: u64::try_from(row.bytes).map_err(Error::internal)?,
            width: u32::try_from(row.width).map_err(Error::internal)?,
            height: u32::try_from(row.height).map_err(Error::internal)?,
            orientation: u8::try_from(row.orientation).map_err(Error::internal)?,
            taken_at: row.taken_at,
            state: match row.state.as_str() {
                "ready" => PhotoState::Ready,
                "broken" => PhotoState::Broken,
                _ => PhotoState::Pending,
            },
        })
    }
}

const COLUMNS: &str =
    "id, member_id, sha256, file_name, format, bytes, width, height, orientation, taken_at, state";

/// All of a member's photos, the newest first.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Photo>, Error> {
    let sql = format!("select {COLUMNS} from photos where member_id = $1 order by created_at desc, id desc");
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(&sql).bind(member.as_str()).fetch_all(pool).await)?;
    rows.into_iter().map(Photo::try_from).collect()
}

/// One of a member's own photos.
pub async fn find_for_owner(db: &Db, id: &PhotoId, member: &MemberId) -> Result<Photo, Error> {
    let sql = format!("select {COLUMNS} from photos where id = $1 and member_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(&sql)
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any photo, for jobs.
pub async fn find(db: &Db, id: &PhotoId) -> Result<Option<Photo>, Error> {
    let sql = format!("select {COLUMNS} from photos where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(&sql).bind(id.as_str()).fetch_optional(pool).await)?;
    row.map(Photo::try_from).transpose()
}

/// How many bytes of originals a member keeps.
pub async fn bytes_of_member(db: &Db, member: &MemberId) -> Result<u64, Error> {
    let (bytes,): (i64,) = with_db!(db, |pool| sqlx::query_as(
        "select cast(coalesce(sum(bytes), 0) as bigint) from photos where member_id = $1",
    )
    .bind(member.as_str())
    .fetch_one(pool)
    .await)?;
    u64::try_from(bytes).map_err(Error::internal)
}

/// Whether a member has a photo of these bytes.
pub async fn has_bytes(db: &Db, member: &MemberId, sha256: &str) -> Result<bool, Error> {
    let found: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select id from photos where member_id = $1 and sha256 = $2"
    )
    .bind(member.as_str())
    .bind(sha256)
    .fetch_optional(pool)
    .await)?;
    Ok(found.is_some())
}

/// Adds a photo with the job that makes its served sizes. The same bytes twice are one photo: the answer is
/// the id that stays.
pub async fn insert(db: &Db, photo: &Photo, now: i64) -> Result<PhotoId, Error> {
    let mut tx = db.begin().await?;
    let inserted = with_tx!(&mut tx, |conn| {
        sqlx::query(
        "insert into photos (id, member_id, sha256, file_name, format, bytes, width, height, orientation, taken_at,
                             state, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (member_id, sha256) do nothing",
    )
    .bind(photo.id.as_str())
    .bind(photo.member.as_str())
    .bind(&photo.sha256)
    .bind(&photo.file_name)
    .bind(&photo.format)
    .bind(i64::try_from(photo.bytes).map_err(Error::internal)?)
    .bind(i64::from(photo.width))
    .bind(i64::from(photo.height))
    .bind(i64::from(photo.orientation))
    .bind(photo.taken_at)
    .bind(photo.state.code())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if inserted == 1 {
        jobs::enqueue(&mut tx, &Job::DerivePhoto { photo: photo.id.clone() }).await?;
        tx.commit().await?;
        return Ok(photo.id.clone());
    }
    let (id,): (String,) = with_tx!(&mut tx, |conn| sqlx::query_as(
        "select id from photos where member_id = $1 and sha256 = $2"
    )
    .bind(photo.member.as_str())
    .bind(&photo.sha256)
    .fetch_one(conn)
    .await)?;
    tx.commit().await?;
    id.try_into().map_err(Error::internal)
}

/// Notes whether the served sizes exist.
pub async fn set_state(db: &Db, id: &PhotoId, state: PhotoState) -> Result<(), Error> {
    with_db!(db, |pool| sqlx::query("update photos set state = $2 where id = $1")
        .bind(id.as_str())
        .bind(state.code())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Marks every photo whose served sizes were made as waiting for them again, and answers their ids.
pub async fn set_pending(tx: &mut Tx) -> Result<Vec<PhotoId>, Error> {
    let ids: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "update photos set state = 'pending' where state = 'ready' returning id"
    )
    .fetch_all(conn)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}
