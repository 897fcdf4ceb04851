//! What the ground floor asks of the accounts.

use async_trait::async_trait;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use base::db::Tx;
use base::error::Error;
use domain::ids::{LoginId, LookId, MemberId};
use web::app::App;
use web::render::Form;
use web::session::Member;
use web::slice::Identity;

use super::{forms, interrupted, logins, store};

/// See [`Identity`].
pub struct Accounts;

#[async_trait]
impl Identity for Accounts {
    async fn by_token(&self, app: &App, headers: &HeaderMap) -> Result<Option<Member>, Error> {
        logins::member_by_token(app, headers).await
    }

    async fn by_login(&self, app: &App, login: &LoginId) -> Result<Option<Member>, Error> {
        logins::member(app, login).await
    }

    async fn by_look(&self, app: &App, look: &LookId, staff: &str) -> Result<Option<Member>, Error> {
        store::member_of_look(&app.db, look, staff).await
    }

    async fn hold(&self, tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
        store::hold(tx, member).await
    }

    async fn note_seen(&self, app: &App, member: &Member) {
        logins::note_seen(app, member).await;
    }

    async fn sign_in_first(&self, app: &App, request: Request, address: &str) -> Response {
        forms::sign_in_first(app, request, address).await
    }

    async fn take_typed(&self, parts: &Parts) -> Result<Option<Form>, Error> {
        interrupted::take(parts).await
    }
}
