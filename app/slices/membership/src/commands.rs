//! What the host asks of members and memberships.

use std::path::PathBuf;

use base::audit;
use base::db::now_ms;
use base::error::Failure;
use clap::Subcommand;
use domain::contact::Contact;
use domain::money::Fen;
use domain::tier::Tier;
use serde_json::json;
use web::app::App;

use super::{prices, terms};

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

/// Commands about members.
#[derive(Subcommand)]
pub enum MemberCommand {
    /// Make an account.
    Add {
        /// A mobile number or an e-mail address.
        #[arg(long)]
        account: String,
        /// 8 to 128 characters.
        #[arg(long)]
        password: String,
        /// 普通会员, VIP, 超级会员 or 企业高级版.
        #[arg(long, default_value = "普通会员")]
        tier: Tier,
        /// A balance to begin with, in yuan.
        #[arg(long, default_value = "0")]
        balance: Fen,
    },
    /// Switch a member's second factor off and remove its passkeys: for one who has lost the device and the recovery codes,
    /// and has proved to you who it is.
    SecondFactorOff {
        #[arg(long)]
        account: String,
        /// How it proved that, for the audit log.
        #[arg(long)]
        reason: String,
    },
}

/// Runs one about members.
pub async fn member(app: &App, command: MemberCommand) -> Result<(), Failure> {
    match command {
        MemberCommand::Add { account, password, tier, balance } => {
            if balance.is_negative() {
                return Err("a balance can't begin below zero".into());
            }
            let member = accounts::add_member(app, &account, &password, tier).await?;
            if balance > Fen::ZERO {
                ledger::grant(&app.db, &member, balance, &format!("opening:{member}"), now_ms()).await?;
            }
            println!("Added {account} ({tier}, balance {balance}).");
        }
        MemberCommand::SecondFactorOff { account, reason } => {
            if !accounts::reset_second_factor(app, &account, &reason).await? {
                return Err(format!("{account} has no second factor and no passkeys").into());
            }
            println!("Switched the second factor of {account} off and removed its passkeys.");
        }
    }
    Ok(())
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
