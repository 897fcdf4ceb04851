//! Fills an empty installation from a generation.

use std::io;

use age::x25519::Identity;
use base::error::Failure;
use base::storage::shelved;
use web::app::App;

use crate::read::Reading;
use crate::repository::{Generation, Manifest, Repository};
use crate::rows;
use crate::seal::Hashing;

/// Files first, then every row in one transaction. Files that are there from a try before are not fetched again. Answers what
/// was missing or damaged, too.
///
/// # Errors
/// Where a file is missing or damaged, unless that is put up with; where a table is.
pub async fn restore(
    app: &App,
    repository: &Repository,
    generation: &Generation,
    identity: Option<&Identity>,
    despite_damage: bool,
) -> Result<(Manifest, Vec<String>), Failure> {
    rows::is_empty(&mut app.db.begin_snapshot().await?).await?;
    let reading = Reading::begin(app, repository, generation, identity).await?;
    let mut faults = Vec::new();
    for (folder, sha256) in reading.files() {
        if app.storage.size(&shelved(folder, sha256)).await?.is_none()
            && let Some(fault) = bring(app, &reading, folder, sha256).await?
        {
            faults.push(format!("{folder}/{sha256}: {fault}"));
        }
    }
    if !faults.is_empty() && !despite_damage {
        return Err(format!(
            "{}\n         --despite-damage restores all that can be",
            faults.join("\n         ")
        )
        .into());
    }
    reading.fill(app).await?;
    Ok((reading.manifest, faults))
}

/// Fetches a file; answers what is wrong with it where it can't be had.
async fn bring(
    app: &App,
    reading: &Reading<'_>,
    folder: &'static str,
    sha256: &str,
) -> Result<Option<String>, Failure> {
    let first = match reading.blob_of(sha256) {
        Ok(blob) => blob.to_owned(),
        Err(fault) => return Ok(Some(fault.to_string())),
    };
    let fault = match bring_blob(app, reading, folder, sha256, &first).await? {
        None => return Ok(None),
        fault => fault,
    };
    // what is encrypted may have been stored more than once
    for other in reading.others(&first).await? {
        if bring_blob(app, reading, folder, sha256, &other).await?.is_none() {
            return Ok(None);
        }
    }
    Ok(fault)
}

async fn bring_blob(
    app: &App,
    reading: &Reading<'_>,
    folder: &'static str,
    sha256: &str,
    blob: &str,
) -> Result<Option<String>, Failure> {
    let bytes = reading.manifest.blobs.get(blob).copied().unwrap_or_default();
    // encrypted, it lies there twice for a while; a full disk is no damage
    app.storage.room_for(bytes.saturating_mul(2))?;
    let mut from = match reading.open(blob).await {
        Ok(from) => from,
        Err(error) if reading.is_unanswered(&error) => return Err(error),
        Err(error) => return Ok(Some(error.to_string())),
    };
    let file = app.storage.incoming()?;
    let mut to = Hashing::new(file.as_file());
    if let Err(error) = io::copy(&mut from, &mut to) {
        return Ok(Some(format!("{blob} is damaged: {error}")));
    }
    let (_, digest, _) = to.end()?;
    if digest != sha256 {
        return Ok(Some(format!("{blob} is damaged: it holds another file")));
    }
    app.storage.restore(file, shelved(folder, sha256)).await?;
    Ok(None)
}
