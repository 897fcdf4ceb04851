//! The reader: works that their makers share, read by anybody at /read/{work}, in others' frames at /embed/{work}; the room that
//! issues are read in, too; and what readers report of all that is published.
//!
//! Not here: making works (works), typesetting their pages (the press).

mod areas;
mod closing;
mod commands;
mod counted;
mod demo;
mod downloads;
mod ebook;
mod forms;
mod giving;
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
pub mod room;
mod sending;
mod staff;
mod store;
mod uses;
mod words;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use base::db::sql;
use base::storage::ORIGINALS;
use domain::staff::Capability;
use domain::tier::Feature;
use leptos::prelude::*;
use web::access::Policy;
use web::route::Route;
use web::slice::{Named, Slice, StaffEntry};

pub use areas::{Arrived, Checked};
use ebook::EbookPage;
use giving::GiveReadingPage;
use jobs::{MakeFile, PreparePages};
use opus_share_buy::{BuyPage, OrderCopyPage};
pub use pages::ReportForm;
use pages::{AreasPage, CoverPage, EmbedCoverPage, EmbedLeafPage, LeafPage, ReportPage, SharePage};
pub use public::addresses;
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

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/Q/{code}", Policy::Public).handled(|| get(areas::scanned)),
    Route::new("/embed/{work}", Policy::Everybody).page(|| EmbedCoverPage().into_any()),
    Route::new("/embed/{work}/goto", Policy::Everybody).handled(|| get(public::go_to_in_frame)),
    Route::new("/embed/{work}/{page}", Policy::Everybody).page(|| EmbedLeafPage().into_any()),
    Route::new("/manager/opus/{id}/ebook", Policy::Needs(Feature::Ebook))
        .page(|| EbookPage().into_any())
        .handled(|| post(ebook::publish)),
    Route::new("/manager/opus/{id}/ebook/removal", Policy::Needs(Feature::Ebook))
        .handled(|| post(ebook::end)),
    Route::new("/manager/opus_hotarea_edit/{id}", Policy::Member)
        .page(|| AreasPage().into_any())
        .handled(|| post(areas::save).layer(DefaultBodyLimit::max(areas::MOST_REQUEST))),
    Route::new("/manager/opus_hotarea_edit/{id}/code", Policy::Member).handled(|| post(areas::put_code)),
    Route::new("/manager/opus_share_buy/{id}", Policy::Member)
        .page(|| BuyPage().into_any())
        .handled(|| post(opus_share_buy::buy)),
    Route::new("/manager/opus_share_buy/{id}/gift", Policy::Member)
        .page(|| GiveReadingPage().into_any())
        .handled(|| post(giving::give)),
    Route::new("/manager/opus_share_buy/{id}/order", Policy::Member)
        .page(|| OrderCopyPage().into_any())
        .handled(|| post(opus_share_buy::order)),
    Route::new("/manager/opus_share_edit/{id}", Policy::Member)
        .page(|| SharePage().into_any())
        .handled(|| post(forms::save)),
    Route::new("/manager/opus_share_edit/{id}/code.svg", Policy::Member).handled(|| get(sending::code)),
    Route::new("/manager/opus_share_edit/{id}/poster.jpg", Policy::Member).handled(|| get(sending::poster)),
    Route::new("/manager/opus_share_edit/{id}/withdrawal", Policy::Member).handled(|| post(forms::withdraw)),
    Route::new("/oembed", Policy::Everybody).handled(|| get(public::oembed)),
    Route::new("/read/worker.js", Policy::Everybody).handled(|| get(room::worker)),
    Route::new("/read/{work}", Policy::Public)
        .page(|| CoverPage().into_any())
        .handled(|| post(open::unlock))
        .in_read_only(),
    Route::new("/read/{work}/area/{key}/{area}/film", Policy::Public).handled(|| get(areas::film)),
    Route::new("/read/{work}/area/{key}/{area}/{photo}/{size}", Policy::Public)
        .handled(|| get(areas::picture)),
    Route::new("/read/{work}/book.epub", Policy::Public).handled(|| get(downloads::epub)),
    Route::new("/read/{work}/book.pdf", Policy::Public).handled(|| get(downloads::pdf)),
    Route::new("/read/{work}/card.jpg", Policy::Public).handled(|| get(public::card)),
    Route::new("/read/{work}/goto", Policy::Everybody).handled(|| get(public::go_to)),
    Route::new("/read/{work}/icon.jpg", Policy::Public).handled(|| get(public::icon)),
    Route::new("/read/{work}/manifest.json", Policy::Public).handled(|| get(manifest::serve)),
    Route::new("/read/{work}/offline", Policy::Public).handled(|| get(offline::list)),
    Route::new("/read/{work}/picture/{key}/{page}/{width}", Policy::Public).handled(|| get(pictures::serve)),
    Route::new("/read/{work}/report", Policy::Public)
        .page(|| ReportPage().into_any())
        .handled(|| post(reports::send)),
    Route::new("/read/{work}/{page}", Policy::Public).page(|| LeafPage().into_any()),
    Route::new("/staff/reports", Policy::Staff(Capability::Reports)).page(|| ReportsPage().into_any()),
    Route::new("/staff/reports/works/{work}/allowing", Policy::Staff(Capability::Reports))
        .handled(|| post(staff::allow)),
    Route::new("/staff/reports/works/{work}/withdrawal", Policy::Staff(Capability::Reports))
        .handled(|| post(staff::withdraw)),
    Route::new("/staff/reports/{id}/closing", Policy::Staff(Capability::Reports))
        .handled(|| post(staff::close)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    commands: &[
        web::command!(
            "share",
            "Look at what members share, and withdraw it.",
            commands::ShareCommand,
            commands::share
        ),
        web::command!(
            "report",
            "Read and close what readers report.",
            commands::ReportCommand,
            commands::report
        ),
    ],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    jobs: |handlers| handlers.with::<PreparePages>().with::<MakeFile>(),
    tables: &["shares", "share_pages", "hot_media", "hot_areas", "print_codes", "reports"],
    files: &[Named {
        folder: ORIGINALS,
        count: sql!("select count(*) from hot_media where sha256 = $1"),
        all: sql!("select sha256 from hot_media where sha256 is not null"),
    }],
    keeps: &[sql!("select cast(coalesce(sum(bytes), 0) as bigint) from hot_media where member_id = $1")],
    shows: Some(&uses::AtUses),
    closing: Some(&closing::AtClosing),
    published: &[&published::Shares],
    countable: &[&counted::SharedWorks],
    staff_navigation: &[StaffEntry {
        href: "/staff/reports",
        name: "举报",
        rank: 60,
        needs: Capability::Reports,
    }],
    audited: &[
        ("share.withdraw", "下架作品"),
        ("share.allow", "允许作品再次发布"),
        ("report.close", "关闭举报"),
    ],
    queues: Some(&staff::AtQueues),
    ..Slice::new("reader")
};
