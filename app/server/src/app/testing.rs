//! Programs on empty databases, for tests that need no web.

use std::sync::atomic::{AtomicU32, Ordering};

use domain::contact::Contact;
use domain::ids::MemberId;
use domain::money::Fen;
use domain::tier::Tier;
use sqlx::Executor;

use super::App;
use crate::accounts::NewAccount;
use crate::config::Config;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    /// The one named in BINDERY_TEST_POSTGRES; without it such a test says so and passes.
    Postgres,
}

/// A program on an empty database; its folder goes with the test.
pub async fn app(engine: Engine) -> Option<(App, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::from_env().unwrap();
    config.data = folder.path().to_owned();
    config.storage = folder.path().join("storage");
    config.database_url = match engine {
        Engine::Sqlite => format!("sqlite:{}", folder.path().join("bindery.db").display()),
        Engine::Postgres => {
            let Ok(url) = std::env::var("BINDERY_TEST_POSTGRES") else {
                eprintln!("skipped: BINDERY_TEST_POSTGRES is not set");
                return None;
            };
            let name = format!("inner_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let pool = sqlx::PgPool::connect(&url).await.unwrap();
            pool.execute(format!("create database {name}").as_str()).await.unwrap();
            pool.close().await;
            url.replace("/postgres?", &format!("/{name}?"))
        }
    };
    Some((App::open(config).await.unwrap(), folder))
}

/// A member of no account that could be signed in to.
pub async fn member(app: &App) -> MemberId {
    let address = format!("member-{}@example.com", NEXT.fetch_add(1, Ordering::Relaxed));
    let contact = Contact::read(&address).unwrap();
    let account = NewAccount { contact: &contact, name: "", hash: "", tier: Tier::Basic, invited_by: None };
    let mut tx = app.db.begin().await.unwrap();
    let member = account.insert(&mut tx).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    member
}

/// What a member can spend.
pub async fn balance(app: &App, member: &MemberId) -> Fen {
    let mut tx = app.db.begin_snapshot().await.unwrap();
    crate::payments::ledger::balance(&mut tx, member).await.unwrap()
}
