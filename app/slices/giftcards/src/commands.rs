//! What the host does about gift cards.

use base::db::now_ms;
use base::error::{Error, Failure};
use base::time;
use clap::Subcommand;
use domain::gift_card::{Stored, is_over};
use domain::ids::GiftCardId;
use domain::ledger::Account;
use web::app::App;

use crate::cards;
use crate::store::uses;
use crate::store::{self, Card};

/// Cards that are printed at once.
const AT_ONCE: i64 = 200;

/// Commands about gift cards.
#[derive(Subcommand)]
pub enum Command {
    /// Print the newest gift cards, with what is left on each and what is owed for all.
    List,
    /// Print a gift card with all that it paid.
    Show { card: GiftCardId },
    /// Give all of a card that nobody has used back to its buyer's balance; its code is void.
    Refund {
        card: GiftCardId,
        /// Why; its buyer reads it.
        #[arg(long)]
        reason: String,
    },
    /// Make a card good again whose time is over, for a year.
    Activate { card: GiftCardId },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::List => list(app).await,
        Command::Show { card } => show(app, &known(app, &card).await?).await,
        Command::Refund { card, reason } => {
            known(app, &card).await?;
            let done = cards::refund(app, &card, &reason, now_ms()).await.map_err(said)?;
            println!("{card} {}", if done { "is given back." } else { "was given back before." });
            Ok(())
        }
        Command::Activate { card } => {
            known(app, &card).await?;
            let done = cards::activate(app, &card, now_ms()).await.map_err(said)?;
            println!("{card} {}", if done { "is good for a year." } else { "is good." });
            Ok(())
        }
    }
}

/// A refusal is the sentence that the back office shows.
fn said(error: Error) -> Failure {
    match error {
        Error::Conflict(reason) => reason.into(),
        error => error.into(),
    }
}

/// One that was paid for.
async fn known(app: &App, id: &GiftCardId) -> Result<Card, Failure> {
    match store::find(&app.db, id).await {
        Ok(card) if card.state != Stored::Unpaid => Ok(card),
        Ok(_) | Err(Error::NotFound) => Err(format!("there is no gift card {id}").into()),
        Err(error) => Err(error.into()),
    }
}

async fn list(app: &App) -> Result<(), Failure> {
    let cards = store::newest(&app.db, "", None, AT_ONCE).await?;
    for card in &cards {
        println!("{}", line(card));
    }
    let owed = ledger::balance_of(&mut app.db.begin_snapshot().await?, &Account::GiftCards).await?;
    println!("¥{} is owed for what is left on cards.", owed.grouped());
    Ok(())
}

fn line(card: &Card) -> String {
    let state = match card.state {
        Stored::Unpaid => "not paid",
        Stored::Open if is_over(card.expires_at, now_ms()) => "over",
        Stored::Open => "not used",
        Stored::Held => "somebody's",
        Stored::Redeemed => "in a balance",
        Stored::Refunded => "given back",
    };
    let (amount, rest) = (card.amount.grouped(), card.rest().grouped());
    format!("{} ¥{amount} ({state}) ¥{rest} left, bought by {}", card.id, card.buyer)
}

async fn show(app: &App, card: &Card) -> Result<(), Failure> {
    println!("{}", line(card));
    if let Some(holder) = &card.holder {
        println!("Its holder is {holder}.");
    }
    for step in uses::moves(&mut app.db.begin_snapshot().await?, &card.id).await? {
        let order = step.order.map(|order| format!(", order {order}")).unwrap_or_default();
        println!("{} {} ¥{}{order}", time::stamp(step.at), step.kind.code(), step.amount.grouped());
    }
    Ok(())
}
