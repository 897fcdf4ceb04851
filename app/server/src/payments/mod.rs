//! Money: the ledger's tables and paying an order from the balance.
//!
//! Not here: what an order costs (cart, orders) and the rules of postings (domain).

mod forms;
pub mod ledger;
mod pages;

use axum::routing::post;

use crate::router::Routes;

pub use pages::{PayPage, SuccessPage};

/// The slice's form handlers.
pub fn router() -> Routes {
    Routes::default().route("/manager/shopping/pay", post(forms::pay))
}
