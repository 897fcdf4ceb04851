//! Shelves 书架: what a member publishes, in shelves with names of its own, at /shelf/{name}.
//!
//! Not here: the publications themselves and who may open them ([`web::slice::Published`]); what may be a name
//! (domain).

mod book_shelf;
mod closing;
mod commands;
mod edit;
mod items;
mod report;
mod shelf;
mod store;

use axum::routing::post;
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::ids::MemberId;
use domain::shelf::ShelfName;
use leptos::prelude::*;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use web::access::Policy;
use web::app::App;
use web::demo::{Demo, NAME};
use web::route::Route;
use web::slice::{Entry, Group, Publication, Reach, Slice};

use book_shelf::ShelvesPage;
use edit::{EditShelfPage, NewShelfPage};
use report::ReportPage;
use shelf::ShelfPage;
use store::{Place, Shelf};

const SHELVES: &str = "/manager/book-shelf";
/// Shelves in the sitemap.
const MOST_LISTED: i64 = 2_000;

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/book-shelf", Policy::Member).page(|| ShelvesPage().into_any()),
    Route::new("/manager/book-shelf/new", Policy::Member)
        .page(|| NewShelfPage().into_any())
        .handled(|| post(edit::make)),
    Route::new("/manager/book-shelf/{id}", Policy::Member)
        .page(|| EditShelfPage().into_any())
        .handled(|| post(edit::change)),
    Route::new("/manager/book-shelf/{id}/items", Policy::Member).handled(|| post(items::add)),
    Route::new("/manager/book-shelf/{id}/order", Policy::Member).handled(|| post(items::arrange)),
    Route::new("/manager/book-shelf/{id}/removal", Policy::Member).handled(|| post(edit::remove)),
    Route::new("/shelf/{name}", Policy::Public).page(|| ShelfPage().into_any()),
    Route::new("/shelf/{name}/report", Policy::Public)
        .page(|| ReportPage().into_any())
        .handled(|| post(report::send)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    commands: &[web::command!(
        "shelf",
        "Look at members' shelves, and withdraw one.",
        commands::Command,
        commands::run
    )],
    demo: Some(|app, demo| Box::pin(fill_demo(app, demo))),
    navigation: &[Entry::new(Group::Publish, SHELVES, "书架", 30)],
    tables: &["shelves", "shelf_names", "shelf_items"],
    closing: Some(&closing::AtClosing),
    audited: &[("shelf.withdraw", "下架书架"), ("shelf.allow", "恢复书架")],
    ..Slice::new("shelves")
};

/// What stands in a path as it is.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'-');

/// Where a shelf is looked at.
fn address(name: &ShelfName) -> String {
    format!("/shelf/{}", utf8_percent_encode(name.as_str(), &PLAIN))
}

/// The addresses of everything that search engines may have, with the moment of the last change (epoch ms).
pub async fn addresses(app: &App) -> Result<Vec<(String, i64)>, Error> {
    let listed = store::listed(&app.db, MOST_LISTED).await?;
    let named = |(name, at): (String, i64)| name.parse().ok().map(|name: ShelfName| (address(&name), at));
    Ok(listed.into_iter().filter_map(named).collect())
}

/// A member's shelves that everybody may look at: what each is called, and where it is.
pub async fn open_shelves(app: &App, member: &MemberId) -> Result<Vec<(String, String)>, Error> {
    let own = store::list(&app.db, Some(member)).await?.into_iter().filter(Shelf::is_open);
    Ok(own.map(|shelf| (shelf.title, address(&shelf.name))).collect())
}

/// What stands on a shelf, in its order; of what is not there any more nothing. Only a member's own things stand on its
/// shelves.
async fn on_shelf(app: &App, shelf: &Shelf) -> Result<Vec<Publication>, Error> {
    let places = store::items(&app.db, &shelf.id).await?;
    let things: Vec<(&str, &str)> = places.iter().map(|place| (&*place.kind, &*place.id)).collect();
    let mut found = app.house.find_published(app, &things).await?;
    found.retain(|one| one.member == shelf.member);
    Ok(found)
}

/// Of these the one that stands for the shelf: the chosen one where it is there, else the first.
fn cover_of<'a>(shelf: &Shelf, shown: &'a [Publication]) -> Option<&'a Publication> {
    let is_chosen = |one: &&Publication| {
        shelf.cover.as_ref().is_some_and(|cover| (one.kind, &*one.id) == (&*cover.kind, &*cover.id))
    };
    shown.iter().find(is_chosen).or_else(|| shown.first())
}

/// Everything that a member may put on a shelf, kind by kind.
async fn choices(app: &App, member: &MemberId) -> Result<Vec<(&'static str, Publication)>, Error> {
    let mut choices = Vec::new();
    for published in app.house.published() {
        let own = published.of_member(app, member).await?;
        let there = own.into_iter().filter(|one| one.reach != Reach::Over);
        choices.extend(there.map(|one| (published.name(), one)));
    }
    Ok(choices)
}

/// The demo member's shelf: its public works, the last one standing for it.
async fn fill_demo(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let member = &demo.member;
    let now = now_ms();
    let name = |text: &str| text.parse::<ShelfName>().map_err(Error::internal);
    let shelf = Shelf {
        id: new_id(),
        member: member.clone(),
        name: name("山野书屋")?,
        title: "山野书屋".into(),
        byline: NAME.into(),
        description: "这些年走过的山、看过的海，都在这里。想看哪一本，抽出来翻翻。".into(),
        is_public: true,
        cover: None,
        updated_at: now,
        withdrawn_reason: None,
    };
    let choices = choices(app, member).await?;
    let public = choices.into_iter().map(|(_, one)| one).filter(|one| one.reach == Reach::Public);
    let places: Vec<Place> = public.map(|one| Place { kind: one.kind.to_owned(), id: one.id }).collect();
    let mut tx = app.db.begin().await?;
    store::insert(&mut tx, &shelf).await?;
    // an old name that leads to the new one
    store::claim(&mut tx, &shelf.id, &name("shanye")?, now - 1).await?;
    store::claim(&mut tx, &shelf.id, &shelf.name, now).await?;
    store::set_items(&mut tx, &shelf.id, &places, now).await?;
    tx.commit().await?;
    Ok(())
}
