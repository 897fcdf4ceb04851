//! `bindery backup` and `bindery restore`: the whole installation as a folder of plain files.
//!
//! ```text
//! backup.json          when, by which version, how many rows and files
//! tables/<table>.jsonl one row a line, the same for both database engines
//! originals/ab/abcd…   photos and PDFs under the SHA-256 of their bytes
//! avatars/ab/abcd…     members' pictures, likewise
//! ```
//!
//! Rows are read in one snapshot while the server goes on; originals are never changed, and deleted only a day after
//! their photo was removed, so those that the rows name are there when the files are copied afterwards. A member's picture that is taken away in between is left
//! out, and its place shows the name's first letter or nothing until the member chooses another. What can be made again (derivatives, page pictures) and
//! what ends by itself (sessions) is left out.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use base::error::Failure;
use base::storage::{ORIGINALS, shelved};
use base::time;
use futures::TryStreamExt;
use object_store::path::Path as Key;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use web::app::App;

use crate::{FOLDERS, rows};

/// The form of the folder; another number can't be read by this version.
const FORMAT: u32 = 1;
const MANIFEST: &str = "backup.json";
const TABLES_FOLDER: &str = "tables";

/// What a backup holds.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    version: String,
    made_at: String,
    /// Rows of each table.
    pub rows: BTreeMap<String, u64>,
    /// Original photos.
    pub originals: u64,
    /// Originals whose bytes are no longer those that were stored: they are not in the backup.
    #[serde(default)]
    pub damaged: Vec<String>,
}

impl std::fmt::Display for Manifest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} rows and {} original photos", self.rows.values().sum::<u64>(), self.originals)
    }
}

/// Writes a backup into a folder that does not exist yet. It gets its name when it is whole.
pub async fn backup(app: &App, folder: &Path) -> Result<Manifest, Failure> {
    if folder.exists() {
        return Err(format!("{} is already there; name a new folder", folder.display()).into());
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let part = tempfile::Builder::new().prefix(".bindery-backup-").tempdir_in(parent)?;
    fs::create_dir(part.path().join(TABLES_FOLDER))?;
    let mut rows = BTreeMap::new();
    let mut tx = app.db.begin_snapshot().await?;
    for table in rows::tables(app.house) {
        let path = part.path().join(TABLES_FOLDER).join(format!("{table}.jsonl"));
        let mut file = BufWriter::new(File::create(path)?);
        rows.insert(table.to_owned(), rows::write(&mut tx, table, &mut file).await?);
        file.into_inner().map_err(|error| error.into_error())?.sync_all()?;
    }
    drop(tx);
    let (mut originals, mut damaged) = (0, Vec::new());
    for folder in FOLDERS {
        fs::create_dir(part.path().join(folder))?;
        for (name, key) in app.storage.named_by_bytes(folder).await? {
            match copy(app, &name, &key, &part.path().join(folder)).await? {
                Copied::Whole => originals += u64::from(folder == ORIGINALS),
                // one bad photo must not keep all others from being saved
                Copied::Damaged => damaged.push(name),
                // its member has taken it away meanwhile, or the original has come
                Copied::Gone => {}
            }
        }
    }
    let manifest = Manifest {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: time::stamp(base::db::now_ms()),
        rows,
        originals,
        damaged,
    };
    let mut file = File::create(part.path().join(MANIFEST))?;
    file.write_all(&serde_json::to_vec_pretty(&manifest)?)?;
    file.sync_all()?;
    fs::rename(part.keep(), folder)?;
    File::open(parent)?.sync_all()?;
    Ok(manifest)
}

/// Fills an empty installation from a backup: photos first, then every row in one transaction.
pub async fn restore(app: &App, folder: &Path) -> Result<Manifest, Failure> {
    let manifest = fs::read(folder.join(MANIFEST))
        .map_err(|error| format!("{} holds no backup: {error}", folder.display()))?;
    let manifest: Manifest =
        serde_json::from_slice(&manifest).map_err(|error| format!("{MANIFEST} can't be read: {error}"))?;
    if manifest.format != FORMAT {
        return Err(format!("this version can't read backups of format {}", manifest.format).into());
    }
    let mut tx = app.db.begin().await?;
    rows::is_empty(&mut tx).await?;
    let originals = files_in(&folder.join(ORIGINALS))?;
    if originals.len() as u64 != manifest.originals {
        return Err(format!(
            "the backup is not whole: {} of {} original photos are there",
            originals.len(),
            manifest.originals
        )
        .into());
    }
    for kind in FOLDERS {
        for (name, path) in files_in(&folder.join(kind))? {
            put_back(app, &path, &name, shelved(kind, &name)).await?;
        }
    }
    rows::fill(app, tx, &manifest.rows, async |table| {
        let path = folder.join(TABLES_FOLDER).join(format!("{table}.jsonl"));
        let file = File::open(path).ok();
        Ok(file.map(|file| Box::new(BufReader::new(file)) as Box<dyn BufRead + Send>))
    })
    .await?;
    Ok(manifest)
}

/// Every file below a folder that is called by its bytes, by name.
fn files_in(folder: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for shelf in fs::read_dir(folder)? {
        let shelf = shelf?;
        if !shelf.file_type()?.is_dir() {
            continue;
        }
        for entry in fs::read_dir(shelf.path())? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // anything else was put there by somebody else
            if name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                found.push((name, entry.path()));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// What became of a file.
enum Copied {
    Whole,
    /// Its bytes are not what its name says.
    Damaged,
    Gone,
}

/// Copies such a file out of the storage to its place below a folder.
async fn copy(app: &App, name: &str, key: &Key, to: &Path) -> Result<Copied, Failure> {
    // a disk that can't read one file may read all others
    let is_disk = app.config.bucket.is_none();
    let mut blocks = match app.storage.blocks(key).await {
        Ok(Some(blocks)) => blocks,
        Ok(None) => return Ok(Copied::Gone),
        Err(_) if is_disk => return Ok(Copied::Damaged),
        Err(error) => return Err(error.into()),
    };
    let mut target = tempfile::NamedTempFile::new_in(to)?;
    let mut digest = Sha256::new();
    loop {
        match blocks.try_next().await {
            Ok(Some(block)) => {
                digest.update(&block);
                target.write_all(&block)?;
            }
            Ok(None) => break,
            Err(_) if is_disk => return Ok(Copied::Damaged),
            Err(error) => return Err(error.into()),
        }
    }
    if hex::encode(digest.finalize()) != name {
        return Ok(Copied::Damaged);
    }
    target.as_file().sync_all()?;
    let shelf = to.join(name.get(..2).unwrap_or_default());
    fs::create_dir_all(&shelf)?;
    target.persist(shelf.join(name))?;
    File::open(&shelf)?.sync_all()?;
    Ok(Copied::Whole)
}

/// Puts such a file back in the storage.
async fn put_back(app: &App, path: &Path, name: &str, key: Key) -> Result<(), Failure> {
    let mut file = app.storage.incoming()?;
    let mut digest = Sha256::new();
    let mut source = File::open(path)?;
    let mut block = vec![0; 1 << 16];
    loop {
        let read = source.read(&mut block)?;
        if read == 0 {
            break;
        }
        digest.update(&block[..read]);
        file.write_all(&block[..read])?;
    }
    if hex::encode(digest.finalize()) != name {
        return Err(format!("{} is damaged: its bytes are not those that were stored", path.display()).into());
    }
    Ok(app.storage.restore(file, key).await?)
}
