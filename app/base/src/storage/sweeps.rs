//! What was left of work that did not end, and copies that nobody needs.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use futures::TryStreamExt;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};

use super::keys::INCOMING;
use super::{Storage, unless_missing};
use crate::detach::blocking;
use crate::error::Error;

/// How long a copy of what is in the bucket stays after somebody needed it, and what arrives after its last byte, in ms.
const COPY_MS: i64 = 24 * 60 * 60_000;

impl Storage {
    /// Deletes what nobody will ask for in the folder: what was on its way when the program was killed; and with a bucket the
    /// copies of what is in it that nobody needed lately.
    pub async fn forget_leftovers(&self, now: i64) -> Result<(), Error> {
        let folder = self.root.join(INCOMING);
        blocking(move || forget_arrivals(&folder, now).map_err(Error::internal)).await?;
        if !self.is_bucket() {
            return Ok(());
        }
        let mut found = self.here.list(None);
        while let Some(entry) = found.try_next().await? {
            let is_copy = !entry.location.prefix_matches(&Key::from(INCOMING));
            let copy = tokio::fs::metadata(self.path_of(&entry.location)).await;
            // it was changed when its object was
            let needed = copy.and_then(|copy| copy.accessed());
            if is_copy && needed.is_ok_and(|needed| is_older(needed, now)) {
                unless_missing(self.here.delete(&entry.location).await)?;
            }
        }
        Ok(())
    }

    /// Deletes what was staged in the bucket and not kept.
    pub async fn forget_staged(&self, now: i64) -> Result<(), Error> {
        if !self.is_bucket() {
            return Ok(());
        }
        let mut found = self.store.list(Some(&Key::from(INCOMING)));
        while let Some(entry) = found.try_next().await? {
            if entry.last_modified.timestamp_millis() < now - COPY_MS {
                unless_missing(self.store.delete(&entry.location).await)?;
            }
        }
        Ok(())
    }

    /// Deletes what was being written in the folder when the program was killed: the store writes a file beside its place
    /// first, under its name with a number behind `#`, and neither lists nor deletes it.
    pub async fn forget_halves(&self, now: i64) -> Result<(), Error> {
        forget_halves_in(self.root.clone(), now).await
    }
}

/// The same in any folder that such a store writes.
pub async fn forget_halves_in(root: PathBuf, now: i64) -> Result<(), Error> {
    blocking(move || forget_halves_below(&root, now).map_err(Error::internal)).await
}

/// Deletes what nobody wrote to for a day in the folder of what arrives.
fn forget_arrivals(folder: &Path, now: i64) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // somebody else may have deleted it
        let Ok(found) = entry.metadata() else { continue };
        if is_old(&found, now)? {
            let _ = match found.is_dir() {
                true => std::fs::remove_dir_all(entry.path()),
                false => std::fs::remove_file(entry.path()),
            };
        }
    }
    Ok(())
}

fn forget_halves_below(folder: &Path, now: i64) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // somebody else may have deleted it
        let Ok(found) = entry.metadata() else { continue };
        if found.is_dir() {
            // also this one
            let _ = forget_halves_below(&entry.path(), now);
            continue;
        }
        let name = entry.file_name();
        let is_half = name.to_string_lossy().rsplit_once('#').is_some_and(|(_, number)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        if is_half && is_old(&found, now)? {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Whether nobody wrote to it for a day.
fn is_old(found: &Metadata, now: i64) -> std::io::Result<bool> {
    Ok(is_older(found.modified()?, now))
}

fn is_older(at: SystemTime, now: i64) -> bool {
    let at = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(at.as_millis()).is_ok_and(|at| at < now - COPY_MS)
}

#[cfg(test)]
mod tests {
    use std::fs::FileTimes;
    use std::time::Duration;

    use super::super::tests::{ROOMY, SHA256, stage, with_a_bucket};
    use super::super::{original_key, page_picture_key};
    use super::*;
    use crate::db::now_ms;

    #[tokio::test]
    async fn halves_of_files_go() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(folder.path(), None, ROOMY).unwrap();
        let key = page_picture_key(&"0".repeat(64), 320);
        storage.put(&key, vec![0]).await.unwrap();
        let whole = storage.path_of(&key);
        let half = whole.with_file_name(format!("{}#1", whole.file_name().unwrap().to_string_lossy()));
        std::fs::write(&half, b"half").unwrap();
        storage.forget_halves(now_ms()).await.unwrap();
        assert!(half.exists(), "it is being written");
        storage.forget_halves(now_ms() + COPY_MS + 1_000).await.unwrap();
        assert!(!half.exists() && whole.exists());
    }

    #[tokio::test]
    async fn what_was_staged_and_not_kept_goes_after_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let storage = with_a_bucket(folder.path());
        drop(stage(&storage).await);
        let staged = async || storage.store.list(None).try_collect::<Vec<_>>().await.unwrap().len();
        assert_eq!(staged().await, 1);
        storage.forget_staged(now_ms()).await.unwrap();
        assert_eq!(staged().await, 1, "its request may still be under way");
        storage.forget_staged(now_ms() + COPY_MS + 1).await.unwrap();
        assert_eq!(staged().await, 0);
    }

    #[tokio::test]
    async fn what_was_arriving_when_the_program_was_killed_goes_after_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(folder.path(), None, ROOMY).unwrap();
        let (_, file) = storage.incoming().unwrap().keep().unwrap();
        let workshop = storage.workshop().unwrap().keep();
        std::fs::write(workshop.join("inner.pdf"), b"half").unwrap();
        storage.forget_leftovers(now_ms()).await.unwrap();
        assert!(file.exists() && workshop.exists(), "they may still be arriving");
        storage.forget_leftovers(now_ms() + COPY_MS + 1).await.unwrap();
        assert!(!file.exists() && !workshop.exists());
        storage.ping().await.unwrap();
    }

    #[tokio::test]
    async fn copies_stay_as_long_as_somebody_needs_them_and_files_in_a_folder_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let storage = with_a_bucket(folder.path());
        let staged = stage(&storage).await;
        storage.keep(staged).await.unwrap();
        let copy = storage.original_path(SHA256);
        let age = || {
            let old = SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
            std::fs::File::open(&copy).unwrap().set_times(FileTimes::new().set_accessed(old)).unwrap();
        };
        age();
        assert!(storage.bring(&original_key(SHA256)).await.unwrap().is_some());
        storage.forget_leftovers(now_ms()).await.unwrap();
        assert!(copy.exists(), "it was asked for just now");
        age();
        let alone = Storage::open(folder.path(), None, ROOMY).unwrap();
        alone.forget_leftovers(now_ms()).await.unwrap();
        assert!(copy.exists(), "without a bucket it is the file itself");
        storage.forget_leftovers(now_ms()).await.unwrap();
        assert!(!copy.exists());
        assert!(storage.bring(&original_key(SHA256)).await.unwrap().is_some(), "the bucket has it still");
    }
}
