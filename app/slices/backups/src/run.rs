//! Makes a generation.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, Write};

use age::x25519::Recipient;
use base::db::now_ms;
use base::detach::blocking;
use base::error::{Error, Failure};
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path as Key;
use tempfile::NamedTempFile;
use web::app::App;
use web::backups::Outcome;
use web::files;

use crate::repository::{Contents, LEVEL, Manifest, Repository, is_called};
use crate::seal::{Hashing, keyed, seal};
use crate::{FOLDERS, rows};

/// Files that are on their way at once.
const AT_ONCE: usize = 4;
/// What names in an encrypted repository are made with.
const KEY: &str = "backup names";

/// What a run knows.
struct Run<'a> {
    app: &'a App,
    repository: &'a Repository,
    recipient: Option<&'a Recipient>,
    key: String,
    /// Blobs that are there, with their bytes.
    there: BTreeMap<String, u64>,
    /// Those of them that this generation names.
    named: BTreeMap<String, u64>,
    /// Bytes that were stored.
    stored: u64,
}

/// What became of a file.
enum Stored {
    /// It is this blob, of so many bytes.
    As(String, u64),
    /// Its bytes are not what its name says.
    Damaged,
    Gone,
}

/// What a run made.
pub struct Made {
    pub outcome: Outcome,
    pub manifest: Manifest,
    /// Files that are not what they should be, or not there. Where no earlier backup has them they are in none.
    pub damaged: Vec<String>,
}

/// Files by the folder that they are in, that rows name.
type Names = BTreeMap<&'static str, BTreeSet<String>>;

/// What became of all files.
#[derive(Default)]
struct Files {
    /// Those that are in the generation, by their folder.
    files: BTreeMap<String, Vec<String>>,
    /// Those that are in none.
    unsaved: Vec<String>,
    /// Those that are damaged or not there, be they in a generation or not.
    faulty: Vec<String>,
}

/// Makes a generation. Files that a blob is called by are not read again, however many there are; so are tables that are as they were.
///
/// Files come first and once more behind the rows, so that between the rows and their files hardly any time goes by. What is
/// removed meanwhile is as in `folder.rs`.
pub async fn run(
    app: &App,
    repository: &Repository,
    recipient: Option<&Recipient>,
    installation: &str,
) -> Result<Made, Failure> {
    let key = app.db.secret(KEY).await?;
    let newest = repository.generations().await?.into_iter().next();
    let mut there = repository.blobs().await?;
    if let Some(newest) = &newest {
        match repository.manifest(newest).await {
            // what somebody cut off is stored anew
            Ok(manifest) => {
                let is_whole =
                    |name: &str, bytes: u64| manifest.blobs.get(name).is_none_or(|known| *known == bytes);
                there.retain(|name, bytes| is_whole(name, *bytes));
            }
            Err(error) => tracing::warn!(%error, "The backup before can't be read"),
        }
    }
    let mut run = Run { app, repository, recipient, key, there, named: BTreeMap::new(), stored: 0 };
    run.files(&Names::new()).await?;
    let (tables, names) = run.tables().await?;
    run.named.clear();
    let Files { files, unsaved, faulty: damaged } = run.files(&names).await?;
    let mut tables_by_name = BTreeMap::new();
    for (table, packed, digest, rows) in tables {
        let name = run.add(&digest, packed).await?;
        tables_by_name.insert(table, (name, rows));
    }
    let key = recipient.is_some().then(|| run.key.clone());
    let contents = Contents { key, tables: tables_by_name, files, damaged: unsaved };
    let (packed, digest) = pack(app, |to| Ok(serde_json::to_writer(to, &contents)?))?;
    let blob = run.add(&digest, packed).await?;
    // each has a second of its own
    let after = newest.map_or(0, |newest| newest.made_at() + 1000);
    let recipient = recipient.map(ToString::to_string);
    let manifest = Manifest::new(
        installation.to_owned(),
        now_ms().max(after),
        recipient,
        std::mem::take(&mut run.named),
        (&contents, blob),
    );
    run.look_again(&manifest).await?;
    let generation = repository.add(&manifest).await?;
    let whole = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    let outcome = Outcome {
        generation: generation.name,
        stored: whole(run.stored),
        size: whole(manifest.bytes()),
        damaged: whole(damaged.len() as u64),
    };
    Ok(Made { outcome, manifest, damaged })
}

/// A table's rows: its name, the file that holds them packed, the digest of that, how many they are.
type Packed = (String, NamedTempFile, String, u64);

impl Run<'_> {
    /// What a file is called here.
    fn name(&self, sha256: &str) -> String {
        match self.recipient {
            Some(recipient) => keyed(&self.key, &recipient.to_string(), sha256),
            None => sha256.to_owned(),
        }
    }

    /// The blob that is called so, where it is there.
    fn known(&self, name: &str) -> Option<(String, u64)> {
        let (blob, bytes) = self.there.range(name.to_owned()..).next()?;
        is_called(blob, name).then(|| (blob.clone(), *bytes))
    }

    /// Stores all files that are not there yet. Those that rows name and the storage has lost stay where a backup has them.
    async fn files(&mut self, names: &Names) -> Result<Files, Failure> {
        let mut all = Files::default();
        for folder in FOLDERS {
            let found = self.app.storage.named_by_bytes(folder).await?;
            let mut of_folder: Vec<String> = Vec::new();
            let mut missing = Vec::new();
            for (sha256, key) in found {
                match self.known(&self.name(&sha256)) {
                    Some((blob, bytes)) => {
                        self.named.insert(blob, bytes);
                        of_folder.push(sha256);
                    }
                    None => missing.push((sha256, key)),
                }
            }
            let this = &*self;
            let stored: Vec<(String, Stored)> = futures::stream::iter(missing)
                .map(|(sha256, key)| async move {
                    let stored = this.store_original(&sha256, &key).await?;
                    Ok::<_, Failure>((sha256, stored))
                })
                .buffer_unordered(AT_ONCE)
                .try_collect()
                .await?;
            for (sha256, stored) in stored {
                match stored {
                    Stored::As(blob, bytes) => {
                        self.stored += bytes;
                        self.there.insert(blob.clone(), bytes);
                        self.named.insert(blob, bytes);
                        of_folder.push(sha256);
                    }
                    Stored::Damaged => all.unsaved.push(sha256),
                    Stored::Gone => {}
                }
            }
            all.faulty.clone_from(&all.unsaved);
            of_folder.sort_unstable();
            all.files.insert(folder.to_owned(), of_folder);
        }
        for (folder, names) in names {
            self.lost(folder, names, &mut all).await?;
        }
        all.faulty.sort_unstable();
        all.unsaved.sort_unstable();
        Ok(all)
    }

    /// Adds what rows name and nobody found.
    async fn lost(&mut self, folder: &str, names: &BTreeSet<String>, all: &mut Files) -> Result<(), Failure> {
        let of_folder = all.files.entry(folder.to_owned()).or_default();
        let is_found = |name: &String| of_folder.binary_search(name).is_ok() || all.unsaved.contains(name);
        let lost: Vec<&String> = names.iter().filter(|name| !is_found(name)).collect();
        if lost.is_empty() {
            return Ok(());
        }
        let mut tx = self.app.db.begin_snapshot().await?;
        for sha256 in lost {
            // it may have been taken away since the rows were read
            if !files::is_named(self.app, &mut tx, folder, sha256).await? {
                continue;
            }
            all.faulty.push(sha256.clone());
            match self.known(&self.name(sha256)) {
                Some((blob, bytes)) => {
                    self.named.insert(blob, bytes);
                    of_folder.push(sha256.clone());
                }
                None => all.unsaved.push(sha256.clone()),
            }
        }
        of_folder.sort_unstable();
        Ok(())
    }

    /// Holds what a generation names against what is there once more: whoever cleared away meanwhile has taken what it needs.
    async fn look_again(&self, manifest: &Manifest) -> Result<(), Failure> {
        let there = self.repository.blobs().await?;
        match manifest.blobs.iter().find(|(blob, bytes)| there.get(*blob) != Some(*bytes)) {
            Some((blob, _)) => Err(format!("{blob} went while the backup was made").into()),
            None => Ok(()),
        }
    }

    /// Copies a file out of the storage.
    async fn store_original(&self, sha256: &str, key: &Key) -> Result<Stored, Failure> {
        // a disk that can't read one file may read all others; a bucket that does not answer has nothing more to say
        let is_disk = self.app.config.bucket.is_none();
        let mut blocks = match self.app.storage.blocks(key).await {
            Ok(Some(blocks)) => blocks,
            Ok(None) => return Ok(Stored::Gone),
            Err(_) if is_disk => return Ok(Stored::Damaged),
            Err(error) => return Err(error.into()),
        };
        self.app.storage.room_for(0)?;
        let copy = self.app.storage.incoming()?;
        let mut to = Hashing::new(copy.as_file());
        loop {
            match blocks.try_next().await {
                Ok(Some(block)) => to.write_all(&block)?,
                Ok(None) => break,
                Err(_) if is_disk => return Ok(Stored::Damaged),
                Err(error) => return Err(error.into()),
            }
        }
        let (_, digest, _) = to.end()?;
        if digest != sha256 {
            return Ok(Stored::Damaged);
        }
        let (blob, bytes) = self.store(sha256, copy).await?;
        Ok(Stored::As(blob, bytes))
    }

    /// Stores what a file holds, encrypted where it has to be.
    async fn store(&self, sha256: &str, file: NamedTempFile) -> Result<(String, u64), Failure> {
        let name = self.name(sha256);
        let Some(recipient) = self.recipient.cloned() else {
            let bytes = file.as_file().metadata()?.len();
            self.repository.store(&name, file.path(), bytes).await?;
            return Ok((name, bytes));
        };
        let sealed = self.app.storage.incoming()?;
        let to = sealed.reopen()?;
        let (digest, bytes) =
            blocking(move || seal(&recipient, file.path(), to).map_err(Error::internal)).await?;
        let blob = format!("{name}-{digest}");
        self.repository.store(&blob, sealed.path(), bytes).await?;
        Ok((blob, bytes))
    }

    /// Adds what a file holds to the generation, and stores it unless it is there.
    async fn add(&mut self, digest: &str, file: NamedTempFile) -> Result<String, Failure> {
        let (blob, bytes) = match self.known(&self.name(digest)) {
            Some(known) => known,
            None => {
                let (blob, bytes) = self.store(digest, file).await?;
                self.stored += bytes;
                // empty tables are all the same
                self.there.insert(blob.clone(), bytes);
                (blob, bytes)
            }
        };
        self.named.insert(blob.clone(), bytes);
        Ok(blob)
    }

    /// Reads all tables in one snapshot, and which files they name.
    async fn tables(&self) -> Result<(Vec<Packed>, Names), Failure> {
        let mut tx = self.app.db.begin_snapshot().await?;
        let mut packed = Vec::new();
        for table in rows::tables(self.app.house) {
            self.app.storage.room_for(0)?;
            let file = self.app.storage.incoming()?;
            let to = Hashing::new(BufWriter::new(file.reopen()?));
            let mut encoder = zstd::Encoder::new(to, LEVEL)?;
            let rows = rows::write(&mut tx, table, &mut encoder).await?;
            let (_, digest, _) = encoder.finish()?.end()?;
            packed.push((table.to_owned(), file, digest, rows));
        }
        let mut names = Names::new();
        for folder in FOLDERS {
            names.insert(folder, files::all_named(self.app, &mut tx, folder).await?);
        }
        Ok((packed, names))
    }
}

/// Packs what is written into a file; answers its digest.
fn pack(
    app: &App,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(NamedTempFile, String), Failure> {
    let file = app.storage.incoming()?;
    let mut encoder = zstd::Encoder::new(Hashing::new(BufWriter::new(file.reopen()?)), LEVEL)?;
    write(&mut encoder)?;
    let (_, digest, _) = encoder.finish()?.end()?;
    Ok((file, digest))
}
