//! /staff/invitation/{token}: whoever holds a link sets the password and ties the device of its account, in one step, once.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::ids::StaffLoginId;
use leptos::prelude::*;
use serde_json::json;
use tower_sessions::Session;
use web::app::App;
use web::client;
use web::render::{self, Form, loaded, parameter, unkept};
use web::router::Parameter;
use web::staff::{self, HOME, LOGIN};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field};
use web::ui::qr;

use super::clerks::{acts, store as invitations};
use super::sign_in::Door;
use super::store::{self, Account};

/// Where links lead.
pub const PATH: &str = "/staff/invitation";

/// Letters of a link's secret: 32 bytes as base64url.
const TOKEN_LEN: usize = 43;

/// Whom a link is for. Whoever tries one that is none has to wait, after some.
async fn invited(app: &App, parts: &Parts, token: &str) -> Result<Option<Account>, Error> {
    // what no link holds is no guess
    if token.len() != TOKEN_LEN {
        return Ok(None);
    }
    let attempt = accounts::start_anywhere(app, parts).await?;
    let Some(id) = invitations::invited(&app.db, &acts::digest(token), now_ms()).await? else {
        return Ok(None);
    };
    attempt.succeeded(app).await?;
    store::by_id(&app.db, &id).await
}

/// POST /staff/invitation/{token}: `password`, and the `code` that the device shows now.
pub async fn accept(
    State(app): State<App>,
    session: Session,
    Parameter(token): Parameter<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let page = acts::invitation(&token);
    let Some(account) = invited(&app, &parts, &token).await? else {
        // the page says that the link is over
        let mut form = Form::default();
        form.refuse("", OVER);
        return render::again(&app, parts, &page, form).await;
    };
    let mut form = read_form(&body)?;
    let typed = form.all("password").next().unwrap_or("").to_owned();
    form.forget("password");
    let code = domain::typed::code(form.get("code"));
    form.forget("code");
    let password = domain::password::check(&typed, &[&account.name, &account.full_name]);
    if let Err(reason) = &password {
        form.refuse("password", reason.to_string());
    }
    let step = accounts::step_of(&app, &account.id, &account.sealed, &code)?;
    if step.is_none() {
        form.refuse("code", "验证码不正确。请先扫上面的二维码，再输入它现在显示的六位数字；手机的时间也要准");
    }
    let (Ok(password), Some(step)) = (password, step) else {
        return render::again(&app, parts, &page, form).await;
    };
    let hash = accounts::hash_password(&app, password).await?;
    let (login, now): (StaffLoginId, i64) = (new_id(), now_ms());
    let (device, address) = (accounts::device(&parts.headers), client::address(&app, &parts));
    let accepted = async {
        let mut tx = app.db.begin().await?;
        // it was used, or taken back, meanwhile
        if !invitations::use_invitation(&mut tx, &acts::digest(&token), now).await? {
            return Ok(false);
        }
        store::end_logins(&mut tx, &account.id, None).await?;
        store::insert_login_in(&mut tx, &login, &account.id, &device, &address).await?;
        invitations::set_shown(&mut tx, &account.id, &hash, step).await?;
        store::prove(&mut tx, login.as_str(), &account.id, now).await?;
        audit::note(&mut tx, "staff invitation", &account.id, &json!({ "address": address })).await?;
        tx.commit().await?;
        Ok::<_, Error>(true)
    };
    if !audit::acting(&account.name, accepted).await.0? {
        form.refuse("", OVER);
        return render::again(&app, parts, &page, form).await;
    }
    staff::sign_in(&session, &login).await?;
    Ok(Redirect::to(HOME).into_response())
}

const OVER: &str = "这个邀请链接不能用了：已经用过、过了 48 小时，或者换了新的。请让站长再给您一个";

/// What the page shows to whoever has a good link.
struct Shown {
    name: String,
    picture: String,
    secret: String,
}

/// GET /staff/invitation/{token}.
#[component]
pub fn InvitationPage() -> impl IntoView {
    unkept();
    let (app, parts, token) = (use_context::<App>(), use_context::<Parts>(), parameter::<String>("token"));
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let token = token?;
            let Some(account) = invited(&app, &parts, &token).await? else { return Ok(None) };
            let secret = accounts::open_secret(app.key.as_bytes(), &account.id, &account.sealed)?;
            let (address, secret) = accounts::enrolment(&format!("后台 {}", account.name), secret);
            let picture = qr::picture(&address, "给验证器扫的二维码")?;
            Ok(Some((token, Shown { name: account.name, picture, secret })))
        },
        |found: Option<(String, Shown)>| {
            let Some((token, Shown { name, picture, secret })) = found else {
                return view! {
                    <Door title="邀请链接不能用了">
                        <p>{format!("{OVER}。")}</p>
                        <p><a class="button" href=LOGIN>"去登录"</a></p>
                    </Door>
                }
                .into_any();
            };
            view! {
                <Door title="设置后台账号">
                    <ErrorSummary title="还差一点"/>
                    <p>"您的登录名是 "<strong>{name.clone()}</strong>"。请设一个密码，再绑定手机里的验证器（任何支持 TOTP 的 App）。"</p>
                    <div class="code" inner_html=picture></div>
                    <p class="hint">"不能扫码时，在验证器里手工输入："<br/><span class="num">{secret}</span></p>
                    <form class="fields" method="post" action=acts::invitation(&token)>
                        <input class="sr" type="text" name="username" value=name autocomplete="username" tabindex="-1" aria-hidden="true" readonly/>
                        <Field name="password" label="密码" kind="password" most=128 autocomplete="new-password" required=true/>
                        <p class="hint">"至少 8 个字符，长一点比复杂更安全。"</p>
                        <Field
                            name="code" label="验证器显示的动态验证码" inputmode="numeric" autocomplete="one-time-code" most=8
                            required=true
                        />
                        <button class="button primary wide">"设好并登录"</button>
                    </form>
                    <p class="hint">"链接只能用一次，设好以后凭登录名、密码和动态验证码登录。"</p>
                </Door>
            }
            .into_any()
        },
    )
}
