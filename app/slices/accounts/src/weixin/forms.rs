//! To weixin and back, and what members decide about it.

use axum::Extension;
use axum::extract::{Query, RawForm, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use domain::return_path;
use serde::Deserialize;
use tower_sessions::Session;

use super::client::Failure;
use super::state::{self, Begun, CALLBACK, Intent};
use super::{BINDING, Binding, CLOSED, PROFILE, Trouble, WAY, Weixin, share, store};
use crate::forms::proven;
use crate::logins::{self, BeganBy};
use crate::sign_in_form::{self, SignIn};
use crate::sign_ins::Way;
use crate::{attempts, interrupted, second_factor};
use platform::access::Policy;
use platform::app::App;
use platform::client;
use platform::db::now_ms;
use platform::error::Error;
use platform::render::{self, Form};
use platform::route::Route;
use platform::session::{Member, Visitor};
use platform::ui::forms::read_form;

/// The longest code that is handed on, in bytes; real ones have 32.
const LONGEST_CODE: usize = 512;

/// Weixin's own numbers for a code that is wrong, or was used.
const CODE_REFUSED: [i64; 2] = [40029, 40163];

/// What weixin leads back with, and members' forms. The sign-in page's own forms are posted to the sign-in page.
pub const ROUTES: &[Route] = &[
    Route::new(CALLBACK, Policy::Public).handled(|| get(callback)),
    Route::new("/weixin/share", Policy::Public).handled(|| get(share::sign)),
    Route::new("/manager/userInfo/weixin/binding", Policy::Member).handled(|| post(begin_binding)),
    Route::new("/manager/userInfo/weixin/unbinding", Policy::Member).handled(|| post(unbind)),
];

/// The sign-in page's 微信登录: leads to weixin, and from there to the page first asked for. What was typed there waits
/// in the session; since nobody is signed in yet, that counts among the address's tries.
pub async fn start(app: &App, session: &Session, parts: Parts, mut form: Form) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    match super::begin_sign_in(app, &parts.headers, &sign_in.asked)? {
        Some(beginning) => {
            let typed = form.get(interrupted::FIELD);
            if !typed.is_empty() {
                match attempts::start_anywhere(app, &client::address(app, &parts)).await {
                    Ok(_) => interrupted::wait(session, &sign_in.asked, typed).await?,
                    Err(error @ Error::TooMany(wait)) => {
                        form.refuse("", error.message());
                        return sign_in_form::show_later(app, parts, &sign_in.place, form, wait.seconds)
                            .await;
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(lead_to(beginning))
        }
        None => {
            form.refuse("", CLOSED);
            render::again(app, parts, &sign_in.place, form).await
        }
    }
}

fn lead_to(beginning: super::Beginning) -> Response {
    ([beginning.cookie], Redirect::to(&beginning.address)).into_response()
}

/// What weixin leads back with.
#[derive(Deserialize, Default)]
struct Returned {
    #[serde(default)]
    state: String,
    /// Absent when the person did not agree.
    #[serde(default)]
    code: String,
}

/// Why a login ends here.
enum Stop {
    Trouble(Trouble),
    Failed(Error),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(errcode) if CODE_REFUSED.contains(&errcode) => Trouble::Refused.into(),
            failure => {
                tracing::warn!(%failure, "A login with weixin failed");
                Trouble::Silent.into()
            }
        }
    }
}

/// GET /manager/login_weixin: somebody comes back from weixin. Whatever happens, the answer is a redirect, so that code
/// and state stay in no address bar.
async fn callback(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    session: Session,
    parts: Parts,
) -> Result<Response, Error> {
    let weixin = super::of(&app)?;
    let Some(weixin) = weixin.as_ref() else { return Err(Error::NotFound) };
    let Query(returned) = Query::<Returned>::try_from_uri(&parts.uri).unwrap_or_default();
    let begun = Begun::of(&parts.headers, app.key.as_bytes(), app.config.secure_cookies);
    let begun = begun.filter(|begun| begun.nonce == returned.state);
    let Some(begun) = begun else {
        // a login that may be under way in this browser is left alone
        return Ok(Redirect::to(&way_in(return_path::LOGIN, WAY, Some(Trouble::Unknown))).into_response());
    };
    let now = now_ms();
    let settled = if !store::use_state(&app.db, &begun.nonce, now).await? {
        Err(Trouble::Unknown.into())
    } else if now > begun.expires_at {
        Err(Trouble::Late.into())
    } else if returned.code.is_empty() || returned.code.len() > LONGEST_CODE {
        Err(Trouble::Denied.into())
    } else {
        match &begun.intent {
            Intent::SignIn(back) => sign_in(&app, weixin, &session, &parts, &returned.code, back).await,
            Intent::Bind(member) => match &visitor.0 {
                Some(present) if present.id == *member => {
                    bind_own(&app, weixin, present, &returned.code).await
                }
                _ => Err(Trouble::OtherMember.into()),
            },
        }
    };
    let place = match (settled, &begun.intent) {
        (Ok(place), _) => place,
        (Err(Stop::Failed(error)), _) => return Err(error),
        (Err(Stop::Trouble(trouble)), Intent::SignIn(back)) => {
            way_in(&return_path::login_address(back), WAY, Some(trouble))
        }
        (Err(Stop::Trouble(trouble)), Intent::Bind(_)) => {
            format!("{PROFILE}?weixin={}#weixin", trouble.name())
        }
    };
    let cookie = state::no_cookie(app.config.secure_cookies)?;
    Ok(([(axum::http::header::SET_COOKIE, cookie)], Redirect::to(&place)).into_response())
}

/// A way of the sign-in page.
fn way_in(page: &str, way: &str, trouble: Option<Trouble>) -> String {
    let trouble = trouble.map(|trouble| format!("&trouble={}", trouble.name())).unwrap_or_default();
    format!("{page}?way={way}{trouble}")
}

/// Signs in whose weixin it is; anybody else's waits for the binding page. Answers where to go.
async fn sign_in(
    app: &App,
    weixin: &Weixin,
    session: &Session,
    parts: &Parts,
    code: &str,
    back: &str,
) -> Result<String, Stop> {
    let grant = weixin.grant(code).await?;
    let mut known = store::member_of(&app.db, &grant.openid, grant.unionid.as_deref()).await?;
    if known.is_none() {
        let identity = weixin.person(grant).await?;
        // this answer may name the person for all applications where the first did not
        known = store::member_of(&app.db, &identity.openid, identity.unionid.as_deref()).await?;
        if known.is_none() {
            super::keep_pending(session, identity).await?;
            return Ok(way_in(&return_path::login_address(back), BINDING, None));
        }
    }
    if let Some(member) = known {
        if second_factor::is_on(app, &member).await? {
            second_factor::begin(app, session, parts, &member, BeganBy::Weixin, false).await?;
            return Ok(second_factor::place(&return_path::login_address(back)));
        }
        logins::enter(app, session, &member, BeganBy::Weixin, parts).await?;
    }
    Ok(back.to_owned())
}

/// Binds a weixin to the member who began this in its profile. Answers where to go.
async fn bind_own(app: &App, weixin: &Weixin, member: &Member, code: &str) -> Result<String, Stop> {
    let identity = weixin.person(weixin.grant(code).await?).await?;
    match store::bind(&app.db, &member.id, &identity, now_ms()).await? {
        Binding::Bound => Ok(format!("{PROFILE}?weixin=bound#weixin")),
        Binding::Taken => Err(Trouble::Taken.into()),
        Binding::HasAnother => Err(Trouble::HasAnother.into()),
    }
}

/// The sign-in page's binding form: an account of ours, proved by its password, gets the weixin that waits in the
/// session.
pub async fn bind(app: &App, session: &Session, parts: Parts, mut form: Form) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    if super::pending(session).await?.is_none() {
        form.refuse("", super::OVER);
        return render::again(app, parts, &sign_in.place, form).await;
    }
    let member = match proven(app, &parts, &sign_in.place, &mut form).await? {
        Ok(member) => member,
        Err(refusal) => return Ok(refusal),
    };
    // a new way into the account needs all that the account asks for
    if second_factor::is_on(app, &member).await? {
        second_factor::begin(app, session, &parts, &member, BeganBy::Password, true).await?;
        return second_factor::ask(app, parts, &form).await;
    }
    match super::bind_now(app, session, &member).await? {
        Ok(()) => sign_in.enter(app, session, &parts, &member, BeganBy::Password).await,
        Err(trouble) => {
            form.refuse("", trouble.message());
            render::again(app, parts, &sign_in.place, form).await
        }
    }
}

/// The name of the password's field in the profile, which has other forms.
pub const PASSWORD: &str = "weixin_password";

/// POST /manager/userInfo/weixin/binding: leads to weixin. A new way into the account asks for the password, however
/// the session began.
async fn begin_binding(
    State(app): State<App>,
    member: Member,
    headers: HeaderMap,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let secret = form.all(PASSWORD).next().unwrap_or("").to_owned();
    form.forget(PASSWORD);
    if super::is_bound(&app, &member.id).await? {
        form.refuse("", Trouble::HasAnother.message());
    } else if secret.is_empty() {
        form.refuse(PASSWORD, "请输入密码");
    } else {
        match logins::check_password(&app, &parts, Way::Confirmation, &member.account, secret).await {
            Ok(Some(proved)) if proved == member.id => {
                match super::begin(&app, &headers, Intent::Bind(proved))? {
                    Some(beginning) => return Ok(lead_to(beginning)),
                    None => form.refuse("", CLOSED),
                }
            }
            Ok(_) => form.refuse(PASSWORD, "密码不正确"),
            Err(error @ Error::TooMany(_)) => form.refuse(PASSWORD, error.message()),
            Err(error) => return Err(error),
        }
    }
    render::again(&app, parts, PROFILE, form).await
}

/// POST /manager/userInfo/weixin/unbinding.
async fn unbind(State(app): State<App>, member: Member) -> Result<Redirect, Error> {
    let outcome = match super::unbind(&app, &member.id).await {
        Ok(true) => "unbound",
        Ok(false) => "not_bound",
        Err(error) => {
            tracing::error!(%error, "A weixin could not be unbound");
            "not_unbound"
        }
    };
    Ok(Redirect::to(&format!("{PROFILE}?weixin={outcome}#weixin")))
}
