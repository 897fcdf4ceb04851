//! The proof 样稿: the whole work as one small PDF with its lines.

use axum::extract::State;
use axum::response::Response;
use domain::binding::CoverSheet;
use domain::document::Document;
use domain::ids::{MemberId, WorkId};

use super::documents::ensure_drawn;
use super::pictures::LibraryProxies;
use super::{pdfs_of, photos_of, store};
use photos::{self, PhotoState};
use platform::app::App;
use platform::error::Error;
use platform::router::Parameter;
use platform::session::Member;
use platform::ui::files::pdf_file;

/// GET /manager/opus/{id}/proof.pdf.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
) -> Result<Response, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?;
    proof_pdf(&app, &member.id, work.document, None).await
}

/// The proof of a document; with the sheet of its cover where it is known what is made of it.
pub async fn proof_pdf(
    app: &App,
    member: &MemberId,
    document: Document,
    cover: Option<CoverSheet>,
) -> Result<Response, Error> {
    let library = photos::of_member(app, member, &photos_of(&document)).await?;
    for photo in library.iter().filter(|photo| photo.state == PhotoState::Pending) {
        photos::make_derivatives(app, &photo.id).await?;
    }
    let files = ensure_drawn(app, member, pdfs_of(document.all_pages())).await?;
    let proxies = LibraryProxies::new(app.storage.clone(), library, files);
    let press = app.press;
    let name = format!("{}-样稿.pdf", document.title);
    let bytes = app
        .compute(move || {
            let proof = press.proof_pdf(&document, cover.as_ref(), &proxies);
            proxies.complete(proof)
        })
        .await??;
    Ok(pdf_file("proof.pdf", &name, bytes))
}
