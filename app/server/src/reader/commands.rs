//! What the operator does with shared works and with what readers report.

use clap::Subcommand;
use domain::ids::WorkId;
use serde_json::json;

use super::downloads;
use super::forms::new_picture_key;
use super::reports::{self, REASONS};
use super::store::{self, Share};
use platform::app::App;
use platform::audit;
use platform::db::now_ms;
use platform::error::Failure;
use platform::ui::time;

/// Commands about shared works.
#[derive(Subcommand)]
pub enum ShareCommand {
    /// Print all shared works, the newest first.
    List {
        /// As JSON: work, title, visibility (private, link, password, public, withdrawn, expired), path.
        #[arg(long)]
        json: bool,
    },
    /// End the reading of a work; its maker reads why, and can't publish it again.
    Withdraw {
        work: WorkId,
        #[arg(long)]
        reason: String,
    },
    /// Let a maker publish a withdrawn work again.
    Allow { work: WorkId },
}

/// Commands about what readers report.
#[derive(Subcommand)]
pub enum ReportCommand {
    /// Print the reports that nobody has closed, the oldest first.
    List,
    /// Note what came of a report.
    Close {
        id: String,
        /// What was done, for the audit log.
        #[arg(long)]
        outcome: String,
    },
}

/// What a shared work is now, in one word.
fn state(share: &Share, now: i64) -> &'static str {
    if share.withdrawn_at.is_some() || share.is_trashed {
        "withdrawn"
    } else if share.terms().is_over(now) {
        "expired"
    } else {
        share.settings.visibility.code()
    }
}

/// Runs one about shared works.
pub async fn share(app: &App, command: ShareCommand) -> Result<(), Failure> {
    match command {
        ShareCommand::List { json } => {
            let now = now_ms();
            let shares = store::list(&app.db, None).await?;
            let path = |share: &Share| format!("/read/{}", share.work);
            if json {
                let rows: Vec<_> = shares
                    .iter()
                    .map(|share| {
                        json!({ "work": share.work, "title": share.settings.title, "visibility": state(share, now),
                                "path": path(share) })
                    })
                    .collect();
                println!("{}", serde_json::Value::from(rows));
                return Ok(());
            }
            if shares.is_empty() {
                println!("Nothing is shared.");
            }
            for share in shares {
                let since = time::day(share.published_at);
                println!("{} {since} {} {}", path(&share), state(&share, now), share.settings.title);
            }
        }
        ShareCommand::Withdraw { work, reason } => {
            let reason = reason.trim().trim_end_matches(['。', '.']).to_owned();
            if reason.is_empty() || reason.chars().count() > 200 {
                return Err("a reason has 1 to 200 characters".into());
            }
            let mut tx = app.db.begin().await?;
            if !store::withdraw(&mut tx, &work, &new_picture_key(), Some(&reason), now_ms()).await? {
                return Err(format!("{work} is not shared").into());
            }
            audit::note(&mut tx, "share.withdraw", work.as_str(), &json!({ "reason": reason })).await?;
            tx.commit().await?;
            downloads::forget(app, &work).await?;
            println!("Nobody reads {work} any more.");
        }
        ShareCommand::Allow { work } => {
            let mut tx = app.db.begin().await?;
            if !store::allow(&mut tx, &work).await? {
                return Err(format!("{work} was not withdrawn by the house").into());
            }
            audit::note(&mut tx, "share.allow", work.as_str(), &json!({})).await?;
            tx.commit().await?;
            println!("The maker of {work} may publish it again.");
        }
    }
    Ok(())
}

/// Runs one about reports.
pub async fn report(app: &App, command: ReportCommand) -> Result<(), Failure> {
    match command {
        ReportCommand::List => {
            let open = reports::open_ones(&app.db).await?;
            if open.is_empty() {
                println!("There is no open report.");
            }
            for report in open {
                let reason =
                    REASONS.iter().find(|(code, _)| *code == report.reason).map_or("", |(_, name)| name);
                let at = time::stamp(report.created_at);
                let path = match report.address.as_str() {
                    "" => format!("/read/{}", report.work_id),
                    address => address.to_owned(),
                };
                println!("{} {at} {path} {} {reason}", report.id, report.title);
                for line in
                    report.words.lines().chain((!report.contact.is_empty()).then_some(&*report.contact))
                {
                    println!("  {line}");
                }
            }
        }
        ReportCommand::Close { id, outcome } => {
            let mut tx = app.db.begin().await?;
            if !reports::close(&mut tx, &id, &outcome).await? {
                return Err(format!("there is no open report {id}").into());
            }
            audit::note(&mut tx, "report.close", &id, &json!({ "outcome": outcome })).await?;
            tx.commit().await?;
            println!("Closed {id}.");
        }
    }
    Ok(())
}
