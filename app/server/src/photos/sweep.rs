//! Files that nothing is called by any more: those of photos, PDFs and invoices that are gone, and those that a crash left
//! between a file's place and its row.
//!
//! A file goes after the commit that took its last name, by a job that asks again under the lock: until then it can be
//! named anew. Once a day everything is gone over that has lain there for a day.

use std::collections::BTreeSet;

use crate::accounts::ForgetAvatar;
use crate::photos::jobs::{ForgetOriginal, ForgetPreview};
use platform::app::App;
use platform::db::now_ms;
use platform::error::Error;
use platform::jobs::{self, Job};
use platform::storage::{AVATARS, ORIGINALS, PREVIEWS, original_key};

use super::store::removal;

/// How long a file lies before it may be an orphan, in ms: its row may just be about to come.
const YOUNG_MS: i64 = 24 * 60 * 60_000;

/// The job: deletes an original that nothing is called by, with the pictures that were made of it.
pub async fn forget_original(app: &App, sha256: &str) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    removal::lock_originals(&mut tx).await?;
    if removal::is_named(&mut tx, sha256).await? {
        return Ok(());
    }
    app.storage.delete(&original_key(sha256)).await?;
    app.storage.delete_derivatives(sha256).await
}

/// Queues the end of every file that nothing is called by, and answers how many there are. Each job asks again.
pub async fn sweep(app: &App) -> Result<usize, Error> {
    let before = now_ms() - YOUNG_MS;
    let (mut lost_originals, mut lost_previews, mut lost_avatars) = (Vec::new(), Vec::new(), Vec::new());
    for sha256 in app.storage.old_names(ORIGINALS, before).await? {
        let mut tx = app.db.begin_snapshot().await?;
        if !removal::is_named(&mut tx, &sha256).await? {
            lost_originals.push(ForgetOriginal { sha256 });
        }
    }
    // of an original that is gone, pictures may have been made at the same moment
    let originals: BTreeSet<String> = app.storage.old_names(ORIGINALS, i64::MAX).await?.into_iter().collect();
    for sha256 in app.storage.old_derivatives(before).await? {
        if !originals.contains(&sha256) {
            lost_originals.push(ForgetOriginal { sha256 });
        }
    }
    for preview in app.storage.old_names(PREVIEWS, before).await? {
        let mut tx = app.db.begin_snapshot().await?;
        if super::store::coming::is_unused(&mut tx, &preview).await? {
            lost_previews.push(ForgetPreview { preview });
        }
    }
    for sha256 in app.storage.old_names(AVATARS, before).await? {
        let mut tx = app.db.begin_snapshot().await?;
        if !crate::accounts::is_avatar(&mut tx, &sha256).await? {
            lost_avatars.push(ForgetAvatar { sha256 });
        }
    }
    let found = queue(app, &lost_originals).await?
        + queue(app, &lost_previews).await?
        + queue(app, &lost_avatars).await?;
    if found > 0 {
        tracing::info!(files = found, "Files without an owner are deleted");
    }
    Ok(found)
}

async fn queue(app: &App, orphans: &[impl Job]) -> Result<usize, Error> {
    if !orphans.is_empty() {
        let mut tx = app.db.begin().await?;
        for orphan in orphans {
            jobs::enqueue(&mut tx, orphan).await?;
        }
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(orphans.len())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use sha2::{Digest, Sha256};

    use super::*;
    use crate::photos::{keep_jpeg, make_derivatives};
    use crate::testing::{self, Engine};
    use platform::storage::{Storage, derivative_key};

    fn age(storage: &Storage, key: &object_store::path::Path) {
        let file = std::fs::File::open(storage.place(key)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60)).unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_nothing_is_called_by_goes_and_everything_else_stays() {
        let (app, _folder) = testing::app(Engine::Sqlite).await.unwrap();
        let member = testing::member(&app).await;
        let mut jpeg = Vec::new();
        jpeg_encoder::Encoder::new(&mut jpeg, 90)
            .encode(&[120; 64 * 48 * 3], 64, 48, jpeg_encoder::ColorType::Rgb)
            .unwrap();
        let shown = hex::encode(Sha256::digest(&jpeg));
        let photo = keep_jpeg(&app, &member, "照片.jpg", jpeg, 64, 48, 0).await.unwrap();
        make_derivatives(&app, &photo).await.unwrap();
        let [old, young, lone] = ["old", "young", "lone"].map(|name| hex::encode(Sha256::digest(name)));
        for sha256 in [&old, &young] {
            app.storage.put(&original_key(sha256), b"bytes".to_vec()).await.unwrap();
        }
        for sha256 in [&old, &lone] {
            app.storage.put(&derivative_key(sha256, 320), b"bytes".to_vec()).await.unwrap();
            age(&app.storage, &derivative_key(sha256, 320));
        }
        age(&app.storage, &original_key(&shown));
        age(&app.storage, &derivative_key(&shown, 320));
        age(&app.storage, &original_key(&old));
        assert_eq!(sweep(&app).await.unwrap(), 2, "the old one, and the picture whose original is gone");
        for sha256 in [&old, &lone, &young, &shown] {
            // as if each had been queued
            if *sha256 != young {
                forget_original(&app, sha256).await.unwrap();
            }
        }
        for (sha256, is_there) in [(&shown, true), (&young, true), (&old, false)] {
            assert_eq!(app.storage.has(&original_key(sha256)).await.unwrap(), is_there);
        }
        for (sha256, is_there) in [(&shown, true), (&old, false), (&lone, false)] {
            assert_eq!(app.storage.has(&derivative_key(sha256, 320)).await.unwrap(), is_there);
        }
    }
}
