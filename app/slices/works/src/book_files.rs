//! Whole books as files, PDF and EPUB: made once, by a job or by whoever asks first, and kept with the page pictures.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use base::error::Error;
use base::keyed::KeyedLock;
use base::storage::{reading_file_key, reading_files_folder};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use web::app::App;
use web::ui::files::{attached, stored};

/// Changed whenever files are made differently.
const MAKING: &str = "3";

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookFormat {
    Pdf,
    Epub,
}

impl BookFormat {
    /// Both, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Pdf, Self::Epub];

    /// How its files' names end.
    pub fn ending(self) -> &'static str {
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

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Epub => "application/epub+zip",
        }
    }
}

/// One making of a file at a time; the others wait and find it made.
static UNDER_WAY: LazyLock<KeyedLock<(String, BookFormat)>> = LazyLock::new(KeyedLock::default);

/// Where the file of a thing lies on this machine. `basis` is all that it is made of; where there is none of that, `make`
/// makes one.
pub async fn book_file(
    app: &App,
    thing: &str,
    format: BookFormat,
    basis: &(impl Serialize + Sync),
    make: impl Future<Output = Result<Vec<u8>, Error>> + Send,
) -> Result<PathBuf, Error> {
    let digest = Sha256::digest(serde_json::to_vec(&(MAKING, basis, format))?);
    let key = reading_file_key(thing, &format!("{}.{}", &hex::encode(digest)[..32], format.ending()));
    let turn = UNDER_WAY.of((thing.to_owned(), format));
    let _turn = turn.lock().await;
    if !app.storage.has(&key).await? {
        app.storage.put(&key, make.await?).await?;
    }
    app.storage.bring(&key).await?.ok_or_else(|| Error::internal("a file that was just made is gone"))
}

/// Deletes what was made of a thing that nobody may read any more.
pub async fn forget_book_files(app: &App, thing: &str) -> Result<(), Error> {
    app.storage.delete_below(&reading_files_folder(thing)).await
}

/// A file to save under a title, whole or the part that the request asks for.
pub async fn send_book(
    path: &Path,
    parts: &Parts,
    title: &str,
    format: BookFormat,
) -> Result<Response, Error> {
    let mut response = stored(path, parts, &format.media_type().parse().map_err(Error::internal)?).await?;
    let name = attached(&format!("book.{}", format.ending()), &format!("{title}.{}", format.ending()));
    let name = HeaderValue::from_str(&name).map_err(Error::internal)?;
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}
