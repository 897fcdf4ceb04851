//! SQL of photos that leave the library.

use domain::ids::{MemberId, PhotoId};

use super::{COLUMNS, Photo, Row};
use platform::db::{Tx, sql, with_tx};
use platform::error::Error;

/// Takes a member's photo out of the library; false where it is not there.
pub async fn remove(tx: &mut Tx, id: &PhotoId, member: &MemberId, now: i64) -> Result<bool, Error> {
    let removed = with_tx!(tx, |conn| sqlx::query(
        "update photos set removed_at = $3 where id = $1 and member_id = $2 and removed_at is null"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(removed == 1)
}

/// Takes all of a member's photos out of the library, and answers which were there.
pub async fn remove_all(tx: &mut Tx, member: &MemberId, now: i64) -> Result<Vec<PhotoId>, Error> {
    let ids: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "update photos set removed_at = $2 where member_id = $1 and removed_at is null returning id"
    )
    .bind(member.as_str())
    .bind(now)
    .fetch_all(conn)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// A photo that was removed before a moment.
pub async fn removed(tx: &mut Tx, id: &PhotoId, before: i64) -> Result<Option<Photo>, Error> {
    let sql = sql!("select {COLUMNS} from photos where id = $1 and removed_at <= $2");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(before)
        .fetch_optional(conn)
        .await)?;
    row.map(Photo::try_from).transpose()
}

/// Puts a photo back into the library.
pub async fn restore(tx: &mut Tx, id: &PhotoId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update photos set removed_at = null where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Forgets a photo.
pub async fn forget(tx: &mut Tx, photo: &Photo) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from photos where id = $1")
        .bind(photo.id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
