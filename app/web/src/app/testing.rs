//! Programs on empty databases, for tests that need no web.

use base::config::Config;
use base::db::Schema;
use base::error::Failure;
use base::testing::{Engine, address};

use super::App;
use crate::slice::House;

/// A program and its folder, which goes with the test.
pub type Opened = (App, tempfile::TempDir);

/// A program on an empty database; `None` where its engine is not at hand.
pub async fn app(engine: Engine, house: &'static House) -> Result<Option<Opened>, Failure> {
    let folder = tempfile::tempdir()?;
    let mut config = Config::from_env()?;
    config.data = folder.path().to_owned();
    config.storage = folder.path().join("storage");
    let Some(url) = address(engine, folder.path()).await? else { return Ok(None) };
    config.database_url = url;
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
    ) -> Result<Option<crate::session::Member>, base::error::Error> {
        Ok(None)
    }
    async fn by_login(
        &self,
        _: &App,
        _: &domain::ids::LoginId,
    ) -> Result<Option<crate::session::Member>, base::error::Error> {
        Ok(None)
    }
    async fn by_look(
        &self,
        _: &App,
        _: &domain::ids::LookId,
        _: &str,
    ) -> Result<Option<crate::session::Member>, base::error::Error> {
        Ok(None)
    }
    async fn hold(&self, _: &mut base::db::Tx, _: &domain::ids::MemberId) -> Result<(), base::error::Error> {
        Ok(())
    }

    async fn note_seen(&self, _: &App, _: &crate::session::Member) {}
    async fn sign_in_first(&self, _: &App, _: axum::extract::Request, _: &str) -> axum::response::Response {
        axum::response::IntoResponse::into_response(())
    }
    async fn take_typed(
        &self,
        _: &axum::http::request::Parts,
    ) -> Result<Option<crate::render::Form>, base::error::Error> {
        Ok(None)
    }
}
