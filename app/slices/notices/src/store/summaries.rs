//! SQL of days that were summed up.

use base::db::{Db, Tx, with_db, with_tx, with_write};
use base::error::Error;

/// Whether a day was summed up.
pub async fn is_made(db: &Db, day: &str) -> Result<bool, Error> {
    let found: Option<String> =
        with_db!(db, |pool| sqlx::query_scalar("select day from summaries where day = $1")
            .bind(day)
            .fetch_optional(pool)
            .await)?;
    Ok(found.is_some())
}

/// Notes that a day is summed up; false where it was before, here or by another instance.
pub async fn insert(tx: &mut Tx, day: &str, now: i64) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into summaries (day, made_at) values ($1, $2) on conflict (day) do nothing"
    )
    .bind(day)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Notes that a clerk is to have a day's summary.
pub async fn insert_mail(tx: &mut Tx, day: &str, clerk: &str) -> Result<(), Error> {
    Ok(with_tx!(tx, |conn| sqlx::query("insert into summary_mails (day, clerk) values ($1, $2)")
        .bind(day)
        .bind(clerk)
        .execute(conn)
        .await
        .map(drop))?)
}

/// Takes that note away; false where it was taken before.
pub async fn take_mail(tx: &mut Tx, day: &str, clerk: &str) -> Result<bool, Error> {
    let taken = with_tx!(tx, |conn| sqlx::query("delete from summary_mails where day = $1 and clerk = $2")
        .bind(day)
        .bind(clerk)
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(taken == 1)
}

/// Forgets what was made before a moment.
pub async fn forget_before(db: &Db, moment: i64) -> Result<(), Error> {
    with_write!(db, |conn| sqlx::query("delete from summaries where made_at < $1")
        .bind(moment)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
