//! SQL of photos.

pub mod coming;
pub mod removal;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use base::db::{Db, Sql, Tx, in_parts, sql, with_db, with_tx, with_write};
use base::error::Error;
use base::jobs;
use base::lists::pattern;
use domain::document::Crop;
use domain::faces::Face;
use domain::ids::{MemberId, PhotoId};
use domain::look::Look;
use domain::quality::Quality;
use serde::Serialize;
use web::app::App;

use crate::jobs::DerivePhoto;

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
    /// Epoch milliseconds, from the camera's clock or as the file's name tells.
    pub taken_at: Option<i64>,
    /// Whether the file's name tells it.
    pub is_time_named: bool,
    /// How far the clock that showed the time was ahead of UTC, in minutes, where that is known.
    pub taken_offset: Option<i16>,
    /// Maker and model, where the file says them.
    pub camera: Option<String>,
    /// The city that it was taken in or near, where the file tells the place.
    pub city: Option<String>,
    pub state: PhotoState,
    /// What it is about, once its served sizes were made.
    pub subject: Option<Crop>,
    /// What it looks like, from then on.
    pub look: Option<Look>,
    /// The faces in it, once they were looked for.
    pub faces: Option<Vec<Face>>,
    /// How good it is, once it was measured.
    pub quality: Option<Quality>,
    /// The small copy that stands for it while its original is on the way, by the SHA-256 of the copy.
    pub preview: Option<String>,
    /// When the member took it out of the library, epoch ms: its files stay for a day.
    pub removed_at: Option<i64>,
}

impl Photo {
    /// Whether its original is on the way and a small copy stands for it.
    pub fn is_coming(&self) -> bool {
        self.preview.is_some()
    }

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
    camera: Option<String>,
    city: Option<String>,
    state: String,
    subject: Option<String>,
    preview: Option<String>,
    removed_at: Option<i64>,
    look: Option<String>,
    sharpness: Option<i64>,
    taken_from: Option<String>,
    taken_offset: Option<i64>,
    faces: Option<String>,
    quality: Option<String>,
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
            is_time_named: row.taken_from.as_deref() == Some(FROM_NAME),
            taken_offset: row.taken_offset.and_then(|offset| offset.try_into().ok()),
            look: row.look.as_deref().and_then(|code| {
                let sharpness = u32::try_from(row.sharpness.unwrap_or(0)).ok()?;
                Some(Look { hash: Look::hash_of(code).ok()?, sharpness })
            }),
            faces: row.faces.and_then(|faces| serde_json::from_str(&faces).ok()),
            quality: row.quality.and_then(|quality| serde_json::from_str(&quality).ok()),
            camera: row.camera,
            city: row.city,
            subject: row.subject.and_then(|subject| serde_json::from_str(&subject).ok()),
            preview: row.preview,
            removed_at: row.removed_at,
            state: match row.state.as_str() {
                "ready" => PhotoState::Ready,
                "broken" => PhotoState::Broken,
                _ => PhotoState::Pending,
            },
        })
    }
}

const COLUMNS: &str = "id, member_id, sha256, file_name, format, bytes, width, height, orientation, taken_at, camera, \
                       state, subject, preview, removed_at, look, sharpness, taken_from, taken_offset, faces, quality, \
                       city";

/// What `taken_from` says where a file's name tells the time.
const FROM_NAME: &str = "name";

/// All of a member's photos, the newest first, with those that were removed lately: a work may still show them.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Photo>, Error> {
    let sql = sql!("select {COLUMNS} from photos where member_id = $1 order by created_at desc, id desc");
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_all(pool).await)?;
    rows.into_iter().map(Photo::try_from).collect()
}

/// Photos by their ids, whoever's they are, in any order: a library may be much larger than what is named of it.
pub async fn named(db: &Db, ids: &[PhotoId]) -> Result<Vec<Photo>, Error> {
    let sql = sql!("select {COLUMNS} from photos where id in ([?])");
    let mut found: Vec<Row> = Vec::new();
    for part in in_parts(ids) {
        let sql = sql.repeated(part.len());
        let rows: Vec<Row> = with_db!(db, |pool| part
            .iter()
            .fold(sqlx::query_as(sql.text()), |query, id| query.bind(id.as_str()))
            .fetch_all(pool)
            .await)?;
        found.extend(rows);
    }
    found.into_iter().map(Photo::try_from).collect()
}

/// The photos that came last into a library, the newest first: of those whose file's name holds `search`, and that came before
/// `last`, where it is named. Before one that is not the member's nothing came.
pub async fn newest(
    db: &Db,
    member: &MemberId,
    search: &str,
    last: Option<&PhotoId>,
    most: usize,
) -> Result<Vec<Photo>, Error> {
    let sql = sql!(
        "select {COLUMNS} from photos
         where member_id = $1 and removed_at is null and lower(file_name) like lower($2) escape '\\'
           and ($3 = '' or (created_at, id) < (select created_at, id from photos where id = $3 and member_id = $1))
         order by created_at desc, id desc limit $4"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(pattern(search))
        .bind(last.map_or("", PhotoId::as_str))
        .bind(most as i64)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Photo::try_from).collect()
}

/// One of a member's own photos.
pub async fn find_for_owner(db: &Db, id: &PhotoId, member: &MemberId) -> Result<Photo, Error> {
    let sql = sql!("select {COLUMNS} from photos where id = $1 and member_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any photo, for jobs.
pub async fn find(db: &Db, id: &PhotoId) -> Result<Option<Photo>, Error> {
    let sql = sql!("select {COLUMNS} from photos where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.map(Photo::try_from).transpose()
}

/// A photo's place in the order of the library; addresses and forms say it as `{moment}.{id}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The moment of capture, epoch ms; without one [`NO_MOMENT`].
    moment: i64,
    id: String,
}

/// The moment of a photo that says none: all of these come last.
const NO_MOMENT: i64 = -9_000_000_000_000_000_000;
/// SQL: the moment of a photo, as the index of libraries has it.
const MOMENT: &str = "coalesce(taken_at, -9000000000000000000)";

impl Place {
    fn of(photo: &Photo) -> Self {
        Self { moment: photo.taken_at.unwrap_or(NO_MOMENT), id: photo.id.to_string() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.moment, self.id)
    }
}

impl FromStr for Place {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let (moment, id) = text.split_once('.').ok_or(())?;
        Ok(Self { moment: moment.parse().map_err(drop)?, id: id.to_owned() })
    }
}

/// A part of a library.
#[derive(Debug, Clone)]
pub struct Part {
    /// The last captured first.
    pub photos: Vec<Photo>,
    /// After which the next part begins, where there is one.
    pub next: Option<Place>,
    /// Whether the library begins with it.
    pub is_first: bool,
}

/// The photos of a library after a place, at most so many.
pub async fn part(db: &Db, member: &MemberId, after: Option<&Place>, most: usize) -> Result<Part, Error> {
    let mut photos = library(db, member, after, most as i64 + 1).await?;
    let is_further = photos.len() > most;
    photos.truncate(most);
    let next = photos.last().filter(|_| is_further).map(Place::of);
    Ok(Part { photos, next, is_first: after.is_none() })
}

async fn library(db: &Db, member: &MemberId, after: Option<&Place>, most: i64) -> Result<Vec<Photo>, Error> {
    let (moment, id) = after.map_or((i64::MAX, "~"), |place| (place.moment, place.id.as_str()));
    let sql = sql!(
        "select {COLUMNS} from photos
         where member_id = $1 and removed_at is null and {MOMENT} <= $2 and ({MOMENT} < $2 or id < $3)
         order by {MOMENT} desc, id desc limit $4"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(moment)
        .bind(id)
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Photo::try_from).collect()
}

/// What a member keeps: how many photos, the bytes of everything that its room holds ([`Slice::keeps`]), and the bytes
/// that are on their way. A photo whose original has not come takes no room but that of its upload.
///
/// [`Slice::keeps`]: web::slice::Slice::keeps
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    pub photos: u64,
    pub bytes: u64,
    pub coming: u64,
}

/// A room holds as many photos as have so many bytes each: a row and served sizes cost as much, however small a photo is.
pub const LEAST_BYTES: u64 = 64 << 10;

impl Kept {
    /// Bytes that count against a quota; where there are too many photos for it, all of it.
    pub fn used(self, quota: u64) -> u64 {
        let bytes = self.bytes + self.coming;
        let least = self.photos * LEAST_BYTES;
        if least >= quota { bytes.max(least) } else { bytes }
    }

    /// Whether there are nearly too many photos for a quota.
    pub fn has_many(self, quota: u64) -> bool {
        self.photos * LEAST_BYTES > quota / 10 * 9
    }
}

/// Bytes of a member's photos.
pub const KEEPS: Sql = sql!(
    "select cast(coalesce(sum(bytes), 0) as bigint) from photos
     where member_id = $1 and removed_at is null and preview is null"
);

/// Counts what a member keeps.
pub async fn kept(app: &App, member: &MemberId) -> Result<Kept, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    kept_by_now(app, &mut tx, member).await
}

/// The same for a transaction that goes on to add something.
pub async fn kept_by_now(app: &App, tx: &mut Tx, member: &MemberId) -> Result<Kept, Error> {
    let (photos, coming): (i64, i64) = with_tx!(tx, |conn| {
        sqlx::query_as(
        "select count(*),
                cast(coalesce((select sum(length) from uploads where member_id = $1 and state = 'open'), 0) as bigint)
         from photos where member_id = $1 and removed_at is null",
    )
    .bind(member.as_str())
    .fetch_one(conn)
    .await
    })?;
    let mut bytes = 0;
    for sql in app.house.each(|slice| slice.keeps) {
        let some: i64 =
            with_tx!(tx, |conn| sqlx::query_scalar(sql.text()).bind(member.as_str()).fetch_one(conn).await)?;
        bytes += some;
    }
    let count = |number: i64| u64::try_from(number).map_err(Error::internal);
    Ok(Kept { photos: count(photos)?, bytes: count(bytes)?, coming: count(coming)? })
}

/// Those of the named files that a member has whole, by SHA-256.
pub async fn known(db: &Db, member: &MemberId, asked: &[String]) -> Result<BTreeMap<String, PhotoId>, Error> {
    let mut known = BTreeMap::new();
    // a fixed statement finds each one by its index
    for sha256 in asked {
        let id: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
            "select id from photos where member_id = $1 and sha256 = $2 and removed_at is null
                              and preview is null",
        )
        .bind(member.as_str())
        .bind(sha256)
        .fetch_optional(pool)
        .await)?;
        if let Some(id) = id {
            known.insert(sha256.clone(), id.try_into().map_err(Error::internal)?);
        }
    }
    Ok(known)
}

/// The photo of a file that is in a member's library, whole or by a small copy.
pub async fn standing(db: &Db, member: &MemberId, sha256: &str) -> Result<Option<PhotoId>, Error> {
    let id: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select id from photos where member_id = $1 and sha256 = $2 and removed_at is null"
    )
    .bind(member.as_str())
    .bind(sha256)
    .fetch_optional(pool)
    .await)?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// Whether a member's library has a photo of this file by now.
pub async fn is_standing(tx: &mut Tx, member: &MemberId, sha256: &str) -> Result<bool, Error> {
    let count: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from photos where member_id = $1 and sha256 = $2 and removed_at is null"
    )
    .bind(member.as_str())
    .bind(sha256)
    .fetch_one(conn)
    .await)?;
    Ok(count > 0)
}

/// Adds a photo, with the job that makes its served sizes where they are to be made. The same bytes twice are one photo,
/// which is in the library again where it was removed: the answer is the id that stays.
pub async fn insert(tx: &mut Tx, photo: &Photo, now: i64) -> Result<PhotoId, Error> {
    let (subject, faces) = (json(photo.subject.as_ref())?, json(photo.faces.as_ref())?);
    let quality = json(photo.quality.as_ref())?;
    let id: String = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "insert into photos (id, member_id, sha256, file_name, format, bytes, width, height, orientation, taken_at,
                             camera, state, subject, preview, created_at, look, sharpness, taken_from, taken_offset,
                             faces, quality, city)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
         on conflict (member_id, sha256) do update set removed_at = null
         returning id",
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
    .bind(&photo.camera)
    .bind(photo.state.code())
    .bind(&subject)
    .bind(&photo.preview)
    .bind(now)
    .bind(photo.look.map(|look| look.code()))
    .bind(photo.look.map(|look| i64::from(look.sharpness)))
    .bind(photo.is_time_named.then_some(FROM_NAME))
    .bind(photo.taken_offset.map(i64::from))
    .bind(&faces)
    .bind(&quality)
    .bind(&photo.city)
    .fetch_one(conn)
    .await
    })?;
    if id == photo.id.as_str() && photo.state == PhotoState::Pending {
        jobs::enqueue_for(tx, &DerivePhoto { photo: photo.id.clone() }, &photo.member, now).await?;
    }
    id.try_into().map_err(Error::internal)
}

/// Notes what a photo's headers told later: what the clock showed, with how far it was ahead of UTC, unless it was the file's name
/// that told; and the city that it was taken in.
pub async fn set_told(
    db: &Db,
    id: &PhotoId,
    clock: Option<(i64, Option<i16>)>,
    city: Option<&str>,
) -> Result<(), Error> {
    with_write!(db, |pool| {
        sqlx::query(
            "update photos
             set taken_at = case when taken_from is null then coalesce($2, taken_at) else taken_at end,
                 taken_offset = case when taken_from is null and $2 is not null then $3 else taken_offset end,
                 city = coalesce($4, city)
             where id = $1",
        )
        .bind(id.as_str())
        .bind(clock.map(|(at, _)| at))
        .bind(clock.and_then(|(_, offset)| offset).map(i64::from))
        .bind(city)
        .execute(pool)
        .await
        .map(drop)
    })?;
    Ok(())
}

fn json<T: Serialize>(value: Option<&T>) -> Result<Option<String>, Error> {
    value.map(serde_json::to_string).transpose().map_err(Error::internal)
}

/// What was seen in a photo when its served sizes were made.
#[derive(Debug, Default)]
pub struct Sight {
    pub subject: Option<Crop>,
    pub look: Option<Look>,
    pub faces: Option<Vec<Face>>,
    pub quality: Option<Quality>,
}

/// Notes whether the served sizes exist, and what was seen when they were made.
pub async fn set_state(db: &Db, id: &PhotoId, state: PhotoState, sight: Sight) -> Result<(), Error> {
    let Sight { subject, look, faces, quality } = sight;
    let (subject, faces, quality) = (json(subject.as_ref())?, json(faces.as_ref())?, json(quality.as_ref())?);
    with_write!(db, |pool| {
        sqlx::query(
        "update photos set state = $2, subject = $3, look = $4, sharpness = $5, faces = $6, quality = $7 where id = $1"
    )
    .bind(id.as_str())
    .bind(state.code())
    .bind(&subject)
    .bind(look.map(|look| look.code()))
    .bind(look.map(|look| i64::from(look.sharpness)))
    .bind(&faces)
    .bind(&quality)
    .execute(pool)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Notes the faces of a photo whose served sizes were made before anybody looked for them.
pub async fn set_faces(db: &Db, id: &PhotoId, faces: &[Face]) -> Result<(), Error> {
    let faces = serde_json::to_string(faces).map_err(Error::internal)?;
    with_write!(db, |pool| sqlx::query("update photos set faces = $2 where id = $1 and faces is null")
        .bind(id.as_str())
        .bind(&faces)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes how good a photo is whose served sizes were made before anybody measured it.
pub async fn set_quality(db: &Db, id: &PhotoId, quality: &Quality) -> Result<(), Error> {
    let quality = serde_json::to_string(quality).map_err(Error::internal)?;
    with_write!(db, |pool| sqlx::query("update photos set quality = $2 where id = $1 and quality is null")
        .bind(id.as_str())
        .bind(&quality)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Marks every photo whose served sizes were made as waiting for them again, and answers their ids.
pub async fn set_pending(tx: &mut Tx) -> Result<Vec<(PhotoId, MemberId)>, Error> {
    let rows: Vec<(String, String)> = with_tx!(tx, |conn| {
        sqlx::query_as(
        "update photos set state = 'pending' where state = 'ready' and preview is null returning id, member_id"
    )
    .fetch_all(conn)
    .await
    })?;
    let read = |(id, member): (String, String)| {
        Ok((id.try_into().map_err(Error::internal)?, member.try_into().map_err(Error::internal)?))
    };
    rows.into_iter().map(read).collect()
}
