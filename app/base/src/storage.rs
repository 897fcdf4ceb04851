//! Files: originals and members' pictures under the hash of their bytes, derivatives beside them. Nothing here is ever
//! changed in place, so a key names the same bytes for ever. They lie in a folder, or in a [`Bucket`]; then the folder
//! has copies of those that somebody reads in blocks.

mod bucket;
mod keys;
mod pictures;
mod sweeps;

use std::collections::BTreeSet;
use std::fs::FileTimes;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::body::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::buffered::BufWriter;
use object_store::local::LocalFileSystem;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload, path::Path as Key};
use quick_cache::sync::Cache;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use tokio::runtime::Handle;

pub use bucket::{Bucket, Patience};
pub use keys::*;
pub use sweeps::forget_halves_in;

use keys::{DERIVATIVES, INCOMING};
use pictures::Pictures;

use crate::detach::blocking;
use crate::error::Error;
use crate::metrics;

/// Bytes of a file on its way to the bucket that are in memory; longer ones go in parts of this size (S3: 5 MB at
/// least).
const PART_BYTES: usize = 8 << 20;
/// Files that are on their way from the bucket for one reader at once.
const AT_ONCE: usize = 8;

/// How long an original that was there is taken to be there still, where nothing is made of it.
const SEEN: Duration = Duration::from_secs(60);
/// Of how many originals that is known.
const MOST_SEEN: usize = 10_000;

/// How many bytes files may take.
#[derive(Debug, Clone, Copy)]
pub struct Space {
    /// What stays free on the disk.
    pub reserve: u64,
    /// What pictures of pages may take, all together.
    pub pictures: u64,
}

/// The store of files.
#[derive(Debug, Clone)]
pub struct Storage {
    /// Where they are for good.
    store: Arc<dyn ObjectStore>,
    /// The folder, as a store: the same one without a bucket.
    here: Arc<LocalFileSystem>,
    root: PathBuf,
    /// With a bucket: what waits for its answers on threads outside the async runtime.
    waiting: Option<Handle>,
    space: Space,
    pictures: Arc<Pictures>,
    /// Originals that were there, and when.
    seen: Arc<Cache<String, Instant>>,
}

/// A file that is durable, but not in its place yet. Dropped, it goes: at once from the disk, within a day from the bucket.
pub struct Staged {
    file: NamedTempFile,
    key: Key,
    /// Where the bucket has it meanwhile.
    waits: Option<Key>,
}

/// Free room on the disk from which on it is short, in bytes.
pub const LITTLE_ROOM: u64 = 5 << 30;

impl Storage {
    /// Opens a folder, making it where it is missing, and the bucket, if there is one. Every write is synced to the
    /// disk, or acknowledged by the bucket, before it is acknowledged.
    pub fn open(root: &Path, bucket: Option<&Bucket>, space: Space) -> Result<Self, Error> {
        std::fs::create_dir_all(root.join(INCOMING))
            .map_err(|error| Error::internal(format!("{}: {error}", root.display())))?;
        let root = root.canonicalize().map_err(Error::internal)?;
        let here = Arc::new(LocalFileSystem::new_with_prefix(&root)?.with_fsync(true));
        let (store, waiting): (Arc<dyn ObjectStore>, _) = match bucket {
            None => (here.clone(), None),
            Some(bucket) => (bucket.store(), Some(Handle::current())),
        };
        let seen = Arc::new(Cache::new(MOST_SEEN));
        Ok(Self { store, here, root, waiting, space, pictures: Arc::default(), seen })
    }

    /// A new file on the same disk for bytes that are still arriving; it disappears when dropped.
    pub fn incoming(&self) -> std::io::Result<NamedTempFile> {
        tempfile::Builder::new().prefix("upload-").tempfile_in(self.root.join(INCOMING))
    }

    /// Whether files are in a bucket, which other instances may share.
    pub fn is_bucket(&self) -> bool {
        self.waiting.is_some()
    }

    /// The slow part of keeping a file: its bytes are on the disk, or in the bucket, when this returns.
    pub async fn stage(&self, file: NamedTempFile, key: Key) -> Result<Staged, Error> {
        self.room_for(0)?;
        if self.is_bucket() {
            let waits = Key::from(format!("{INCOMING}/{}", ulid::Ulid::new()));
            self.send(file.path(), &waits).await?;
            return Ok(Staged { file, key, waits: Some(waits) });
        }
        blocking(move || {
            file.as_file().sync_all().map_err(Error::internal)?;
            Ok(Staged { file, key, waits: None })
        })
        .await
    }

    /// Puts a file in its place, for good when this returns. Who holds a lock against those that delete the same bytes
    /// holds it here.
    pub async fn keep(&self, Staged { file, key, waits }: Staged) -> Result<(), Error> {
        if let Some(waits) = waits {
            self.store.copy(&waits, &key).await?;
            // one that stays goes with those that nobody kept
            let _ = self.store.delete(&waits).await;
            dated(file.as_file(), &self.store.head(&key).await?)?;
        }
        self.persist(file, key).await
    }

    /// Puts a file in its place that nobody deletes meanwhile, and that nobody here reads soon.
    pub async fn restore(&self, file: NamedTempFile, key: Key) -> Result<(), Error> {
        if self.is_bucket() { self.send(file.path(), &key).await } else { self.persist(file, key).await }
    }

    async fn persist(&self, file: NamedTempFile, key: Key) -> Result<(), Error> {
        let place = self.path_of(&key);
        blocking(move || {
            let folder = place.parent().ok_or_else(|| Error::internal("a key without a folder"))?;
            std::fs::create_dir_all(folder).map_err(Error::internal)?;
            file.as_file().sync_all().map_err(Error::internal)?;
            let size = file.as_file().metadata().map_or(0, |file| file.len());
            file.persist(&place).map_err(Error::internal)?;
            metrics::written(size);
            let sync = |path: &Path| std::fs::File::open(path).and_then(|folder| folder.sync_all());
            // the folder's own entry must be durable, too
            sync(folder).and_then(|()| folder.parent().map_or(Ok(()), sync)).map_err(Error::internal)
        })
        .await
    }

    /// Copies a file into the bucket.
    async fn send(&self, file: &Path, key: &Key) -> Result<(), Error> {
        let mut from = tokio::fs::File::open(file).await.map_err(Error::internal)?;
        let mut to =
            BufWriter::with_capacity(self.store.clone(), key.clone(), PART_BYTES).with_max_concurrency(2);
        if let Err(error) = tokio::io::copy(&mut from, &mut to).await {
            // parts that came would stay and cost; the bucket may be away for this, too
            let _ = to.abort().await;
            return Err(Error::internal(error));
        }
        to.shutdown().await.map_err(Error::internal)
    }

    /// Where a file lies on this machine, for code that reads it in blocks or in another process; `None` where there
    /// is none. Out of a bucket it is copied first; the copy stays for a day after the last time it was asked for.
    pub async fn bring(&self, key: &Key) -> Result<Option<PathBuf>, Error> {
        let path = self.path_of(key);
        if !self.is_bucket() {
            let is_there = tokio::fs::try_exists(&path).await.map_err(Error::internal)?;
            return Ok(is_there.then_some(path));
        }
        let needed = FileTimes::new().set_accessed(SystemTime::now());
        match std::fs::File::open(&path).and_then(|copy| copy.set_times(needed)) {
            Ok(()) => return Ok(Some(path)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::internal(error)),
        }
        let found = match self.store.head(key).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        self.room_for(found.size)?;
        let Some(mut blocks) = self.blocks(key).await? else { return Ok(None) };
        let copy = self.incoming().map_err(Error::internal)?;
        let mut to = tokio::fs::File::from_std(copy.reopen().map_err(Error::internal)?);
        while let Some(block) = blocks.try_next().await? {
            to.write_all(&block).await.map_err(Error::internal)?;
        }
        to.flush().await.map_err(Error::internal)?;
        dated(copy.as_file(), &found)?;
        self.persist(copy, key.clone()).await?;
        Ok(Some(path))
    }

    /// Reads a file block by block; `None` where there is none.
    pub async fn blocks(
        &self,
        key: &Key,
    ) -> Result<Option<BoxStream<'static, object_store::Result<Bytes>>>, Error> {
        match self.store.get(key).await {
            Ok(found) => Ok(Some(found.into_stream())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Brings many; those that are nowhere stay away.
    pub async fn bring_all(&self, keys: Vec<Key>) -> Result<(), Error> {
        let brought = keys.into_iter().map(|key| async move { self.bring(&key).await.map(drop) });
        futures::stream::iter(brought).buffer_unordered(AT_ONCE).try_collect().await
    }

    /// Where an original lies, for code that reads it in blocks after it was brought.
    pub fn original_path(&self, sha256: &str) -> PathBuf {
        self.path_of(&original_key(sha256))
    }

    /// Whether an original is seen to be missing. Of a bucket that is not asked: rows are written after its bytes are
    /// there, and their service keeps them.
    pub fn has_lost(&self, sha256: &str) -> bool {
        !self.is_bucket() && !self.original_path(sha256).exists()
    }

    /// The same for a page that only shows it, as it was within [`SEEN`]: a cart looks at all its photos each time.
    pub fn seems_lost(&self, sha256: &str) -> bool {
        if self.seen.get(sha256).is_some_and(|seen| seen.elapsed() < SEEN) {
            return false;
        }
        let is_lost = self.has_lost(sha256);
        if !is_lost {
            self.seen.insert(sha256.to_owned(), Instant::now());
        }
        is_lost
    }

    fn path_of(&self, key: &Key) -> PathBuf {
        self.root.join(key.as_ref())
    }

    /// Every file of a folder that is called by its bytes, by name: SHA-256 in lower-case hex.
    pub async fn named_by_bytes(&self, folder: &str) -> Result<Vec<(String, Key)>, Error> {
        let mut found = Vec::new();
        let mut entries = self.store.list(Some(&Key::from(folder)));
        while let Some(entry) = entries.try_next().await? {
            let name = entry.location.filename().unwrap_or_default();
            // anything else was put there by somebody else
            if is_digest(name) {
                found.push((name.to_owned(), entry.location));
            }
        }
        found.sort();
        Ok(found)
    }

    /// The names of files that are called by their bytes, in one of the folders of such files, as far as nobody wrote to
    /// them since a moment, epoch ms.
    pub async fn old_names(&self, folder: &str, before: i64) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        let mut entries = self.store.list(Some(&Key::from(folder)));
        while let Some(entry) = entries.try_next().await? {
            let name = entry.location.filename().unwrap_or_default();
            if is_digest(name) && entry.last_modified.timestamp_millis() < before {
                found.push(name.to_owned());
            }
        }
        Ok(found)
    }

    /// The same for the originals of which there are derivatives, each once.
    pub async fn old_derivatives(&self, before: i64) -> Result<BTreeSet<String>, Error> {
        let mut found = BTreeSet::new();
        let mut entries = self.store.list(Some(&Key::from(DERIVATIVES)));
        while let Some(entry) = entries.try_next().await? {
            let name = entry.location.filename().and_then(|name| name.split_once('-'));
            if let Some((sha256, _)) = name
                && is_digest(sha256)
                && entry.last_modified.timestamp_millis() < before
            {
                found.insert(sha256.to_owned());
            }
        }
        Ok(found)
    }

    /// Deletes everything that was made of an original: a photo's sizes, a PDF's pages.
    pub async fn delete_derivatives(&self, sha256: &str) -> Result<(), Error> {
        let folder = Key::from(format!("{DERIVATIVES}/{}", sha256.get(..2).unwrap_or("")));
        let mut entries = self.store.list(Some(&folder));
        while let Some(entry) = entries.try_next().await? {
            if entry.location.filename().is_some_and(|name| name.starts_with(&format!("{sha256}-"))) {
                self.delete(&entry.location).await?;
            }
        }
        Ok(())
    }

    /// Where a file of the folder lies.
    #[doc(hidden)]
    pub fn place(&self, key: &Key) -> PathBuf {
        self.path_of(key)
    }

    /// Writes a small file whole.
    pub async fn put(&self, key: &Key, bytes: impl Into<PutPayload>) -> Result<(), Error> {
        let bytes = bytes.into();
        // what goes to the bucket takes nothing of this disk
        if !self.is_bucket() {
            self.room_for(bytes.content_length() as u64)?;
        }
        let size = bytes.content_length() as u64;
        self.store.put(key, bytes).await?;
        metrics::written(size);
        Ok(())
    }

    /// Whether so many bytes more may come, so that what is written beside files still can be.
    ///
    /// # Errors
    /// [`Error::Full`] where they may not.
    pub fn room_for(&self, bytes: u64) -> Result<(), Error> {
        room_at(&self.root, bytes, self.space.reserve)
    }

    /// Reads a small file whole; `None` where there is none.
    pub async fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, Error> {
        match self.store.get(key).await {
            Ok(found) => Ok(Some(found.bytes().await?.to_vec())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes a file; none is deleted, too. Copies on other machines are forgotten within a day.
    pub async fn delete(&self, key: &Key) -> Result<(), Error> {
        unless_missing(self.store.delete(key).await)?;
        if self.is_bucket() {
            unless_missing(self.here.delete(key).await)?;
        }
        Ok(())
    }

    /// Deletes everything below a folder, and the folder.
    pub async fn delete_below(&self, folder: &Key) -> Result<(), Error> {
        let mut found = self.store.list(Some(folder));
        let whole = self.path_of(folder);
        let mut folders = BTreeSet::from([whole.clone()]);
        while let Some(entry) = found.try_next().await? {
            self.delete(&entry.location).await?;
            let place = self.path_of(&entry.location);
            let above = place.ancestors().skip(1).take_while(|above| above.starts_with(&whole));
            folders.extend(above.map(Path::to_owned));
        }
        drop(found);
        // the deepest first; what others put there meanwhile keeps one
        for folder in folders.iter().rev() {
            let _ = tokio::fs::remove_dir(folder).await;
        }
        Ok(())
    }

    /// The same as [`Storage::get`] for code outside the async runtime, such as the press.
    pub fn read_derivative(&self, sha256: &str, long_side: u32) -> std::io::Result<Vec<u8>> {
        self.read(&derivative_key(sha256, long_side))
    }

    /// The same for the small copy that stands for an original on its way.
    pub fn read_preview(&self, sha256: &str) -> std::io::Result<Vec<u8>> {
        self.read(&preview_key(sha256))
    }

    /// The same for the picture of a PDF's page.
    pub fn read_pdf_page(&self, sha256: &str, page: u32) -> std::io::Result<Vec<u8>> {
        self.read(&pdf_page_key(sha256, page))
    }

    fn read(&self, key: &Key) -> std::io::Result<Vec<u8>> {
        let Some(waiting) = &self.waiting else { return std::fs::read(self.path_of(key)) };
        let read = async { self.store.get(key).await?.bytes().await };
        Ok(waiting.block_on(read)?.to_vec())
    }

    /// Whether there is a file.
    pub async fn has(&self, key: &Key) -> Result<bool, Error> {
        match self.store.head(key).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// How many bytes a file has; `None` where there is none.
    pub async fn size(&self, key: &Key) -> Result<Option<u64>, Error> {
        match self.store.head(key).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A new folder for files that are made elsewhere; it disappears when dropped.
    pub fn workshop(&self) -> std::io::Result<tempfile::TempDir> {
        tempfile::Builder::new().prefix("workshop-").tempdir_in(self.root.join(INCOMING))
    }

    /// Whether files can be written.
    pub async fn ping(&self) -> Result<(), Error> {
        // not empty: a full disk still makes empty files
        let place = Key::from(format!("{INCOMING}/ready"));
        self.store.put(&place, PutPayload::from_static(b"ready")).await?;
        Ok(())
    }

    /// Writes a file, reads it, and deletes it; what can't be done, as a sentence.
    pub async fn try_file(&self) -> Result<(), String> {
        let place = Key::from(format!("{INCOMING}/check-{}", ulid::Ulid::new()));
        let said = |what: &str| format!("a file could not be {what}");
        self.put(&place, b"check".to_vec()).await.map_err(|error| format!("{}: {error}", said("written")))?;
        let read = self.get(&place).await.map_err(|error| format!("{}: {error}", said("read")))?;
        if read.as_deref() != Some(b"check") {
            return Err(format!("{} as it was written", said("read")));
        }
        self.delete(&place).await.map_err(|error| format!("{}: {error}", said("deleted")))
    }

    /// Bytes that may still be written to the disk on which files arrive.
    pub fn free(&self) -> std::io::Result<u64> {
        free_at(&self.root)
    }
}

/// Whether so many bytes more may come to the disk on which a folder lies, so that `reserve` of them stay free.
///
/// # Errors
/// [`Error::Full`] where they may not.
pub fn room_at(folder: &Path, bytes: u64, reserve: u64) -> Result<(), Error> {
    let free = free_at(folder).map_err(Error::internal)?;
    if free < bytes.saturating_add(reserve) { Err(Error::Full) } else { Ok(()) }
}

/// Bytes that may still be written to the disk on which a folder lies.
pub fn free_at(folder: &Path) -> std::io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Has a copy say what its object says of when it was changed, so that all instances say it, and that somebody needs it now.
fn dated(copy: &std::fs::File, found: &ObjectMeta) -> Result<(), Error> {
    let times = FileTimes::new().set_modified(found.last_modified.into()).set_accessed(SystemTime::now());
    copy.set_times(times).map_err(Error::internal)
}

fn unless_missing(done: object_store::Result<()>) -> Result<(), Error> {
    match done {
        Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether a name is a SHA-256 in hex.
fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    pub const ROOMY: Space = Space { reserve: 0, pictures: u64::MAX };

    pub const SHA256: &str = "ab5df625bc76dbd4e163bed2dd888df828f90159bb93556525c31821b6541d46";

    pub fn with_a_bucket(folder: &Path) -> Storage {
        let storage = Storage::open(folder, None, ROOMY).unwrap();
        Storage { store: Arc::new(InMemory::new()), waiting: Some(Handle::current()), ..storage }
    }

    pub async fn stage(storage: &Storage) -> Staged {
        let mut file = storage.incoming().unwrap();
        std::io::Write::write_all(&mut file, b"a photo").unwrap();
        storage.stage(file, original_key(SHA256)).await.unwrap()
    }

    #[tokio::test]
    async fn what_was_deleted_since_it_was_staged_is_kept_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let storage = with_a_bucket(folder.path());
        let staged = stage(&storage).await;
        storage.delete(&original_key(SHA256)).await.unwrap();
        storage.keep(staged).await.unwrap();
        assert_eq!(storage.get(&original_key(SHA256)).await.unwrap().as_deref(), Some(&b"a photo"[..]));
    }

    #[tokio::test]
    async fn a_deleted_file_leaves_no_copy() {
        let folder = tempfile::tempdir().unwrap();
        let storage = with_a_bucket(folder.path());
        let staged = stage(&storage).await;
        storage.keep(staged).await.unwrap();
        assert!(storage.bring(&original_key(SHA256)).await.unwrap().is_some_and(|copy| copy.exists()));
        storage.delete(&original_key(SHA256)).await.unwrap();
        assert_eq!(storage.bring(&original_key(SHA256)).await.unwrap(), None);
    }

    #[tokio::test]
    async fn all_copies_were_changed_when_the_object_was() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let here = with_a_bucket(folders[0].path());
        let there = Storage { store: here.store.clone(), ..with_a_bucket(folders[1].path()) };
        let key = original_key(SHA256);
        let staged = stage(&here).await;
        here.keep(staged).await.unwrap();
        let object: SystemTime = here.store.head(&key).await.unwrap().last_modified.into();
        for storage in [&here, &there, &here, &there] {
            let copy = storage.bring(&key).await.unwrap().unwrap();
            assert_eq!(copy.metadata().unwrap().modified().unwrap(), object);
        }
    }

    #[tokio::test]
    async fn a_full_disk_takes_nothing_and_pictures_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(folder.path(), None, Space { reserve: u64::MAX, ..ROOMY }).unwrap();
        let key = page_picture_key(&"0".repeat(64), 320);
        assert!(matches!(storage.put(&key, vec![0]).await, Err(Error::Full)));
        storage.keep_picture(&key, vec![0]).await.unwrap();
        assert!(storage.picture(&key).await.unwrap().is_none());
        let file = storage.incoming().unwrap();
        assert!(matches!(storage.stage(file, key).await, Err(Error::Full)));
    }
}
