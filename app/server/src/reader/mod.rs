//! The reader: works that their makers share, read by anybody at /read/{work}, in others' frames at /embed/{work}.
//!
//! Not here: making works (works), typesetting their pages (the press).

mod areas;
mod closing;
pub mod commands;
mod ebook;
mod forms;
mod jobs;
mod open;
mod pages;
mod pictures;
mod public;
mod published;
mod reports;
mod sending;
mod store;
mod uses;
mod words;

use axum::routing::{get, post};
use domain::tier::Feature;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::router::Routes;
use platform::slice::Slice;

use ebook::EbookPage;
pub use ebook::demo as demo_ebook;
use jobs::PreparePages;
pub use pages::ReportForm;
use pages::{AreasPage, CoverPage, EmbedCoverPage, EmbedLeafPage, LeafPage, ReportPage, SharePage};
pub use public::{addresses, demo};
pub use reports::{Reported, report};
pub use words::{
    Block as PageBlock, Line as PageLine, Link as PageLink, Target as PageTarget, Words as PageWords,
    read as read_page,
};

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/embed/{work}", Policy::Everybody),
        ("/embed/{work}/goto", Policy::Everybody),
        ("/embed/{work}/{page}", Policy::Everybody),
        ("/manager/opus/{id}/ebook", Policy::Needs(Feature::Ebook)),
        ("/manager/opus/{id}/ebook/removal", Policy::Needs(Feature::Ebook)),
        ("/manager/opus_hotarea_edit/{id}", Policy::Member),
        ("/manager/opus_share_edit/{id}", Policy::Member),
        ("/manager/opus_share_edit/{id}/code.svg", Policy::Member),
        ("/manager/opus_share_edit/{id}/poster.jpg", Policy::Member),
        ("/manager/opus_share_edit/{id}/withdrawal", Policy::Member),
        ("/oembed", Policy::Everybody),
        ("/read/{work}", Policy::Public),
        ("/read/{work}/card.jpg", Policy::Public),
        ("/read/{work}/goto", Policy::Everybody),
        ("/read/{work}/picture/{key}/{page}/{width}", Policy::Public),
        ("/read/{work}/report", Policy::Public),
        ("/read/{work}/{page}", Policy::Public),
    ],
    jobs: |handlers| handlers.with::<PreparePages>(),
    tables: &["shares", "share_pages", "hot_areas", "reports"],
    shows: Some(&uses::AtUses),
    closing: Some(&closing::AtClosing),
    published: Some(&published::Shares),
    ..Slice::new("reader")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/read/:work") view=CoverPage/>
        <Route path=path!("/read/:work/report") view=ReportPage/>
        <Route path=path!("/read/:work/:page") view=LeafPage/>
        <Route path=path!("/embed/:work") view=EmbedCoverPage/>
        <Route path=path!("/embed/:work/:page") view=EmbedLeafPage/>
        <Route path=path!("/manager/opus/:id/ebook") view=EbookPage/>
        <Route path=path!("/manager/opus_hotarea_edit/:id") view=AreasPage/>
        <Route path=path!("/manager/opus_share_edit/:id") view=SharePage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/manager/opus/{id}/ebook", post(ebook::publish))
        .route("/manager/opus/{id}/ebook/removal", post(ebook::end))
        .route("/manager/opus_hotarea_edit/{id}", post(areas::save))
        .route("/manager/opus_share_edit/{id}", post(forms::save))
        .route("/manager/opus_share_edit/{id}/code.svg", get(sending::code))
        .route("/manager/opus_share_edit/{id}/poster.jpg", get(sending::poster))
        .route("/manager/opus_share_edit/{id}/withdrawal", post(forms::withdraw))
        .route("/embed/{work}/goto", get(public::go_to_in_frame))
        .route("/oembed", get(public::oembed))
        .route("/read/{work}", post(open::unlock))
        .route("/read/{work}/card.jpg", get(public::card))
        .route("/read/{work}/goto", get(public::go_to))
        .route("/read/{work}/picture/{key}/{page}/{width}", get(pictures::serve))
        .route("/read/{work}/report", post(reports::send))
}
