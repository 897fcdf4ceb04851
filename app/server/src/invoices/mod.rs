//! Invoices 发票: the titles that a member keeps, requests for orders, and the files that the operator attaches.
//!
//! Not here: transitions and the check of a company's code (domain), what an order costs (orders).

mod closing;
pub mod commands;
mod forms;
mod operate;
mod pages;
mod request;
mod store;
mod title_form;
mod titles;

use axum::routing::{get, post};
use domain::invoice::InvoiceState;
use domain::money::Fen;
use domain::order_state::Actor;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use crate::orders::Order;
use platform::access::Policy;
use platform::db::{Tx, now_ms};
use platform::error::Error;
use platform::router::Routes;
use platform::slice::{Entry, Group, Slice};

pub use pages::{InvoicePage, InvoicesPage};
pub use request::NewInvoicePage;
pub use titles::{NewTitlePage, TitlePage, TitlesPage};

const LIST: &str = "/manager/invoice";

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/manager/invoice", Policy::Member),
        ("/manager/invoice/new", Policy::Member),
        ("/manager/invoice/titles", Policy::Member),
        ("/manager/invoice/titles/new", Policy::Member),
        ("/manager/invoice/titles/{id}", Policy::Member),
        ("/manager/invoice/titles/{id}/removal", Policy::Member),
        ("/manager/invoice/{id}", Policy::Member),
        ("/manager/invoice/{id}/cancellation", Policy::Member),
        ("/manager/invoice/{id}/file", Policy::Member),
    ],
    navigation: &[Entry::new(Group::Account, "/manager/invoice", "发票", 20)],
    tables: &["invoice_titles", "invoices"],
    closing: Some(&closing::AtClosing),
    ..Slice::new("invoices")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/manager/invoice") view=InvoicesPage/>
        <Route path=path!("/manager/invoice/new") view=NewInvoicePage/>
        <Route path=path!("/manager/invoice/titles") view=TitlesPage/>
        <Route path=path!("/manager/invoice/titles/new") view=NewTitlePage/>
        <Route path=path!("/manager/invoice/titles/:id") view=TitlePage/>
        <Route path=path!("/manager/invoice/:id") view=InvoicePage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's form handlers, and the file.
fn router() -> Routes {
    Routes::default()
        .route("/manager/invoice/new", post(request::request))
        .route("/manager/invoice/titles/new", post(titles::add))
        .route("/manager/invoice/titles/{id}", post(titles::change))
        .route("/manager/invoice/titles/{id}/removal", post(titles::remove))
        .route("/manager/invoice/{id}/cancellation", post(forms::cancel))
        .route("/manager/invoice/{id}/file", get(forms::file))
}

/// Lets the invoice of an order follow what was given back. Called as part of the transaction that gives it back and
/// holds the order's row, with the order as it is then. A request's amount follows, and ends with it; one that
/// was issued shows the operator that it has to be corrected 需红冲.
pub async fn order_changed(tx: &mut Tx, order: &Order) -> Result<(), Error> {
    let Some(mut invoice) = store::lock_live(tx, &order.id).await? else { return Ok(()) };
    invoice.order_rest = order.kept();
    if invoice.state == InvoiceState::Requested && invoice.order_rest != invoice.amount {
        if invoice.order_rest == Fen::ZERO {
            invoice.state =
                invoice.state.advance(InvoiceState::Cancelled, Actor::System).map_err(Error::internal)?;
            invoice.reason = Some("订单已全额退款，没有可开票的金额".to_owned());
            invoice.ended_at = Some(now_ms());
        } else {
            invoice.amount = invoice.order_rest;
        }
    }
    store::update(tx, &invoice).await
}
