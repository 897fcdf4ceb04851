//! What a day brought, for its summary: from one moment to before another, epoch ms.

use base::db::{Db, with_db};
use base::error::Error;

/// Orders that were paid, and what they came to, in 分.
pub async fn paid(db: &Db, from: i64, to: i64) -> Result<(i64, i64), Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select count(*), cast(coalesce(sum(total), 0) as bigint) from orders where paid_at >= $1 and paid_at < $2"
    )
    .bind(from)
    .bind(to)
    .fetch_one(pool)
    .await
    })?)
}

/// Refunds, and what they came to, in 分.
pub async fn given_back(db: &Db, from: i64, to: i64) -> Result<(i64, i64), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), cast(coalesce(sum(amount), 0) as bigint) from order_refunds
         where created_at >= $1 and created_at < $2"
    )
    .bind(from)
    .bind(to)
    .fetch_one(pool)
    .await)?)
}

/// Parcels that left.
pub async fn sent(db: &Db, from: i64, to: i64) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from parcels where sent_at >= $1 and sent_at < $2"
    )
    .bind(from)
    .bind(to)
    .fetch_one(pool)
    .await)?)
}
