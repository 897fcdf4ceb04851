//! What members are told of their tier's end.

use base::error::Error;
use base::time;
use domain::days::DAY_MS;
use domain::membership::{TOLD_BEFORE, lost};
use web::app::App;

use super::UPGRADE;
use super::jobs::TellEnd;
use super::store::notices as store;

/// Tells a member that its tier ends, once for each of the days before it, unless the end was put off. One that comes so late
/// that the next is due leaves it to that.
pub async fn tell_end(app: &App, job: &TellEnd, now: i64) -> Result<(), Error> {
    let TellEnd { member, until, days } = job;
    let mut tx = app.db.begin().await?;
    let standing = match accounts::hold_standing(&mut tx, member).await {
        Ok(standing) => standing,
        // closed meanwhile
        Err(Error::NotFound) => return Ok(()),
        Err(error) => return Err(error),
    };
    let next = TOLD_BEFORE.into_iter().find(|next| next < days).unwrap_or(0);
    if standing.until != Some(*until) || until - next * DAY_MS <= now {
        return Ok(());
    }
    if !store::set_told(&mut tx, member, *until, *days, now).await? {
        return Ok(());
    }
    let (tier, after) = (standing.tier, standing.after);
    let closes: Vec<&str> = lost(tier, after).map(|feature| feature.name()).collect();
    let text = format!(
        "【书坊】您的{tier}还有 {days} 天，将在 {} 到期。到期后您的作品和素材都在，{}要等续费后再用。登录后在“会员升级”（{UPGRADE}）里可以续费，续费从到期日接着算。",
        time::stamp(*until),
        closes.join("、"),
    );
    accounts::tell_member(app, &mut tx, member, "书坊会员快到期", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}
