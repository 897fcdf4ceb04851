//! A statement on the command line: held against what is known here, and nothing kept of it.

use std::collections::HashSet;
use std::path::Path;

use base::error::Failure;
use domain::statement::{Part, Totals, fee_in_fen};
use domain::typed;
use web::app::App;

use super::file::{self, Unread};
use super::matching::{self, Found};
use super::work::{batches, times};
use crate::ways;

/// Ours that are looked for at once.
const AT_ONCE: i64 = 500;

/// Prints what differs; an error where something does.
pub async fn reconcile(app: &App, path: &Path, day: Option<&str>) -> Result<(), Failure> {
    let day = match day {
        Some(text) => Some(typed::date(text).ok_or("--day is a date, 2026-11-20")?),
        None => None,
    };
    let merchant = ways(app)?.merchant();
    // the whole of it first: what is no bill is held against nothing
    let (whole, of) = (path.to_owned(), merchant.clone());
    let read = tokio::task::spawn_blocking(move || file::read(&whole, of, day, &mut |_| true)).await?;
    let totals = read.map_err(told)?;
    let method = totals.format.method();
    let (mut seen, mut taken, mut count) = (HashSet::new(), HashSet::new(), 0);
    let (mut take, reading) = batches(path.to_owned(), merchant, day, 0);
    while let Some(entries) = take.recv().await {
        let again = entries
            .iter()
            .filter(|entry| match entry.part {
                Part::Payment => !seen.insert((entry.part, entry.payment.clone())),
                Part::Refund => !entry.refund.is_empty() && !seen.insert((entry.part, entry.refund.clone())),
            })
            .map(|entry| entry.line)
            .collect();
        let looked = matching::look(&app.db, method, &entries, &again, &mut taken).await?;
        looked.found.iter().for_each(print);
        count += looked.found.len();
    }
    reading.await?.map_err(told)?;
    let time = times(&totals.from.to_string(), &totals.until.to_string())?;
    for part in Part::ALL.into_iter().filter(|part| totals.format.has(*part)) {
        let mut after = String::new();
        loop {
            let found = matching::ours_only(&app.db, method, part, time, &after, AT_ONCE).await?;
            let Some(last) = found.last() else { break };
            after = last.refund.clone().or_else(|| last.payment.clone()).unwrap_or_default();
            for found in found {
                let is_there = match &found.refund {
                    Some(refund) => taken.contains(refund),
                    None => seen.contains(&(Part::Payment, found.payment.clone().unwrap_or_default())),
                };
                if !is_there {
                    print(&found);
                    count += 1;
                }
            }
        }
    }
    println!("{}", sums(&totals));
    match count {
        0 => {
            println!("All of it agrees.");
            Ok(())
        }
        1 => Err("1 difference".into()),
        _ => Err(format!("{count} differences").into()),
    }
}

fn told(unread: Unread) -> Failure {
    match unread {
        Unread::NoBill(problem) => problem.into(),
        Unread::Failed(error) => error.into(),
    }
}

fn sums(totals: &Totals) -> String {
    let Totals { format, from, until, payments, paid, refunds, refunded, fees } = totals;
    let fees = fee_in_fen(*fees);
    format!(
        "{} from {from} until {until}: {payments} payments of {paid}, {refunds} refunds of {refunded}, fees {fees}.",
        format.code()
    )
}

fn print(found: &Found) {
    let line = found.line.map_or_else(|| "not in the file".to_owned(), |line| format!("line {line}"));
    let side = |amount: Option<domain::money::Fen>, state: Option<&str>, number: Option<&String>| {
        let words = [amount.map(|amount| amount.to_string()), state.map(str::to_owned), number.cloned()];
        let words: Vec<String> = words.into_iter().flatten().collect();
        if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
    };
    let ours = side(found.our_amount, found.our_state, found.our_number.as_ref());
    let theirs = side(found.their_amount, found.their_state, found.their_number.as_ref());
    let of = found.refund.as_ref().or(found.payment.as_ref()).map_or("unknown", String::as_str);
    println!("{line}: {} {} {of}: here {ours}, there {theirs}", found.part.code(), found.kind.code());
}
