//! Programs on empty databases, for tests that need no web.

use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::Executor;

use super::App;
use crate::config::Config;
use crate::db::Schema;
use crate::error::Failure;
use crate::slice::House;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    /// The one named in BINDERY_TEST_POSTGRES; without it such a test says so and passes.
    Postgres,
}

/// A program and its folder, which goes with the test.
pub type Opened = (App, tempfile::TempDir);

/// A program on an empty database; `None` where its engine is not at hand.
pub async fn app(engine: Engine, house: &'static House) -> Result<Option<Opened>, Failure> {
    let folder = tempfile::tempdir()?;
    let mut config = Config::from_env()?;
    config.data = folder.path().to_owned();
    config.storage = folder.path().join("storage");
    config.database_url = match engine {
        Engine::Sqlite => format!("sqlite:{}", folder.path().join("bindery.db").display()),
        Engine::Postgres => {
            let Ok(url) = std::env::var("BINDERY_TEST_POSTGRES") else {
                eprintln!("skipped: BINDERY_TEST_POSTGRES is not set");
                return Ok(None);
            };
            let name = format!("inner_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let pool = sqlx::PgPool::connect(&url).await?;
            pool.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await?;
            pool.close().await;
            url.replace("/postgres?", &format!("/{name}?"))
        }
    };
    Ok(Some((App::open(config, house, Schema::BroughtUp).await?, folder)))
}

/// A program without slices.
#[cfg(test)]
pub async fn bare(engine: Engine) -> Option<Opened> {
    static HOUSE: House = House { slices: &[], identity: &Nobody };
    app(engine, &HOUSE).await.unwrap()
}

/// Accounts where there are none.
#[cfg(test)]
pub(crate) struct Nobody;

#[cfg(test)]
#[async_trait::async_trait]
impl crate::slice::Identity for Nobody {
    async fn by_token(
        &self,
        _: &App,
        _: &axum::http::HeaderMap,
    ) -> Result<Option<crate::session::Member>, crate::error::Error> {
        Ok(None)
    }
    async fn by_login(
        &self,
        _: &App,
        _: &domain::ids::LoginId,
    ) -> Result<Option<crate::session::Member>, crate::error::Error> {
        Ok(None)
    }
    async fn by_look(
        &self,
        _: &App,
        _: &domain::ids::LookId,
        _: &str,
    ) -> Result<Option<crate::session::Member>, crate::error::Error> {
        Ok(None)
    }
    async fn hold(
        &self,
        _: &mut crate::db::Tx,
        _: &domain::ids::MemberId,
    ) -> Result<(), crate::error::Error> {
        Ok(())
    }

    async fn note_seen(&self, _: &App, _: &crate::session::Member) {}
    async fn sign_in_first(&self, _: &App, _: axum::extract::Request, _: &str) -> axum::response::Response {
        axum::response::IntoResponse::into_response(())
    }
    async fn take_typed(
        &self,
        _: &axum::http::request::Parts,
    ) -> Result<Option<crate::render::Form>, crate::error::Error> {
        Ok(None)
    }
}
