//! Pictures of PDF pages: drawn once, when somebody first looks, a few pages ahead.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;
use std::time::Duration;

use base::error::Error;
use base::keyed::KeyedLock;
use base::sandbox::Draw;
use base::storage::{original_key, pdf_page_key};
use domain::ids::{FileDigest, MemberId};
use object_store::PutPayload;
use web::app::App;

use super::store::{self, PdfFile};

/// Pages that are drawn at once where one is looked at: its neighbours come next; and where many are wanted.
const AHEAD: std::ops::RangeInclusive<usize> = 4..=64;
/// How long pages are begun for somebody who waits for the first of them.
const WITHIN: Duration = Duration::from_secs(2);
/// After so many pages that could not be drawn, no other of the file is tried.
const MOST_UNDRAWABLE: u32 = 3;

/// One drawing of a file at a time; the others wait and find their pages drawn.
static UNDER_WAY: LazyLock<KeyedLock<FileDigest>> = LazyLock::new(KeyedLock::default);

/// Draws those pages that were not drawn yet, as far as the files are the member's, and answers which files are. A page
/// that can't be drawn is noted and stays empty.
pub async fn ensure_drawn(
    app: &App,
    member: &MemberId,
    pages: Vec<(FileDigest, u32)>,
) -> Result<BTreeSet<FileDigest>, Error> {
    let ahead = pages.len().clamp(*AHEAD.start(), *AHEAD.end()) as u32;
    let mut owned: HashMap<FileDigest, Option<PdfFile>> = HashMap::new();
    for (digest, page) in pages {
        if !owned.contains_key(&digest) {
            owned.insert(digest.clone(), store::find_for_owner(&app.db, &digest, member).await?);
        }
        let Some(Some(file)) = owned.get_mut(&digest) else { continue };
        if app.storage.has(&pdf_page_key(digest.as_str(), page)).await? || file.undrawable >= MOST_UNDRAWABLE
        {
            continue;
        }
        let turn = UNDER_WAY.of(digest.clone());
        let _turn = turn.lock().await;
        if !draw_some(app, member, file, page, ahead).await? {
            store::count_undrawable(&app.db, &digest, member).await?;
            file.undrawable += 1;
        }
    }
    Ok(owned.into_iter().filter_map(|(digest, file)| file.map(|_| digest)).collect())
}

/// Draws a page, and those after it that are missing among the next ones; false when it can't be drawn.
async fn draw_some(
    app: &App,
    member: &MemberId,
    file: &PdfFile,
    page: u32,
    ahead: u32,
) -> Result<bool, Error> {
    let last = u32::try_from(file.facts.sheets.len()).unwrap_or(u32::MAX);
    let mut missing = Vec::new();
    for page in page..=page.saturating_add(ahead - 1).min(last) {
        if !app.storage.has(&pdf_page_key(file.sha256.as_str(), page)).await? {
            missing.push(page);
        }
    }
    // somebody else drew it while this one waited
    if missing.first() != Some(&page) {
        return Ok(true);
    }
    let folder = app.storage.workshop().map_err(Error::internal)?;
    let path = app.storage.bring(&original_key(file.sha256.as_str())).await?.ok_or(Error::NotFound)?;
    let task = Draw { file: path, pages: missing.clone(), folder: folder.path().to_owned(), within: WITHIN };
    let ended = app.sandbox.run(member, task).await?;
    keep_drawn(app, &file.sha256, folder.path(), &missing).await?;
    if app.storage.has(&pdf_page_key(file.sha256.as_str(), page)).await? {
        return Ok(true);
    }
    tracing::warn!(file = %file.sha256, page, ?ended, "A page of a PDF could not be drawn");
    app.storage.put(&pdf_page_key(file.sha256.as_str(), page), PutPayload::new()).await?;
    Ok(false)
}

/// Keeps the pictures that lie in a folder, and answers how many of these pages have one.
pub async fn keep_drawn(
    app: &App,
    file: &FileDigest,
    folder: &std::path::Path,
    pages: &[u32],
) -> Result<usize, Error> {
    let mut kept = 0;
    for page in pages {
        match tokio::fs::read(Draw::picture(folder, *page)).await {
            Ok(webp) => app.storage.put(&pdf_page_key(file.as_str(), *page), webp).await?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(Error::internal(error)),
        }
        kept += 1;
    }
    Ok(kept)
}
