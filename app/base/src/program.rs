//! What every part of a running program shares, whatever it answers to whom.

use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::config::Config;
use crate::db::{Db, Deed, Schema, Sole};
use crate::error::Error;
use crate::jobs::Bell;
use crate::presses::Presses;
use crate::sandbox::Sandbox;
use crate::storage::{Space, Storage, room_at};

/// The shared parts; cheap to clone.
#[derive(Clone)]
pub struct Program(Arc<Parts>);

/// See [`Program`].
pub struct Parts {
    pub config: Config,
    pub db: Db,
    pub storage: Storage,
    /// The house's press.
    pub press: press::Press,
    /// Those of suppliers, too.
    pub presses: Presses,
    /// What this installation signs with.
    pub key: String,
    /// Wakes the workers.
    pub bell: Bell,
    /// Password hashing takes 19 MB and a core each time: on half of the cores, the others wait. Pages go on being
    /// answered on the other half.
    pub hashing: Semaphore,
    /// Drawing and decoding: on as many threads as there are cores. They stay, since each keeps some of the memory
    /// that it once had.
    compute_threads: rayon::ThreadPool,
    /// Preflight and whatever else typesets whole books: beside the threads that draw, so that nobody's pictures wait
    /// for it.
    checks: rayon::ThreadPool,
    /// Memory for photos' pixels, in MB.
    pixels: Arc<Semaphore>,
    /// How many MB they are given together.
    pixels_mb: u32,
    /// Archives of works that are written or read: the disk has to hold them, and nothing else waits for it.
    pub transfers: Semaphore,
    /// Work on files that anybody may have made: on half of the cores, whatever they ask for.
    pub sandbox: Sandbox,
}

/// Archives at once; the others wait.
const MOST_TRANSFERS: usize = 2;
/// Memory for photos' pixels, in MB for each core: two have one photo of 12 megapixels at a time, or two of 8. As pixels are
/// there for less than half of the time that a photo takes, both are busy with one; scaling takes half as much again.
const PIXELS_MB: u32 = 35;

impl std::ops::Deref for Program {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Program {
    /// Opens the database and the storage. The turn to do so comes with the program: whoever opens more of it holds that meanwhile.
    ///
    /// # Errors
    /// The data folder, the database or the storage can't be opened, or a press has a profile that is none.
    pub async fn open(config: Config, schema: Schema) -> Result<(Self, Sole), Error> {
        std::fs::create_dir_all(&config.data)
            .and_then(|()| close_to_others(&config.data))
            .map_err(|error| Error::internal(format!("{}: {error}", config.data.display())))?;
        let opening = Sole::wait(&config.database_url, Deed::Opening).await?;
        let db = Db::connect(&config.database_url, config.database_pool, schema).await?;
        let key = db.secret("signing").await?;
        let space = Space { reserve: config.disk_reserve, pictures: config.picture_space };
        let storage = Storage::open(&config.storage, config.bucket.as_ref(), space)?;
        let presses = Presses::new(config.print_standard, &config.printed_on, config.suppliers.clone())
            .map_err(Error::internal)?;
        let press = presses.house().map_err(Error::internal)?.press;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let half = (cores / 2).max(1);
        let pixels_mb = PIXELS_MB.saturating_mul(u32::try_from(cores).unwrap_or(u32::MAX).max(1));
        let program = Self(Arc::new(Parts {
            config,
            db,
            storage,
            press,
            presses,
            key,
            bell: Bell::default(),
            hashing: Semaphore::new(half),
            compute_threads: threads(cores)?,
            checks: threads(half)?,
            pixels: Arc::new(Semaphore::new(pixels_mb as usize)),
            pixels_mb,
            transfers: Semaphore::new(MOST_TRANSFERS),
            sandbox: Sandbox::new(half),
        }));
        Ok((program, opening))
    }

    /// Whether so many bytes more may come: the disk keeps a reserve for what is written beside files, so that saving,
    /// ordering and paying go on when it is nearly full.
    ///
    /// # Errors
    /// [`Error::Full`] where they may not.
    pub fn room_for(&self, bytes: u64) -> Result<(), Error> {
        self.storage.room_for(bytes)?;
        room_at(&self.config.data, bytes, self.config.disk_reserve)
    }

    /// A place for about `bytes` of pixels while a photo is decoded: waits while others have them. A photo that needs
    /// more than all others together are given has them all to itself.
    pub async fn place_for_pixels(&self, bytes: u64) -> Result<OwnedSemaphorePermit, Error> {
        let megabytes = u32::try_from(bytes / 1_000_000).unwrap_or(u32::MAX).clamp(1, self.pixels_mb);
        self.pixels.clone().acquire_many_owned(megabytes).await.map_err(Error::internal)
    }

    /// Runs blocking work (drawing, decoding, hashing files) off the async threads, a few at a time.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        run_on(&self.compute_threads, move |_| work()).await
    }

    /// The same for what typesets whole books, on other threads. The work is given a question to ask now and then:
    /// whether anybody still waits.
    pub async fn check<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Fn() -> bool) -> T + Send + 'static,
    ) -> Result<T, Error> {
        run_on(&self.checks, work).await
    }
}

/// Takes the files of a folder, the database's among them, from everybody but their owner: an older version let the
/// machine's other users read them.
fn close_to_others(folder: &std::path::Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.metadata()?;
        if found.is_file() && found.permissions().mode() & 0o077 != 0 {
            std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

fn threads(count: usize) -> Result<rayon::ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().map_err(Error::internal)
}

/// Runs work on a thread of a pool. What nobody waits for any more when its turn comes is not begun.
async fn run_on<T: Send + 'static>(
    pool: &rayon::ThreadPool,
    work: impl FnOnce(&dyn Fn() -> bool) -> T + Send + 'static,
) -> Result<T, Error> {
    let (tell, told) = oneshot::channel();
    pool.spawn(move || {
        if !tell.is_closed() {
            let done = catch_unwind(AssertUnwindSafe(|| work(&|| !tell.is_closed())));
            let _ = tell.send(done);
        }
    });
    told.await.map_err(Error::internal)?.map_err(|_| Error::internal("work on a thread of its own panicked"))
}
