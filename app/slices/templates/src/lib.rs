//! 爱图书: the house's templates, each a format, a theme and a way to lay photos out, shown with painted photos. A work begins
//! with one on the making desk.
//!
//! Not here: making the work (works), and what themes look like (the press).

mod aitus;
mod list;
mod pictures;

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::list::{PHOTOS, TEMPLATES, categories, number_of};
}

use axum::routing::get;
use domain::sub_member::Role;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::router::Routes;
use platform::slice::{AtDesk, Entry, Group, Slice};

use aitus::AitusPage;

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/manager/Aitus/{path}", Policy::Member),
        ("/manager/Aitus/{path}/{page}/{width}", Policy::Member),
    ],
    desk: &[
        ("/manager/Aitus/{path}", AtDesk::House(Role::Editor)),
        ("/manager/Aitus/{path}/{page}/{width}", AtDesk::House(Role::Editor)),
    ],
    navigation: &[Entry::new(Group::Make, "/manager/Aitus/all", "爱图书", 45)
        .of("/manager/Aitus/{path}")
        .with(&["/manager/Aitus/"])],
    ..Slice::new("templates")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! { <Route path=path!("/manager/Aitus/:path") view=AitusPage/> }.into_inner().into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default().route("/manager/Aitus/{path}/{page}/{width}", get(pictures::serve))
}
