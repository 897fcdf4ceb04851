//! /staff/invoices: requests to issue, issued ones to correct, and all of them.

use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::ids::InvoiceId;
use domain::invoice::InvoiceState;
use leptos::prelude::*;
use web::render::{loaded, use_query};
use web::staff::here;
use web::ui::lists::Pager;
use web::ui::records::{Record, Records};
use web::ui::staff::{StaffShell, waited};

use super::{CORRECTION, LATE_MS, LIST, Of, address};
use crate::pages::StateBadge;
use crate::store::staff::{self as rows, Listed, View};

/// Invoices on one page.
const PAGE: usize = 30;
/// The views: a word for the address, a name, what an empty one says, and what is listed.
const VIEWS: [(&str, &str, &str, View); 3] = [
    ("", "待开票", "没有待开的发票", View::Requested),
    (CORRECTION, "需红冲", "没有要红冲的发票", View::ToCorrect),
    ("all", "全部", "还没有人申请发票", View::All),
];

/// GET /staff/invoices?view=…&after=….
#[component]
pub fn StaffInvoicesPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (word, after) = (query("view"), query("after"));
    loaded(
        async move {
            let here = here?;
            let (_, _, empty, view) =
                VIEWS.into_iter().find(|(known, ..)| *known == word).ok_or(Error::NotFound)?;
            let after: Option<InvoiceId> =
                if after.is_empty() { None } else { Some(after.parse().map_err(|_| Error::NotFound)?) };
            // one more than is shown says whether there is another page
            let mut found = rows::page(&here.app.db, view, after.as_ref(), PAGE as i64 + 1).await?;
            let more = found.len() > PAGE;
            found.truncate(PAGE);
            let next = found.last().filter(|_| more).map(|listed| listed.invoice.id.to_string());
            Ok((word, empty, found, after.is_some(), next))
        },
        |(word, empty, found, is_later, next)| {
            let place = |word: &str, after: &str| lists::address(LIST, &[("view", word), ("after", after)]);
            let tabs: Vec<_> = VIEWS
                .into_iter()
                .map(|(known, name, ..)| {
                    let current = (known == word).then_some("page");
                    view! { <a href=place(known, "") aria-current=current>{name}</a> }
                })
                .collect();
            let first = is_later.then(|| place(&word, ""));
            let next = next.map(|next| place(&word, &next));
            let body = if found.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>{empty}</h2>
                        <p class="quiet">"会员申请发票，或者开票以后有退款时，在这里办理。"</p>
                    </section>
                }
                .into_any()
            } else {
                view! { <Table found/> }.into_any()
            };
            view! {
                <StaffShell title="发票".to_owned() assets=&["invoices.css", "staff.css"]>
                    <header class="head"><h1>"发票"</h1></header>
                    <nav class="filter" aria-label="发票状态">{tabs}</nav>
                    {body}
                    <Pager first next back="回到开头" further="下一页"/>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Table(found: Vec<Listed>) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = found.into_iter().map(|listed| row(listed, now)).collect();
    view! { <Records rows/> }
}

fn row(Listed { invoice, since, .. }: Listed, now: i64) -> Record {
    let to_correct = invoice.needs_correction();
    let waits = (invoice.state == InvoiceState::Requested || to_correct).then(|| {
        let class = (now - since > LATE_MS).then_some("late");
        view! { <span class=class>{waited(since, now)}</span> }
    });
    let correct = to_correct.then(|| view! { " "<span class="badge bad">"需红冲"</span> });
    let code =
        invoice.title.code().map(|code| view! { <br/><span class="num quiet">{code.to_string()}</span> });
    let name = invoice.title.name().to_owned();
    let about = format!("：{name}，{} 元", invoice.amount);
    let own = address(&invoice.id);
    Record::new()
        .moment("申请", invoice.requested_at)
        .cell("抬头", view! { <span>{name}{code}</span> })
        .cell("开什么", view! { <Of of=invoice.of/> })
        .cell("接收邮箱", invoice.email)
        .cell("状态", view! { <span><StateBadge state=invoice.state/>{correct}</span> })
        .cell("等了", waits)
        .money("金额", invoice.amount)
        .acts(view! { <a class="link" href=own>"办理"<span class="sr">{about}</span></a> })
}
