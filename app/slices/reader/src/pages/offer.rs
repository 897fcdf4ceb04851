//! How somebody gets to read all of a work that is sold.

use domain::sharing::Access;
use leptos::prelude::*;
use web::ui::parts::Money;

use super::frame::{Place, Reading};
use crate::opus_share_buy::buying;
use crate::store::Share;
use selling::Offer;

/// What is said where the pages end that anybody may read.
#[derive(Clone)]
pub struct Terms {
    share: Share,
    place: Place,
    /// Pages that anybody may read.
    preview: usize,
    offers: Vec<Offer>,
    /// Where this work alone is bought.
    single: Option<String>,
}

impl Terms {
    /// Of a work that whoever reads it has no right to, or only to its beginning.
    pub fn of(reading: &Reading) -> Option<Self> {
        let Access::Preview(preview) = reading.opened.access else { return None };
        let share = reading.opened.share.clone();
        let has_price = share.settings.sale.is_some_and(|sale| sale.price.is_some());
        let single = has_price.then(|| buying(&share.work));
        Some(Self {
            preview: share.facts.pages.min(preview as usize),
            share,
            place: reading.place,
            offers: reading.opened.offers.clone(),
            single,
        })
    }
}

/// The price, the packages that hold the work, and the ways to them.
#[component]
pub fn ToBuy(terms: Terms, title: String) -> impl IntoView {
    let target = (terms.place == Place::Frame).then_some("_top");
    let price = terms.share.settings.sale.and_then(|sale| sale.price);
    let single = terms.single.zip(price).map(|(address, price)| {
        view! {
            <li>
                <span>"只买这一本，长期阅读"</span>
                <Money amount=price class="price"/>
                <a class="button primary" href=address target=target>"购买"</a>
            </li>
        }
    });
    let packages: Vec<_> = terms
        .offers
        .into_iter()
        .map(|offer| {
            view! {
                <li>
                    <span>{offer.words()}</span>
                    <Money amount=offer.price class="price"/>
                    <a class="button" href=offer.address target=target>"看套餐"</a>
                </li>
            }
        })
        .collect();
    let none = (single.is_none() && packages.is_empty())
        .then(|| view! { <p class="quiet">"作者暂时没有开售，请过些时候再来。"</p> });
    let preview = if terms.preview == 0 {
        "这本书购买以后才能读。".to_owned()
    } else {
        format!("可以先读前 {} 页，全书共 {} 页。", terms.preview, terms.share.facts.pages)
    };
    view! {
        <section class="tobuy" id="buy" aria-labelledby="buy-title">
            <h2 id="buy-title">{title}</h2>
            <p class="quiet">{preview}"买过或兑换过的，登录以后就能读。"</p>
            {none}
            <ul>{single}{packages}</ul>
        </section>
    }
}

/// The way to a printed copy, where readers may order one.
#[component]
pub fn ToPrint(share: Share, place: Place) -> impl IntoView {
    let target = (place == Place::Frame).then_some("_top");
    share.settings.markup.map(|_| {
        view! { <a class="button" href=format!("{}#print-title", buying(&share.work)) target=target>"买一本印好的"</a> }
    })
}
