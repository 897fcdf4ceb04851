//! What every handler, page and job of one running program shares.

#[doc(hidden)]
pub mod testing;

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use any_spawner::Executor;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::access::Policy;
use crate::audit;
use crate::background::Background;
use crate::config::Config;
use crate::db::{Db, Deed, Schema, Sole};
use crate::delivery::Deliver;
use crate::error::Error;
use crate::files::{ForgetAvatar, ForgetOriginal, ForgetPreview};
use crate::jobs::{Bell, Handlers, Health};
use crate::presses::Presses;
use crate::read_only;
use crate::readiness::Readiness;
use crate::render::{Fragments, Packed};
use crate::route::{Route, RouteTable};
use crate::sandbox::Sandbox;
use crate::session;
use crate::slice::{AtDesk, House};
use crate::storage::{Space, Storage, room_at};
use crate::turns::Turns;
use crate::uses;

/// The shared parts; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// See [`App`].
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
    pub bell: Bell,
    /// What became of this instance's workers.
    pub health: Health,
    /// What is done for whom at the moment.
    pub turns: Turns,
    /// Whether nothing is written at the moment.
    pub read_only: read_only::Known,
    /// Whether it can write, as it was last tried.
    pub readiness: Readiness,
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
    /// Who lives above this floor.
    pub house: &'static House,
    /// Parts of pages that were made lately.
    pub fragments: Fragments,
    /// Pages that were sent lately.
    pub packed: Packed,
    /// Everything that it answers.
    pub routes: RouteTable,
    pub handlers: Handlers,
    form_origins: Mutex<String>,
    own: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

/// Archives at once; the others wait.
const MOST_TRANSFERS: usize = 2;
/// Memory for photos' pixels, in MB for each core: two have one photo of 12 megapixels at a time, or two of 8. As pixels are
/// there for less than half of the time that a photo takes, both are busy with one; scaling takes half as much again.
const PIXELS_MB: u32 = 35;

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

/// How often it is looked whether the press rests.
const REST: Duration = Duration::from_secs(30);

/// Gives back what the press keeps for a next page when nothing was typeset for a while.
pub(crate) const LET_REST: Background = Background::every(REST, "the press's rest", |app| {
    Box::pin(async move {
        let press = app.press;
        app.compute(move || press.rest()).await
    })
});

impl App {
    /// Opens the database and the storage, and then each slice.
    pub async fn open(config: Config, house: &'static House, schema: Schema) -> Result<Self, Error> {
        std::fs::create_dir_all(&config.data)
            .and_then(|()| close_to_others(&config.data))
            .map_err(|error| Error::internal(format!("{}: {error}", config.data.display())))?;
        audit::know(house);
        let opening = Sole::wait(&config.database_url, Deed::Opening).await?;
        let db = Db::connect(&config.database_url, config.database_pool, schema).await?;
        // the session store makes its own table
        session::Store::open(&db).await?;
        let key = db.secret("signing").await?;
        let space = Space { reserve: config.disk_reserve, pictures: config.picture_space };
        let storage = Storage::open(&config.storage, config.bucket.as_ref(), space)?;
        let presses = Presses::new(config.print_standard, &config.printed_on, config.suppliers.clone())
            .map_err(Error::internal)?;
        let press = presses.house().map_err(Error::internal)?.press;
        // what pages wait for runs where everything does; a second program of this process finds it done
        let _ = Executor::init_tokio();
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let read_only = read_only::Known::new(config.read_only);
        let pixels_mb = PIXELS_MB.saturating_mul(u32::try_from(cores).unwrap_or(u32::MAX).max(1));
        let app = Self(Arc::new(Parts {
            config,
            db,
            storage,
            key,
            press,
            presses,
            bell: Bell::default(),
            health: Health::default(),
            turns: Turns::default(),
            read_only,
            readiness: Readiness::default(),
            hashing: Semaphore::new((cores / 2).max(1)),
            compute_threads: threads(cores)?,
            checks: threads((cores / 2).max(1))?,
            pixels: Arc::new(Semaphore::new(pixels_mb as usize)),
            pixels_mb,
            transfers: Semaphore::new(MOST_TRANSFERS),
            sandbox: Sandbox::new((cores / 2).max(1)),
            house,
            fragments: Fragments::default(),
            packed: Packed::default(),
            routes: RouteTable::of(house).map_err(Error::internal)?,
            handlers: house.slices.iter().fold(own_jobs(), |handlers, slice| (slice.jobs)(handlers)),
            form_origins: Mutex::default(),
            own: Mutex::default(),
        }));
        for open in app.house.slices.iter().filter_map(|slice| slice.open) {
            open(app.clone()).await?;
        }
        uses::note_missing(&app.db, house).await?;
        read_only::refresh(&app).await?;
        drop(opening);
        Ok(app)
    }

    /// Whether a page is at a pattern.
    pub fn is_page(&self, pattern: &str) -> bool {
        self.routes.find(pattern).is_some_and(Route::is_page)
    }

    /// The policy of a route; a route without one is closed to everybody.
    pub fn policy(&self, pattern: &str) -> Option<Policy> {
        Some(self.routes.find(pattern)?.policy)
    }

    /// What becomes of a route for a sub-member at a house's desk; one that is not named is shut.
    pub fn at_desk(&self, pattern: &str) -> Option<AtDesk> {
        self.routes.find(pattern)?.at_desk
    }

    /// Lets the answer to a form redirect to another origin: browsers ask the content policy about it.
    pub fn allow_forms_to(&self, origin: &str) {
        let mut origins = self.form_origins.lock().unwrap_or_else(PoisonError::into_inner);
        origins.push(' ');
        origins.push_str(origin);
    }

    /// Those origins, each after a space.
    pub fn form_origins(&self) -> String {
        self.form_origins.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A slice's own part of this program, made when it is first asked for; its type is its name.
    ///
    /// # Errors
    /// Those of making it, each time that it is asked for.
    pub fn own<T: Any + Send + Sync>(
        &self,
        make: impl FnOnce(&Self) -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        let own = || self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let known = own().get(&TypeId::of::<T>()).cloned();
        let part = match known {
            Some(part) => part,
            None => {
                let made = Arc::new(make(self)?);
                own().entry(TypeId::of::<T>()).or_insert(made).clone()
            }
        };
        part.downcast().map_err(|_| Error::internal("a part of another type"))
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

/// The jobs of this floor.
fn own_jobs() -> Handlers {
    Handlers::default()
        .with::<Deliver>()
        .with::<ForgetOriginal>()
        .with::<ForgetPreview>()
        .with::<ForgetAvatar>()
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
