//! Looks through a generation: every hash, and whether a database can be made of it that holds together.

use std::collections::BTreeSet;
use std::io;

use age::x25519::Identity;
use base::audit;
use base::config::Config;
use base::db::{Schema, Scratch};
use base::detach::blocking;
use base::error::{Error, Failure};
use futures::{StreamExt, TryStreamExt};
use web::app::App;
use web::files;

use crate::FOLDERS;
use crate::read::{Reading, digest_of};
use crate::repository::{Generation, Repository};
use crate::seal::Hashing;

/// Blobs that are read at once.
const AT_ONCE: usize = 4;

/// What was looked through.
pub struct Verified {
    pub blobs: u64,
    pub bytes: u64,
    pub rows: u64,
    /// Postings of the ledger, and rows of the audit log, that were held together.
    pub transactions: i64,
    pub audit_rows: i64,
    /// Files that were missing or damaged when it was made, and are not in it.
    pub lacks: Vec<String>,
}

/// Reads every blob, fills a database that goes afterwards with the rows, and holds its books and its audit log together. That
/// database is SQLite's, or on the PostgreSQL of an address. Damaged blobs are put aside, so that the next backup stores
/// them anew.
pub async fn verify(
    app: &App,
    repository: &Repository,
    generation: &Generation,
    identity: Option<&Identity>,
    postgres: Option<&str>,
) -> Result<Verified, Failure> {
    let reading = Reading::begin(app, repository, generation, identity).await?;
    let faults: Vec<String> = futures::stream::iter(reading.manifest.blobs.keys())
        .map(|blob| look_at(repository, blob))
        .buffer_unordered(AT_ONCE)
        .try_filter_map(async |fault| Ok(fault))
        .try_collect()
        .await?;
    if !faults.is_empty() {
        return Err(faults.join("\n         ").into());
    }
    // what is encrypted is read once more: its hash says nothing of what is in it
    for (_, sha256) in reading.files().filter(|_| reading.manifest.recipient.is_some()) {
        let blob = reading.blob_of(sha256)?;
        let mut from = reading.open(blob).await?;
        let digest = blocking(move || {
            let mut to = Hashing::new(io::sink());
            let read = io::copy(&mut from, &mut to).and_then(|_| to.end());
            read.map(|(_, digest, _)| digest).map_err(Error::internal)
        })
        .await
        .map_err(|error| format!("{blob}: {error}"))?;
        if digest != sha256 {
            return Err(format!("{blob} is damaged: it holds another file than {sha256}").into());
        }
    }
    for (_, sha256) in reading.files() {
        reading.blob_of(sha256)?;
    }
    // packed rows take several times as much in a database
    let packed = reading.contents.tables.values().filter_map(|(blob, _)| reading.manifest.blobs.get(blob));
    app.storage.room_for(packed.sum::<u64>().saturating_mul(10))?;
    let folder = app.storage.workshop()?;
    let scratch = Scratch::make(folder.path(), postgres).await?;
    let checked = check(app, &reading, folder.path(), scratch.url()).await;
    let gone = scratch.end().await;
    let (transactions, audit_rows) = checked?;
    gone?;
    let manifest = &reading.manifest;
    let blobs = manifest.blobs.len() as u64;
    Ok(Verified {
        blobs,
        bytes: manifest.bytes(),
        rows: manifest.rows,
        transactions,
        audit_rows,
        lacks: reading.contents.damaged.clone(),
    })
}

/// What is wrong with a blob.
async fn look_at(repository: &Repository, blob: &str) -> Result<Option<String>, Failure> {
    Ok(match repository.fetch(blob, &mut io::sink()).await {
        Ok(Some(digest)) if digest == digest_of(blob) => None,
        Ok(Some(_)) => {
            repository.put_aside(blob).await?;
            Some(format!("{blob} is damaged: its bytes are not those that were stored"))
        }
        Ok(None) => Some(format!("{blob} is missing")),
        // a disk that can't read one may read all others
        Err(error) if repository.folder().is_some() => {
            repository.put_aside(blob).await?;
            Some(format!("{blob} can't be read: {error}"))
        }
        Err(error) => return Err(error),
    })
}

/// Files that rows name and a generation neither holds nor tells to be missing.
async fn absent(into: &App, reading: &Reading<'_>) -> Result<Vec<String>, Failure> {
    let mut tx = into.db.begin_snapshot().await?;
    let mut told: BTreeSet<&str> = reading.contents.damaged.iter().map(String::as_str).collect();
    told.extend(reading.files().map(|(_, sha256)| sha256));
    let mut absent = Vec::new();
    for folder in FOLDERS {
        let named = files::all_named(into, &mut tx, folder).await?;
        absent.extend(named.into_iter().filter(|name| !told.contains(name.as_str())));
    }
    Ok(absent)
}

/// Fills a database and looks at its books; answers how much there was.
async fn check(
    app: &App,
    reading: &Reading<'_>,
    folder: &std::path::Path,
    url: &str,
) -> Result<(i64, i64), Failure> {
    let config = Config {
        data: folder.to_owned(),
        database_url: url.to_owned(),
        storage: folder.join("storage"),
        bucket: None,
        // nothing outside hears of it
        hot_folder: None,
        ..app.config.clone()
    };
    let into = App::open(config, app.house, Schema::BroughtUp).await?;
    let checked = async {
        reading.fill(&into).await?;
        let absent = absent(&into, reading).await?;
        if !absent.is_empty() {
            return Err(format!("rows name files that are not in it: {}", absent.join(", ")).into());
        }
        let books = ledger::check::check(&into).await?;
        let log = audit::check(&into.db, &[]).await?;
        let faults: Vec<String> =
            books.faults.iter().cloned().chain(log.broken.iter().map(ToString::to_string)).collect();
        match faults.is_empty() {
            true => Ok((books.transactions, log.rows)),
            false => Err(Failure::from(faults.join("\n         "))),
        }
    }
    .await;
    into.db.close().await;
    checked
}
