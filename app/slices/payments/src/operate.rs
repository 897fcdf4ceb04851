//! What the operator does with payments, on the command line and in the back office.

use base::audit;
use base::db::now_ms;
use base::error::Error;
use domain::approval::counts_against;
use domain::ids::PaymentId;
use domain::money::Fen;
use domain::payment::{Method, RefundState, refundable};
use domain::typed::typed;
use serde_json::json;
use web::app::App;
use web::approvals::{self, By, Decision, Kind, Request, Thing};

use super::providers::Receipt;
use super::settle::{self, Settled, Unsettled};
use super::store::Payment;
use super::store::refunds::Refund;

/// Characters that a bank's number of a transfer may have.
pub const LONGEST_NUMBER: usize = 64;
/// Bytes that a refund's key may have.
const LONGEST_KEY: usize = 64;

/// A bank transfer's reference as it is read from a statement, with what a bank or a person puts in between.
pub fn reference_in(text: &str) -> String {
    typed(text).chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase()
}

/// Whether a refund can be called this.
pub fn is_key(text: &str) -> bool {
    (1..=LONGEST_KEY).contains(&text.len())
}

/// What of a payment has neither gone back nor is on its way.
pub fn left(payment: &Payment, refunds: &[Refund]) -> Fen {
    let gone =
        refunds.iter().filter(|refund| refund.state != RefundState::Failed).map(|refund| refund.amount);
    let gone = Fen::sum(gone).unwrap_or(payment.amount);
    refundable(payment.amount, gone, payment.amount)
}

/// Bank transfers that somebody says have arrived, among what is given of: nobody but that one has seen the money.
pub const ARRIVAL: Kind = Kind { name: "transfer", log: "recharge confirm" };

/// A transfer's arrival as what is given of.
pub fn arrival(id: &PaymentId) -> Thing<'_> {
    Thing { kind: ARRIVAL, id: id.as_str() }
}

/// A bank transfer arrived: credits it to its member, once. `number` is the bank's own; no two payments have the same.
///
/// # Errors
/// [`Unsettled::NeedsAnother`] where whoever says so may not say so much alone.
pub async fn confirm(
    app: &App,
    payment: &Payment,
    amount: Fen,
    number: Option<&str>,
    by: By<'_>,
) -> Result<Settled, Unsettled> {
    let number = number.map(typed).filter(|number| !number.is_empty());
    let receipt = Receipt { payment: payment.id.clone(), number, amount };
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    // what is held here is held before whoever gives, as everybody takes them
    let Some(held) = settle::hold(app, &mut tx, Method::Transfer, &receipt, now).await? else {
        return Ok(Settled::Before);
    };
    let order = held.payment.order.as_ref().map(|order| order.as_str());
    let limited = Thing { kind: ARRIVAL, id: counts_against(payment.id.as_str(), order) };
    if !approvals::gives(app, &mut tx, by, limited, amount, now).await? {
        return Err(Unsettled::NeedsAnother);
    }
    let settled = held.settle(app, &mut tx, &receipt, now).await?;
    let detail = json!({ "reference": payment.reference, "amount": amount, "number": receipt.number });
    audit::note(&mut tx, ARRIVAL.log, payment.id.as_str(), &detail).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(settled)
}

/// What stands before the bank's number in a request, and what does without one.
const NUMBERED: &str = "银行流水号 ";
const UNNUMBERED: &str = "没有填银行流水号";

/// The bank's number that a request names, empty for none.
pub fn number_in(request: &Request) -> &str {
    request.reason.strip_prefix(NUMBERED).unwrap_or_default()
}

/// Asks another one whether a transfer arrived; whether it is asked now, or was before.
pub async fn ask_arrival(
    app: &App,
    payment: &Payment,
    number: &str,
    asked_by: String,
    asked_before: usize,
) -> Result<bool, Error> {
    let request = Request {
        // a declined one may be asked again, and one press is one request
        id: format!("arrival-{}-{asked_before}", payment.id),
        about: payment.id.to_string(),
        amount: Some(payment.amount.0),
        reason: if number.is_empty() { UNNUMBERED.to_owned() } else { format!("{NUMBERED}{number}") },
        asked_by,
        asked_at: now_ms(),
        decided_at: None,
    };
    approvals::ask(app, ARRIVAL, &request).await
}

/// Carries out what another one decided of an arrival; whether it is done now, or was before.
pub async fn decide_arrival(app: &App, payment: &Payment, decision: &Decision) -> Result<bool, Unsettled> {
    if decision.is_late() {
        return Ok(false);
    }
    if !decision.grants {
        return Ok(decision.decline(app, ARRIVAL).await?);
    }
    let amount = decision.request.amount.map_or(payment.amount, Fen);
    match confirm(app, payment, amount, Some(number_in(&decision.request)), decision.right()).await {
        Ok(Settled::Now) => {}
        Ok(Settled::Before) | Err(Unsettled::NeedsAnother) => return Ok(false),
        Err(other) => return Err(other),
    }
    decision.note_granted(app, ARRIVAL).await?;
    Ok(true)
}
