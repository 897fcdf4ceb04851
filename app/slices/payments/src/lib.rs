//! Money from outside: paying an order from the balance or from outside, recharging, and sending money back to
//! where it came from; and what the back office does with it.
//!
//! Not here: the ledger, what an order costs (cart, orders) and the rules of postings and amounts (domain).

mod begin;
mod check;
mod closing;
pub mod commands;
mod config;
mod follow;
mod forms;
mod jobs;
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
#[doc(hidden)]
pub mod store;
mod store_closing;
mod store_refunds;
mod store_staff;

use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::staff::Capability;

use config::Ways;
use platform::access::Policy;
use platform::app::App;
use platform::error::Error;
use platform::router::Routes;
use platform::slice::{Entry, Group, Slice, StaffEntry};

pub use forms::pay_bill;
pub use store::Bill;

pub use pages::{PayPage, PaymentPage, RechargePage, SuccessPage, WaysToPay};

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::config::Ways;
}

use jobs::{FollowPayment, SendBack};
use staff::{StaffPaymentPage, StaffPaymentsPage};

/// How members pay from outside, as the host configured it.
pub fn ways(app: &App) -> Result<Arc<Ways>, Error> {
    app.own(|app| {
        Ways::from_variables(platform::config::variable, app.config.public_url.as_deref())
            .map(|ways| if app.config.is_demo { ways.or_stand_in() } else { ways })
            .map_err(Error::internal)
    })
}

/// Reads the host's settings, so that a wrong one is told at the start.
async fn read_settings(app: &App) -> Result<(), Error> {
    ways(app).map(drop)
}

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/manager/payment/{id}", Policy::Member),
        ("/manager/payment/{id}/pretence", Policy::Member),
        ("/manager/payment/{id}/question", Policy::Member),
        ("/manager/payment/{id}/state", Policy::Member),
        ("/manager/recharge", Policy::Member),
        ("/manager/shopping/pay", Policy::Member),
        ("/manager/shopping/success", Policy::Member),
        ("/notify/alipay", Policy::Public),
        ("/notify/wechatpay", Policy::Public),
        ("/staff/payments", Policy::Staff(Capability::Payments)),
        ("/staff/payments/{id}", Policy::Staff(Capability::Payments)),
        ("/staff/payments/{id}/arrival", Policy::Staff(Capability::Payments)),
        ("/staff/payments/{id}/refund", Policy::Staff(Capability::Payments)),
        ("/staff/payments/{id}/refund_end", Policy::Staff(Capability::Payments)),
        ("/staff/payments/{id}/second", Policy::Staff(Capability::Payments)),
    ],
    navigation: &[Entry::new(Group::Account, "/manager/recharge", "充值", 10)],
    takes_money: Some(|app| Ok(ways(app)?.all().next().is_some())),
    jobs: |handlers| handlers.with::<FollowPayment>().with::<SendBack>(),
    tables: &["payments", "payment_refunds"],
    books: check::BOOKS,
    open: Some(|app| Box::pin(async move { read_settings(&app).await })),
    closing: Some(&closing::AtClosing),
    staff_navigation: &[StaffEntry {
        href: "/staff/payments",
        name: "收款",
        rank: 30,
        needs: Capability::Payments,
    }],
    queues: Some(&staff::AtQueues),
    ..Slice::new("payments")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/manager/shopping/pay") view=PayPage/>
        <Route path=path!("/manager/shopping/success") view=SuccessPage/>
        <Route path=path!("/manager/recharge") view=RechargePage/>
        <Route path=path!("/manager/payment/:id") view=PaymentPage/>
        <Route path=path!("/staff/payments") view=StaffPaymentsPage/>
        <Route path=path!("/staff/payments/:id") view=StaffPaymentPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers; what providers tell arrives without a session.
fn router() -> Routes {
    Routes::default()
        .route("/manager/shopping/pay", post(forms::pay))
        .route("/manager/recharge", post(forms::recharge))
        .route("/manager/payment/{id}/pretence", post(follow::pretend))
        .route("/manager/payment/{id}/question", post(follow::question))
        .route("/manager/payment/{id}/state", get(follow::watch))
        .route("/staff/payments/{id}/arrival", post(staff::arrival))
        .route("/staff/payments/{id}/refund", post(staff::refund))
        .route("/staff/payments/{id}/refund_end", post(staff::end_refund))
        .route("/staff/payments/{id}/second", post(staff::decide))
        .route(
            config::NOTIFY_WECHATPAY,
            post(notify::wechatpay).layer(DefaultBodyLimit::max(notify::MOST_BYTES)),
        )
        .route(config::NOTIFY_ALIPAY, post(notify::alipay).layer(DefaultBodyLimit::max(notify::MOST_BYTES)))
}
