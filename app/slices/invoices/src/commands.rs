//! What the operator does with invoices. Every command may be given again: it says what was done before.

use std::io::Read;
use std::path::{Path, PathBuf};

use base::error::Failure;
use base::time;
use clap::Subcommand;
use domain::ids::InvoiceId;
use domain::invoice::InvoiceState;
use domain::money::Fen;
use web::app::App;

use super::fields::{self, MOST_REASON};
use super::operate::{self, Done, Issue, Refused};
use super::store::{self, Invoice};

/// Bytes that are read of a file; more than an invoice may have, so that too large a one is named so.
const MOST_READ: u64 = 64 * 1024 * 1024;
/// Rows that are read at once.
const ROWS: i64 = 500;

/// Commands about invoices.
#[derive(Subcommand)]
pub enum Command {
    /// Print invoices, oldest first. 需红冲 marks those of which money was given back since.
    List {
        /// requested, issued, cancelled, rejected or voided.
        #[arg(long)]
        state: Option<InvoiceState>,
    },
    /// Attach an invoice's PDF; the member is told and can download it.
    Issue {
        id: InvoiceId,
        /// At most 10 MB.
        file: PathBuf,
        /// The number printed on it 发票号码.
        #[arg(long, value_parser = number)]
        number: Option<String>,
        /// The amount printed on it, in yuan; refused when the invoice is of another one.
        #[arg(long)]
        amount: Option<Fen>,
        /// Put this file in the place of one that was issued.
        #[arg(long)]
        replace: bool,
    },
    /// Refuse a request; the member reads why and may ask again.
    Reject {
        id: InvoiceId,
        #[arg(long, value_parser = reason)]
        reason: String,
    },
    /// Note that a red invoice took an issued one back; the member may ask for another.
    Void {
        id: InvoiceId,
        #[arg(long, value_parser = reason)]
        reason: String,
    },
}

fn number(text: &str) -> Result<String, String> {
    fields::number(text).ok_or_else(|| "a number has 1 to 20 digits".to_owned())
}

fn reason(text: &str) -> Result<String, String> {
    let reason = fields::reason(text);
    reason.ok_or_else(|| format!("a reason is one line of 1 to {MOST_REASON} characters"))
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { state } => list(app, state).await?,
        Command::Issue { id, file, number, amount, replace } => {
            let pdf = read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            match operate::issue(app, &id, Issue { pdf, number, amount, replace }).await? {
                Done::Changed => println!("Issued {id}."),
                Done::Already => println!("{id} was issued with this file before."),
            }
        }
        Command::Reject { id, reason } => {
            said(operate::reject(app, &id, &reason).await, &id, "Rejected", "rejected")?;
        }
        Command::Void { id, reason } => {
            said(operate::void(app, &id, &reason).await, &id, "Voided", "voided")?;
        }
    }
    Ok(())
}

fn said(done: Result<Done, Refused>, id: &InvoiceId, did: &str, was: &str) -> Result<(), Refused> {
    match done? {
        Done::Changed => println!("{did} {id}."),
        Done::Already => println!("{id} was {was} before."),
    }
    Ok(())
}

fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(MOST_READ).read_to_end(&mut bytes)?;
    Ok(bytes)
}

async fn list(app: &App, state: Option<InvoiceState>) -> Result<(), base::error::Error> {
    let mut after = None;
    loop {
        let invoices = store::all(&app.db, state, after.as_ref(), ROWS).await?;
        for invoice in &invoices {
            println!("{}", line(invoice));
        }
        match invoices.last() {
            Some(last) => after = Some(last.id.clone()),
            None if after.is_none() => {
                println!("There is no such invoice.");
                return Ok(());
            }
            None => return Ok(()),
        }
    }
}

/// One invoice on one line, for people and for `grep`.
fn line(invoice: &Invoice) -> String {
    let mut parts = vec![
        invoice.id.to_string(),
        time::stamp(invoice.requested_at),
        invoice.state.name().to_owned(),
        format!("¥{}", invoice.amount),
        format!("{} {}", invoice.of.field(), invoice.of.id()),
        format!("{} {}", invoice.title.kind(), invoice.title.name()),
    ];
    parts.extend(invoice.title.code().map(ToString::to_string));
    parts.extend(invoice.email.clone());
    parts.extend(invoice.number.as_ref().map(|number| format!("no. {number}")));
    if invoice.needs_correction() {
        parts.push(format!("需红冲: the {} now amounts to ¥{}", invoice.of.field(), invoice.rest));
    }
    parts.extend(invoice.reason.as_ref().map(|reason| format!("({reason})")));
    parts.join("  ")
}
