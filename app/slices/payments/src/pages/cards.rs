//! Gift cards at the till: those on the order, those that the member has, and a code that is typed.

use domain::ids::OrderId;
use domain::money::Fen;
use leptos::prelude::*;
use web::prepaid::PrepaidCard;
use web::render::use_form;
use web::ui::parts::{Field, Money};

use crate::forms::{CARD, OFF, TYPED};

/// The address that all these forms are sent to.
const PAY: &str = "/manager/shopping/pay";

/// Those on the order, as rows of its sums.
#[component]
pub fn CardRows(order: OrderId, cards: Vec<PrepaidCard>) -> impl IntoView {
    cards
        .into_iter()
        .filter(|card| card.pays > Fen::ZERO)
        .map(|PrepaidCard { id, name, pays, .. }| {
            let off = pays.negated().unwrap_or_default();
            view! {
                <dt>{name.clone()}</dt>
                <dd>
                    <form class="put-card" method="post" action=PAY>
                        <input type="hidden" name="order" value=order.to_string()/>
                        <button class="link" name="method" value=format!("{OFF}{id}")>
                            "取下"<span class="sr">{name}</span>
                        </button>
                        <Money amount=off/>
                    </form>
                </dd>
            }
        })
        .collect::<Vec<_>>()
}

/// Those that may be put on it.
#[component]
pub fn MoreCards(order: OrderId, cards: Vec<PrepaidCard>) -> impl IntoView {
    let is_wrong = use_form().error("card").is_some();
    let own: Vec<_> = cards
        .into_iter()
        .filter(|card| card.pays == Fen::ZERO && card.free > Fen::ZERO)
        .map(|PrepaidCard { id, name, free, .. }| {
            view! {
                <form method="post" action=PAY>
                    <input type="hidden" name="order" value=order.to_string()/>
                    <button class="button wide" name="method" value=format!("{CARD}{id}")>
                        {format!("用{name}（有 ¥{}）", free.grouped())}
                    </button>
                </form>
            }
        })
        .collect();
    view! {
        {own}
        <details class="fold" open=is_wrong>
            <summary>"用礼品卡的卡号"</summary>
            <form class="type-card" method="post" action=PAY>
                <input type="hidden" name="order" value=order.to_string()/>
                <Field name="card" label="卡号（16 位）" most=40 autocomplete="off" inputmode="text"/>
                <button class="button" name="method" value=TYPED>"使用"</button>
                <p class="hint">"先收进您的账户，再用来付这份订单；用不完的留在卡里。"</p>
            </form>
        </details>
    }
}
