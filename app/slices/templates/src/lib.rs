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
use web::access::Policy;
use web::route::Route;
use web::slice::{AtDesk, Entry, Group, Slice};

use aitus::AitusPage;

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/Aitus/{path}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| AitusPage().into_any()),
    Route::new("/manager/Aitus/{path}/{page}/{width}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| get(pictures::serve)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    navigation: &[Entry::new(Group::Make, "/manager/Aitus/all", "爱图书", 45)
        .of("/manager/Aitus/{path}")
        .with(&["/manager/Aitus/"])],
    ..Slice::new("templates")
};
