//! /manager/upgrade/quote: what a term costs and why, from when until when. Confirmed, it is frozen.

use axum::extract::{RawForm, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::membership::{NotSold, Quote, Step, lost, read_wanted};
use domain::money::Fen;
use domain::tier::{Feature, Tier, allows};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use web::app::App;
use web::render::{self, Here, here, loaded, use_query};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Moment, Money};
use web::ui::shell::Shell;

use super::store::terms::Term;
use super::terms::{self, NotPaid, Owned, Wanted};
use super::{QUOTE, UPGRADE, address, prices, say};

/// POST /manager/upgrade/quote: freezes the price that the page shows. The amounts of the form only say what the member has
/// seen.
pub async fn confirm(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let broken = |_| Error::Incomplete;
    if form.get("tier").is_empty() {
        return Err(Error::Incomplete);
    }
    let (tier, months) = read_wanted(form.get("tier"), form.get("months"))
        .map_err(|reason| Error::BadRequest(reason.to_string()))?;
    let amount: Fen = form.get("amount").parse().map_err(broken)?;
    let credit: Fen = form.get("credit").parse().map_err(broken)?;
    match terms::confirm(&app, &member.id, Wanted { tier, months, amount, credit }, now_ms()).await {
        Ok(id) => return Ok(Redirect::to(&address(&id)).into_response()),
        Err(NotPaid::Failed(error)) => return Err(error),
        // the page itself says so
        Err(NotPaid::Not(_)) => {}
        Err(reason) => form.refuse("", reason.to_string()),
    }
    render::again(&app, parts, &place(tier, months)?, form).await
}

/// The page of a quote.
pub fn place(tier: Tier, months: u32) -> Result<String, Error> {
    let query = serde_urlencoded::to_string([("tier", tier.name()), ("months", &months.to_string())]);
    Ok(format!("{QUOTE}?{}", query.map_err(Error::internal)?))
}

struct Loaded {
    member: Member,
    owned: Owned,
    valid_from: String,
    quote: Result<Quote, NotSold>,
    now: i64,
}

async fn load(
    here: Result<Here, Error>,
    tier: Option<String>,
    months: Option<String>,
) -> Result<Loaded, Error> {
    let Here { app, member } = here?;
    let wanted = read_wanted(&tier.unwrap_or_default(), &months.unwrap_or_default());
    let (tier, months) = wanted.map_err(|reason| Error::BadRequest(format!("{reason}。")))?;
    let now = now_ms();
    let book = prices::book(&app, now).await?;
    let price = book.price(tier, months).ok_or(Error::NotFound)?;
    let owned = Owned::of(&app.db, &member.id, now).await?;
    let quote = owned.quote(tier, months, price, now);
    Ok(Loaded { member, owned, valid_from: book.valid_from, quote, now })
}

/// GET /manager/upgrade/quote?tier=…&months=….
#[component]
pub fn QuotePage() -> impl IntoView {
    let here = here();
    let answer = use_context::<ResponseOptions>();
    let (tier, months) = (use_query("tier"), use_query("months"));
    loaded(load(here, tier, months), move |Loaded { member, owned, valid_from, quote, now }| {
        let (title, body) = match quote {
            Ok(quote) => (
                match quote.step {
                    Step::Upgrade => format!("升级到{}", quote.tier),
                    step => format!("{}{}", step.name(), quote.tier),
                },
                view! { <Explained has=member.tier owned valid_from quote now/> }.into_any(),
            ),
            Err(reason) => {
                if let Some(answer) = answer {
                    answer.set_status(StatusCode::UNPROCESSABLE_ENTITY);
                }
                let way = matches!(reason, NotSold::Lower { until: None, .. })
                    .then(|| view! { <a class="button" href="/about/contact">"联系我们"</a> });
                let told = view! {
                    <div class="notice warn" role="alert">{say(&reason)}</div>
                    <div class="row"><a class="button primary" href=UPGRADE>"看看其他选择"</a>{way}</div>
                };
                ("现在不能这样购买".to_owned(), told.into_any())
            }
        };
        view! {
            <Shell member title=title.clone() assets=&["payments.css", "membership.css"]>
                <div class="till quote">
                    <header>
                        <p><a class="link" href=UPGRADE>"会员升级"</a></p>
                        <h1>{title}</h1>
                    </header>
                    <ErrorSummary title="没有确认"/>
                    <div class="trim stack">{body}</div>
                </div>
            </Shell>
        }
    })
}

/// What of a term was not used at a moment, and how that is reckoned.
#[component]
pub fn Credited(term: Term, at: i64) -> impl IntoView {
    let paid = term.paid()?;
    let (days, left, unused) = (paid.days(), paid.days_left(at), paid.unused(at));
    Some(view! {
        <li>
            <span>
                {format!("{}，{} 至 {}：", term.tier, time::day(paid.from), time::day(paid.until))}
                {format!("{days} 天里有 {left} 天没有开始")}
            </span>
            <span class="num quiet">{format!("¥{} × {left} ÷ {days} = ", paid.value.grouped())}<Money amount=unused/></span>
        </li>
    })
}

#[component]
fn Explained(has: Tier, owned: Owned, valid_from: String, quote: Quote, now: i64) -> impl IntoView {
    let Quote { step, tier, months, price, credit, amount, days, from, .. } = quote;
    let until = quote.until();
    let counted: Vec<_> = if step == Step::Upgrade {
        owned.terms.into_iter().map(|term| view! { <Credited term at=now/> }).collect()
    } else {
        Vec::new()
    };
    let credits = (step == Step::Upgrade).then(|| {
        view! {
            <dt>"抵扣"</dt>
            <dd>
                <Money amount=credit.negated().unwrap_or_default()/>
                <ul class="credits">{counted}</ul>
            </dd>
        }
    });
    let more = (days > 0).then(|| {
        let rest = credit.minus(price).unwrap_or_default();
        view! {
            <dt>"多抵的"</dt>
            <dd>"¥"{rest.grouped()}" 折成"{tier.name()}" "<strong class="num">{days}</strong>" 天，加在后面"</dd>
        }
    });
    let begins = match step {
        Step::Renew => "接着现在的到期日",
        Step::Begin | Step::Upgrade => "付款后马上开始",
    };
    let opens: Vec<&str> = Feature::all()
        .filter(|feature| allows(tier, *feature) && !allows(has, *feature))
        .map(Feature::name)
        .collect();
    let opens = (!opens.is_empty()).then(|| view! { <dt>"新打开"</dt><dd>{opens.join("、")}</dd> });
    let shuts: Vec<&str> = lost(has, tier).map(Feature::name).collect();
    let shuts = (!shuts.is_empty()).then(|| {
        let text = format!("{tier}不含{}：这些功能马上关上，已经做好和卖出的都还在。", shuts.join("、"));
        view! { <div class="notice warn">{text}</div> }
    });
    let label = if amount == Fen::ZERO { "确认，马上生效" } else { "确认，去付款" };
    view! {
        <p class="due"><span class="quiet">"应付"</span>" "<strong><Money amount/></strong></p>
        {shuts}
        <dl class="facts sums">
            <dt>"内容"</dt><dd>{format!("{tier} {months} 个月")}</dd>
            <dt>"价格"</dt>
            <dd><Money amount=price/>" "<small class="quiet">{format!("{valid_from} 起的价目")}</small></dd>
            {credits}
            {more}
            <dt>"从"</dt><dd><Moment at=from/>" "<small class="quiet">{begins}</small></dd>
            <dt>"到"</dt><dd><Moment at=until/></dd>
            {opens}
        </dl>
        <form class="stack" method="post" action=QUOTE>
            <input type="hidden" name="tier" value=tier.name()/>
            <input type="hidden" name="months" value=months.to_string()/>
            <input type="hidden" name="amount" value=amount.to_string()/>
            <input type="hidden" name="credit" value=credit.to_string()/>
            <button class="button primary wide">{label}</button>
        </form>
        <p class="hint">"确认以后，这个价格和抵扣为您保留七天。"</p>
    }
}
