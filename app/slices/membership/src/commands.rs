//! What the host asks of memberships.

use std::path::PathBuf;

use clap::Subcommand;
use domain::contact::Contact;
use serde_json::json;

use super::{prices, terms};
use platform::app::App;
use platform::audit;
use platform::db::now_ms;
use platform::error::Failure;

/// Commands about memberships.
#[derive(Subcommand)]
pub enum Command {
    /// Write all price books into a folder as TOML files, which `import` takes.
    Export { folder: PathBuf },
    /// Take a price book from a TOML file. It counts from its `valid_from` on, today or later; what members have confirmed
    /// keeps its price.
    Import {
        file: PathBuf,
        /// Only say whether it is new.
        #[arg(long)]
        dry_run: bool,
    },
    /// End what a member bought, and give what was paid for the days to come back to its balance.
    Refund {
        /// The member's account.
        account: String,
        /// Told to the member.
        #[arg(long)]
        reason: String,
    },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::Export { folder } => {
            for file in prices::export(app, &folder).await? {
                println!("{}", file.display());
            }
        }
        Command::Import { file, dry_run } => {
            match (prices::import(app, &file, dry_run, now_ms()).await?, dry_run) {
                (false, _) => println!("Nothing changed: these prices were there before."),
                (true, true) => println!("These prices would be taken. Nothing was written."),
                (true, false) => println!("Took the prices."),
            }
        }
        Command::Refund { account, reason } => refund(app, &account, &reason).await?,
    }
    Ok(())
}

async fn refund(app: &App, account: &str, reason: &str) -> Result<(), Failure> {
    let contact = Contact::read(account).ok_or_else(|| format!("{account} is no account"))?;
    let member = accounts::member_of(app, contact.as_str()).await?;
    let member = member.ok_or_else(|| format!("there is no member {account}"))?;
    let mut tx = app.db.begin().await?;
    let sum = terms::refund(app, &mut tx, &member, reason, now_ms()).await?;
    let detail = json!({ "amount": sum, "reason": reason });
    audit::note(&mut tx, "membership refund", member.as_str(), &detail).await?;
    tx.commit().await?;
    app.bell.ring();
    println!("Ended the membership of {account}; ¥{sum} are in its balance.");
    Ok(())
}
