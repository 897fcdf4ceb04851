//! Business cards 名片: what a member tells everybody of itself, on a page of its own, in a phone's address book and on paper.
//!
//! Not here: the member's account and its picture (accounts); what stands on the card of its works, which their slices
//! offer ([`web::slice::Published`]).

mod business_card;
mod card_view;
mod closing;
mod demo;
mod public;
mod store;

use axum::routing::{get, post};
use base::error::Error;
use domain::ids::MemberId;
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::route::Route;
use web::slice::{Entry, Group, Publication, Reach, Slice};

use business_card::BusinessCardPage;
use public::CardPage;
pub use public::addresses;

const PAGE: &str = "/manager/businessCard";

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/card/{code}", Policy::Public).page(|| CardPage().into_any()),
    Route::new("/card/{code}/card.jpg", Policy::Everybody).handled(|| get(public::preview)),
    Route::new("/card/{code}/card.vcf", Policy::Everybody).handled(|| get(public::vcard)),
    Route::new("/card/{code}/picture", Policy::Everybody).handled(|| get(public::picture)),
    Route::new("/manager/businessCard", Policy::Member)
        .page(|| BusinessCardPage().into_any())
        .handled(|| post(business_card::save)),
    Route::new("/manager/businessCard/card.pdf", Policy::Member).handled(|| get(business_card::pdf)),
    Route::new("/manager/businessCard/removal", Policy::Member).handled(|| post(business_card::remove)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    navigation: &[Entry::new(Group::Account, PAGE, "名片", 60)],
    tables: &["cards"],
    closing: Some(&closing::AtClosing),
    ..Slice::new("card")
};

/// Everything that a member shows to everybody, slice by slice, the newest first.
async fn published(app: &App, member: &MemberId) -> Result<Vec<Publication>, Error> {
    let mut all = Vec::new();
    for published in app.house.published() {
        let own = published.of_member(app, member).await?;
        all.extend(own.into_iter().filter(|publication| publication.reach == Reach::Public));
    }
    Ok(all)
}

/// What a published thing is called in a form and in the database.
fn key_of(publication: &Publication) -> String {
    format!("{}:{}", publication.kind, publication.id)
}
