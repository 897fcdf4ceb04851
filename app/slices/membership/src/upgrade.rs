//! /manager/upgrade 会员升级: the tiers side by side, with what each opens and costs.

use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::membership::{MONTHS, NotSold, PRICE_HOLDS_MS, PriceBook, Quote, SOLD, Step, TermState};
use domain::money::Fen;
use domain::tier::{Feature, Tier, allows};
use leptos::prelude::*;
use web::render::{Here, here, loaded};
use web::session::Member;
use web::ui::parts::{Moment, Money};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::store::terms::{self as rows, Term};
use super::terms::Owned;
use super::{QUOTE, address, prices, say};

/// How many of a member's terms are listed.
const LISTED: i64 = 50;

struct Loaded {
    member: Member,
    owned: Owned,
    book: PriceBook,
    history: Vec<Term>,
    now: i64,
}

async fn load(here: Result<Here, Error>) -> Result<Loaded, Error> {
    let Here { app, member } = here?;
    let now = now_ms();
    let owned = Owned::of(&app.db, &member.id, now).await?;
    let book = prices::book(&app, now).await?;
    let history = rows::of_member(&app.db, &member.id, now - PRICE_HOLDS_MS, LISTED).await?;
    Ok(Loaded { member, owned, book, history, now })
}

/// GET /manager/upgrade.
#[component]
pub fn UpgradePage() -> impl IntoView {
    let here = here();
    loaded(load(here), |Loaded { member, owned, book, history, now }| {
        let cards: Vec<_> = SOLD
            .into_iter()
            .map(|tier| {
                let offers: Vec<_> = MONTHS
                    .into_iter()
                    .filter_map(|months| Some((months, book.price(tier, months)?)))
                    .map(|(months, price)| (months, price, owned.quote(tier, months, price, now)))
                    .collect();
                view! { <Card tier has=member.tier offers/> }
            })
            .collect();
        view! {
            <Shell member=member.clone() title="会员升级".to_owned() assets=&["membership.css"]>
                <header class="head"><h1>"会员升级"</h1></header>
                <Standing member owned/>
                <ul class="tiers">{cards}</ul>
                <section class="rules">
                    <h2>"怎么计算"</h2>
                    <ul>
                        <li>"续费从现在的到期日接着算，一天也不少。"</li>
                        <li>"升级马上生效；原来的会员没有开始的天数，按天折成钱抵扣，精确到分。抵扣多于价格时，多出的折成新等级的天数。"</li>
                        <li>"到期以后，作品、素材和已经卖出的内容都在；等级打开的功能关上，续费后接着用。"</li>
                        <li>"到期前 30 天、7 天和 1 天会给您发消息。"</li>
                    </ul>
                </section>
                <History history/>
            </Shell>
        }
    })
}

/// What the member has now.
#[component]
fn Standing(member: Member, owned: Owned) -> impl IntoView {
    let (tier, until) = (member.tier, member.tier_until);
    let end = match until {
        Some(until) => {
            let after = owned.standing.after;
            let later = (after != Tier::default()).then(|| format!("，之后是{after}"));
            view! { <span>"到 "<Moment at=until/>" 到期"{later}</span> }.into_any()
        }
        None if tier == Tier::default() => view! { <span>"在线编辑和印刷都可以用"</span> }.into_any(),
        None => view! { <span>"长期有效"</span> }.into_any(),
    };
    view! {
        <p class="standing"><span class="quiet">"您现在是"</span>" "<strong>{tier.name()}</strong>" "<span class="quiet">{end}</span></p>
    }
}

/// Room as people say it.
pub fn room(tier: Tier) -> String {
    match tier.photo_quota() >> 30 {
        gigabytes if gigabytes % 1024 == 0 => format!("{} TB", gigabytes / 1024),
        gigabytes => format!("{gigabytes} GB"),
    }
}

/// What a tier opens, from the one table, with room and places.
#[component]
fn Opens(tier: Tier) -> impl IntoView {
    let features: Vec<_> = Feature::all()
        .map(|feature| {
            let open = allows(tier, feature);
            let note = if open { "" } else { "不含" };
            let places = (open && feature == Feature::SubMembers).then(|| format!("，{} 名", tier.sub_members()));
            view! { <li class=if open { "open" } else { "shut" }>{feature.name()}{places}" "<small>{note}</small></li> }
        })
        .collect();
    view! { <ul class="opens"><li class="open">"素材空间 "{room(tier)}</li>{features}</ul> }
}

#[component]
fn Card(tier: Tier, has: Tier, offers: Vec<(u32, Fen, Result<Quote, NotSold>)>) -> impl IntoView {
    let step = offers.iter().find_map(|(_, _, quote)| quote.as_ref().ok()).map(|quote| quote.step);
    let is_own = tier == has;
    let mark = is_own.then(|| view! { <span class="badge good">"您现在的等级"</span> });
    let refused = offers.iter().find_map(|(_, _, quote)| quote.as_ref().err()).filter(|_| step.is_none());
    let why = refused.map(|reason| view! { <p class="hint">{say(reason)}</p> });
    // a year is what most want
    let chosen = offers.iter().filter(|(.., quote)| quote.is_ok()).map(|(months, ..)| *months);
    let chosen: Vec<u32> = chosen.collect();
    let chosen = chosen.iter().copied().find(|months| *months == 12).or(chosen.first().copied());
    let choices: Vec<_> = offers
        .into_iter()
        .map(|(months, price, quote)| {
            let monthly = price.divided_down(u64::from(months)).unwrap_or(price);
            let each = (months > 1)
                .then(|| view! { <small class="quiet">"月均 "<Money amount=monthly/></small> });
            let input = step.is_some().then(|| {
                view! {
                    <input
                        type="radio"
                        name="months"
                        value=months.to_string()
                        checked=chosen == Some(months)
                        disabled=quote.is_err()
                    />
                }
            });
            view! { <label>{input}<span class="num">{months}" 个月"</span>" "<Money amount=price/>" "{each}</label> }
        })
        .collect();
    let button = step.map(|step| {
        let label = match step {
            Step::Renew => format!("续费{tier}"),
            Step::Upgrade => format!("升级到{tier}"),
            Step::Begin => format!("开通{tier}"),
        };
        let class = if step == Step::Renew { "button wide" } else { "button primary wide" };
        view! { <button class=class>{label}</button> }
    });
    view! {
        <li class="sheet tier-card" aria-current=is_own.then_some("true")>
            <h2>{tier.name()}" "{mark}</h2>
            <Opens tier/>
            <form method="get" action=QUOTE>
                <input type="hidden" name="tier" value=tier.name()/>
                <fieldset class="months"><legend class="sr">{format!("{tier}的时长")}</legend>{choices}</fieldset>
                {button}
            </form>
            {why}
        </li>
    }
}

/// What was bought, and what was confirmed and can still be paid.
#[component]
fn History(history: Vec<Term>) -> impl IntoView {
    if history.is_empty() {
        return None;
    }
    let rows: Vec<_> = history
        .into_iter()
        .map(|term| {
            let class = if term.state == TermState::Unpaid { "badge warn" } else { "badge" };
            let span = term.span.map(|(from, until)| {
                let until = term.ended_at.unwrap_or(until);
                format!("{} 至 {}", time::day(from), time::day(until))
            });
            let name = format!("{} {}", term.step.name(), term.title());
            Record::new()
                .cell("内容", view! { <a class="link" href=address(&term.id)>{name}</a> })
                .num("期限", span.unwrap_or_else(|| "—".to_owned()))
                .cell("状态", view! { <span class=class>{term.state.name()}</span> })
                .money("金额", term.amount)
        })
        .collect();
    Some(view! {
        <section class="history">
            <h2>"购买记录"</h2>
            <Records rows/>
        </section>
    })
}
