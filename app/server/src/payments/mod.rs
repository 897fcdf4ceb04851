//! Money: the ledger's tables, paying an order from the balance or from outside, recharging, and sending money back to
//! where it came from.
//!
//! Not here: what an order costs (cart, orders) and the rules of postings and amounts (domain).

mod begin;
mod check;
pub mod commands;
mod config;
mod follow;
mod forms;
pub mod ledger;
mod notify;
mod pages;
mod providers;
mod refund;
mod settle;
mod signing;
mod store;
mod store_refunds;
#[cfg(test)]
pub mod testing;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use crate::router::Routes;

pub use config::Ways;
pub use follow::follow;
pub use pages::{PayPage, PaymentPage, RechargePage, SuccessPage};
pub use refund::send_back;

/// The slice's handlers; what providers tell arrives without a session.
pub fn router() -> Routes {
    Routes::default()
        .route("/manager/shopping/pay", post(forms::pay))
        .route("/manager/recharge", post(forms::recharge))
        .route("/manager/payment/{id}/question", post(follow::question))
        .route("/manager/payment/{id}/state", get(follow::watch))
        .route(
            config::NOTIFY_WECHATPAY,
            post(notify::wechatpay).layer(DefaultBodyLimit::max(notify::MOST_BYTES)),
        )
        .route(config::NOTIFY_ALIPAY, post(notify::alipay).layer(DefaultBodyLimit::max(notify::MOST_BYTES)))
}
