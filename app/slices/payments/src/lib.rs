//! Money from outside: paying an order from the balance or from outside, recharging, and sending money back to
//! where it came from; and what the back office does with it.
//!
//! Not here: the ledger, what an order costs (cart, orders) and the rules of postings and amounts (domain).

mod begin;
#[doc(hidden)]
pub mod cards;
mod check;
mod closing;
mod commands;
mod config;
mod follow;
mod forms;
mod jobs;
mod month;
mod notify;
mod operate;
mod pages;
#[doc(hidden)]
pub mod providers;
#[doc(hidden)]
pub mod refund;
#[doc(hidden)]
pub mod settle;
mod signing;
mod staff;
mod statements;
#[doc(hidden)]
pub mod store;

use leptos::prelude::*;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::ids::PaymentId;
use domain::staff::Capability;

use base::db::{new_id, now_ms, sql};
use base::error::Error;
use base::storage::ORIGINALS;
use config::Ways;
use web::access::Policy;
use web::app::App;
use web::checks::{Asked, Found};
use web::commands::Command;
use web::route::Route;
use web::slice::{Entry, Group, Named, Slice, StaffEntry};

pub use forms::pay_bill;
pub use store::Bill;

pub use pages::{PayPage, PaymentPage, RechargePage, SuccessPage, WaysToPay};

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::config::Ways;
}

use jobs::{FollowPayment, SendBack};
use providers::Standing;
use staff::statements::{Differences, StatementPage, StatementsPage};
use staff::{StaffPaymentPage, StaffPaymentsPage};
use statements::work::MatchStatement;

/// How members pay from outside, as the host configured it.
pub fn ways(app: &App) -> Result<Arc<Ways>, Error> {
    app.own(|app| {
        config::read()
            .map(|ways| if app.config.is_demo { ways.or_stand_in() } else { ways })
            .map_err(Error::internal)
    })
}

/// Reads the host's settings, so that a wrong one is told at the start.
async fn read_settings(app: &App) -> Result<(), Error> {
    ways(app).map(drop)
}

/// Asks each provider of a payment that there is none of: whoever takes the question, signed, takes the others, and an answer
/// whose signature is good comes from whom it should.
async fn probe(asked: &Asked) -> Vec<Found> {
    if !asked.pay {
        return Vec::new();
    }
    // what is wrong with the settings is told before
    let Ok(ways) = config::read() else { return Vec::new() };
    let mut found = Vec::new();
    for method in ways.all() {
        let Some(provider) = ways.provider(method) else { continue };
        let standing = provider.query(&new_id::<PaymentId>(), now_ms()).await;
        let said = match standing {
            Ok(Standing::Unknown) => Ok("the keys are taken, and its own is right".to_owned()),
            Ok(_) => Err("it knows of a payment that nobody made: another shop's numbers?".to_owned()),
            Err(failure) => Err(format!("{failure}; look at the numbers and keys of its variables")),
        };
        found.push((method.name().to_owned(), said));
    }
    found
}

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/payment/{id}", Policy::Member).page(|| PaymentPage().into_any()),
    Route::new("/manager/payment/{id}/pretence", Policy::Member).handled(|| post(follow::pretend)),
    Route::new("/manager/payment/{id}/question", Policy::Member).handled(|| post(follow::question)),
    Route::new("/manager/payment/{id}/state", Policy::Member).handled(|| get(follow::watch)),
    Route::new("/manager/recharge", Policy::Member)
        .page(|| RechargePage().into_any())
        .handled(|| post(forms::recharge)),
    Route::new("/manager/shopping/pay", Policy::Member)
        .page(|| PayPage().into_any())
        .handled(|| post(forms::pay)),
    Route::new("/manager/shopping/success", Policy::Member).page(|| SuccessPage().into_any()),
    // what providers tell arrives without a session
    Route::new(config::NOTIFY_ALIPAY, Policy::Public)
        .handled(|| post(notify::alipay).layer(DefaultBodyLimit::max(notify::MOST_BYTES))),
    Route::new(config::NOTIFY_WECHATPAY, Policy::Public)
        .handled(|| post(notify::wechatpay).layer(DefaultBodyLimit::max(notify::MOST_BYTES))),
    Route::new("/staff/payments", Policy::Staff(Capability::Payments))
        .page(|| StaffPaymentsPage().into_any()),
    Route::new("/staff/payments/{id}", Policy::Staff(Capability::Payments))
        .page(|| StaffPaymentPage().into_any()),
    Route::new("/staff/payments/{id}/arrival", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::arrival)),
    Route::new("/staff/payments/{id}/arrival_second", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::decide_arrival)),
    Route::new("/staff/payments/{id}/refund", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::refund)),
    Route::new("/staff/payments/{id}/refund_again", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::ask_again)),
    Route::new("/staff/payments/{id}/refund_end", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::end_refund)),
    Route::new("/staff/payments/{id}/refund_end_second", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::decide_back)),
    Route::new("/staff/payments/{id}/second", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::decide)),
    Route::new("/staff/statements", Policy::Staff(Capability::Payments))
        .page(|| StatementsPage().into_any())
        .handled(|| {
            post(staff::statements::take).layer(DefaultBodyLimit::max(staff::statements::MOST_REQUEST))
        }),
    Route::new("/staff/statements/{id}", Policy::Staff(Capability::Payments))
        .page(|| StatementPage().into_any()),
    Route::new("/staff/statements/{id}/again", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::statements::again)),
    Route::new("/staff/statements/{id}/settle", Policy::Staff(Capability::Payments))
        .handled(|| post(staff::statements::settle)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    variables: config::VARIABLES,
    settings: Some(config::check),
    probe: Some(|asked| Box::pin(probe(asked))),
    routes: &[ROUTES],
    commands: &[Command {
        alias: Some("payment"),
        ..web::command!(
            "recharge",
            "Manage recharges and other payments from outside.",
            commands::Command,
            commands::run
        )
    }],
    navigation: &[Entry::new(Group::Account, "/manager/recharge", "充值", 10)],
    takes_money: Some(|app| Ok(ways(app)?.all().next().is_some())),
    jobs: |handlers| handlers.with::<FollowPayment>().with::<SendBack>().with::<MatchStatement>(),
    tables: &[
        "payments",
        "payment_refunds",
        "statements",
        "statement_days",
        "statement_lines",
        "statement_differences",
    ],
    files: &[Named {
        folder: ORIGINALS,
        count: sql!("select count(*) from statements where sha256 = $1"),
        all: sql!("select sha256 from statements where sha256 is not null"),
    }],
    books: check::BOOKS,
    open: Some(|app| Box::pin(async move { read_settings(&app).await })),
    closing: Some(&closing::AtClosing),
    staff_navigation: &[
        StaffEntry { href: "/staff/payments", name: "收款", rank: 30, needs: Capability::Payments },
        StaffEntry { href: "/staff/statements", name: "对账", rank: 31, needs: Capability::Payments },
    ],
    audited: &[
        ("recharge confirm", "确认到账"),
        ("recharge refund", "原路退回"),
        ("statement take", "上传账单"),
        ("statement again", "再核对一次账单"),
        ("statement settle", "差异记为已处理"),
    ],
    queues: Some(&staff::AtQueues),
    exports: &[&staff::exports::Payments, &Differences],
    monthly: Some(|tx, time, figures| Box::pin(month::add(tx, time, figures))),
    ..Slice::new("payments")
};
