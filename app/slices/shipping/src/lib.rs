//! Shipping 配送: what sending costs, and who sends. The shop sets both.
//!
//! Which parcels an order has is its own (orders); what a tariff is, is the domain's (`domain::shipping`).

mod settings;
mod store;

use axum::routing::post;
use base::db::Db;
use base::error::Error;
use domain::shipping::Tariff;
use domain::staff::Capability;
use leptos::prelude::*;
use web::access::Policy;
use web::route::Route;
use web::slice::{Slice, StaffEntry};

pub use store::Sender;

/// Where the shop says what sending costs.
const PAGE: &str = "/staff/shipping";

/// Its routes.
const ROUTES: &[Route] = &[Route::new("/staff/shipping", Policy::Staff(Capability::Goods))
    .page(|| settings::SettingsPage().into_any())
    .handled(|| post(settings::set))];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    staff_navigation: &[StaffEntry { href: PAGE, name: "运费", rank: 45, needs: Capability::Goods }],
    tables: &["shipping_zones", "shipping_sender"],
    audited: &[("shipping set", "改运费与寄件人")],
    ..Slice::new("shipping")
};

/// What sending costs now.
pub async fn tariff(db: &Db) -> Result<Tariff, Error> {
    let mut tx = db.begin_snapshot().await?;
    store::tariff(&mut tx).await
}

/// Who sends, as it stands on labels.
pub async fn sender(db: &Db) -> Result<Sender, Error> {
    let mut tx = db.begin_snapshot().await?;
    store::sender(&mut tx).await
}
