//! SQL of the orders that use, or used, a coupon.

use base::db::{Db, with_db};
use base::error::Error;
use domain::ids::{CouponId, OrderId};
use domain::money::Fen;

/// A place in the list of uses.
pub type UsePosition = base::lists::Position<OrderId>;

/// An order that uses, or used, a coupon.
#[derive(Debug, Clone)]
pub struct Use {
    pub order: OrderId,
    pub code: String,
    pub amount: Fen,
    pub used_at: i64,
    pub returned_at: Option<i64>,
}

impl Use {
    /// Where the list goes on behind it.
    pub fn position(&self) -> UsePosition {
        UsePosition { at: self.used_at, id: self.order.clone() }
    }
}

/// The newest uses of a coupon, behind a place.
pub async fn uses(db: &Db, id: &CouponId, after: Option<&UsePosition>, most: i64) -> Result<Vec<Use>, Error> {
    let rows: Vec<(String, String, i64, i64, Option<i64>)> = with_db!(db, |pool| sqlx::query_as(
        "select order_id, code, amount, used_at, returned_at from coupon_uses
         where coupon_id = $1 and ($2 = '' or used_at < $3 or used_at = $3 and order_id < $2)
         order by used_at desc, order_id desc limit $4"
    )
    .bind(id.as_str())
    .bind(after.map_or("", |after| after.id.as_str()))
    .bind(after.map_or(0, |after| after.at))
    .bind(most)
    .fetch_all(pool)
    .await)?;
    rows.into_iter()
        .map(|(order, code, amount, used_at, returned_at)| {
            let order = order.try_into().map_err(Error::internal)?;
            Ok(Use { order, code, amount: Fen(amount), used_at, returned_at })
        })
        .collect()
}

/// What it took off all orders that use it.
pub async fn given(db: &Db, id: &CouponId) -> Result<Fen, Error> {
    let given: i64 = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select cast(coalesce(sum(amount), 0) as bigint) from coupon_uses where coupon_id = $1 and returned_at is null"
    )
    .bind(id.as_str())
    .fetch_one(pool)
    .await
    })?;
    Ok(Fen(given))
}
