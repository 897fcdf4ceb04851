//! SQL of the looks that the back office had at members' pages.

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{LookId, MemberId};

/// One of them, as it is stored.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Look {
    pub id: String,
    pub member_id: String,
    /// A name in the back office.
    pub staff: String,
    pub reason: String,
    /// Epoch ms, like the others.
    pub began_at: i64,
    pub ends_at: i64,
    /// When it was ended before.
    pub ended_at: Option<i64>,
}

const COLUMNS: &str = "id, member_id, staff, reason, began_at, ends_at, ended_at";

/// Notes one that begins.
pub async fn insert(tx: &mut Tx, look: &Look) -> Result<(), Error> {
    Ok(with_tx!(tx, |conn| sqlx::query(
        "insert into looks (id, member_id, staff, reason, began_at, ends_at) values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&look.id)
    .bind(&look.member_id)
    .bind(&look.staff)
    .bind(&look.reason)
    .bind(look.began_at)
    .bind(look.ends_at)
    .execute(conn)
    .await
    .map(drop))?)
}

/// Ends one that is under way. False when it was over.
pub async fn end(tx: &mut Tx, id: &LookId, now: i64) -> Result<bool, Error> {
    let done = with_tx!(tx, |conn| sqlx::query(
        "update looks set ended_at = $2 where id = $1 and ended_at is null and ends_at > $2"
    )
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(done > 0)
}

/// Those at a member since a moment, the newest first.
pub async fn of_member(db: &Db, member: &MemberId, since: i64) -> Result<Vec<Look>, Error> {
    let sql =
        sql!("select {COLUMNS} from looks where member_id = $1 and began_at > $2 order by began_at desc");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(since)
        .fetch_all(pool)
        .await)?)
}

/// Deletes those that began before a moment.
pub async fn forget(db: &Db, before: i64) -> Result<(), Error> {
    Ok(with_write!(db, |pool| sqlx::query("delete from looks where began_at < $1")
        .bind(before)
        .execute(pool)
        .await
        .map(drop))?)
}
