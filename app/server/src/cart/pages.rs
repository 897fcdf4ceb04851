//! Choosing goods, and the cart.

mod options;

pub use options::{OptionsPage, PriceLines};

use domain::goods::{Goods, step_name};
use domain::ids::{CartLineId, WorkId};
use domain::money::Fen;
use domain::print_options::{Quantity, default_choice, evaluate};
use leptos::prelude::*;
use press::PageRef;

use super::{Line, lines};
use crate::db::new_id;
use crate::error::Error;
use crate::render::{here, loaded, parameter};
use crate::session::Member;
use crate::ui::parts::{Book, ErrorSummary, Money};
use crate::ui::shell::Shell;
use crate::works::{Work, picture_address};
use crate::{catalog, works};

/// A goods as the catalogue page shows it for one work.
struct Offer {
    goods: Goods,
    /// The price of one copy as proposed; `None` when the work can't be made as these goods.
    from: Option<Fen>,
    reason: String,
}

/// GET /manager/add_shopping/{id}: the goods that fit a work's page size.
#[component]
pub fn AddPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = works::for_owner(&here.app, &id, &here.member.id).await?;
            let goods = catalog::of_size(&here.app, work.document.trim).await?;
            let offers = goods
                .into_iter()
                .map(|goods| offer(goods, &work, &here.member))
                .collect::<Result<Vec<_>, _>>()?;
            Ok((here.member, work, offers))
        },
        |(member, work, offers)| {
            // the form carries the new line's id: pressed twice, it adds one line
            let line: CartLineId = new_id();
            let pages = work.document.pages.len();
            let cards: Vec<_> = offers.into_iter().map(|offer| view! { <OfferCard offer/> }).collect();
            view! {
                <Shell member title="选择印刷方式".to_owned() assets=&["catalog.css"]>
                    <header class="head"><h1>"选择印刷方式"</h1></header>
                    <ErrorSummary title="还差一点"/>
                    <div class="chosen">
                        <Book
                            class="thumb"
                            src=picture_address(&work.id, work.revision, PageRef::Cover, 320)
                            trim=work.document.trim
                            alt=String::new()
                        />
                        <p>
                            <a href=format!("/manager/opus/{}", work.id)>{work.document.title.clone()}</a>
                            <br/>
                            <span class="quiet">"共 "<span class="num">{pages}</span>" 页"</span>
                        </p>
                    </div>
                    <form method="post" action=format!("/manager/add_shopping/{}", work.id)>
                        <input type="hidden" name="line" value=line.to_string()/>
                        <ul class="goods">{cards}</ul>
                    </form>
                </Shell>
            }
        },
    )
}

fn offer(goods: Goods, work: &Work, member: &Member) -> Result<Offer, Error> {
    let pages = u32::try_from(work.document.pages.len()).map_err(Error::internal)?;
    let one = Quantity::try_from(1).map_err(Error::internal)?;
    let evaluation = evaluate(&goods, pages, &default_choice(&goods, pages));
    if let Some(step) = evaluation.stuck().next() {
        let reason = step.items.iter().find_map(|item| item.reason.clone()).unwrap_or_default();
        let reason = format!("{}：{reason}", step.name);
        return Ok(Offer { goods, from: None, reason });
    }
    let quote = domain::price::quote(&goods, pages, &evaluation.choice(), one, member.tier);
    Ok(Offer { from: Some(quote.map_err(Error::internal)?.total), goods, reason: String::new() })
}

#[component]
fn OfferCard(offer: Offer) -> impl IntoView {
    let goods = offer.goods;
    let bindings: Vec<String> = goods
        .shown_steps()
        .filter(|step| step.name == step_name::BINDING)
        .flat_map(|step| step.items.iter().map(|item| item.name.clone()))
        .collect();
    let foot = match offer.from {
        Some(from) => view! {
            <div class="row">
                <p><Money amount=from class="price"/>" "<span class="quiet">"每本，按推荐的选项"</span></p>
                <button class="button primary" name="goods" value=goods.id.to_string()>"选这种，定材料"</button>
            </div>
        }
        .into_any(),
        None => view! { <p class="off">"这本书不能印成这种："{offer.reason}</p> }.into_any(),
    };
    view! {
        <li class="sheet">
            <div>
                <h2>{goods.name}</h2>
                <p class="quiet">{goods.description}</p>
                <dl class="facts"><dt>"装订"</dt><dd>{bindings.join("、")}</dd></dl>
            </div>
            {foot}
        </li>
    }
}

/// GET /manager/shopping/cart.
#[component]
pub fn CartPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let mut shown = Vec::new();
            for line in lines(&here.app, &here.member).await? {
                let obstacle = crate::orders::obstacle(&here.app, &here.member, &line).await?;
                shown.push((line, obstacle));
            }
            Ok((here.member, shown))
        },
        |(member, lines)| {
            let count = lines.len();
            if count == 0 {
                return view! {
                    <Shell member title="购物车".to_owned() assets=&["cart.css"]>
                        <header class="head"><h1>"购物车"</h1></header>
                        <section class="trim empty">
                            <h2>"购物车是空的"</h2>
                            <p class="quiet">"打开一件作品，选好印刷方式，它就会出现在这里。"</p>
                            <a class="button primary" href="/manager/opus_list/all">"挑一件作品来印"</a>
                        </section>
                    </Shell>
                }
                .into_any();
            }
            let ready: Vec<Fen> = lines
                .iter()
                .filter(|(_, obstacle)| obstacle.is_none())
                .map(|(line, _)| line.quote.total)
                .collect();
            let ready_count = ready.len();
            let total = Fen::sum(ready).unwrap_or_default();
            // each removal is a form of its own: Enter in the cart's form must never remove anything
            let removals: Vec<_> = lines
                .iter()
                .map(|(line, _)| {
                    let action = format!("/manager/shopping/cart/{}/removal", line.id);
                    view! { <form id=format!("remove-{}", line.id) method="post" action=action></form> }
                })
                .collect();
            let items: Vec<_> =
                lines.into_iter().map(|(line, obstacle)| view! { <CartItem line obstacle/> }).collect();
            view! {
                <Shell member title="购物车".to_owned() assets=&["cart.css"]>
                    <header class="head">
                        <div>
                            <h1>"购物车"</h1>
                            <p class="quiet">"共 "<span class="num">{count}</span>" 件"</p>
                        </div>
                    </header>
                    <ErrorSummary title="还不能结算"/>
                    <form class="cart" method="get" action="/manager/shopping/checkout">
                        <ul class="lines">{items}</ul>
                        <div class="actionbar">
                            <p>
                                "可结算 "<span class="num">{ready_count}</span>" 件，全部合计 "
                                <Money amount=total class="price total"/>
                            </p>
                            <button class="button primary" disabled=ready_count == 0>"结算"</button>
                        </div>
                    </form>
                    {removals}
                </Shell>
            }
            .into_any()
        },
    )
}

#[component]
fn CartItem(line: Line, obstacle: Option<String>) -> impl IntoView {
    let title = line.work.document.title.clone();
    let spec: Vec<String> = line.choices().into_iter().map(|(_, item)| item).collect();
    // of the whole ladder, only the rung that applies
    let rung = line.goods.price_book.rung(line.quantity).map(ToString::to_string);
    let discount = rung.map(|rung| view! { <p class="spec"><span class="badge good">{rung}</span></p> });
    let blocked = obstacle.is_some();
    let base = format!("/manager/shopping/cart/{}", line.id);
    view! {
        <li>
            <div class="pickline">
                <label class="check">
                    <input
                        type="checkbox"
                        name="line"
                        value=line.id.to_string()
                        checked=!blocked
                        disabled=blocked
                    />
                    <span class="sr">{format!("结算《{title}》")}</span>
                </label>
                <a href=format!("/manager/opus/{}", line.work.id)>
                    <Book
                        class="thumb"
                        src=picture_address(&line.work.id, line.work.revision, PageRef::Cover, 320)
                        trim=line.work.document.trim
                        alt=format!("《{title}》")
                        lazy=true
                    />
                </a>
            </div>
            <div>
                <h2>{title}</h2>
                <p class="quiet">{line.goods.name.clone()}" · "<span class="num">{line.pages}</span>" 页"</p>
                <p class="spec">{spec.join("\u{a0}· ")}</p>
                {discount}
                {obstacle.map(|reason| view! { <p class="error">{reason}</p> })}
                <div class="acts">
                    <a class="link" href=format!("{base}/options")>"改印刷选项"</a>
                    <button class="link danger" form=format!("remove-{}", line.id)>"移除"</button>
                </div>
            </div>
            <div class="amount">
                <strong><Money amount=line.quote.total class="price"/></strong>
                <span class="quiet num">
                    <Money amount=line.quote.unit_price_after()/>{format!(" × {} 本", line.quantity)}
                </span>
            </div>
        </li>
    }
}
