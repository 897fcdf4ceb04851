//! Money that goes back to where it came from, out of the member's balance: set aside when the operator asks for it,
//! gone when the provider has sent it, in the balance again when it can't be sent.

use base::audit;
use base::db::{Tx, new_id, now_ms};
use base::error::Error;
use base::jobs;
use domain::approval::counts_against;
use domain::ids::{PaymentId, PaymentRefundId};
use domain::ledger::{Account, LedgerError, Posting};
use domain::money::Fen;
use domain::payment::{HANGS_AFTER_TROUBLES, Method, PaymentState, RefundState, refundable};
use serde_json::json;
use web::app::App;
use web::approvals::{self, By, Decision, Kind, Request, Thing};
use web::notices::{self, Notice};

use super::providers::{Failure, Sending, Sent};
use super::store;
use super::store::refunds::{self as rows, Refund, Standing};
use crate::jobs::SendBack;
use ledger::{self, Refusal};

/// Payments among what is given of.
pub const KIND: Kind = Kind { name: "payment", log: "recharge refund" };

/// A payment as what is given of.
pub fn thing(id: &PaymentId) -> Thing<'_> {
    Thing { kind: KIND, id: id.as_str() }
}

/// Bank transfers that somebody says were not made after all, among what is given of: nobody but that one has seen the bank.
pub const BACK: Kind = Kind { name: "withdrawal", log: "recharge refund" };

/// What comes back of a payment's refunds as what is given of.
pub fn back(id: &PaymentId) -> Thing<'_> {
    Thing { kind: BACK, id: id.as_str() }
}

/// How long after a provider has accepted a refund it is asked about it again, in ms.
const AGAIN_MS: i64 = 10 * 60_000;

/// Why nothing is sent back, as a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum NotSent {
    #[error("the payment is not paid: there is nothing to send back")]
    NotPaid,
    #[error("no more than {0} of it can be sent back")]
    TooMuch(Fen),
    #[error("everything of it was sent back before")]
    NothingLeft,
    #[error("the member's balance is {0}: money that was spent can't be sent back")]
    Spent(Fen),
    #[error(
        "a refund of this payment under the key {0:?} has another amount: {1}; another refund needs another --key"
    )]
    OtherAmount(String, Fen),
    #[error("it can't be {0}: it is {1} already")]
    Ended(&'static str, RefundState),
    #[error("there is no such refund of this payment")]
    Unknown,
    #[error("the provider sends it by itself; only a bank transfer is marked by hand")]
    ByItself,
    #[error("the provider has it: {0}")]
    Underway(&'static str),
    #[error("{0} is more than one person may send back alone, or it was decided before")]
    NeedsAnother(Fen),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotSent {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<LedgerError> for NotSent {
    fn from(error: LedgerError) -> Self {
        Self::Failed(Error::internal(error))
    }
}

/// Sets money of a payment aside and has it sent back; all that is left where no amount is named. The same key again
/// finds what was asked for before.
pub async fn ask(
    app: &App,
    payment: &PaymentId,
    amount: Option<Fen>,
    key: &str,
    by: By<'_>,
) -> Result<(Refund, bool), NotSent> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    // an order's payments have one limit, so they are held together, always in the same order
    for beside in rows::beside(&mut tx, payment).await? {
        store::lock(&mut tx, &beside).await?;
    }
    let payment = store::lock(&mut tx, payment).await?.ok_or(Error::NotFound)?;
    if let Some(before) = rows::by_key(&mut tx, &payment.id, key).await? {
        return match amount {
            Some(amount) if amount != before.amount => {
                Err(NotSent::OtherAmount(key.to_owned(), before.amount))
            }
            _ => Ok((before, false)),
        };
    }
    if payment.state != PaymentState::Paid {
        return Err(NotSent::NotPaid);
    }
    let sent = rows::sent_of(&mut tx, &payment.id).await?;
    let left = refundable(payment.amount, sent, payment.amount);
    let amount = amount.unwrap_or(left);
    if left == Fen::ZERO {
        return Err(NotSent::NothingLeft);
    }
    if amount <= Fen::ZERO || amount > left {
        return Err(NotSent::TooMuch(left));
    }
    if !approvals::gives(app, &mut tx, by, limited(KIND, &payment), amount, now).await? {
        return Err(NotSent::NeedsAnother(amount));
    }
    let refund = Refund {
        id: new_id(),
        payment: payment.id.clone(),
        amount,
        request_key: key.to_owned(),
        state: RefundState::Pending,
        reason: None,
        created_at: now,
        standing: Standing::default(),
    };
    let freeze = Posting::freeze(posting_key(&refund, "frozen")?, &payment.member, amount)?;
    match ledger::post(&mut tx, &freeze, &format!("退回{} {}", payment.method, payment.id), now).await {
        Ok(_) => {}
        Err(Refusal::InsufficientBalance) => {
            return Err(NotSent::Spent(ledger::balance(&mut tx, &payment.member).await?));
        }
        Err(Refusal::Failed(error)) => return Err(error.into()),
        Err(other) => return Err(Error::internal(other).into()),
    }
    rows::insert(&mut tx, &refund).await?;
    let detail = json!({ "refund": refund.id, "amount": amount });
    audit::note(&mut tx, "recharge refund", payment.id.as_str(), &detail).await?;
    if payment.method != Method::Transfer {
        jobs::enqueue(&mut tx, &SendBack { refund: refund.id.clone() }).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok((refund, true))
}

/// What it counts against that something of a payment is given.
fn limited(kind: Kind, payment: &store::Payment) -> Thing<'_> {
    let order = payment.order.as_ref().map(|order| order.as_str());
    Thing { kind, id: counts_against(payment.id.as_str(), order) }
}

/// Carries out what another one decided; whether it is done now, or was before. It is one transaction with the money's.
pub async fn decide(app: &App, payment: &PaymentId, decision: &Decision) -> Result<bool, NotSent> {
    if decision.is_late() {
        return Ok(false);
    }
    if !decision.grants {
        return Ok(decision.decline(app, KIND).await?);
    }
    let amount = decision.request.amount.map(Fen);
    match ask(app, payment, amount, &decision.key(), decision.right()).await {
        Ok((_, true)) => {}
        Ok((_, false)) | Err(NotSent::NeedsAnother(_)) => return Ok(false),
        Err(other) => return Err(other),
    }
    decision.note_granted(app, KIND).await?;
    Ok(true)
}

/// The operator has sent a bank transfer back by hand, or could not; whether it is noted now, or was before.
///
/// # Errors
/// [`NotSent::NeedsAnother`] where whoever says that it could not be sent may not say so of that much alone.
pub async fn end_by_hand(
    app: &App,
    payment: &PaymentId,
    key: &str,
    end: RefundState,
    by: By<'_>,
) -> Result<(Refund, bool), NotSent> {
    let known = store::find(&app.db, payment).await?;
    if known.method != Method::Transfer {
        // the provider is asked before anything is held: it may take its time
        may_end(app, &known, key, end).await?;
    }
    let mut tx = app.db.begin().await?;
    let payment = store::lock(&mut tx, payment).await?.ok_or(Error::NotFound)?;
    let refund = rows::by_key(&mut tx, &payment.id, key).await?.ok_or(NotSent::Unknown)?;
    if refund.state == end {
        return Ok((refund, false));
    }
    if !refund.state.may_become(end) {
        let word = if end == RefundState::Done { "marked as sent" } else { "withdrawn" };
        return Err(NotSent::Ended(word, refund.state));
    }
    if end == RefundState::Failed && payment.method == Method::Transfer {
        let (amount, limited) = (refund.amount, limited(BACK, &payment));
        if !approvals::gives(app, &mut tx, by, limited, amount, now_ms()).await? {
            return Err(NotSent::NeedsAnother(amount));
        }
    }
    finish(&mut tx, &refund, &payment, end, None, Some("by hand")).await?;
    audit::note(
        &mut tx,
        "recharge refund",
        payment.id.as_str(),
        &json!({ "refund": refund.id, "state": end.code() }),
    )
    .await?;
    tx.commit().await?;
    Ok((Refund { state: end, ..refund }, true))
}

/// What the ids of requests begin with that a refund's money comes back.
fn request_of(refund: &Refund) -> String {
    format!("back-{}-", refund.id)
}

/// Whether a request is about a refund's money.
pub fn is_about(request: &Request, refund: &Refund) -> bool {
    request.id.starts_with(&request_of(refund))
}

/// Asks another one whether a refund was not sent; whether it is asked now, or was before.
pub async fn ask_back(
    app: &App,
    refund: &Refund,
    asked_by: String,
    asked_before: usize,
) -> Result<bool, Error> {
    let request = Request {
        // a declined one may be asked again, and one press is one request
        id: format!("{}{asked_before}", request_of(refund)),
        about: refund.payment.to_string(),
        amount: Some(refund.amount.0),
        reason: "钱没有汇出，退回会员余额".to_owned(),
        asked_by,
        asked_at: now_ms(),
        decided_at: None,
    };
    approvals::ask(app, BACK, &request).await
}

/// Carries out what another one decided of it; whether it is done now, or was before.
pub async fn decide_back(app: &App, payment: &PaymentId, decision: &Decision) -> Result<bool, NotSent> {
    if decision.is_late() {
        return Ok(false);
    }
    if !decision.grants {
        return Ok(decision.decline(app, BACK).await?);
    }
    let refunds = rows::of_payment(&app.db, payment).await?;
    let refund =
        refunds.into_iter().find(|refund| is_about(&decision.request, refund)).ok_or(NotSent::Unknown)?;
    match end_by_hand(app, payment, &refund.request_key, RefundState::Failed, decision.right()).await {
        Ok((_, true)) => {}
        Ok((_, false)) | Err(NotSent::NeedsAnother(_)) => return Ok(false),
        Err(other) => return Err(other),
    }
    decision.note_granted(app, BACK).await?;
    Ok(true)
}

/// Whether a refund through a provider may be withdrawn by hand. What the provider has could still leave: only what it
/// does not know of, or refused, comes back.
async fn may_end(app: &App, payment: &store::Payment, key: &str, end: RefundState) -> Result<(), NotSent> {
    let refunds = rows::of_payment(&app.db, &payment.id).await?;
    let refund = refunds.into_iter().find(|refund| refund.request_key == key).ok_or(NotSent::Unknown)?;
    if refund.state != RefundState::Pending {
        return Ok(());
    }
    if end == RefundState::Done {
        return Err(NotSent::ByItself);
    }
    let ways = super::ways(app)?;
    let provider = ways.provider(payment.method).ok_or_else(|| not_configured(payment))?;
    match provider.refund_standing(&sending(&refund, payment), now_ms()).await {
        Ok(None | Some(Sent::Never(_))) => Ok(()),
        Ok(Some(Sent::Done(_))) => Err(NotSent::Underway("it was sent")),
        Ok(Some(Sent::Processing)) => Err(NotSent::Underway("it is on its way")),
        Err(failure) => Err(Error::internal(failure).into()),
    }
}

/// The job that sends money back. The provider is asked first, so that a second run sends nothing again.
pub async fn send_back(app: &App, id: &PaymentRefundId) -> Result<(), Error> {
    let now = now_ms();
    let refund = rows::find(&app.db, id).await?;
    if refund.state != RefundState::Pending {
        return Ok(());
    }
    let payment = store::find(&app.db, &refund.payment).await?;
    let ways = super::ways(app)?;
    let provider = ways.provider(payment.method).ok_or_else(|| not_configured(&payment))?;
    let sending = sending(&refund, &payment);
    let answer = match provider.refund_standing(&sending, now).await {
        Ok(None) => provider.refund(&sending, now).await,
        Ok(Some(sent)) => Ok(sent),
        Err(failure) => Err(failure),
    };
    let mut tx = app.db.begin().await?;
    store::lock(&mut tx, &payment.id).await?;
    let trouble = answer.as_ref().err().map(Failure::sentence);
    let troubles = rows::asked(&mut tx, id, trouble.as_deref(), now).await?;
    let sent = match answer {
        Ok(sent) => sent,
        Err(failure) => {
            if troubles == HANGS_AFTER_TROUBLES {
                // told once; one that ends as failed afterwards is told again
                tell(&mut tx, &payment.id, &format!("{id}:hangs")).await?;
            }
            tx.commit().await?;
            app.bell.ring();
            // the job is tried again
            return Err(Error::internal(format!("refund {id}: {failure}")));
        }
    };
    match sent {
        Sent::Processing => {
            jobs::enqueue_at(&mut tx, &SendBack { refund: id.clone() }, now + AGAIN_MS).await?;
        }
        Sent::Done(number) => {
            finish(&mut tx, &refund, &payment, RefundState::Done, Some(&number), None).await?;
        }
        Sent::Never(reason) => {
            tracing::error!(refund = %id, payment = %payment.id, reason, "Money could not be sent back");
            finish(&mut tx, &refund, &payment, RefundState::Failed, None, Some(&reason)).await?;
            tell(&mut tx, &payment.id, id.as_str()).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// Tells whoever hears of it that money did not go back.
async fn tell(tx: &mut Tx, payment: &PaymentId, about: &str) -> Result<(), Error> {
    let page = format!("/staff/payments/{payment}");
    let notice = Notice { kind: notices::Kind::RefundFailed, about, subject: payment.as_str(), page: &page };
    notices::tell(tx, notice).await.map(drop)
}

/// Has the provider asked now about a refund that it has not sent; false where it ended before.
pub async fn ask_again(app: &App, payment: &PaymentId, key: &str) -> Result<bool, NotSent> {
    let mut tx = app.db.begin().await?;
    let payment = store::lock(&mut tx, payment).await?.ok_or(Error::NotFound)?;
    let refund = rows::by_key(&mut tx, &payment.id, key).await?.ok_or(NotSent::Unknown)?;
    if payment.method == Method::Transfer {
        return Err(NotSent::Unknown);
    }
    if refund.state != RefundState::Pending {
        return Ok(false);
    }
    jobs::at_once(&mut tx, &SendBack { refund: refund.id.clone() }).await?;
    audit::note(
        &mut tx,
        "recharge refund",
        payment.id.as_str(),
        &json!({ "refund": refund.id, "asked": "again" }),
    )
    .await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(true)
}

/// Ends a refund once: what was set aside leaves, or comes back. Another run finds nothing to do.
async fn finish(
    tx: &mut Tx,
    refund: &Refund,
    payment: &store::Payment,
    end: RefundState,
    number: Option<&str>,
    reason: Option<&str>,
) -> Result<(), Error> {
    let now = now_ms();
    if !rows::end(tx, &refund.id, end, number, reason, now).await? {
        return Ok(());
    }
    approvals::gives_nothing(
        "somebody was asked when the money was set aside, and it goes on or back where it was",
    );
    let frozen = Account::Frozen(payment.member.clone());
    let posting = match end {
        RefundState::Failed => {
            Posting::unfreeze(posting_key(refund, "back")?, &payment.member, refund.amount)
        }
        _ => Posting::transfer(posting_key(refund, "sent")?, frozen, Account::Clearing, refund.amount),
    };
    let memo = format!("{}{} {}", end.name(), payment.method, payment.id);
    match ledger::post(tx, &posting.map_err(Error::internal)?, &memo, now).await {
        Ok(_) => Ok(()),
        Err(Refusal::Failed(error)) => Err(error),
        Err(other) => Err(Error::internal(other)),
    }
}

fn not_configured(payment: &store::Payment) -> Error {
    Error::internal(format!("{} is not configured here", payment.method.code()))
}

fn sending<'a>(refund: &'a Refund, payment: &'a store::Payment) -> Sending<'a> {
    Sending { id: &refund.id, payment: &payment.id, amount: refund.amount, paid: payment.amount }
}

fn posting_key(refund: &Refund, what: &str) -> Result<domain::ledger::PostingKey, Error> {
    format!("payment-refund:{}:{what}", refund.id).parse().map_err(Error::internal)
}
