//! SQL of codes that were sent.

use base::db::{Db, Tx, now_ms, with_db, with_tx, with_write};
use base::error::Error;

use crate::asker::Asker;
use crate::codes::Claim;

/// Keeps a code in the place of the one that this asker had before.
pub async fn put(
    tx: &mut Tx,
    claim: &Claim<'_>,
    asker: &Asker,
    digest: &str,
    expires_at: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "delete from sent_codes
             where purpose = $1 and contact = $2 and member_id = $3 and (address = $4 or browser = $5)",
        )
        .bind(claim.purpose_name())
        .bind(claim.contact.as_str())
        .bind(claim.member_id())
        .bind(asker.address())
        .bind(asker.browser())
        .execute(&mut *conn)
        .await?;
        sqlx::query(
            "insert into sent_codes (purpose, contact, member_id, address, browser, digest, tries, expires_at)
             values ($1, $2, $3, $4, $5, $6, 0, $7)
             on conflict (purpose, contact, member_id, address)
             do update set browser = excluded.browser, digest = excluded.digest, tries = 0,
                           expires_at = excluded.expires_at",
        )
        .bind(claim.purpose_name())
        .bind(claim.contact.as_str())
        .bind(claim.member_id())
        .bind(asker.address())
        .bind(asker.browser())
        .bind(digest)
        .bind(expires_at)
        .execute(&mut *conn)
        .await?;
    });
    Ok(())
}

/// Whether the asker has a code that time has not ended.
pub async fn is_open(db: &Db, claim: &Claim<'_>, asker: &Asker, now: i64) -> Result<bool, Error> {
    let found: i64 = with_db!(db, |pool| {
        sqlx::query_scalar(
            "select count(*) from sent_codes
             where purpose = $1 and contact = $2 and member_id = $3 and (address = $4 or browser = $5)
               and expires_at > $6",
        )
        .bind(claim.purpose_name())
        .bind(claim.contact.as_str())
        .bind(claim.member_id())
        .bind(asker.address())
        .bind(asker.browser())
        .bind(now)
        .fetch_one(pool)
        .await
    })?;
    Ok(found > 0)
}

/// Spends a try and answers the digests that may be meant: this address's, and this browser's where it asked from
/// another one. None where there is no code, or it is over.
pub async fn take_try(
    db: &Db,
    claim: &Claim<'_>,
    asker: &Asker,
    tries: i64,
    now: i64,
) -> Result<Vec<String>, Error> {
    Ok(with_write!(db, |pool| sqlx::query_scalar(
        "update sent_codes set tries = tries + 1
         where purpose = $1 and contact = $2 and member_id = $3 and (address = $4 or browser = $5)
           and tries < $6 and expires_at > $7
         returning digest",
    )
    .bind(claim.purpose_name())
    .bind(claim.contact.as_str())
    .bind(claim.member_id())
    .bind(asker.address())
    .bind(asker.browser())
    .bind(tries)
    .bind(now)
    .fetch_all(pool)
    .await)?)
}

/// Uses a code up, and all others that were sent for the same; false when it is gone or another one has its place.
pub async fn delete(tx: &mut Tx, claim: &Claim<'_>, digest: &str) -> Result<bool, Error> {
    let deleted = with_tx!(tx, |conn| {
        let deleted = sqlx::query(
            "delete from sent_codes where purpose = $1 and contact = $2 and member_id = $3 and digest = $4",
        )
        .bind(claim.purpose_name())
        .bind(claim.contact.as_str())
        .bind(claim.member_id())
        .bind(digest)
        .execute(&mut *conn)
        .await?
        .rows_affected();
        sqlx::query("delete from sent_codes where purpose = $1 and contact = $2 and member_id = $3")
            .bind(claim.purpose_name())
            .bind(claim.contact.as_str())
            .bind(claim.member_id())
            .execute(&mut *conn)
            .await?;
        deleted
    });
    Ok(deleted == 1)
}

/// Deletes codes that time has ended.
pub async fn forget_over(db: &Db) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("delete from sent_codes where expires_at <= $1")
        .bind(now_ms())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}
