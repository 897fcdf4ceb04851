//! A card's book: what it was worth, and each of its moves with what was left then.

use domain::gift_card::Stored;
use domain::money::Fen;
use leptos::prelude::*;
use web::ui::records::{Record, Records};

use crate::store::Card;
use crate::store::uses::{Kind, Moved};

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
    let bought = row(first, "买卡".into_any(), card.amount, card.amount);
    let rest = moves.into_iter().chain(whole).map(|Moved { kind, amount, order, at }| {
        left = left.plus(amount).unwrap_or(left);
        let order = order.map(|order| {
            view! { " "<a class="link num" href=format!("{orders}{order}")>{order.clone()}</a> }
        });
        row(at, view! { {kind.name()}{order} }.into_any(), amount, left)
    });
    let rows: Vec<_> = std::iter::once(bought).chain(rest).collect();
    view! { <Records rows/> }
}

fn row(at: i64, what: AnyView, amount: Fen, left: Fen) -> Record {
    Record::new().moment("时间", at).cell("内容", what).money("金额", amount).money("卡里还有", left)
}
