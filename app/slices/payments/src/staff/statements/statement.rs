//! /staff/statements/{id}: what a statement comes to, and where it differs from what is known here.

use base::lists;
use domain::statement::fee_in_fen;
use leptos::prelude::*;
use web::render::{loaded, parameter, use_query};
use web::staff::here;
use web::ui::lists::Pager;
use web::ui::parts::{Moment, Money};
use web::ui::staff::{ExportButtons, StaffShell};

use super::differences::Table;
use super::{LIST, address, days_of, net, state_of};
use crate::statements::store::{self, Statement, Wanted};

/// Rows on one page.
const PAGE: usize = 30;

/// GET /staff/statements/{id}?after=….
#[component]
pub fn StatementPage() -> impl IntoView {
    let here = here();
    let id = parameter::<String>("id");
    let after = use_query("after").unwrap_or_default();
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let statement = store::find(&here.app.db, &id).await?;
            let wanted = Wanted { statement: id, ..Wanted::default() };
            let mut rows = store::differing(&here.app.db, &wanted, &after, PAGE as i64 + 1).await?;
            let more = rows.len() > PAGE;
            rows.truncate(PAGE);
            let next = rows.last().filter(|_| more).map(|row| row.id.clone());
            Ok((statement, rows, !after.is_empty(), next))
        },
        |(statement, rows, is_later, next)| {
            let own = address(&statement.id);
            let title = format!("{} {}", statement.format.name(), days_of(&statement));
            let first = is_later.then(|| own.clone());
            let next = next.map(|next| lists::address(&own, &[("after", &next)]));
            let kept = vec![("view", format!("of:{}", statement.id))];
            let is_done = statement.done_at.is_some();
            let body = if !rows.is_empty() {
                view! {
                    <Table rows is_of_one=true/>
                    <Pager first next back="回到开头" further="下一页"/>
                    <ExportButtons kind="differences" kept/>
                }
                .into_any()
            } else if is_done {
                view! {
                    <section class="trim empty">
                        <h2>"每一笔都对得上"</h2>
                        <p class="quiet">"账单里的每一笔，本店都有；本店的每一笔，账单里也有。"</p>
                    </section>
                }
                .into_any()
            } else {
                view! { <p class="quiet">"正在一笔一笔核对，过一会儿再看。"</p> }.into_any()
            };
            view! {
                <StaffShell title=title.clone() assets=&["payments.css", "staff.css"]>
                    <p><a class="link" href=LIST>"对账"</a></p>
                    <header class="head"><h1>{title}</h1></header>
                    <Totals statement/>
                    {body}
                </StaffShell>
            }
        },
    )
}

#[component]
fn Totals(statement: Statement) -> impl IntoView {
    let (mark, state) = state_of(&statement);
    let own = address(&statement.id);
    let is_done = statement.done_at.is_some();
    let progress = (!is_done).then(|| {
        let words = format!("已读 {} 笔，共 {} 笔", statement.kept, statement.lines());
        view! { " "<span class="quiet num">{words}</span>" "<a class="link" href=own.clone()>"看看核对好了没有"</a> }
    });
    let again = is_done.then(|| {
        view! {
            <form method="post" action=format!("{own}/again")>
                <button class="button small">"再核对一次"</button>
                <p class="hint">"付款或退款的状态后来变了，可以再核对一次。已经处理过的差异不变。"</p>
            </form>
        }
    });
    view! {
        <section class="sheet stack">
            <dl class="facts">
                <dt>"核对"</dt><dd><span class=mark>{state}</span>{progress}</dd>
                <dt>"收款"</dt><dd><Money amount=statement.paid/>" "<span class="quiet num">{format!("{} 笔", statement.payments)}</span></dd>
                <dt>"退款"</dt><dd><Money amount=statement.refunded/>" "<span class="quiet num">{format!("{} 笔", statement.refunds)}</span></dd>
                <dt>"手续费"</dt><dd><Money amount=fee_in_fen(statement.fees)/></dd>
                <dt>"净额"</dt><dd><Money amount=net(&statement)/></dd>
                <dt>"上传"</dt><dd>{statement.clerk.clone()}" "<Moment at=statement.created_at/></dd>
                <dt>"文件"</dt><dd class="num long">{statement.name.clone()}</dd>
                <dt>"SHA-256"</dt><dd class="num long">{statement.sha256.clone()}</dd>
            </dl>
            {again}
        </section>
    }
}
