//! The reader: works that their makers share, read by anybody at /read/{work}, in others' frames at /embed/{work}; and what
//! readers report of them and of what else is published.
//!
//! Not here: making works (works), typesetting their pages (the press).

mod areas;
mod closing;
pub mod commands;
mod counted;
mod downloads;
mod ebook;
mod forms;
mod jobs;
mod manifest;
mod offline;
mod open;
mod operate;
mod opus_share_buy;
mod pages;
mod pictures;
mod public;
mod published;
mod reports;
mod sending;
mod staff;
mod store;
mod uses;
mod words;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::staff::Capability;
use domain::tier::Feature;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::db::sql;
use platform::router::Routes;
use platform::slice::{Named, Slice, StaffEntry};
use platform::storage::ORIGINALS;

pub use areas::{Arrived, Checked};
use ebook::EbookPage;
pub use ebook::demo as demo_ebook;
use jobs::{MakeFile, PreparePages};
use opus_share_buy::{BuyPage, OrderCopyPage};
pub use pages::ReportForm;
use pages::{AreasPage, CoverPage, EmbedCoverPage, EmbedLeafPage, LeafPage, ReportPage, SharePage};
pub use public::{addresses, demo};
pub use reports::{Reported, report};
use staff::ReportsPage;
pub use words::{
    Block as PageBlock, Line as PageLine, Link as PageLink, Target as PageTarget, Words as PageWords,
    read as read_page,
};

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::forms::origin;
    pub use crate::operate::without_stop;
}

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
        ("/manager/opus_share_buy/{id}", Policy::Member),
        ("/manager/opus_share_buy/{id}/order", Policy::Member),
        ("/manager/opus_share_edit/{id}", Policy::Member),
        ("/manager/opus_share_edit/{id}/code.svg", Policy::Member),
        ("/manager/opus_share_edit/{id}/poster.jpg", Policy::Member),
        ("/manager/opus_share_edit/{id}/withdrawal", Policy::Member),
        ("/oembed", Policy::Everybody),
        ("/read/worker.js", Policy::Everybody),
        ("/read/{work}", Policy::Public),
        ("/read/{work}/area/{key}/{area}/film", Policy::Public),
        ("/read/{work}/area/{key}/{area}/{photo}/{size}", Policy::Public),
        ("/read/{work}/book.epub", Policy::Public),
        ("/read/{work}/book.pdf", Policy::Public),
        ("/read/{work}/card.jpg", Policy::Public),
        ("/read/{work}/goto", Policy::Everybody),
        ("/read/{work}/icon.jpg", Policy::Public),
        ("/read/{work}/manifest.json", Policy::Public),
        ("/read/{work}/offline", Policy::Public),
        ("/read/{work}/picture/{key}/{page}/{width}", Policy::Public),
        ("/read/{work}/report", Policy::Public),
        ("/read/{work}/{page}", Policy::Public),
        ("/staff/reports", Policy::Staff(Capability::Reports)),
        ("/staff/reports/works/{work}/allowing", Policy::Staff(Capability::Reports)),
        ("/staff/reports/works/{work}/withdrawal", Policy::Staff(Capability::Reports)),
        ("/staff/reports/{id}/closing", Policy::Staff(Capability::Reports)),
    ],
    jobs: |handlers| handlers.with::<PreparePages>().with::<MakeFile>(),
    tables: &["shares", "share_pages", "hot_media", "hot_areas", "reports"],
    files: &[Named { folder: ORIGINALS, count: sql!("select count(*) from hot_media where sha256 = $1") }],
    keeps: &[sql!("select cast(coalesce(sum(bytes), 0) as bigint) from hot_media where member_id = $1")],
    shows: Some(&uses::AtUses),
    closing: Some(&closing::AtClosing),
    published: Some(&published::Shares),
    countable: &[&counted::SharedWorks],
    staff_navigation: &[StaffEntry {
        href: "/staff/reports",
        name: "举报",
        rank: 60,
        needs: Capability::Reports,
    }],
    queues: Some(&staff::AtQueues),
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
        <Route path=path!("/manager/opus_share_buy/:id") view=BuyPage/>
        <Route path=path!("/manager/opus_share_buy/:id/order") view=OrderCopyPage/>
        <Route path=path!("/manager/opus_share_edit/:id") view=SharePage/>
        <Route path=path!("/staff/reports") view=ReportsPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/manager/opus/{id}/ebook", post(ebook::publish))
        .route("/manager/opus/{id}/ebook/removal", post(ebook::end))
        .route(
            "/manager/opus_hotarea_edit/{id}",
            post(areas::save).layer(DefaultBodyLimit::max(areas::MOST_REQUEST)),
        )
        .route("/manager/opus_share_buy/{id}", post(opus_share_buy::buy))
        .route("/manager/opus_share_buy/{id}/order", post(opus_share_buy::order))
        .route("/manager/opus_share_edit/{id}", post(forms::save))
        .route("/manager/opus_share_edit/{id}/code.svg", get(sending::code))
        .route("/manager/opus_share_edit/{id}/poster.jpg", get(sending::poster))
        .route("/manager/opus_share_edit/{id}/withdrawal", post(forms::withdraw))
        .route("/embed/{work}/goto", get(public::go_to_in_frame))
        .route("/oembed", get(public::oembed))
        .route("/read/{work}", post(open::unlock))
        .route("/read/{work}/area/{key}/{area}/film", get(areas::film))
        .route("/read/{work}/area/{key}/{area}/{photo}/{size}", get(areas::picture))
        .route("/read/{work}/book.epub", get(downloads::epub))
        .route("/read/{work}/book.pdf", get(downloads::pdf))
        .route("/read/{work}/card.jpg", get(public::card))
        .route("/read/{work}/goto", get(public::go_to))
        .route("/read/{work}/icon.jpg", get(public::icon))
        .route("/read/{work}/manifest.json", get(manifest::serve))
        .route("/read/{work}/offline", get(offline::list))
        .route("/read/worker.js", get(offline::worker))
        .route("/read/{work}/picture/{key}/{page}/{width}", get(pictures::serve))
        .route("/read/{work}/report", post(reports::send))
        .route("/staff/reports/works/{work}/allowing", post(staff::allow))
        .route("/staff/reports/works/{work}/withdrawal", post(staff::withdraw))
        .route("/staff/reports/{id}/closing", post(staff::close))
}
