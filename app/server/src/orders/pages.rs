//! The list of orders, one order, and confirming one.

mod confirm;

pub use confirm::PlacePage;

use domain::ids::OrderId;
use domain::money::Fen;
use domain::order_state::{Actor, OrderState, SELF_CANCEL_MS, Times};
use leptos::prelude::*;

use super::store::{self, Order, OrderLine};
use crate::cart::PriceLines;
use crate::db::now_ms;
use crate::render::{here, loaded, parameter};
use crate::ui::parts::{Book, Moment, Money};
use crate::ui::shell::Shell;
use crate::ui::time;

/// Orders on one page.
const LIST: i64 = 200;

/// One line, as it is to be printed or was ordered.
#[component]
fn LineItem(
    src: String,
    title: String,
    trim: domain::document::Trim,
    goods: String,
    pages: u32,
    copies: u32,
    choices: Vec<(String, String)>,
    remark: String,
    total: Fen,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let spec: Vec<String> = choices.into_iter().map(|(_, item)| item).collect();
    let remark = (!remark.is_empty()).then(|| view! { <p class="spec">"备注："{remark}</p> });
    view! {
        <li>
            <Book class="thumb" src trim alt=String::new()/>
            <div>
                <h3>{title}</h3>
                <p class="quiet">
                    {goods}" · "<span class="num">{pages}</span>" 页 · "<span class="num">{copies}</span>" 本"
                </p>
                <p class="spec">{spec.join("\u{a0}· ")}</p>
                {remark}
                {children.map(|children| children())}
            </div>
            <div class="amount"><Money amount=total/></div>
        </li>
    }
}

/// GET /manager/order.
#[component]
pub fn OrdersPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let mut orders = Vec::new();
            for order in store::of_member(&here.app.db, &here.member.id, LIST).await? {
                let titles = store::titles(&here.app.db, &order.id).await?;
                orders.push((order, titles));
            }
            Ok((here.member, orders))
        },
        |(member, orders)| {
            let body = if orders.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有订单"</h2>
                        <p class="quiet">"作品做好以后，选一种印刷方式，就可以下单。"</p>
                        <a class="button primary" href="/manager/opus_list/all">"挑一件作品来印"</a>
                    </section>
                }
                .into_any()
            } else {
                let rows: Vec<_> =
                    orders.into_iter().map(|(order, titles)| view! { <Row order titles/> }).collect();
                view! {
                    <table class="records">
                        <thead>
                            <tr>
                                <th scope="col">"作品"</th>
                                <th scope="col">"内容"</th>
                                <th scope="col">"订单号"</th>
                                <th scope="col">"下单时间"</th>
                                <th scope="col">"状态"</th>
                                <th scope="col" class="end">"金额"</th>
                                <th scope="col"><span class="sr">"操作"</span></th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                }
                .into_any()
            };
            view! {
                <Shell member title="我的订单".to_owned() assets=&["orders.css"]>
                    <header class="head"><h1>"我的订单"</h1></header>
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn Row(order: Order, titles: Vec<store::Title>) -> impl IntoView {
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
            let src = format!("/manager/order/{}/line/{}/cover", order.id, title.position);
            view! { <span class="book thumb"><img src=src width="320" height="320" alt="" loading="lazy"/></span> }
        })
        .collect();
    let detail = format!("/manager/order/{}", order.id);
    let action = if order.state == OrderState::Unpaid {
        let pay = format!("/manager/shopping/pay?order={}", order.id);
        view! { <a class="button primary" href=pay>"去付款"</a> }.into_any()
    } else {
        view! { <a class="button" href=detail.clone()>"查看"</a> }.into_any()
    };
    view! {
        <tr>
            <td class="covers-cell" data-label="作品"><span class="covers">{covers}</span></td>
            <td data-label="内容">{content}</td>
            <td data-label="订单号"><a class="link num" href=detail>{order.id.to_string()}</a></td>
            <td data-label="下单时间"><Moment at=order.created_at/></td>
            <td data-label="状态"><StateBadge state=order.state/></td>
            <td class="end" data-label="金额"><Money amount=order.total/></td>
            <td class="end" data-label="">{action}</td>
        </tr>
    }
}

#[component]
fn StateBadge(state: OrderState) -> impl IntoView {
    let class = match state {
        OrderState::Unpaid | OrderState::Refunding => "badge warn",
        OrderState::Shipped | OrderState::Received | OrderState::Completed => "badge good",
        _ => "badge",
    };
    view! { <span class=class>{state.name()}</span> }
}

/// GET /manager/order/{id}: everything as it was frozen.
#[component]
pub fn OrderPage() -> impl IntoView {
    let here = here();
    let id = parameter::<OrderId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let order = store::find_for_owner(&here.app.db, &id, &here.member.id).await?;
            let lines = store::lines(&here.app.db, &id).await?;
            let events = store::events(&here.app.db, &id).await?;
            Ok((here.member, order, lines, events))
        },
        |(member, order, lines, events)| {
            let id = order.id.clone();
            let items: Vec<_> = lines
                .into_iter()
                .map(|line| {
                    let src = format!("/manager/order/{id}/line/{}/cover", line.position);
                    view! { <FrozenLine line src/> }
                })
                .collect();
            let paid = if order.paid_at.is_some() { "实付" } else { "应付" };
            view! {
                <Shell member title=format!("订单 {id}") assets=&["orders.css", "cart.css"]>
                    <header class="head">
                        <div>
                            <h1>"订单 "<span class="num">{id.to_string()}</span></h1>
                            <p>
                                <StateBadge state=order.state/>" "
                                <span class="quiet">"下单于 "<Moment at=order.created_at/></span>
                            </p>
                        </div>
                    </header>
                    <div class="parts">
                        <div class="stack">
                            <section class="sheet">
                                <h2>"印刷内容"</h2>
                                <ul class="lines">{items}</ul>
                            </section>
                            <section class="sheet">
                                <h2>"收货地址"</h2>
                                <p>
                                    <strong>{order.address.receiver.clone()}</strong>" "
                                    <span class="num">{order.address.phone.clone()}</span><br/>
                                    {order.address.spaced()}
                                </p>
                            </section>
                        </div>
                        <aside class="stack" aria-label="进度与金额">
                            <section class="sheet"><h2>"进度"</h2><Timeline state=order.state events/></section>
                            <section class="sheet">
                                <h2>"金额"</h2>
                                <dl class="facts sums">
                                    <dt>"印刷"</dt><dd><Money amount=order.goods_total/></dd>
                                    <dt>"运费"</dt><dd><Money amount=order.shipping/></dd>
                                    <dt class="sum">{paid}</dt>
                                    <dd class="sum"><Money amount=order.total class="price"/></dd>
                                </dl>
                            </section>
                            <Actions order/>
                        </aside>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn FrozenLine(line: OrderLine, src: String) -> impl IntoView {
    view! {
        <LineItem
            src
            trim=line.document.trim
            goods=line.goods.name.clone()
            pages=line.quote.pages
            copies=line.quote.count.get()
            choices=line.choices()
            remark=line.remark.clone()
            total=line.quote.total
            title=line.title
        >
            <details class="fold">
                <summary>"价格怎么来的"</summary>
                <PriceLines quote=line.quote/>
            </details>
        </LineItem>
    }
}

#[component]
fn Timeline(state: OrderState, events: Vec<(OrderState, i64)>) -> impl IntoView {
    let last = events.len().saturating_sub(1);
    let mut items: Vec<AnyView> = events
        .into_iter()
        .enumerate()
        .map(|(index, (state, at))| {
            let name = if state == OrderState::Unpaid { "提交订单" } else { state.name() };
            view! {
                <li class="done" aria-current=(index == last).then_some("step")>
                    <strong>{name}</strong><Moment at/>
                </li>
            }
            .into_any()
        })
        .collect();
    let way = [
        OrderState::Unpaid,
        OrderState::Paid,
        OrderState::InProduction,
        OrderState::Shipped,
        OrderState::Received,
        OrderState::Completed,
    ];
    if let Some(place) = way.iter().position(|step| *step == state) {
        items.extend(
            way[place + 1..].iter().map(|step| view! { <li class="next">{step.name()}</li> }.into_any()),
        );
    }
    view! { <ol class="timeline">{items}</ol> }
}

/// What the member may do now.
#[component]
fn Actions(order: Order) -> impl IntoView {
    let times = Times { paid_at: order.paid_at, now: now_ms() };
    let pay = (order.state == OrderState::Unpaid).then(|| {
        let address = format!("/manager/shopping/pay?order={}", order.id);
        view! { <a class="button primary wide" href=address>"去付款"</a> }
    });
    let cancel =
        order.state.next(Actor::Member, times).any(|state| state == OrderState::Cancelled).then(|| {
            let hint = order.paid_at.map(|paid_at| {
                let until = time::stamp(paid_at + SELF_CANCEL_MS);
                view! {
                    <p class="hint">{until}" 之前可以自行取消，"<Money amount=order.total/>" 退回余额。"</p>
                }
            });
            view! {
                <form class="stack" method="post" action=format!("/manager/order/{}/cancellation", order.id)>
                    <button class="button danger wide">{format!("取消订单 {}", order.id)}</button>
                    {hint}
                </form>
            }
        });
    view! { {pay}{cancel} }
}
