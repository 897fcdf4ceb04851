//! Signing in and out.

use axum::Extension;
use axum::extract::{RawForm, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::ids::MemberId;
use domain::return_path;
use tower_sessions::Session;
use web::app::App;
use web::render::{self, Form};
use web::session::{self, Visitor};
use web::ui::forms::read_form;

use super::logins::{self, BeganBy};
use super::sign_in_form::{self, SignIn};
use super::sign_ins::Way;
use super::third_party::Kind;
use super::{
    closing, interrupted, normal_account, oidc, passkeys, recovery, registration, scan, second_factor,
    third_party, weixin,
};

/// Answers a form that a signed-out caller sent to a member's address: the sign-in page, with what was typed. Other
/// requests are led there empty-handed.
pub async fn sign_in_first(app: &App, request: Request, sign_in: &str) -> Response {
    let (parts, body) = request.into_parts();
    if let Some(typed) = interrupted::typed(Request::from_parts(parts.clone(), body)).await {
        match closing::answered_before(app, &parts, &typed).await {
            Ok(Some(answer)) => return answer,
            Ok(None) => {}
            Err(error) => return error.into_response(),
        }
        let mut form = Form::sent([(interrupted::FIELD.to_owned(), typed)]);
        form.set_note("登录已过期，请重新登录；刚才填写的内容会保留。");
        return match render::again(app, parts, sign_in, form).await {
            Ok(mut response) => {
                *response.status_mut() = StatusCode::UNAUTHORIZED;
                response
            }
            Err(error) => error.into_response(),
        };
    }
    Redirect::to(sign_in).into_response()
}

/// POST of the sign-in page, at whichever address it stands; the field `way` says which of its forms was sent.
pub async fn sign_in(
    State(app): State<App>,
    session: Session,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let form = read_form(&body)?;
    if form.get(sign_in_form::STEP) == sign_in_form::BEGIN {
        let carried = Form::sent([(interrupted::FIELD.to_owned(), form.get(interrupted::FIELD).to_owned())]);
        let place = SignIn::of(&parts).place;
        return sign_in_form::show(&app, parts, &place, carried).await;
    }
    match form.get("way") {
        scan::WAY => with_phone(&app, &session, parts, form).await,
        registration::WAY => registration::answer(&app, &session, parts, form).await,
        recovery::WAY => recovery::answer(&app, &session, parts, form).await,
        weixin::WAY => weixin::start(&app, &session, parts, form).await,
        oidc::WAY => oidc::start(&app, &session, parts, form).await,
        passkeys::WAY => passkeys::answer(&app, &session, parts, form).await,
        second_factor::WAY => second_factor::answer(&app, &session, parts, form).await,
        way => match Kind::bound_by(way) {
            Some(kind) => third_party::answer(&app, &session, parts, form, kind).await,
            None => with_password(&app, &session, parts, form).await,
        },
    }
}

async fn with_phone(app: &App, session: &Session, parts: Parts, mut form: Form) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    match scan::claim(app, &parts, form.get("ask")).await? {
        Ok(member) => arrive(app, session, parts, &sign_in, &member, BeganBy::Qr, &form).await,
        Err(reason) => {
            form.refuse("", reason);
            sign_in_form::show(app, parts, &sign_in.place, form).await
        }
    }
}

async fn with_password(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    let member = match proven(app, &parts, &sign_in.place, &mut form).await? {
        Ok(member) => member,
        Err(refusal) => return Ok(refusal),
    };
    arrive(app, session, parts, &sign_in, &member, BeganBy::Password, &form).await
}

/// Lets a member in, or asks for the code that it has to show. A phone that is signed in and confirmed is enough.
pub async fn arrive(
    app: &App,
    session: &Session,
    parts: Parts,
    sign_in: &SignIn,
    member: &MemberId,
    by: BeganBy,
    form: &Form,
) -> Result<Response, Error> {
    if by != BeganBy::Qr && second_factor::is_on(app, member).await? {
        second_factor::begin(app, session, &parts, member, by, false).await?;
        return second_factor::ask(app, parts, form).await;
    }
    let_in(app, session, parts, sign_in, member, by, form).await
}

/// Signs a member in and leads on, or shows again what was typed in a form whose session had ended.
pub async fn let_in(
    app: &App,
    session: &Session,
    mut parts: Parts,
    sign_in: &SignIn,
    member: &MemberId,
    by: BeganBy,
    form: &Form,
) -> Result<Response, Error> {
    if form.get(interrupted::FIELD).is_empty() {
        return sign_in.enter(app, session, &parts, member, by).await;
    }
    let login = logins::enter(app, session, member, by, &parts).await?;
    let kept = interrupted::form(form.get(interrupted::FIELD))?;
    parts.extensions.insert(Visitor(logins::member(app, &login).await?));
    render::again(app, parts, &sign_in.asked, kept).await
}

/// The member whose account and password a form holds; otherwise the form's page again, with the reason.
pub async fn proven(
    app: &App,
    parts: &Parts,
    page: &str,
    form: &mut Form,
) -> Result<Result<MemberId, Response>, Error> {
    let account = normal_account(form.get("account"));
    let secret = form.all("password").next().unwrap_or("").to_owned();
    form.forget("password");
    if account.is_empty() {
        form.refuse("account", "请输入账号");
    }
    if secret.is_empty() {
        form.refuse("password", "请输入密码");
    }
    if !form.is_refused() {
        match logins::check_password(app, parts, Way::Browser(BeganBy::Password), &account, secret).await {
            Ok(Some(member)) => return Ok(Ok(member)),
            Ok(None) => form.refuse("", "账号或密码不正确"),
            Err(error @ Error::TooMany(wait)) => {
                form.refuse("", error.message());
                return sign_in_form::show_later(app, parts.clone(), page, form.clone(), wait.seconds)
                    .await
                    .map(Err);
            }
            Err(error) => return Err(error),
        }
    }
    sign_in_form::show(app, parts.clone(), page, form.clone()).await.map(Err)
}

/// POST /manager/logout.
pub async fn sign_out(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    session: Session,
) -> Result<impl IntoResponse, Error> {
    if let Some(member) = visitor.0 {
        logins::end(&app, &member).await?;
    }
    session::sign_out(&session).await?;
    Ok((session::forgets(&app), Redirect::to(return_path::LOGIN)))
}
