//! Money that arrived: noted, put in the member's balance and, where it was for an order, spent on it, all in one
//! transaction. However often and from wherever it is told of (a notification, a question, the operator), it counts once.

use base::db::Tx;
use base::error::Error;
use domain::ledger::{LedgerError, Posting};
use domain::order_state::OrderState;
use domain::payment::{Method, PaymentState};
use web::app::App;
use web::slice::Payable;

use super::cards;
use super::providers::Receipt;
use super::store::{self, Payment};
use ledger::{self, Refusal};
use orders::Order;

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
    #[error("it is more than one person may say has arrived, or it was decided before")]
    NeedsAnother,
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
    let settled = settle(app, &mut tx, method, receipt, now).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(settled)
}

/// Settles a receipt as part of a transaction. What the caller has verified is who says so; what is checked here is
/// that it is what we asked for.
async fn settle(
    app: &App,
    tx: &mut Tx,
    method: Method,
    receipt: &Receipt,
    now: i64,
) -> Result<Settled, Unsettled> {
    match hold(app, tx, method, receipt, now).await? {
        Some(held) => held.settle(app, tx, receipt, now).await,
        None => Ok(Settled::Before),
    }
}

/// What a receipt settles: its rows are held, and nothing has moved.
pub struct Held {
    pub payment: Payment,
    /// The order that it pays.
    due: Option<Order>,
    /// The same of the bill.
    payable: Option<&'static dyn Payable>,
}

/// Holds what a receipt settles; none where it was settled before.
pub async fn hold(
    app: &App,
    tx: &mut Tx,
    method: Method,
    receipt: &Receipt,
    now: i64,
) -> Result<Option<Held>, Unsettled> {
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
        return if same { Ok(None) } else { Err(Unsettled::OtherNumber) };
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
            let is_due = order.state == OrderState::Unpaid && order.due() == payment.amount;
            if is_due {
                cards::hold(app, tx, &order).await?;
            }
            is_due.then_some(order)
        }
        None => None,
    };
    let payable = match &payment.bill {
        Some(bill) => {
            let payable = payable(app, &bill.kind)?;
            let due = payable.hold(app, tx, &bill.id, &payment.member, now).await?;
            (due == Some(payment.amount)).then_some(payable)
        }
        None => None,
    };
    Ok(Some(Held { payment, due, payable }))
}

impl Held {
    /// Settles it, in the same transaction and by the same receipt.
    pub async fn settle(
        self,
        app: &App,
        tx: &mut Tx,
        receipt: &Receipt,
        now: i64,
    ) -> Result<Settled, Unsettled> {
        let Self { payment, due, payable } = self;
        let failed = |error: LedgerError| Error::internal(error);
        let key = format!("payment:{}", payment.id).parse().map_err(failed)?;
        let top_up = Posting::top_up(key, &payment.member, payment.amount).map_err(failed)?;
        ledger::post(tx, &top_up, &format!("{} {}", payment.method, payment.id), now).await?;
        // an order that was paid or cancelled meanwhile, or of which something else is due, leaves the money in the balance
        if let Some(order) = &due {
            cards::draw(app, tx, order, now).await?;
            orders::pay(tx, &order.id, &payment.member, now).await?;
        }
        if let (Some(payable), Some(bill)) = (payable, &payment.bill) {
            payable.pay(tx, &bill.id, &payment.member, payment.method, now).await?;
        }
        let paid = due.is_some() || payable.is_some();
        store::set_paid(tx, &payment.id, receipt.number.as_deref(), paid, now).await?;
        Ok(Settled::Now)
    }
}

/// The slice whose things a kind of bill is for.
fn payable(app: &App, kind: &str) -> Result<&'static dyn Payable, Error> {
    let mut all = app.house.slices.iter().filter_map(|slice| slice.payable);
    all.find(|payable| payable.kind() == kind)
        .ok_or_else(|| Error::internal(format!("no slice has a {kind}")))
}
