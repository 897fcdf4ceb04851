//! Invoices 发票: the titles that a member keeps, requests for orders and memberships, and the files that the operator attaches,
//! on the command line or in the back office.
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
mod staff;
mod store;
mod title_form;
mod titles;
mod words;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::staff::Capability;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::db::sql;
use platform::router::Routes;
use platform::slice::{Entry, Group, Named, Slice, StaffEntry};
use platform::storage::ORIGINALS;

pub use pages::{InvoicePage, InvoicesPage};
pub use request::NewInvoicePage;
pub use titles::{NewTitlePage, TitlePage, TitlesPage};

use staff::{StaffInvoicePage, StaffInvoicesPage};

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
        ("/staff/invoices", Policy::Staff(Capability::Invoices)),
        ("/staff/invoices/{id}", Policy::Staff(Capability::Invoices)),
        ("/staff/invoices/{id}/file", Policy::Staff(Capability::Invoices)),
        ("/staff/invoices/{id}/issue", Policy::Staff(Capability::Invoices)),
        ("/staff/invoices/{id}/rejection", Policy::Staff(Capability::Invoices)),
        ("/staff/invoices/{id}/voiding", Policy::Staff(Capability::Invoices)),
    ],
    navigation: &[Entry::new(Group::Account, "/manager/invoice", "发票", 20)],
    tables: &["invoice_titles", "invoices"],
    files: &[Named { folder: ORIGINALS, count: sql!("select count(*) from invoices where file = $1") }],
    closing: Some(&closing::AtClosing),
    listener: Some(&follow::Follows),
    staff_navigation: &[StaffEntry {
        href: "/staff/invoices",
        name: "发票",
        rank: 40,
        needs: Capability::Invoices,
    }],
    queues: Some(&staff::AtQueues),
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
        <Route path=path!("/staff/invoices") view=StaffInvoicesPage/>
        <Route path=path!("/staff/invoices/:id") view=StaffInvoicePage/>
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
        .route("/staff/invoices/{id}/file", get(staff::file))
        .route(
            "/staff/invoices/{id}/issue",
            post(staff::issue).layer(DefaultBodyLimit::max(staff::MOST_REQUEST)),
        )
        .route("/staff/invoices/{id}/rejection", post(staff::reject))
        .route("/staff/invoices/{id}/voiding", post(staff::void))
}
