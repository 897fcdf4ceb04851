//! SQL of second factors.

use base::db::{Db, Tx, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::MemberId;

/// A member's second factor.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Kept {
    /// The secret, sealed.
    pub sealed: String,
    /// Epoch ms.
    pub began_at: i64,
    /// Since when it is on; `None` while it waits to be confirmed.
    pub on_since: Option<i64>,
}

/// The second factor of a member, on or waiting.
pub async fn find(db: &Db, member: &MemberId) -> Result<Option<Kept>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select sealed, began_at, on_since from second_factors where member_id = $1"
    )
    .bind(member.as_str())
    .fetch_optional(pool)
    .await)?)
}

/// Keeps a secret that waits to be confirmed, in the place of one that waited before. False when one is on.
pub async fn begin(db: &Db, member: &MemberId, sealed: &str, now: i64) -> Result<bool, Error> {
    let begun = with_write!(db, |pool| {
        sqlx::query(
        "insert into second_factors (member_id, sealed, began_at, on_since, last_step) values ($1, $2, $3, null, 0)
         on conflict (member_id) do update set sealed = excluded.sealed, began_at = excluded.began_at
         where second_factors.on_since is null",
    )
    .bind(member.as_str())
    .bind(sealed)
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(begun == 1)
}

/// Switches on the secret that waited, with the step of the code that confirmed it. False when it is not that one any
/// more.
pub async fn confirm(
    tx: &mut Tx,
    member: &MemberId,
    sealed: &str,
    step: i64,
    now: i64,
) -> Result<bool, Error> {
    let confirmed = with_tx!(tx, |conn| sqlx::query(
        "update second_factors set on_since = $4, last_step = $3
         where member_id = $1 and sealed = $2 and on_since is null",
    )
    .bind(member.as_str())
    .bind(sealed)
    .bind(step)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(confirmed == 1)
}

/// Uses the code of a step; false when it, or a later one, was used before.
pub async fn use_step(db: &Db, member: &MemberId, step: i64) -> Result<bool, Error> {
    let used = with_write!(db, |pool| {
        sqlx::query(
        "update second_factors set last_step = $2 where member_id = $1 and on_since is not null and last_step < $2",
    )
    .bind(member.as_str())
    .bind(step)
    .execute(pool)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(used == 1)
}

/// Takes a member's second factor away, with its recovery codes. False when there was none.
pub async fn remove(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let removed = with_tx!(tx, |conn| {
        sqlx::query("delete from recovery_codes where member_id = $1")
            .bind(member.as_str())
            .execute(&mut *conn)
            .await?;
        sqlx::query("delete from second_factors where member_id = $1")
            .bind(member.as_str())
            .execute(&mut *conn)
            .await?
            .rows_affected()
    });
    Ok(removed == 1)
}

/// Gives a member recovery codes in the place of all before.
pub async fn set_recovery_codes(tx: &mut Tx, member: &MemberId, digests: &[String]) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query("delete from recovery_codes where member_id = $1")
            .bind(member.as_str())
            .execute(&mut *conn)
            .await?;
        for digest in digests {
            sqlx::query("insert into recovery_codes (member_id, digest) values ($1, $2)")
                .bind(member.as_str())
                .bind(digest)
                .execute(&mut *conn)
                .await?;
        }
    });
    Ok(())
}

/// Uses a recovery code; false when there is none like it, or it was used before.
pub async fn use_recovery_code(
    tx: &mut Tx,
    member: &MemberId,
    digest: &str,
    now: i64,
) -> Result<bool, Error> {
    let used = with_tx!(tx, |conn| sqlx::query(
        "update recovery_codes set used_at = $3 where member_id = $1 and digest = $2 and used_at is null",
    )
    .bind(member.as_str())
    .bind(digest)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(used == 1)
}

/// Recovery codes that a member has left.
pub async fn recovery_codes_left(db: &Db, member: &MemberId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from recovery_codes where member_id = $1 and used_at is null"
    )
    .bind(member.as_str())
    .fetch_one(pool)
    .await)?)
}
