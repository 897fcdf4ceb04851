//! Works 作品: making them, their documents and revisions, and the pictures of their pages.
//!
//! Not here: the photos themselves, what a work is printed as (cart), and typesetting (the press).

mod findings;
mod formats;
mod forms;
mod pages;
mod pictures;
mod proof;
mod store;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::document::{Document, Trim};
use domain::ids::{MemberId, WorkId};

use crate::app::App;
use crate::error::Error;
use crate::photos::MAX_REQUEST_BYTES;
use crate::router::Routes;

pub use findings::Findings;
pub use formats::size_text;
pub use pages::{MakePage, ProofSheets, WorkPage, WorksPage};
pub use pictures::{LibraryOriginals, page_named, page_picture};
pub use store::{Work, documents_of};

/// The slice's handlers.
pub fn router() -> Routes {
    Routes::default()
        .route("/manager/make_ebook", post(forms::make).layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES)))
        .route("/manager/opus/{id}/proof.pdf", get(proof::serve))
        .route("/manager/opus/{id}/texts", post(forms::texts))
        .route("/manager/opus/{id}/page/{page}/{width}", get(pictures::serve))
}

/// Whether a work of this page size can be made.
pub fn offers_size(trim: Trim) -> bool {
    formats::FORMATS.iter().any(|format| format.trim == trim)
}

/// One of a member's own works.
pub async fn for_owner(app: &App, id: &WorkId, member: &MemberId) -> Result<Work, Error> {
    store::find_for_owner(&app.db, id, member).await
}

/// Keeps a document as a new work of a kind.
pub async fn keep(app: &App, member: &MemberId, kind: &str, document: &Document) -> Result<WorkId, Error> {
    let id: WorkId = crate::db::new_id();
    store::insert(&app.db, &id, member, kind, document, crate::db::now_ms()).await?;
    Ok(id)
}

/// The address of a page's picture; it changes with the work's revision.
pub fn picture_address(work: &WorkId, revision: i64, page: press::PageRef, width: u32) -> String {
    let page = match page {
        press::PageRef::Cover => "cover".to_owned(),
        press::PageRef::Inner(index) => (index + 1).to_string(),
    };
    format!("/manager/opus/{work}/page/{page}/{width}?r={revision}")
}

/// The file names of a document's photos whose originals are not here; unknown photos by their id.
pub async fn missing_originals(
    app: &App,
    member: &MemberId,
    document: &Document,
) -> Result<Vec<String>, Error> {
    use press::Originals;
    let originals = LibraryOriginals::of_document(app, member, document).await?;
    let missing = photos_of(document).into_iter().filter(|id| originals.describe(id).is_none());
    Ok(missing.map(|id| originals.file_name(&id)).collect())
}

/// Every photo that a document shows, each once.
pub fn photos_of(document: &Document) -> Vec<domain::ids::PhotoId> {
    let mut ids: Vec<_> =
        document.all_pages().flat_map(|page| page.photos()).map(|frame| frame.photo.clone()).collect();
    ids.sort();
    ids.dedup();
    ids
}
