//! Keeping a statement's lines and holding them against what is known here, some at a time: nobody waits for the whole of it to
//! write something else, and after a kill it goes on where it was.

use std::path::PathBuf;

use ::time::Date;
use base::db::now_ms;
use base::error::Error;
use base::jobs::{Job, Lane};
use base::storage::original_key;
use base::time::start_of;
use domain::statement::{Entry, Merchant, Part, Totals};
use domain::typed;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use web::app::App;

use super::file::{self, Unread};
use super::matching;
use super::store::{self, Statement};
use crate::ways;

/// Lines in one transaction: some ten milliseconds.
const AT_ONCE: usize = 250;

/// Keeps a statement's lines and finds what differs.
#[derive(Debug, Serialize, Deserialize)]
pub struct MatchStatement {
    pub statement: String,
}

impl Job for MatchStatement {
    type App = App;
    const KIND: &'static str = "match_statement";
    // members wait for pictures in the lane before
    const LANE: Lane = Lane::Background;
    async fn run(self, app: App) -> Result<(), Error> {
        let statement = store::find(&app.db, &self.statement).await?;
        if statement.done_at.is_some()
            || !keep(&app, &statement).await?
            || !hold_theirs(&app, &statement).await?
        {
            // another worker is at it, or was
            return Ok(());
        }
        hold_ours(&app, &statement).await?;
        store::set_done(&app.db, &statement.id, now_ms()).await
    }
}

/// Keeps the lines that are no rows yet; false where somebody else does.
async fn keep(app: &App, statement: &Statement) -> Result<bool, Error> {
    let mut kept = statement.kept;
    if kept == statement.lines() {
        return Ok(true);
    }
    let path = app.storage.bring(&original_key(&statement.sha256)).await?;
    let path = path.ok_or_else(|| Error::internal("a statement's file is not here"))?;
    let merchant = ways(app)?.merchant();
    let day = typed::date(&statement.from_day);
    // WeChat Pay's may not say it, and Alipay's may have more than one
    let day = day.filter(|day| day.next_day().is_some_and(|next| next.to_string() == statement.until_day));
    let (mut take, reading) = batches(path, merchant, day, kept);
    while let Some(entries) = take.recv().await {
        let mut tx = app.db.begin().await?;
        if !store::keep_lines(&mut tx, &statement.id, kept, &entries).await? {
            return Ok(false);
        }
        tx.commit().await?;
        kept += entries.len() as i64;
    }
    match reading.await.map_err(Error::internal)? {
        Ok(_) => Ok(true),
        Err(Unread::Failed(error)) => Err(error),
        // it was one when it came: another merchant is configured now
        Err(Unread::NoBill(problem)) => Err(Error::internal(problem)),
    }
}

/// Reads a file on a thread of its own, and gives its entries behind the first `skip` some at a time: as many as wait are in
/// memory, and no more.
pub fn batches(
    path: PathBuf,
    merchant: Merchant,
    day: Option<Date>,
    mut skip: i64,
) -> (mpsc::Receiver<Vec<Entry>>, JoinHandle<Result<Totals, Unread>>) {
    let (give, take) = mpsc::channel(2);
    let reading = tokio::task::spawn_blocking(move || {
        let mut entries = Vec::with_capacity(AT_ONCE);
        let read = file::read(&path, merchant, day, &mut |entry| {
            if skip > 0 {
                skip -= 1;
                return true;
            }
            entries.push(entry);
            entries.len() < AT_ONCE || give.blocking_send(std::mem::take(&mut entries)).is_ok()
        });
        if read.is_ok() && !entries.is_empty() {
            // nobody takes them where another worker is at it
            let _ = give.blocking_send(entries);
        }
        read
    });
    (take, reading)
}

/// Holds the lines against what is known here; false where somebody else does.
async fn hold_theirs(app: &App, statement: &Statement) -> Result<bool, Error> {
    let mut before = statement.matched;
    loop {
        let entries = store::lines(&app.db, &statement.id, before, AT_ONCE as i64).await?;
        let Some(last) = entries.last().map(|entry| entry.line) else { return Ok(true) };
        let (again, mut taken) = matching::seen(&app.db, &statement.id, &entries).await?;
        let looked = matching::look(&app.db, statement.format.method(), &entries, &again, &mut taken).await?;
        let ids = |part: Part| {
            let of_part = entries.iter().filter(move |entry| entry.part == part);
            of_part
                .map(
                    |entry| {
                        if part == Part::Payment { entry.payment.as_str() } else { entry.refund.as_str() }
                    },
                )
                .filter(|id| !id.is_empty())
                .collect::<Vec<&str>>()
        };
        let assigned: Vec<&str> = looked.refunds.iter().map(|(_, refund)| refund.as_str()).collect();
        let mut tx = app.db.begin().await?;
        let moved =
            store::set_matched(&mut tx, statement, (before, last), &looked.found, &looked.refunds).await?;
        if !moved {
            return Ok(false);
        }
        store::forget_found(&mut tx, Part::Payment, &ids(Part::Payment)).await?;
        store::forget_found(&mut tx, Part::Refund, &[ids(Part::Refund), assigned].concat()).await?;
        tx.commit().await?;
        before = last;
    }
}

/// Finds what moved here in the statement's days and stands in none.
async fn hold_ours(app: &App, statement: &Statement) -> Result<(), Error> {
    let time = times(&statement.from_day, &statement.until_day)?;
    for part in Part::ALL.into_iter().filter(|part| statement.format.has(*part)) {
        let mut after = String::new();
        loop {
            let method = statement.format.method();
            let found = matching::ours_only(&app.db, method, part, time, &after, AT_ONCE as i64).await?;
            let Some(last) = found.last() else { break };
            after = last.refund.clone().or_else(|| last.payment.clone()).unwrap_or_default();
            let mut tx = app.db.begin().await?;
            store::differ(&mut tx, statement, &found).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

/// From the first moment of a day to that of another, epoch ms.
pub fn times(from: &str, until: &str) -> Result<(i64, i64), Error> {
    let day = |text| typed::date(text).map(start_of).ok_or_else(|| Error::internal("no day of a statement"));
    Ok((day(from)?, day(until)?))
}
