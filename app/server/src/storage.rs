//! Files: originals and members' pictures under the hash of their bytes, derivatives beside them. Nothing here is ever
//! changed in place, so a key names the same bytes for ever.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::ids::UploadId;
use futures::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, path::Path as Key};

use crate::error::Error;

/// How long a page picture is kept after it was drawn, in ms.
const PAGE_PICTURE_MS: i64 = 30 * 24 * 60 * 60_000;

/// The store of files.
#[derive(Debug, Clone)]
pub struct Storage {
    store: Arc<LocalFileSystem>,
    root: PathBuf,
}

impl Storage {
    /// Opens a folder, making it where it is missing. Every write is synced to the disk before it is
    /// acknowledged.
    pub fn open(root: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(root.join("incoming"))
            .map_err(|error| Error::internal(format!("{}: {error}", root.display())))?;
        let root = root.canonicalize().map_err(Error::internal)?;
        let store = LocalFileSystem::new_with_prefix(&root)?.with_fsync(true);
        Ok(Self { store: Arc::new(store), root })
    }

    /// A new file on the same disk for bytes that are still arriving; it disappears when dropped.
    pub fn incoming(&self) -> std::io::Result<tempfile::NamedTempFile> {
        tempfile::Builder::new().prefix("upload-").tempfile_in(self.root.join("incoming"))
    }

    /// Puts an arrived file in its place. The file's bytes and its name are on the disk when this returns.
    pub fn keep_original(&self, file: tempfile::NamedTempFile, sha256: &str) -> Result<(), Error> {
        self.persist(file, &original_key(sha256))
    }

    /// The same for a member's picture.
    pub fn keep_avatar(&self, file: tempfile::NamedTempFile, sha256: &str) -> Result<(), Error> {
        self.persist(file, &avatar_key(sha256))
    }

    fn persist(&self, file: tempfile::NamedTempFile, key: &Key) -> Result<(), Error> {
        let place = self.path_of(key);
        let folder = place.parent().ok_or_else(|| Error::internal("a key without a folder"))?;
        std::fs::create_dir_all(folder).map_err(Error::internal)?;
        file.as_file().sync_all().map_err(Error::internal)?;
        file.persist(&place).map_err(Error::internal)?;
        let sync = |path: &Path| std::fs::File::open(path).and_then(|folder| folder.sync_all());
        // the folder's own entry must be durable, too
        sync(folder).and_then(|()| folder.parent().map_or(Ok(()), sync)).map_err(Error::internal)
    }

    /// The folder of all originals.
    pub fn originals(&self) -> PathBuf {
        self.root.join("originals")
    }

    /// The folder of an order's print files. They can be made again.
    pub fn print_files(&self, order: &str) -> PathBuf {
        self.root.join("print").join(order)
    }

    /// The folder of the small copies that stand for originals on their way.
    pub fn previews(&self) -> PathBuf {
        self.root.join("previews")
    }

    /// The folder of all members' pictures.
    pub fn avatars(&self) -> PathBuf {
        self.root.join("avatars")
    }

    /// Where an original lies, for code that reads it in blocks.
    pub fn original_path(&self, sha256: &str) -> PathBuf {
        self.path_of(&original_key(sha256))
    }

    fn path_of(&self, key: &Key) -> PathBuf {
        self.root.join(key.as_ref())
    }

    /// Writes a small file whole.
    pub async fn put(&self, key: &Key, bytes: impl Into<PutPayload>) -> Result<(), Error> {
        self.store.put(key, bytes.into()).await?;
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

    /// Deletes a file; none is deleted, too.
    pub async fn delete(&self, key: &Key) -> Result<(), Error> {
        match self.store.delete(key).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
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

    /// Deletes the page pictures that were drawn long ago: every edit leaves those of the pages that it changed. What is
    /// looked at again is drawn again, so any number of instances may do this at once.
    pub async fn forget_page_pictures(&self, now: i64) -> Result<(), Error> {
        let mut found = self.store.list(Some(&Key::from("pages")));
        while let Some(entry) = found.try_next().await? {
            if entry.last_modified.timestamp_millis() < now - PAGE_PICTURE_MS {
                self.delete(&entry.location).await?;
            }
        }
        Ok(())
    }

    /// The same as [`Storage::get`] for code outside the async runtime, such as the press.
    pub fn read_derivative(&self, sha256: &str, long_side: u32) -> std::io::Result<Vec<u8>> {
        std::fs::read(self.path_of(&derivative_key(sha256, long_side)))
    }

    /// The same for the small copy that stands for an original on its way.
    pub fn read_preview(&self, sha256: &str) -> std::io::Result<Vec<u8>> {
        std::fs::read(self.path_of(&preview_key(sha256)))
    }

    /// The same for the picture of a PDF's page.
    pub fn read_pdf_page(&self, sha256: &str, page: u32) -> std::io::Result<Vec<u8>> {
        std::fs::read(self.path_of(&pdf_page_key(sha256, page)))
    }

    /// Whether there is a file.
    pub async fn has(&self, key: &Key) -> Result<bool, Error> {
        match self.store.head(key).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// A new folder for files that are made elsewhere; it disappears when dropped.
    pub fn workshop(&self) -> std::io::Result<tempfile::TempDir> {
        tempfile::Builder::new().prefix("workshop-").tempdir_in(self.root.join("incoming"))
    }

    /// Whether the folder can be written to.
    pub async fn ping(&self) -> Result<(), Error> {
        self.put(&Key::from("incoming/ready"), PutPayload::new()).await
    }
}

/// The place of an original.
pub fn original_key(sha256: &str) -> Key {
    Key::from(format!("originals/{}/{sha256}", sha256.get(..2).unwrap_or("")))
}

/// The place of a member's picture.
pub fn avatar_key(sha256: &str) -> Key {
    Key::from(format!("avatars/{}/{sha256}", sha256.get(..2).unwrap_or("")))
}

/// The place of the small copy that stands for an original on its way, by the SHA-256 of the copy.
pub fn preview_key(sha256: &str) -> Key {
    Key::from(format!("previews/{}/{sha256}", sha256.get(..2).unwrap_or("")))
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
    Key::from(format!("derivatives/{}/{sha256}-{long_side}.webp", sha256.get(..2).unwrap_or("")))
}

/// The place of the picture of a PDF's page, counted from 1. An empty one says that the page can't be drawn.
pub fn pdf_page_key(sha256: &str, page: u32) -> Key {
    Key::from(format!("derivatives/{}/{sha256}-p{page}.webp", sha256.get(..2).unwrap_or("")))
}

/// The place of a page picture: what is drawn depends only on the digest.
pub fn page_picture_key(digest: &str, width: u32) -> Key {
    Key::from(format!("pages/{}/{digest}-{width}.webp", digest.get(..2).unwrap_or("")))
}
