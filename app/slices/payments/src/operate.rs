//! What the operator does with payments, on the command line and in the back office.

use domain::money::Fen;
use domain::payment::{Method, RefundState, refundable};
use domain::typed::typed;
use serde_json::json;

use super::providers::Receipt;
use super::settle::{self, Settled, Unsettled};
use super::store::Payment;
use super::store::refunds::Refund;
use platform::app::App;
use platform::audit;
use platform::db::now_ms;

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

/// A bank transfer arrived: credits it to its member, once. `number` is the bank's own; no two payments have the same.
pub async fn confirm(
    app: &App,
    payment: &Payment,
    amount: Fen,
    number: Option<&str>,
) -> Result<Settled, Unsettled> {
    let number = number.map(typed).filter(|number| !number.is_empty());
    let receipt = Receipt { payment: payment.id.clone(), number, amount };
    let mut tx = app.db.begin().await?;
    let settled = settle::settle(app, &mut tx, Method::Transfer, &receipt, now_ms()).await?;
    if settled == Settled::Now {
        let detail = json!({ "reference": payment.reference, "amount": amount, "number": receipt.number });
        audit::note(&mut tx, "recharge confirm", payment.id.as_str(), &detail).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(settled)
}
