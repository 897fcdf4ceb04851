//! Works 作品: making them, their documents and revisions, and the pictures of their pages.
//!
//! Not here: the photos themselves, what a work is printed as (cart), and typesetting (the press).

mod actions;
mod adding;
mod better;
mod book_files;
mod calendar;
mod calls;
mod closing;
mod cover;
mod decisions;
mod design;
#[doc(hidden)]
pub mod documents;
mod ebooks;
mod editor;
mod filling;
mod findings;
mod formats;
mod forms;
mod from_guests;
mod jobs;
mod library;
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
mod restyle;
mod revise;
mod sellable;
mod settings;
mod spread;
mod spreads;
#[doc(hidden)]
pub mod store;
mod transfer;
mod unzip;
mod weak;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::days::DAY_MS;
use domain::document::{Document, Page, Trim};
use domain::ids::{FileDigest, MemberId, WorkId};
use domain::layout::PhotoInput;
use domain::sub_member::Role;
use leptos::prelude::*;

use base::db::{Tx, sql};
use base::error::Error;
use base::storage::ORIGINALS;
use domain::tier::Feature;
use photos::{self, MAX_REQUEST_BYTES, PhotoState};
use web::access::Policy;
use web::app::App;
use web::render::Form;
use web::route::Route;
use web::slice::{AtDesk, Entry, Group, Named, Slice};

pub use adding::put_on_page;
pub use book_files::{BookFormat, book_file, forget_book_files, send_book};
pub use decisions::Undecided;
pub use documents::{
    MOST_REQUEST, SentFile, chapters, queue_forgetting_of, read_sheet, ready_pages, receive_many,
    receive_ready, take_ready,
};
pub use ebooks::{BookFacts, reading_epub, reading_pdf};
pub use editor::address as editor_address;
pub use editor::{
    EditorBetter, EditorBetterPhoto, EditorCover, EditorDesk, EditorFilling, EditorFinding, EditorLook,
    EditorPhoto, EditorPhotos, EditorProps, EditorRole, EditorStyle, EditorStyles, EditorWay, TextLines,
};
pub use findings::{
    FindingItem, Findings, artwork_findings, count_above_notes, listed_findings, preflight, preflight_on,
};
pub use formats::{WorkFormat, format, size_text};
pub use originals::{unprintable, unprintable_works};
pub use outline::{OUTLINE_COLUMNS, Outline, OutlineRow};
pub use pages::{
    BetterPage, CalendarDeskPage, CalendarPage, ComparisonPage, CopyChoice, DesignPage, DocumentPage,
    FormatPage, Formats, ImportPage, MakePage, PagePhotosPage, PagesPage, ProofSheets, RevisionPage,
    RevisionsPage, RunOf, SettingPage, StylePage, Themes, WorkPage, WorksPage, asked_copy, copy_address,
};
pub use pictures::{CoverView, LibraryOriginals, WIDTHS, cover_picture, page_named, page_picture};
pub use print::print_file;
pub use proof::{OfCopy, proof_pdf};
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
const TRASH_MS: i64 = 30 * DAY_MS;

/// What a work can be: the word in addresses and in the database, and the name.
const KINDS: [(&str, &str); 6] = [
    ("album", "画册"),
    ("document", "文档"),
    ("calendar", "台历"),
    ("ebook", "电子书"),
    ("epaper", "电子报"),
    ("magazine", "期刊"),
];

use jobs::{ForgetPdf, ForgetPdfs, ForgetWork};

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/make_ebook", Policy::Needs(Feature::OnlineEditor))
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| MakePage().into_any())
        .handled(|| post(forms::make).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))),
    Route::new("/manager/make_ebook/ahead", Policy::Needs(Feature::OnlineEditor))
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(making::ahead)),
    Route::new("/manager/opus-doc-calendar", Policy::Needs(Feature::OnlineEditor))
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| CalendarDeskPage().into_any())
        .handled(|| post(calendar::make).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))),
    Route::new("/manager/opus-document", Policy::Needs(Feature::OnlineEditor))
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| DocumentPage().into_any())
        .handled(|| post(documents::make).layer(DefaultBodyLimit::max(documents::MOST_REQUEST))),
    Route::new("/manager/opus/{id}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| WorkPage().into_any()),
    Route::new("/manager/opus/{id}/calendar", Policy::Needs(Feature::OnlineEditor))
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| CalendarPage().into_any())
        .handled(|| post(calendar::change)),
    Route::new("/manager/opus/{id}/comparison", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| ComparisonPage().into_any()),
    Route::new("/manager/opus/{id}/copy", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(actions::copy)),
    Route::new("/manager/opus/{id}/cover/{width}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(cover::serve)),
    Route::new("/manager/opus/{id}/deletion", Policy::Member).handled(|| post(actions::delete)),
    Route::new("/manager/opus/{id}/export", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| get(transfer::export)),
    Route::new("/manager/opus/{id}/format", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| FormatPage().into_any())
        .handled(|| post(reformat::change)),
    Route::new("/manager/opus/{id}/page/{page}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| DesignPage().into_any())
        .handled(|| post(design::save)),
    Route::new("/manager/opus/{id}/page/{page}/better/{element}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| BetterPage().into_any())
        .handled(|| post(better::save)),
    Route::new("/manager/opus/{id}/page/{page}/filling", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(filling::save)),
    Route::new("/manager/opus/{id}/page/{page}/photos", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| PagePhotosPage().into_any())
        .handled(|| post(page_photos::save).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))),
    Route::new("/manager/opus/{id}/page/{page}/spread", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(spread::save)),
    Route::new("/manager/opus/{id}/page/{page}/{width}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(pictures::serve)),
    Route::new("/manager/opus/{id}/pages", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| PagesPage().into_any())
        .handled(|| post(spreads::change)),
    Route::new("/manager/opus/{id}/proof.pdf", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(proof::serve)),
    Route::new("/manager/opus/{id}/restoration", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(actions::restore)),
    Route::new("/manager/opus/{id}/revisions", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| RevisionsPage().into_any()),
    Route::new("/manager/opus/{id}/revisions/{revision}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| RevisionPage().into_any()),
    Route::new("/manager/opus/{id}/revisions/{revision}/removal", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(revise::drop_kept)),
    Route::new("/manager/opus/{id}/revisions/{revision}/restoration", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(revise::restore)),
    Route::new("/manager/opus/{id}/style", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| StylePage().into_any())
        .handled(|| post(restyle::change)),
    Route::new("/manager/opus/{id}/texts", Policy::Needs(Feature::OnlineEditor))
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(forms::texts)),
    Route::new("/manager/opus/{id}/trash", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(actions::trash)),
    // its limit is the member's
    Route::new("/manager/opus_import", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| ImportPage().into_any())
        .handled(|| post(transfer::import)),
    Route::new("/manager/opus_list/{type}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .page(|| WorksPage().into_any()),
    Route::new("/manager/opus_list_edit", Policy::Needs(Feature::OnlineEditor))
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| editor::EditPage().into_any()),
    Route::new("/manager/opus_setting/{id}", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .page(|| SettingPage().into_any())
        .handled(|| post(settings::save)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES, editor::ROUTES, calls::ROUTES],
    navigation: &[
        Entry::new(Group::Make, "/manager/make_ebook", "做书", 10),
        Entry::new(Group::Make, "/manager/opus-document", "文档", 20),
        Entry::new(Group::Make, "/manager/opus_list/all", "作品", 30)
            .of("/manager/opus_list/{type}")
            .with(&["/manager/opus/", "/manager/opus_"]),
        Entry::new(Group::Make, "/manager/opus-doc-calendar", "台历", 40),
    ],
    jobs: |handlers| handlers.with::<ForgetWork>().with::<ForgetPdf>().with::<ForgetPdfs>(),
    tables: &["pdf_files", "works", "work_revisions", "work_operations", "decided_findings"],
    passing: &["title_grams", "work_titles"],
    // derived rows of works that an older version made, or a backup brought
    open: Some(|app| Box::pin(async move { store::fill_titles(&app.db).await })),
    files: &[Named {
        folder: ORIGINALS,
        count: sql!("select count(*) from pdf_files where sha256 = $1"),
        all: sql!("select sha256 from pdf_files where sha256 is not null"),
    }],
    keeps: &[documents::KEEPS, store::KEEPS],
    shows: Some(&store::AtUses),
    closing: Some(&closing::AtClosing),
    sellable: &[&sellable::Works],
    ..Slice::new("works")
};

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

/// The document of one version of a member's own work.
pub async fn document_at(
    app: &App,
    id: &WorkId,
    member: &MemberId,
    revision: i64,
) -> Result<Document, Error> {
    Ok(store::revision(&app.db, id, member, revision).await?.1)
}

/// Holds a work on the shelf whose newest version has this number, so that nobody saves it meanwhile; false where it has another.
pub async fn hold_at(tx: &mut Tx, id: &WorkId, member: &MemberId, revision: i64) -> Result<bool, Error> {
    store::is_still(tx, id, member, revision).await
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
    let id = base::db::new_id();
    store::insert(&app.db, &id, member, kind, document, Cause::Made, base::db::now_ms()).await
}

/// Makes another book of one of a member's works, as a new version of it: what it was before is among its versions. False where
/// it is not on the shelf any more.
pub async fn remake(app: &App, member: &MemberId, id: &WorkId, document: &Document) -> Result<bool, Error> {
    let work = match store::find_for_owner(&app.db, id, member).await {
        Ok(work) if work.trashed_at.is_none() => work,
        Ok(_) | Err(Error::NotFound) => return Ok(false),
        Err(error) => return Err(error),
    };
    save(app, member, id, work.revision, document, Cause::Pages).await
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
    let now = base::db::now_ms();
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
    let base: i64 = form.get("revision").parse().map_err(|_| Error::Incomplete)?;
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
        document.printed_pages().flat_map(|page| page.photos()).map(|frame| frame.photo.clone()).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// A photo as the layout sees it.
pub fn photo_input(photo: &photos::Photo) -> PhotoInput {
    let (width, height) = photo.upright();
    PhotoInput {
        id: photo.id.clone(),
        width,
        height,
        taken_at: photo.taken_at,
        subject: photo.subject,
        faces: photo.faces.clone().unwrap_or_default(),
        tone: photo.quality.and_then(|quality| quality.tone),
        city: photo.city.clone(),
        has_words: false,
    }
}
