//! What the house does with shared works and with what readers report, for the command line and the back office. Each action can
//! be repeated; the audit log learns of it once, in its transaction.

use base::audit;
use base::db::now_ms;
use base::error::Error;
use domain::ids::WorkId;
use serde_json::json;
use web::app::App;

use super::forms::new_picture_key;
use super::published::KIND;
use super::{downloads, reports, store};

/// Characters of a reason, and of what came of a report.
pub const LONGEST: usize = 200;

/// Whether something was changed, or was so already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    Changed,
    Already,
}

/// A sentence without its full stop: it stands within others.
pub fn without_stop(text: &str) -> &str {
    text.trim().trim_end_matches(['。', '.']).trim_end()
}

/// Ends the reading of a shared work for everybody, whoever bought it among them: its maker reads why, and can't publish it again.
/// What was reported of it is closed, too, and what was begun to be bought of it is over.
pub async fn withdraw(app: &App, work: &WorkId, reason: &str) -> Result<Done, Error> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let (maker, before) = store::hold_withdrawal(&mut tx, work).await?.ok_or(Error::NotFound)?;
    let closed = reports::close_all_of(&mut tx, work, &format!("作品已下架：{reason}"), now).await?;
    let done = if closed.is_empty() && before.as_deref() == Some(reason) {
        drop(tx);
        Done::Already
    } else {
        store::withdraw(&mut tx, work, &new_picture_key(), Some(reason), now).await?;
        selling::end_offer(&mut tx, &maker, KIND, work.as_str()).await?;
        let detail = json!({ "reason": reason, "reports": closed });
        audit::note(&mut tx, "share.withdraw", work.as_str(), &detail).await?;
        tx.commit().await?;
        Done::Changed
    };
    // also where it was withdrawn before: perhaps that was interrupted here
    downloads::forget(app, work).await?;
    Ok(done)
}

/// Takes back that the house withdrew a work: its maker may publish it again.
pub async fn allow(app: &App, work: &WorkId) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    store::hold_withdrawal(&mut tx, work).await?.ok_or(Error::NotFound)?;
    if !store::allow(&mut tx, work).await? {
        return Ok(Done::Already);
    }
    audit::note(&mut tx, "share.allow", work.as_str(), &json!({})).await?;
    tx.commit().await?;
    Ok(Done::Changed)
}

/// Notes what came of a report; one that was closed before keeps what was noted then.
pub async fn close(app: &App, id: &str, outcome: &str) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    if !reports::close(&mut tx, id, outcome).await? {
        let is_known = reports::is_known(&mut tx, id).await?;
        return if is_known { Ok(Done::Already) } else { Err(Error::NotFound) };
    }
    audit::note(&mut tx, "report.close", id, &json!({ "outcome": outcome })).await?;
    tx.commit().await?;
    Ok(Done::Changed)
}
