//! What every handler, page and job of one running program shares.

#[doc(hidden)]
pub mod testing;

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use any_spawner::Executor;
use axum::extract::FromRef;
use base::audit;
use base::config::Config;
use base::db::Schema;
use base::delivery::Deliver;
use base::error::Error;
use base::program::Program;

use crate::access::Policy;
use crate::audit_words;
use crate::background::Background;
use crate::files::{ForgetAvatar, ForgetOriginal, ForgetPreview};
use crate::read_only;
use crate::readiness::Readiness;
use crate::render::{Fragments, Packed};
use crate::route::{Route, RouteTable};
use crate::session;
use crate::slice::{AtDesk, House};
use crate::turns::Turns;
use crate::uses;
use crate::workers::{Handlers, Health};

/// The shared parts; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// See [`App`].
pub struct Parts {
    program: Program,
    /// What became of this instance's workers.
    pub health: Health,
    /// What is done for whom at the moment.
    pub turns: Turns,
    /// Whether nothing is written at the moment.
    pub read_only: read_only::Known,
    /// Whether it can write, as it was last tried.
    pub readiness: Readiness,
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

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl std::ops::Deref for Parts {
    type Target = Program;
    fn deref(&self) -> &Program {
        &self.program
    }
}

impl FromRef<App> for Program {
    fn from_ref(app: &App) -> Self {
        app.program.clone()
    }
}

impl FromRef<App> for leptos::config::LeptosOptions {
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
        audit::named_by(move |action| audit_words::is_named(house, action));
        let read_only = read_only::Known::new(config.read_only);
        let (program, opening) = Program::open(config, schema).await?;
        // the session store makes its own table
        session::Store::open(&program.db).await?;
        // what pages wait for runs where everything does; a second program of this process finds it done
        let _ = Executor::init_tokio();
        let app = Self(Arc::new(Parts {
            program,
            health: Health::default(),
            turns: Turns::default(),
            read_only,
            readiness: Readiness::default(),
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
}

/// The jobs of this floor.
fn own_jobs() -> Handlers {
    Handlers::default()
        .with::<Deliver>()
        .with::<ForgetOriginal>()
        .with::<ForgetPreview>()
        .with::<ForgetAvatar>()
}
