//! Orders: frozen copies of what was chosen, how they move on, and the files a print shop gets.
//!
//! Not here: the ledger, paying from outside (payments), invoices, prices and transitions (domain).

mod closing;
mod commands;
mod demo;
mod floor;
mod forms;
mod giving_back;
mod job_ticket;
mod jobs;
mod month;
mod pages;
mod place;
mod print_files;
#[doc(hidden)]
pub mod progress;
#[doc(hidden)]
pub mod sending;
mod shown;
mod staff;
#[doc(hidden)]
pub mod store;

use axum::routing::{get, post};
use base::error::Error;
use domain::goods::{Goods, step_name};
use domain::ids::{MemberId, OrderId};
use domain::print_options::Choice;
use domain::staff::Capability;
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::route::Route;
use web::slice::{Entry, Group, Slice, StaffEntry};

pub use floor::may_be_printed;
pub use forms::place_from;
pub use giving_back::{GivenBack, Part, Returned, refund};
pub use pages::{OrderPage, OrdersPage, PlacePage, PrintedPage, ReorderPage, StateBadge, confirmation};
pub use place::{SharedCopy, Source};
pub use print_files::{JobFiles, Place, job as job_files};
pub use progress::{pay, start_in};
pub use shown::Pictures;
pub use store::{Order, Sold, find_for_owner, lock_for_owner, set_by_cards, sold_copies};
pub use store::{content, content_of};

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::pages::opening_names;
    pub use crate::print_files::MadeOf;
    pub use crate::staff::read_line;
}

use jobs::{MakePrintFiles, OrderDeadline};

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/opus-print", Policy::Member).page(|| PrintedPage().into_any()),
    Route::new("/manager/order", Policy::Member).page(|| OrdersPage().into_any()),
    Route::new("/manager/order/{id}", Policy::Member).page(|| OrderPage().into_any()),
    Route::new("/manager/order/{id}/cancellation", Policy::Member).handled(|| post(forms::cancel)),
    Route::new("/manager/order/{id}/cancellation_request", Policy::Member)
        .handled(|| post(forms::request_cancellation)),
    Route::new("/manager/order/{id}/line/{line}/page/{page}/{width}", Policy::Member)
        .handled(|| get(forms::picture)),
    Route::new("/manager/order/{id}/receipt", Policy::Member).handled(|| post(forms::receive)),
    Route::new("/manager/order/{id}/reorder", Policy::Member)
        .page(|| ReorderPage().into_any())
        .handled(|| post(forms::reorder)),
    Route::new("/manager/shopping/order/{ids}", Policy::Member)
        .page(|| PlacePage().into_any())
        .handled(|| post(forms::place)),
    Route::new("/staff/orders", Policy::Staff(Capability::SeeOrders)).page(|| staff::OrdersPage().into_any()),
    Route::new("/staff/orders/files", Policy::Staff(Capability::Print)).handled(|| get(staff::files)),
    Route::new("/staff/orders/labels", Policy::Staff(Capability::Print)).handled(|| get(staff::labels)),
    Route::new("/staff/orders/slips", Policy::Staff(Capability::Print)).handled(|| get(staff::slips)),
    Route::new("/staff/orders/start", Policy::Staff(Capability::Print)).handled(|| post(staff::start_many)),
    Route::new("/staff/orders/tickets", Policy::Staff(Capability::Print)).handled(|| get(staff::tickets)),
    Route::new("/staff/orders/{id}", Policy::Staff(Capability::SeeOrders))
        .page(|| staff::OrderPage().into_any()),
    Route::new("/staff/orders/{id}/decline", Policy::Staff(Capability::Refund))
        .handled(|| post(staff::decline)),
    Route::new("/staff/orders/{id}/file/{name}", Policy::Staff(Capability::Print))
        .handled(|| get(staff::file)),
    Route::new("/staff/orders/{id}/line/{line}/page/{page}/{width}", Policy::Staff(Capability::SeeOrders))
        .handled(|| get(staff::picture)),
    Route::new("/staff/orders/{id}/parcel/{number}", Policy::Staff(Capability::Print))
        .handled(|| post(staff::parcel)),
    Route::new("/staff/orders/{id}/refund", Policy::Staff(Capability::Refund))
        .handled(|| post(staff::refund)),
    Route::new("/staff/orders/{id}/second", Policy::Staff(Capability::Refund))
        .handled(|| post(staff::decide)),
    Route::new("/staff/orders/{id}/step", Policy::Staff(Capability::Print)).handled(|| post(staff::step)),
    Route::new("/staff/parcels", Policy::Staff(Capability::Print))
        .page(|| staff::ParcelsPage().into_any())
        .handled(|| post(staff::ship_many)),
    Route::new("/staff/reprints", Policy::Staff(Capability::SeeOrders))
        .page(|| staff::ReprintsPage().into_any()),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    commands: &[web::command!("order", "Manage orders.", commands::Command, commands::run)],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    staff_navigation: &[StaffEntry {
        href: staff::LIST,
        name: "订单",
        rank: 10,
        needs: Capability::SeeOrders,
    }],
    audited: &[
        ("order start", "开始印制"),
        ("order ship", "已发货"),
        ("order unship", "撤回包裹"),
        ("order deliver", "已签收"),
        ("order reprint", "安排重印"),
        ("order refund", "退款"),
        ("order decline", "不同意取消"),
        ("order damaged", "原件有损坏"),
    ],
    queues: Some(&staff::AtQueues),
    daily: Some(&staff::daily::AtDay),
    exports: &[&staff::exports::Orders, &staff::exports::Lines, &staff::exports::Sales],
    navigation: &[
        Entry::new(Group::Print, "/manager/opus-print", "印刷作品", 5),
        Entry::new(Group::Print, "/manager/order", "订单", 20),
    ],
    jobs: |handlers| handlers.with::<MakePrintFiles>().with::<OrderDeadline>(),
    background: &[floor::FOLLOWING],
    tables: &[
        "orders",
        "order_lines",
        "order_events",
        "order_refunds",
        "refunded_copies",
        "asked_copies",
        "cancellation_requests",
        "refund_requests",
        "parcels",
        "parcel_copies",
        "reprints",
        "reprint_copies",
    ],
    shows: Some(&store::uses::AtUses),
    books: store::check::BOOKS,
    closing: Some(&closing::AtClosing),
    monthly: Some(|tx, time, figures| Box::pin(month::add(tx, time, figures))),
    ..Slice::new("orders")
};

/// A member's newest orders, each with its content in a few words.
pub async fn newest_of_member(
    app: &App,
    member: &MemberId,
    most: i64,
) -> Result<Vec<(Order, String)>, Error> {
    let mut newest = Vec::new();
    for order in store::page_of_member(&app.db, member, &store::Filter::default(), None, most).await? {
        let titles = store::titles(&app.db, &order.id).await?;
        let first = titles.first().map_or("", |title| title.title.as_str());
        let content = content(first, titles.len() as i64);
        newest.push((order, content));
    }
    Ok(newest)
}

/// Where the picture of an ordered page is: `cover` or a number from 1, in one of the works' widths.
pub fn picture_address(order: &OrderId, line: i64, page: &str, width: u32) -> String {
    format!("/manager/order/{order}/line/{line}/page/{page}/{width}")
}

/// The chosen items, each with its step.
fn choices(goods: &Goods, choice: &Choice) -> Vec<(String, String)> {
    let chosen = choice.cnums().iter().filter_map(|cnum| goods.item(cnum));
    let artwork = goods.artwork_name(choice).map(|name| (step_name::ARTWORK.to_owned(), name));
    chosen.map(|(step, item)| (step.name.clone(), item.name.clone())).chain(artwork).collect()
}
