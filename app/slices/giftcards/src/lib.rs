//! Gift cards 礼品卡: bought for somebody, by mail or to be printed, and redeemed whole into the balance of whoever has the code.
//!
//! Not here: what one is worth and whom it refuses (`domain::gift_card`), and the gifts of what sellers sell (selling).

#[doc(hidden)]
pub mod cards;
mod check;
mod closing;
mod forms;
mod jobs;
mod pages;
mod staff;
#[doc(hidden)]
pub mod store;

use axum::routing::{get, post};
use domain::staff::Capability;
use leptos::prelude::*;

use platform::access::Policy;
use platform::route::Route;
use platform::slice::{Entry, Group, Slice, StaffEntry};

/// Where a member buys and redeems them.
const PAGE: &str = "/manager/gift-cards";
/// Where they are listed in the back office.
const LIST: &str = "/staff/gift-cards";

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/gift-cards", Policy::Member)
        .page(|| pages::list::GiftCardsPage().into_any())
        .handled(|| post(forms::buy)),
    Route::new("/manager/gift-cards/redemption", Policy::Member).handled(|| post(forms::redeem)),
    Route::new("/manager/gift-cards/{id}", Policy::Member)
        .page(|| pages::card::GiftCardPage().into_any())
        .handled(|| post(forms::pay)),
    Route::new("/manager/gift-cards/{id}/card.pdf", Policy::Member).handled(|| get(forms::card)),
    Route::new("/manager/gift-cards/{id}/sending", Policy::Member).handled(|| post(forms::send)),
    Route::new("/staff/gift-cards", Policy::Staff(Capability::Refund))
        .page(|| staff::StaffGiftCardsPage().into_any()),
    Route::new("/staff/gift-cards/{id}", Policy::Staff(Capability::Refund))
        .page(|| staff::StaffGiftCardPage().into_any()),
    Route::new("/staff/gift-cards/{id}/activation", Policy::Staff(Capability::Refund))
        .handled(|| post(staff::activate)),
    Route::new("/staff/gift-cards/{id}/refund", Policy::Staff(Capability::Refund))
        .handled(|| post(staff::refund)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    navigation: &[Entry::new(Group::Account, PAGE, "礼品卡", 15)],
    staff_navigation: &[StaffEntry { href: LIST, name: "礼品卡", rank: 33, needs: Capability::Refund }],
    jobs: |handlers| handlers.with::<jobs::SendGiftCard>(),
    tables: &["gift_cards"],
    payable: Some(&cards::AtTill),
    closing: Some(&closing::AtClosing),
    books: check::BOOKS,
    ..Slice::new("giftcards")
};
