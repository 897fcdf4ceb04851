//! Looks: somebody of the back office 后台 sees a member's pages as the member does (publishing page, section 5). Nothing can be
//! changed meanwhile, it has a reason and an end, and the member can see that it happened.

use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::ids::{LookId, MemberId};
use leptos::prelude::*;
use serde_json::json;
use web::app::App;
use web::ui::parts::Moment;

use super::store::looks as store;
use super::{MEMORY_MS, closing};

pub use super::store::looks::Look;

/// How long one lasts, in ms.
const LASTS_MS: i64 = 30 * 60_000;

/// Begins one, for somebody in the back office, who has a reason. A closed account has no pages.
pub async fn begin(app: &App, staff: &str, member: &MemberId, reason: &str) -> Result<LookId, Error> {
    if closing::closed_at(app, member).await?.is_some() {
        return Err(Error::Conflict("这个账号已经注销，没有页面可看".into()));
    }
    let (id, now): (LookId, i64) = (new_id(), now_ms());
    let look = Look {
        id: id.to_string(),
        member_id: member.to_string(),
        staff: staff.to_owned(),
        reason: reason.to_owned(),
        began_at: now,
        ends_at: now + LASTS_MS,
        ended_at: None,
    };
    let mut tx = app.db.begin().await?;
    store::insert(&mut tx, &look).await?;
    audit::note(&mut tx, "look begin", member.as_str(), &json!({ "reason": reason })).await?;
    tx.commit().await?;
    Ok(id)
}

/// Ends one before its time.
pub async fn end(app: &App, id: &LookId, member: &MemberId) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    if store::end(&mut tx, id, now_ms()).await? {
        audit::note(&mut tx, "look end", member.as_str(), &json!({})).await?;
    } else {
        audit::unchanged();
    }
    Ok(tx.commit().await?)
}

/// Those at a member in the last ninety days, the newest first.
pub async fn of_member(app: &App, member: &MemberId) -> Result<Vec<Look>, Error> {
    store::of_member(&app.db, member, now_ms() - MEMORY_MS).await
}

/// Deletes what is too old; the audit log keeps it.
pub async fn forget_over(app: &App) -> Result<(), Error> {
    store::forget(&app.db, now_ms() - MEMORY_MS).await
}

/// What the member is told of them; nothing where there were none.
#[component]
pub fn Looks(looks: Vec<Look>) -> impl IntoView {
    if looks.is_empty() {
        return ().into_any();
    }
    let rows: Vec<_> = looks
        .into_iter()
        .map(|Look { reason, began_at, ends_at, ended_at, .. }| {
            let until = ended_at.unwrap_or(ends_at);
            view! {
                <li>
                    <div>
                        <strong><Moment at=began_at/></strong>" 到 "<Moment at=until/>
                        <p class="hint">{format!("原因：{reason}")}</p>
                    </div>
                </li>
            }
        })
        .collect();
    view! {
        <section class="sheet">
            <h2>"客服看过您的页面"</h2>
            <p class="quiet">
                "书坊的客服为了处理问题，像您一样打开过您的页面。只能看，不能改动、下单或付款，最长 30 分钟。"
            </p>
            <ul class="devices">{rows}</ul>
        </section>
    }
    .into_any()
}
