//! Orders: frozen copies of what was chosen, and the files a print shop gets.
//!
//! Not here: paying (payments), prices and transitions (domain).

mod export;
mod forms;
mod pages;
mod place;
mod store;

use axum::routing::{get, post};
use domain::ids::{MemberId, OrderId};
use domain::order_state::{Actor, NotMoved, OrderState, Times};

use crate::db::Tx;
use crate::error::Error;
use crate::router::Routes;

pub use export::export;
pub use pages::{OrderPage, OrdersPage, PlacePage};
pub use place::obstacle;
pub use store::{Order, find_for_owner};

/// The slice's handlers.
pub fn router() -> Routes {
    Routes::default()
        .route("/manager/shopping/order/{ids}", post(forms::place))
        .route("/manager/order/{id}/cancellation", post(forms::cancel))
        .route("/manager/order/{id}/line/{line}/cover", get(forms::cover))
}

/// Moves an order to 已付款 as part of the transaction that takes the money; `None` when it was paid before. The
/// row is locked until the transaction ends.
pub async fn mark_paid(
    tx: &mut Tx,
    id: &OrderId,
    member: &MemberId,
    now: i64,
) -> Result<Option<Order>, Error> {
    let order = store::lock_for_owner(tx, id, member).await?;
    let times = Times { paid_at: order.paid_at, now };
    match order.state.advance(OrderState::Paid, Actor::Member, times) {
        Ok(state) => {
            store::set_state(tx, id, state, Some(now), now).await?;
            Ok(Some(order))
        }
        Err(NotMoved::AlreadyThere(_)) => Ok(None),
        // it was paid before, and has moved on
        Err(NotMoved::NoSuchTransition { .. }) if order.paid_at.is_some() => Ok(None),
        Err(refused) => Err(Error::Conflict(refused.to_string())),
    }
}
