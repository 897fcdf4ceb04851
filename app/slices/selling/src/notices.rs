//! What readers are told.

use base::error::Error;
use base::jobs;
use base::time;
use domain::ids::EntitlementId;
use domain::package::in_turn;
use web::app::App;

use super::jobs::{TellEnd, ahead};
use super::store::entitlements::{self, Opening};

/// Tells a reader that a right ends within thirty days, or a trial within one, once, unless another term follows it. It ends where the first thing
/// that it opens can be read no more, which is later than its own days where another right to the same runs beside it.
pub async fn tell_end(app: &App, id: &EntitlementId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let Some(right) = entitlements::find(&mut tx, id).await? else { return Ok(()) };
    if right.told_at.is_some() || right.span.until.is_none_or(|until| until <= right.span.from) {
        return Ok(());
    }
    let all = entitlements::openings(&mut tx, &right.member).await?;
    let Some(own) = all.iter().find(|opening| opening.right.id == right.id) else { return Ok(()) };
    let order = |opening: &Opening| (opening.right.span.from, opening.right.id.to_string());
    let mut ends = Vec::new();
    for item in &own.items {
        // one that was given back before it began follows nothing
        let is_used =
            |other: &&Opening| other.right.span.until.is_none_or(|until| until > other.right.span.from);
        let rights: Vec<&Opening> =
            all.iter().filter(|other| other.items.contains(item)).filter(is_used).collect();
        // where another one follows, that is told
        if rights.iter().all(|other| order(other) <= order(own)) {
            let spans: Vec<_> = rights.iter().map(|other| other.right.span).collect();
            ends.extend(in_turn(&spans).last().and_then(|span| span.until));
        }
    }
    let Some(until) = ends.into_iter().filter(|until| *until > now).min() else { return Ok(()) };
    let ahead = ahead(&right.source);
    if until - ahead > now {
        // it was put at a later time since
        jobs::enqueue_at(&mut tx, &TellEnd { entitlement: id.clone() }, until - ahead).await?;
        tx.commit().await?;
        return Ok(());
    }
    if entitlements::set_told(&mut tx, id, now).await? {
        let (subject, text) = if right.source == entitlements::TRIAL {
            let ends = format!("您免费试读的{}到 {} 结束", right.title, time::stamp(until));
            (
                "书坊免费试读快结束",
                format!("【书坊】{ends}，自己停止，不会扣款。想接着读，登录后在“书房”里可以购买。"),
            )
        } else {
            let ends = format!("您的{}将在 {} 到期", right.title, time::day(until));
            ("书坊阅读权限快到期", format!("【书坊】{ends}。登录后在“书房”里可以续期，续期从到期日接着算。"))
        };
        accounts::tell_member(app, &mut tx, &right.member, subject, text).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(())
}
