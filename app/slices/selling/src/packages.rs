//! /manager/epaper_sell 套餐: what a seller sells.

use std::collections::HashMap;

use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::ids::{MemberId, PackageId};
use domain::money::Fen;
use domain::package::Term;
use leptos::prelude::*;
use web::app::App;
use web::render::{here, loaded, use_query};
use web::ui::parts::Money;
use web::ui::shell::Shell;

use super::PACKAGES;
use super::store::packages::{self as store, Content, Package};

/// A package to come.
pub struct NewPackage<'a> {
    pub id: PackageId,
    pub seller: &'a MemberId,
    pub seller_name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub term: Term,
    pub price: Fen,
    pub trial_pages: u32,
    /// Days that a reader may read free, once; 0 for none.
    pub trial_days: u32,
    pub on_sale_from: i64,
    pub on_sale_until: Option<i64>,
}

/// Keeps a package with what it holds; the same id again is the same form and changes nothing.
pub async fn keep(app: &App, new: NewPackage<'_>, contents: &[Content], now: i64) -> Result<(), Error> {
    let package = Package {
        id: new.id,
        seller: new.seller.clone(),
        seller_name: new.seller_name.to_owned(),
        title: new.title.to_owned(),
        description: new.description.to_owned(),
        term: new.term,
        price: new.price,
        trial_pages: i64::from(new.trial_pages),
        trial_days: i64::from(new.trial_days),
        on_sale_from: new.on_sale_from,
        on_sale_until: new.on_sale_until,
        created_at: now,
    };
    let mut tx = app.db.begin().await?;
    if store::insert(&mut tx, &package).await? {
        store::set_contents(&mut tx, &package.id, contents, now).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// GET /manager/epaper_sell.
#[component]
pub fn PackagesPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let db = &here.app.db;
            let sold: HashMap<String, i64> = store::sold(db, &here.member.id).await?.into_iter().collect();
            let mut packages = Vec::new();
            for package in store::of_seller(db, &here.member.id).await? {
                let contents = store::contents(db, &package.id).await?;
                let sold = sold.get(package.id.as_str()).copied().unwrap_or_default();
                packages.push((package, contents, sold));
            }
            Ok((here.member, packages))
        },
        |(member, packages)| {
            let done = match use_query("done").as_deref() {
                Some("added") => Some("套餐已保存。"),
                Some("changed") => Some("套餐已修改；已经卖出的不变。"),
                Some("ended") => Some("套餐已停售；已经买了的读者照常阅读。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let add = (!packages.is_empty())
                .then(|| view! { <a class="button primary" href=format!("{PACKAGES}/new")>"新建套餐"</a> });
            let body = if packages.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有套餐"</h2>
                        <p class="quiet">"选几件作品，定好价格和期限，把链接发给读者；也可以为套餐生成兑换码。"</p>
                        <a class="button primary" href=format!("{PACKAGES}/new")>"新建套餐"</a>
                    </section>
                }
                .into_any()
            } else {
                let now = now_ms();
                let cards: Vec<_> = packages
                    .into_iter()
                    .map(|(package, contents, sold)| view! { <Card package contents sold now/> })
                    .collect();
                view! { <ul class="packages">{cards}</ul> }.into_any()
            };
            view! {
                <Shell member title="套餐".to_owned() assets=&["selling.css"]>
                    <header class="head"><h1>"套餐"</h1>{add}</header>
                    {done}
                    {body}
                </Shell>
            }
        },
    )
}

/// Whether a package is sold, in a word with the class of its mark.
pub fn standing(package: &Package, now: i64) -> (&'static str, &'static str) {
    if package.is_on_sale(now) {
        ("badge good", "在售")
    } else if package.on_sale_from > now {
        ("badge warn", "未开售")
    } else {
        ("badge", "已停售")
    }
}

#[component]
fn Card(package: Package, contents: Vec<Content>, sold: i64, now: i64) -> impl IntoView {
    let (mark, standing) = standing(&package, now);
    let title = package.title.clone();
    let about = view! { <span class="sr">{format!("：{title}")}</span> };
    let until = package.on_sale_until.filter(|until| *until > now);
    let until = until.map(|until| view! { <dt>"停售"</dt><dd>{time::stamp(until)}</dd> });
    let trial = (package.trial_pages > 0)
        .then(|| view! { <dt>"试读"</dt><dd>{format!("前 {} 页", package.trial_pages)}</dd> });
    let free = (package.trial_days > 0)
        .then(|| view! { <dt>"免费试读"</dt><dd>{format!("{} 天", package.trial_days)}</dd> });
    view! {
        <li class="sheet package">
            <header>
                <h2><a href=format!("{PACKAGES}/{}", package.id)>{package.title.clone()}</a></h2>
                <span class=mark>{standing}</span>
            </header>
            <p class="sum">
                <Money amount=package.price class="price total"/>
                <span class="quiet">{format!(" / {}", package.term)}</span>
            </p>
            <p class="contents">{list_of(&contents)}</p>
            <dl class="facts">
                <dt>"已售"</dt><dd>{format!("{sold} 份")}</dd>
                {trial}
                {free}
                {until}
            </dl>
            <div class="row">
                <a class="link" href=format!("{PACKAGES}/{}", package.id)>"修改"{about}</a>
                <a class="link" href=format!("/manager/package/{}", package.id)>"读者看到的页面"</a>
                <a class="link" href=format!("{}/new?package={}", super::CODES, package.id)>"生成兑换码"</a>
            </div>
        </li>
    }
}

/// What a package holds, in a sentence.
pub fn list_of(contents: &[Content]) -> String {
    const SHOWN: usize = 4;
    let names: Vec<_> = contents.iter().take(SHOWN).map(|content| format!("《{}》", content.title)).collect();
    let more = if contents.len() > SHOWN { format!(" 等 {} 件", contents.len()) } else { String::new() };
    format!("{}{more}", names.join(""))
}
