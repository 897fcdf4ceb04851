//! /manager/userInfo/password: another password, for a member who knows the one it has.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use leptos::prelude::*;
use tower_sessions::Session;
use web::app::App;
use web::render::{Form, here, loaded, unkept, use_query};
use web::session::{self, Member};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field};
use web::ui::shell::Shell;

use super::sign_ins::Way;
use super::{logins, notices, password, sign_in_form, store};

/// Where passwords are changed.
pub const PATH: &str = "/manager/userInfo/password";

/// Whether the form's field `current` holds the member's password; otherwise the form's page again, with the reason
/// beside the field. It never comes back. A wrong one counts like a failed sign-in.
pub async fn knows_password(
    app: &App,
    parts: &Parts,
    place: &str,
    form: &mut Form,
    member: &Member,
) -> Result<Result<(), Response>, Error> {
    let current = form.all("current").next().unwrap_or("").to_owned();
    form.forget("current");
    if current.is_empty() {
        form.refuse("current", "请输入当前密码");
    }
    // what else is wrong is said first: no try is lost for it
    if !form.is_refused() {
        match logins::check_password(app, parts, Way::Confirmation, &member.account, current).await {
            Ok(Some(_)) => return Ok(Ok(())),
            Ok(None) => form.refuse("current", "当前密码不正确"),
            Err(error @ Error::TooMany(wait)) => {
                form.refuse("", error.message());
                return sign_in_form::show_later(app, parts.clone(), place, form.clone(), wait.seconds)
                    .await
                    .map(Err);
            }
            Err(error) => return Err(error),
        }
    }
    sign_in_form::show(app, parts.clone(), place, form.clone()).await.map(Err)
}

/// POST /manager/userInfo/password: every other login of the member ends, this one gets a new session id.
pub async fn answer(
    State(app): State<App>,
    session: Session,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let known = [&member.phone, &member.email].into_iter().flatten().map(String::as_str);
    let names: Vec<&str> = known.chain([member.name.as_str()]).collect();
    let secret = sign_in_form::new_password_in(&mut form, &names);
    if let Err(refusal) = knows_password(&app, &parts, PATH, &mut form, &member).await? {
        return Ok(refusal);
    }
    let hash = password::hash(&app, secret).await?;
    let holder = store::contacts::holder_by_id(&app.db, &member.id).await?;
    let mut tx = app.db.begin().await?;
    store::contacts::set_password(&mut tx, &member.id, &hash, Some(&member.login)).await?;
    notices::password_changed(&app, &mut tx, &holder).await?;
    tx.commit().await?;
    app.bell.ring();
    session::renew(&session).await?;
    Ok(Redirect::to("/manager/userInfo/password?changed=1").into_response())
}

/// GET /manager/userInfo/password
#[component]
pub fn PasswordPage() -> impl IntoView {
    unkept();
    let here = here();
    let changed = use_query("changed").is_some();
    loaded(async move { here }, move |here| {
        let member = here.member;
        let account = member.account.clone();
        let done = changed.then(|| {
            view! { <p class="notice good" role="status">"密码已修改，其他设备上的登录都已退出。"</p> }
        });
        view! {
            <Shell member title="修改密码".to_owned() assets=&["accounts.css"]>
                <section class="account-form">
                    <h1>"修改密码"</h1>
                    {done}
                    <ErrorSummary title="还没有修改"/>
                    <form class="fields trim" method="post" action=PATH>
                        // password managers need to know whose password it is
                        <input class="sr" type="text" name="username" value=account autocomplete="username" tabindex="-1" aria-hidden="true" readonly/>
                        <Field
                            name="current"
                            label="当前密码"
                            kind="password"
                            most=128
                            autocomplete="current-password"
                            required=true
                        />
                        <Field name="password" label="新密码" kind="password" most=128 autocomplete="new-password" required=true/>
                        <p class="hint">"至少 8 个字符，长一点比复杂更安全。修改后，其他设备上的登录都会退出。"</p>
                        <button class="button primary">"修改密码"</button>
                    </form>
                    <p><a class="link" href="/manager/userInfo">"返回资料"</a></p>
                </section>
            </Shell>
        }
    })
}
