//! What may be given back of an order, on its page of the back office.

use domain::ids::OrderId;
use domain::money::Fen;
use leptos::prelude::*;
use web::render::{self, use_form};
use web::ui::parts::{Field, FieldError, Money};
use web::ui::staff::CodeField;

use super::super::forms::BACK;
use super::sent::{CopiesFields, Sent};
use crate::giving_back::seen;

/// All that is left, some copies, or an amount.
#[component]
pub fn Refund(action: String, sent: Sent) -> impl IntoView {
    let form = use_form();
    // pressed twice it gives back once
    let key: OrderId = render::once();
    let key = form.or("key", key.as_str());
    let part = form.or("part", "");
    // also when nothing was chosen
    let is_sent = !part.is_empty() || form.error("part").is_some();
    let seen = form.or("seen", &seen(&sent.order, &sent.sending));
    let (kept, shipping) = (sent.order.kept(), sent.prices.shipping);
    let lines: Vec<_> = sent
        .titles
        .iter()
        .filter_map(|title| {
            let line = sent.prices.lines.get(&title.position)?;
            let left = line.left();
            let each = line.price(1).unwrap_or_default();
            let name = format!("《{}》每本 ¥{}", title.title, each.grouped());
            (left > 0).then_some((title.position, name, left))
        })
        .collect();
    let unsent = !sent.sending.rest(sent.order.state).is_empty();
    let hint = if unsent {
        "先退还没有寄的：它们不再印制，也不再寄出。剩下的都寄出了，订单就算已发货；一本不剩，就是全部退款。"
    } else {
        "书已经寄出，只退钱；退了款的不能再重印。一本不剩，就是全部退款。"
    };
    let choice = |word: &'static str, name: AnyView| {
        view! {
            <label>
                <input type="radio" name="part" value=word checked=part == word/>
                <span>{name}</span>
            </label>
        }
    };
    let whole = view! { "全部退款 "<Money amount=kept/>"，订单结束" }.into_any();
    let with_shipping = (shipping > Fen::ZERO).then(|| {
        view! {
            <label class="check">
                <input type="checkbox" name="shipping" value="Y" checked=!form.get("shipping").is_empty()/>
                <span>"运费 "<Money amount=shipping/>" 也退"</span>
            </label>
        }
    });
    view! {
        <details class="sheet fold" open=is_sent>
            <summary>"退款"</summary>
            <form class="fields" method="post" action=action>
                <input type="hidden" name="key" value=key/>
                <input type="hidden" name="seen" value=seen/>
                <div class="addresses" role="radiogroup" aria-label="退多少" id="part">
                    {choice("whole", whole)}
                    {choice("copies", "退几本".into_any())}
                    {choice("some", "退一部分钱，书照常做".into_any())}
                    <FieldError name="part".to_owned()/>
                </div>
                <details class="fold" open=part == "copies">
                    <summary>"退几本：写本数"</summary>
                    <div class="fields">
                        <CopiesFields prefix=BACK lines/>
                        {with_shipping}
                        <p class="hint">"金额按每本的实付价算，折扣已经扣除，由系统算到分。"{hint}</p>
                    </div>
                </details>
                <Field name="amount" label="退一部分钱的金额（元）" inputmode="decimal" most=12/>
                <Field name="reason" label="原因（会员会看到）" most=200 required=true/>
                <CodeField/>
                <p class="hint">"款项退回会员的余额；从外部付来的钱，可以再从“收款”里原路退回。"</p>
                <button class="button danger wide">"退款"</button>
            </form>
        </details>
    }
}
