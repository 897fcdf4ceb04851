//! Asking others to look at a work before it is printed 请人看样: rounds, links without accounts, comments at a place of a page,
//! who says that it may be printed.
//!
//! Not here: the pages themselves (works), the proof that a member confirms for itself (cart), and the order on which is frozen who
//! said what (orders).

mod closing;
mod code;
mod forms;
mod freeze;
mod maker;
mod open;
mod pages;
mod pictures;
mod reviewer;
mod store;
mod talk;

use axum::routing::{get, post};
use base::db::sql;
use domain::ids::WorkId;
use domain::sub_member::Role;
use leptos::prelude::*;
use web::access::Policy;
use web::route::Route;
use web::slice::{AtDesk, Slice};

pub use freeze::{Reviewed, freeze, reviewed};
pub use pages::SaidLines;

use pages::{ChangesPage, FrontPage, MakerChangesPage, MakerPage, SheetPage};

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/opus/{id}/reviews", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| MakerPage().into_any())
        .handled(|| post(maker::ask)),
    Route::new("/manager/opus/{id}/reviews/changes/{round}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| MakerChangesPage().into_any()),
    Route::new("/manager/opus/{id}/reviews/comment/{comment}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(maker::answer)),
    Route::new("/manager/opus/{id}/reviews/link/{link}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(maker::withdraw)),
    Route::new("/manager/opus/{id}/reviews/links", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(maker::add)),
    Route::new("/review/{code}", Policy::Public)
        .page(|| FrontPage().into_any())
        .handled(|| post(reviewer::come)),
    Route::new("/review/{code}/changes", Policy::Public).page(|| ChangesPage().into_any()),
    Route::new("/review/{code}/comment/{comment}", Policy::Public).handled(|| post(reviewer::answer)),
    Route::new("/review/{code}/comment/{comment}/removal", Policy::Public)
        .handled(|| post(reviewer::take_back)),
    Route::new("/review/{code}/page/{page}", Policy::Public)
        .page(|| SheetPage().into_any())
        .handled(|| post(reviewer::comment)),
    Route::new("/review/{code}/picture/{round}/{page}/{width}", Policy::Public)
        .handled(|| get(pictures::serve)),
    Route::new("/review/{code}/verdict", Policy::Public).handled(|| post(reviewer::judge)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    tables: &["review_rounds", "review_links", "reviewers", "review_comments", "review_verdicts"],
    revisions: &[sql!("select revision from review_rounds where work_id = $1 limit 100")],
    listener: Some(&closing::Hears),
    closing: Some(&closing::AtClosing),
    ..Slice::new("reviews")
};

/// Where a maker asks, and sees what was said.
fn desk(work: &WorkId) -> String {
    format!("/manager/opus/{work}/reviews")
}
