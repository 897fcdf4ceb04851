//! How a bill of another slice's is paid, on that slice's own page.

use domain::money::Fen;
use domain::payment::{LEAST, Method};
use leptos::prelude::*;
use web::render::{self, use_form};
use web::session::Member;
use web::ui::parts::Money;

use super::PasswordAgain;

/// From the balance where that is enough, and in every way from outside. The forms are sent to `page`, whose handler gives
/// what names a way to [`pay_bill`](crate::pay_bill).
#[component]
pub fn WaysToPay(
    member: Member,
    amount: Fen,
    page: String,
    ways: Vec<Method>,
    /// Whether the balance asks for the password again.
    asks_again: bool,
) -> impl IntoView {
    let enough = member.balance >= amount;
    let balance = enough.then(|| {
        view! {
            <form class="fields" method="post" action=page.clone()>
                {asks_again.then(|| view! { <PasswordAgain/> })}
                <button class="button primary wide">"用余额支付"</button>
            </form>
        }
    });
    let ways_are_none = ways.is_empty();
    let short = (!enough).then(|| {
        let short = amount.minus(member.balance).unwrap_or(amount).max(LEAST);
        let way = (!ways.is_empty()).then(|| {
            view! {
                <a class="button wide" href=format!("/manager/recharge?amount={short}")>
                    "充值差额 "<Money amount=short/>
                </a>
            }
        });
        let helped = ways_are_none.then(|| {
            view! { "在线支付还没有开通，充值请"<a class="link" href="/about/contact">"联系我们"</a>"。" }
        });
        let card = view! { <p class="hint">"有礼品卡？"<a class="link" href="/manager/gift-cards">"先转入余额"</a>"再付。"</p> };
        view! { <div class="notice warn" role="status">"余额不足。"{helped}</div>{way}{card} }
    });
    let key = use_form().or("request_key", &render::once::<String>());
    let buttons: Vec<_> = ways
        .into_iter()
        .map(|method| {
            view! { <button class="button" name="method" value=method.code()>{method.name()}</button> }
        })
        .collect();
    let outside = (!buttons.is_empty()).then(|| {
        let title = if enough { "或者用其他方式付款" } else { "用其他方式付款" };
        view! {
            <form class="outside" method="post" action=page>
                <input type="hidden" name="request_key" value=key/>
                <h2>{title}</h2>
                <div>{buttons}</div>
            </form>
        }
    });
    view! {
        {balance}
        {short}
        {outside}
    }
}
