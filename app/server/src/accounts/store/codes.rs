//! SQL of codes that were sent.

use crate::accounts::codes::Claim;
use crate::db::{Db, Tx, now_ms, with_db, with_tx};
use crate::error::Error;

/// Keeps a code in the place of the one before.
pub async fn put(tx: &mut Tx, claim: &Claim<'_>, digest: &str, expires_at: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into codes (purpose, contact, member_id, digest, tries, expires_at) values ($1, $2, $3, $4, 0, $5)
         on conflict (purpose, contact, member_id)
         do update set digest = excluded.digest, tries = 0, expires_at = excluded.expires_at",
    )
    .bind(claim.purpose_name())
    .bind(claim.contact.as_str())
    .bind(claim.member_id())
    .bind(digest)
    .bind(expires_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Whether there is a code that time has not ended.
pub async fn is_open(db: &Db, claim: &Claim<'_>, now: i64) -> Result<bool, Error> {
    let found: Option<i64> = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select tries from codes where purpose = $1 and contact = $2 and member_id = $3 and expires_at > $4",
    )
    .bind(claim.purpose_name())
    .bind(claim.contact.as_str())
    .bind(claim.member_id())
    .bind(now)
    .fetch_optional(pool)
    .await
    })?;
    Ok(found.is_some())
}

/// Spends a try and answers the digest; `None` when there is no code, or it is over.
pub async fn take_try(db: &Db, claim: &Claim<'_>, tries: i64, now: i64) -> Result<Option<String>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "update codes set tries = tries + 1
         where purpose = $1 and contact = $2 and member_id = $3 and tries < $4 and expires_at > $5
         returning digest",
    )
    .bind(claim.purpose_name())
    .bind(claim.contact.as_str())
    .bind(claim.member_id())
    .bind(tries)
    .bind(now)
    .fetch_optional(pool)
    .await)?)
}

/// Uses a code up; false when it is gone or another one has its place.
pub async fn delete(tx: &mut Tx, claim: &Claim<'_>, digest: &str) -> Result<bool, Error> {
    let deleted = with_tx!(tx, |conn| sqlx::query(
        "delete from codes where purpose = $1 and contact = $2 and member_id = $3 and digest = $4",
    )
    .bind(claim.purpose_name())
    .bind(claim.contact.as_str())
    .bind(claim.member_id())
    .bind(digest)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(deleted == 1)
}

/// Deletes codes that time has ended.
pub async fn forget_over(db: &Db) -> Result<(), Error> {
    with_db!(db, |pool| sqlx::query("delete from codes where expires_at <= $1")
        .bind(now_ms())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}
