//! /manager/epaper/{title}/followers and of magazines: what a title's maker sees of its letters, numbers and no addresses.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::Redirect;
use base::error::Error;
use base::jobs;
use domain::ids::{IssueId, PublicationId};
use leptos::prelude::*;
use web::app::App;
use web::render::{Here, here, loaded, parameter, use_path, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::jobs::ReviveLetters;
use super::store::{self, Mailed, letters};
use publications::{Title, kind_of};

/// Issues that are listed.
const MOST: i64 = 20;

/// POST /manager/epaper/{title}/followers: `act` is on or off.
pub async fn switch(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PublicationId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let title = publications::own_title(&app, &id, &member.id, kind_of(parts.uri.path())?).await?;
    let form = read_form(&body)?;
    let act = form.get("act");
    let is_off = match act {
        "on" => false,
        "off" => true,
        _ => return Err(Error::Incomplete),
    };
    let mut tx = app.db.begin().await?;
    store::switch(&mut tx, &title.id, is_off).await?;
    if !is_off {
        jobs::at_once(&mut tx, &ReviveLetters { title: title.id.clone() }).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to(&format!("{}/followers?done={act}", title.desk)))
}

struct Shown {
    member: Member,
    title: Title,
    mailed: Mailed,
    /// Whether letters leave from here at all.
    leaves: bool,
    /// Readers with an address alone, and with an account.
    readers: (i64, i64),
    /// Each with what the issue is called, while readers see it.
    issues: Vec<(Option<String>, letters::OfIssue)>,
}

async fn load(here: Here, id: PublicationId, path: String) -> Result<Shown, Error> {
    let Here { app, member } = here;
    let title = publications::own_title(&app, &id, &member.id, kind_of(&path)?).await?;
    let mut issues = Vec::new();
    for row in letters::of_title(&app.db, &id, MOST).await? {
        let issue: IssueId = row.issue_id.clone().try_into().map_err(Error::internal)?;
        let called = publications::published(&app, &issue).await?.map(|(_, called, _)| called);
        issues.push((called, row));
    }
    Ok(Shown {
        mailed: store::mailed(&app.db, &id).await?,
        leaves: publications::letters_leave(&app),
        readers: (store::count(&app.db, &id).await?, publications::heard_by_message(&app, &id).await?),
        issues,
        title,
        member,
    })
}

/// GET /manager/epaper/{title}/followers.
#[component]
pub fn FollowersPage() -> impl IntoView {
    let (here, id, path) = (here(), parameter::<PublicationId>("title"), use_path());
    loaded(async move { load(here?, id?, path).await }, |shown| view! { <Followers shown/> })
}

#[component]
fn Followers(shown: Shown) -> impl IntoView {
    let Shown { member, title, mailed, leaves, readers: (by_address, by_account), issues } = shown;
    let done = match use_query("done").as_deref() {
        Some("on") => Some("开通了。读者可以用邮箱订阅，新一期会发给他们。"),
        Some("off") => Some("停用了。新一期不再用邮件发出；读者的邮箱还在，开通后接着发。"),
        _ => None,
    };
    let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
    let is_off = mailed.is_off == 1;
    let state = match (leaves, is_off) {
        (false, _) => {
            view! { <p class="notice">"这个站点还没有配置发邮件，新一期暂时发不出去。"</p> }.into_any()
        }
        (true, is_off) => {
            let (words, act, label) = match is_off {
                true => ("已停用：新一期不用邮件发出，读者也看不到邮箱订阅。", "on", "开通邮件订阅"),
                false => {
                    ("已开通：每一期出版时，把要目和开头发给订阅的读者，每人一次。", "off", "停用邮件订阅")
                }
            };
            view! {
                <form class="stack" method="post" action=use_path()>
                    <p>{words}</p>
                    <p><button class="button" name="act" value=act>{label}</button></p>
                </form>
            }
            .into_any()
        }
    };
    let number =
        |name: &'static str, count: String| view! { <div><dt>{name}</dt><dd class="num">{count}</dd></div> };
    let rows: Vec<_> = issues
        .into_iter()
        .map(|(called, row)| {
            Record::new()
                .cell("期", called.unwrap_or_else(|| "已撤回的一期".to_owned()))
                .moment("时间", row.queued_at)
                .num("已发出", row.sent)
                .num("在发", row.waiting)
                .num("退回", row.bounced)
                .num("没发成", row.expired)
        })
        .collect();
    let name = title.name.clone();
    view! {
        <Shell member title=format!("《{name}》的邮件订阅") assets=&["newsdesk.css", "newsletter.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=title.desk.clone()>{name.clone()}</a></p>
                    <h1>{format!("《{name}》的邮件订阅")}</h1>
                </div>
            </header>
            {done}
            <section class="sheet stack title-form">
                {state}
                <dl class="counts">
                    {number("用邮箱订阅的读者", by_address.to_string())}
                    {number("用账号订阅的读者", by_account.to_string())}
                    {number("发出的信", mailed.sent.to_string())}
                    {number("退回的信", mailed.bounced.to_string())}
                    {number("退订的读者", mailed.ended.to_string())}
                </dl>
                <p class="hint">
                    "读者在"<a href=format!("{}/follow", title.path)>"这里"</a>
                    "订阅。他们的邮箱是给这份报刊投递用的，不给任何人看，您这里只有数字。收不到信的邮箱会自动停发。"
                </p>
            </section>
            <Records rows caption="各期的邮件"/>
        </Shell>
    }
}
