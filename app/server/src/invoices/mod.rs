//! Invoices 发票: the titles that a member keeps, requests for orders and memberships, and the files that the operator attaches.
//!
//! Not here: transitions and the check of a company's code (domain), what an order costs (orders), and a term (membership).

mod bill;
mod closing;
pub mod commands;
mod follow;
mod forms;
mod operate;
mod pages;
mod request;
mod store;
mod title_form;
mod titles;

use axum::routing::{get, post};
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::router::Routes;
use platform::slice::{Entry, Group, Named, Slice};
use platform::storage::ORIGINALS;

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
    files: &[Named { folder: ORIGINALS, rows: "invoices where file = $1" }],
    closing: Some(&closing::AtClosing),
    listener: Some(&follow::Follows),
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
