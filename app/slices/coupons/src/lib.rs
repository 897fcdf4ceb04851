//! Coupons 优惠券: what the shop gives away, and which orders use it.
//!
//! Not here: what one takes off and whom it refuses (`domain::coupon`), and the orders that bear it, which say when it is used
//! and when it is free again.

mod check;
mod codes;
mod commands;
mod jobs;
mod make;
mod offers;
mod staff;
mod store;

use axum::routing::post;
use domain::staff::Capability;
use leptos::prelude::*;
use web::access::Policy;
use web::approvals::Kind;
use web::route::Route;
use web::slice::{Slice, StaffEntry};

pub use offers::{Offer, give_back, offer, take};

/// Where they are listed.
const LIST: &str = "/staff/coupons";
/// The form of a new one.
const NEW: &str = "/staff/coupons/new";

/// Coupons among what is given of.
const KIND: Kind = Kind { name: "coupon", log: "coupon" };

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/staff/coupons", Policy::Staff(Capability::Coupons))
        .page(|| staff::list::CouponsPage().into_any()),
    Route::new("/staff/coupons/new", Policy::Staff(Capability::Coupons))
        .page(|| staff::new::NewPage().into_any())
        .handled(|| post(staff::new::add)),
    Route::new("/staff/coupons/{id}", Policy::Staff(Capability::Coupons))
        .page(|| staff::coupon::CouponPage().into_any()),
    Route::new("/staff/coupons/{id}/codes", Policy::Staff(Capability::Coupons))
        .handled(|| post(staff::forms::codes)),
    Route::new("/staff/coupons/{id}/end", Policy::Staff(Capability::Coupons))
        .handled(|| post(staff::forms::end)),
    Route::new("/staff/coupons/{id}/second", Policy::Staff(Capability::Coupons))
        .handled(|| post(staff::forms::decide)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    commands: &[web::command!("coupon", "Manage coupons.", commands::Command, commands::run)],
    staff_navigation: &[StaffEntry { href: LIST, name: "优惠券", rank: 46, needs: Capability::Coupons }],
    audited: &[
        ("coupon", "优惠券"),
        ("coupon add", "新建优惠券"),
        ("coupon agree", "同意优惠券"),
        ("coupon codes", "下载券码"),
        ("coupon end", "停用优惠券"),
    ],
    queues: Some(&staff::AtQueues),
    jobs: |handlers| handlers.with::<jobs::ForgetSalt>(),
    tables: &["coupons", "coupon_codes", "coupon_uses"],
    books: check::BOOKS,
    ..Slice::new("coupons")
};
