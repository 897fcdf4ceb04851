//! Where the measurements work.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{Failure, samples};

/// A folder under the target folder, so that both sides write to the same disk, and what measurements share.
pub struct Room {
    folder: TempDir,
    pub cores: usize,
    pub runtime: Runtime,
    photos: OnceCell<Vec<PathBuf>>,
}

impl Room {
    pub fn new() -> Result<Self, Failure> {
        Ok(Self {
            folder: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?,
            cores: std::thread::available_parallelism()?.get(),
            runtime: Runtime::new()?,
            photos: OnceCell::new(),
        })
    }

    /// The folder; it goes when the room does.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The sample photos, painted when they are first asked for.
    pub fn photos(&self) -> Result<&[PathBuf], Failure> {
        if let Some(photos) = self.photos.get() {
            return Ok(photos);
        }
        let painted = samples::paint_all(self.path(), self.cores)?;
        Ok(self.photos.get_or_init(|| painted))
    }
}
