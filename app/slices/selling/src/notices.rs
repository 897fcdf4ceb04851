//! What readers are told.

use domain::ids::EntitlementId;
use domain::package::{Until, runs_until};

use super::jobs::{AHEAD_MS, TellEnd};
use super::store::entitlements;
use platform::app::App;
use platform::error::Error;
use platform::jobs;
use platform::ui::time;

/// Tells a reader that a right ends within thirty days, once, unless another term follows it.
pub async fn tell_end(app: &App, id: &EntitlementId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let Some(right) = entitlements::find(&mut tx, id).await? else { return Ok(()) };
    let Some(until) = right.span.until.filter(|until| *until > now && right.told_at.is_none()) else {
        return Ok(());
    };
    if until - AHEAD_MS > now {
        // it was put at a later time since
        jobs::enqueue_at(&mut tx, &TellEnd { entitlement: id.clone() }, until - AHEAD_MS).await?;
        tx.commit().await?;
        return Ok(());
    }
    let spans = entitlements::spans_of(&mut tx, &right.member, &right.subject).await?;
    if runs_until(&spans, until - 1) != Some(Until::At(until)) {
        return Ok(());
    }
    if entitlements::set_told(&mut tx, id, now).await? {
        let text = format!(
            "【书坊】您的{}将在 {} 到期。登录后在“书房”里可以续期，续期从到期日接着算。",
            right.title,
            time::day(until)
        );
        accounts::tell_member(app, &mut tx, &right.member, "书坊阅读权限快到期", text).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(())
}
