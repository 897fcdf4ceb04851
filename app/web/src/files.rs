//! Files that rows name by the SHA-256 of their bytes: originals of photos, PDFs and invoices, small copies that stand for
//! originals on their way, members' pictures. A file goes when nothing is called by it any more.
//!
//! Where files are named the slices say ([`Named`](crate::slice::Named)). Files are no part of a transaction: one goes
//! after the commit that took its last name, by a job that asks again under a lock, since it can be named anew until then.
//! Once a day everything is gone over that has lain there for a day: a crash may leave files between their place and
//! their row.

use std::collections::BTreeSet;

use base::db::{Tx, now_ms, with_tx};
use base::error::Error;
use base::jobs::{self, Job};
use base::storage::{AVATARS, ORIGINALS, PREVIEWS, avatar_key, original_key, preview_key};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::uses;

/// How long a file lies before it may be an orphan, in ms: its row may just be about to come.
const YOUNG_MS: i64 = 24 * 60 * 60_000;
/// Jobs that are queued in one transaction.
const AT_ONCE: usize = 500;

/// Lets one transaction at a time put files in their places or delete them: files are no part of a transaction.
pub async fn lock(tx: &mut Tx) -> Result<(), Error> {
    // the one row that every installation has
    with_tx!(tx, |conn| sqlx::query("update secrets set value = value").execute(conn).await.map(drop))?;
    Ok(())
}

/// Whether anything of any slice is called by a file.
pub async fn is_named(app: &App, tx: &mut Tx, folder: &str, sha256: &str) -> Result<bool, Error> {
    for named in app.house.each(|slice| slice.files).filter(|named| named.folder == folder) {
        let names: i64 =
            with_tx!(tx, |conn| sqlx::query_scalar(named.count.text()).bind(sha256).fetch_one(conn).await)?;
        if names > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Every file of a folder of the storage that anything of any slice is called by.
pub async fn all_named(app: &App, tx: &mut Tx, folder: &str) -> Result<BTreeSet<String>, Error> {
    let mut all = BTreeSet::new();
    for named in app.house.each(|slice| slice.files).filter(|named| named.folder == folder) {
        let names: Vec<String> =
            with_tx!(tx, |conn| sqlx::query_scalar(named.all.text()).fetch_all(conn).await)?;
        all.extend(names);
    }
    Ok(all)
}

/// Deletes an original that nothing is called by, with the pictures that were made of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetOriginal {
    pub sha256: String,
}

impl Job for ForgetOriginal {
    type App = App;
    const KIND: &'static str = "forget_original";
    async fn run(self, app: App) -> Result<(), Error> {
        let mut tx = app.db.begin().await?;
        lock(&mut tx).await?;
        if !is_named(&app, &mut tx, ORIGINALS, &self.sha256).await? {
            app.storage.delete(&original_key(&self.sha256)).await?;
            app.storage.delete_derivatives(&self.sha256).await?;
        }
        Ok(tx.commit().await?)
    }
}

/// Deletes a small copy that stands for no photo's original any more.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetPreview {
    pub preview: String,
}

impl Job for ForgetPreview {
    type App = App;
    const KIND: &'static str = "forget_preview";
    async fn run(self, app: App) -> Result<(), Error> {
        let mut tx = app.db.begin().await?;
        lock(&mut tx).await?;
        if !is_named(&app, &mut tx, PREVIEWS, &self.preview).await? {
            app.storage.delete(&preview_key(&self.preview)).await?;
        }
        Ok(tx.commit().await?)
    }
}

/// Deletes a member's picture that nobody shows.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetAvatar {
    pub sha256: String,
}

impl Job for ForgetAvatar {
    type App = App;
    const KIND: &'static str = "forget_avatar";
    async fn run(self, app: App) -> Result<(), Error> {
        let mut tx = app.db.begin().await?;
        lock(&mut tx).await?;
        if !is_named(&app, &mut tx, AVATARS, &self.sha256).await? {
            app.storage.delete(&avatar_key(&self.sha256)).await?;
        }
        Ok(tx.commit().await?)
    }
}

/// Queues the end of every file that nothing is called by, and answers how many there are. Each job asks again.
pub async fn sweep(app: &App) -> Result<usize, Error> {
    uses::sweep(app).await?;
    let before = now_ms() - YOUNG_MS;
    let mut originals = unnamed(app, ORIGINALS, before).await?;
    // of an original that is gone, pictures may have been made at the same moment
    let there: BTreeSet<String> = app.storage.old_names(ORIGINALS, i64::MAX).await?.into_iter().collect();
    let derived = app.storage.old_derivatives(before).await?;
    originals.extend(derived.into_iter().filter(|sha256| !there.contains(sha256)));
    let previews = unnamed(app, PREVIEWS, before).await?;
    let avatars = unnamed(app, AVATARS, before).await?;
    let found = queue(app, originals, |sha256| ForgetOriginal { sha256 }).await?
        + queue(app, previews, |preview| ForgetPreview { preview }).await?
        + queue(app, avatars, |sha256| ForgetAvatar { sha256 }).await?;
    if found > 0 {
        tracing::info!(files = found, "Files without an owner are deleted");
    }
    Ok(found)
}

/// Files of a folder that were there before a moment and that nothing is called by.
async fn unnamed(app: &App, folder: &str, before: i64) -> Result<Vec<String>, Error> {
    let mut unnamed = Vec::new();
    for name in app.storage.old_names(folder, before).await? {
        let mut tx = app.db.begin_snapshot().await?;
        if !is_named(app, &mut tx, folder, &name).await? {
            unnamed.push(name);
        }
    }
    Ok(unnamed)
}

async fn queue<J: Job>(app: &App, names: Vec<String>, job: impl Fn(String) -> J) -> Result<usize, Error> {
    let jobs: Vec<J> = names.into_iter().map(job).collect();
    for part in jobs.chunks(AT_ONCE) {
        let mut tx = app.db.begin().await?;
        jobs::enqueue_all(&mut tx, part, now_ms()).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(jobs.len())
}
