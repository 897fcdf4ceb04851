//! Money that arrived: noted, put in the member's balance and, where it was for an order, spent on it, all in one
//! transaction. However often and from wherever it is told of (a notification, a question, the operator), it counts once.

use domain::ledger::{LedgerError, Posting};
use domain::order_state::OrderState;
use domain::payment::{Method, PaymentState};

use super::providers::Receipt;
use super::store;
use crate::ledger::{self, Refusal};
use crate::orders;
use platform::app::App;
use platform::db::Tx;
use platform::error::Error;

/// What became of a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    Now,
    /// It was settled before; nothing moved.
    Before,
}

/// Why money was not credited. Nothing moved; whoever called drops the transaction.
#[derive(Debug, thiserror::Error)]
pub enum Unsettled {
    /// We never asked for it.
    #[error("there is no such payment")]
    Unknown,
    #[error("it was begun in another way")]
    OtherMethod,
    #[error("the amount is not the one that was asked for")]
    OtherAmount,
    #[error("it was paid before under another number")]
    OtherNumber,
    #[error("its number belongs to another payment")]
    NumberTaken,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for Unsettled {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Refusal> for Unsettled {
    fn from(refusal: Refusal) -> Self {
        Self::Failed(match refusal {
            Refusal::Failed(error) => error,
            other => Error::internal(other),
        })
    }
}

/// Settles a receipt in a transaction of its own.
pub async fn settle_now(
    app: &App,
    method: Method,
    receipt: &Receipt,
    now: i64,
) -> Result<Settled, Unsettled> {
    let mut tx = app.db.begin().await?;
    let settled = settle(&mut tx, method, receipt, now).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(settled)
}

/// Settles a receipt as part of a transaction. What the caller has verified is who says so; what is checked here is
/// that it is what we asked for.
pub async fn settle(tx: &mut Tx, method: Method, receipt: &Receipt, now: i64) -> Result<Settled, Unsettled> {
    let payment = store::lock(tx, &receipt.payment).await?.ok_or(Unsettled::Unknown)?;
    if payment.method != method {
        return Err(Unsettled::OtherMethod);
    }
    if payment.amount != receipt.amount {
        return Err(Unsettled::OtherAmount);
    }
    if !payment.state.may_become(PaymentState::Paid) {
        // an operator who confirms again may leave the bank's number out
        let same = receipt.number.is_none() || receipt.number == payment.provider_number;
        return if same { Ok(Settled::Before) } else { Err(Unsettled::OtherNumber) };
    }
    if let Some(number) = &receipt.number
        && store::is_number_taken(tx, method, number, &payment.id).await?
    {
        return Err(Unsettled::NumberTaken);
    }
    // the order's row is taken before the ledger's, as paying from the balance does: neither waits for the other
    let due = match &payment.order {
        Some(order) => {
            let order = orders::lock_for_owner(tx, order, &payment.member).await?;
            (order.state == OrderState::Unpaid && order.total == payment.amount).then_some(order.id)
        }
        None => None,
    };
    let failed = |error: LedgerError| Error::internal(error);
    let key = format!("payment:{}", payment.id).parse().map_err(failed)?;
    let top_up = Posting::top_up(key, &payment.member, payment.amount).map_err(failed)?;
    ledger::post(tx, &top_up, &format!("{} {}", payment.method, payment.id), now).await?;
    // an order that was paid or cancelled meanwhile leaves the money in the balance
    if let Some(order) = &due {
        orders::pay(tx, order, &payment.member, now).await?;
    }
    store::set_paid(tx, &payment.id, receipt.number.as_deref(), due.is_some(), now).await?;
    Ok(Settled::Now)
}
