//! The back office 后台: who works in it, how one signs in, what waits, what was done, how the machine is.
//!
//! Not here: what is done to orders, payments, invoices, members and reports. Their slices have those pages and say so in
//! their `SLICE`, like their queues.

pub mod commands;
mod home;
mod log;
mod machine;
mod me;
mod sign_in;
mod store;

use axum::http::request::Parts;
use axum::routing::post;
use domain::ids::StaffLoginId;
use domain::staff::{Capability, Role};
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::app::App;
use platform::error::Error;
use platform::router::Routes;
use platform::slice::{Slice, StaffAccounts, StaffEntry};
use platform::staff::Staff;

pub use home::HomePage;
pub use log::LogPage;
pub use machine::MachinePage;
pub use me::PasswordPage;
pub use sign_in::{CodePage, SignInPage};

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/staff", Policy::StaffAny),
        ("/staff/audit", Policy::Staff(Capability::Audit)),
        ("/staff/jobs/{id}/retry", Policy::Staff(Capability::Machine)),
        ("/staff/login", Policy::Public),
        ("/staff/login/code", Policy::Public),
        ("/staff/logout", Policy::Public),
        ("/staff/machine", Policy::Staff(Capability::Machine)),
        ("/staff/me", Policy::StaffAny),
    ],
    tables: &["staff"],
    passing: &["staff_logins"],
    staff: Some(&Accounts),
    staff_navigation: &[
        StaffEntry { href: "/staff/machine", name: "运行", rank: 80, needs: Capability::Machine },
        StaffEntry { href: "/staff/audit", name: "操作日志", rank: 90, needs: Capability::Audit },
    ],
    queues: Some(&machine::AtQueues),
    ..Slice::new("staff")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/staff") view=HomePage/>
        <Route path=path!("/staff/audit") view=LogPage/>
        <Route path=path!("/staff/login") view=SignInPage/>
        <Route path=path!("/staff/login/code") view=CodePage/>
        <Route path=path!("/staff/machine") view=MachinePage/>
        <Route path=path!("/staff/me") view=PasswordPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/staff/login", post(sign_in::with_password))
        .route("/staff/login/code", post(sign_in::with_code))
        .route("/staff/logout", post(sign_in::sign_out))
        .route("/staff/me", post(me::change))
        .route("/staff/jobs/{id}/retry", post(machine::retry))
}

/// Lets somebody in who may do everything, for the demo.
pub async fn demo(app: &App, name: &str, password: &str) -> Result<(), Error> {
    let account =
        commands::new_account(app, name, &[Role::Owner], password).await.map_err(Error::internal)?;
    let mut tx = app.db.begin().await?;
    store::insert(&mut tx, &account).await?;
    Ok(tx.commit().await?)
}

/// See [`StaffAccounts`].
#[derive(Debug)]
pub struct Accounts;

#[async_trait::async_trait]
impl StaffAccounts for Accounts {
    async fn by_login(&self, app: &App, login: &StaffLoginId) -> Result<Option<Staff>, Error> {
        let found = store::by_login(&app.db, login).await?;
        found.filter(|found| found.proven_at.is_some()).map(store::Found::staff).transpose()
    }

    async fn proves(&self, app: &App, parts: &Parts, staff: &Staff, code: &str) -> Result<bool, Error> {
        let Some(found) = store::by_login(&app.db, &staff.login).await? else { return Ok(false) };
        sign_in::shows_code(app, parts, &found, code).await
    }
}

/// A name as it is stored and looked up, whatever somebody typed.
fn account_name(typed: &str) -> String {
    domain::typed::typed(typed).to_lowercase()
}
