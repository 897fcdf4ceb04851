//! /staff/orders: orders by what is to be done, the oldest first; or all of them, the newest first.

use base::db::now_ms;
use base::error::Error;
use base::lists;
use domain::order_state::{OrderState::*, SELF_CANCEL_MS};
use domain::staff::Capability;
use leptos::prelude::*;
use web::render::{loaded, use_form, use_query};
use web::staff::here;
use web::ui::lists::{Pager, Search};
use web::ui::parts::ErrorSummary;
use web::ui::records::{Record, Records};
use web::ui::staff::{ExportButtons, StaffShell, waited};

use super::{FILES, LABELS, LIST, PARCELS, REPRINTS, SLIPS, TICKETS, address};
use crate::content;
use crate::pages::StateBadge;
use crate::store::{self, Filter, Order, Position, list::Sort};

/// Orders on one page.
const PAGE: usize = 50;

/// The views: a word for the address, a name.
const VIEWS: [(&str, &str); 7] = [
    ("paid", "待开印"),
    ("making", "印制中"),
    ("asked", "申请取消"),
    ("second", "待复核"),
    ("shipped", "已发货"),
    ("unpaid", "待付款"),
    ("", "全部"),
];

/// What people call a view.
pub fn view_name(view: &str) -> String {
    VIEWS.iter().find(|(word, _)| *word == view).map_or(view, |(_, name)| name).to_owned()
}

/// What a view lists; nothing where there is no such view.
pub fn filter(view: &str, search: &str, now: i64) -> Option<Filter> {
    let of = |states: &[_]| Filter { states: states.to_vec(), sort: Sort::Waiting, ..Filter::default() };
    let found = match view {
        // what its member may still cancel is not to be printed yet; what is to be made again was paid long ago
        "paid" => Filter { paid_before: Some(now - SELF_CANCEL_MS), ..of(&[Paid, Reprint]) },
        "making" => of(&[InProduction]),
        "asked" => Filter { asked: true, ..of(&[]) },
        "second" => Filter { second: true, ..of(&[]) },
        "shipped" => of(&[Shipped]),
        "unpaid" => of(&[Unpaid]),
        "" => Filter::default(),
        _ => return None,
    };
    Some(Filter { search: search.to_owned(), ..found })
}

/// GET /staff/orders?view=…&q=…&after=….
#[component]
pub fn OrdersPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (view, search, after) = (query("view"), lists::search_text(&query("q")), query("after"));
    loaded(
        async move {
            let here = here?;
            let filter = filter(&view, &search, now_ms()).ok_or(Error::NotFound)?;
            let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
            let mut found = store::staff_page(&here.app.db, &filter, after.as_ref(), PAGE as i64 + 1).await?;
            let more = found.len() > PAGE;
            found.truncate(PAGE);
            let next = found.last().filter(|_| more).map(|order| filter.sort.position(order));
            let mut orders = Vec::new();
            for order in found {
                let titles = store::titles(&here.app.db, &order.id).await?;
                orders.push((order, titles));
            }
            Ok((here.staff, view, search, orders, after.is_some(), next))
        },
        |(staff, view, search, orders, is_later, next)| {
            let place = |view: &str, after: Option<&Position>| {
                let after = after.map(ToString::to_string).unwrap_or_default();
                lists::address(LIST, &[("view", view), ("q", &search), ("after", &after)])
            };
            let tabs: Vec<_> = VIEWS
                .iter()
                .map(|(word, name)| {
                    let current = (*word == view).then_some("page");
                    view! { <a href=place(word, None) aria-current=current>{*name}</a> }
                })
                .collect();
            let prints = staff.may(Capability::Print);
            let parcels = prints.then(|| view! { <a class="button" href=PARCELS>"批量填运单"</a> });
            let again = view! { <a class="link" href=REPRINTS>"重印统计"</a> };
            let first = is_later.then(|| place(&view, None));
            let next = next.map(|next| place(&view, Some(&next)));
            let kept = vec![("view", view.clone())];
            let exported = vec![("view", view.clone()), ("q", search.clone())];
            let chosen = prints && matches!(view.as_str(), "paid" | "making");
            let starts = chosen && view == "paid";
            let body = if orders.is_empty() {
                view! {
                    <section class="trim empty"><h2>"没有这样的订单"</h2><p class="quiet">"换一个状态，或者搜索别的。"</p></section>
                }
                .into_any()
            } else {
                let of = (view.clone(), search.clone());
                view! { <Table orders chosen starts of/> }.into_any()
            };
            view! {
                <StaffShell title="订单".to_owned() assets=&["orders.css", "staff.css"]>
                    <header class="head">
                        <h1>"订单"</h1>
                        {parcels}
                        {again}
                        <Search action=LIST.to_owned() label="订单号、手机、运单、书名" search kept/>
                    </header>
                    <ErrorSummary title="没有办成"/>
                    <nav class="filter" aria-label="订单状态">{tabs}</nav>
                    {body}
                    <Pager first next back="回到开头" further="下一页"/>
                    <ExportButtons kind="orders" kept=exported/>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Table(
    orders: Vec<(Order, Vec<store::Title>)>,
    chosen: bool,
    starts: bool,
    /// The view and the search that they were found by.
    of: (String, String),
) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = orders.into_iter().map(|(order, titles)| row(order, titles, now, chosen)).collect();
    let table = view! { <Records rows class="dense"/> };
    if !chosen {
        return table.into_any();
    }
    let start = starts.then(|| {
        view! { <button class="button primary">"开始印制"</button> }
    });
    let hint = |words: &'static str| view! { <p class="quiet">{words}</p> };
    // they only read: an address that may be opened again
    view! {
        <form method="post" action=format!("{LIST}/start")>
            <input type="hidden" name="view" value=of.0/>
            <input type="hidden" name="q" value=of.1/>
            {table}
            <div class="actionbar">
                {(!starts).then(|| hint("勾选订单"))}
                <div class="downloads">
                    <button class="button" formmethod="get" formaction=TICKETS>"工单"</button>
                    <button class="button" formmethod="get" formaction=FILES>"全部文件"</button>
                    <button class="button" formmethod="get" formaction=LABELS>"面单"</button>
                    <button class="button" formmethod="get" formaction=SLIPS>"装箱单"</button>
                </div>
                {starts.then(|| hint("开印后会员不能再取消"))}
                {start}
            </div>
        </form>
    }
    .into_any()
}

fn row(order: Order, titles: Vec<store::Title>, now: i64, chosen: bool) -> Record {
    let copies: i64 = titles.iter().map(|title| title.quantity).sum();
    let first = titles.first().map_or("", |title| title.title.as_str());
    let content = format!("{}，{copies} 本", content(first, titles.len() as i64));
    let waits = if order.state.is_ended() { String::new() } else { waited(order.state_since, now) };
    let number = order.id.to_string();
    // refused ones stay ticked
    let ticked = use_form().all("order").any(|sent| sent == number);
    let choice = view! {
        <label class="check">
            <input type="checkbox" name="order" value=number.clone() checked=ticked aria-label=format!("选择订单 {number}")/>
        </label>
    };
    let receiver = view! { {order.address.receiver.clone()}" "<span class="num quiet">{order.address.phone.clone()}</span> };
    Record::new()
        .when(chosen, |record| record.unseen("choice", "选择", choice))
        .cell("订单号", view! { <a class="link num" href=address(&order.id)>{number.clone()}</a> })
        .cell("内容", content)
        .cell("收货人", receiver)
        .moment("下单", order.created_at)
        .cell("状态", view! { <StateBadge state=order.state/> })
        .cell("等了", waits)
        .money("金额", order.total)
}
