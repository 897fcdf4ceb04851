//! Where jobs are put: a folder, or a folder of a bucket. Both have the same parts.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

use base::config::{self, HotFolder};
use base::error::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use web::app::App;

use super::bucket::Bucket;
use super::folder::Folder;

/// Says whose folder it is.
pub const MARK: &str = ".bindery";
/// What is not whole yet.
pub const INCOMING: &str = ".incoming";
/// What the workflow has printed, as it puts it there.
pub const PRINTED: &str = "printed";
/// What must not be printed any more.
pub const WITHDRAWN: &str = "withdrawn";
/// What was read out of `printed`.
pub const DONE: &str = "done";
/// Says what a job is, and that it is whole: it is written last.
pub const JOB: &str = "job.json";

/// Why something can't be done there, as a sentence for a clerk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hangs(pub String);

impl From<io::Error> for Hangs {
    fn from(error: io::Error) -> Self {
        Self(match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "磁盘满了，写不进去".to_owned(),
            io::ErrorKind::ReadOnlyFilesystem => "文件夹是只读的，写不进去".to_owned(),
            io::ErrorKind::PermissionDenied => "没有权限读写".to_owned(),
            io::ErrorKind::CrossesDevices => {
                format!("{PRINTED}、{WITHDRAWN}、{DONE} 和 {INCOMING} 要和热文件夹在同一个磁盘上")
            }
            _ => format!("读写不成：{error}"),
        })
    }
}

impl From<object_store::Error> for Hangs {
    fn from(error: object_store::Error) -> Self {
        Self(format!("存储桶读写不成：{error}"))
    }
}

impl From<object_store::path::Error> for Hangs {
    fn from(error: object_store::path::Error) -> Self {
        Self(format!("名字不能用：{error}"))
    }
}

impl From<sqlx::Error> for Hangs {
    fn from(error: sqlx::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<Error> for Hangs {
    fn from(error: Error) -> Self {
        Self(match error {
            Error::Conflict(words) => words,
            Error::Full => "磁盘快满了，先不写大的文件".to_owned(),
            error => error.to_string(),
        })
    }
}

/// A file of a job, as `job.json` lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    pub name: String,
    pub bytes: u64,
    /// In lower-case hex.
    pub sha256: String,
}

/// Where the bytes of a file are.
#[derive(Debug)]
pub enum Source {
    Disk(PathBuf),
    Bytes(Vec<u8>),
}

/// Makes what `job.json` says, of its files.
pub type Told = Box<dyn FnOnce(&[Listed]) -> Value + Send>;

/// What became of a job that was to be put in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    There,
    /// It was there before, and somebody has taken it.
    Taken,
}

/// What became of a job that was to be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Back {
    Withdrawn,
    /// Somebody has taken it.
    Taken,
    /// It is there, with other files than were put there: somebody works on it.
    Touched,
}

/// Where a job is that is not in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whereabouts {
    /// In its place.
    There,
    /// Beside it, whole.
    Incoming,
    Withdrawn,
    /// Nowhere that is known.
    Elsewhere,
}

/// A folder, or one of a bucket.
#[derive(Debug, Clone)]
pub enum Place {
    Folder(Folder),
    Bucket(Bucket),
}

/// Each of both answers.
macro_rules! at {
    ($place:expr, $it:ident => $answer:expr) => {
        match $place {
            Place::Folder($it) => $answer,
            Place::Bucket($it) => $answer,
        }
    };
}

impl Place {
    /// The one that the host named.
    pub fn of(app: &App, hot: &HotFolder) -> Self {
        match &hot.place {
            config::Place::Folder(root) => {
                Self::Folder(Folder { root: root.clone(), reserve: app.config.disk_reserve })
            }
            config::Place::Bucket(bucket) => Self::Bucket(Bucket { store: bucket.store() }),
        }
    }

    /// Whether a job may be taken for put there again as soon as the program starts anew: a bucket's answers are not as sure as
    /// a rename.
    pub fn renames(&self) -> bool {
        matches!(self, Self::Folder(_))
    }

    /// Whose mark is on it; none where it has none. It is there.
    pub async fn mark(&self) -> Result<Option<String>, Hangs> {
        at!(self, it => it.mark().await)
    }

    /// Marks it, and makes its parts.
    pub async fn begin(&self, house: &str) -> Result<(), Hangs> {
        at!(self, it => it.begin(house).await)
    }

    /// Makes the parts that are missing.
    pub async fn complete(&self) -> Result<(), Hangs> {
        at!(self, it => it.complete().await)
    }

    /// Writes a job where nobody looks, whole and durable.
    pub async fn stage(
        &self,
        staging: &str,
        name: &str,
        files: Vec<(String, Source)>,
        told: Told,
    ) -> Result<Vec<Listed>, Hangs> {
        at!(self, it => it.stage(staging, name, files, told).await)
    }

    /// Forgets one that is not put in its place.
    pub async fn unstage(&self, staging: &str) {
        at!(self, it => it.unstage(staging).await);
    }

    /// Puts it in its place, at once.
    pub async fn put(&self, staging: &str, name: &str, files: &[Listed]) -> Result<Put, Hangs> {
        at!(self, it => it.put(staging, name, files).await)
    }

    pub async fn whereabouts(&self, staging: &str, name: &str) -> Result<Whereabouts, Hangs> {
        at!(self, it => it.whereabouts(staging, name).await)
    }

    /// Which of its files are missing in its place.
    pub async fn missing(&self, name: &str, files: &[Listed]) -> Result<Vec<String>, Hangs> {
        at!(self, it => it.missing(name, files).await)
    }

    /// Takes it out of its place, where nobody has touched it.
    pub async fn take_back(&self, name: &str, files: &[Listed]) -> Result<Back, Hangs> {
        at!(self, it => it.take_back(name, files).await)
    }

    /// Says beside what was taken back that one must not be printed that somebody has.
    pub async fn sign(&self, name: &str, words: &str) -> Result<(), Hangs> {
        at!(self, it => it.sign(&sign_of(name), words).await)
    }

    /// Takes that word back.
    pub async fn unsign(&self, name: &str) -> Result<(), Hangs> {
        at!(self, it => it.unsign(&sign_of(name)).await)
    }

    /// What lies in `printed`, by name.
    pub async fn printed(&self) -> Result<Vec<String>, Hangs> {
        let mut names = at!(self, it => it.printed().await)?;
        names.retain(|name| !is_furniture(name));
        names.sort();
        Ok(names)
    }

    /// Moves something out of `printed` that was read.
    pub async fn tidy(&self, name: &str, stamp: &str) -> Result<(), Hangs> {
        at!(self, it => it.tidy(name, stamp).await)
    }

    /// Deletes what was left half written by one that ended, an hour ago or more.
    pub async fn clean(&self, known: &HashSet<String>) -> Result<(), Hangs> {
        at!(self, it => it.clean(known).await)
    }
}

fn sign_of(name: &str) -> String {
    format!("{name}.txt")
}

/// What systems put into every folder.
fn is_furniture(name: &str) -> bool {
    name.starts_with('.') || ["thumbs.db", "desktop.ini"].contains(&name.to_lowercase().as_str())
}
