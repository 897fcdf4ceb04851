//! SQL of uploads and their pieces.

mod senders;

use std::collections::BTreeSet;

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{MemberId, UploadId};

use super::LIFE_MS;
use super::receiver::{Receiver, Sender};

pub use senders::{Open, count_own, end_of_file, end_to, open_to, set_counted_elsewhere};

/// An upload that has not ended.
#[derive(Debug, Clone)]
pub struct Upload {
    pub id: UploadId,
    pub sender: Sender,
    pub file_name: String,
    /// `Upload-Metadata` as it was sent.
    pub metadata: String,
    /// Of the whole file, where the sender knew it.
    pub sha256: Option<String>,
    /// All bytes.
    pub length: u64,
    /// Bytes that are acknowledged.
    pub received: u64,
    /// What it became, as its receiver names it.
    pub photo: Option<String>,
    /// Until when a request that adds bytes is waited for, epoch ms.
    pub busy_until: i64,
    /// Epoch ms.
    pub expires_at: i64,
}

impl Upload {
    /// Whether every byte has come.
    pub fn is_whole(&self) -> bool {
        self.received == self.length
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    member_id: String,
    sent_to: String,
    sender: String,
    file_name: String,
    metadata: String,
    sha256: Option<String>,
    length: i64,
    received: i64,
    photo_id: Option<String>,
    busy_until: i64,
    expires_at: i64,
}

impl TryFrom<Row> for Upload {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            sender: Sender {
                member: row.member_id.try_into().map_err(Error::internal)?,
                to: row.sent_to,
                name: row.sender,
            },
            file_name: row.file_name,
            metadata: row.metadata,
            sha256: row.sha256,
            length: u64::try_from(row.length).map_err(Error::internal)?,
            received: u64::try_from(row.received).map_err(Error::internal)?,
            photo: row.photo_id,
            busy_until: row.busy_until,
            expires_at: row.expires_at,
        })
    }
}

/// A part of an upload's bytes, in the storage under a name of its own.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Its place in the file.
    pub start: u64,
    pub name: String,
}

/// Adds an upload; `counts` says whether it has a place of its own where photos are counted.
pub async fn insert(tx: &mut Tx, upload: &Upload, counts: bool, now: i64) -> Result<(), Error> {
    let length = bigint(upload.length)?;
    with_tx!(tx, |conn| sqlx::query(
        "insert into uploads (id, member_id, file_name, metadata, sha256, length, received, state, photo_id,
                              created_at, expires_at, sent_to, sender, counts)
         values ($1, $2, $3, $4, $5, $6, 0, 'open', null, $7, $8, $9, $10, $11)",
    )
    .bind(upload.id.as_str())
    .bind(upload.sender.member.as_str())
    .bind(&upload.file_name)
    .bind(&upload.metadata)
    .bind(&upload.sha256)
    .bind(length)
    .bind(now)
    .bind(upload.expires_at)
    .bind(&upload.sender.to)
    .bind(&upload.sender.name)
    .bind(i64::from(counts))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

const COLUMNS: &str = "id, member_id, sent_to, sender, file_name, metadata, sha256, length, received, photo_id, \
                       busy_until, expires_at";

/// One of a sender's own uploads that is not over.
pub async fn find_for_sender(db: &Db, id: &UploadId, sender: &Sender, now: i64) -> Result<Upload, Error> {
    let sql = sql!(
        "select {COLUMNS} from uploads
         where id = $1 and member_id = $2 and sent_to = $3 and sender = $4 and state <> 'ended' and expires_at > $5"
    );
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(sender.member.as_str())
        .bind(&sender.to)
        .bind(&sender.name)
        .bind(now)
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any upload that has not ended, for jobs.
pub async fn find(db: &Db, id: &UploadId) -> Result<Option<Upload>, Error> {
    let sql = sql!("select {COLUMNS} from uploads where id = $1 and state <> 'ended'");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.map(Upload::try_from).transpose()
}

/// The names of a sender's uploads that wait to be gone on with, the oldest first.
pub async fn unfinished(db: &Db, sender: &Sender, now: i64) -> Result<Vec<String>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select file_name from uploads
         where member_id = $1 and sent_to = $2 and sender = $3 and state = 'open' and expires_at > $4
         order by created_at, id limit 1000",
    )
    .bind(sender.member.as_str())
    .bind(&sender.to)
    .bind(&sender.name)
    .bind(now)
    .fetch_all(pool)
    .await)?)
}

/// Those of the named files of which a sender has an upload to go on with, by SHA-256.
pub async fn open(db: &Db, sender: &Sender, asked: &[String], now: i64) -> Result<BTreeSet<String>, Error> {
    let open: Vec<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select sha256 from uploads
         where member_id = $1 and sent_to = $2 and sender = $3 and state = 'open' and expires_at > $4
           and sha256 is not null",
    )
    .bind(sender.member.as_str())
    .bind(&sender.to)
    .bind(&sender.name)
    .bind(now)
    .fetch_all(pool)
    .await)?;
    Ok(open.into_iter().filter(|sha256| asked.contains(sha256)).collect())
}

/// How long a request that adds bytes is waited for after its last sign of life, in ms.
const BUSY_MS: i64 = 3_000;

/// Lets a request add bytes from a position on. False when the upload stands elsewhere, or another request is adding.
pub async fn hold(db: &Db, id: &UploadId, from: u64, holder: &str, now: i64) -> Result<bool, Error> {
    let from = bigint(from)?;
    let held = with_write!(db, |pool| sqlx::query(
        "update uploads set holder = $3, busy_until = $4
         where id = $1 and received = $2 and busy_until <= $5 and state = 'open'",
    )
    .bind(id.as_str())
    .bind(from)
    .bind(holder)
    .bind(now + BUSY_MS)
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(held == 1)
}

/// The request adds nothing more.
pub async fn release(db: &Db, id: &UploadId, holder: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update uploads set busy_until = 0 where id = $1 and holder = $2")
        .bind(id.as_str())
        .bind(holder)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Acknowledges the bytes from `start` to `end`, which lie in these pieces. False, and nothing noted, when the upload
/// is not the holder's any more: what two requests send can't mix. With the last byte comes the job that makes the
/// photo, in case nobody is left to do it at once.
pub async fn acknowledge<R: Receiver>(
    db: &Db,
    upload: &Upload,
    holder: &str,
    (start, end): (u64, u64),
    pieces: &[Piece],
    now: i64,
) -> Result<bool, Error> {
    let mut tx = db.begin().await?;
    let moved = with_tx!(&mut tx, |conn| sqlx::query(
        "update uploads set received = $4, expires_at = $5, busy_until = $6
         where id = $1 and holder = $2 and received = $3 and state = 'open'",
    )
    .bind(upload.id.as_str())
    .bind(holder)
    .bind(bigint(start)?)
    .bind(bigint(end)?)
    .bind(now + LIFE_MS)
    .bind(now + BUSY_MS)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    if moved != 1 {
        return Ok(false);
    }
    for piece in pieces {
        with_tx!(&mut tx, |conn| sqlx::query(
            "insert into upload_pieces (upload_id, start, name) values ($1, $2, $3)"
        )
        .bind(upload.id.as_str())
        .bind(bigint(piece.start)?)
        .bind(&piece.name)
        .execute(conn)
        .await
        .map(drop))?;
    }
    if end == upload.length {
        R::take_later(&mut tx, upload.id.clone(), &upload.sender.member, now + TAKE_AFTER_MS).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// How long the request that brought the last byte has to make the photo itself, in ms.
const TAKE_AFTER_MS: i64 = 30_000;

/// The pieces in their order.
pub async fn pieces(db: &Db, id: &UploadId) -> Result<Vec<Piece>, Error> {
    let rows: Vec<(i64, String)> = with_db!(db, |pool| sqlx::query_as(
        "select start, name from upload_pieces where upload_id = $1 order by start"
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await)?;
    rows.into_iter()
        .map(|(start, name)| Ok(Piece { start: u64::try_from(start).map_err(Error::internal)?, name }))
        .collect()
}

/// How many pieces an upload has.
pub async fn count_pieces(db: &Db, id: &UploadId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar("select count(*) from upload_pieces where upload_id = $1")
        .bind(id.as_str())
        .fetch_one(pool)
        .await)?)
}

/// Notes which photo an upload became: it takes no room beside that from then on.
pub async fn set_taken(tx: &mut Tx, id: &UploadId, photo: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update uploads set state = 'taken', photo_id = $2 where id = $1 and state = 'open'"
    )
    .bind(id.as_str())
    .bind(photo)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// The same; its pieces are not needed any more.
pub async fn finish(db: &Db, id: &UploadId, photo: &str) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    set_taken(&mut tx, id, photo).await?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from upload_pieces where upload_id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    tx.commit().await?;
    Ok(())
}

/// Ends an upload: nothing more is acknowledged.
pub async fn end(db: &Db, id: &UploadId) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update uploads set state = 'ended' where id = $1")
        .bind(id.as_str())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Ends all uploads into a member's room: what came of them is deleted within the hour.
pub async fn end_all(tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update uploads set state = 'ended' where member_id = $1")
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Ends what is over and answers everything that has ended.
pub async fn end_over(db: &Db, now: i64) -> Result<Vec<UploadId>, Error> {
    with_write!(db, |pool| sqlx::query("update uploads set state = 'ended' where expires_at <= $1")
        .bind(now)
        .execute(pool)
        .await
        .map(drop))?;
    let ids: Vec<String> =
        with_db!(db, |pool| sqlx::query_scalar("select id from uploads where state = 'ended'")
            .fetch_all(pool)
            .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// Forgets an upload that has ended and whose pieces are deleted.
pub async fn remove_ended(db: &Db, id: &UploadId) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from upload_pieces where upload_id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from uploads where id = $1 and state = 'ended'")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    tx.commit().await?;
    Ok(())
}

fn bigint(number: u64) -> Result<i64, Error> {
    i64::try_from(number).map_err(Error::internal)
}
