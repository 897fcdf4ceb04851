//! /manager/upgrade/{id}: a confirmed term, paid here; afterwards its receipt.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::TermId;
use domain::membership::{PRICE_HOLDS_MS, Quote, TermState};
use domain::money::Fen;
use domain::payment::{Method, way_name};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Here, here, loaded, parameter};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Moment, Money};
use web::ui::shell::Shell;

use super::quote::{self, Credited};
use super::store::terms::{self as rows, Term};
use super::terms::{self, KIND, NotPaid, Owned};
use super::{UPGRADE, address, say};
use payments::{self, Bill, WaysToPay};

/// POST /manager/upgrade/{id}: the whole term, from the balance, or from outside where `method` names a way. The term is the
/// key, so pressing twice pays once.
pub async fn pay(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<TermId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let term = rows::find_for_owner(&app.db, &id, &member.id).await?;
    let page = address(&id);
    let mut form = read_form(&body)?;
    if term.state != TermState::Unpaid {
        return Ok(Redirect::to(&page).into_response());
    }
    if !matches!(form.get("method"), "" | "balance") {
        // nobody is sent to pay for what can't be had any more: the page says so
        if what_is_due(&app, &term, now_ms()).await?.is_err() {
            return render::again(&app, parts, &page, form).await;
        }
        let title = format!("书坊 {}", term.title());
        let bill = Bill { kind: KIND.to_owned(), id: id.to_string(), title, page };
        return payments::pay_bill(&app, &member, parts, form, bill, term.amount).await;
    }
    if accounts::asks_again(&app, &member).await?
        && let Err(refusal) = accounts::knows_password(&app, &parts, &page, &mut form, &member).await?
    {
        return Ok(refusal);
    }
    match terms::pay_from_balance(&app, &id, &member.id, now_ms()).await {
        Ok(_) => return Ok(Redirect::to(&page).into_response()),
        Err(NotPaid::Failed(error)) => return Err(error),
        Err(NotPaid::InsufficientBalance) => form.refuse("", NotPaid::InsufficientBalance.to_string()),
        Err(NotPaid::Not(reason)) => form.refuse("", say(&reason)),
        Err(reason) => form.refuse("", reason.to_string()),
    }
    render::again(&app, parts, &page, form).await
}

/// What paying a term would do now, or why it can't be paid any more.
async fn what_is_due(app: &App, term: &Term, now: i64) -> Result<Result<Quote, String>, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    let basis = rows::count_paid(&mut tx, &term.member).await?;
    drop(tx);
    let owned = Owned::of(&app.db, &term.member, now).await?;
    match terms::due(term, &owned, basis, now) {
        Ok(quote) => Ok(Ok(quote)),
        Err(NotPaid::Failed(error)) => Err(error),
        Err(NotPaid::Not(reason)) => Ok(Err(say(&reason))),
        Err(reason) => Ok(Err(format!("{reason}。"))),
    }
}

/// What the page shows beside the term.
enum Shown {
    Due {
        quote: Quote,
        ways: Vec<Method>,
        asks_again: bool,
    },
    /// Not paid, and can't be any more: why.
    Over(String),
    /// With the terms whose place it took.
    Had(Vec<Term>),
}

async fn load(here: Result<Here, Error>, id: Result<TermId, Error>) -> Result<(Member, Term, Shown), Error> {
    let Here { app, member } = here?;
    let term = rows::find_for_owner(&app.db, &id?, &member.id).await?;
    let state = if term.state != TermState::Unpaid {
        Shown::Had(rows::replaced_by(&app.db, &term.id, &member.id).await?)
    } else {
        match what_is_due(&app, &term, now_ms()).await? {
            Err(reason) => Shown::Over(reason),
            Ok(quote) => {
                let ways = payments::ways(&app)?.all().collect();
                Shown::Due { quote, ways, asks_again: accounts::asks_again(&app, &member).await? }
            }
        }
    };
    Ok((member, term, state))
}

/// GET /manager/upgrade/{id}.
#[component]
pub fn TermPage() -> impl IntoView {
    let here = here();
    let id = parameter::<TermId>("id");
    loaded(load(here, id), |(member, term, state)| {
        let (title, body) = match state {
            Shown::Due { quote, ways, asks_again } => {
                let due = view! { <Due member=member.clone() term quote ways asks_again/> };
                ("付款", due.into_any())
            }
            Shown::Over(reason) => ("没有付款", view! { <Over term reason/> }.into_any()),
            Shown::Had(replaced) => ("会员收据", view! { <Receipt term replaced/> }.into_any()),
        };
        view! {
            <Shell member title=title.to_owned() assets=&["payments.css", "membership.css"]>
                <div class="till quote">
                    <header>
                        <p><a class="link" href=UPGRADE>"会员升级"</a></p>
                        <h1>{title}</h1>
                    </header>
                    <ErrorSummary title="没有付款"/>
                    <div class="trim stack">{body}</div>
                </div>
            </Shell>
        }
    })
}

#[component]
fn Due(member: Member, term: Term, quote: Quote, ways: Vec<Method>, asks_again: bool) -> impl IntoView {
    let credit = (term.credit > Fen::ZERO).then(|| {
        view! { <dt>"抵扣"</dt><dd><Money amount=term.credit.negated().unwrap_or_default()/></dd> }
    });
    let balance = member.balance;
    view! {
        <p class="due"><span class="quiet">"应付"</span>" "<strong><Money amount=term.amount/></strong></p>
        <dl class="facts sums">
            <dt>"内容"</dt><dd>{term.step.name()}" "{term.title()}</dd>
            <dt>"价格"</dt><dd><Money amount=term.price/></dd>
            {credit}
            <dt>"现在付款，到"</dt><dd><Moment at=quote.until()/></dd>
            <dt>"价格保留到"</dt><dd><Moment at=term.created_at + PRICE_HOLDS_MS/></dd>
            <dt>"账户余额"</dt><dd><Money amount=balance/></dd>
        </dl>
        <WaysToPay member amount=term.amount page=address(&term.id) ways asks_again/>
    }
}

#[component]
fn Over(term: Term, reason: String) -> impl IntoView {
    let again = quote::place(term.tier, term.months).unwrap_or_else(|_| UPGRADE.to_owned());
    view! {
        <div class="notice warn" role="status">{reason}</div>
        <p>"没有扣款。若您已经用其他方式付了款，钱到账后在您的账户余额里。"</p>
        <dl class="facts sums">
            <dt>"内容"</dt><dd>{term.step.name()}" "{term.title()}</dd>
            <dt>"金额"</dt><dd><Money amount=term.amount/></dd>
        </dl>
        <a class="button primary wide" href=again>"按现在的价格重新确认"</a>
    }
}

#[component]
fn Receipt(term: Term, replaced: Vec<Term>) -> impl IntoView {
    let told = match term.state {
        TermState::Replaced => "这段会员已经升级，没有开始的天数折进了新的会员。",
        TermState::Refunded => "这段会员已经结束，没有开始的天数退回了您的账户余额。",
        _ => "已经付款，会员已开通。",
    };
    let class = if term.state == TermState::Paid { "notice good" } else { "notice" };
    let at = term.paid_at.unwrap_or_default();
    let counted: Vec<_> = replaced
        .into_iter()
        .map(|old| {
            let at = old.ended_at.unwrap_or(at);
            view! { <Credited term=old at/> }
        })
        .collect();
    let credits = (!counted.is_empty()).then(|| {
        view! {
            <dt>"抵扣"</dt>
            <dd>
                <Money amount=term.credit.negated().unwrap_or_default()/>
                <ul class="credits">{counted}</ul>
            </dd>
        }
    });
    let days = (term.days > 0).then(|| view! { <dt>"多抵的天数"</dt><dd class="num">{term.days}" 天"</dd> });
    let span = term.span.map(|(from, until)| {
        view! { <dt>"从"</dt><dd><Moment at=from/></dd><dt>"到"</dt><dd><Moment at=until/></dd> }
    });
    let ended = term.ended_at.map(|ended| {
        let label = if term.state == TermState::Refunded { "已退回余额" } else { "折进新会员" };
        view! {
            <dt>"提前结束"</dt><dd><Moment at=ended/></dd>
            <dt>{label}</dt><dd><Money amount=term.rest/></dd>
        }
    });
    // what was paid back is no turnover
    let invoice = (term.kept() > Fen::ZERO).then(|| {
        view! { <p><a class="link" href=format!("/manager/invoice/new?term={}", term.id)>"发票"</a></p> }
    });
    view! {
        <div class=class role="status">{told}</div>
        <dl class="facts sums">
            <dt>"内容"</dt><dd>{term.step.name()}" "{term.title()}</dd>
            <dt>"价格"</dt><dd><Money amount=term.price/></dd>
            {credits}
            {days}
            <dt class="sum">"实付"</dt><dd class="sum"><Money amount=term.amount/></dd>
            <dt>"方式"</dt><dd>{way_name(term.way.as_deref())}</dd>
            <dt>"付款时间"</dt><dd><Moment at/></dd>
            {span}
            {ended}
            <dt>"编号"</dt><dd class="num long">{term.id.to_string()}</dd>
        </dl>
        {invoice}
        <a class="button wide" href=UPGRADE>"回到会员升级"</a>
    }
}
