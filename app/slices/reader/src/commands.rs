//! What the operator does with shared works and with what readers report.

use base::db::now_ms;
use base::error::{Error, Failure};
use base::time;
use clap::Subcommand;
use domain::ids::WorkId;
use domain::sharing::Visibility;
use serde_json::json;
use web::app::App;

use super::operate::{self, Done, LONGEST};
use super::reports;
use super::store::{self, Share};

/// Commands about shared works.
#[derive(Subcommand)]
pub enum ShareCommand {
    /// Print all shared works, the newest first.
    List {
        /// As JSON: work, title, visibility (private, link, password, public, withdrawn, expired), path.
        #[arg(long)]
        json: bool,
    },
    /// End the reading of a work; its maker reads why, and can't publish it again. What was reported of it is closed.
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
    if share.settings.visibility == Visibility::Private {
        // to strangers it is as if it had never been, whatever became of it
        Visibility::Private.code()
    } else if share.withdrawn_at.is_some() || share.is_trashed {
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
            let reason = operate::without_stop(&reason);
            if reason.is_empty() || reason.chars().count() > LONGEST {
                return Err(format!("a reason has 1 to {LONGEST} characters").into());
            }
            match operate::withdraw(app, &work, reason).await {
                Ok(Done::Changed) => println!("Nobody reads {work} any more."),
                Ok(Done::Already) => println!("{work} was withdrawn before."),
                Err(Error::NotFound) => return Err(format!("{work} is not shared").into()),
                Err(error) => return Err(error.into()),
            }
        }
        ShareCommand::Allow { work } => match operate::allow(app, &work).await {
            Ok(Done::Changed) => println!("The maker of {work} may publish it again."),
            Ok(Done::Already) | Err(Error::NotFound) => {
                return Err(format!("{work} was not withdrawn by the house").into());
            }
            Err(error) => return Err(error.into()),
        },
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
                let (reason, at) = (reports::reason_named(&report.reason), time::stamp(report.created_at));
                println!("{} {at} {} {} {reason}", report.id, report.path(), report.title);
                for line in
                    report.words.lines().chain((!report.contact.is_empty()).then_some(&*report.contact))
                {
                    println!("  {line}");
                }
            }
        }
        ReportCommand::Close { id, outcome } => match operate::close(app, &id, &outcome).await {
            Ok(Done::Changed) => println!("Closed {id}."),
            Ok(Done::Already) | Err(Error::NotFound) => {
                return Err(format!("there is no open report {id}").into());
            }
            Err(error) => return Err(error.into()),
        },
    }
    Ok(())
}
