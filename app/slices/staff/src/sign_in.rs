//! Signing in: the password, then the code of one's own device; at the first time the secret for that device.

use axum::extract::{RawForm, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::metrics;
use domain::clerk::sign_in_name;
use domain::ids::StaffLoginId;
use leptos::prelude::*;
use serde_json::json;
use tower_sessions::Session;
use web::app::App;
use web::client;
use web::render::{self, loaded, use_query};
use web::staff::{self, HOME, LOGIN};
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field};
use web::ui::qr;
use web::ui::shell::{Head, Mark};

use super::oidc;
use super::passkeys::{self, AtTheDoor};
use super::store::{self, Found};

/// Where the code is asked for.
pub const CODE: &str = "/staff/login/code";

/// Where somebody arrives: the page that was asked for.
pub fn next(query: Option<String>) -> String {
    query.filter(|next| staff::is_own(next)).unwrap_or_else(|| HOME.to_owned())
}

/// The same of a request.
pub fn next_of(parts: &Parts) -> String {
    let pairs: Vec<(String, String)> =
        serde_urlencoded::from_str(parts.uri.query().unwrap_or_default()).unwrap_or_default();
    next(pairs.into_iter().find(|(name, _)| name == "next").map(|(_, next)| next))
}

/// A page on the way to where somebody arrives.
pub fn with_next(page: &str, next: &str) -> String {
    if next == HOME { page.to_owned() } else { base::lists::address(page, &[("next", next)]) }
}

/// POST /staff/login: the name and the password.
pub async fn with_password(
    State(app): State<App>,
    session: Session,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let next = next_of(&parts);
    let page = with_next(LOGIN, &next);
    let name = sign_in_name(form.get("name"));
    let secret = form.all("password").next().unwrap_or("").to_owned();
    form.forget("password");
    if name.is_empty() {
        form.refuse("name", "请输入登录名");
    }
    if secret.is_empty() {
        form.refuse("password", "请输入密码");
    }
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    let attempt = match accounts::start_staff(&app, &name, &parts).await {
        Ok(attempt) => attempt,
        Err(error @ Error::TooMany(_)) => {
            metrics::sign_in_failed("staff", "throttled");
            form.refuse("", error.message());
            let mut answer = render::again(&app, parts, &page, form).await?;
            *answer.status_mut() = StatusCode::TOO_MANY_REQUESTS;
            return Ok(answer);
        }
        Err(error) => return Err(error),
    };
    let account =
        store::by_name(&app.db, form.get("name")).await?.filter(|account| account.ended_at.is_none());
    let hash = account.as_ref().map(|account| account.password_hash.clone());
    let is_right = accounts::password_matches(&app, secret, hash).await?;
    let Some(account) = account.filter(|_| is_right) else {
        metrics::sign_in_failed("staff", "password");
        form.refuse("", "登录名或密码不正确");
        return render::again(&app, parts, &page, form).await;
    };
    attempt.succeeded(&app).await?;
    let login: StaffLoginId = new_id();
    let (device, address) = (accounts::device(&parts.headers), client::address(&app, &parts));
    store::insert_login(&app.db, &login, &account.id, &device, &address).await?;
    staff::sign_in(&session, &login).await?;
    Ok(Redirect::to(&with_next(CODE, &next)).into_response())
}

/// Whether a code is the one that somebody's device shows now; each counts once, and guessing gets slower.
pub async fn shows_code(app: &App, parts: &Parts, found: &Found, code: &str) -> Result<bool, Error> {
    let id = &found.account.id;
    let attempt = accounts::start_staff(app, &format!("code {id}"), parts).await?;
    let code = domain::typed::code(code);
    let right = match accounts::step_of(app, id, &found.account.sealed, &code)? {
        Some(step) => store::use_step(&app.db, id, step).await?,
        None => false,
    };
    if right {
        attempt.succeeded(app).await?;
    } else {
        metrics::sign_in_failed("staff", "code");
    }
    Ok(right)
}

/// Who waits in this session to show its code.
async fn waiting(app: &App, session: &Session) -> Result<Option<Found>, Error> {
    match staff::login(session).await? {
        Some(login) => Ok(store::by_login(&app.db, &login).await?.filter(|found| found.proven_at.is_none())),
        None => Ok(None),
    }
}

/// POST /staff/login/code.
pub async fn with_code(
    State(app): State<App>,
    session: Session,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let next = next_of(&parts);
    let Some(found) = waiting(&app, &session).await? else {
        return Ok(Redirect::to(&with_next(LOGIN, &next)).into_response());
    };
    let code = form.get("code").to_owned();
    form.forget("code");
    if code.is_empty() {
        form.refuse("code", "请输入动态验证码");
    } else {
        match shows_code(&app, &parts, &found, &code).await {
            Ok(true) => {}
            Ok(false) => {
                form.refuse("code", "验证码不正确，或已经用过。每 30 秒换一个，请输入新的；手机的时间也要准")
            }
            Err(error @ Error::TooMany(_)) => form.refuse("", error.message()),
            Err(error) => return Err(error),
        }
    }
    if form.is_refused() {
        return render::again(&app, parts, &with_next(CODE, &next), form).await;
    }
    let (name, id) = (found.account.name, found.account.id);
    let address = client::address(&app, &parts);
    let signed_in = async {
        let mut tx = app.db.begin().await?;
        store::prove(&mut tx, &found.login, &id, now_ms()).await?;
        audit::note(&mut tx, "staff sign-in", &id, &json!({ "address": address })).await?;
        Ok::<_, Error>(tx.commit().await?)
    };
    audit::acting(&name, signed_in).await.0?;
    // what was planted before the code was shown is worth nothing
    web::session::renew(&session).await?;
    Ok(Redirect::to(&next).into_response())
}

/// POST /staff/logout.
pub async fn sign_out(State(app): State<App>, session: Session) -> Result<Response, Error> {
    if let Some(login) = staff::login(&session).await? {
        store::delete_login(&app.db, &login).await?;
        staff::sign_out(&session).await?;
    }
    Ok(Redirect::to(LOGIN).into_response())
}

/// The frame of the pages before somebody is in.
#[component]
pub fn Door(
    #[prop(into)] title: String,
    #[prop(default = &["staff.css"])] assets: &'static [&'static str],
    children: Children,
) -> impl IntoView {
    view! {
        <Head title=title.clone() assets/>
        <main id="main" class="staff-door" tabindex="-1">
            <p class="brand"><Mark/>"书坊"<span class="badge">"后台"</span></p>
            <section class="sheet"><h1>{title}</h1>{children()}</section>
        </main>
    }
}

/// GET /staff/login.
#[component]
pub fn SignInPage() -> impl IntoView {
    let next = next(use_query("next"));
    let (action, by_passkey) = (with_next(LOGIN, &next), with_next(passkeys::ANSWER, &next));
    let app = use_context::<App>();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            store::is_anybody(&app.db).await
        },
        move |is_anybody| {
            let nobody = (!is_anybody).then(|| {
                view! {
                    <p class="notice">
                        "后台还没有人：请在服务器上运行 "<code>"bindery setup"</code>"，它会给第一位站长一个链接。"
                    </p>
                }
            });
            view! {
            <Door title="登录后台" assets=&["staff.css", "passkeys.js"]>
                {nobody}
                <ErrorSummary title="还没有登录"/>
                <form class="fields" method="post" action=action>
                    <Field name="name" label="登录名" most=30 autocomplete="username webauthn" required=true/>
                    <Field name="password" label="密码" kind="password" most=128 autocomplete="current-password" required=true/>
                    <button class="button primary wide">"下一步"</button>
                </form>
                <AtTheDoor action=by_passkey/>
                <oidc::AtTheDoor next/>
                <p class="hint">"账号由站长开通，凭邀请链接设置。会员请从"<a class="link" href="/manager/login">"会员登录"</a>"进来。"</p>
            </Door>
                }
        },
    )
}

/// GET /staff/login/code. Where nobody waits it leads back.
#[component]
pub fn CodePage() -> impl IntoView {
    let next = next(use_query("next"));
    let session = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Session>().cloned());
    let app = use_context::<App>();
    loaded(
        async move {
            let app = app.ok_or_else(|| Error::internal("a page outside a request"))?;
            let Some(session) = session else { return Ok(None) };
            let Some(found) = waiting(&app, &session).await? else { return Ok(None) };
            if found.account.on_since.is_some() {
                return Ok(Some(None));
            }
            let account = &found.account;
            let secret = accounts::open_secret(app.key.as_bytes(), &account.id, &account.sealed)?;
            let (address, secret) = accounts::enrolment(&format!("后台 {}", account.name), secret);
            Ok(Some(Some((qr::picture(&address, "给验证器扫的二维码")?, secret))))
        },
        move |waiting: Option<Option<(String, String)>>| {
            let Some(first) = waiting else {
                let back = with_next(LOGIN, &next);
                return view! {
                    <Door title="请重新登录">
                        <p>"登录已经过期，或者已在别处退出。"</p>
                        <p><a class="button primary" href=back>"去登录"</a></p>
                    </Door>
                }
                .into_any();
            };
            let is_first = first.is_some();
            let secret = first.map(|(code, secret)| {
                view! {
                    <p>"第一次登录：请用手机里的验证器（任何支持 TOTP 的 App）扫这个二维码，再输入它显示的六位数字。"</p>
                    <div class="code" inner_html=code></div>
                    <p class="hint">"不能扫码时，在验证器里手工输入："<br/><span class="num">{secret}</span></p>
                }
            });
            view! {
                <Door title=if is_first { "绑定验证器" } else { "输入动态验证码" }>
                    <ErrorSummary title="还没有登录"/>
                    {secret}
                    <form class="fields" method="post" action=with_next(CODE, &next)>
                        <Field
                            name="code" label="动态验证码" inputmode="numeric" autocomplete="one-time-code" most=8
                            required=true
                        />
                        <button class="button primary wide">"登录"</button>
                    </form>
                </Door>
            }
            .into_any()
        },
    )
}
