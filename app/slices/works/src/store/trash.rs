//! SQL of the trash. A work that lies there keeps everything it has until it is forgotten.

use base::db::{Db, Tx, now_ms, sql, with_db, with_tx, with_write};
use base::error::Error;
use base::forgetting;
use domain::ids::{MemberId, WorkId};
use web::app::App;
use web::slice::Event;

use super::{titles, uses};

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

/// Whether an older version ended a work with its maker's account, or it is gone.
pub async fn is_ended(db: &Db, id: &WorkId) -> Result<bool, Error> {
    let standing: i64 = with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from works where id = $1 and coalesce(trashed_at, 1) > 0"
    )
    .bind(id.as_str())
    .fetch_one(pool)
    .await)?;
    Ok(standing == 0)
}

/// Works of a closed account that are forgotten at once.
const WORKS: i64 = 50;
/// Bytes of revisions that are deleted in one transaction: what is in them is gone over once more for that.
const BYTES: i64 = 4 << 20;

/// Forgets some works of a member whose account is closed, wherever they stand, as [`forget`] does; whether there may be more.
/// Revisions go first, as many as one transaction may delete, so that a work with a thousand large ones holds nobody up either.
pub async fn forget_some(app: &App, tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    // all of them go, and are not taken out word by word
    let grams = sql!(
        "delete from title_grams where (member_id, first, second, third, work_id) in (
             select member_id, first, second, third, work_id from title_grams where member_id = $1 limit $2)"
    );
    if forgetting::some(tx, &[(grams, 1)], member.as_str()).await? {
        return Ok(true);
    }
    // each half by its own index
    let mut works: Vec<String> = with_tx!(&mut *tx, |conn| sqlx::query_scalar(
        "select id from (select id from works where member_id = $1 and trashed_at is null
             order by updated_at, id limit $2) as shelf
         union all select id from (select id from works where member_id = $1 and trashed_at is not null
             order by trashed_at, id limit $2) as trash"
    )
    .bind(member.as_str())
    .bind(WORKS)
    .fetch_all(conn)
    .await)?;
    works.truncate(usize::try_from(WORKS).map_err(Error::internal)?);
    if works.is_empty() {
        return Ok(false);
    }
    if forget_some_revisions(tx, &works).await? {
        return Ok(true);
    }
    let parts = [
        (
            sql!(
                "delete from work_operations where (work_id, id) in (
                     select work_id, id from work_operations where work_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from decided_findings where (work_id, findings) in (
                     select work_id, findings from decided_findings where work_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from file_uses where (holder_kind, holder, kind, file, first_version) in (
                     select holder_kind, holder, kind, file, first_version from file_uses
                     where holder_kind = 'work' and holder in ([?]) limit $1)"
            ),
            1,
        ),
    ];
    if forgetting::some_of(tx, &parts, &works).await? {
        return Ok(true);
    }
    for id in &works {
        let work = id.parse().map_err(Error::internal)?;
        app.house.tell(tx, &Forgotten { work }).await?;
    }
    let sql = sql!("delete from works where id in ([?])").repeated(works.len());
    with_tx!(tx, |conn| {
        works.iter().fold(sqlx::query(sql.text()), |query, id| query.bind(id)).execute(conn).await.map(drop)
    })?;
    Ok(works.len() as i64 == WORKS)
}

/// Deletes some revisions of works; whether there may be more.
async fn forget_some_revisions(tx: &mut Tx, works: &[String]) -> Result<bool, Error> {
    // of an index: what stands behind a document in its row is read through it
    let sql = sql!(
        "select work_id, count(*), cast(sum(bytes) as bigint) from work_revisions where work_id in ([?])
         group by work_id"
    )
    .repeated(works.len());
    let kept: Vec<(String, i64, i64)> = with_tx!(&mut *tx, |conn| {
        works.iter().fold(sqlx::query_as(sql.text()), |query, id| query.bind(id)).fetch_all(conn).await
    })?;
    let (mut rows, mut room) = (forgetting::AT_ONCE, BYTES);
    for (work, count, bytes) in kept {
        let fit = if bytes <= room { count } else { (count * room / bytes).max(1) };
        let most = fit.min(rows);
        with_tx!(&mut *tx, |conn| sqlx::query(
            "delete from work_revisions where (work_id, revision) in (
                 select work_id, revision from work_revisions where work_id = $1 limit $2)"
        )
        .bind(&work)
        .bind(most)
        .execute(conn)
        .await
        .map(drop))?;
        rows -= most;
        room -= bytes * most / count;
        if most < count || rows <= 0 || room <= 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
