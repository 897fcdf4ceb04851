//! Works 作品: making them, their documents and revisions, and the pictures of their pages.
//!
//! Not here: the photos themselves, what a work is printed as (cart), and typesetting (the press).

mod actions;
mod book_files;
mod books;
mod calendar;
mod calls;
mod closing;
mod design;
#[doc(hidden)]
pub mod documents;
mod editor;
mod findings;
mod formats;
mod forms;
mod jobs;
mod making;
mod originals;
mod outline;
mod page_photos;
mod pages;
mod pictures;
mod print;
mod proof;
mod reading;
mod reformat;
mod revise;
mod sellable;
mod settings;
mod spread;
mod spreads;
#[doc(hidden)]
pub mod store;
mod transfer;
mod unzip;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::document::{Document, Page, Trim};
use domain::ids::{FileDigest, MemberId, WorkId};
use domain::layout::PhotoInput;
use domain::sub_member::Role;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use domain::tier::Feature;
use photos::{self, MAX_REQUEST_BYTES, PhotoState};
use platform::access::Policy;
use platform::app::App;
use platform::db::sql;
use platform::error::Error;
use platform::render::Form;
use platform::router::Routes;
use platform::slice::{AtDesk, Entry, Group, Named, Slice};
use platform::storage::ORIGINALS;

pub use book_files::{BookFormat, book_file, forget_book_files, send_book};
pub use books::{BookFacts, reading_epub, reading_pdf};
pub use documents::{
    MOST_REQUEST, SentFile, chapters, queue_forgetting_of, read_sheet, ready_pages, receive_ready, take_ready,
};
pub use editor::{
    EditorDesk, EditorFinding, EditorLook, EditorPhoto, EditorProps, EditorRole, EditorWay, TextLines,
};
pub use findings::{FindingItem, Findings, count_above_notes, listed_findings, preflight};
pub use formats::{WorkFormat, format, size_text};
pub use originals::{unprintable, unprintable_works};
pub use outline::{OUTLINE_COLUMNS, Outline, OutlineRow};
pub use pages::{
    CalendarDeskPage, CalendarPage, ComparisonPage, DesignPage, DocumentPage, FormatPage, ImportPage,
    MakePage, PagePhotosPage, PagesPage, ProofSheets, RevisionPage, RevisionsPage, SettingPage, WorkPage,
    WorksPage,
};
pub use pictures::{CoverView, LibraryOriginals, WIDTHS, cover_picture, page_named, page_picture};
pub use print::print_file;
pub use proof::proof_pdf;
pub use reading::{AskedPicture, as_jpeg, picture_size, reading_pictures, shown_picture};
use store::{Cause, Filter, Saved, Shelf, Sort};
pub use store::{Forgotten, Position, Summary, Work, mark_ebook, unmark_ebook};

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::actions::shelf;
    pub use crate::documents::Places;
    pub use crate::page_photos::in_order;
    pub use crate::pictures::LibraryProxies;
}

/// The word for works among what is shown, sold and read.
const KIND: &str = "work";

/// How long a work lies in the trash before it is deleted, in ms.
const TRASH_MS: i64 = 30 * 24 * 60 * 60_000;

/// What a work can be: the word in addresses and in the database, and the name.
const KINDS: [(&str, &str); 6] = [
    ("album", "画册"),
    ("document", "文档"),
    ("calendar", "台历"),
    ("ebook", "电子书"),
    ("epaper", "电子报"),
    ("magazine", "期刊"),
];

use jobs::{ForgetPdf, ForgetWork};

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    desk: &[
        ("/manager/make_ebook", AtDesk::House(Role::Editor)),
        ("/manager/make_ebook/ahead", AtDesk::House(Role::Editor)),
        ("/manager/opus-doc-calendar", AtDesk::House(Role::Editor)),
        ("/manager/opus-document", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}", AtDesk::House(Role::Viewer)),
        ("/manager/opus/{id}/backdrop/{page}/{width}", AtDesk::House(Role::Viewer)),
        ("/manager/opus/{id}/calendar", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/comparison", AtDesk::House(Role::Viewer)),
        ("/manager/opus/{id}/copy", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/export", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/format", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/layer/{element}/{width}", AtDesk::House(Role::Viewer)),
        ("/manager/opus/{id}/page/{page}", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/page/{page}/photos", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/page/{page}/spread", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/page/{page}/{width}", AtDesk::House(Role::Viewer)),
        ("/manager/opus/{id}/pages", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/proof.pdf", AtDesk::House(Role::Viewer)),
        ("/manager/opus/{id}/restoration", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/revisions", AtDesk::House(Role::Viewer)),
        ("/manager/opus/{id}/revisions/{revision}", AtDesk::House(Role::Viewer)),
        ("/manager/opus/{id}/revisions/{revision}/removal", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/revisions/{revision}/restoration", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/texts", AtDesk::House(Role::Editor)),
        ("/manager/opus/{id}/trash", AtDesk::House(Role::Editor)),
        ("/manager/opus_import", AtDesk::House(Role::Editor)),
        ("/manager/opus_list/{type}", AtDesk::House(Role::Viewer)),
        ("/manager/opus_list_edit", AtDesk::House(Role::Editor)),
        ("/manager/opus_setting/{id}", AtDesk::House(Role::Editor)),
        ("/works/desk", AtDesk::House(Role::Editor)),
        ("/works/document", AtDesk::House(Role::Viewer)),
        ("/works/edit", AtDesk::House(Role::Editor)),
        ("/works/findings", AtDesk::House(Role::Viewer)),
        ("/works/ways", AtDesk::House(Role::Viewer)),
        ("/works/lines", AtDesk::House(Role::Editor)),
    ],
    policies: &[
        ("/manager/make_ebook", Policy::Needs(Feature::OnlineEditor)),
        ("/manager/make_ebook/ahead", Policy::Needs(Feature::OnlineEditor)),
        ("/manager/opus-doc-calendar", Policy::Needs(Feature::OnlineEditor)),
        ("/manager/opus-document", Policy::Needs(Feature::OnlineEditor)),
        ("/manager/opus/{id}", Policy::Member),
        ("/manager/opus/{id}/backdrop/{page}/{width}", Policy::Member),
        ("/manager/opus/{id}/calendar", Policy::Needs(Feature::OnlineEditor)),
        ("/manager/opus/{id}/comparison", Policy::Member),
        ("/manager/opus/{id}/copy", Policy::Member),
        ("/manager/opus/{id}/deletion", Policy::Member),
        ("/manager/opus/{id}/export", Policy::Member),
        ("/manager/opus/{id}/format", Policy::Member),
        ("/manager/opus/{id}/layer/{element}/{width}", Policy::Member),
        ("/manager/opus/{id}/page/{page}", Policy::Member),
        ("/manager/opus/{id}/page/{page}/photos", Policy::Member),
        ("/manager/opus/{id}/page/{page}/spread", Policy::Member),
        ("/manager/opus/{id}/page/{page}/{width}", Policy::Member),
        ("/manager/opus/{id}/pages", Policy::Member),
        ("/manager/opus/{id}/proof.pdf", Policy::Member),
        ("/manager/opus/{id}/restoration", Policy::Member),
        ("/manager/opus/{id}/revisions", Policy::Member),
        ("/manager/opus/{id}/revisions/{revision}", Policy::Member),
        ("/manager/opus/{id}/revisions/{revision}/removal", Policy::Member),
        ("/manager/opus/{id}/revisions/{revision}/restoration", Policy::Member),
        ("/manager/opus/{id}/texts", Policy::Needs(Feature::OnlineEditor)),
        ("/manager/opus/{id}/trash", Policy::Member),
        ("/manager/opus_import", Policy::Member),
        ("/manager/opus_list/{type}", Policy::Member),
        ("/manager/opus_list_edit", Policy::Needs(Feature::OnlineEditor)),
        ("/manager/opus_setting/{id}", Policy::Member),
        ("/works/desk", Policy::Member),
        ("/works/document", Policy::Member),
        ("/works/edit", Policy::Member),
        ("/works/findings", Policy::Member),
        ("/works/ways", Policy::Member),
        ("/works/lines", Policy::Member),
    ],
    navigation: &[
        Entry::new(Group::Make, "/manager/make_ebook", "做书", 10),
        Entry::new(Group::Make, "/manager/opus-document", "文档", 20),
        Entry::new(Group::Make, "/manager/opus_list/all", "作品", 30)
            .of("/manager/opus_list/{type}")
            .with(&["/manager/opus/", "/manager/opus_"]),
        Entry::new(Group::Make, "/manager/opus-doc-calendar", "台历", 40),
    ],
    jobs: |handlers| handlers.with::<ForgetWork>().with::<ForgetPdf>(),
    tables: &["pdf_files", "works", "work_revisions", "work_operations"],
    passing: &["title_grams", "work_titles"],
    // derived rows of works that an older version made, or a backup brought
    open: Some(|app| Box::pin(async move { store::fill_titles(&app.db).await })),
    files: &[Named { folder: ORIGINALS, count: sql!("select count(*) from pdf_files where sha256 = $1") }],
    keeps: &[documents::KEEPS, store::KEEPS],
    shows: Some(&store::AtUses),
    closing: Some(&closing::AtClosing),
    sellable: &[&sellable::Works],
    ..Slice::new("works")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/manager/make_ebook") view=MakePage/>
        <Route path=path!("/manager/opus-doc-calendar") view=CalendarDeskPage/>
        <Route path=path!("/manager/opus_list/:type") view=WorksPage/>
        <Route path=path!("/manager/opus_list_edit") view=editor::EditPage/>
        <Route path=path!("/manager/opus/:id") view=WorkPage/>
        <Route path=path!("/manager/opus/:id/revisions") view=RevisionsPage/>
        <Route path=path!("/manager/opus/:id/revisions/:revision") view=RevisionPage/>
        <Route path=path!("/manager/opus/:id/comparison") view=ComparisonPage/>
        <Route path=path!("/manager/opus/:id/format") view=FormatPage/>
        <Route path=path!("/manager/opus/:id/page/:page") view=DesignPage/>
        <Route path=path!("/manager/opus/:id/page/:page/photos") view=PagePhotosPage/>
        <Route path=path!("/manager/opus/:id/pages") view=PagesPage/>
        <Route path=path!("/manager/opus-document") view=DocumentPage/>
        <Route path=path!("/manager/opus/:id/calendar") view=CalendarPage/>
        <Route path=path!("/manager/opus_import") view=ImportPage/>
        <Route path=path!("/manager/opus_setting/:id") view=SettingPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/manager/make_ebook", post(forms::make).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES)))
        .route("/manager/make_ebook/ahead", post(making::ahead))
        .route(
            "/manager/opus-document",
            post(documents::make).layer(DefaultBodyLimit::max(documents::MOST_REQUEST)),
        )
        .route(
            "/manager/opus-doc-calendar",
            post(calendar::make).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES)),
        )
        .route("/manager/opus/{id}/calendar", post(calendar::change))
        .route("/manager/opus/{id}/proof.pdf", get(proof::serve))
        .route("/manager/opus/{id}/texts", post(forms::texts))
        .route("/manager/opus/{id}/copy", post(actions::copy))
        .route("/manager/opus/{id}/trash", post(actions::trash))
        .route("/manager/opus/{id}/restoration", post(actions::restore))
        .route("/manager/opus/{id}/deletion", post(actions::delete))
        .route("/manager/opus/{id}/format", post(reformat::change))
        .route("/manager/opus/{id}/export", get(transfer::export))
        // its limit is the member's
        .route("/manager/opus_import", post(transfer::import))
        .route("/manager/opus/{id}/revisions/{revision}/restoration", post(revise::restore))
        .route("/manager/opus/{id}/revisions/{revision}/removal", post(revise::drop_kept))
        .route("/manager/opus_setting/{id}", post(settings::save))
        .route("/manager/opus/{id}/page/{page}", post(design::save))
        .route(
            "/manager/opus/{id}/page/{page}/photos",
            post(page_photos::save).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES)),
        )
        .route("/manager/opus/{id}/page/{page}/spread", post(spread::save))
        .route("/manager/opus/{id}/pages", post(spreads::change))
        .route("/manager/opus/{id}/page/{page}/{width}", get(pictures::serve))
        .merge(calls::router())
        .merge(editor::router())
}

/// Whether a work of this page size can be made.
pub fn offers_size(trim: Trim) -> bool {
    formats::FORMATS.iter().chain(formats::CALENDARS).any(|format| format.trim == trim)
}

/// One of a member's own works, on the shelf or in the trash.
pub async fn for_owner(app: &App, id: &WorkId, member: &MemberId) -> Result<Work, Error> {
    store::find_for_owner(&app.db, id, member).await
}

/// Whether a version of a member's work is still there: old ones are thinned.
pub async fn has_revision(app: &App, id: &WorkId, member: &MemberId, revision: i64) -> Result<bool, Error> {
    match store::revision(&app.db, id, member, revision).await {
        Ok(_) => Ok(true),
        Err(Error::NotFound) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Some of a member's works, the last changed first, and where the list goes on. `search` is part of a title.
pub async fn shelf(
    app: &App,
    member: &MemberId,
    search: &str,
    after: Option<&Position>,
    most: usize,
) -> Result<(Vec<Summary>, Option<Position>), Error> {
    let filter = Filter { shelf: Shelf::All, sort: Sort::Changed, search: search.to_owned() };
    let asked = i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1);
    let mut works = store::page_of_member(&app.db, member, &filter, after, asked).await?;
    let has_more = works.len() > most;
    works.truncate(most);
    let next = works.last().filter(|_| has_more).map(|last| filter.position(last));
    Ok((works, next))
}

/// Keeps a document as a new work of a kind.
pub async fn keep(app: &App, member: &MemberId, kind: &str, document: &Document) -> Result<WorkId, Error> {
    let id = platform::db::new_id();
    store::insert(&app.db, &id, member, kind, document, Cause::Made, platform::db::now_ms()).await
}

/// The member's works that it changed last, on the shelf and no e-books.
async fn newest_without_ebooks(app: &App, member: &MemberId, most: usize) -> Result<Vec<Summary>, Error> {
    // few of the last changed ones are e-books
    let (works, _) = shelf(app, member, "", None, most * 4).await?;
    Ok(works.into_iter().filter(|work| work.ebook_at.is_none()).take(most).collect())
}

/// The job: deletes a work that has been in the trash for its time.
pub async fn forget(app: &App, id: &WorkId, now: i64) -> Result<(), Error> {
    store::forget(app, id, now - TRASH_MS).await
}

/// Saves a document over the revision that a member had before it. Where another save came first, this one is kept
/// beside the work's line: false.
#[doc(hidden)]
pub async fn save(
    app: &App,
    member: &MemberId,
    id: &WorkId,
    base: i64,
    document: &Document,
    cause: Cause,
) -> Result<bool, Error> {
    let now = platform::db::now_ms();
    match store::save(app, id, member, base, document, (cause, None), now).await? {
        Saved::As(_) => Ok(true),
        Saved::Stale => {
            store::keep_refused(app, id, base, document, cause, now).await?;
            Ok(false)
        }
    }
}

/// The document that a form was filled in over: its revision's, which need not be the newest any more.
async fn document_before(
    app: &App,
    member: &MemberId,
    work: &Work,
    form: &Form,
) -> Result<(i64, Document), Error> {
    let base: i64 = form.get("revision").parse().map_err(|_| Error::BadRequest("缺少版本号".into()))?;
    if base == work.revision {
        return Ok((base, work.document.clone()));
    }
    Ok((base, store::revision(&app.db, &work.id, member, base).await?.1))
}

/// The address of a page's picture; it changes with the work's revision.
pub fn picture_address(work: &WorkId, revision: i64, page: press::PageRef, width: u32) -> String {
    let page = match page {
        press::PageRef::Cover => "cover".to_owned(),
        press::PageRef::Inner(index) => (index + 1).to_string(),
    };
    format!("/manager/opus/{work}/page/{page}/{width}?r={revision}")
}

/// Looks at the photos of a document that nobody has looked at yet, so that [`unprintable`] knows the damaged ones.
pub async fn look_at_photos(app: &App, member: &MemberId, document: &Document) -> Result<(), Error> {
    for photo in photos::of_member(app, member, &photos_of(document)).await? {
        if photo.state == PhotoState::Pending {
            photos::make_derivatives(app, &photo.id).await?;
        }
    }
    Ok(())
}

/// Every page of a PDF on these pages of a book.
pub fn pdfs_of<'p>(pages: impl IntoIterator<Item = &'p Page>) -> Vec<(FileDigest, u32)> {
    pages.into_iter().flat_map(Page::pdfs).map(|pdf| (pdf.file.clone(), pdf.page)).collect()
}

/// Every photo that a document shows, each once.
pub fn photos_of(document: &Document) -> Vec<domain::ids::PhotoId> {
    let mut ids: Vec<_> =
        document.all_pages().flat_map(|page| page.photos()).map(|frame| frame.photo.clone()).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// Photos as the layout sees them, in the order in which they were uploaded: one without a time goes with those that it came
/// with.
fn as_they_came<'p>(photos: impl Iterator<Item = &'p photos::Photo>) -> Vec<PhotoInput> {
    let mut inputs: Vec<PhotoInput> = photos.map(photo_input).collect();
    // ids sort by the moment at which they were made
    inputs.sort_by(|one, other| one.id.as_str().cmp(other.id.as_str()));
    inputs
}

/// A photo as the layout sees it.
fn photo_input(photo: &photos::Photo) -> PhotoInput {
    let (width, height) = photo.upright();
    PhotoInput { id: photo.id.clone(), width, height, taken_at: photo.taken_at, subject: photo.subject }
}
