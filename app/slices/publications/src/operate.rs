//! What the house does with issues, for the command line. Each action can be repeated; the audit log learns of it once, in its
//! transaction.

use base::audit;
use base::db::now_ms;
use base::error::Error;
use serde_json::json;
use web::app::App;

use super::ISSUE_KIND;
use super::store::issues::{self, Issue};

/// Characters of a reason.
pub const LONGEST: usize = 200;

/// Ends the reading of an issue for everybody, whoever bought it among them: its maker reads why, and can't publish it again. What was
/// begun to be bought of it is over. False where it was so already, or where readers never saw it.
pub async fn withdraw(app: &App, issue: &Issue, reason: &str) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    let is_new = issues::bar(&mut tx, &issue.id, reason, now_ms()).await?;
    if is_new {
        selling::end_offer(&mut tx, &issue.member, ISSUE_KIND, issue.id.as_str()).await?;
        audit::note(&mut tx, "issue.withdraw", issue.id.as_str(), &json!({ "reason": reason })).await?;
        tx.commit().await?;
    }
    // also where it was withdrawn before: perhaps that was interrupted here
    works::forget_book_files(app, issue.id.as_str()).await?;
    Ok(is_new)
}

/// Takes back that the house withdrew an issue: its maker may publish it again, and its buyers read it again. False where the house
/// had not.
pub async fn allow(app: &App, issue: &Issue) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    let is_new = issues::allow(&mut tx, &issue.id, now_ms()).await?;
    if is_new {
        audit::note(&mut tx, "issue.allow", issue.id.as_str(), &json!({})).await?;
        tx.commit().await?;
    }
    Ok(is_new)
}
