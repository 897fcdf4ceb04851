//! A card's book: what it was worth, and each of its moves with what was left then.

use domain::gift_card::Stored;
use domain::money::Fen;
use leptos::prelude::*;

use crate::store::Card;
use crate::store::uses::{Kind, Moved};
use platform::ui::parts::{Moment, Money};

/// See above. `orders` is the address before an order's number.
#[component]
pub fn Book(card: Card, moves: Vec<Moved>, orders: &'static str) -> impl IntoView {
    let first = card.paid_at.unwrap_or(card.created_at);
    let whole = |at| Moved {
        kind: Kind::Redemption,
        amount: card.amount.negated().unwrap_or_default(),
        order: None,
        at,
    };
    // as all were before they could pay orders
    let whole = card.redeemed_at.filter(|_| card.state == Stored::Redeemed).map(whole);
    let mut left = card.amount;
    let rows: Vec<_> = moves
        .into_iter()
        .chain(whole)
        .map(|Moved { kind, amount, order, at }| {
            left = left.plus(amount).unwrap_or(left);
            let order = order.map(|order| {
                view! { " "<a class="link num" href=format!("{orders}{order}")>{order.clone()}</a> }
            });
            row(at, view! { {kind.name()}{order} }.into_any(), amount, left)
        })
        .collect();
    view! {
        <table class="records">
            <thead>
                <tr>
                    <th scope="col">"时间"</th>
                    <th scope="col">"内容"</th>
                    <th scope="col" class="end">"金额"</th>
                    <th scope="col" class="end">"卡里还有"</th>
                </tr>
            </thead>
            <tbody>{row(first, view! { "买卡" }.into_any(), card.amount, card.amount)}{rows}</tbody>
        </table>
    }
}

fn row(at: i64, what: AnyView, amount: Fen, left: Fen) -> impl IntoView {
    view! {
        <tr>
            <td data-label="时间"><Moment at/></td>
            <td data-label="内容">{what}</td>
            <td class="end" data-label="金额"><Money amount/></td>
            <td class="end" data-label="卡里还有"><Money amount=left/></td>
        </tr>
    }
}
