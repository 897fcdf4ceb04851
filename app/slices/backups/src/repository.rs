//! The repository: a folder or a bucket with generations of backups.
//!
//! ```text
//! blobs/ab/abcd…              each file once, and each table's rows, called by the SHA-256 of their bytes
//! generations/TIME-abcd…      what a backup is made of, called by when it was made and by the SHA-256 of its bytes; written last
//! installation                whose all of it is
//! running/abcd…               who is at work, renewed every minute
//! damaged/abcd…               blobs whose bytes were found to be others
//! ```
//!
//! Nothing is ever changed in place. What no generation names is not there for anybody, and goes when generations go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::config::Place;
use base::db::now_ms;
use base::error::{Error, Failure};
use base::storage::{forget_halves_in, room_at};
use base::time;
use futures::TryStreamExt;
use object_store::buffered::BufWriter;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use crate::settings::Named;

/// The form of what lies there; another number can't be read by this version.
const FORMAT: u32 = 1;
const BLOBS: &str = "blobs";
const GENERATIONS: &str = "generations";
const DAMAGED: &str = "damaged";
const INSTALLATION: &str = "installation";
pub const RUNNING: &str = "running";
/// Bytes of a blob on its way to a bucket that are in memory; longer ones go in parts of this size (S3: 5 MB at least).
const PART_BYTES: usize = 8 << 20;
/// How zstd packs manifests and rows: its usual level.
pub const LEVEL: i32 = 3;

/// See the module.
#[derive(Clone)]
pub struct Repository {
    files: Arc<dyn ObjectStore>,
    /// Where it is a folder, with how many bytes stay free on its disk.
    folder: Option<(PathBuf, u64)>,
    named: String,
}

/// A generation, as its name tells.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generation {
    /// When it was made, `20261128T033000Z`.
    pub name: String,
    sha256: String,
}

/// What a generation is made of. It names nothing that its recipient alone may know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// Of the program that made it.
    pub version: String,
    /// The newest migration that it knew.
    pub schema: i64,
    /// The installation that made it.
    pub installation: String,
    /// Epoch ms.
    pub made_at: i64,
    /// Whom it is encrypted for.
    pub recipient: Option<String>,
    /// Rows of all tables.
    pub rows: u64,
    /// Photos, PDFs and pictures.
    pub files: u64,
    /// Files that were not there, or not what they should be when they were read first: they are missing.
    pub damaged: u64,
    /// All that it is made of, with its bytes.
    pub blobs: BTreeMap<String, u64>,
    /// The blob that tells what the others are ([`Contents`]).
    pub contents: String,
}

/// What the blobs of a generation are.
#[derive(Debug, Serialize, Deserialize)]
pub struct Contents {
    /// What names are made with where they are encrypted.
    pub key: Option<String>,
    /// Each table's blob and how many rows are in it.
    pub tables: BTreeMap<String, (String, u64)>,
    /// Files by the folder that they are in, called by their SHA-256.
    pub files: BTreeMap<String, Vec<String>>,
    /// Those of [`Manifest::damaged`].
    pub damaged: Vec<String>,
}

impl Manifest {
    pub fn new(
        installation: String,
        made_at: i64,
        recipient: Option<String>,
        blobs: BTreeMap<String, u64>,
        contents: (&Contents, String),
    ) -> Self {
        let (contents, blob) = contents;
        Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema: base::db::newest_migration(),
            installation,
            made_at,
            recipient,
            rows: contents.tables.values().map(|(_, rows)| rows).sum(),
            files: contents.files.values().map(|files| files.len() as u64).sum(),
            damaged: contents.damaged.len() as u64,
            blobs,
            contents: blob,
        }
    }

    /// Bytes of all that it is made of.
    pub fn bytes(&self) -> u64 {
        self.blobs.values().sum()
    }

    /// The blob that is called by a digest, or by a keyed one with the digest of its encrypted bytes behind it.
    pub fn blob(&self, name: &str) -> Option<&str> {
        let (found, _) = self.blobs.range(name.to_owned()..).next()?;
        is_called(found, name).then_some(found)
    }
}

/// Whether a blob is the one that is called by a digest.
pub fn is_called(blob: &str, name: &str) -> bool {
    blob.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

impl Repository {
    /// Opens a folder that is there, or a bucket. Of a folder's disk so many bytes stay free.
    pub fn open(named: &Named, reserve: u64) -> Result<Self, Failure> {
        let (files, folder): (Arc<dyn ObjectStore>, _) = match &named.place {
            Place::Folder(folder) => {
                // one that is made when its disk is missing would fill another one
                if !folder.is_dir() {
                    return Err(
                        format!("{} is no folder; make it, or mount its disk", folder.display()).into()
                    );
                }
                let files = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
                (Arc::new(files), Some((folder.clone(), reserve)))
            }
            Place::Bucket(bucket) => (bucket.store(), None),
        };
        Ok(Self { files, folder, named: named.named.clone() })
    }

    /// As the host named it.
    pub fn named(&self) -> &str {
        &self.named
    }

    /// The folder, where it is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(|(folder, _)| folder.as_path())
    }

    /// The installation that it is of, where it says so.
    pub async fn owner(&self) -> Result<Option<String>, Failure> {
        match self.files.get(&Key::from(INSTALLATION)).await {
            Ok(found) => Ok(Some(String::from_utf8_lossy(&found.bytes().await?).trim().to_owned())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Says which installation it is of.
    pub async fn own(&self, id: &str) -> Result<(), Failure> {
        self.files.put(&Key::from(INSTALLATION), format!("{id}\n").into_bytes().into()).await?;
        Ok(())
    }

    /// All generations, the newest first.
    pub async fn generations(&self) -> Result<Vec<Generation>, Failure> {
        let mut found: Vec<Generation> =
            self.names(GENERATIONS).await?.into_keys().filter_map(|name| Generation::read(&name)).collect();
        found.sort_by(|one, other| other.cmp(one));
        Ok(found)
    }

    /// All blobs with their bytes.
    pub async fn blobs(&self) -> Result<BTreeMap<String, u64>, Failure> {
        self.names(BLOBS).await
    }

    async fn names(&self, folder: &str) -> Result<BTreeMap<String, u64>, Failure> {
        let mut found = BTreeMap::new();
        let mut entries = self.files.list(Some(&Key::from(folder)));
        while let Some(entry) = entries.try_next().await? {
            if let Some(name) = entry.location.filename() {
                found.insert(name.to_owned(), entry.size);
            }
        }
        Ok(found)
    }

    /// What a generation is made of.
    pub async fn manifest(&self, generation: &Generation) -> Result<Manifest, Failure> {
        let packed = self.files.get(&generation.key()).await?.bytes().await?;
        if hex::encode(Sha256::digest(&packed)) != generation.sha256 {
            return Err(
                format!("{} is damaged: its bytes are not those that were written", generation.name).into()
            );
        }
        let manifest: Manifest = serde_json::from_slice(&zstd::decode_all(&packed[..])?)?;
        if manifest.format != FORMAT {
            return Err(format!("this version can't read backups of format {}", manifest.format).into());
        }
        Ok(manifest)
    }

    /// Writes a generation, with which it is there. Two of the same second have different names.
    pub async fn add(&self, manifest: &Manifest) -> Result<Generation, Failure> {
        let packed = zstd::encode_all(&serde_json::to_vec(manifest)?[..], LEVEL)?;
        let generation =
            Generation { name: name_of(manifest.made_at), sha256: hex::encode(Sha256::digest(&packed)) };
        self.room_for(packed.len() as u64)?;
        self.files.put(&generation.key(), packed.into()).await?;
        Ok(generation)
    }

    /// Takes a generation away; its blobs stay.
    pub async fn remove(&self, generation: &Generation) -> Result<(), Failure> {
        unless_missing(self.files.delete(&generation.key()).await)
    }

    /// Puts a generation aside that can't be read; its blobs stay.
    pub async fn set_aside(&self, generation: &Generation) -> Result<(), Failure> {
        let aside = Key::from(format!("{DAMAGED}/{}-{}", generation.name, generation.sha256));
        Ok(self.files.rename(&generation.key(), &aside).await?)
    }

    /// Stores a blob out of a file.
    pub async fn store(&self, name: &str, file: &Path, bytes: u64) -> Result<(), Failure> {
        self.room_for(bytes)?;
        let mut from = tokio::fs::File::open(file).await?;
        let mut to =
            BufWriter::with_capacity(self.files.clone(), blob_key(name), PART_BYTES).with_max_concurrency(2);
        let copied = match tokio::io::copy(&mut from, &mut to).await {
            Ok(copied) => copied,
            Err(error) => {
                // parts that came would stay and cost; what was away may be for this, too
                let _ = to.abort().await;
                return Err(error.into());
            }
        };
        to.shutdown().await?;
        match copied == bytes {
            true => Ok(()),
            false => Err(format!("{name}: {copied} of {bytes} bytes were stored").into()),
        }
    }

    /// Copies a blob into a file, and answers the SHA-256 of its bytes; nothing where it is missing.
    pub async fn fetch(
        &self,
        name: &str,
        to: &mut (impl std::io::Write + Send),
    ) -> Result<Option<String>, Failure> {
        let mut blocks = match self.files.get(&blob_key(name)).await {
            Ok(found) => found.into_stream(),
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut digest = Sha256::new();
        while let Some(block) = blocks.try_next().await? {
            digest.update(&block);
            to.write_all(&block)?;
        }
        Ok(Some(hex::encode(digest.finalize())))
    }

    /// Deletes a blob; none is deleted, too.
    pub async fn forget(&self, name: &str) -> Result<(), Failure> {
        unless_missing(self.files.delete(&blob_key(name)).await)
    }

    /// Puts a damaged blob aside, so that the next backup stores it anew.
    pub async fn put_aside(&self, name: &str) -> Result<(), Failure> {
        Ok(self.files.rename(&blob_key(name), &Key::from(format!("{DAMAGED}/{name}"))).await?)
    }

    /// The files of who is at work.
    pub fn files(&self) -> &dyn ObjectStore {
        &*self.files
    }

    /// Deletes what was being written into a folder when a program was killed, a day after.
    pub async fn forget_halves(&self) -> Result<(), Failure> {
        if let Some((folder, _)) = self.folder.clone() {
            forget_halves_in(folder, now_ms()).await?;
        }
        Ok(())
    }

    fn room_for(&self, bytes: u64) -> Result<(), Failure> {
        match &self.folder {
            Some((folder, reserve)) => room_at(folder, bytes, *reserve).map_err(|error| match error {
                Error::Full => format!("the disk of {} is nearly full", folder.display()).into(),
                error => error.into(),
            }),
            None => Ok(()),
        }
    }

    /// Writes a file, reads it, and deletes it.
    pub async fn try_file(&self) -> Result<(), Failure> {
        let place = Key::from(format!("check-{}", ulid::Ulid::new()));
        self.files.put(&place, PutPayload::from_static(b"check")).await?;
        let read = self.files.get(&place).await?.bytes().await?;
        if read != b"check"[..] {
            return Err("a file could not be read as it was written".into());
        }
        Ok(self.files.delete(&place).await?)
    }
}

impl Generation {
    fn read(name: &str) -> Option<Self> {
        let (name, sha256) = name.split_once('-')?;
        let is_hash = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_time = name.len() == 16 && moment(name).is_some();
        (is_hash && is_time).then(|| Self { name: name.to_owned(), sha256: sha256.to_owned() })
    }

    fn key(&self) -> Key {
        Key::from(format!("{GENERATIONS}/{}-{}", self.name, self.sha256))
    }

    /// When it was made, epoch ms.
    pub fn made_at(&self) -> i64 {
        moment(&self.name).unwrap_or_default()
    }

    /// The day on which it was made, in China's time.
    pub fn day(&self) -> ::time::Date {
        time::date(self.made_at())
    }
}

const NAME: &[::time::format_description::BorrowedFormatItem<'static>] =
    ::time::macros::format_description!("[year][month][day]T[hour][minute][second]Z");

/// What a generation is called by its moment, epoch ms: to a second, in UTC.
pub fn name_of(at: i64) -> String {
    let moment = ::time::OffsetDateTime::from_unix_timestamp(at.div_euclid(1000))
        .unwrap_or(::time::OffsetDateTime::UNIX_EPOCH);
    moment.format(NAME).unwrap_or_default()
}

fn moment(name: &str) -> Option<i64> {
    let read = ::time::PrimitiveDateTime::parse(name, NAME).ok()?;
    Some(read.assume_utc().unix_timestamp() * 1000)
}

fn blob_key(name: &str) -> Key {
    Key::from(format!("{BLOBS}/{}/{name}", name.get(..2).unwrap_or_default()))
}

fn unless_missing(done: object_store::Result<()>) -> Result<(), Failure> {
    match done {
        Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
