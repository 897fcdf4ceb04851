//! SQL of months that are closed, and of those that somebody wants to close.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;

/// A month that is closed, or is to be.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Closing {
    pub month: String,
    /// As JSON.
    pub figures: String,
    pub sha256: String,
    pub asked_by: String,
    pub asked_at: i64,
    pub closed_by: Option<String>,
    pub closed_at: Option<i64>,
}

pub async fn all(db: &Db) -> Result<Vec<Closing>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select month, figures, sha256, asked_by, asked_at, closed_by, closed_at from month_closings
         order by month desc"
    )
    .fetch_all(pool)
    .await)?)
}

pub async fn find(db: &Db, month: &str) -> Result<Option<Closing>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select month, figures, sha256, asked_by, asked_at, closed_by, closed_at from month_closings where month = $1"
    )
    .bind(month)
    .fetch_optional(pool)
    .await
    })?)
}

/// Keeps the figures that somebody wants to close a month with; false where somebody wanted to before.
pub async fn ask(tx: &mut Tx, closing: &Closing) -> Result<bool, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query(
        "insert into month_closings (month, figures, sha256, asked_by, asked_at) values ($1, $2, $3, $4, $5)
         on conflict (month) do nothing"
    )
    .bind(&closing.month)
    .bind(&closing.figures)
    .bind(&closing.sha256)
    .bind(&closing.asked_by)
    .bind(closing.asked_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected() == 1))?)
}

/// Closes a month with the figures of this digest; false where that is not asked for any more.
pub async fn close(tx: &mut Tx, month: &str, sha256: &str, by: &str, now: i64) -> Result<bool, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query(
        "update month_closings set closed_by = $3, closed_at = $4
         where month = $1 and sha256 = $2 and closed_at is null and asked_by <> $3"
    )
    .bind(month)
    .bind(sha256)
    .bind(by)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected() == 1))?)
}

/// Forgets that somebody wanted to close a month; false where it is closed, or nobody wants to.
pub async fn withdraw(tx: &mut Tx, month: &str, sha256: &str) -> Result<bool, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query(
        "delete from month_closings where month = $1 and sha256 = $2 and closed_at is null"
    )
    .bind(month)
    .bind(sha256)
    .execute(conn)
    .await
    .map(|done| done.rows_affected() == 1))?)
}

/// How many months wait for a second person, and since when the first does.
pub async fn count_asked(db: &Db) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(asked_at) from month_closings where closed_at is null"
    )
    .fetch_one(pool)
    .await)?)
}
