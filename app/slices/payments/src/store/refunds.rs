//! SQL of money on its way back.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{PaymentId, PaymentRefundId};
use domain::money::Fen;
use domain::payment::RefundState;

/// Money on its way back to where it came from.
#[derive(Debug, Clone)]
pub struct Refund {
    pub id: PaymentRefundId,
    pub payment: PaymentId,
    pub amount: Fen,
    /// The operator's word for it.
    pub request_key: String,
    pub state: RefundState,
    /// Why it failed.
    pub reason: Option<String>,
    /// Epoch ms.
    pub created_at: i64,
    /// What came of the provider's last answer.
    pub standing: Standing,
}

/// How a refund stands at a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Standing {
    /// When it was asked last, epoch ms.
    pub asked_at: Option<i64>,
    /// Why nothing came of it, as people read it.
    pub trouble: Option<String>,
    /// How many tries failed, one behind the other.
    pub troubles: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    payment_id: String,
    amount: i64,
    request_key: String,
    state: String,
    reason: Option<String>,
    created_at: i64,
    #[sqlx(flatten)]
    standing: Standing,
}

/// What is read of a refund.
const COLUMNS: &str =
    "id, payment_id, amount, request_key, state, reason, created_at, asked_at, trouble, troubles";

impl TryFrom<Row> for Refund {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            payment: row.payment_id.try_into().map_err(Error::internal)?,
            amount: Fen(row.amount),
            request_key: row.request_key,
            state: row.state.parse().map_err(Error::internal)?,
            reason: row.reason,
            created_at: row.created_at,
            standing: row.standing,
        })
    }
}

/// Writes a refund; the payment's row is held.
pub async fn insert(tx: &mut Tx, refund: &Refund) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into payment_refunds (id, payment_id, amount, request_key, state, created_at)
         values ($1, $2, $3, $4, $5, $6)"
    )
    .bind(refund.id.as_str())
    .bind(refund.payment.as_str())
    .bind(refund.amount.0)
    .bind(&refund.request_key)
    .bind(refund.state.code())
    .bind(refund.created_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// The refund that the operator asked for by this word.
pub async fn by_key(tx: &mut Tx, payment: &PaymentId, key: &str) -> Result<Option<Refund>, Error> {
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(
        sql!("select {COLUMNS} from payment_refunds where payment_id = $1 and request_key = $2").text()
    )
    .bind(payment.as_str())
    .bind(key)
    .fetch_optional(conn)
    .await)?;
    row.map(Refund::try_from).transpose()
}

/// The payments of the order that a payment is for, in the order in which they are held; it alone where it is for none.
pub async fn beside(tx: &mut Tx, payment: &PaymentId) -> Result<Vec<PaymentId>, Error> {
    let ids: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select id from payments where id = $1
            or order_id = (select p.order_id from payments p where p.id = $1)
         order by id"
    )
    .bind(payment.as_str())
    .fetch_all(conn)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// How much of a payment has gone back or is on its way.
pub async fn sent_of(tx: &mut Tx, payment: &PaymentId) -> Result<Fen, Error> {
    let amounts: Vec<i64> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select amount from payment_refunds where payment_id = $1 and state <> 'failed'"
    )
    .bind(payment.as_str())
    .fetch_all(conn)
    .await)?;
    Fen::sum(amounts.into_iter().map(Fen)).map_err(Error::internal)
}

/// One refund.
pub async fn find(db: &Db, id: &PaymentRefundId) -> Result<Refund, Error> {
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(
        sql!("select {COLUMNS} from payment_refunds where id = $1").text()
    )
    .bind(id.as_str())
    .fetch_optional(pool)
    .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// A payment's refunds, the first first.
pub async fn of_payment(db: &Db, payment: &PaymentId) -> Result<Vec<Refund>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(
        sql!("select {COLUMNS} from payment_refunds where payment_id = $1 order by created_at, id").text()
    )
    .bind(payment.as_str())
    .fetch_all(pool)
    .await)?;
    rows.into_iter().map(Refund::try_from).collect()
}

/// Writes down what came of asking the provider; the tries that failed, one behind the other.
pub async fn asked(tx: &mut Tx, id: &PaymentRefundId, trouble: Option<&str>, now: i64) -> Result<i64, Error> {
    let troubles: Option<i64> = with_tx!(tx, |conn| sqlx::query_scalar(
        "update payment_refunds set asked_at = $2, trouble = cast($3 as text),
             troubles = case when cast($3 as text) is null then 0 else troubles + 1 end
         where id = $1 and state = 'pending' returning troubles"
    )
    .bind(id.as_str())
    .bind(now)
    .bind(trouble)
    .fetch_optional(conn)
    .await)?;
    Ok(troubles.unwrap_or(0))
}

/// Ends a refund; false when it ended before.
pub async fn end(
    tx: &mut Tx,
    id: &PaymentRefundId,
    state: RefundState,
    number: Option<&str>,
    reason: Option<&str>,
    now: i64,
) -> Result<bool, Error> {
    let ended = with_tx!(tx, |conn| sqlx::query(
        "update payment_refunds set state = $2, provider_number = $3, reason = $4, ended_at = $5
         where id = $1 and state = 'pending'"
    )
    .bind(id.as_str())
    .bind(state.code())
    .bind(number)
    .bind(reason)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(ended == 1)
}
