//! The proof 样稿: the whole work as one small PDF with its lines.

use axum::extract::{Query, State};
use axum::response::Response;
use base::error::Error;
use domain::binding::CoverSheet;
use domain::document::Document;
use domain::ids::{MemberId, WorkId};
use serde::Deserialize;
use web::app::App;
use web::router::Parameter;
use web::session::Member;
use web::ui::files::pdf_file;

use super::documents::ensure_drawn;
use super::pictures::LibraryProxies;
use super::{pdfs_of, photos_of, store};
use photos::{self, PhotoState};

/// Which copy of a run is asked for, in a query.
#[derive(Debug, Default, Deserialize)]
pub struct OfCopy {
    /// Its key; the work itself where none is named.
    #[serde(default)]
    copy: String,
}

impl OfCopy {
    /// The copy as a document of its own, with its name in the title that files get.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the run has no such copy.
    pub fn of(&self, document: Document) -> Result<(Document, String), Error> {
        let title = document.title.clone();
        if self.copy.is_empty() {
            return Ok((document, title));
        }
        let name = document.copy_names().into_iter().find(|name| name.key == self.copy);
        let name = name.ok_or(Error::NotFound)?.name;
        let copy = document.copy_of(&self.copy).ok_or(Error::NotFound)?;
        Ok((copy, format!("{title}-{name}")))
    }
}

/// GET /manager/opus/{id}/proof.pdf?copy={key}.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    Query(asked): Query<OfCopy>,
) -> Result<Response, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?;
    proof_pdf(&app, &member.id, asked.of(work.document)?, None).await
}

/// The proof of a document, under a title; with the sheet of its cover where it is known what is made of it.
pub async fn proof_pdf(
    app: &App,
    member: &MemberId,
    (document, title): (Document, String),
    cover: Option<CoverSheet>,
) -> Result<Response, Error> {
    let library = photos::of_member(app, member, &photos_of(&document)).await?;
    for photo in library.iter().filter(|photo| photo.state == PhotoState::Pending) {
        photos::make_derivatives(app, &photo.id).await?;
    }
    let files = ensure_drawn(app, member, pdfs_of(document.all_pages())).await?;
    let proxies = LibraryProxies::new(app.storage.clone(), library, files);
    let press = app.press;
    let name = format!("{title}-样稿.pdf");
    let bytes = app
        .compute(move || {
            let proof = press.proof_pdf(&document, cover.as_ref(), &proxies);
            proxies.complete(proof)
        })
        .await??;
    Ok(pdf_file("proof.pdf", &name, bytes))
}
