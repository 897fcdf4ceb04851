//! SQL of what sellers were paid out.

use base::db::{Db, Tx, new_id, with_db, with_tx};
use base::error::Error;
use domain::ids::MemberId;
use domain::money::Fen;

/// Notes a payout and answers its id; `None` when there is one with this number of the bank's.
pub async fn insert(
    tx: &mut Tx,
    seller: &MemberId,
    amount: Fen,
    number: &str,
    now: i64,
) -> Result<Option<String>, Error> {
    let id: String = new_id();
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into payouts (id, seller_id, amount, number, created_at) values ($1, $2, $3, $4, $5)
         on conflict (number) do nothing",
    )
    .bind(&id)
    .bind(seller.as_str())
    .bind(amount.0)
    .bind(number)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok((inserted == 1).then_some(id))
}

/// The seller and amount of the payout with a number.
pub async fn by_number(tx: &mut Tx, number: &str) -> Result<Option<(String, Fen)>, Error> {
    let row: Option<(String, i64)> =
        with_tx!(tx, |conn| sqlx::query_as("select seller_id, amount from payouts where number = $1")
            .bind(number)
            .fetch_optional(conn)
            .await)?;
    Ok(row.map(|(seller, amount)| (seller, Fen(amount))))
}

/// A seller with what it has sold: id, account and the sum that was paid out.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Seller {
    pub id: String,
    pub account: String,
    pub paid_out: i64,
}

/// Everybody who has sold something, or earned on a printed copy.
pub async fn sellers(db: &Db) -> Result<Vec<Seller>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select m.id, m.account,
                cast((select coalesce(sum(p.amount), 0) from payouts p where p.seller_id = m.id) as bigint) as paid_out
         from members m where m.id in (select seller_id from sales where state <> 'unpaid')
            or exists (select 1 from ledger_accounts a where a.id = 'income:' || m.id) order by m.account",
    )
    .fetch_all(pool)
    .await
    })?)
}

/// What a seller was paid out so far.
pub async fn sum(tx: &mut Tx, seller: &MemberId) -> Result<Fen, Error> {
    let sum: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select cast(coalesce(sum(amount), 0) as bigint) from payouts where seller_id = $1"
    )
    .bind(seller.as_str())
    .fetch_one(conn)
    .await)?;
    Ok(Fen(sum))
}

/// A transfer to a seller's bank.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Payout {
    pub id: String,
    /// In 分.
    pub amount: i64,
    /// The bank's.
    pub number: String,
    pub created_at: i64,
}

/// A seller's payouts, the newest first, from behind one on.
pub async fn of_seller(db: &Db, seller: &MemberId, before: &str, most: i64) -> Result<Vec<Payout>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, amount, number, created_at from payouts
         where seller_id = $1 and ($2 = '' or id < $2) order by id desc limit $3"
    )
    .bind(seller.as_str())
    .bind(before)
    .bind(most)
    .fetch_all(pool)
    .await)?)
}
