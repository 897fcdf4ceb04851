//! A card that the member has: what is left, what is set aside for its orders, and its book.

use base::db::now_ms;
use domain::money::Fen;
use leptos::prelude::*;
use web::render::use_query;
use web::session::Member;
use web::ui::parts::{ErrorSummary, Money};
use web::ui::shell::Shell;

use super::book::Book;
use crate::PAGE;
use crate::cards::own_address;
use crate::store::Card;
use crate::store::uses::Moved;
use crate::using::short;

/// See above. `waiting` are the unpaid orders that it is on, each with how much.
#[component]
pub fn Mine(member: Member, card: Card, moves: Vec<Moved>, waiting: Vec<(String, Fen)>) -> impl IntoView {
    let (class, state) = card.mark(now_ms());
    let rest = card.rest();
    let done = (use_query("done").as_deref() == Some("redeemed")).then(|| {
        view! { <div class="notice good" role="status">"卡里的钱都转入您的余额了。"</div> }
    });
    let is_free = waiting.is_empty();
    let waiting: Vec<_> = waiting
        .into_iter()
        .map(|(order, amount)| {
            let pay = format!("/manager/shopping/pay?order={order}");
            view! {
                <li><Money amount/>" 留给待付款的订单 "<a class="link num" href=pay>{order}</a></li>
            }
        })
        .collect();
    let waiting = (!is_free).then(|| view! { <ul class="set-aside">{waiting}</ul> });
    let own = own_address(&card.id);
    let use_it = (rest > Fen::ZERO).then(|| {
        let redeem = is_free.then(|| {
            view! {
                <form method="post" action=format!("{own}/redemption")>
                    <button class="button wide">"全部转入余额"</button>
                </form>
                <p class="hint">"余额还可以买会员和阅读；转过去的钱不再回到卡里。"</p>
            }
        });
        view! {
            <section class="sheet stack">
                <h2>"怎么用"</h2>
                <p class="quiet">"付订单时，在付款页选这张卡：够就全付，不够的用余额或其他方式补上，用不完的留在卡里。"</p>
                {redeem}
            </section>
        }
    });
    let from = (!card.giver.is_empty()).then(|| view! { <p class="quiet">{card.giver.clone()}" 送的"</p> });
    let words = (!card.words.is_empty())
        .then(|| view! { <blockquote class="gift-words">{card.words.clone()}</blockquote> });
    let title = format!("礼品卡 {}", short(card.id.as_str()));
    view! {
        <Shell member title=title.clone() assets=&["giftcards.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=PAGE>"礼品卡"</a></p>
                    <h1>{title}</h1>
                    <p><span class=class>{state}</span></p>
                </div>
            </header>
            {done}
            <ErrorSummary title="没有办成"/>
            <div class="parts">
                <section class="sheet stack">
                    <p class="card-rest"><span class="quiet">"卡里还有"</span>" "<strong><Money amount=rest/></strong></p>
                    {waiting}
                    {from}
                    {words}
                    <h2>"明细"</h2>
                    <Book card moves orders="/manager/order/"/>
                </section>
                <div class="stack">{use_it}</div>
            </div>
        </Shell>
    }
}
