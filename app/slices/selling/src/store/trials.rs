//! SQL of trials.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{EntitlementId, MemberId, PackageId};

use crate::SoldDay;

/// Notes that a taker tries a thing; false when it did before.
pub async fn insert(
    tx: &mut Tx,
    taker: &str,
    (kind, item): &(String, String),
    package: &PackageId,
    right: &EntitlementId,
    now: i64,
) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into trials (taker, kind, item_id, package_id, entitlement_id, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict (taker, kind, item_id) do nothing",
    )
    .bind(taker)
    .bind(kind)
    .bind(item)
    .bind(package.as_str())
    .bind(right.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Whether a taker has tried a thing.
pub async fn has_tried(tx: &mut Tx, taker: &str, (kind, item): &(String, String)) -> Result<bool, Error> {
    let count: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from trials where taker = $1 and kind = $2 and item_id = $3"
    )
    .bind(taker)
    .bind(kind)
    .bind(item)
    .fetch_one(conn)
    .await)?;
    Ok(count > 0)
}

/// How many trials of a seller's packages began in a span of time, by day; of those that hold a thing, where one is named.
pub async fn by_day(
    db: &Db,
    seller: &MemberId,
    thing: Option<(&str, &str)>,
    (from, until): (i64, i64),
) -> Result<Vec<SoldDay>, Error> {
    let sql = sql!(
        "select (t.created_at + 28800000) / 86400000 as day, count(distinct t.entitlement_id) as trials
         from trials t join packages p on p.id = t.package_id
         where p.seller_id = $1 and t.created_at >= $2 and t.created_at < $3
           and ($4 = '' or (t.kind = $4 and t.item_id = $5))
         group by (t.created_at + 28800000) / 86400000 order by 1"
    );
    let (kind, item) = thing.unwrap_or_default();
    let days: Vec<(i64, i64)> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(seller.as_str())
        .bind(from)
        .bind(until)
        .bind(kind)
        .bind(item)
        .fetch_all(pool)
        .await)?;
    Ok(days.into_iter().map(|(day, trials)| SoldDay { day, trials, ..SoldDay::default() }).collect())
}
