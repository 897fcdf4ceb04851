//! What every handler, page and job of one running program shares.

#[cfg(test)]
pub mod testing;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::accounts::Weixin;
use crate::config::Config;
use crate::db::Db;
use crate::error::Error;
use crate::jobs::Bell;
use crate::sandbox::Sandbox;
use crate::site::PublicPages;
use crate::storage::Storage;

/// The shared parts; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// See [`App`].
pub struct Parts {
    pub config: Config,
    pub db: Db,
    pub storage: Storage,
    pub press: press::Press,
    /// What this installation signs with.
    pub key: String,
    pub bell: Bell,
    /// Password hashing takes 19 MB and a core each time: on half of the cores, the others wait. Pages go on being
    /// answered on the other half.
    pub hashing: Semaphore,
    /// Drawing and decoding: on as many threads as there are cores. They stay, since each keeps some of the memory
    /// that it once had.
    heavy: rayon::ThreadPool,
    /// Memory for photos' pixels, in MB.
    pixels: Arc<Semaphore>,
    /// Archives of works that are written or read: the disk has to hold them, and nothing else waits for it.
    pub transfers: Semaphore,
    /// Work on files that anybody may have made: on half of the cores, whatever they ask for.
    pub sandbox: Sandbox,
    /// Pages that are the same for everybody, as they were last rendered.
    pub public_pages: PublicPages,
    /// Where the host configured it.
    pub weixin: Option<Weixin>,
}

/// Archives at once; the others wait.
const MOST_TRANSFERS: usize = 2;
/// Memory for photos' pixels, in MB: two photos of 40 megapixels at once, or many of a phone.
const PIXELS_MB: u32 = 240;

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl axum::extract::FromRef<App> for leptos::config::LeptosOptions {
    fn from_ref(app: &App) -> Self {
        app.config.leptos.clone()
    }
}

impl App {
    /// Opens the database and the storage and fills the goods that are missing.
    pub async fn open(config: Config) -> Result<Self, Error> {
        std::fs::create_dir_all(&config.data)
            .map_err(|error| Error::internal(format!("{}: {error}", config.data.display())))?;
        let db = Db::connect(&config.database_url).await?;
        let key = db.secret("signing").await?;
        let storage = Storage::open(&config.storage, config.bucket.as_ref())?;
        let weixin = config.weixin.clone().map(Weixin::new).transpose()?;
        let press = press::Press::following(config.print_standard);
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let app = Self(Arc::new(Parts {
            config,
            db,
            storage,
            key,
            press,
            bell: Bell::default(),
            hashing: Semaphore::new((cores / 2).max(1)),
            heavy: rayon::ThreadPoolBuilder::new().num_threads(cores).build().map_err(Error::internal)?,
            pixels: Arc::new(Semaphore::new(PIXELS_MB as usize)),
            transfers: Semaphore::new(MOST_TRANSFERS),
            sandbox: Sandbox::new((cores / 2).max(1)),
            public_pages: PublicPages::default(),
            weixin,
        }));
        crate::catalog::fill(&app).await?;
        Ok(app)
    }

    /// A place for about `bytes` of pixels while a photo is decoded: waits while others have them. A photo that needs
    /// more than all others together are given has them all to itself.
    pub async fn place_for_pixels(&self, bytes: u64) -> Result<OwnedSemaphorePermit, Error> {
        let megabytes = u32::try_from(bytes / 1_000_000).unwrap_or(u32::MAX).clamp(1, PIXELS_MB);
        self.pixels.clone().acquire_many_owned(megabytes).await.map_err(Error::internal)
    }

    /// Runs blocking work (drawing, decoding, hashing files) off the async threads, a few at a time.
    pub async fn heavy<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (tell, told) = oneshot::channel();
        self.heavy.spawn(move || {
            // whoever asked may have gone
            let _ = tell.send(catch_unwind(AssertUnwindSafe(work)));
        });
        told.await.map_err(Error::internal)?.map_err(|_| Error::internal("heavy work panicked"))
    }
}
