//! SQL of money given back, and of members who ask to cancel.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::ids::OrderId;
use domain::money::Fen;

/// What was given back under a key; `None` where nothing was.
pub async fn refund_amount(tx: &mut Tx, order: &OrderId, key: &str) -> Result<Option<Fen>, Error> {
    let amount: Option<i64> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select amount from order_refunds where order_id = $1 and refund_key = $2"
    )
    .bind(order.as_str())
    .bind(key)
    .fetch_optional(conn)
    .await)?;
    Ok(amount.map(Fen))
}

/// Notes money that is given back, and adds it to the order's sums; some of it goes to gift cards.
pub async fn insert_refund(
    tx: &mut Tx,
    order: &OrderId,
    key: &str,
    (amount, to_cards): (Fen, Fen),
    reason: &str,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into order_refunds (order_id, refund_key, amount, reason, created_at)
             values ($1, $2, $3, $4, $5)",
        )
        .bind(order.as_str())
        .bind(key)
        .bind(amount.0)
        .bind(reason)
        .bind(now)
        .execute(&mut *conn)
        .await?;
        sqlx::query(
            "update orders set refunded = refunded + $2, back_to_cards = back_to_cards + $3 where id = $1",
        )
        .bind(order.as_str())
        .bind(amount.0)
        .bind(to_cards.0)
        .execute(conn)
        .await?;
    });
    Ok(())
}

/// A member's wish to cancel what it may no longer cancel by itself.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct CancellationRequest {
    pub reason: String,
    /// open, granted or declined
    pub state: String,
    /// What the operator says; may be empty.
    pub answer: String,
    pub requested_at: i64,
}

impl CancellationRequest {
    /// Nobody has answered yet.
    pub fn is_open(&self) -> bool {
        self.state == "open"
    }
}

/// An order's newest request.
pub async fn request(db: &Db, order: &OrderId) -> Result<Option<CancellationRequest>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select reason, state, answer, requested_at from cancellation_requests where order_id = $1"
    )
    .bind(order.as_str())
    .fetch_optional(pool)
    .await)?)
}

/// Whether a request waits for its answer.
pub async fn open_request(tx: &mut Tx, order: &OrderId) -> Result<bool, Error> {
    let open: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from cancellation_requests where order_id = $1 and state = 'open'"
    )
    .bind(order.as_str())
    .fetch_one(conn)
    .await)?;
    Ok(open > 0)
}

/// Keeps a request; after an answer one may ask again. False when one is open.
pub async fn insert_request(tx: &mut Tx, order: &OrderId, reason: &str, now: i64) -> Result<bool, Error> {
    let written = with_tx!(tx, |conn| sqlx::query(
        "insert into cancellation_requests (order_id, reason, state, answer, requested_at)
         values ($1, $2, 'open', '', $3)
         on conflict (order_id) do update
         set reason = $2, state = 'open', answer = '', requested_at = $3, decided_at = null
         where cancellation_requests.state <> 'open'",
    )
    .bind(order.as_str())
    .bind(reason)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(written > 0)
}

/// Answers an open request; false when none is open.
pub async fn decide_request(
    tx: &mut Tx,
    order: &OrderId,
    granted: bool,
    answer: &str,
    now: i64,
) -> Result<bool, Error> {
    let decided = with_tx!(tx, |conn| sqlx::query(
        "update cancellation_requests set state = $2, answer = $3, decided_at = $4
         where order_id = $1 and state = 'open'",
    )
    .bind(order.as_str())
    .bind(if granted { "granted" } else { "declined" })
    .bind(answer)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(decided > 0)
}
