//! /read/{work}/book.pdf and /book.epub: the whole of a shared work as a file, where its maker allows it, for whoever may read
//! all of it. A file is made once, by a job or by whoever asks first, and kept with the page pictures.

use std::sync::LazyLock;

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use domain::ids::WorkId;
use domain::sharing::{Access, Direction};
use mime::Mime;
use press::epub::{self, Metadata};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::open::{self, Opened};
use super::store::{self, Settings, Share};
use platform::app::App;
use platform::error::Error;
use platform::keyed::KeyedLock;
use platform::storage::{reading_file_key, reading_files_folder};
use platform::ui::files::{attached, stored};
use works::{self, BookFacts};

/// Changed whenever files are made differently.
const MAKING: &str = "2";

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Pdf,
    Epub,
}

impl Format {
    /// Both, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Pdf, Self::Epub];

    /// How its files' names end.
    fn ending(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Epub => "epub",
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Epub => "EPUB",
        }
    }

    fn mime(self) -> Result<Mime, Error> {
        match self {
            Self::Pdf => Ok(mime::APPLICATION_PDF),
            Self::Epub => "application/epub+zip".parse().map_err(Error::internal),
        }
    }

    /// Whether a maker allows it.
    pub fn is_allowed(self, settings: &Settings) -> bool {
        match self {
            Self::Pdf => settings.pdf,
            Self::Epub => settings.epub,
        }
    }

    /// Where readers get it.
    pub fn address(self, work: &WorkId) -> String {
        format!("/read/{work}/book.{}", self.ending())
    }
}

/// GET /read/{work}/book.pdf.
pub async fn pdf(State(app): State<App>, Path(work): Path<String>, parts: Parts) -> Result<Response, Error> {
    serve(&app, &work, &parts, Format::Pdf).await
}

/// GET /read/{work}/book.epub.
pub async fn epub(State(app): State<App>, Path(work): Path<String>, parts: Parts) -> Result<Response, Error> {
    serve(&app, &work, &parts, Format::Epub).await
}

async fn serve(app: &App, work: &str, parts: &Parts, format: Format) -> Result<Response, Error> {
    let work: WorkId = work.parse().map_err(|_| Error::NotFound)?;
    let Opened { share, access, .. } = open::open_for(app, parts, &work).await?;
    if access == Access::Locked {
        return Ok(Redirect::to(&format!("/read/{work}")).into_response());
    }
    if !format.is_allowed(&share.settings) {
        return Err(Error::NotFound);
    }
    if access != Access::Whole {
        return Err(Error::Forbidden("这本书购买以后才能下载。"));
    }
    let path = made(app, &share, format).await?;
    let mut response = stored(&path, parts, &format.mime()?).await?;
    let name = format!("{}.{}", share.settings.title, format.ending());
    let name = attached(&format!("book.{}", format.ending()), &name);
    let name = HeaderValue::from_str(&name).map_err(Error::internal)?;
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

/// One making of a file at a time; the others wait and find it made.
static UNDER_WAY: LazyLock<KeyedLock<(WorkId, Format)>> = LazyLock::new(KeyedLock::default);

/// Where the file of what readers see now lies on this machine; it is made where it is missing.
pub async fn made(app: &App, share: &Share, format: Format) -> Result<std::path::PathBuf, Error> {
    let settings = &share.settings;
    let direction = settings.direction.code();
    let basis = serde_json::to_vec(&(
        MAKING,
        share.revision,
        &settings.title,
        &settings.description,
        direction,
        format,
    ))?;
    let name = format!("{}.{}", &hex::encode(Sha256::digest(&basis))[..32], format.ending());
    let key = reading_file_key(&share.work, &name);
    let turn = UNDER_WAY.of((share.work.clone(), format));
    let _turn = turn.lock().await;
    if !app.storage.has(&key).await? {
        let document = store::document(&app.db, &share.work).await?;
        let bytes = match format {
            Format::Pdf => works::reading_pdf(app, &share.member, document).await?,
            Format::Epub => works::reading_epub(app, &share.member, document, facts(share)).await?,
        };
        app.storage.put(&key, bytes).await?;
    }
    app.storage.bring(&key).await?.ok_or_else(|| Error::internal("a file that was just made is gone"))
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
            identifier: format!("urn:bindery:{}", share.work),
            modified: share.updated_at,
            direction,
        },
        chapters: share.facts.chapters.clone(),
    }
}

/// Deletes what was made of a work that nobody may read any more.
pub async fn forget(app: &App, work: &WorkId) -> Result<(), Error> {
    app.storage.delete_below(&reading_files_folder(work)).await
}
