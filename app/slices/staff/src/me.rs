//! /staff/me: one's own password, and the way to one's other ways in.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::error::Error;
use leptos::prelude::*;
use serde_json::json;
use web::app::App;
use web::render::{self, loaded, use_form};
use web::staff::{Staff, asks_code, here};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field};
use web::ui::staff::{StaffShell, said};

use super::clerks::Code;
use super::oidc::{self, CompanyAccount};
use super::store;

/// Where it is.
pub const PATH: &str = "/staff/me";

/// POST /staff/me: every other login of the same name ends.
pub async fn change(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let typed = form.all("password").next().unwrap_or("").to_owned();
    form.forget("password");
    let password = domain::password::check(&typed, &[&staff.name]);
    if let Err(reason) = &password {
        form.refuse("password", reason.to_string());
    }
    asks_code(&app, &parts, &staff, &mut form).await?;
    let Some(password) = password.ok().filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, PATH, form).await;
    };
    let hash = accounts::hash_password(&app, password).await?;
    let mut tx = app.db.begin().await?;
    store::set_password(&mut tx, staff.id.as_str(), &hash, Some(&staff.login)).await?;
    audit::note(&mut tx, "staff password", staff.id.as_str(), &json!({})).await?;
    tx.commit().await?;
    Ok(Redirect::to(&said(PATH, true)).into_response())
}

/// GET /staff/me.
#[component]
pub fn PasswordPage() -> impl IntoView {
    let here = here();
    // of the two forms on it
    let is_sent = !oidc::is_sent(&use_form());
    let load = async move {
        let here = here?;
        let account = oidc::of_clerk(&here.app, here.staff.id.as_str()).await?;
        Ok((here, account))
    };
    loaded(load, move |(here, account)| {
        let name = here.staff.name.clone();
        let roles = here.staff.roles_named();
        view! {
            <StaffShell title="我的账号".to_owned() assets=&["staff.css"]>
                <header class="head"><div><h1>"我的账号"</h1><p class="quiet">{name.clone()}" · "{roles}</p></div></header>
                <ErrorSummary title="还没有修改"/>
                <form class="sheet fields narrow" method="post" action=PATH>
                    <h2>"改密码"</h2>
                    <input class="sr" type="text" name="username" value=name autocomplete="username" tabindex="-1" aria-hidden="true" readonly/>
                    <Field name="password" label="新密码" kind="password" most=128 autocomplete="new-password" required=true/>
                    <p class="hint">"至少 8 个字符，长一点比复杂更安全。修改后，其他浏览器上的登录都会退出。"</p>
                    <Code place="password".to_owned() is_sent/>
                    <button class="button primary">"修改密码"</button>
                </form>
                <section class="sheet narrow">
                    <h2>"通行密钥"</h2>
                    <p>"用指纹、面容或锁屏密码登录后台，不再要密码和动态验证码。"</p>
                    <p><a class="button" href=super::passkeys::PATH>"管理通行密钥"</a></p>
                </section>
                {account.map(|account| view! { <CompanyAccount account/> })}
            </StaffShell>
        }
    })
}
