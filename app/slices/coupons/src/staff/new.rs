//! /staff/coupons/new: what a coupon takes off, for what, for whom, how often, and what is typed for it.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::coupon::{Benefit, LONGEST_NAME, MOST_CODES, Problem, Rule, WORD, is_word};
use domain::days::{DAY_MS, day_start};
use domain::goods::Goods;
use domain::ids::CouponId;
use domain::money::Fen;
use domain::typed;
use leptos::prelude::*;
use web::app::App;
use web::approvals::Outcome;
use web::render::{self, Form, loaded, use_form};
use web::staff::{Staff, here};
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{ErrorSummary, Field, FieldError};
use web::ui::staff::{StaffShell, said};

use super::address;
use crate::make::{self, Called, Made, Wanted};
use crate::{LIST, NEW};

/// An amount that somebody typed; nothing where the field is empty.
fn amount(form: &mut Form, field: &str) -> Option<Fen> {
    Fen::read(form.get(field)).unwrap_or_else(|_| {
        form.refuse(field, "请写多少元，例如 20 或 9.90");
        None
    })
}

/// The beginning of a day that somebody typed.
fn day(form: &mut Form, field: &str) -> Option<i64> {
    let found = day_start(&typed::day(form.get(field)));
    if found.is_none() {
        let is_empty = form.get(field).trim().is_empty();
        form.refuse(field, if is_empty { "请选择日期" } else { "日期写成 2026-11-23 这样" });
    }
    found
}

/// What a form says. What is wrong is said in the form.
fn read(form: &mut Form, known: &[GoodsChoice], now: i64) -> Option<Wanted> {
    let id: Option<CouponId> = form.own("coupon");
    check_length(form, "name", "名称", 1, LONGEST_NAME);
    let benefit = match form.get("benefit") {
        "amount" => Some(Benefit::Amount(amount(form, "amount").unwrap_or_default())),
        "percent" => {
            let off = typed::whole::<u32>(form.get("percent"), &["%", "％"]).unwrap_or(0);
            Some(Benefit::Percent { off, cap: amount(form, "cap") })
        }
        _ => {
            form.refuse("benefit", "请选择减一个金额，还是减百分之几");
            None
        }
    };
    let least = amount(form, "least").unwrap_or_default();
    let goods: Vec<_> =
        known.iter().filter(|goods| form.all("goods").any(|id| id == goods.id.as_str())).collect();
    let goods: Vec<_> = goods.into_iter().map(|goods| goods.id.clone()).collect();
    if goods.is_empty() && form.get("for") == "some" {
        form.refuse("goods", "请至少选一种商品，或者改为所有商品");
    }
    let goods = if form.get("for") == "some" { goods } else { Vec::new() };
    let (from, until) = (day(form, "from"), day(form, "until"));
    let most = match (form.get("called"), form.get("most")) {
        ("word", text) if !typed::is_blank(text) => Some(typed::whole(text, &["次", "单"]).unwrap_or(0)),
        _ => None,
    };
    let is_dated = from.is_some() && until.is_some();
    let rule = benefit.map(|benefit| Rule {
        benefit,
        least,
        goods,
        from: from.unwrap_or(now),
        until: until.map_or(now + DAY_MS, |until| until + DAY_MS),
        once: !form.get("once").is_empty(),
        most,
    });
    let problems = rule.as_ref().map(|rule| rule.problems(now)).unwrap_or_default();
    let say = |form: &mut Form, problem: Problem| {
        // a field that could not be read has its own word
        let is_said = form.error(problem.field()).is_some();
        let is_of_days = matches!(problem, Problem::Order | Problem::Past | Problem::Long);
        if !is_said && (is_dated || !is_of_days) {
            form.refuse(problem.field(), problem.to_string());
        }
    };
    // in the order of the fields: how often stands behind what is typed
    for problem in problems.iter().copied().filter(|problem| *problem != Problem::Uses) {
        say(form, problem);
    }
    let called = match form.get("called") {
        "word" => {
            let word = typed::code(form.get("word")).to_ascii_uppercase();
            if !is_word(&word) {
                form.refuse("word", format!("优惠码是 {} 到 {} 个字母或数字", WORD.start(), WORD.end()));
            }
            Some(Called::Word(word))
        }
        "batch" => {
            let codes = typed::whole::<u32>(form.get("codes"), &["个", "张"]);
            let codes = codes.filter(|codes| (1..=MOST_CODES).contains(codes));
            if codes.is_none() {
                form.refuse("codes", format!("数量须是 1 到 {MOST_CODES} 的整数"));
            }
            codes.map(Called::Batch)
        }
        _ => {
            form.refuse("called", "请选择一个词，还是一批券码");
            None
        }
    };
    if problems.contains(&Problem::Uses) {
        say(form, Problem::Uses);
    }
    if form.is_refused() {
        return None;
    }
    Some(Wanted { id: id?, name: typed::words(form.get("name")), rule: rule?, called: called? })
}

/// POST /staff/coupons/new: sent again, it makes nothing more.
pub async fn add(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let known = choices(&app).await?;
    let Some(wanted) = read(&mut form, &known, now_ms()) else {
        return render::again(&app, parts, NEW, form).await;
    };
    let own = address(&wanted.id);
    match make::make(&app, wanted, &staff.name).await? {
        Made::Good => Ok(Redirect::to(&said(&own, Outcome::Done)).into_response()),
        Made::Waits => Ok(Redirect::to(&said(&own, Outcome::Asked)).into_response()),
        Made::Before => {
            audit::unchanged();
            Ok(Redirect::to(&said(&own, false)).into_response())
        }
        Made::WordTaken => {
            form.refuse("word", "已经有这个优惠码了，停用的也不能再用，请换一个");
            render::again(&app, parts, NEW, form).await
        }
    }
}

/// Goods that a coupon may be for.
#[derive(Debug, Clone)]
struct GoodsChoice {
    id: domain::ids::GoodsId,
    name: String,
}

async fn choices(app: &App) -> Result<Vec<GoodsChoice>, Error> {
    let choice = |goods: &Goods| GoodsChoice { id: goods.id.clone(), name: goods.name.clone() };
    Ok(catalog::all(app).await?.iter().map(|goods| choice(goods)).collect())
}

/// GET /staff/coupons/new.
#[component]
pub fn NewPage() -> impl IntoView {
    let here = here();
    loaded(async move { choices(&here?.app).await }, |goods| {
        view! {
            <StaffShell title="新建优惠券".to_owned() assets=&["staff.css", "coupons.css"]>
                <header class="head">
                    <div>
                        <p><a class="link" href=LIST>"优惠券"</a></p>
                        <h1>"新建优惠券"</h1>
                    </div>
                </header>
                <ErrorSummary title="优惠券还没有做好"/>
                <Fields goods/>
            </StaffShell>
        }
    })
}

/// A choice between ways, of which each has fields of its own below it.
#[component]
fn Way(name: &'static str, value: &'static str, label: &'static str, chosen: String) -> impl IntoView {
    view! {
        <label class="check">
            <input type="radio" name=name value=value checked=chosen == value/>
            {label}
        </label>
    }
}

#[component]
fn Fields(goods: Vec<GoodsChoice>) -> impl IntoView {
    let form = use_form();
    let id: CouponId = render::once();
    let id = form.or("coupon", id.as_str());
    let (benefit, called, whom) =
        (form.or("benefit", "amount"), form.or("called", "word"), form.or("for", "all"));
    let once = !form.is_sent() || !form.get("once").is_empty();
    let boxes: Vec<_> = goods
        .into_iter()
        .map(|goods| {
            let checked = form.all("goods").any(|id| id == goods.id.as_str());
            view! {
                <label class="check">
                    <input type="checkbox" name="goods" value=goods.id.to_string() checked=checked/>
                    {goods.name}
                </label>
            }
        })
        .collect();
    let today = time::day(now_ms());
    view! {
        <form class="stack coupon-form" method="post" action=NEW>
            <input type="hidden" name="coupon" value=id/>
            <section class="sheet fields">
                <h2>"减多少"</h2>
                <Field name="name" label="名称（只有后台看得到）" most=40 required=true/>
                <fieldset class="field" id="benefit">
                    <legend>"优惠"</legend>
                    <div class="row">
                        <Way name="benefit" value="amount" label="减一个金额" chosen=benefit.clone()/>
                        <Way name="benefit" value="percent" label="减百分之几" chosen=benefit/>
                    </div>
                    <FieldError name="benefit".to_owned()/>
                </fieldset>
                <div class="fields two of-amount">
                    <Field name="amount" label="减多少（元）" inputmode="decimal" most=10/>
                </div>
                <div class="fields two of-percent">
                    <Field name="percent" label="减百分之几（15 就是 85 折）" inputmode="numeric" most=3/>
                    <Field name="cap" label="最多减（元，可不填）" inputmode="decimal" most=10/>
                </div>
                <div class="fields two">
                    <Field name="least" label="印刷满多少可用（元，可不填）" inputmode="decimal" most=10/>
                </div>
                <p class="hint">"只减印刷，不减运费和作者加价；不管怎么减，印刷至少付 0.01 元。"</p>
            </section>
            <section class="sheet fields">
                <h2>"用在什么上"</h2>
                <fieldset class="field" id="goods">
                    <legend>"商品"</legend>
                    <div class="row">
                        <Way name="for" value="all" label="所有商品" chosen=whom.clone()/>
                        <Way name="for" value="some" label="只有这些：" chosen=whom/>
                    </div>
                    <div class="some">{boxes}</div>
                    <FieldError name="goods".to_owned()/>
                </fieldset>
                <div class="fields two">
                    <Field name="from" label="第一天" kind="date" value=today required=true/>
                    <Field name="until" label="最后一天（当天仍可用）" kind="date" required=true/>
                </div>
                <label class="check">
                    <input type="checkbox" name="once" value="Y" checked=once/>
                    "每位会员只能用一次"
                </label>
            </section>
            <section class="sheet fields">
                <h2>"会员输入什么"</h2>
                <fieldset class="field" id="called">
                    <legend>"优惠码"</legend>
                    <div class="row">
                        <Way name="called" value="word" label="一个大家都能用的词" chosen=called.clone()/>
                        <Way name="called" value="batch" label="一批券码，每个用一次" chosen=called/>
                    </div>
                    <FieldError name="called".to_owned()/>
                </fieldset>
                <div class="fields two of-word">
                    <Field name="word" label="优惠码（如 SPRING26）" most=15 autocomplete="off" inputmode="text"/>
                    <Field name="most" label="一共可用几次（可不填）" inputmode="numeric" most=7/>
                </div>
                <div class="fields two of-batch">
                    <Field name="codes" label="几个券码（1 到 5,000）" inputmode="numeric" most=5/>
                </div>
            </section>
            <p class="hint">"一共能减的金额超过单人限额，或者没有上限时，要另一位同事复核以后才能用。"</p>
            <div class="actionbar">
                <p class="quiet">"做好以后不能改，只能停用"</p>
                <button class="button primary">"做好"</button>
            </div>
        </form>
    }
}
