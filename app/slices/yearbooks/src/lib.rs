//! Year books 毕业册, 同学录: a member's roster, the page that each on it fills in by a link without an account, and the book that is
//! made of them, in which every copy differs.
//!
//! Not here: how copies that differ are looked at, ordered and printed (works, cart, orders, press), what a roster may say and how the book is laid out
//! (domain), the work's own pages (works).

mod arriving;
mod book;
mod book_page;
mod closing;
mod copies;
mod demo;
mod form;
mod jobs;
mod mail;
mod own_page;
mod person;
mod person_page;
mod pictures;
mod proof_page;
mod roster;
mod roster_page;
mod shelf;
mod some;
mod store;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::ids::YearBookId;
use domain::sub_member::Role;
use leptos::prelude::*;
use web::access::Policy;
use web::route::Route;
use web::slice::{AtDesk, Entry, Group, Slice};

use book_page::BookPage;
use form::{NewPage, SettingsPage};
use jobs::RemindAll;
use own_page::OwnPage;
use person_page::PersonPage;
use proof_page::ProofPage;
use roster_page::RosterPage;
use shelf::ShelfPage;
use some::SomePage;

/// Where a member has its year books.
const PAGE: &str = "/manager/yearbook";
/// Bytes that a form of one's own page may have: two photos with words.
const MOST_OWN_BYTES: usize = 2 * photos::MAX_FILE_BYTES as usize + 1024 * 1024;

/// The page of one.
fn address(id: &YearBookId) -> String {
    format!("{PAGE}/{id}")
}

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/yearbook", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| ShelfPage().into_any()),
    Route::new("/manager/yearbook/new", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| NewPage().into_any())
        .handled(|| post(form::make)),
    Route::new("/manager/yearbook/{id}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| RosterPage().into_any())
        .handled(|| post(roster::add)),
    Route::new("/manager/yearbook/{id}/book", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| BookPage().into_any())
        .handled(|| post(book::make)),
    Route::new("/manager/yearbook/{id}/deletion", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(form::delete)),
    Route::new("/manager/yearbook/{id}/links.csv", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| get(roster::links)),
    Route::new("/manager/yearbook/{id}/messages", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(roster::ask)),
    Route::new("/manager/yearbook/{id}/person/{person}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| PersonPage().into_any())
        .handled(|| post(person::change)),
    Route::new("/manager/yearbook/{id}/person/{person}/link", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(person::link)),
    Route::new("/manager/yearbook/{id}/person/{person}/photo/{which}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(pictures::for_maker)),
    Route::new("/manager/yearbook/{id}/person/{person}/removal", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(person::remove)),
    Route::new("/manager/yearbook/{id}/proof", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| ProofPage().into_any()),
    Route::new("/manager/yearbook/{id}/settings", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| SettingsPage().into_any())
        .handled(|| post(form::change)),
    Route::new("/manager/yearbook/{id}/some", Policy::Member)
        .page(|| SomePage().into_any())
        .handled(|| post(some::order)),
    Route::new("/manager/yearbook/person/{person}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| get(person::lead)),
    Route::new("/y/{code}", Policy::Public)
        .page(|| OwnPage().into_any())
        .handled(|| post(arriving::send).layer(DefaultBodyLimit::max(MOST_OWN_BYTES))),
    Route::new("/y/{code}/page/{which}", Policy::Public).handled(|| get(pictures::as_set)),
    Route::new("/y/{code}/photo/{which}", Policy::Public).handled(|| get(pictures::for_person)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    navigation: &[Entry::new(Group::Make, PAGE, "毕业册", 62)],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    jobs: |handlers| handlers.with::<RemindAll>(),
    tables: &["yearbooks", "yearbook_people"],
    shows: Some(&store::uses::AtUses),
    closing: Some(&closing::AtClosing),
    ..Slice::new("yearbooks")
};
