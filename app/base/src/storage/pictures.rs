//! Pictures of pages: kept as long as somebody looks at them and there is room, drawn again otherwise.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use futures::TryStreamExt;
use object_store::ObjectStoreExt;
use object_store::path::Path as Key;

use super::Storage;
use crate::error::Error;

/// How long a page picture is kept after somebody looked at it, in ms; in a bucket, after it was drawn.
const PAGE_PICTURE_MS: i64 = 30 * 24 * 60 * 60_000;
/// How long a picture that is looked at goes on counting as new, in ms.
const LOOKED_AT_MS: i64 = 24 * 60 * 60_000;

/// Pictures of pages, which are drawn again when they are gone.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    /// About how many bytes they take.
    bytes: AtomicU64,
    /// Held by whoever makes room.
    sweep: tokio::sync::Mutex<()>,
}

impl Storage {
    /// Reads a picture of a page, which then counts as new; `None` where there is none.
    pub async fn picture(&self, key: &Key) -> Result<Option<Vec<u8>>, Error> {
        let found = match self.store.get(key).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let now = SystemTime::now();
        let age = now.duration_since(found.meta.last_modified.into()).unwrap_or_default();
        if !self.is_bucket() && i64::try_from(age.as_millis()).is_ok_and(|age| age > LOOKED_AT_MS) {
            // one that has just gone is here once more
            let _ = std::fs::File::open(self.path_of(key)).and_then(|file| file.set_modified(now));
        }
        Ok(Some(found.bytes().await?.to_vec()))
    }

    /// Keeps a picture of a page, as long as there is room for it: it can be drawn again.
    pub async fn keep_picture(&self, key: &Key, bytes: Vec<u8>) -> Result<(), Error> {
        let length = bytes.len() as u64;
        match self.put(key, bytes).await {
            Err(Error::Full) => return Ok(()),
            done => done?,
        }
        let all = self.pictures.bytes.fetch_add(length, Ordering::Relaxed).saturating_add(length);
        if all > self.space.pictures && self.pictures.sweep.try_lock().is_ok() {
            let storage = self.clone();
            tokio::spawn(async move {
                if let Err(error) = storage.forget_page_pictures(crate::db::now_ms()).await {
                    tracing::warn!(%error, "Page pictures could not make room");
                }
            });
        }
        Ok(())
    }

    /// Deletes the page pictures that nobody looked at for long, and where they take more than they may, those that were
    /// looked at first: every edit leaves those of the pages that it changed. What is looked at again is drawn again, so any
    /// number of instances may do this at once.
    pub async fn forget_page_pictures(&self, now: i64) -> Result<(), Error> {
        let _alone = self.pictures.sweep.lock().await;
        let mut found = self.store.list(Some(&Key::from("pages")));
        let mut kept = Vec::new();
        while let Some(entry) = found.try_next().await? {
            let at = entry.last_modified.timestamp_millis();
            if at < now - PAGE_PICTURE_MS {
                self.delete(&entry.location).await?;
            } else {
                kept.push((at, entry.size, entry.location));
            }
        }
        let mut bytes: u64 = kept.iter().map(|(_, size, _)| size).sum();
        if bytes > self.space.pictures {
            kept.sort_unstable_by_key(|(at, ..)| *at);
            // some more, so that this is seldom done
            let wanted = self.space.pictures / 4 * 3;
            for (_, size, location) in kept {
                if bytes <= wanted {
                    break;
                }
                self.delete(&location).await?;
                bytes -= size;
            }
        }
        self.pictures.bytes.store(bytes, Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::ROOMY;
    use super::super::{Space, page_picture_key};
    use super::*;

    #[tokio::test]
    async fn pictures_take_no_more_than_they_may() {
        let folder = tempfile::tempdir().unwrap();
        let space = Space { pictures: 10_000, ..ROOMY };
        let storage = Storage::open(folder.path(), None, space).unwrap();
        let key = |number: u64| page_picture_key(&format!("{number:064}"), 320);
        for number in 0..9 {
            storage.keep_picture(&key(number), vec![0; 1_000]).await.unwrap();
            // the later the newer
            let file = std::fs::File::open(storage.path_of(&key(number))).unwrap();
            let days_ago = Duration::from_secs(24 * 60 * 60 * (20 - number));
            file.set_modified(SystemTime::now() - days_ago).unwrap();
        }
        assert!(storage.picture(&key(0)).await.unwrap().is_some(), "looked at, it counts as new");
        storage.keep_picture(&key(9), vec![0; 1_500]).await.unwrap();
        // whoever makes room holds this
        while !storage.has(&key(9)).await.unwrap() || storage.has(&key(1)).await.unwrap() {
            tokio::task::yield_now().await;
        }
        let _swept = storage.pictures.sweep.lock().await;
        let mut left = Vec::new();
        for number in 0..10 {
            if storage.has(&key(number)).await.unwrap() {
                left.push(number);
            }
        }
        assert_eq!(left, [0, 4, 5, 6, 7, 8, 9], "those that nobody looked at go first");
        assert_eq!(storage.pictures.bytes.load(Ordering::Relaxed), 7_500);
    }
}
