//! Statements of providers 对账单: a file is read, kept, and held line by line against what is known here; what differs waits
//! for a clerk.
//!
//! Not here: what a statement's lines mean and when they differ (domain).

pub mod command;
pub mod file;
pub mod matching;
pub mod store;
pub mod work;

use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::jobs;
use base::storage::original_key;
use domain::statement::{Problem, Totals};
use domain::typed;
use serde_json::json;
use tempfile::NamedTempFile;
use web::app::App;
use web::files;

use store::Statement;
use work::MatchStatement;

/// Bytes that a file may have: a hundred thousand lines have some 35 MB.
pub const MOST_BYTES: u64 = 100 << 20;
/// Characters of a note.
pub const LONGEST_NOTE: usize = 500;

/// Why a file was not taken.
#[derive(Debug)]
pub enum Refused {
    NoBill(Problem),
    /// The same file, or another one of such days, was taken before.
    Before(Statement),
    Failed(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<sqlx::Error> for Refused {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// A file as it came.
#[derive(Debug)]
pub struct Arrived {
    pub file: NamedTempFile,
    pub sha256: String,
    pub name: String,
    /// Of what day it is said to be.
    pub day: Option<time::Date>,
}

/// Takes a file that was read whole: its lines are kept and matched by a job.
pub async fn take(app: &App, arrived: Arrived, totals: Totals) -> Result<String, Refused> {
    if totals.until > base::time::date(now_ms()) {
        let what = format!("{} 还没有过完，第二天才有完整的账单", last_day(&totals));
        return Err(Refused::NoBill(Problem { line: None, what }));
    }
    let statement = Statement {
        id: new_id(),
        format: totals.format,
        sha256: arrived.sha256.clone(),
        name: typed::name(&arrived.name, 200),
        from_day: totals.from.to_string(),
        until_day: totals.until.to_string(),
        clerk: audit::clerk().unwrap_or_default(),
        created_at: now_ms(),
        payments: totals.payments,
        paid: totals.paid,
        refunds: totals.refunds,
        refunded: totals.refunded,
        fees: totals.fees,
        kept: 0,
        matched: 0,
        done_at: None,
        open: 0,
        settled: 0,
    };
    let staged = app.storage.stage(arrived.file, original_key(&arrived.sha256)).await?;
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    if let Some(before) = store::insert(&mut tx, &statement, &totals).await? {
        return Err(Refused::Before(before));
    }
    jobs::enqueue(&mut tx, &MatchStatement { statement: statement.id.clone() }).await?;
    let detail = json!({
        "format": statement.format.code(),
        "from": statement.from_day,
        "until": statement.until_day,
        "lines": statement.lines(),
        "sha256": statement.sha256,
    });
    audit::note(&mut tx, "statement take", &statement.id, &detail).await?;
    app.storage.keep(staged).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(statement.id)
}

fn last_day(totals: &Totals) -> String {
    totals.until.previous_day().map(|day| day.to_string()).unwrap_or_default()
}

/// Holds a statement against what is known here once more; false while that is being done. What was settled stays.
pub async fn again(app: &App, id: &str) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    let begun = store::begin_again(&mut tx, id).await?;
    if begun {
        jobs::enqueue(&mut tx, &MatchStatement { statement: id.to_owned() }).await?;
        audit::note(&mut tx, "statement again", id, &json!({})).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(begun)
}

/// Settles a difference with a note; false where it was settled before.
pub async fn settle(app: &App, statement: &str, difference: &str, note: &str) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    let by = audit::clerk().unwrap_or_default();
    let Some(found) = store::settle(&mut tx, statement, difference, &by, note, now_ms()).await? else {
        return Ok(false);
    };
    let detail =
        json!({ "kind": found.kind, "place": found.place, "payment": found.payment_id, "note": note });
    audit::note(&mut tx, "statement settle", statement, &detail).await?;
    tx.commit().await?;
    Ok(true)
}
