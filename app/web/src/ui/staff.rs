//! The frame of the pages of the back office 后台, and what they share.

use base::time;
use domain::money::Fen;
use leptos::prelude::*;

use super::parts::{Field, Moment, Money};
use super::shell::{Head, Mark};
use crate::app::App;
use crate::approvals::{Outcome, Request};
use crate::render::{use_path, use_query};
use crate::slice::StaffEntry;
use crate::staff::{HOME, Staff, use_staff};
use crate::ui::lists::Kept;

/// What a page says after a form that was sent from it went well: the word of `?said=…`, the class and the sentence.
fn told(outcome: Outcome) -> (&'static str, &'static str, &'static str) {
    match outcome {
        Outcome::Done => ("done", "notice good", "已办好，并记入操作日志。"),
        Outcome::Before => ("before", "notice good", "以前已经办过，这次没有改动。"),
        Outcome::Asked => ("asked", "notice", "已提出，等另一位同事复核。"),
        Outcome::AskedBefore => ("asked-before", "notice", "以前已经提出过，这次没有改动。"),
        Outcome::Declined => ("declined", "notice", "不同意已记下，这件事没有办。"),
        Outcome::TakenBack => ("taken-back", "notice", "已撤回，这件事没有办。"),
    }
}

/// A page's address after something was done there now, had been done before, or waits.
pub fn said(address: &str, outcome: impl Into<Outcome>) -> String {
    let join = if address.contains('?') { '&' } else { '?' };
    let (word, ..) = told(outcome.into());
    format!("{address}{join}said={word}")
}

/// Rail and top bar around a page of the back office.
#[component]
pub fn StaffShell(
    title: String,
    #[prop(optional)] assets: &'static [&'static str],
    children: Children,
) -> impl IntoView {
    let staff = use_staff();
    let path = use_path();
    let who = staff.clone().map(|staff| view! { <Who staff/> });
    let said = use_query("said");
    let said = Outcome::ALL.map(told).into_iter().find(|(word, ..)| Some(*word) == said.as_deref());
    let said = said.map(|(_, class, sentence)| view! { <p class=class role="status">{sentence}</p> });
    view! {
        <Head title=format!("{title} · 后台") assets/>
        <a class="skip" href="#main">"跳到正文"</a>
        <nav class="rail groups" aria-label="后台"><Brand/><Entries staff=staff.clone() path=path.clone()/></nav>
        <header class="topbar">
            <details class="menu nav" name="menu">
                <summary>
                    <svg viewBox="0 0 20 20" aria-hidden="true">
                        <path fill="none" stroke="currentColor" stroke-width="1.6" d="M2 5h16M2 10h16M2 15h16"/>
                    </svg>
                    <span class="sr">"栏目"</span>
                </summary>
                <nav class="drop groups" aria-label="后台"><Entries staff path/></nav>
            </details>
            <Brand/>
            {who}
        </header>
        <main id="main" class="page" tabindex="-1">{said}{children()}</main>
    }
}

/// The mark and the name, with what tells the back office from the members' pages.
#[component]
fn Brand() -> impl IntoView {
    view! { <a class="brand" href=HOME><Mark/>"书坊"<span class="badge">"后台"</span></a> }
}

/// Who is here, and the way out.
#[component]
fn Who(staff: Staff) -> impl IntoView {
    let roles = staff.roles_named();
    view! {
        <details class="menu member" name="menu">
            <summary><span class="who">{staff.name.clone()}</span></summary>
            <div class="drop">
                <p><strong>{staff.name}</strong></p>
                <p class="quiet">{roles}</p>
                <p class="quiet">{format!("{} 登录，12 小时后要重新登录", time::stamp(staff.since))}</p>
                <hr/>
                <p><a class="link" href="/staff/me">"我的账号"</a></p>
                <form method="post" action="/staff/logout"><button class="button wide">"退出后台"</button></form>
            </div>
        </details>
    }
}

/// The pages that somebody may open.
fn entries(staff: &Staff) -> Vec<&'static StaffEntry> {
    let Some(app) = use_context::<App>() else { return Vec::new() };
    let mut entries: Vec<_> =
        app.house.each(|slice| slice.staff_navigation).filter(|entry| staff.may(entry.needs)).collect();
    entries.sort_by_key(|entry| entry.rank);
    entries
}

#[component]
fn Entries(staff: Option<Staff>, path: String) -> impl IntoView {
    let entries: Vec<_> = staff
        .iter()
        .flat_map(entries)
        .map(|entry| {
            let below = path.strip_prefix(entry.href).is_some_and(|rest| rest.starts_with('/'));
            let current = if path == entry.href { Some("page") } else { below.then_some("true") };
            view! { <li><a href=entry.href aria-current=current>{entry.name}</a></li> }
        })
        .collect();
    let home = (path == HOME).then_some("page");
    view! { <div><ul><li><a href=HOME aria-current=home>"待办"</a></li>{entries}</ul></div> }
}

/// Buttons that have a list as a file, with the filters that are on the screen; `kind` is the list's
/// ([`Export::kind`](crate::exports::Export::kind)).
#[component]
pub fn ExportButtons(kind: &'static str, kept: Vec<(&'static str, String)>) -> impl IntoView {
    view! {
        <form class="exports" method="post" action="/staff/exports">
            <input type="hidden" name="kind" value=kind/>
            <Kept kept/>
            <span class="quiet">"导出"</span>
            <button class="button small" name="format" value="xlsx">"Excel"</button>
            <button class="button small" name="format" value="csv">"CSV"</button>
        </form>
    }
}

/// What waits until another one than whoever asked has decided; `action` takes the fields `request`, `decision` and `code`.
/// Only who may decide is given buttons. `what` is the word for what money does.
#[component]
pub fn Approvals(
    requests: Vec<Request>,
    /// The name of whoever looks at it, where that may decide.
    decides: Option<String>,
    action: String,
    /// What it comes to where all that is left is asked for.
    rest: Fen,
    #[prop(default = "退款")] what: &'static str,
) -> impl IntoView {
    requests
        .into_iter()
        .filter(|request| request.decided_at.is_none())
        .map(|request| {
            let amount = request.amount.map_or(rest, Fen);
            let agree = format!("同意{what}");
            let form = |word: &'static str, class: &'static str, name: &str, asks: bool| {
                view! {
                    <form class="fields" method="post" action=action.clone()>
                        <input type="hidden" name="request" value=request.id.clone()/>
                        <input type="hidden" name="decision" value=word/>
                        {asks.then(|| view! { <CodeField/> })}
                        <button class=class>{name.to_owned()}</button>
                    </form>
                }
            };
            let decision = decides.as_ref().map(|name| {
                if *name == request.asked_by {
                    view! {
                        <p class="hint">"等另一位同事复核；也可以自己撤回。"</p>
                        {form("decline", "button wide", "撤回", false)}
                    }
                    .into_any()
                } else {
                    view! {
                        {form("grant", "button danger wide", &agree, true)}
                        {form("decline", "button wide", "不同意", false)}
                    }
                    .into_any()
                }
            });
            view! {
                <section class="sheet warned stack">
                    <h2>{format!("待复核的{what}")}</h2>
                    <p><Money amount=amount/>"，"{request.reason.clone()}</p>
                    <p class="quiet">{request.asked_by.clone()}" 提出于 "<Moment at=request.asked_at/></p>
                    {decision}
                </section>
            }
        })
        .collect::<Vec<_>>()
}

/// The field for the code of one's own device, where money moves.
#[component]
pub fn CodeField() -> impl IntoView {
    view! {
        <Field
            name="code" label="动态验证码" inputmode="numeric" autocomplete="one-time-code" most=8 class="short"
        />
    }
}

/// How long something has waited, in words.
pub fn waited(since: i64, now: i64) -> String {
    let minutes = (now - since).max(0) / 60_000;
    match minutes {
        0 => "刚刚".to_owned(),
        1..60 => format!("{minutes} 分钟"),
        60..2880 => format!("{} 小时", minutes / 60),
        _ => format!("{} 天", minutes / 1440),
    }
}
