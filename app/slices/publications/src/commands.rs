//! What the operator does with issues of newspapers and magazines.

use base::error::{Error, Failure};
use clap::Subcommand;
use domain::publication::Kind;
use web::app::App;

use super::operate::{self, LONGEST};
use super::store::issues::{self, Issue};
use super::store::publications;

/// Commands about issues.
#[derive(Subcommand)]
pub enum IssueCommand {
    /// End the reading of an issue, also for whoever bought it; its maker reads why, and can't publish it again.
    Withdraw {
        /// Its path, such as /epaper/xihu/2026-11-20, or that of a page of it.
        address: String,
        #[arg(long)]
        reason: String,
    },
    /// Let a maker publish a withdrawn issue again; whoever bought it reads it again.
    Allow { address: String },
}

/// The issue that a path names, in whatever state.
async fn at(app: &App, address: &str) -> Result<Issue, Failure> {
    let none = || Failure::from(format!("there is no issue at {address}"));
    let mut words = address.trim_start_matches('/').split('/');
    let (kind, title, key) = (words.next(), words.next(), words.next());
    let (Some(kind), Some(title), Some(key)) = (kind.and_then(Kind::of_code), title, key) else {
        return Err(none());
    };
    let publication = match publications::at_address(&app.db, kind, title).await {
        Ok(publication) => publication,
        Err(Error::NotFound) => return Err(none()),
        Err(error) => return Err(error.into()),
    };
    issues::at(&app.db, &publication.id, kind, key).await?.ok_or_else(none)
}

/// Runs one.
pub async fn issue(app: &App, command: IssueCommand) -> Result<(), Failure> {
    match command {
        IssueCommand::Withdraw { address, reason } => {
            let reason = reason.trim().trim_end_matches(['。', '.']).trim_end();
            if reason.is_empty() || reason.chars().count() > LONGEST {
                return Err(format!("a reason has 1 to {LONGEST} characters").into());
            }
            let issue = at(app, &address).await?;
            if !issue.state.was_public() {
                return Err(format!("{address} did not come out").into());
            }
            if operate::withdraw(app, &issue, reason).await? {
                println!("Nobody reads {address} any more.");
            } else {
                println!("{address} was withdrawn before.");
            }
        }
        IssueCommand::Allow { address } => {
            if !operate::allow(app, &at(app, &address).await?).await? {
                return Err(format!("{address} was not withdrawn by the house").into());
            }
            println!("The maker of {address} may publish it again.");
        }
    }
    Ok(())
}
