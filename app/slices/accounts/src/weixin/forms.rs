//! To weixin and back, and what members decide about it.

use axum::Extension;
use axum::extract::{Query, RawForm, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use base::db::now_ms;
use base::error::{self, Error};
use domain::return_path;
use serde::Deserialize;
use tower_sessions::Session;
use web::access::Policy;
use web::app::App;
use web::client;
use web::render::{self, Form};
use web::route::Route;
use web::session::{Member, Visitor};
use web::ui::forms::read_form;

use super::client::Failure;
use super::state::{self, Begun, CALLBACK, Intent};
use super::{CLOSED, Trouble, WAY, Weixin, share};
use crate::logins::BeganBy;
use crate::sign_in_form::{self, SignIn};
use crate::store::third_party as store;
use crate::third_party::{self, Binding, Kind, PROFILE, WEIXIN};
use crate::{attempts, interrupted};

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
type Stop = error::Stop<Trouble>;

impl error::Stops for Trouble {}

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
        (Err(Stop::Trouble(trouble)), Intent::Bind(_)) => Kind::Weixin.told(trouble.name()),
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
    let mut known = store::member_of(&app.db, WEIXIN, &grant.openid, grant.unionid.as_deref()).await?;
    if known.is_none() {
        let identity = weixin.person(grant).await?;
        // this answer may name the person for all applications where the first did not
        known = store::member_of(&app.db, WEIXIN, &identity.openid, identity.unionid.as_deref()).await?;
        if known.is_none() {
            third_party::keep_pending(session, identity).await?;
        }
    }
    Ok(match known {
        Some(member) => {
            third_party::arrive(app, session, parts, &member, BeganBy::Weixin, back, false).await?
        }
        None => way_in(&return_path::login_address(back), Kind::Weixin.binding(), None),
    })
}

/// Binds a weixin to the member who began this in its profile. Answers where to go.
async fn bind_own(app: &App, weixin: &Weixin, member: &Member, code: &str) -> Result<String, Stop> {
    let identity = weixin.person(weixin.grant(code).await?).await?;
    match third_party::bind_own(app, member, &identity).await? {
        Some(Binding::Bound) => Ok(Kind::Weixin.told("bound")),
        Some(Binding::Taken) => Err(Trouble::Taken.into()),
        Some(Binding::HasAnother) => Err(Trouble::HasAnother.into()),
        None => Err(Trouble::OtherMember.into()),
    }
}

/// POST /manager/userInfo/weixin/binding: leads to weixin.
async fn begin_binding(
    State(app): State<App>,
    member: Member,
    headers: HeaderMap,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    if third_party::may_bind(&app, &parts, &member, Kind::Weixin, &mut form).await? {
        match super::begin(&app, &headers, Intent::Bind(member.id))? {
            Some(beginning) => return Ok(lead_to(beginning)),
            None => form.refuse("", CLOSED),
        }
    }
    render::again(&app, parts, PROFILE, form).await
}

/// POST /manager/userInfo/weixin/unbinding.
async fn unbind(State(app): State<App>, member: Member) -> Redirect {
    third_party::unbind_own(&app, &member, Kind::Weixin).await
}
