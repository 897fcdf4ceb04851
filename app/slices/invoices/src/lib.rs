//! Invoices 发票: the titles that a member keeps, requests for orders and memberships, and the files that the operator attaches,
//! on the command line or in the back office.
//!
//! Not here: transitions and the check of a company's code (domain), what an order costs (orders), and a term (membership).

mod bill;
mod closing;
mod commands;
mod fields;
mod follow;
mod forms;
mod operate;
mod pages;
mod red;
mod request;
mod staff;
mod store;
mod title_form;
mod titles;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use base::db::sql;
use base::storage::ORIGINALS;
use domain::staff::Capability;
use leptos::prelude::*;
use web::access::Policy;
use web::route::Route;
use web::slice::{Entry, Group, Named, Slice, StaffEntry};

pub use pages::{InvoicePage, InvoicesPage};
pub use request::NewInvoicePage;
pub use titles::{NewTitlePage, TitlePage, TitlesPage};

use staff::{StaffInvoicePage, StaffInvoicesPage};

const LIST: &str = "/manager/invoice";

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/invoice", Policy::Member).page(|| InvoicesPage().into_any()),
    Route::new("/manager/invoice/new", Policy::Member)
        .page(|| NewInvoicePage().into_any())
        .handled(|| post(request::request)),
    Route::new("/manager/invoice/titles", Policy::Member).page(|| TitlesPage().into_any()),
    Route::new("/manager/invoice/titles/new", Policy::Member)
        .page(|| NewTitlePage().into_any())
        .handled(|| post(titles::add)),
    Route::new("/manager/invoice/titles/{id}", Policy::Member)
        .page(|| TitlePage().into_any())
        .handled(|| post(titles::change)),
    Route::new("/manager/invoice/titles/{id}/removal", Policy::Member).handled(|| post(titles::remove)),
    Route::new("/manager/invoice/{id}", Policy::Member).page(|| InvoicePage().into_any()),
    Route::new("/manager/invoice/{id}/cancellation", Policy::Member).handled(|| post(forms::cancel)),
    Route::new("/manager/invoice/{id}/file", Policy::Member).handled(|| get(forms::file)),
    Route::new("/manager/invoice/{id}/red/{number}", Policy::Member).handled(|| get(red::file)),
    Route::new("/staff/invoices", Policy::Staff(Capability::Invoices))
        .page(|| StaffInvoicesPage().into_any()),
    Route::new("/staff/invoices/{id}", Policy::Staff(Capability::Invoices))
        .page(|| StaffInvoicePage().into_any()),
    Route::new("/staff/invoices/{id}/file", Policy::Staff(Capability::Invoices)).handled(|| get(staff::file)),
    Route::new("/staff/invoices/{id}/issue", Policy::Staff(Capability::Invoices))
        .handled(|| post(staff::issue).layer(DefaultBodyLimit::max(staff::MOST_REQUEST))),
    Route::new("/staff/invoices/{id}/red", Policy::Staff(Capability::Invoices))
        .handled(|| post(red::post).layer(DefaultBodyLimit::max(staff::MOST_REQUEST))),
    Route::new("/staff/invoices/{id}/red/{number}", Policy::Staff(Capability::Invoices))
        .handled(|| get(red::staff_file)),
    Route::new("/staff/invoices/{id}/rejection", Policy::Staff(Capability::Invoices))
        .handled(|| post(staff::reject)),
    Route::new("/staff/invoices/{id}/voiding", Policy::Staff(Capability::Invoices))
        .handled(|| post(staff::void)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    commands: &[web::command!(
        "invoice",
        "Issue, refuse and void invoices.",
        commands::Command,
        commands::run
    )],
    navigation: &[Entry::new(Group::Account, "/manager/invoice", "发票", 20)],
    tables: &["invoice_titles", "invoices", "red_invoices"],
    files: &[
        Named {
            folder: ORIGINALS,
            count: sql!("select count(*) from invoices where file = $1"),
            all: sql!("select file from invoices where file is not null"),
        },
        Named {
            folder: ORIGINALS,
            count: sql!("select count(*) from red_invoices where file = $1"),
            all: sql!("select file from red_invoices where file is not null"),
        },
    ],
    closing: Some(&closing::AtClosing),
    listener: Some(&follow::Follows),
    staff_navigation: &[StaffEntry {
        href: "/staff/invoices",
        name: "发票",
        rank: 40,
        needs: Capability::Invoices,
    }],
    audited: &[
        ("invoice issue", "开票"),
        ("invoice replace", "替换发票 PDF"),
        ("invoice reject", "不予开票"),
        ("invoice void", "发票作废"),
        ("invoice red", "登记红字发票"),
    ],
    queues: Some(&staff::AtQueues),
    ..Slice::new("invoices")
};
