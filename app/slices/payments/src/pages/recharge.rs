//! /manager/recharge: how much, in which way, what was paid before, and what came onto the balance and went from it.

use base::db::now_ms;
use domain::ledger::Account;
use domain::money::Fen;
use domain::payment::{Method, PRESETS, PaymentState, read_amount};
use ledger::{Statement, StatementTable};
use leptos::prelude::*;
use web::render::{self, Form, here, loaded, use_form, use_query};
use web::ui::parts::{ErrorSummary, Field, FieldError, Money};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use crate::store::{self, Payment};

/// How many payments the page lists.
const LISTED: i64 = 50;
const PAGE: &str = "/manager/recharge";
/// What is chosen on a first visit.
const USUAL: Fen = PRESETS[1];

/// GET /manager/recharge, perhaps `?amount=12.30`, perhaps `?before=…` of an entry of the balance.
#[component]
pub fn RechargePage() -> impl IntoView {
    let here = here();
    let asked = use_query("amount").and_then(|text| read_amount(&text).ok());
    let before = use_query("before");
    loaded(
        async move {
            let here = here?;
            let db = &here.app.db;
            let payments = store::of_member(db, &here.member.id, LISTED).await?;
            let account = Account::Member(here.member.id.clone());
            let statement = Statement::read(db, &account, before).await?;
            let ways: Vec<Method> = crate::ways(&here.app)?.all().collect();
            Ok((here.member, ways, payments, statement))
        },
        move |(member, ways, payments, statement)| {
            let balance = member.balance;
            let form = if ways.is_empty() {
                view! {
                    <p class="notice">"这里还没有开通充值，需要充值请与我们联系。"</p>
                    <p><a class="link" href="/about/contact">"联系方式"</a></p>
                }
                .into_any()
            } else {
                view! { <Recharge ways asked/> }.into_any()
            };
            view! {
                <Shell member title="充值".to_owned() assets=&["payments.css"]>
                    <header class="head"><h1>"充值"</h1></header>
                    <div class="recharge">
                        <section class="trim stack">
                            <p class="due"><span class="quiet">"账户余额"</span>" "<strong><Money amount=balance/></strong></p>
                            {form}
                            <p class="hint">"收到了礼品卡，或者想买一张送人？"<a class="link" href="/manager/gift-cards">"去礼品卡"</a></p>
                        </section>
                        <div class="stack">
                            <Before payments/>
                            <section id="balance">
                                <h2>"余额明细"</h2>
                                <StatementTable statement path=PAGE.to_owned() section="balance"/>
                            </section>
                        </div>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Recharge(ways: Vec<Method>, asked: Option<Fen>) -> impl IntoView {
    let form = use_form();
    let key = form.or("request_key", &render::once::<String>());
    let first = if asked.is_some() { String::new() } else { USUAL.to_string() };
    // a browser sends no radio button that is not chosen
    let chosen = if form.is_sent() { form.get("preset").to_owned() } else { first };
    let presets: Vec<_> = PRESETS
        .into_iter()
        .map(|amount| {
            let value = amount.to_string();
            let whole = value.strip_suffix(".00").unwrap_or(&value).to_owned();
            view! {
                <label>
                    <input type="radio" name="preset" value=value.clone() checked=chosen == value/>
                    <span>{format!("{whole} 元")}</span>
                </label>
            }
        })
        .collect();
    view! {
        <ErrorSummary title="还不能付款"/>
        <form class="fields" method="post" action="/manager/recharge">
            <input type="hidden" name="request_key" value=key/>
            <fieldset class="chips"><legend>"充值金额"</legend><div>{presets}</div></fieldset>
            <Field
                name="amount"
                label="其他金额（元），填写后以此为准"
                value=asked.map(|amount| amount.to_string()).unwrap_or_default()
                most=12
                inputmode="decimal"
                autocomplete="off"
            />
            <Methods ways form/>
            <button class="button primary wide">"去付款"</button>
        </form>
    }
}

#[component]
fn Methods(ways: Vec<Method>, form: Form) -> impl IntoView {
    let first = ways.first().map(|method| method.code()).unwrap_or_default();
    let chosen = if form.is_sent() { form.get("method").to_owned() } else { first.to_owned() };
    let wrong = form.error("method").is_some();
    let choices: Vec<_> = ways
        .into_iter()
        .enumerate()
        .map(|(at, method)| {
            let code = method.code();
            let hint = match method {
                Method::Wechat => "手机扫码",
                Method::Alipay => "到支付宝页面付款",
                Method::Transfer => "银行转账，人工确认到账",
                Method::Demo => "演示站点，不收钱",
            };
            view! {
                <label>
                    <input
                        type="radio"
                        // an error above leads here
                        id=(at == 0).then_some("method")
                        name="method"
                        value=code
                        checked=chosen == code
                        required=true
                        aria-describedby=wrong.then_some("method-error")
                    />
                    <span>{method.name()}<small>{hint}</small></span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="chips">
            <legend>"付款方式"</legend>
            <div>{choices}</div>
            <FieldError name="method".to_owned()/>
        </fieldset>
    }
}

/// What the member has paid, or begun to pay, from outside.
#[component]
fn Before(payments: Vec<Payment>) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = payments
        .into_iter()
        .map(|payment| {
            let purpose = match (&payment.order, &payment.bill) {
                (Some(_), _) => "支付订单",
                (None, Some(_)) => "购买",
                (None, None) => "充值",
            };
            let (mark, state) = state_of(&payment, now);
            let own = format!("/manager/payment/{}", payment.id);
            let about = format!("：{purpose} {} 元", payment.amount);
            Record::new()
                .moment("时间", payment.created_at)
                .cell("用途", purpose)
                .cell("方式", payment.method.name())
                .cell("状态", view! { <span class=mark>{state}</span> })
                .money("金额", payment.amount)
                .acts(view! { <a class="link" href=own>"查看"<span class="sr">{about}</span></a> })
        })
        .collect();
    let body = if rows.is_empty() {
        view! { <p class="quiet">"还没有付款记录。"</p> }.into_any()
    } else {
        view! { <Records rows/> }.into_any()
    };
    view! { <section><h2>"付款记录"</h2>{body}</section> }
}

/// A payment's state for people, with the class of its mark.
fn state_of(payment: &Payment, now: i64) -> (&'static str, &'static str) {
    match payment.state {
        PaymentState::Paid => ("badge good", "已付款"),
        _ if payment.is_over(now) => ("badge", "已过期"),
        _ => ("badge warn", "待付款"),
    }
}
