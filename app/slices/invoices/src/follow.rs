//! The invoice of an order or a membership follows what is given back of it.

use std::any::Any;

use async_trait::async_trait;
use base::db::{Tx, now_ms};
use base::error::Error;
use domain::invoice::InvoiceState;
use domain::money::Fen;
use domain::order_state::Actor;
use web::slice::Listener;

use super::bill::Billed;
use super::store;
use membership::TermGivenBack;
use orders::GivenBack;

/// See [`Listener`].
pub struct Follows;

#[async_trait]
impl Listener for Follows {
    async fn hear(&self, tx: &mut Tx, event: &(dyn Any + Send + Sync)) -> Result<(), Error> {
        if let Some(GivenBack { order, rest }) = event.downcast_ref() {
            follow(tx, &Billed::Order(order.clone()), *rest).await?;
        }
        if let Some(TermGivenBack { term, rest }) = event.downcast_ref() {
            follow(tx, &Billed::Term(term.clone()), *rest).await?;
        }
        Ok(())
    }
}

/// A request's amount follows, and ends with it; an invoice that was issued shows the operator that it has to be corrected
/// 需红冲.
async fn follow(tx: &mut Tx, of: &Billed, rest: Fen) -> Result<(), Error> {
    let Some(mut invoice) = store::lock_live(tx, of).await? else { return Ok(()) };
    invoice.rest = rest;
    if invoice.state == InvoiceState::Requested && invoice.rest != invoice.amount {
        if invoice.rest == Fen::ZERO {
            invoice.state =
                invoice.state.advance(InvoiceState::Cancelled, Actor::System).map_err(Error::internal)?;
            invoice.reason = Some(format!("{}已全额退款，没有可开票的金额", of.noun()));
            invoice.ended_at = Some(now_ms());
        } else {
            invoice.amount = invoice.rest;
        }
    }
    store::update(tx, &invoice).await
}
