//! Empty databases for tests.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::Executor;

use crate::config::database_pool;
use crate::db::{Db, Schema};
use crate::error::Failure;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    /// The one named in BINDERY_TEST_POSTGRES; without it such a test says so and passes.
    Postgres,
}

/// Runs each named test on both engines: it is given its [`Engine`].
#[macro_export]
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")] async fn $name() {
                super::$name($crate::testing::Engine::Sqlite).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")] async fn $name() {
                super::$name($crate::testing::Engine::Postgres).await;
            })+
        }
    };
}

/// The address of an empty database, in a folder or on the server; `None` where its engine is not at hand.
pub async fn address(engine: Engine, folder: &Path) -> Result<Option<String>, Failure> {
    if engine == Engine::Sqlite {
        return Ok(Some(format!("sqlite:{}", folder.join("bindery.db").display())));
    }
    let Ok(url) = std::env::var("BINDERY_TEST_POSTGRES") else {
        eprintln!("skipped: BINDERY_TEST_POSTGRES is not set");
        return Ok(None);
    };
    let name = format!("inner_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let pool = sqlx::PgPool::connect(&url).await?;
    pool.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await?;
    pool.close().await;
    Ok(Some(url.replace("/postgres?", &format!("/{name}?"))))
}

/// A database with its schema, and the folder that goes with the test.
pub async fn database(engine: Engine) -> Option<(Db, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no folder for a test: {error}"));
    let opened = async {
        let Some(url) = address(engine, folder.path()).await? else { return Ok(None) };
        Ok::<_, Failure>(Some(Db::connect(&url, database_pool()?, Schema::BroughtUp).await?))
    };
    let db = opened.await.unwrap_or_else(|error| panic!("no database for a test: {error}"))?;
    Some((db, folder))
}
