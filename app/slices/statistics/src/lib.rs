//! Statistics 统计: how what members publish is read, counted without cookies and kept as rollups.
//!
//! Not here: the pages that are read, which say so themselves ([`web::ui::counted::Counted`],
//! [`web::slice::Countable`]); what is sold (selling).

#[doc(hidden)]
pub mod asked;
mod bots;
mod charts;
mod closing;
mod count;
#[doc(hidden)]
pub mod counter;
mod csv;
#[doc(hidden)]
pub mod days;
mod definitions;
mod demo;
mod inside;
#[doc(hidden)]
pub mod report;
mod statistic_mag;
#[doc(hidden)]
pub mod store;

use axum::routing::{get, post};
use domain::tier::Feature;
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::route::Route;
use web::slice::{Countable, Entry, Group, Slice};

use statistic_mag::StatisticsPage;

const STATISTICS: &str = "/manager/statisticMag";
const READING: Policy = Policy::Needs(Feature::Statistics);

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/count", Policy::Public).handled(|| post(count::take)),
    Route::new("/count/{ticket}", Policy::Public).handled(|| get(count::seen)),
    Route::new("/manager/statisticMag", READING).page(|| StatisticsPage().into_any()),
    Route::new("/manager/statisticMag/articles.csv", READING).handled(|| get(csv::by_article)),
    Route::new("/manager/statisticMag/days.csv", READING).handled(|| get(csv::by_day)),
    Route::new("/manager/statisticMag/pages.csv", READING).handled(|| get(csv::by_page)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    navigation: &[Entry::new(Group::Sell, STATISTICS, "统计", 40)],
    tables: &["counted_things", "reading_days", "reading_pages", "reading_words"],
    background: &[counter::WRITING],
    passing: &["day_readers", "reader_salts"],
    closing: Some(&closing::AtClosing),
    ..Slice::new("statistics")
};

/// Everything that is read, kind by kind.
fn countables(app: &App) -> impl Iterator<Item = &'static dyn Countable> + use<> {
    app.house.slices.iter().flat_map(|slice| slice.countable).copied()
}

/// The kind with this word.
fn countable(app: &App, kind: &str) -> Option<&'static dyn Countable> {
    countables(app).find(|countable| countable.kind() == kind)
}
