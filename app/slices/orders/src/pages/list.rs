//! GET /manager/order: a member's orders by state, with a search, in pages.

use base::error::Error;
use base::lists;
use domain::order_state::OrderState::{self, *};
use leptos::prelude::*;
use web::render::{here, loaded, use_query};
use web::ui::lists::{Pager, Search};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::StateBadge;
use crate::picture_address;
use crate::store::{self, Filter, Order, Position};

/// Orders on one page.
const PAGE: usize = 20;

/// The views of the list: a word for the address, a name, the states.
const VIEWS: [(&str, &str, &[OrderState]); 6] = [
    ("", "全部", &[]),
    ("unpaid", "待付款", &[Unpaid]),
    ("making", "制作中", &[Paid, InProduction, Reprint]),
    ("shipped", "待收货", &[Shipped]),
    ("done", "已完成", &[Received, Completed]),
    ("closed", "取消与退款", &[Cancelled, Refunding, Refunded]),
];

/// What of the list is shown.
#[derive(Clone, Default)]
struct Shown {
    view: String,
    search: String,
}

impl Shown {
    /// The address of the same list, of another view or from another place on.
    fn address(&self, view: &str, after: Option<&Position>) -> String {
        let after = after.map(ToString::to_string);
        let after = after.as_deref().unwrap_or_default();
        lists::address("/manager/order", &[("state", view), ("q", &self.search), ("after", after)])
    }
}

/// GET /manager/order?state=…&q=…&after=….
#[component]
pub fn OrdersPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (view, search, after) = (query("state"), query("q"), query("after"));
    loaded(
        async move {
            let here = here?;
            let (_, _, states) = VIEWS.iter().find(|(word, ..)| *word == view).ok_or(Error::NotFound)?;
            let search = lists::search_text(&search);
            let after: Option<Position> = if after.is_empty() { None } else { Some(after.parse()?) };
            let filter = Filter { states: states.to_vec(), search: search.clone(), ..Filter::default() };
            let (db, member) = (&here.app.db, &here.member.id);
            let most = PAGE as i64 + 1;
            let mut found = store::page_of_member(db, member, &filter, after.as_ref(), most).await?;
            let more = found.len() > PAGE;
            found.truncate(PAGE);
            let next = found.last().filter(|_| more).map(Order::position);
            let mut orders = Vec::new();
            for order in found {
                let titles = store::titles(db, &order.id).await?;
                orders.push((order, titles));
            }
            Ok((here.member, Shown { view, search }, orders, after.is_some(), next))
        },
        |(member, shown, orders, is_later, next)| {
            let tabs: Vec<_> = VIEWS
                .iter()
                .map(|(word, name, _)| {
                    let current = (*word == shown.view).then_some("page");
                    view! { <a href=shown.address(word, None) aria-current=current>{*name}</a> }
                })
                .collect();
            let all = shown.view.is_empty() && shown.search.is_empty();
            let body = match (orders.is_empty(), all) {
                (true, true) => view! {
                    <section class="trim empty">
                        <h2>"还没有订单"</h2>
                        <p class="quiet">"作品做好以后，选一种印刷方式，就可以下单。"</p>
                        <a class="button primary" href="/manager/opus_list/all">"挑一件作品来印"</a>
                    </section>
                }
                .into_any(),
                (true, false) => view! {
                    <section class="trim empty">
                        <h2>"没有符合的订单"</h2>
                        <p class="quiet">"换一个状态，或者搜索别的订单号和书名。"</p>
                        <a class="button" href="/manager/order">"看全部订单"</a>
                    </section>
                }
                .into_any(),
                (false, _) => view! { <Table orders/> }.into_any(),
            };
            let first = is_later.then(|| shown.address(&shown.view, None));
            let next = next.map(|next| shown.address(&shown.view, Some(&next)));
            let kept = vec![("state", shown.view.clone())];
            view! {
                <Shell member title="我的订单".to_owned() assets=&["orders.css"]>
                    <header class="head">
                        <h1>"我的订单"</h1>
                        <Search action="/manager/order".to_owned() label="订单号或书名" search=shown.search kept/>
                    </header>
                    <nav class="filter" aria-label="订单状态">{tabs}</nav>
                    {body}
                    <Pager first next back="回到最新" further="更早的订单"/>
                </Shell>
            }
        },
    )
}

#[component]
fn Table(orders: Vec<(Order, Vec<store::Title>)>) -> impl IntoView {
    let rows: Vec<_> = orders.into_iter().map(|(order, titles)| row(order, titles)).collect();
    view! { <Records rows/> }
}

fn row(order: Order, titles: Vec<store::Title>) -> Record {
    let copies: i64 = titles.iter().map(|title| title.quantity).sum();
    let first = titles.first().map(|title| title.title.clone()).unwrap_or_default();
    let content = match titles.len() {
        0 | 1 => format!("{first}，{copies} 本"),
        count => format!("{first}等 {count} 件，{copies} 本"),
    };
    let covers: Vec<_> = titles
        .iter()
        .take(3)
        .map(|title| {
            let src = picture_address(&order.id, title.position, "cover", 320);
            view! { <span class="book thumb"><img src=src width="320" height="320" alt="" loading="lazy"/></span> }
        })
        .collect();
    let detail = format!("/manager/order/{}", order.id);
    let action = if order.state == Unpaid {
        let pay = format!("/manager/shopping/pay?order={}", order.id);
        view! { <a class="button primary" href=pay>"去付款"</a> }.into_any()
    } else {
        view! { <a class="button" href=detail.clone()>"查看"</a> }.into_any()
    };
    Record::new()
        .plain("作品", view! { <span class="covers">{covers}</span> })
        .cell("内容", content)
        .cell("订单号", view! { <a class="link num" href=detail>{order.id.to_string()}</a> })
        .moment("下单时间", order.created_at)
        .cell("状态", view! { <StateBadge state=order.state/> })
        .money("金额", order.total)
        .acts(action)
}
