//! /read/{work}/book.pdf and /book.epub: the whole of a shared work as a file, where its maker allows it, for whoever may read
//! all of it.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::detach;
use base::error::Error;
use base::names::urn;
use domain::ids::WorkId;
use domain::sharing::{Access, Direction};
use press::epub::{self, Metadata};
use web::app::App;

use super::open::{self, Opened};
use super::published::KIND;
use super::store::{self, Settings, Share};
use works::{self, BookFacts, BookFormat};

/// Whether a maker allows files of a kind.
pub fn is_allowed(format: BookFormat, settings: &Settings) -> bool {
    match format {
        BookFormat::Pdf => settings.pdf,
        BookFormat::Epub => settings.epub,
    }
}

/// Where readers get one.
pub fn address(work: &WorkId, format: BookFormat) -> String {
    format!("/read/{work}/book.{}", format.ending())
}

/// GET /read/{work}/book.pdf.
pub async fn pdf(State(app): State<App>, Path(work): Path<String>, parts: Parts) -> Result<Response, Error> {
    serve(&app, &work, &parts, BookFormat::Pdf).await
}

/// GET /read/{work}/book.epub.
pub async fn epub(State(app): State<App>, Path(work): Path<String>, parts: Parts) -> Result<Response, Error> {
    serve(&app, &work, &parts, BookFormat::Epub).await
}

async fn serve(app: &App, work: &str, parts: &Parts, format: BookFormat) -> Result<Response, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open_for(app, parts, &work).await?;
    if access == Access::Locked {
        return Ok(Redirect::to(&format!("/read/{work}")).into_response());
    }
    if !is_allowed(format, &share.settings) {
        return Err(Error::NotFound);
    }
    if access != Access::Whole {
        return Err(Error::Forbidden("这本书购买以后才能下载。"));
    }
    let title = share.settings.title.clone();
    let app = app.clone();
    // a long making goes on when its asker has gone: the next one finds it
    let path = detach::run(async move { made(&app, &share, format).await }).await??;
    works::send_book(&path, parts, &title, format).await
}

/// Where the file of what readers see now lies on this machine; it is made where it is missing.
pub async fn made(app: &App, share: &Share, format: BookFormat) -> Result<std::path::PathBuf, Error> {
    let settings = &share.settings;
    let basis = (share.revision, &settings.title, &settings.description, settings.direction.code());
    let make = async {
        let document = store::document(&app.db, &share.work).await?;
        match format {
            BookFormat::Pdf => works::reading_pdf(app, &share.member, document).await,
            BookFormat::Epub => works::reading_epub(app, &share.member, document, facts(share)).await,
        }
    };
    works::book_file(app, share.work.as_str(), format, &basis, make).await
}

fn facts(share: &Share) -> BookFacts {
    let direction = match share.settings.direction {
        Direction::Right => epub::Direction::RightToLeft,
        Direction::Left | Direction::Continuous => epub::Direction::LeftToRight,
    };
    BookFacts {
        metadata: Metadata {
            title: share.settings.title.clone(),
            author: share.facts.author.clone(),
            description: share.settings.description.clone(),
            language: "zh-CN".to_owned(),
            identifier: urn(KIND, share.work.as_str()),
            modified: share.updated_at,
            direction,
        },
        first_number: 1,
        chapters: share.facts.chapters.clone(),
    }
}

/// Deletes what was made of a work that nobody may read any more.
pub async fn forget(app: &App, work: &WorkId) -> Result<(), Error> {
    works::forget_book_files(app, work.as_str()).await
}
