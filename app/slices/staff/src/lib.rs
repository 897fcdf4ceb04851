//! The back office 后台: who works in it, how one signs in, what waits, what was done, how the machine is.
//!
//! Not here: what is done to orders, payments, invoices, members and reports. Their slices have those pages and say so in
//! their `SLICE`, like their queues.

mod clerks;
mod close;
mod commands;
mod exports;
mod home;
mod invitation;
mod log;
mod machine;
mod me;
mod oidc;
mod passkeys;
mod read_only;
pub mod setup;
mod sign_in;
mod store;

use axum::http::request::Parts;
use axum::response::Redirect;
use axum::routing::{get, post};
use base::error::Error;
use domain::ids::StaffLoginId;
use domain::staff::{Capability, Role};
use leptos::prelude::*;
use openid::OF_CLERKS;
use web::access::Policy;
use web::app::App;
use web::demo;
use web::route::Route;
use web::slice::{Colleague, Slice, StaffAccounts, StaffEntry};
use web::staff::{HOME, Staff};

pub use home::HomePage;
pub use log::LogPage;
pub use machine::MachinePage;
pub use me::PasswordPage;
pub use sign_in::{CodePage, SignInPage};

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/staff", Policy::StaffAny).page(|| HomePage().into_any()),
    Route::new("/staff/", Policy::StaffAny).handled(|| get(|| async { Redirect::to(HOME) })),
    Route::new("/staff/audit", Policy::Staff(Capability::Audit)).page(|| LogPage().into_any()),
    Route::new("/staff/close", Policy::Staff(Capability::Payments)).page(|| close::ClosePage().into_any()),
    Route::new("/staff/close/{month}", Policy::Staff(Capability::Payments))
        .page(|| close::MonthPage().into_any()),
    Route::new("/staff/close/{month}/ask", Policy::Staff(Capability::Payments)).handled(|| post(close::ask)),
    Route::new("/staff/close/{month}/decide", Policy::Staff(Capability::Payments))
        .handled(|| post(close::decide)),
    Route::new(clerks::LIST, Policy::Staff(Capability::Clerks))
        .page(|| clerks::ClerksPage().into_any())
        .handled(|| post(clerks::add)),
    Route::new("/staff/clerks/requests/{id}", Policy::Staff(Capability::Clerks))
        .handled(|| post(clerks::decide)),
    Route::new("/staff/clerks/{id}", Policy::Staff(Capability::Clerks))
        .page(|| clerks::ClerkPage().into_any())
        .handled(|| post(clerks::change)),
    Route::new("/staff/exports", Policy::Staff(Capability::SeeOrders))
        .page(|| exports::ExportsPage().into_any())
        .handled(|| post(exports::ask)),
    Route::new("/staff/exports/{id}", Policy::Staff(Capability::SeeOrders)).handled(|| get(exports::fetch)),
    Route::new("/staff/invitation/{token}", Policy::Public)
        .page(|| invitation::InvitationPage().into_any())
        .handled(|| post(invitation::accept))
        .in_read_only(),
    Route::new("/staff/jobs/{id}/retry", Policy::Staff(Capability::Machine)).handled(|| post(machine::retry)),
    Route::new("/staff/login", Policy::Public)
        .page(|| SignInPage().into_any())
        .handled(|| post(sign_in::with_password))
        .in_read_only(),
    Route::new("/staff/login/code", Policy::Public)
        .page(|| CodePage().into_any())
        .handled(|| post(sign_in::with_code))
        .in_read_only(),
    Route::new(oidc::BEGIN, Policy::Public)
        .page(|| oidc::OidcPage().into_any())
        .handled(|| post(oidc::begin))
        .in_read_only(),
    Route::new(OF_CLERKS.back, Policy::Public).handled(|| get(oidc::come_back)),
    Route::new(passkeys::ANSWER, Policy::Public).handled(|| post(passkeys::answer)).in_read_only(),
    Route::new(passkeys::ASKING, Policy::Public).handled(|| post(passkeys::ask)).in_read_only(),
    Route::new("/staff/logout", Policy::Public).handled(|| post(sign_in::sign_out)).in_read_only(),
    Route::new("/staff/machine", Policy::Staff(Capability::Machine)).page(|| MachinePage().into_any()),
    Route::new(read_only::PATH, Policy::Staff(Capability::Machine))
        .handled(|| post(read_only::change))
        .in_read_only(),
    Route::new("/staff/me", Policy::StaffAny).page(|| PasswordPage().into_any()).handled(|| post(me::change)),
    Route::new(oidc::OWN, Policy::StaffAny).handled(|| post(oidc::change)),
    Route::new(passkeys::PATH, Policy::StaffAny)
        .page(|| passkeys::PasskeysPage().into_any())
        .handled(|| post(passkeys::change)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    variables: &[
        &close::TAX_RATES,
        &openid::ISSUER,
        &openid::CLIENT_ID,
        &openid::CLIENT_SECRET,
        &openid::NAME,
        &openid::FOR_MEMBERS,
    ],
    settings: Some(openid::check),
    probe: Some(|asked| Box::pin(openid::probe(asked))),
    routes: &[ROUTES],
    commands: &[web::command!(
        "staff",
        "Manage who works in the back office 后台, at /staff.",
        commands::Command,
        commands::run
    )],
    demo: Some(|app, _| Box::pin(fill_demo(app))),
    tables: &["staff", "staff_requests", "staff_passkeys", "staff_identities", "month_closings"],
    jobs: |handlers| handlers.with::<exports::MakeExport>(),
    background: &[exports::SWEEP],
    passing: &["staff_logins", "exports", "staff_invitations", "staff_turns"],
    staff: Some(&Accounts),
    staff_navigation: &[
        StaffEntry { href: close::LIST, name: "月结", rank: 32, needs: Capability::Payments },
        StaffEntry { href: "/staff/exports", name: "导出", rank: 70, needs: Capability::SeeOrders },
        StaffEntry { href: clerks::LIST, name: "同事", rank: 85, needs: Capability::Clerks },
        StaffEntry { href: "/staff/machine", name: "运行", rank: 80, needs: Capability::Machine },
        StaffEntry { href: "/staff/audit", name: "操作日志", rank: 90, needs: Capability::Audit },
    ],
    audited: &[
        ("export", "导出"),
        ("month ask", "提出结账"),
        ("month close", "同意结账"),
        ("month decline", "不同意或撤回结账"),
        ("read-only begin", "改为只读"),
        ("read-only end", "恢复写入"),
        ("staff change", "账号变更"),
        ("staff add", "开通账号"),
        ("staff roles", "改角色"),
        ("staff remove", "停用账号"),
        ("staff back", "恢复账号"),
        ("staff reset", "重设密码和验证器"),
        ("staff end-logins", "退出所有登录"),
        ("staff invitation", "接受邀请"),
        ("staff sign-in", "登录后台"),
        ("staff password", "修改密码"),
        ("staff passkey-add", "添加通行密钥"),
        ("staff passkey-remove", "移除通行密钥"),
        ("staff passkey-copied", "通行密钥可能被复制"),
        ("staff oidc-link", "连接公司账号"),
        ("staff oidc-unlink", "断开公司账号"),
        ("staff oidc-refused", "公司账号登录被拒"),
    ],
    queues: Some(&machine::AtQueues),
    exports: &[&close::MonthExport],
    ..Slice::new("staff")
};

/// Lets somebody in who may do everything, for the demo.
async fn fill_demo(app: &App) -> Result<(), Error> {
    commands::add(app, demo::STAFF, &[Role::Owner], demo::PASSWORD.to_owned()).await.map_err(Error::internal)
}

/// See [`StaffAccounts`].
#[derive(Debug)]
pub struct Accounts;

#[async_trait::async_trait]
impl StaffAccounts for Accounts {
    async fn all(&self, app: &App) -> Result<Vec<Colleague>, Error> {
        let mut tx = app.db.begin_snapshot().await?;
        let everybody = store::all(&mut tx).await?.into_iter().map(|listed| listed.account);
        everybody
            .filter(|account| account.ended_at.is_none())
            .map(|account| {
                let roles = account.roles()?;
                Ok(Colleague { id: account.id, name: account.name, roles })
            })
            .collect()
    }

    async fn by_login(&self, app: &App, login: &StaffLoginId) -> Result<Option<Staff>, Error> {
        let found = store::by_login(&app.db, login).await?;
        found.filter(|found| found.proven_at.is_some()).map(store::Found::staff).transpose()
    }

    async fn proves(&self, app: &App, parts: &Parts, staff: &Staff, code: &str) -> Result<bool, Error> {
        let Some(found) = store::by_login(&app.db, &staff.login).await? else { return Ok(false) };
        sign_in::shows_code(app, parts, &found, code).await
    }
}
