//! What gift cards pay of an order: it is put into the member's balance by whoever has them (`web::prepaid`), in the transaction
//! that pays the order from there.

use domain::ids::{MemberId, OrderId};
use domain::money::Fen;
use domain::order_state::OrderState;

use base::db::Tx;
use base::error::Error;
use ledger::Refusal;
use orders::Order;
use web::app::App;
use web::prepaid::{self, Prepaid};

/// Whoever has the cards that pay some of an unpaid order.
fn on(app: &App, order: &Order) -> Result<Option<&'static dyn Prepaid>, Error> {
    if order.state != OrderState::Unpaid || order.by_cards == Fen::ZERO {
        return Ok(None);
    }
    let prepaid = prepaid::of_house(app);
    prepaid.map(Some).ok_or_else(|| Error::internal("an order has cards, and nobody knows them"))
}

/// Holds their rows, before anything is posted.
pub async fn hold(app: &App, tx: &mut Tx, order: &Order) -> Result<(), Error> {
    match on(app, order)? {
        Some(prepaid) => prepaid.hold(tx, &order.id).await,
        None => Ok(()),
    }
}

/// Puts what they pay into the balance.
pub async fn draw(app: &App, tx: &mut Tx, order: &Order, now: i64) -> Result<(), Error> {
    match on(app, order)? {
        Some(prepaid) => prepaid.draw(tx, &order.id, &order.member, now).await,
        None => Ok(()),
    }
}

/// Pays an order from the balance and from the cards on it, as [`orders::pay`] does.
///
/// # Errors
/// As there.
pub async fn pay(
    app: &App,
    tx: &mut Tx,
    id: &OrderId,
    member: &MemberId,
    now: i64,
) -> Result<Option<Order>, Refusal> {
    let order = orders::lock_for_owner(tx, id, member).await?;
    hold(app, tx, &order).await?;
    draw(app, tx, &order, now).await?;
    orders::pay(tx, id, member, now).await
}
