//! The floor follows the orders. Each step of an order tells it ([`crate::progress::enter`]); what a program did that knew no
//! floor, before an update or beside one, is made up for here.

use std::collections::HashMap;

use base::db::{Db, now_ms};
use base::error::Error;
use domain::ids::OrderId;
use domain::order_state::{OrderState, SELF_CANCEL_MS};
use web::app::App;
use web::background::{Background, HOUR};

use super::store;

/// See the module.
pub const FOLLOWING: Background = Background::every(HOUR, "the floor, which follows the orders", |app| {
    Box::pin(async move { follow(&app).await })
});

/// Orders that are on the floor, or are to be.
const RUNNING: [OrderState; 3] = [OrderState::Paid, OrderState::InProduction, OrderState::Reprint];

/// Orders that may be printed now, as their members can't cancel them any more, and whether a member asks for just that.
pub async fn may_be_printed(db: &Db, now: i64) -> Result<HashMap<OrderId, bool>, Error> {
    let known = store::list::in_states_past_the_hour(db, &RUNNING, now - SELF_CANCEL_MS).await?;
    Ok(known.into_iter().collect())
}

async fn follow(app: &App) -> Result<(), Error> {
    let running = store::list::in_states(&app.db, &RUNNING).await?;
    let mut wrong = Vec::new();
    let mut on_the_floor: HashMap<OrderId, bool> =
        production::open_orders(&app.db).await?.into_iter().collect();
    for (order, state) in running {
        let is_right = match on_the_floor.remove(&order) {
            None => false,
            Some(is_begun) => is_begun || state != OrderState::InProduction,
        };
        if !is_right {
            wrong.push(order);
        }
    }
    wrong.extend(on_the_floor.into_keys());
    for order in wrong {
        // one that can't be read hinders no other
        if let Err(error) = set_right(app, &order).await {
            tracing::error!(%order, %error, "The floor can't follow an order");
        }
    }
    Ok(())
}

/// Puts one order's lines where its state says.
async fn set_right(app: &App, id: &OrderId) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let order = store::lock(&mut tx, id).await?;
    if RUNNING.contains(&order.state) {
        let told = store::to_make(&mut tx, &order, order.state).await?;
        let since = match order.state {
            OrderState::Reprint => order.state_since,
            _ => order.paid_at.unwrap_or(order.state_since),
        };
        let begun_at = (order.state == OrderState::InProduction).then_some(order.state_since);
        production::take_on(&mut tx, id, &told, since, begun_at).await?;
    } else {
        let is_sent =
            !matches!(order.state, OrderState::Cancelled | OrderState::Refunding | OrderState::Refunded);
        production::take_off(&mut tx, id, is_sent, now_ms()).await?;
    }
    tx.commit().await?;
    Ok(())
}
