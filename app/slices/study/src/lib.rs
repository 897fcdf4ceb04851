//! The study 书房: what a reader reads. What it bought and redeemed, what it put there itself, the page it has come to on
//! any device, its bookmarks and notes.
//!
//! Not here: rights to read and codes (selling), the publications themselves and who may open them
//! ([`web::slice::Published`]).

mod book_study;
mod closing;
mod marks;
mod notes;
mod panel;
mod store;

use axum::http::request::Parts;
use axum::routing::post;
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::ids::{MemberId, WorkId};
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::render::Form;
use web::route::Route;
use web::slice::{Entry, Group, Publication, Readable, Slice};

use book_study::StudyPage;
use notes::NotesPage;
pub use panel::{AtCover, AtPage, Continue};
pub use store::{Bookmark, Note};

const STUDY: &str = "/manager/book-study";
const NOTES: &str = "/manager/book-study/notes";
/// Characters of a note.
const NOTE_LENGTH: usize = 2_000;
/// The most bookmarks and notes of a reader.
const MOST_MARKS: i64 = 10_000;

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/book-study", Policy::Member)
        .page(|| StudyPage().into_any())
        .handled(|| post(book_study::redeem)),
    Route::new("/manager/book-study/bookmarks", Policy::Member).handled(|| post(marks::bookmark)),
    Route::new("/manager/book-study/items", Policy::Member).handled(|| post(marks::put)),
    Route::new("/manager/book-study/notes", Policy::Member)
        .page(|| NotesPage().into_any())
        .handled(|| post(notes::write)),
    Route::new("/manager/book-study/notes/{note}", Policy::Member).handled(|| post(notes::change)),
    Route::new("/manager/book-study/notes/{note}/removal", Policy::Member).handled(|| post(notes::remove)),
    Route::new("/manager/book-study/place", Policy::Member).handled(|| post(marks::place)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    navigation: &[Entry::new(Group::Publish, STUDY, "书房", 40).with(&[
        "/manager/gift/",
        "/manager/gifts",
        "/manager/package/",
        "/manager/purchase/",
        "/manager/publications/",
    ])],
    tables: &["study_items", "bookmarks", "reader_notes"],
    closing: Some(&closing::AtClosing),
    ..Slice::new("study")
};

/// A publication, by the word for its kind and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing<'a> {
    pub kind: &'a str,
    pub id: &'a str,
}

/// What a reader has of one publication.
#[derive(Debug, Clone, Default)]
pub struct OfReader {
    pub is_put: bool,
    /// The page that it has come to, from 1, and when it read that, epoch ms.
    pub place: Option<(usize, i64)>,
    pub bookmarks: Vec<Bookmark>,
    pub notes: Vec<Note>,
}

/// What a reader has of a publication, for the pages of that.
pub async fn of_reader(app: &App, member: &MemberId, thing: Thing<'_>) -> Result<OfReader, Error> {
    let kept = store::find(&app.db, member, thing).await?;
    let place = kept.as_ref().and_then(|kept| Some((usize::try_from(kept.page?).ok()?, kept.read_at?)));
    Ok(OfReader {
        is_put: kept.is_some_and(|kept| kept.put_at.is_some()),
        place,
        bookmarks: store::bookmarks_of(&app.db, member, thing).await?,
        notes: store::notes_of(&app.db, member, thing).await?,
    })
}

/// The publication that a form names, where whoever sends it may read it.
async fn named(app: &App, parts: &Parts, form: &Form) -> Result<Readable, Error> {
    let published = app.house.published().find(|published| published.kind() == form.get("kind"));
    published.ok_or(Error::NotFound)?.readable(app, parts, form.get("id")).await?.ok_or(Error::NotFound)
}

/// Whether whoever sends a request may read something that not everybody may.
async fn is_readable(app: &App, parts: &Parts, one: &Publication) -> Result<bool, Error> {
    match app.house.published().find(|published| published.kind() == one.kind) {
        Some(published) => Ok(published.readable(app, parts, &one.id).await?.is_some()),
        None => Ok(false),
    }
}

/// The page of it that a form names, from 1; one that is not there, or that is not for this reader, is none.
fn page_in(readable: &Readable, form: &Form) -> Result<i64, Error> {
    let page: usize = form.get("page").parse().map_err(|_| Error::NotFound)?;
    if page == 0 || page > readable.open {
        return Err(Error::NotFound);
    }
    i64::try_from(page).map_err(Error::internal)
}

/// Where a page of a publication is read.
fn page_address(address: &str, page: i64) -> String {
    format!("{address}/{page}")
}

/// What the demo member reads: the first of its own books, with a bookmark and a note.
pub async fn demo(app: &App, member: &MemberId, books: &[(WorkId, &str)]) -> Result<(), Error> {
    let Some((id, title)) = books.first() else { return Ok(()) };
    let (thing, now) = (Thing { kind: "work", id: id.as_str() }, now_ms());
    let found = app.house.find_published(app, &[(thing.kind, thing.id)]).await?;
    if found.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    store::put(&mut tx, member, thing, title, now).await?;
    store::set_place(&mut tx, member, thing, title, (12, 48), now - 3_600_000).await?;
    store::mark(&mut tx, member, thing, 8, title, now).await?;
    let note = Note {
        id: new_id(),
        kind: thing.kind.to_owned(),
        item_id: id.to_string(),
        page: 12,
        title: (*title).to_owned(),
        words: "这张是下山那天傍晚拍的，云正好散开。下次再印，这一页换成跨页。".to_owned(),
        updated_at: now,
    };
    store::write(&mut tx, member, &note).await?;
    tx.commit().await?;
    Ok(())
}
