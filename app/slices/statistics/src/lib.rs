//! Statistics 统计: how what members publish is read, counted without cookies and kept as rollups.
//!
//! Not here: the pages that are read, which say so themselves ([`platform::ui::counted::Counted`],
//! [`platform::slice::Countable`]); what is sold (selling).

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
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::app::App;
use platform::router::Routes;
use platform::slice::{Countable, Entry, Group, Slice};

pub use demo::demo;
use statistic_mag::StatisticsPage;

const STATISTICS: &str = "/manager/statisticMag";
const READING: Policy = Policy::Needs(Feature::Statistics);

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/count", Policy::Public),
        ("/count/{ticket}", Policy::Public),
        ("/manager/statisticMag", READING),
        ("/manager/statisticMag/days.csv", READING),
        ("/manager/statisticMag/pages.csv", READING),
    ],
    navigation: &[Entry::new(Group::Sell, STATISTICS, "统计", 40)],
    tables: &["counted_things", "reading_days", "reading_pages", "reading_words"],
    background: &[counter::WRITING],
    passing: &["day_readers", "reader_salts"],
    closing: Some(&closing::AtClosing),
    ..Slice::new("statistics")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! { <Route path=path!("/manager/statisticMag") view=StatisticsPage/> }
        .into_inner()
        .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/count", post(count::take))
        .route("/count/{ticket}", get(count::seen))
        .route("/manager/statisticMag/days.csv", get(csv::by_day))
        .route("/manager/statisticMag/pages.csv", get(csv::by_page))
}

/// Everything that is read, kind by kind.
fn countables(app: &App) -> impl Iterator<Item = &'static dyn Countable> + use<> {
    app.house.slices.iter().flat_map(|slice| slice.countable).copied()
}

/// The kind with this word.
fn countable(app: &App, kind: &str) -> Option<&'static dyn Countable> {
    countables(app).find(|countable| countable.kind() == kind)
}
