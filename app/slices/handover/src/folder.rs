//! A folder, which may be a share of the network: everything waits on threads of its own.

use std::collections::HashSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base::detach::blocking;
use base::error::Error;
use base::storage::room_at;
use sha2::{Digest, Sha256};

use super::place::{
    Back, DONE, Hangs, INCOMING, JOB, Listed, MARK, PRINTED, Put, Source, Told, WITHDRAWN, Whereabouts,
};

/// How old a half is that nobody writes any more.
const OLD: Duration = Duration::from_secs(60 * 60);

#[derive(Debug, Clone)]
pub struct Folder {
    pub root: PathBuf,
    /// Bytes that stay free on its disk.
    pub reserve: u64,
}

/// Runs what waits for the disk, or for the network behind it.
async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Hangs> + Send + 'static,
) -> Result<T, Hangs> {
    blocking(move || Ok(work())).await.map_err(Hangs::from)?
}

/// Others read it, too: the program's own files are its owner's alone. A share that knows no permissions has none.
fn open_to_all(path: &Path, mode: u32) {
    let _ = fs::set_permissions(path, Permissions::from_mode(mode));
}

fn make(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Ok(()) => {
            open_to_all(folder, 0o755);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes a folder's entries durable; some shares of the network know no such thing.
fn sync(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        done => done,
    }
}

fn write(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(place)?;
    file.write_all(bytes)?;
    open_to_all(place, 0o644);
    file.sync_all()
}

/// Copies a file and counts what it is.
fn copy(source: Source, place: &Path) -> io::Result<(u64, String)> {
    let mut from: Box<dyn Read> = match source {
        Source::Disk(path) => Box::new(File::open(path)?),
        Source::Bytes(bytes) => Box::new(io::Cursor::new(bytes)),
    };
    let mut to = File::create(place)?;
    let (mut block, mut count, mut hash) = (vec![0; 1 << 20], 0, Sha256::new());
    loop {
        let read = from.read(&mut block)?;
        let Some(read) = block.get(..read).filter(|read| !read.is_empty()) else { break };
        to.write_all(read)?;
        hash.update(read);
        count += read.len() as u64;
    }
    open_to_all(place, 0o644);
    to.sync_all()?;
    Ok((count, hex::encode(hash.finalize())))
}

fn exists(place: &Path) -> io::Result<bool> {
    place.try_exists()
}

impl Folder {
    fn at(&self, part: &str, name: &str) -> PathBuf {
        self.root.join(part).join(name)
    }

    pub async fn mark(&self) -> Result<Option<String>, Hangs> {
        let root = self.root.clone();
        waiting(move || {
            if !fs::metadata(&root).is_ok_and(|found| found.is_dir()) {
                return Err(Hangs(format!("文件夹 {} 不在，或者没有挂载", root.display())));
            }
            match fs::read_to_string(root.join(MARK)) {
                Ok(mark) => Ok(Some(mark.trim().to_owned())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error.into()),
            }
        })
        .await
    }

    pub async fn begin(&self, house: &str) -> Result<(), Hangs> {
        let (root, mark) = (self.root.clone(), format!("{house}\n"));
        waiting(move || {
            write(&root.join(MARK), mark.as_bytes())?;
            Ok(sync(&root)?)
        })
        .await
    }

    pub async fn complete(&self) -> Result<(), Hangs> {
        let root = self.root.clone();
        waiting(move || {
            for part in [INCOMING, PRINTED, WITHDRAWN, DONE] {
                make(&root.join(part))?;
            }
            Ok(())
        })
        .await
    }

    pub async fn stage(
        &self,
        staging: &str,
        _name: &str,
        files: Vec<(String, Source)>,
        told: Told,
    ) -> Result<Vec<Listed>, Hangs> {
        let (folder, reserve, above) = (self.at(INCOMING, staging), self.reserve, self.root.join(INCOMING));
        waiting(move || {
            let size = |source: &Source| match source {
                Source::Disk(path) => fs::metadata(path).map_or(0, |file| file.len()),
                Source::Bytes(bytes) => bytes.len() as u64,
            };
            room_at(&above, files.iter().map(|(_, source)| size(source)).sum(), reserve).map_err(
                |error| match error {
                    Error::Full => Hangs("热文件夹的磁盘快满了，放不下".to_owned()),
                    error => error.into(),
                },
            )?;
            make(&folder)?;
            let written = || {
                let mut listed = Vec::new();
                for (name, source) in files {
                    let (bytes, sha256) = copy(source, &folder.join(&name))?;
                    listed.push(Listed { name, bytes, sha256 });
                }
                let told = serde_json::to_vec_pretty(&told(&listed)).map_err(io::Error::other)?;
                // the last of all
                write(&folder.join(JOB), &told)?;
                sync(&folder)?;
                sync(&above)?;
                Ok::<_, io::Error>(listed)
            };
            written().map_err(|error| {
                let _ = fs::remove_dir_all(&folder);
                error.into()
            })
        })
        .await
    }

    pub async fn unstage(&self, staging: &str) {
        let folder = self.at(INCOMING, staging);
        let _ = waiting(move || Ok(fs::remove_dir_all(folder)?)).await;
    }

    pub async fn put(&self, staging: &str, name: &str, _files: &[Listed]) -> Result<Put, Hangs> {
        let (from, to, root) = (self.at(INCOMING, staging), self.root.join(name), self.root.clone());
        waiting(move || match fs::rename(&from, &to) {
            Ok(()) => {
                sync(&root)?;
                sync(&root.join(INCOMING))?;
                Ok(Put::There)
            }
            // whoever was first renamed it
            Err(error) if error.kind() == io::ErrorKind::NotFound && !exists(&from)? => {
                Ok(if exists(&to)? { Put::There } else { Put::Taken })
            }
            Err(error) => Err(error.into()),
        })
        .await
    }

    pub async fn whereabouts(&self, staging: &str, name: &str) -> Result<Whereabouts, Hangs> {
        let places = [self.root.join(name), self.at(INCOMING, staging), self.at(WITHDRAWN, name)];
        waiting(move || {
            let [there, incoming, withdrawn] = places;
            Ok(if exists(&there)? {
                Whereabouts::There
            } else if exists(&incoming)? {
                Whereabouts::Incoming
            } else if exists(&withdrawn)? {
                Whereabouts::Withdrawn
            } else {
                Whereabouts::Elsewhere
            })
        })
        .await
    }

    pub async fn missing(&self, name: &str, files: &[Listed]) -> Result<Vec<String>, Hangs> {
        let folder = self.root.join(name);
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        waiting(move || {
            let mut missing = Vec::new();
            for name in names {
                if !exists(&folder.join(&name))? {
                    missing.push(name);
                }
            }
            // one that was taken meanwhile lacks nothing
            Ok(if exists(&folder)? { missing } else { Vec::new() })
        })
        .await
    }

    pub async fn take_back(&self, name: &str, files: &[Listed]) -> Result<Back, Hangs> {
        let (from, to, root) = (self.root.join(name), self.at(WITHDRAWN, name), self.root.clone());
        let known: HashSet<(String, u64)> =
            files.iter().map(|file| (file.name.clone(), file.bytes)).collect();
        waiting(move || {
            let mut found = HashSet::new();
            let entries = match fs::read_dir(&from) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Back::Taken),
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                if name != JOB {
                    found.insert((name, entry.metadata().map_or(0, |file| file.len())));
                }
            }
            if found != known {
                return Ok(if exists(&from)? { Back::Touched } else { Back::Taken });
            }
            match fs::rename(&from, &to) {
                Ok(()) => {
                    sync(&root)?;
                    sync(&root.join(WITHDRAWN))?;
                    Ok(Back::Withdrawn)
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound && !exists(&from)? => Ok(Back::Taken),
                Err(error) => Err(error.into()),
            }
        })
        .await
    }

    pub async fn sign(&self, sign: &str, words: &str) -> Result<(), Hangs> {
        let (beside, place, words) =
            (self.at(INCOMING, sign), self.at(WITHDRAWN, sign), format!("{words}\n"));
        waiting(move || {
            write(&beside, words.as_bytes())?;
            Ok(fs::rename(beside, place)?)
        })
        .await
    }

    pub async fn unsign(&self, sign: &str) -> Result<(), Hangs> {
        let place = self.at(WITHDRAWN, sign);
        waiting(move || match fs::remove_file(place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        })
        .await
    }

    pub async fn printed(&self) -> Result<Vec<String>, Hangs> {
        let folder = self.root.join(PRINTED);
        waiting(move || {
            let mut names = Vec::new();
            for entry in fs::read_dir(folder)? {
                names.push(entry?.file_name().to_string_lossy().into_owned());
            }
            Ok(names)
        })
        .await
    }

    pub async fn tidy(&self, name: &str, stamp: &str) -> Result<(), Hangs> {
        let (from, plain) = (self.at(PRINTED, name), self.at(DONE, name));
        let other = self.at(DONE, &format!("{stamp} {name}"));
        waiting(move || {
            let to = if exists(&plain)? { other } else { plain };
            match fs::rename(from, to) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
                _ => Ok(()),
            }
        })
        .await
    }

    pub async fn clean(&self, known: &HashSet<String>) -> Result<(), Hangs> {
        let (folder, known) = (self.root.join(INCOMING), known.clone());
        waiting(move || {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let is_old = |at: SystemTime| at.elapsed().is_ok_and(|age| age > OLD);
                if known.contains(&*entry.file_name().to_string_lossy())
                    || !entry.metadata()?.modified().is_ok_and(is_old)
                {
                    continue;
                }
                let path = entry.path();
                if entry.file_type()?.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
            }
            Ok(())
        })
        .await
    }
}
