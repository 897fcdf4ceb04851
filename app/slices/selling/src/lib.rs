//! Selling 经营: packages 套餐, redeem codes 兑换码, sales 销售订单, what readers may read, and what sellers earn.
//!
//! Not here: the study in which readers find it (study); the works and titles themselves, which their slices offer for sale ([`web::slice::Sellable`]); how they
//! are read; paying from outside (payments); and the rules of terms, codes and earning (domain).

mod batch_file;
mod batch_page;
mod batches;
mod calls;
mod check;
mod closing;
#[doc(hidden)]
pub mod codes;
mod cohorts;
mod commands;
mod config;
mod daily;
mod demo;
mod gift_form;
mod gift_open;
mod gift_page;
#[doc(hidden)]
pub mod gifts;
mod jobs;
mod join;
mod licence_form;
mod licence_page;
mod licences;
mod month;
mod notices;
mod offers;
mod order_page;
mod orders;
mod package_contents;
mod package_form;
mod packages;
mod payouts;
mod purchase;
#[doc(hidden)]
pub mod redeem;
#[doc(hidden)]
pub mod refunds;
mod rights;
#[doc(hidden)]
pub mod sales;
mod settlement;
mod shop;
mod statements;
#[doc(hidden)]
pub mod store;
#[doc(hidden)]
pub mod switching;
#[doc(hidden)]
pub mod trials;

use std::collections::{BTreeMap, BTreeSet};

use axum::routing::{get, post};
use base::db::{Db, Tx, now_ms};
use base::error::Error;
use base::jobs as queue;
use domain::ids::MemberId;
use domain::ledger::Account;
use domain::money::Fen;
use domain::package::{Span, Until, in_turn_each, runs_until};
use domain::tier::Feature;
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::route::Route;
use web::slice::{Entry, Group, Sellable, Slice};

pub use batch_page::BatchPage;
pub use batches::{BatchesPage, NewBatchPage};
pub use cohorts::CohortsPage;
pub use join::JoinPage;
pub use licence_form::{LicencesPage, NewLicencePage};
pub use licence_page::LicencePage;
pub use order_page::SoldPage;
pub use orders::SalesPage;
pub use package_form::{EditPackagePage, NewPackagePage};
pub use packages::PackagesPage;
pub use purchase::PurchasePage;
pub use settlement::SettlementPage;
pub use shop::PackagePage;

pub use gift_form::{GivePackagePage, GivePage};
pub use gift_open::OpenGiftPage;
pub use gift_page::{GiftPage, GiftsPage};

pub use offers::{Offer, Single, buy_single, give_single, offers};

pub use codes::{Wanted as NewCodes, make as make_codes};
pub use jobs::AHEAD_MS;
pub use packages::{NewPackage, keep as keep_package};
pub use redeem::{NotRedeemed, REFUSAL, attempt as redeem_code, is_own as is_own_code};
pub use rights::{Got, Held, RedeemedCode, got};
pub use sales::NotSold;
pub use store::packages::Content;

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::cohorts::months as last_months;
    pub use crate::settlement::months;
    pub use crate::statements::Asked;
}

use jobs::{EarnSale, ForgetSalt, RefundSingles, SendGift, TellEnd, WriteCodes};
use store::entitlements::{Opening, TRIAL};

const PACKAGES: &str = "/manager/epaper_sell";
const CODES: &str = "/manager/epaper_code";
const LICENCES: &str = "/manager/epaper_licence";
const ORDERS: &str = "/manager/epaper_order";
/// Where a giver finds what it gave.
const GIFTS: &str = "/manager/gifts";
/// Where a reader finds what it got.
const STUDY: &str = "/manager/book-study";

const SELLER: Policy = Policy::Needs(Feature::EpaperSubscription);

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/gift/{code}", Policy::Public).page(|| OpenGiftPage().into_any()),
    Route::new("/gift/{code}/acceptance", Policy::Member).handled(|| post(gift_open::accept)),
    Route::new("/join/{code}", Policy::Public).page(|| JoinPage().into_any()),
    Route::new("/join/{code}/seat", Policy::Member).handled(|| post(join::by_code)),
    Route::new("/manager/epaper_code", SELLER).page(|| BatchesPage().into_any()),
    Route::new("/manager/epaper_code/new", SELLER)
        .page(|| NewBatchPage().into_any())
        .handled(|| post(batches::make)),
    Route::new("/manager/epaper_code/{id}", SELLER).page(|| BatchPage().into_any()),
    Route::new("/manager/epaper_code/{id}/activation", SELLER).handled(|| post(batch_page::activate)),
    Route::new("/manager/epaper_code/{id}/codes.csv", SELLER).handled(|| post(batch_file::download)),
    Route::new("/manager/epaper_code/{id}/extension", SELLER).handled(|| post(batch_page::extend)),
    Route::new("/manager/epaper_code/{id}/voiding", SELLER).handled(|| post(batch_page::void)),
    Route::new("/manager/epaper_licence", SELLER).page(|| LicencesPage().into_any()),
    Route::new("/manager/epaper_licence/new", SELLER)
        .page(|| NewLicencePage().into_any())
        .handled(|| post(licence_form::make)),
    Route::new("/manager/epaper_licence/{id}", SELLER)
        .page(|| LicencePage().into_any())
        .handled(|| post(licence_form::change)),
    Route::new("/manager/epaper_licence/{id}/code", SELLER).handled(|| post(licence_page::new_code)),
    Route::new("/manager/epaper_licence/{id}/end", SELLER).handled(|| post(licence_page::end)),
    Route::new("/manager/epaper_licence/{id}/seat", SELLER).handled(|| post(licence_page::seat)),
    Route::new("/manager/epaper_licence/{id}/seats.csv", SELLER).handled(|| get(licence_page::csv)),
    Route::new("/manager/epaper_order", SELLER).page(|| SalesPage().into_any()),
    Route::new("/manager/epaper_order/orders.csv", SELLER).handled(|| get(orders::csv)),
    Route::new("/manager/epaper_order/readers", SELLER).page(|| CohortsPage().into_any()),
    Route::new("/manager/epaper_order/readers.csv", SELLER).handled(|| get(cohorts::csv)),
    Route::new("/manager/epaper_order/{id}", SELLER).page(|| SoldPage().into_any()),
    Route::new("/manager/epaper_order/{id}/refund", SELLER).handled(|| post(order_page::refund)),
    Route::new("/manager/epaper_sell", SELLER).page(|| PackagesPage().into_any()),
    Route::new("/manager/epaper_sell/new", SELLER)
        .page(|| NewPackagePage().into_any())
        .handled(|| post(package_form::add)),
    Route::new("/manager/epaper_sell/{id}", SELLER)
        .page(|| EditPackagePage().into_any())
        .handled(|| post(package_form::change)),
    Route::new("/manager/epaper_sell/{id}/end", SELLER).handled(|| post(package_form::end)),
    Route::new("/manager/epaper_settlement", Policy::Member).page(|| SettlementPage().into_any()),
    Route::new("/manager/epaper_settlement/statement.csv", Policy::Member).handled(|| get(statements::csv)),
    Route::new("/manager/epaper_settlement/statement.pdf", Policy::Member).handled(|| get(statements::pdf)),
    Route::new("/manager/gift/{id}", Policy::Member).page(|| GiftPage().into_any()),
    Route::new("/manager/gift/{id}/card.pdf", Policy::Member).handled(|| get(gift_page::card)),
    Route::new("/manager/gift/{id}/return", Policy::Member).handled(|| post(gift_page::take_back)),
    Route::new("/manager/gift/{id}/sending", Policy::Member).handled(|| post(gift_page::send)),
    Route::new("/manager/gifts", Policy::Member).page(|| GiftsPage().into_any()),
    Route::new("/manager/package/{id}", Policy::Member)
        .page(|| PackagePage().into_any())
        .handled(|| post(shop::order)),
    Route::new("/manager/package/{id}/gift", Policy::Member)
        .page(|| GivePackagePage().into_any())
        .handled(|| post(gift_form::give_package)),
    Route::new("/manager/package/{id}/seat", Policy::Member).handled(|| post(join::by_belonging)),
    Route::new("/manager/package/{id}/switch", Policy::Member).handled(|| post(shop::switch)),
    Route::new("/manager/package/{id}/trial", Policy::Member).handled(|| post(trials::start)),
    Route::new("/manager/purchase/{id}", Policy::Member)
        .page(|| PurchasePage().into_any())
        .handled(|| post(purchase::pay)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES, calls::ROUTES],
    commands: &[
        web::command!("package", "Look at what members sell.", commands::PackageCommand, commands::package),
        web::command!("code", "Make and void redeem codes.", commands::CodeCommand, commands::code),
        web::command!(
            "payout",
            "Note what sellers were paid out.",
            commands::PayoutCommand,
            commands::payout
        ),
    ],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    navigation: &[
        Entry::new(Group::Sell, PACKAGES, "套餐", 10),
        Entry::new(Group::Sell, CODES, "兑换码", 20),
        Entry::new(Group::Sell, LICENCES, "团体订阅", 25),
        Entry::new(Group::Sell, ORDERS, "销售订单", 30),
    ],
    jobs: |handlers| {
        handlers
            .with::<EarnSale>()
            .with::<TellEnd>()
            .with::<ForgetSalt>()
            .with::<WriteCodes>()
            .with::<RefundSingles>()
            .with::<SendGift>()
    },
    tables: &[
        "packages",
        "package_contents",
        "code_batches",
        "redeem_codes",
        "code_downloads",
        "sales",
        "sale_switches",
        "gifts",
        "entitlements",
        "licences",
        "licence_seats",
        "trials",
        "payouts",
    ],
    variables: config::VARIABLES,
    closing: Some(&closing::AtClosing),
    rights: Some(&rights::AtRights),
    payable: Some(&sales::Sales),
    recount: Some(|tx, faults| Box::pin(check::check_money(tx, faults))),
    daily: Some(&daily::AtDay),
    monthly: Some(|tx, time, figures| Box::pin(month::add(tx, time, figures))),
    audited: &[("code make", "生成兑换码"), ("code void", "作废兑换码"), ("payout send", "汇出销售收入")],
    ..Slice::new("selling")
};

/// Until when a reader may read a thing without a break, by what it bought and redeemed, or on a seat; `None` when not even now. Kinds are
/// those of [`Sellable`]. Its owner needs no right: whoever asks knows it.
pub async fn entitled(
    db: &Db,
    reader: &MemberId,
    kind: &str,
    id: &str,
    now: i64,
) -> Result<Option<Until>, Error> {
    let own = runs_until(&store::entitlements::spans_of_item(db, reader, kind, id).await?, now);
    let seat = store::licences::item_until(db, reader, kind, id, now).await?.map(Until::At);
    Ok(own.max(seat))
}

/// Whether a reader had a right to a thing at a moment, such as the day of an issue: what came out within a bought period
/// stays readable after it; what came out within a trial does not.
pub async fn was_entitled(
    db: &Db,
    reader: &MemberId,
    kind: &str,
    id: &str,
    moment: i64,
) -> Result<bool, Error> {
    let spans = store::entitlements::bought_spans_of_item(db, reader, kind, id).await?;
    Ok(runs_until(&spans, moment).is_some())
}

/// A thing that a reader's rights open or opened.
#[derive(Debug, Clone)]
pub struct Opened {
    pub kind: String,
    pub id: String,
    /// Whether it is open now.
    pub runs: bool,
    /// The times that were bought, one after the other: what came out within these stays readable; within a trial, or on a seat,
    /// it does not.
    pub bought: Vec<Span>,
}

/// All that a reader's rights open or opened.
pub async fn opened(db: &Db, reader: &MemberId, now: i64) -> Result<Vec<Opened>, Error> {
    let mut tx = db.begin_snapshot().await?;
    let mut rights: BTreeMap<(String, String), Vec<(Span, bool)>> = BTreeMap::new();
    for Opening { right, items } in store::entitlements::openings(&mut tx, reader).await? {
        for item in items {
            rights.entry(item).or_default().push((right.span, right.source != TRIAL));
        }
    }
    let opened = |((kind, id), rights): ((String, String), Vec<(Span, bool)>)| {
        let turns = in_turn_each(rights);
        let spans: Vec<Span> = turns.iter().map(|(span, _)| *span).collect();
        let bought = turns.into_iter().filter_map(|(span, is_bought)| is_bought.then_some(span)).collect();
        Opened { kind, id, runs: runs_until(&spans, now).is_some(), bought }
    };
    drop(tx);
    let mut all: Vec<Opened> = rights.into_iter().map(opened).collect();
    for (kind, id) in store::licences::opened(db, reader, now).await? {
        match all.iter_mut().find(|known| known.kind == kind && known.id == id) {
            Some(known) => known.runs = true,
            None => all.push(Opened { kind, id, runs: true, bought: Vec::new() }),
        }
    }
    Ok(all)
}

/// Who has a right to a thing at a moment.
pub async fn readers_of(db: &Db, kind: &str, id: &str, moment: i64) -> Result<Vec<MemberId>, Error> {
    let mut readers: BTreeSet<MemberId> =
        store::entitlements::readers_of_item(db, kind, id, moment).await?.into_iter().collect();
    readers.extend(store::licences::readers_of_item(db, kind, id, moment).await?);
    Ok(readers.into_iter().collect())
}

/// What readers paid for a thing by itself and have not got back: how many, and how much.
pub async fn singles(db: &Db, seller: &MemberId, kind: &str, id: &str) -> Result<(usize, Fen), Error> {
    let sales = store::sales::paid_singles(db, seller, kind, id).await?;
    let sum = Fen(sales.iter().map(|sale| sale.amount.0).sum());
    Ok((sales.len(), sum))
}

/// Ends what was begun to be bought of a thing by itself, as part of the transaction that takes it back.
pub async fn end_offer(tx: &mut Tx, seller: &MemberId, kind: &str, id: &str) -> Result<(), Error> {
    store::sales::forget_unpaid(tx, seller, kind, id).await
}

/// Has all of that given back, as part of a transaction.
pub async fn give_singles_back(tx: &mut Tx, seller: &MemberId, kind: &str, id: &str) -> Result<(), Error> {
    let job = RefundSingles { seller: seller.clone(), kind: kind.to_owned(), id: id.to_owned(), after: None };
    queue::enqueue_for(tx, &job, seller, now_ms()).await
}

/// What a seller sold on one day, and how many tried it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct SoldDay {
    /// From 1970-01-01, in China's time zone.
    pub day: i64,
    pub count: i64,
    /// In 分, without what was given back.
    pub amount: i64,
    /// How many of them were given back, whole or in part.
    pub refunded: i64,
    /// How many readers began a free trial.
    #[sqlx(default)]
    pub trials: i64,
}

/// What a seller sold from one moment to another (epoch ms), by day: all of it, or a thing alone and in packages that hold
/// it.
pub async fn sold_by_day(
    db: &Db,
    seller: &MemberId,
    thing: Option<(&str, &str)>,
    span: (i64, i64),
) -> Result<Vec<SoldDay>, Error> {
    let mut days = store::sales::by_day(db, seller, thing, span).await?;
    for tried in store::trials::by_day(db, seller, thing, span).await? {
        match days.iter_mut().find(|known| known.day == tried.day) {
            Some(known) => known.trials = tried.trials,
            None => days.push(tried),
        }
    }
    days.sort_by_key(|day| day.day);
    Ok(days)
}

/// What members may sell, kind by kind.
fn sellables(app: &App) -> impl Iterator<Item = &'static dyn Sellable> + use<> {
    app.house.slices.iter().flat_map(|slice| slice.sellable).copied()
}

/// Where readers open something that a package holds.
fn content_address(app: &App, content: &Content) -> Option<String> {
    item_address(app, &content.kind, &content.id)
}

/// The same of a thing that is sold alone.
fn item_address(app: &App, kind: &str, id: &str) -> Option<String> {
    sellables(app).find(|known| known.kind() == kind)?.address(app, id)
}

/// What a seller has earned and was not paid out.
#[doc(hidden)]
pub async fn income(tx: &mut Tx, seller: &MemberId) -> Result<Fen, Error> {
    ledger::balance_of(tx, &Account::Income(seller.clone())).await
}
