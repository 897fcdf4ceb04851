//! Paying an order, and having paid.

mod bill;
mod cards;
mod payment;
mod recharge;

use base::error::Error;
use base::time;
use domain::ids::OrderId;
use domain::money::Fen;
use domain::order_state::{OrderState, SELF_CANCEL_MS};
use domain::payment::{LEAST, Method};
use leptos::prelude::*;
use web::prepaid;
use web::render::{self, here, loaded, use_form, use_query};
use web::session::Member;
use web::slice::Purse;
use web::ui::parts::{BuyingSteps, ErrorSummary, Field, Money};
use web::ui::shell::Shell;

use self::cards::{CardRows, MoreCards};
use super::forms::PURSE;
use super::store;
use orders::{self, Order};

pub use bill::WaysToPay;
pub use payment::PaymentPage;
pub use recharge::RechargePage;

async fn load(here: Result<web::render::Here, Error>, id: Option<String>) -> Result<(Member, Order), Error> {
    let here = here?;
    let id: OrderId = id.and_then(|id| id.parse().ok()).ok_or(Error::NotFound)?;
    let order = orders::find_for_owner(&here.app.db, &id, &here.member.id).await?;
    Ok((here.member, order))
}

/// GET /manager/shopping/pay?order=…
#[component]
pub fn PayPage() -> impl IntoView {
    // it says whom to pay: nobody should pay once more
    render::unkept();
    let here = here();
    let id = use_query("order");
    let what = async move {
        let app = here.as_ref().ok().map(|here| here.app.clone());
        let (member, order) = load(here, id).await?;
        let app = app.ok_or(Error::NotFound)?;
        let asks_again = accounts::asks_again(&app, &member).await?;
        let mut purses = Vec::new();
        for slice in app.house.slices.iter().filter_map(|slice| slice.purses) {
            purses.extend(slice.of_member(&app, &member.id).await?);
        }
        // what goes back of an order that both had paid would have to be told apart
        purses.retain(|purse| order.by_cards == Fen::ZERO && purse.amount >= order.total);
        let cards = match prepaid::of_house(&app).filter(|_| order.state == OrderState::Unpaid) {
            Some(prepaid) => prepaid.of_member(&app, &member.id, Some(&order.id)).await?,
            None => Vec::new(),
        };
        Ok((member, order, super::ways(&app)?.all().collect::<Vec<_>>(), asks_again, purses, cards))
    };
    loaded(what, |(member, order, ways, asks_again, purses, cards)| {
        let detail = format!("/manager/order/{}", order.id);
        let (sum, by_cards) = (order.due(), order.by_cards > Fen::ZERO);
        let after = member.balance.minus(sum).ok();
        let enough = after.filter(|after| !after.is_negative());
        let (label, amount) = match enough {
            Some(after) => ("付后余额", view! { <Money amount=after/> }.into_any()),
            None => {
                let short = sum.minus(member.balance).unwrap_or(sum);
                ("还差", view! { <Money amount=short class="price"/> }.into_any())
            }
        };
        let due = order.state == OrderState::Unpaid;
        let (owed, shown) = match (due, by_cards) {
            (true, true) => ("还要付", sum),
            (true, false) => ("应付", sum),
            (false, _) => ("订单金额", order.total),
        };
        let balance_row = (due && sum > Fen::ZERO)
            .then(|| view! { <dt class="sum">{label}</dt><dd class="sum">{amount}</dd> });
        let whole = (due && by_cards).then(|| {
            view! { <dt>"订单金额"</dt><dd><Money amount=order.total/></dd> }
        });
        let on_it = due.then(|| view! { <CardRows order=order.id.clone() cards=cards.clone()/> });
        let more = (due && sum > Fen::ZERO).then(|| view! { <MoreCards order=order.id.clone() cards/> });
        let purses = due.then(|| view! { <FromPurses order=order.id.clone() purses asks_again/> });
        let action = if !due {
            view! {
                <div class="notice" role="status">{format!("这份订单{}，不需要付款。", order.state)}</div>
                <a class="button primary wide" href=detail>"查看订单"</a>
            }
            .into_any()
        } else if enough.is_some() {
            let button = match (by_cards, sum > Fen::ZERO) {
                (true, false) => "用礼品卡支付",
                (true, true) => "用礼品卡和余额支付",
                (false, _) => "用余额支付",
            };
            let back = format!("付后 60 分钟内可以自行取消，退回{}。", back_to(&order));
            let outside = (sum > Fen::ZERO).then(|| {
                let title = if by_cards {
                    "或者用其他方式付余下的"
                } else {
                    "或者用其他方式付全款"
                };
                view! { <Outside order=order.id.clone() ways title/> }
            });
            view! {
                <form class="fields" method="post" action="/manager/shopping/pay">
                    <input type="hidden" name="order" value=order.id.to_string()/>
                    {asks_again.then(|| view! { <PasswordAgain/> })}
                    <button class="button primary wide">{button}</button>
                </form>
                <p class="hint">{back}</p>
                {outside}
                <a class="link" href=detail>"查看订单"</a>
            }
            .into_any()
        } else if ways.is_empty() {
            view! {
                <div class="notice warn" role="status">
                    "余额不足，暂时不能付款。订单会为您保留，余额足够后在订单里付款。"
                </div>
                <a class="button primary wide" href=detail>"查看订单"</a>
            }
            .into_any()
        } else {
            let short = sum.minus(member.balance).unwrap_or(sum).max(LEAST);
            let (whole, title) =
                if by_cards { ("余下的", "直接付余下的") } else { ("全款", "直接付全款") };
            view! {
                <div class="notice warn" role="status">{format!("余额不足。可以直接付{whole}，也可以先充值差额，再用余额支付。")}</div>
                <Outside order=order.id.clone() ways title primary=true/>
                <a class="button wide" href=format!("/manager/recharge?amount={short}")>
                    "充值差额 "<Money amount=short/>
                </a>
                <a class="link" href=detail>"查看订单"</a>
            }
            .into_any()
        };
        let balance = member.balance;
        view! {
            <Shell member title="付款".to_owned() assets=&["payments.css"]>
                <BuyingSteps at=2/>
                <div class="till">
                    <h1 class="sr">"付款"</h1>
                    <ErrorSummary title="没有付款"/>
                    <div class="trim stack">
                        <p class="due">
                            <span class="quiet">{owed}</span>" "<strong><Money amount=shown/></strong>
                        </p>
                        <dl class="facts sums">
                            <dt>"订单号"</dt><dd class="num long">{order.id.to_string()}</dd>
                            {whole}
                            {on_it}
                            <dt>"账户余额"</dt><dd><Money amount=balance/></dd>
                            {balance_row}
                        </dl>
                        {more}
                        {purses}
                        {action}
                    </div>
                </div>
            </Shell>
        }
    })
}

/// Where the money goes when the member cancels.
fn back_to(order: &Order) -> &'static str {
    match (order.by_cards > Fen::ZERO, order.due() > Fen::ZERO) {
        (true, true) => "礼品卡和余额",
        (true, false) => "礼品卡",
        (false, _) => "余额",
    }
}

/// Money of others' that is enough for the whole order.
#[component]
fn FromPurses(order: OrderId, purses: Vec<Purse>, asks_again: bool) -> impl IntoView {
    purses
        .into_iter()
        .map(|Purse { id, name, amount }| {
            view! {
                <form class="fields" method="post" action="/manager/shopping/pay">
                    <input type="hidden" name="order" value=order.to_string()/>
                    {asks_again.then(|| view! { <PasswordAgain/> })}
                    <button class="button wide" name="method" value=format!("{PURSE}{id}")>
                        {format!("用{name}支付（有 ¥{}）", amount.grouped())}
                    </button>
                </form>
            }
        })
        .collect::<Vec<_>>()
}

/// Ways to pay the whole order that are not the balance.
#[component]
fn Outside(
    order: OrderId,
    ways: Vec<Method>,
    title: &'static str,
    #[prop(optional)] primary: bool,
) -> impl IntoView {
    if ways.is_empty() {
        return None;
    }
    let key = use_form().or("request_key", &render::once::<String>());
    let buttons: Vec<_> = ways
        .into_iter()
        .enumerate()
        .map(|(at, method)| {
            let class = if primary && at == 0 { "button primary" } else { "button" };
            view! { <button class=class name="method" value=method.code()>{method.name()}</button> }
        })
        .collect();
    Some(view! {
        <form class="outside" method="post" action="/manager/shopping/pay">
            <input type="hidden" name="order" value=order.to_string()/>
            <input type="hidden" name="request_key" value=key/>
            <h2>{title}</h2>
            <div>{buttons}</div>
        </form>
    })
}

/// The password once more, in a session that began with a phone.
#[component]
fn PasswordAgain() -> impl IntoView {
    view! {
        <p class="hint">"您是扫码登录的，用余额付款前请输入密码。"</p>
        <Field
            name="current"
            label="登录密码"
            kind="password"
            most=128
            autocomplete="current-password"
            required=true
        />
    }
}

/// GET /manager/shopping/success?order=…
#[component]
pub fn SuccessPage() -> impl IntoView {
    let here = here();
    let id = use_query("order");
    loaded(
        async move {
            let app = here.as_ref().ok().map(|here| here.app.clone());
            let (member, order) = load(here, id).await?;
            // an order that was never paid has no success to show
            let app = app.filter(|_| order.paid_at.is_some()).ok_or(Error::NotFound)?;
            let method = store::method_of_order(&app.db, &order.id).await?;
            let mut name = method.map_or("余额", Method::name);
            for slice in app.house.slices.iter().filter_map(|slice| slice.purses) {
                if slice.paid(&app, &order.id).await? {
                    name = "额度";
                }
            }
            Ok((member, order, name))
        },
        |(member, order, method)| {
            let until = time::stamp(order.paid_at.unwrap_or_default() + SELF_CANCEL_MS);
            let balance = member.balance;
            let (rest, by_cards) = (order.due(), order.by_cards);
            let cards = (by_cards > Fen::ZERO).then(|| view! { "礼品卡付 "<Money amount=by_cards/>"，" });
            let others = (rest > Fen::ZERO).then(|| view! { {method}"付 "<Money amount=rest/>"，" });
            let hint = (order.state == OrderState::Paid)
                .then(|| view! { <p class="hint">{until}" 之前还可以自行取消。"</p> });
            view! {
                <Shell member title="付款成功".to_owned() assets=&["payments.css"]>
                    <BuyingSteps at=4/>
                    <div class="till">
                        <div class="trim stack thanks">
                            <p>
                                <span class="book thumb">
                                    <img
                                        src=orders::picture_address(&order.id, 1, "cover", 320)
                                        width="320"
                                        height="320"
                                        alt=""
                                    />
                                </span>
                            </p>
                            <h1>"付款成功"</h1>
                            <p>
                                "已用"{cards}{others}"余额 "<Money amount=balance/>"。"<br/>
                                "接下来我们会检查文件，然后开印。"
                            </p>
                            {hint}
                            <div class="stack">
                                <a class="button primary wide" href=format!("/manager/order/{}", order.id)>
                                    "查看订单"
                                </a>
                                <a class="link" href="/manager/opus_list/all">"回到作品"</a>
                            </div>
                        </div>
                    </div>
                </Shell>
            }
        },
    )
}
