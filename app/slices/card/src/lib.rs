//! Business cards 名片: what a member tells everybody of itself, on a page of its own, in a phone's address book and on paper.
//!
//! Not here: the member's account and its picture (accounts); what stands on the card of its works, which their slices
//! offer ([`platform::slice::Published`]).

mod business_card;
mod closing;
mod demo;
mod face;
mod public;
mod store;

use axum::routing::{get, post};
use domain::ids::MemberId;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::app::App;
use platform::error::Error;
use platform::router::Routes;
use platform::slice::{Entry, Group, Publication, Reach, Slice};

use business_card::BusinessCardPage;
pub use demo::demo;
use public::CardPage;
pub use public::addresses;

const PAGE: &str = "/manager/businessCard";

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/card/{code}", Policy::Public),
        ("/card/{code}/card.jpg", Policy::Everybody),
        ("/card/{code}/card.vcf", Policy::Everybody),
        ("/card/{code}/picture", Policy::Everybody),
        ("/manager/businessCard", Policy::Member),
        ("/manager/businessCard/card.pdf", Policy::Member),
        ("/manager/businessCard/removal", Policy::Member),
    ],
    navigation: &[Entry::new(Group::Account, PAGE, "名片", 60)],
    tables: &["cards"],
    closing: Some(&closing::AtClosing),
    ..Slice::new("card")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/card/:code") view=CardPage/>
        <Route path=path!("/manager/businessCard") view=BusinessCardPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/card/{code}/card.jpg", get(public::preview))
        .route("/card/{code}/card.vcf", get(public::vcard))
        .route("/card/{code}/picture", get(public::picture))
        .route("/manager/businessCard", post(business_card::save))
        .route("/manager/businessCard/card.pdf", get(business_card::pdf))
        .route("/manager/businessCard/removal", post(business_card::remove))
}

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
