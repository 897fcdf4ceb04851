//! What can be printed: formats, bindings, papers, as the catalogue has them.

use domain::goods::{Goods, Item, step_name};
use domain::print_options::PAPER_WEIGHT_PAGES;
use leptos::prelude::*;
use web::assets;
use web::render::loaded;
use web::ui::parts::Money;

use super::offers::{self, Offer, items};
use super::samples::{Format, Shelf};
use super::{Frame, data, use_app, use_base};
use works::size_text;

const PATH: &str = "/about/products";

/// GET /about/products
#[component]
pub fn ProductsPage() -> impl IntoView {
    let app = use_app();
    let base = use_base();
    loaded(async move { offers::all(&app?).await }, move |offers| {
        // what can't be made yet is shown, but not offered to search engines
        let makeable = offers.iter().filter(|offer| offer.is_made_here);
        let data =
            base.map(|base| makeable.map(|offer| data::product(&base, offer)).collect()).unwrap_or_default();
        let goods: Vec<_> = offers.iter().map(|offer| view! { <Product offer/> }).collect();
        let bindings: Vec<_> = of_step(&offers, step_name::BINDING)
            .into_iter()
            .map(|(item, goods)| view! { <Binding item goods/> })
            .collect();
        let papers: Vec<_> = of_step(&offers, step_name::PAPER)
            .into_iter()
            .map(|(item, _)| {
                view! { <dt>{item.name.clone()}</dt><dd>{item.description.clone().unwrap_or_default()}</dd> }
            })
            .collect();
        let weights: Vec<_> = PAPER_WEIGHT_PAGES
                .iter()
                .map(|(name, range)| {
                    view! { <tr><th scope="row">{*name}</th><td class="num">{range.min}"–"{range.max}" 页"</td></tr> }
                })
                .collect();
        view! {
            <Frame at=PATH data>
                <header>
                    <h1>"产品与装订"</h1>
                    <p class="lead">
                        "每种开本都有自己的装订、纸张与页数范围。页数按面计：一张纸两面，算 2 页。"
                    </p>
                </header>
                <Shelf/>
                <p class="quiet">"四种开本的样书，按同一比例。封面由排版程序画出，照片是程序绘制的风景。"</p>
                <section>
                    <h2>"开本"</h2>
                    <ul class="products">{goods}</ul>
                </section>
                <section>
                    <h2>"装订方式"</h2>
                    <ul class="bindings">{bindings}</ul>
                </section>
                <section class="pair">
                    <div>
                        <h2>"内页纸张"</h2>
                        <dl class="words">{papers}</dl>
                    </div>
                    <div>
                        <h2>"克重与页数"</h2>
                        <p>"纸越厚，一本书能装的页数越少。"</p>
                        <table class="plain"><tbody>{weights}</tbody></table>
                    </div>
                </section>
            </Frame>
        }
    })
}

/// Every item of the steps of this name once, with the goods that offer it.
fn of_step<'a>(offers: &'a [Offer], step: &str) -> Vec<(&'a Item, Vec<&'a Goods>)> {
    let mut found: Vec<(&Item, Vec<&Goods>)> = Vec::new();
    for offer in offers {
        for item in items(&offer.goods, step) {
            match found.iter_mut().find(|(known, _)| known.name == item.name) {
                Some((_, goods)) => goods.push(&offer.goods),
                None => found.push((item, vec![&offer.goods])),
            }
        }
    }
    found
}

#[component]
fn Product<'a>(offer: &'a Offer) -> impl IntoView + use<> {
    let goods = &offer.goods;
    let bindings: Vec<String> = items(goods, step_name::BINDING)
        .map(|item| match goods.binding_pages.get(&item.name) {
            Some(range) => format!("{} {}–{} 页", item.name, range.min, range.max),
            None => item.name.clone(),
        })
        .collect();
    let covers: Vec<&str> = items(goods, step_name::COVER).map(|item| item.name.as_str()).collect();
    let not_yet = (!offer.is_made_here)
        .then(|| view! { <p class="hint">"这一尺寸的在线制作还没有开放，先列出规格与价格。"</p> });
    view! {
        <li id=goods.id.to_string()>
            <Format trim=goods.trim/>
            <div>
                <h3>{goods.name.clone()}</h3>
                <p>{goods.description.clone()}</p>
                <dl class="facts">
                    <dt>"成品尺寸"</dt>
                    <dd class="num">{size_text(goods.trim)}</dd>
                    <dt>"装订"</dt>
                    <dd>{bindings.join("，")}</dd>
                    <dt>"封面"</dt>
                    <dd>{covers.join("、")}</dd>
                    <dt>"价格"</dt>
                    <dd><Money amount=offer.quote.total/><span class="quiet">{format!("（{}）", offer.terms())}</span></dd>
                </dl>
                {not_yet}
            </div>
        </li>
    }
}

#[component]
fn Binding<'a>(item: &'a Item, goods: Vec<&'a Goods>) -> impl IntoView + use<> {
    let drawing = item.cover.as_ref().map(|cover| {
        let address = assets::address(&format!("{cover}.svg"));
        view! { <img src=address width="120" height="64" alt="" loading="lazy"/> }
    });
    let goods: Vec<&str> = goods.iter().map(|goods| goods.name.as_str()).collect();
    view! {
        <li>
            {drawing}
            <h3>{item.name.clone()}</h3>
            <p>{item.description.clone().unwrap_or_default()}</p>
            <p class="quiet">"用于"{goods.join("、")}</p>
        </li>
    }
}
