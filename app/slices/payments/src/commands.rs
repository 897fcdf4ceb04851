//! What the operator does with payments from outside. Every command may be given again: it says what was done before.

use std::path::PathBuf;

use base::error::Error;
use base::time;
use clap::{Args, Subcommand};
use domain::ids::PaymentId;
use domain::money::Fen;
use domain::payment::{Method, PaymentState, RefundState};
use web::app::App;
use web::approvals::By;

use super::operate::{self, is_key};
use super::refund;
use super::settle::{Settled, Unsettled};
use super::statements;
use super::store;
use super::store::refunds::{self as rows, Refund};

/// Commands about payments from outside.
#[derive(Subcommand)]
pub enum Command {
    /// Print payments, the oldest first, with what was sent back of them.
    List {
        /// Only these: pending, paid or closed.
        #[arg(long)]
        state: Option<PaymentState>,
    },
    /// A bank transfer arrived: credits it to the member.
    Confirm {
        /// What the payer wrote on the transfer.
        reference: String,
        /// What arrived, in yuan; it must be what the member was told to pay.
        #[arg(long)]
        amount: Fen,
        /// The bank's own number of the transfer; no two payments have the same.
        #[arg(long)]
        number: Option<String>,
    },
    /// Send money of a payment back to where it came from, out of the member's balance.
    Refund(RefundArguments),
    /// Hold a provider's statement against what is known here and print what differs; nothing is kept. It fails where
    /// something does.
    Reconcile {
        /// WeChat Pay's trade bill, or Alipay's 业务明细 or 账务明细, as it was fetched.
        file: PathBuf,
        /// The day that it is of, 2026-11-20, where it does not say so itself.
        #[arg(long)]
        day: Option<String>,
    },
}

/// What is sent back.
#[derive(Args)]
pub struct RefundArguments {
    /// The payment.
    id: PaymentId,
    /// In yuan; all that is left where it is not given.
    #[arg(long)]
    amount: Option<Fen>,
    /// What this refund is called: the same one twice sends once. By default the amount.
    #[arg(long)]
    key: Option<String>,
    /// The bank transfer that brings it back has been made.
    #[arg(long, conflicts_with = "withdraw")]
    sent: bool,
    /// It can't be sent: the money returns to the balance.
    #[arg(long)]
    withdraw: bool,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { state } => list(app, state).await,
        Command::Confirm { reference, amount, number } => confirm(app, &reference, amount, number).await,
        Command::Refund(arguments) => send_back(app, arguments).await,
        Command::Reconcile { file, day } => statements::command::reconcile(app, &file, day.as_deref()).await,
    }
}

async fn list(app: &App, state: Option<PaymentState>) -> Result<(), Failure> {
    let payments = store::all(&app.db, state).await?;
    if payments.is_empty() {
        println!("There are no such payments.");
    }
    for (payment, account) in payments {
        let number = payment.reference.as_ref().or(payment.provider_number.as_ref());
        let purpose = match (&payment.order, &payment.bill) {
            (Some(id), _) => format!("order {id}"),
            (None, Some(bill)) => format!("{} {}", bill.kind, bill.id),
            (None, None) => "recharge".to_owned(),
        };
        println!(
            "{} {} {} {} {} {} by {account} for {purpose}",
            payment.id,
            time::stamp(payment.created_at),
            payment.state.code(),
            payment.method.code(),
            payment.amount,
            number.map_or("-", String::as_str),
        );
        for refund in rows::of_payment(&app.db, &payment.id).await? {
            let reason = refund.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            println!(
                "  sent back: {} {} {} key {}{reason}",
                time::stamp(refund.created_at),
                refund.state.code(),
                refund.amount,
                refund.request_key,
            );
        }
    }
    Ok(())
}

async fn confirm(app: &App, reference: &str, amount: Fen, number: Option<String>) -> Result<(), Failure> {
    let reference = operate::reference_in(reference);
    let payment = store::find_by_reference(&app.db, &reference).await.map_err(|error| match error {
        Error::NotFound => Failure::from(format!("no payment has the reference {reference}")),
        other => other.into(),
    })?;
    let settled = operate::confirm(app, &payment, amount, number.as_deref(), By::OwnRight).await;
    match settled.map_err(|unsettled| explained(unsettled, payment.amount))? {
        Settled::Before => println!("{reference} was confirmed before; nothing moved."),
        Settled::Now => println!("{reference}: {amount} is credited."),
    }
    Ok(())
}

fn explained(unsettled: Unsettled, asked: Fen) -> Failure {
    match unsettled {
        Unsettled::OtherAmount => format!("the member was told to pay {asked}; nothing was credited").into(),
        Unsettled::OtherNumber => "it was confirmed before under another bank number".into(),
        Unsettled::NumberTaken => "another payment was confirmed with this bank number".into(),
        other => other.into(),
    }
}

async fn send_back(app: &App, arguments: RefundArguments) -> Result<(), Failure> {
    let RefundArguments { id, amount, key, sent, withdraw } = arguments;
    let key = key.unwrap_or_else(|| amount.map_or_else(|| "all".to_owned(), |amount| amount.to_string()));
    if !is_key(&key) {
        return Err("--key takes 1 to 64 bytes".into());
    }
    let unknown = |failure: refund::NotSent| match failure {
        refund::NotSent::Failed(Error::NotFound) => Failure::from(format!("there is no payment {id}")),
        other => other.into(),
    };
    if sent || withdraw {
        let end = if sent { RefundState::Done } else { RefundState::Failed };
        let (refund, _) = refund::end_by_hand(app, &id, &key, end, By::OwnRight).await.map_err(unknown)?;
        println!("{} {} {}.", refund.id, refund.amount, outcome(&refund));
        return Ok(());
    }
    let (refund, new) = refund::ask(app, &id, amount, &key, By::OwnRight).await.map_err(unknown)?;
    let method = store::find(&app.db, &id).await?.method;
    let before = if new { "" } else { " It was asked for before; nothing moved." };
    println!("{} {} {}.{before}", refund.id, refund.amount, outcome(&refund));
    if refund.state == RefundState::Pending && method == Method::Transfer {
        println!("Make the bank transfer, then give the same command with --sent.");
    }
    Ok(())
}

fn outcome(refund: &Refund) -> &'static str {
    match refund.state {
        RefundState::Pending => "is set aside and on its way",
        RefundState::Done => "was sent back",
        RefundState::Failed => "could not be sent and is in the balance",
    }
}
