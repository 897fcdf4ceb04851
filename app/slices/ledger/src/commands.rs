//! What the host asks of the books.

use base::audit;
use base::db::{Tx, now_ms, with_tx};
use base::error::Failure;
use base::time;
use clap::Subcommand;
use domain::ledger::{Account, Entry, Posting};
use domain::money::Fen;
use serde_json::json;
use web::app::App;

use super::{Posted, Refusal, check, entries, post};

/// Commands about the ledger.
#[derive(Subcommand)]
pub enum Command {
    /// Compute everything again from the journal, and hold orders against it; fails when the books don't hold.
    Check,
    /// Print an account's entries, the newest first: `member:ID`, `frozen:ID`, `allowance:ID`, `unearned:ID`, `income:ID`,
    /// fees, memberships, gift-cards, revenue, shipping, clearing, refunds or opening.
    List {
        account: Account,
        #[arg(long, default_value_t = 50)]
        most: i64,
    },
    /// Undo a balance that was granted by mistake, by a posting the other way. What belongs to an order or to a payment
    /// is given back with it (`bindery order refund`, `bindery recharge refund`).
    Reverse {
        /// The posting's key, such as `opening:…`; `list` prints it.
        key: String,
        #[arg(long)]
        reason: String,
    },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::Check => {
            let report = check::check(app).await?;
            for fault in &report.faults {
                println!("{fault}");
            }
            if !report.faults.is_empty() {
                return Err(format!("the books don't hold: {} faults", report.faults.len()).into());
            }
            println!("The books hold: {} transactions, {} accounts.", report.transactions, report.accounts);
        }
        Command::List { account, most } => {
            for entry in entries(&app.db, &account, most).await? {
                let (at, amount, after) =
                    (time::stamp(entry.created_at), Fen(entry.amount), Fen(entry.balance_after));
                println!("{at} {amount:>12} {after:>12}  {} {}", entry.posting_key, entry.memo);
            }
        }
        Command::Reverse { key, reason } => match reverse(app, &key, &reason).await? {
            Posted::Now => println!("{key} is reversed."),
            Posted::Before => println!("{key} was reversed before."),
        },
    }
    Ok(())
}

async fn reverse(app: &App, key: &str, reason: &str) -> Result<Posted, Failure> {
    if !key.starts_with("opening:") {
        return Err(format!("{key} is no granted balance; its order or payment is given back instead").into());
    }
    let mut tx = app.db.begin().await?;
    let entries = posted(&mut tx, key).await?;
    if entries.is_empty() {
        return Err(format!("there is no posting {key}").into());
    }
    let posting = Posting::new(key.parse()?, entries)?.reversal(format!("reversal:{key}").parse()?)?;
    let done = match post(&mut tx, &posting, &format!("冲正 {key}：{reason}"), now_ms()).await {
        Ok(done) => done,
        Err(Refusal::InsufficientBalance) => return Err("the member has spent it".into()),
        Err(refusal) => return Err(refusal.into()),
    };
    if done == Posted::Now {
        audit::note(&mut tx, "ledger reverse", key, &json!({ "reason": reason })).await?;
    }
    tx.commit().await?;
    Ok(done)
}

/// The entries that were posted under a key.
async fn posted(tx: &mut Tx, key: &str) -> Result<Vec<Entry>, Failure> {
    let rows: Vec<(String, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select e.account_id, e.amount from ledger_entries e
         join ledger_transactions t on t.id = e.transaction_id where t.posting_key = $1 order by e.position",
    )
    .bind(key)
    .fetch_all(conn)
    .await)?;
    let entry =
        |(account, amount): (String, i64)| Ok(Entry { account: account.parse()?, amount: Fen(amount) });
    rows.into_iter().map(entry).collect()
}
