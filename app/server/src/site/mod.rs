//! Pages that belong to no slice: the way in, and what is shown when something went wrong.

mod pages;

use axum::response::Redirect;
use axum::routing::get;
use domain::return_path;

use crate::router::Routes;

pub use pages::ErrorPage;

/// Redirects of section 2 of the specification.
pub fn router() -> Routes {
    Routes::default()
        .route("/", get(|| async { Redirect::to(return_path::DEFAULT) }))
        .route("/manager", get(|| async { Redirect::to(return_path::DEFAULT) }))
        .route("/manager/opus_list", get(|| async { Redirect::to("/manager/opus_list/all") }))
}
