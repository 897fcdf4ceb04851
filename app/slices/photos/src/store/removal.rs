//! SQL of photos that leave the library.

use base::db::{Tx, sql, with_tx};
use base::error::Error;
use domain::ids::{MemberId, PhotoId};

use super::{COLUMNS, Photo, Row};

/// Takes some of a member's photos out of the library, and answers which were there.
pub async fn remove(
    tx: &mut Tx,
    ids: &[&PhotoId],
    member: &MemberId,
    now: i64,
) -> Result<Vec<PhotoId>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!(
        "update photos set removed_at = $2
         where member_id || '' = $1 and removed_at is null and id in ([?]) returning id"
    );
    let sql = sql.repeated(ids.len());
    let gone: Vec<String> = with_tx!(tx, |conn| {
        let query = sqlx::query_scalar(sql.text()).bind(member.as_str()).bind(now);
        ids.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all(conn).await
    })?;
    gone.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// Takes so many of a member's photos out of the library, whichever they are, and answers which.
pub async fn remove_some(
    tx: &mut Tx,
    member: &MemberId,
    most: usize,
    now: i64,
) -> Result<Vec<PhotoId>, Error> {
    let gone: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "update photos set removed_at = $2 where id in (
             select id from photos where member_id = $1 and removed_at is null limit $3) returning id"
    )
    .bind(member.as_str())
    .bind(now)
    .bind(i64::try_from(most).map_err(Error::internal)?)
    .fetch_all(conn)
    .await)?;
    gone.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
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
