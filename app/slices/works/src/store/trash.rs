//! SQL of the trash. A work that lies there keeps everything it has until it is forgotten.

use domain::ids::{MemberId, WorkId};

use super::{titles, uses};
use platform::app::App;
use platform::db::{Db, Tx, now_ms, with_db, with_tx, with_write};
use platform::error::Error;
use platform::slice::Event;

/// Puts a work into the trash as part of a transaction; false when it lies there already.
pub async fn trash(tx: &mut Tx, id: &WorkId, member: &MemberId, now: i64) -> Result<bool, Error> {
    let set = with_tx!(tx, |conn| sqlx::query(
        "update works set trashed_at = $3 where id = $1 and member_id = $2 and trashed_at is null",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(set == 1)
}

/// Puts a work back on the shelf; one that stands there stays.
pub async fn restore(db: &Db, id: &WorkId, member: &MemberId) -> Result<(), Error> {
    let set = with_write!(db, |pool| sqlx::query(
        "update works set trashed_at = null where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    if set == 1 { Ok(()) } else { Err(Error::NotFound) }
}

/// A member's works that were put into the trash since a moment, the last first: id and title.
pub async fn recently_trashed(
    db: &Db,
    member: &MemberId,
    since: i64,
    most: i64,
) -> Result<Vec<(String, String)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, title from works where member_id = $1 and trashed_at is not null and trashed_at >= $2
         order by trashed_at desc, id desc limit $3",
    )
    .bind(member.as_str())
    .bind(since)
    .bind(most)
    .fetch_all(pool)
    .await)?)
}

/// A work is deleted for good. Told in the transaction that does it, before its row goes.
#[derive(Debug)]
pub struct Forgotten {
    pub work: WorkId,
}

impl Event for Forgotten {}

/// Deletes a work that has been in the trash since before a moment, with its revisions and what others keep of it, such as lines
/// of carts. Orders keep their own copies, photos stay in the library. Any other work stays.
pub async fn forget(app: &App, id: &WorkId, before: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    // held first, so that it can't be restored meanwhile
    let owner: Option<String> = with_tx!(&mut tx, |conn| sqlx::query_scalar(
        "update works set revision = revision where id = $1 and trashed_at <= $2 returning member_id"
    )
    .bind(id.as_str())
    .bind(before)
    .fetch_optional(conn)
    .await)?;
    let Some(owner) = owner else { return Ok(()) };
    titles::forget(&mut tx, &owner.try_into().map_err(Error::internal)?, id).await?;
    uses::forget(&mut tx, id, now_ms()).await?;
    app.house.tell(&mut tx, &Forgotten { work: id.clone() }).await?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from work_operations where work_id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from decided_findings where work_id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from work_revisions where work_id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from works where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    tx.commit().await?;
    Ok(())
}

/// Whether [`end_all`] ended a work, or it is gone.
pub async fn is_ended(db: &Db, id: &WorkId) -> Result<bool, Error> {
    let standing: i64 = with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from works where id = $1 and coalesce(trashed_at, 1) > 0"
    )
    .bind(id.as_str())
    .fetch_one(pool)
    .await)?;
    Ok(standing == 0)
}

/// Puts all of a member's works into the trash as if their time there were over, and answers which they are.
pub async fn end_all(tx: &mut Tx, member: &MemberId) -> Result<Vec<WorkId>, Error> {
    // long ago for the clock of every instance
    let ids: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "update works set trashed_at = 0 where member_id = $1 returning id"
    )
    .bind(member.as_str())
    .fetch_all(conn)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}
