//! SQL of what was paid from allowances.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::ids::{OrderId, SubMemberId};
use domain::money::Fen;

/// Notes that an order is paid from an allowance.
pub async fn insert(tx: &mut Tx, order: &OrderId, place: &SubMemberId, amount: Fen) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into allowance_orders (order_id, sub_member_id, amount) values ($1, $2, $3)"
    )
    .bind(order.as_str())
    .bind(place.as_str())
    .bind(amount.0)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// From whose allowance an order was paid.
pub async fn of_order(tx: &mut Tx, order: &OrderId) -> Result<Option<SubMemberId>, Error> {
    let place: Option<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select sub_member_id from allowance_orders where order_id = $1"
    )
    .bind(order.as_str())
    .fetch_optional(conn)
    .await)?;
    place.map(|place| place.try_into().map_err(Error::internal)).transpose()
}
