//! Sending a seller's income to its bank. The operator makes the transfer and notes it here, under the bank's number.

use base::audit;
use base::error::Error;
use domain::contact::Contact;
use domain::ids::MemberId;
use domain::ledger::Posting;
use domain::money::Fen;
use serde_json::json;
use web::app::App;

use super::store::payouts as store;
use ledger::{self, Refusal};

/// Whether it was noted now or before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    Now,
    Before,
}

/// Why a payout is not noted.
#[derive(Debug, thiserror::Error)]
pub enum NotSent {
    #[error("there is no member {0}")]
    Unknown(String),
    #[error("an amount above zero, please")]
    NotPositive,
    #[error("the seller's income is less than that")]
    TooMuch,
    #[error("another payout was noted under this number")]
    NumberTaken,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotSent {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Notes that an amount was sent to a seller's bank, named by its account or its id.
pub async fn send(app: &App, seller: &str, amount: Fen, number: &str, now: i64) -> Result<Done, NotSent> {
    if amount <= Fen::ZERO {
        return Err(NotSent::NotPositive);
    }
    let seller: MemberId = match Contact::read(seller) {
        Some(contact) => accounts::member_of(app, contact.as_str()).await?,
        None => seller.parse().ok(),
    }
    .ok_or_else(|| NotSent::Unknown(seller.to_owned()))?;
    let mut tx = app.db.begin().await?;
    let Some(id) = store::insert(&mut tx, &seller, amount, number, now).await? else {
        let before = store::by_number(&mut tx, number).await?;
        let same = before == Some((seller.to_string(), amount));
        return if same { Ok(Done::Before) } else { Err(NotSent::NumberTaken) };
    };
    let key = format!("payout:{id}").parse().map_err(Error::internal)?;
    let posting = Posting::payout(key, &seller, amount).map_err(Error::internal)?;
    match ledger::post(&mut tx, &posting, &format!("结算 {number}"), now).await {
        Ok(_) => {}
        Err(Refusal::InsufficientBalance) => return Err(NotSent::TooMuch),
        Err(Refusal::Failed(error)) => return Err(error.into()),
        Err(refusal) => return Err(Error::internal(refusal).into()),
    }
    audit::note(&mut tx, "payout send", seller.as_str(), &json!({ "amount": amount, "number": number }))
        .await?;
    let text = format!("【书坊】您的销售收入 ¥{} 已汇出，银行流水号 {number}。", amount.grouped());
    accounts::tell_member(app, &mut tx, &seller, "书坊销售收入已汇出", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Done::Now)
}
