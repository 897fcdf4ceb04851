//! The invoice of an order follows what is given back of it.

use std::any::Any;

use async_trait::async_trait;
use domain::invoice::InvoiceState;
use domain::money::Fen;
use domain::order_state::Actor;

use super::store;
use crate::orders::GivenBack;
use platform::db::{Tx, now_ms};
use platform::error::Error;
use platform::slice::Listener;

/// See [`Listener`].
pub struct Follows;

#[async_trait]
impl Listener for Follows {
    async fn hear(&self, tx: &mut Tx, event: &(dyn Any + Send + Sync)) -> Result<(), Error> {
        match event.downcast_ref() {
            Some(given) => follow(tx, given).await,
            None => Ok(()),
        }
    }
}

/// A request's amount follows, and ends with it; an invoice that was issued shows the operator that it has to be corrected
/// 需红冲.
async fn follow(tx: &mut Tx, given: &GivenBack) -> Result<(), Error> {
    let Some(mut invoice) = store::lock_live(tx, &given.order).await? else { return Ok(()) };
    invoice.order_rest = given.rest;
    if invoice.state == InvoiceState::Requested && invoice.order_rest != invoice.amount {
        if invoice.order_rest == Fen::ZERO {
            invoice.state =
                invoice.state.advance(InvoiceState::Cancelled, Actor::System).map_err(Error::internal)?;
            invoice.reason = Some("订单已全额退款，没有可开票的金额".to_owned());
            invoice.ended_at = Some(now_ms());
        } else {
            invoice.amount = invoice.order_rest;
        }
    }
    store::update(tx, &invoice).await
}
