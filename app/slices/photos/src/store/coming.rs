//! SQL of photos whose originals are on the way.

use std::collections::BTreeMap;

use base::db::{Db, Tx, now_ms, sql, with_db, with_tx};
use base::error::Error;
use base::jobs;
use domain::ids::{MemberId, PhotoId};

use super::{COLUMNS, Photo, Row};
use crate::jobs::DerivePhoto;

/// Those of the named files for which a small copy stands, by SHA-256.
pub async fn known(db: &Db, member: &MemberId, asked: &[String]) -> Result<BTreeMap<String, PhotoId>, Error> {
    let coming: Vec<(String, String)> = with_db!(db, |pool| {
        sqlx::query_as(
        "select sha256, id from photos where member_id = $1 and preview is not null and removed_at is null"
    )
    .bind(member.as_str())
    .fetch_all(pool)
    .await
    })?;
    let asked = coming.into_iter().filter(|(sha256, _)| asked.contains(sha256));
    asked.map(|(sha256, id)| Ok((sha256, id.try_into().map_err(Error::internal)?))).collect()
}

/// How many of a member's photos are on the way, the removed ones counted, too.
pub async fn count(tx: &mut Tx, member: &MemberId) -> Result<i64, Error> {
    let count: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from photos where member_id = $1 and preview is not null"
    )
    .bind(member.as_str())
    .fetch_one(conn)
    .await)?;
    Ok(count)
}

/// A member's photo of this file that is on the way.
pub async fn find(tx: &mut Tx, member: &MemberId, sha256: &str) -> Result<Option<Photo>, Error> {
    let sql =
        sql!("select {COLUMNS} from photos where member_id = $1 and sha256 = $2 and preview is not null");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(sha256)
        .fetch_optional(conn)
        .await)?;
    row.map(Photo::try_from).transpose()
}

/// Notes that the original of a photo is here, as what it turned out to be, with the job that makes its served sizes.
pub async fn arrived(tx: &mut Tx, id: &PhotoId, original: &Photo) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "update photos set file_name = $2, format = $3, bytes = $4, width = $5, height = $6, orientation = $7,
                           taken_at = $8, camera = $9, state = $10, preview = null, removed_at = null, taken_from = $11,
                           taken_offset = $12, city = $13
         where id = $1",
    )
    .bind(id.as_str())
    .bind(&original.file_name)
    .bind(&original.format)
    .bind(i64::try_from(original.bytes).map_err(Error::internal)?)
    .bind(i64::from(original.width))
    .bind(i64::from(original.height))
    .bind(i64::from(original.orientation))
    .bind(original.taken_at)
    .bind(&original.camera)
    .bind(original.state.code())
    .bind(original.is_time_named.then_some(super::FROM_NAME))
    .bind(original.taken_offset.map(i64::from))
    .bind(&original.city)
    .execute(conn)
    .await
    .map(drop)
    })?;
    jobs::enqueue_for(tx, &DerivePhoto { photo: id.clone() }, &original.member, now_ms()).await
}
