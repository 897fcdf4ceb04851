//! Orders: frozen copies of what was chosen, how they move on, and the files a print shop gets.
//!
//! Not here: the ledger, paying from outside (payments), invoices, prices and transitions (domain).

mod closing;
pub mod commands;
mod forms;
mod jobs;
mod pages;
mod place;
mod print_files;
#[doc(hidden)]
pub mod progress;
mod staff;
#[doc(hidden)]
pub mod store;
mod ticket;

use axum::routing::{get, post};
use domain::goods::Goods;
use domain::ids::{MemberId, OrderId};
use domain::print_options::Choice;
use domain::staff::Capability;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::app::App;
use platform::error::Error;
use platform::router::Routes;
use platform::slice::{Entry, Group, Slice, StaffEntry};

pub use forms::place_from;
pub use pages::{OrderPage, OrdersPage, PlacePage, PrintedPage, ReorderPage, StateBadge, confirmation};
pub use place::{SharedCopy, Source};
pub use progress::{GivenBack, Returned, pay};
pub use progress::{Part, refund};
pub use store::{Order, Sold, find_for_owner, lock_for_owner, sold_copies};
pub use store::{content, content_of};

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::staff::read_line;
}

use jobs::{MakePrintFiles, OrderDeadline};

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/manager/opus-print", Policy::Member),
        ("/manager/order", Policy::Member),
        ("/manager/order/{id}", Policy::Member),
        ("/manager/order/{id}/cancellation", Policy::Member),
        ("/manager/order/{id}/cancellation_request", Policy::Member),
        ("/manager/order/{id}/line/{line}/page/{page}/{width}", Policy::Member),
        ("/manager/order/{id}/receipt", Policy::Member),
        ("/manager/order/{id}/reorder", Policy::Member),
        ("/manager/shopping/order/{ids}", Policy::Member),
        ("/staff/orders", Policy::Staff(Capability::SeeOrders)),
        ("/staff/orders/start", Policy::Staff(Capability::Print)),
        ("/staff/orders/{id}", Policy::Staff(Capability::SeeOrders)),
        ("/staff/orders/{id}/decline", Policy::Staff(Capability::Refund)),
        ("/staff/orders/{id}/file/{name}", Policy::Staff(Capability::Print)),
        ("/staff/orders/{id}/line/{line}/page/{page}/{width}", Policy::Staff(Capability::SeeOrders)),
        ("/staff/orders/{id}/refund", Policy::Staff(Capability::Refund)),
        ("/staff/orders/{id}/second", Policy::Staff(Capability::Refund)),
        ("/staff/orders/{id}/step", Policy::Staff(Capability::Print)),
        ("/staff/parcels", Policy::Staff(Capability::Print)),
    ],
    staff_navigation: &[StaffEntry {
        href: staff::LIST,
        name: "订单",
        rank: 10,
        needs: Capability::SeeOrders,
    }],
    queues: Some(&staff::AtQueues),
    navigation: &[
        Entry::new(Group::Print, "/manager/opus-print", "印刷作品", 5),
        Entry::new(Group::Print, "/manager/order", "订单", 20),
    ],
    jobs: |handlers| handlers.with::<MakePrintFiles>().with::<OrderDeadline>(),
    tables: &[
        "orders",
        "order_lines",
        "order_events",
        "order_refunds",
        "cancellation_requests",
        "refund_requests",
    ],
    shows: Some(&store::uses::AtUses),
    books: store::check::BOOKS,
    closing: Some(&closing::AtClosing),
    ..Slice::new("orders")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/manager/shopping/order/:ids") view=PlacePage/>
        <Route path=path!("/manager/opus-print") view=PrintedPage/>
        <Route path=path!("/manager/order") view=OrdersPage/>
        <Route path=path!("/manager/order/:id") view=OrderPage/>
        <Route path=path!("/manager/order/:id/reorder") view=ReorderPage/>
        <Route path=path!("/staff/orders") view=staff::OrdersPage/>
        <Route path=path!("/staff/orders/:id") view=staff::OrderPage/>
        <Route path=path!("/staff/parcels") view=staff::ParcelsPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/manager/shopping/order/{ids}", post(forms::place))
        .route("/manager/order/{id}/cancellation", post(forms::cancel))
        .route("/manager/order/{id}/cancellation_request", post(forms::request_cancellation))
        .route("/manager/order/{id}/receipt", post(forms::receive))
        .route("/manager/order/{id}/reorder", post(forms::reorder))
        .route("/manager/order/{id}/line/{line}/page/{page}/{width}", get(forms::picture))
        .route("/staff/orders/start", post(staff::start_many))
        .route("/staff/orders/{id}/decline", post(staff::decline))
        .route("/staff/orders/{id}/file/{name}", get(staff::file))
        .route("/staff/orders/{id}/line/{line}/page/{page}/{width}", get(staff::picture))
        .route("/staff/orders/{id}/refund", post(staff::refund))
        .route("/staff/orders/{id}/second", post(staff::decide))
        .route("/staff/orders/{id}/step", post(staff::step))
        .route("/staff/parcels", post(staff::ship_many))
}

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
    chosen.map(|(step, item)| (step.name.clone(), item.name.clone())).collect()
}
