//! GET /manager/opus-print: a member's works as printed things: what was made of each, where it lies, what more would cost.

use std::collections::HashMap;

use base::error::Error;
use base::lists;
use domain::ids::WorkId;
use domain::money::Fen;
use domain::price::quote;
use domain::print_options::{Quantity, evaluate};
use leptos::prelude::*;
use press::PageRef;
use web::app::App;
use web::render::{Here, here, loaded, use_query};
use web::session::Member;
use web::ui::lists::{Pager, Search};
use web::ui::parts::{Book, Moment, Money};
use web::ui::shell::Shell;

use super::StateBadge;
use crate::choices;
use crate::store::{LastOrder, last_of_works};
use cart::{self, ChoiceLine, Line};
use works::{self, Summary};

/// Its address.
const PAGE: &str = "/manager/opus-print";
/// Works on one page.
const MOST: usize = 12;
/// Copies whose price is shown.
const MORE_COPIES: u32 = 10;

/// A work and what was, or is to be, made of it.
struct Printed {
    work: Summary,
    /// Its lines in the cart, each with how many of its findings are more than notes.
    lines: Vec<(Line, usize)>,
    last: Option<LastOrder>,
    /// What more copies, made as last time, would cost today; `None` where that is not sold any more.
    more: Option<Fen>,
}

struct Shown {
    member: Member,
    search: String,
    works: Vec<Printed>,
    is_later: bool,
    next: Option<String>,
}

/// See above: ?q=…&after=….
#[component]
pub fn PrintedPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (search, after) = (lists::search_text(&query("q")), query("after"));
    loaded(async move { load(here?, search, &after).await }, |shown| view! { <Listed shown/> })
}

async fn load(here: Here, search: String, after: &str) -> Result<Shown, Error> {
    let Here { app, member, .. } = here;
    let place = if after.is_empty() { None } else { Some(after.parse()?) };
    let (listed, next) = works::shelf(&app, &member.id, &search, place.as_ref(), MOST).await?;
    let ids: Vec<WorkId> = listed.iter().map(|work| work.id.clone()).collect();
    let mut last = last_of_works(&app.db, &member.id, &ids).await?;
    let mut in_cart: HashMap<String, Vec<Line>> = HashMap::new();
    for line in cart::lines(&app, &member).await? {
        in_cart.entry(line.work.id.to_string()).or_default().push(line);
    }
    let mut printed = Vec::with_capacity(listed.len());
    for work in listed {
        let id = work.id.to_string();
        let mut lines = Vec::new();
        for line in in_cart.remove(&id).unwrap_or_default() {
            let findings = findings(&app, &member, &line).await?;
            lines.push((line, findings));
        }
        let last = last.remove(&id);
        let more = match &last {
            Some(last) => price_of_more(&app, &member, last).await?,
            None => None,
        };
        printed.push(Printed { work, lines, last, more });
    }
    let next = next.map(|next| lists::address(PAGE, &[("q", &search), ("after", &next.to_string())]));
    Ok(Shown { member, search, works: printed, is_later: place.is_some(), next })
}

/// How many things to attend to preflight finds in what a line would print.
async fn findings(app: &App, member: &Member, line: &Line) -> Result<usize, Error> {
    let work = works::for_owner(app, &line.work.id, &member.id).await?;
    let making = ((*line.goods).clone(), line.evaluation.choice());
    let found = works::preflight(app, &member.id, &work.document, Some(making)).await?;
    Ok(works::count_above_notes(&found))
}

/// What some more copies of what was ordered would cost by today's price book.
async fn price_of_more(app: &App, member: &Member, last: &LastOrder) -> Result<Option<Fen>, Error> {
    let goods = match catalog::find(app, &last.goods.id).await {
        Ok(goods) => goods,
        Err(Error::NotFound) => return Ok(None),
        Err(other) => return Err(other),
    };
    let evaluation = evaluate(&goods, last.quote.pages, &last.choice);
    if evaluation.choice() != last.choice {
        return Ok(None);
    }
    let copies: Quantity = MORE_COPIES.try_into().map_err(Error::internal)?;
    let quote = quote(&goods, last.quote.pages, &last.choice, copies, member.tier);
    Ok(Some(quote.map_err(Error::internal)?.total))
}

#[component]
fn Listed(shown: Shown) -> impl IntoView {
    let Shown { member, search, works, is_later, next } = shown;
    let first = is_later.then(|| lists::address(PAGE, &[("q", &search)]));
    let is_empty = works.is_empty();
    let find = (!is_empty || !search.is_empty()).then(
        || view! { <Search action=PAGE.to_owned() label="书名" search=search.clone() kept=Vec::new()/> },
    );
    let body = if is_empty {
        view! { <Nothing search/> }.into_any()
    } else {
        let items: Vec<_> = works.into_iter().map(|printed| view! { <Item printed/> }).collect();
        view! { <ul class="printed">{items}</ul> }.into_any()
    };
    view! {
        <Shell member title="印刷作品".to_owned() assets=&["orders.css"]>
            <header class="head"><h1>"印刷作品"</h1>{find}</header>
            {body}
            <Pager first next back="回到第一页" further="更早的作品"/>
        </Shell>
    }
}

#[component]
fn Nothing(search: String) -> impl IntoView {
    let (title, text, href, label) = if search.is_empty() {
        (
            "还没有作品".to_owned(),
            "做好一本，就能在这里看到它印成什么、印过几次。",
            "/manager/make_ebook",
            "做第一本书",
        )
    } else {
        (format!("没有书名里带“{search}”的作品"), "换几个字再找，或者看看全部作品。", PAGE, "不搜索了")
    };
    view! {
        <section class="trim empty">
            <h2>{title}</h2>
            <p class="quiet">{text}</p>
            <a class="button primary" href=href>{label}</a>
        </section>
    }
}

#[component]
fn Item(printed: Printed) -> impl IntoView {
    let Printed { work, lines, last, more } = printed;
    let place = format!("/manager/opus/{}", work.id);
    let src = works::picture_address(&work.id, work.revision, PageRef::Cover, 320);
    let again = last.as_ref().map(|last| {
        let href = format!("/manager/order/{}/reorder", last.order);
        view! { <a class="button" href=href>"再印"<span class="sr">{format!("：{}", work.title)}</span></a> }
    });
    let never = (lines.is_empty() && last.is_none()).then(|| view! { <p class="quiet">"还没有印过。"</p> });
    let lines: Vec<_> = lines
        .into_iter()
        .map(|(line, findings)| view! { <InCart line findings place=place.clone()/> })
        .collect();
    view! {
        <li>
            <a href=place.clone() tabindex="-1" aria-hidden="true">
                <Book class="thumb" src trim=work.trim alt=String::new() lazy=true hung=work.is_calendar/>
            </a>
            <div class="stack">
                <header>
                    <h2><a href=place>{work.title.clone()}</a></h2>
                    <p class="quiet num">{works::size_text(work.trim)}" · "{work.pages}" 页"</p>
                </header>
                {lines}
                {last.map(|last| view! { <Ordered last more/> })}
                {never}
            </div>
            <p class="row">
                {again}
                <a class="button" href=format!("/manager/add_shopping/{}", work.id)>
                    "加入购物车"<span class="sr">{format!("：{}", work.title)}</span>
                </a>
            </p>
        </li>
    }
}

/// What lies in the cart.
#[component]
fn InCart(line: Line, findings: usize, place: String) -> impl IntoView {
    let proof = format!("/manager/shopping/cart/{}/proof", line.id);
    let proofed = if line.proofed_at.is_some() {
        view! { <span class="badge good">"样稿已确认"</span> }.into_any()
    } else {
        view! { <a class="link" href=proof>"看样稿"</a> }.into_any()
    };
    let found = match findings {
        0 => view! { <span class="quiet">"印前检查没有问题"</span> }.into_any(),
        count => view! { <a class="link" href=place>{format!("{count} 处请留意")}</a> }.into_any(),
    };
    let copies = line.quantity.get();
    view! {
        <p class="fact">
            <span class="badge">"在购物车"</span>
            <a class="link" href="/manager/shopping/cart">
                {format!("{} · {copies} 本", line.goods.name)}
            </a>
            <Money amount=line.quote.total/>
            {proofed}
            {found}
        </p>
    }
}

/// What was ordered last, and what more of it would cost.
#[component]
fn Ordered(last: LastOrder, more: Option<Fen>) -> impl IntoView {
    let times = (last.orders > 1).then(|| format!("，共订过 {} 次", last.orders));
    let price = match more {
        Some(total) => view! {
            <p class="fact">{format!("照这样再印 {MORE_COPIES} 本，今天的价格是")}<strong><Money amount=total/></strong></p>
        }
        .into_any(),
        None => view! { <p class="fact quiet">"这种印法现在不卖了，可以加入购物车另选。"</p> }.into_any(),
    };
    view! {
        <p class="fact">
            <StateBadge state=last.state/>
            <a class="link num" href=format!("/manager/order/{}", last.order)>{last.order.to_string()}</a>
            <span class="quiet"><Moment at=last.placed_at/>{times}</span>
        </p>
        <p class="fact">
            "上次印成："{last.goods.name.clone()}" · "<span class="num">{last.quote.pages}</span>" 页 · "
            <span class="num">{last.quote.count.get()}</span>" 本 · "<Money amount=last.quote.total/>
        </p>
        <ChoiceLine choices=choices(&last.goods, &last.choice)/>
        {price}
    }
}
