//! SQL of refunds that wait for a second person in the back office.

use domain::ids::OrderId;

use platform::db::{Db, Tx, sql, with_db, with_tx};
use platform::error::Error;

/// A refund that somebody asked for.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct RefundRequest {
    pub id: String,
    pub order_id: String,
    /// 分; all that is left where there is none.
    pub amount: Option<i64>,
    pub reason: String,
    pub asked_by: String,
    pub asked_at: i64,
    pub decided_at: Option<i64>,
}

const COLUMNS: &str = "id, order_id, amount, reason, asked_by, asked_at, decided_at";

/// Keeps a request; false where the same one was kept before.
pub async fn insert(tx: &mut Tx, request: &RefundRequest) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into refund_requests (id, order_id, amount, reason, asked_by, asked_at)
         values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing",
    )
    .bind(&request.id)
    .bind(&request.order_id)
    .bind(request.amount)
    .bind(&request.reason)
    .bind(&request.asked_by)
    .bind(request.asked_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// An order's requests, the newest first.
pub async fn of_order(db: &Db, order: &OrderId) -> Result<Vec<RefundRequest>, Error> {
    let sql =
        sql!("select {COLUMNS} from refund_requests where order_id = $1 order by asked_at desc, id desc");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(order.as_str()).fetch_all(pool).await)?)
}

/// How many wait, and since when the first does.
pub async fn count(db: &Db) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(asked_at) from refund_requests where decided_at is null"
    )
    .fetch_one(pool)
    .await)?)
}

/// Writes what was decided; false where somebody had decided before.
pub async fn decide(tx: &mut Tx, id: &str, by: &str, outcome: &str, now: i64) -> Result<bool, Error> {
    let decided = with_tx!(tx, |conn| sqlx::query(
        "update refund_requests set decided_by = $2, decided_at = $3, outcome = $4
         where id = $1 and decided_at is null",
    )
    .bind(id)
    .bind(by)
    .bind(now)
    .bind(outcome)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(decided == 1)
}
