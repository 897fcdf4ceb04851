//! Files: originals and members' pictures under the hash of their bytes, derivatives beside them. Nothing here is ever
//! changed in place, so a key names the same bytes for ever. They lie in a folder, or in a [`Bucket`]; then the folder
//! has copies of those that somebody reads in blocks.

mod bucket;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use domain::ids::{OrderId, UploadId, WorkId};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::buffered::BufWriter;
use object_store::local::LocalFileSystem;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload, path::Path as Key};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use tokio::runtime::Handle;

pub use bucket::Bucket;

use crate::error::Error;

/// How long a page picture is kept after somebody looked at it, in ms; in a bucket, after it was drawn.
const PAGE_PICTURE_MS: i64 = 30 * 24 * 60 * 60_000;
/// How long a copy of what is in the bucket stays after somebody needed it, and what arrives after its last byte, in ms.
const COPY_MS: i64 = 24 * 60 * 60_000;
/// Bytes of a file on its way to the bucket that are in memory; longer ones go in parts of this size (S3: 5 MB at
/// least).
const PART_BYTES: usize = 8 << 20;
/// Files that are on their way from the bucket for one reader at once.
const AT_ONCE: usize = 8;

/// How many bytes files may take.
#[derive(Debug, Clone, Copy)]
pub struct Space {
    /// What stays free on the disk.
    pub reserve: u64,
    /// What pictures of pages may take, all together.
    pub pictures: u64,
}

/// Pictures of pages, which are drawn again when they are gone.
#[derive(Debug)]
struct Pictures {
    /// About how many bytes they take.
    bytes: AtomicU64,
    /// Held by whoever makes room.
    sweep: tokio::sync::Mutex<()>,
}

/// How long a picture that is looked at goes on counting as new, in ms.
const LOOKED_AT_MS: i64 = 24 * 60 * 60_000;

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
}

/// A file that is durable, but not in its place yet. Dropped, it goes: at once from the disk, within a day from the bucket.
pub struct Staged {
    file: NamedTempFile,
    key: Key,
    /// Where the bucket has it meanwhile.
    waits: Option<Key>,
}

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
        let pictures = Arc::new(Pictures { bytes: AtomicU64::new(0), sweep: tokio::sync::Mutex::default() });
        Ok(Self { store, here, root, waiting, space, pictures })
    }

    /// A new file on the same disk for bytes that are still arriving; it disappears when dropped.
    pub fn incoming(&self) -> std::io::Result<NamedTempFile> {
        tempfile::Builder::new().prefix("upload-").tempfile_in(self.root.join(INCOMING))
    }

    /// The slow part of keeping a file: its bytes are on the disk, or in the bucket, when this returns.
    pub async fn stage(&self, file: NamedTempFile, key: Key) -> Result<Staged, Error> {
        self.room_for(0)?;
        if self.waiting.is_some() {
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
        }
        self.persist(file, key).await
    }

    /// Puts a file in its place that nobody deletes meanwhile, and that nobody here reads soon.
    pub async fn restore(&self, file: NamedTempFile, key: Key) -> Result<(), Error> {
        if self.waiting.is_some() {
            self.send(file.path(), &key).await
        } else {
            self.persist(file, key).await
        }
    }

    async fn persist(&self, file: NamedTempFile, key: Key) -> Result<(), Error> {
        let place = self.path_of(&key);
        blocking(move || {
            let folder = place.parent().ok_or_else(|| Error::internal("a key without a folder"))?;
            std::fs::create_dir_all(folder).map_err(Error::internal)?;
            file.as_file().sync_all().map_err(Error::internal)?;
            file.persist(&place).map_err(Error::internal)?;
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
        if self.waiting.is_none() {
            let is_there = tokio::fs::try_exists(&path).await.map_err(Error::internal)?;
            return Ok(is_there.then_some(path));
        }
        match std::fs::File::open(&path).and_then(|copy| copy.set_modified(SystemTime::now())) {
            Ok(()) => return Ok(Some(path)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::internal(error)),
        }
        let Some(mut blocks) = self.blocks(key).await? else { return Ok(None) };
        let copy = self.incoming().map_err(Error::internal)?;
        let mut to = tokio::fs::File::from_std(copy.reopen().map_err(Error::internal)?);
        while let Some(block) = blocks.try_next().await? {
            to.write_all(&block).await.map_err(Error::internal)?;
        }
        to.flush().await.map_err(Error::internal)?;
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
        self.waiting.is_none() && !self.original_path(sha256).exists()
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
        if self.waiting.is_none() {
            self.room_for(bytes.content_length() as u64)?;
        }
        self.store.put(key, bytes).await?;
        Ok(())
    }

    /// Whether so many bytes more may come, so that what is written beside files still can be.
    ///
    /// # Errors
    /// [`Error::Full`] where they may not.
    pub fn room_for(&self, bytes: u64) -> Result<(), Error> {
        let free = free_at(&self.root).map_err(Error::internal)?;
        if free < bytes.saturating_add(self.space.reserve) { Err(Error::Full) } else { Ok(()) }
    }

    /// Reads a picture of a page, which then counts as new; `None` where there is none.
    pub async fn picture(&self, key: &Key) -> Result<Option<Vec<u8>>, Error> {
        let found = match self.store.get(key).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let now = SystemTime::now();
        let age = now.duration_since(found.meta.last_modified.into()).unwrap_or_default();
        if self.waiting.is_none() && i64::try_from(age.as_millis()).is_ok_and(|age| age > LOOKED_AT_MS) {
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
        if self.waiting.is_some() {
            unless_missing(self.here.delete(key).await)?;
        }
        Ok(())
    }

    /// Deletes everything below a folder, and the folder.
    pub async fn delete_below(&self, folder: &Key) -> Result<(), Error> {
        let mut found = self.store.list(Some(folder));
        while let Some(entry) = found.try_next().await? {
            self.delete(&entry.location).await?;
        }
        drop(found);
        // what others put there meanwhile keeps it
        let _ = tokio::fs::remove_dir(self.path_of(folder)).await;
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

    /// Deletes what nobody will ask for: what was on its way when the program was killed; and with a bucket the copies of
    /// what is in it that nobody needed lately, and what was staged there and not kept.
    pub async fn forget_leftovers(&self, now: i64) -> Result<(), Error> {
        let folder = self.root.join(INCOMING);
        blocking(move || forget_arrivals(&folder, now).map_err(Error::internal)).await?;
        if self.waiting.is_none() {
            return Ok(());
        }
        let mut found = self.here.list(None);
        while let Some(entry) = found.try_next().await? {
            let is_copy = !entry.location.prefix_matches(&Key::from(INCOMING));
            let is_old = |entry: &ObjectMeta| entry.last_modified.timestamp_millis() < now - COPY_MS;
            // somebody may have asked for it since it was listed
            if is_copy
                && is_old(&entry)
                && self.here.head(&entry.location).await.is_ok_and(|now| is_old(&now))
            {
                unless_missing(self.here.delete(&entry.location).await)?;
            }
        }
        drop(found);
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
        let root = self.root.clone();
        blocking(move || forget_halves_in(&root, now).map_err(Error::internal)).await
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

    /// Bytes that may still be written to the disk on which files arrive.
    pub fn free(&self) -> std::io::Result<u64> {
        free_at(&self.root)
    }
}

/// Bytes that may still be written to the disk on which a folder lies.
pub fn free_at(folder: &Path) -> std::io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Runs work that waits for the disk on a thread of its own.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

/// Deletes what nobody wrote to for a day in the folder of what arrives.
fn forget_arrivals(folder: &Path, now: i64) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // somebody else may have deleted it
        let Ok(found) = entry.metadata() else { continue };
        let age = found.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        if i64::try_from(age.as_millis()).is_ok_and(|modified| modified < now - COPY_MS) {
            let _ = match found.is_dir() {
                true => std::fs::remove_dir_all(entry.path()),
                false => std::fs::remove_file(entry.path()),
            };
        }
    }
    Ok(())
}

fn forget_halves_in(folder: &Path, now: i64) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // somebody else may have deleted it
        let Ok(found) = entry.metadata() else { continue };
        if found.is_dir() {
            // also this one
            let _ = forget_halves_in(&entry.path(), now);
            continue;
        }
        let name = entry.file_name();
        let is_half = name.to_string_lossy().rsplit_once('#').is_some_and(|(_, number)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        let age = found.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        if is_half && i64::try_from(age.as_millis()).is_ok_and(|modified| modified < now - COPY_MS) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
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

/// The folder of pictures that are made of originals.
const DERIVATIVES: &str = "derivatives";
/// The folder of what is not in its place yet.
const INCOMING: &str = "incoming";
/// The folder of all originals.
pub const ORIGINALS: &str = "originals";
/// The folder of all members' pictures.
pub const AVATARS: &str = "avatars";
/// The folder of the small copies that stand for originals on their way.
pub const PREVIEWS: &str = "previews";

/// The place of an original.
pub fn original_key(sha256: &str) -> Key {
    shelved(ORIGINALS, sha256)
}

/// The place of a member's picture.
pub fn avatar_key(sha256: &str) -> Key {
    shelved(AVATARS, sha256)
}

/// The place of the small copy that stands for an original on its way, by the SHA-256 of the copy.
pub fn preview_key(sha256: &str) -> Key {
    shelved(PREVIEWS, sha256)
}

/// The place of a file that is called by its bytes, in one of the folders of such files.
pub fn shelved(folder: &str, sha256: &str) -> Key {
    Key::from(format!("{folder}/{}/{sha256}", sha256.get(..2).unwrap_or("")))
}

/// The folder of an order's print files. They can be made again.
pub fn print_folder(order: &OrderId) -> Key {
    Key::from(format!("print/{order}"))
}

/// The place of one of an order's print files.
pub fn print_key(order: &OrderId, name: &str) -> Key {
    Key::from(format!("print/{order}/{name}"))
}

/// The folder of an upload's pieces.
pub fn upload_folder(upload: &UploadId) -> Key {
    Key::from(format!("uploads/{upload}"))
}

/// The place of one piece of an upload.
pub fn piece_key(upload: &UploadId, name: &str) -> Key {
    Key::from(format!("uploads/{upload}/{name}"))
}

/// The place of a photo's WebP derivative with the given long side in pixels.
pub fn derivative_key(sha256: &str, long_side: u32) -> Key {
    Key::from(format!("{DERIVATIVES}/{}/{sha256}-{long_side}.webp", sha256.get(..2).unwrap_or("")))
}

/// The place of the picture of a PDF's page, counted from 1. An empty one says that the page can't be drawn.
pub fn pdf_page_key(sha256: &str, page: u32) -> Key {
    Key::from(format!("{DERIVATIVES}/{}/{sha256}-p{page}.webp", sha256.get(..2).unwrap_or("")))
}

/// The folder of the files that readers take of a work away.
pub fn reading_files_folder(work: &WorkId) -> Key {
    Key::from(format!("pages/books/{work}"))
}

/// The place of one of them. Like page pictures they go after a while and can be made again.
pub fn reading_file_key(work: &WorkId, name: &str) -> Key {
    Key::from(format!("pages/books/{work}/{name}"))
}

/// The place of a page picture: what is drawn depends only on the digest.
pub fn page_picture_key(digest: &str, width: u32) -> Key {
    Key::from(format!("pages/{}/{digest}-{width}.webp", digest.get(..2).unwrap_or("")))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use object_store::memory::InMemory;

    use super::*;

    const ROOMY: Space = Space { reserve: 0, pictures: u64::MAX };

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
            let days_ago = std::time::Duration::from_secs(24 * 60 * 60 * (20 - number));
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

    #[tokio::test]
    async fn halves_of_files_go() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(folder.path(), None, ROOMY).unwrap();
        let key = page_picture_key(&"0".repeat(64), 320);
        storage.put(&key, vec![0]).await.unwrap();
        let whole = storage.path_of(&key);
        let half = whole.with_file_name(format!("{}#1", whole.file_name().unwrap().to_string_lossy()));
        std::fs::write(&half, b"half").unwrap();
        storage.forget_halves(crate::db::now_ms()).await.unwrap();
        assert!(half.exists(), "it is being written");
        storage.forget_halves(crate::db::now_ms() + COPY_MS + 1_000).await.unwrap();
        assert!(!half.exists() && whole.exists());
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
    use crate::db::now_ms;

    const SHA256: &str = "ab5df625bc76dbd4e163bed2dd888df828f90159bb93556525c31821b6541d46";

    fn with_a_bucket(folder: &Path) -> Storage {
        let storage = Storage::open(folder, None, ROOMY).unwrap();
        Storage { store: Arc::new(InMemory::new()), waiting: Some(Handle::current()), ..storage }
    }

    async fn stage(storage: &Storage) -> Staged {
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
    async fn what_was_staged_and_not_kept_goes_after_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let storage = with_a_bucket(folder.path());
        drop(stage(&storage).await);
        let staged = async || storage.store.list(None).try_collect::<Vec<_>>().await.unwrap().len();
        assert_eq!(staged().await, 1);
        storage.forget_leftovers(now_ms()).await.unwrap();
        assert_eq!(staged().await, 1, "its request may still be under way");
        storage.forget_leftovers(now_ms() + COPY_MS + 1).await.unwrap();
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
    async fn copies_stay_as_long_as_somebody_needs_them_and_files_in_a_folder_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let storage = with_a_bucket(folder.path());
        let staged = stage(&storage).await;
        storage.keep(staged).await.unwrap();
        let copy = storage.original_path(SHA256);
        let age = || {
            let old = SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
            std::fs::File::open(&copy).unwrap().set_modified(old).unwrap();
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
