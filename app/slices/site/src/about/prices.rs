//! What books cost, and why: the price book itself, and one price reckoned to the last 分.

use std::sync::Arc;

use domain::goods::Goods;
use domain::money::Fen;
use domain::price::{Basis, Quote};
use domain::shipping::{Tariff, Zone};
use leptos::prelude::*;
use web::render::loaded;
use web::ui::parts::Money;
use web::ui::records::{Record, Records};

use super::offers::{self, Offer, terms};
use super::{Frame, use_app};

const PATH: &str = "/about/prices";
/// The worked example: so many pages, or what the goods have instead, and copies enough for a discount.
const PAGES: u32 = 48;
const COPIES: u32 = 20;

/// GET /about/prices
#[component]
pub fn PricesPage() -> impl IntoView {
    let app = use_app();
    loaded(
        async move {
            let app = app?;
            let offers = offers::all(&app).await?;
            let tariff = shipping::tariff(&app.db).await?;
            let first = offers.iter().find(|offer| offer.is_made_here).or(offers.first());
            let example = match first {
                Some(Offer { goods, .. }) => offers::priced(goods, goods.pages.at_least(PAGES), COPIES)?
                    .map(|quote| (goods.clone(), quote)),
                None => None,
            };
            Ok((offers, example, tariff))
        },
        |(offers, example, tariff)| {
            let example = example.map(|(goods, quote)| view! { <Example goods quote/> });
            let rows: Vec<_> = offers.iter().map(|offer| row(&offer.goods)).collect();
            let lists: Vec<_> = offers.iter().map(|offer| view! { <Items goods=&offer.goods/> }).collect();
            let left_out = left_out(&tariff);
            let zones = tariff.zones().iter().filter_map(zone_row).collect();
            view! {
                <Frame at=PATH>
                    <header>
                        <h1>"价格"</h1>
                        <p class="lead">
                            "一本书的价钱 = 基础价 + 每页价 × 页数 + 所选材料与工艺；几本一起印有数量优惠。没有看不见的费用，运费另列。"
                        </p>
                    </header>
                    {example}
                    <section>
                        <h2>"各种开本"</h2>
                        <Records rows/>
                        <p class="quiet">
                            "总价 = 数量 × 单价 × (1 − 折扣)，不足一分的舍去。数量优惠与会员优惠可以同时用，先后相乘。"
                        </p>
                    </section>
                    <section>
                        <h2>"材料与工艺"</h2>
                        <p>"没有列出的选项不加价。"</p>
                        {lists}
                    </section>
                    <section>
                        <h2>"运费"</h2>
                        <p>"按整单重量计：首重 1 公斤，续重每公斤，不足 1 公斤按 1 公斤算。下单前会写明。"</p>
                        <Records rows=zones/>
                        {left_out}
                    </section>
                </Frame>
            }
        },
    )
}

#[component]
fn Example(goods: Arc<Goods>, quote: Quote) -> impl IntoView {
    let lines: Vec<_> = quote
        .lines
        .iter()
        .map(|line| {
            view! {
                <tr>
                    <th scope="row">{line.label.clone()}</th>
                    <td class="quiet">{line.detail.clone()}</td>
                    <td class="end"><Money amount=line.amount/></td>
                </tr>
            }
        })
        .collect();
    let title = format!("{}，{}", goods.name, terms(&goods, &quote));
    view! {
        <section class="sheet">
            <h2>"算给您看"</h2>
            <table class="reckoning">
                <caption>{title}</caption>
                <tbody>{lines}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">"合计"</th>
                        <td class="quiet num">"每本 "{quote.unit_price_after().grouped()}</td>
                        <td class="end"><Money amount=quote.total class="price"/></td>
                    </tr>
                </tfoot>
            </table>
            <p class="quiet">"材料取每一步的推荐选项；这份例子由下单时用的同一段程序算出，不含运费。"</p>
        </section>
    }
}

fn row(goods: &Goods) -> Record {
    let book = &goods.price_book;
    let product = format!("/about/products#{}", goods.id);
    let or_none = |text: String| if text.is_empty() { "—".to_owned() } else { text };
    Record::new()
        .plain("产品", view! { <a href=product>{goods.name.clone()}</a> })
        .money("基础价", book.base)
        .money("每页", book.per_page)
        .cell("数量优惠", or_none(book.yhstr()))
        .cell("会员优惠", or_none(book.tier_discounts()))
}

/// What each item of the goods adds, step by step, folded away.
#[component]
fn Items<'a>(goods: &'a Goods) -> impl IntoView + use<> {
    let prices = &goods.price_book.items;
    let steps: Vec<_> = goods
        .shown_steps()
        .filter_map(|step| {
            let items: Vec<String> = step
                .items
                .iter()
                .filter_map(|item| {
                    Some(format!(
                        "{} {}",
                        item.name,
                        price(prices.get(&item.cnum)?.price, prices.get(&item.cnum)?.basis)
                    ))
                })
                .collect();
            (!items.is_empty()).then(|| view! { <dt>{step.name.clone()}</dt><dd>{items.join("，")}</dd> })
        })
        .collect();
    view! {
        <details class="fold">
            <summary>{goods.name.clone()}</summary>
            <dl class="facts">{steps}</dl>
        </details>
    }
}

fn price(amount: Fen, basis: Basis) -> String {
    let per = match basis {
        Basis::Copy => "每本",
        Basis::Page => "每页",
        Basis::Order => "每单",
    };
    format!("{per} {}", amount.grouped())
}

/// Where nothing is sent to.
fn left_out(tariff: &Tariff) -> Option<impl IntoView + use<>> {
    let names = tariff.left_out();
    (!names.is_empty()).then(|| view! { <p class="quiet">{format!("目前不寄：{}。", names.join("、"))}</p> })
}

fn zone_row(zone: &Zone) -> Option<Record> {
    let provinces = zone.short_names().join("、");
    // a zone that nobody lives in is none
    (!provinces.is_empty()).then(|| {
        Record::new().plain("地区", provinces).money("首重", zone.first_kg).money("续重", zone.further_kg)
    })
}
