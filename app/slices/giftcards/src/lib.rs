//! Gift cards 礼品卡: bought for somebody, by mail or to be printed; whoever uses the code first has the card, pays orders with it to the
//! last fen, or puts what is left into its balance.
//!
//! Not here: what one is worth and whom it refuses (`domain::gift_card`), and the gifts of what sellers sell (selling).

#[doc(hidden)]
pub mod cards;
mod check;
mod closing;
mod commands;
mod exports;
mod forms;
mod jobs;
mod pages;
mod staff;
#[doc(hidden)]
pub mod store;
#[doc(hidden)]
pub mod using;

use axum::routing::{get, post};
use domain::staff::Capability;
use leptos::prelude::*;
use web::access::Policy;
use web::route::Route;
use web::slice::{Entry, Group, Slice, StaffEntry};

/// Where a member buys them, and has its own.
const PAGE: &str = "/manager/gift-cards";
/// Where they are listed in the back office.
const LIST: &str = "/staff/gift-cards";

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/gift-cards", Policy::Member)
        .page(|| pages::list::GiftCardsPage().into_any())
        .handled(|| post(forms::buy)),
    Route::new("/manager/gift-cards/kept", Policy::Member).handled(|| post(forms::keep)),
    Route::new("/manager/gift-cards/redemption", Policy::Member).handled(|| post(forms::redeem)),
    Route::new("/manager/gift-cards/{id}", Policy::Member)
        .page(|| pages::card::GiftCardPage().into_any())
        .handled(|| post(forms::pay)),
    Route::new("/manager/gift-cards/{id}/card.pdf", Policy::Member).handled(|| get(forms::card)),
    Route::new("/manager/gift-cards/{id}/redemption", Policy::Member).handled(|| post(forms::redeem_own)),
    Route::new("/manager/gift-cards/{id}/sending", Policy::Member).handled(|| post(forms::send)),
    Route::new("/staff/gift-cards", Policy::Staff(Capability::Refund))
        .page(|| staff::StaffGiftCardsPage().into_any()),
    Route::new("/staff/gift-cards/{id}", Policy::Staff(Capability::Refund))
        .page(|| staff::StaffGiftCardPage().into_any()),
    Route::new("/staff/gift-cards/{id}/activation", Policy::Staff(Capability::Refund))
        .handled(|| post(staff::activate)),
    Route::new("/staff/gift-cards/{id}/refund", Policy::Staff(Capability::Refund))
        .handled(|| post(staff::refund)),
    Route::new("/staff/gift-cards/{id}/second", Policy::Staff(Capability::Refund))
        .handled(|| post(staff::decide)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    navigation: &[Entry::new(Group::Account, PAGE, "礼品卡", 15)],
    staff_navigation: &[StaffEntry { href: LIST, name: "礼品卡", rank: 33, needs: Capability::Refund }],
    commands: &[web::command!("gift-card", "Manage gift cards.", commands::Command, commands::run)],
    audited: &[("gift card refund", "礼品卡退款"), ("gift card activate", "激活礼品卡")],
    queues: Some(&staff::AtQueues),
    exports: &[&exports::GiftCards],
    jobs: |handlers| handlers.with::<jobs::SendGiftCard>(),
    tables: &["gift_cards", "gift_card_uses", "gift_card_moves"],
    payable: Some(&cards::Bought),
    prepaid: Some(&using::AtTill),
    listener: Some(&using::Returns),
    closing: Some(&closing::AtClosing),
    books: check::BOOKS,
    ..Slice::new("giftcards")
};
