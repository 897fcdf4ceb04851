//! The list of orders, one order, and confirming one.

mod confirm;
mod detail;
mod list;
mod preview;
mod printed;

pub use confirm::{PlacePage, ReorderPage, confirmation};
pub use detail::{OrderPage, Timeline};
pub use list::OrdersPage;
pub use preview::names as opening_names;
pub use printed::PrintedPage;

use base::db::{Db, now_ms};
use base::error::Error;
use base::time;
use domain::coupon::Taken;
use domain::goods::Days;
use domain::money::Fen;
use domain::order_state::OrderState;
use domain::price::Quote;
use leptos::prelude::*;
use web::ui::parts::{Book, Moment, Money};

use crate::store::Order;
use cart::ChoiceLine;
use production::Told;

/// When lines are made that are paid today: they leave together, when the last is made.
async fn if_paid_today(db: &Db, told: &[Told]) -> Result<Option<String>, Error> {
    let Some(days) = Days::together(told.iter().map(|line| line.goods.making_days)) else { return Ok(None) };
    let today = time::date(now_ms());
    Ok(Some(match production::reckoned(db, told, today).await? {
        Some(last) if last > days.after(today).1 => {
            format!("今天付款，最晚 {}做好寄出。", time::day_near(last, today))
        }
        Some(_) => format!("付款后约 {days} 个工作日做好寄出。"),
        None => UNSAID.to_owned(),
    }))
}

/// What is said where the shop is full for years.
const UNSAID: &str = "现在排得很满，哪天能做好还说不准。";

/// One line, as it is to be printed or was ordered.
#[component]
pub fn LineItem(
    src: String,
    title: String,
    trim: domain::document::Trim,
    goods: String,
    pages: u32,
    copies: u32,
    choices: Vec<(String, String)>,
    remark: String,
    total: Fen,
    #[prop(optional)] hung: bool,
    /// What stands below it, over its whole width.
    #[prop(optional)]
    below: Option<AnyView>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let remark = (!remark.is_empty()).then(|| view! { <p class="spec">"备注："{remark}</p> });
    view! {
        <li>
            <Book class="thumb" src trim alt=String::new() hung/>
            <div>
                <h3>{title}</h3>
                <p class="quiet">
                    {goods}" · "<span class="num">{pages}</span>" 页 · "<span class="num">{copies}</span>" 本"
                </p>
                <ChoiceLine choices=choices/>
                {remark}
                {children.map(|children| children())}
            </div>
            <div class="amount"><Money amount=total/></div>
            {below.map(|below| view! { <div class="seen">{below}</div> })}
        </li>
    }
}

/// What a line costs before a coupon: its sum has what that takes off by itself.
pub fn before_coupon(quote: &Quote) -> Fen {
    quote.total.plus(quote.coupon()).unwrap_or(quote.total)
}

/// What printing costs, and what a coupon takes off it, as rows of an order's sums.
#[component]
pub fn PrintingSum(printing: Fen, coupon: Option<Taken>) -> impl IntoView {
    let coupon = coupon.map(|Taken { code, rule, amount, .. }| {
        let off = amount.negated().unwrap_or_default();
        view! {
            <dt>"优惠券 "<span class="num">{code}</span><br/><small class="quiet">{rule}</small></dt>
            <dd><Money amount=off/></dd>
        }
    });
    view! { <dt>"印刷"</dt><dd><Money amount=printing/></dd>{coupon} }
}

/// What gift cards pay of an order, and what of it went back whither, as rows of its sums.
#[component]
pub fn CardAndBackSums(order: Order) -> impl IntoView {
    let rest = order.refunded.minus(order.back_to_cards).unwrap_or_default();
    let rows = [("其中礼品卡", order.by_cards), ("已退回礼品卡", order.back_to_cards), ("已退回余额", rest)];
    rows.into_iter()
        .filter(|(_, amount)| *amount > Fen::ZERO)
        .map(|(label, amount)| view! { <dt>{label}</dt><dd><Money amount/></dd> })
        .collect::<Vec<_>>()
}

/// How many copies of a line were refunded by themselves, where some were.
#[component]
pub fn RefundedCopies(copies: u32) -> impl IntoView {
    (copies > 0).then(
        || view! { <p><span class="badge warn">"已退款 "<span class="num">{copies}</span>" 本"</span></p> },
    )
}

/// Whether the member looked at the proof of a line, and where that can still be done.
#[component]
pub fn Proofed(at: Option<i64>, see: Option<String>) -> impl IntoView {
    match (at, see) {
        (Some(at), _) => {
            view! { <p><span class="badge good">"样稿已确认"</span>" "<span class="quiet"><Moment at/></span></p> }.into_any()
        }
        (None, Some(see)) => view! {
            <p>
                <span class="badge warn">"还没有看样"</span>" "
                <a class="link" href=see>"看样稿"</a>
            </p>
        }
        .into_any(),
        (None, None) => view! { <p><span class="badge">"下单前没有看样"</span></p> }.into_any(),
    }
}

/// A state, in its colour.
#[component]
pub fn StateBadge(state: OrderState) -> impl IntoView {
    let class = match state {
        OrderState::Unpaid | OrderState::Refunding => "badge warn",
        OrderState::Shipped | OrderState::Received | OrderState::Completed => "badge good",
        _ => "badge",
    };
    view! { <span class=class>{state.name()}</span> }
}
