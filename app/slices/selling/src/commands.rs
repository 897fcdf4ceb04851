//! What the host asks of selling.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use base::audit;
use base::db::{new_id, now_ms};
use base::error::{Error, Failure};
use clap::Subcommand;
use domain::days::{DAY_MS, day_start};
use domain::ids::{BatchId, MemberId, PackageId};
use domain::ledger::Account;
use domain::money::Fen;
use domain::redeem_code::{MOST_OF_BATCH, MOST_OPEN, NotChanged};
use serde_json::json;
use web::app::App;

use super::batch_file::part;
use super::codes::{self, AT_ONCE, Made, Wanted};
use super::payouts::{self, Done};
use super::store::{batches, packages, payouts as sellers};

/// Commands about packages.
#[derive(Subcommand)]
pub enum PackageCommand {
    /// Print what members sell for a term.
    List {
        /// As JSON, for scripts.
        #[arg(long)]
        json: bool,
    },
}

/// Commands about redeem codes.
#[derive(Subcommand)]
pub enum CodeCommand {
    /// Make codes that can be redeemed at once, into a new CSV file whose column `code` has them.
    Make {
        package: PackageId,
        /// 1 to 100,000.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_OF_BATCH)))]
        count: u32,
        /// The file; there must be none yet.
        #[arg(long)]
        csv: PathBuf,
        /// The last day on which they can be redeemed, such as 2027-12-31.
        #[arg(long, value_parser = last_day)]
        until: Option<i64>,
        /// What they are for, as the seller reads it.
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Void the codes of a batch that nobody has redeemed.
    Void { batch: BatchId },
}

/// Commands about what sellers have earned.
#[derive(Subcommand)]
pub enum PayoutCommand {
    /// Print what sellers have earned and were not paid yet.
    List {
        /// As JSON, for scripts.
        #[arg(long)]
        json: bool,
    },
    /// Note that you sent an amount to a seller's bank; the same number again changes nothing.
    Send {
        /// The seller's account or id.
        seller: String,
        #[arg(long)]
        amount: Fen,
        /// The bank's number of the transfer.
        #[arg(long, value_parser = number)]
        number: String,
    },
}

fn last_day(text: &str) -> Result<i64, String> {
    day_start(text).map(|day| day + DAY_MS).ok_or_else(|| "a day is written like 2027-12-31".to_owned())
}

fn number(text: &str) -> Result<String, String> {
    let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if fits { Ok(text.to_owned()) } else { Err("a number has 1 to 64 letters, digits and signs".to_owned()) }
}

/// Runs one about packages.
pub async fn package(app: &App, command: PackageCommand) -> Result<(), Failure> {
    let PackageCommand::List { json } = command;
    let packages = packages::all(&app.db).await?;
    if json {
        let rows: Vec<_> = packages
            .iter()
            .map(|(package, account)| {
                json!({ "id": package.id, "title": package.title, "price": package.price, "seller": account })
            })
            .collect();
        println!("{}", serde_json::to_string(&rows)?);
        return Ok(());
    }
    if packages.is_empty() {
        println!("There are no packages.");
    }
    let now = now_ms();
    for (package, account) in packages {
        let sold = if package.is_on_sale(now) { "on sale" } else { "not on sale" };
        println!(
            "{} {} ¥{} {} ({sold}) by {account}",
            package.id, package.title, package.price, package.term
        );
    }
    Ok(())
}

/// Runs one about codes.
pub async fn code(app: &App, command: CodeCommand) -> Result<(), Failure> {
    match command {
        CodeCommand::Make { package, count, csv, until, note } => {
            make(app, package, count, &csv, until, note).await
        }
        CodeCommand::Void { batch } => void(app, &batch).await,
    }
}

async fn make(
    app: &App,
    package: PackageId,
    count: u32,
    csv: &Path,
    until: Option<i64>,
    note: String,
) -> Result<(), Failure> {
    let now = now_ms();
    if until.is_some_and(|until| until <= now) {
        return Err("that day is over".into());
    }
    let seller = match packages::find(&app.db, &package).await {
        Ok(package) => package.seller,
        Err(Error::NotFound) => return Err(format!("there is no package {package}").into()),
        Err(error) => return Err(error.into()),
    };
    // before anything is made: codes that nobody can write down are lost
    let file = OpenOptions::new().write(true).create_new(true).open(csv);
    let file = file.map_err(|error| format!("{}: {error}", csv.display()))?;
    let id: BatchId = new_id();
    let wanted = Wanted { id: id.clone(), package, note, codes: count, active: true, expires_at: until };
    let mut tx = app.db.begin().await?;
    if codes::make_within(app, &mut tx, &seller, wanted, now).await? == Made::TooMany {
        return Err(format!("this seller would have more than {MOST_OPEN} open codes").into());
    }
    batches::note_download(&mut tx, &id, "运营", "bindery code make", now).await?;
    audit::note(&mut tx, "code make", id.as_str(), &json!({ "codes": count, "seller": seller })).await?;
    tx.commit().await?;
    codes::write_rest(app, &id).await?;
    write(app, &id, file).await.map_err(|error| format!("{}: {error}", csv.display()))?;
    println!("Made {count} codes, batch {id}, in {}.", csv.display());
    Ok(())
}

async fn write(app: &App, id: &BatchId, file: File) -> Result<(), Failure> {
    let batch = batches::find(&app.db, id).await?;
    let salt = batch.salt.clone().ok_or("the codes are forgotten already")?;
    let mut file = BufWriter::new(file);
    let mut done = 0;
    while let Some(text) = part(&app.key, &salt, &batch, done) {
        file.write_all(text.as_bytes())?;
        done += AT_ONCE;
    }
    file.into_inner().map_err(|error| error.to_string())?.sync_all()?;
    Ok(())
}

async fn void(app: &App, id: &BatchId) -> Result<(), Failure> {
    let mut tx = app.db.begin().await?;
    let mut batch = match batches::lock(&mut tx, id).await {
        Ok(batch) => batch,
        Err(Error::NotFound) => return Err(format!("there is no batch {id}").into()),
        Err(error) => return Err(error.into()),
    };
    let rest = batch.codes - batch.redeemed;
    match batch.times.void(now_ms()) {
        Err(NotChanged::Void) => {
            println!("Batch {id} was voided before.");
            return Ok(());
        }
        Err(reason) => return Err(reason.into()),
        Ok(()) => {}
    }
    batches::set_times(&mut tx, id, &batch.times).await?;
    audit::note(&mut tx, "code void", id.as_str(), &json!({ "codes": rest })).await?;
    tx.commit().await?;
    println!("Voided {rest} codes of batch {id}; {} were redeemed before.", batch.redeemed);
    Ok(())
}

/// Runs one about payouts.
pub async fn payout(app: &App, command: PayoutCommand) -> Result<(), Failure> {
    match command {
        PayoutCommand::List { json } => list(app, json).await,
        PayoutCommand::Send { seller, amount, number } => {
            match payouts::send(app, &seller, amount, &number, now_ms()).await? {
                Done::Now => println!("Noted that ¥{amount} were sent to {seller} ({number})."),
                Done::Before => println!("{number} was noted before; nothing moved."),
            }
            Ok(())
        }
    }
}

async fn list(app: &App, json: bool) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for seller in sellers::sellers(&app.db).await? {
        let id: MemberId = seller.id.parse()?;
        let mut tx = app.db.begin_snapshot().await?;
        let income = super::income(&mut tx, &id).await?;
        let unearned = ledger::balance_of(&mut tx, &Account::Unearned(id)).await?;
        rows.push((seller, income, unearned));
    }
    if json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(seller, income, unearned)| {
                json!({ "seller": seller.account, "id": seller.id, "income": income, "unearned": unearned,
                        "paid_out": Fen(seller.paid_out) })
            })
            .collect();
        println!("{}", serde_json::to_string(&rows)?);
        return Ok(());
    }
    if rows.is_empty() {
        println!("Nobody has sold anything.");
    }
    for (seller, income, unearned) in rows {
        let paid_out = Fen(seller.paid_out);
        println!(
            "{} ({}): ¥{income} to be paid out, ¥{unearned} not earned yet, ¥{paid_out} paid out",
            seller.account, seller.id
        );
    }
    Ok(())
}
