//! Requests of the back office 后台: who makes them, and that everything they do is noted.
//!
//! Somebody in the back office is no member. Its login lies in the same session under a name of its own, is asked of the database
//! with every request, and lasts twelve hours.

use axum::extract::{FromRequestParts, Request};
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::error::Error;
use domain::ids::{LookId, MemberId, StaffId, StaffLoginId};
use domain::return_path;
use domain::staff::{Capability, Role, allows};
use leptos::prelude::*;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use tower_sessions::Session;

use crate::access::same_site_referer;
use crate::app::App;
use crate::render::Form;
use crate::session::Visitor;
use crate::slice::StaffAccounts;

/// Where one signs in.
pub const LOGIN: &str = "/staff/login";
/// Where one arrives.
pub const HOME: &str = "/staff";
/// The login's name in a session.
const KEY: &str = "staff";
/// The name there of the look that it has at a member's pages.
const LOOKING: &str = "looking";

/// Somebody in the back office, signed in with password and code.
#[derive(Debug, Clone)]
pub struct Staff {
    pub id: StaffId,
    pub name: String,
    pub roles: Vec<Role>,
    pub login: StaffLoginId,
    /// When it signed in, epoch ms.
    pub since: i64,
}

impl Staff {
    /// Whether its roles have a capability.
    pub fn may(&self, capability: Capability) -> bool {
        allows(&self.roles, capability)
    }

    /// What its roles are called.
    pub fn roles_named(&self) -> String {
        self.roles.iter().map(|role| role.name()).collect::<Vec<_>>().join("、")
    }
}

/// Puts a login into a session, under another id.
pub async fn sign_in(session: &Session, login: &StaffLoginId) -> Result<(), Error> {
    session.cycle_id().await.map_err(Error::internal)?;
    session.insert(KEY, login).await.map_err(Error::internal)?;
    Ok(())
}

/// The login that a session keeps, whatever it has shown.
pub async fn login(session: &Session) -> Result<Option<StaffLoginId>, Error> {
    session.get(KEY).await.map_err(Error::internal)
}

/// Takes the login out of a session; a member's stays.
pub async fn sign_out(session: &Session) -> Result<(), Error> {
    session.remove::<StaffLoginId>(KEY).await.map_err(Error::internal)?;
    session.remove::<Looking>(LOOKING).await.map_err(Error::internal)?;
    session.cycle_id().await.map_err(Error::internal)?;
    Ok(())
}

/// The look that a session has at a member's pages.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Looking {
    pub id: LookId,
    pub member: MemberId,
}

impl Looking {
    /// The member's page in the back office, where it began and where it leads back to.
    fn address(&self) -> String {
        format!("/staff/members/{}", self.member)
    }
}

/// Begins a look in a session.
pub async fn begin_look(session: &Session, looking: &Looking) -> Result<(), Error> {
    session.cycle_id().await.map_err(Error::internal)?;
    session.insert(LOOKING, looking).await.map_err(Error::internal)?;
    Ok(())
}

/// The look that a session has, over or not.
pub async fn looking(session: &Session) -> Result<Option<Looking>, Error> {
    session.get(LOOKING).await.map_err(Error::internal)
}

/// Takes the look out of a session. The address that it leads back to.
pub async fn end_look(session: &Session, looking: &Looking) -> Result<String, Error> {
    session.remove::<Looking>(LOOKING).await.map_err(Error::internal)?;
    Ok(looking.address())
}

/// A request of a session with a look: a member's pages are read as that member; nothing else is answered to somebody signed
/// in, and nothing is changed anywhere but in the back office. One that is over leads back there.
pub async fn look(
    app: &App,
    session: &Session,
    looking: Looking,
    mut request: Request,
    next: Next,
) -> Result<Response, Error> {
    let staff = of_session(app, Some(session)).await?.filter(|staff| staff.may(Capability::SeeMembers));
    let member = match staff {
        Some(staff) => app.house.identity.by_look(app, &looking.id, &staff.name).await?,
        None => None,
    };
    if member.is_none() {
        return Ok(Redirect::to(&end_look(session, &looking).await?).into_response());
    }
    if !request.method().is_safe() {
        return Err(Error::Forbidden(ONLY_LOOKS));
    }
    // addresses that do something when they are opened are a member's own: signing in by WeChat, signing out
    let path = request.uri().path();
    let is_page = path.starts_with("/manager/") && !path.starts_with(return_path::LOGIN);
    request.extensions_mut().insert(Visitor(member.filter(|_| is_page)));
    Ok(next.run(request).await)
}

/// The slice that has the back office's accounts.
pub fn accounts(app: &App) -> Result<&'static dyn StaffAccounts, Error> {
    let accounts = app.house.slices.iter().find_map(|slice| slice.staff);
    accounts.ok_or_else(|| Error::internal("no slice has the back office's accounts"))
}

const ONLY_LOOKS: &str = "您正在后台查看会员的页面，这里只能看，不能改动。";

/// Who makes this request in the back office.
pub async fn of_session(app: &App, session: Option<&Session>) -> Result<Option<Staff>, Error> {
    let Some(session) = session else { return Ok(None) };
    match login(session).await? {
        Some(login) => accounts(app)?.by_login(app, &login).await,
        None => Ok(None),
    }
}

/// Lets those through who have a capability, or anybody of the back office where none is needed. What they change is noted under their name; a handler that changes something
/// and notes nothing is a fault that no test passes over.
pub async fn enforce(
    app: &App,
    capability: Option<Capability>,
    mut request: Request,
    next: Next,
) -> Response {
    let session = request.extensions().get::<Session>().cloned();
    let staff = match of_session(app, session.as_ref()).await {
        Ok(Some(staff)) => staff,
        Ok(None) => return Redirect::to(&sign_in_address(&request)).into_response(),
        Err(error) => return error.into_response(),
    };
    if capability.is_some_and(|capability| !staff.may(capability)) {
        return Error::Forbidden("您的角色没有这一项权限。需要时请站长为您加上。").into_response();
    }
    let writes = !request.method().is_safe();
    let (name, path) = (staff.name.clone(), request.uri().path().to_owned());
    request.extensions_mut().insert(staff);
    let (response, has_said) = audit::acting(&name, next.run(request)).await;
    let went_well = response.status().is_success() || response.status().is_redirection();
    if writes && went_well && !has_said {
        tracing::error!(path, "A change in the back office was not noted");
        if cfg!(debug_assertions) {
            return Error::internal("a change in the back office was not noted").into_response();
        }
    }
    response
}

/// The sign-in page, and where it leads on to: the page that was asked for, or that the form stood on.
fn sign_in_address(request: &Request) -> String {
    let asked = if request.method() == Method::GET {
        request.uri().path_and_query().map(|path| path.as_str().to_owned())
    } else {
        same_site_referer(request.headers())
    };
    let asked = asked.filter(|path| is_own(path) && path != HOME);
    asked.map_or(LOGIN.to_owned(), |path| {
        format!("{LOGIN}?next={}", utf8_percent_encode(&path, NON_ALPHANUMERIC))
    })
}

/// Whether an address is one of the back office's pages: only there does signing in lead.
pub fn is_own(path: &str) -> bool {
    (path == HOME || path.starts_with("/staff/") || path.starts_with("/staff?"))
        && !path.contains(['\\', '\n', '\r'])
}

/// Asks for the code of somebody's device once more, where money moves or a way in is changed: what is missing stands in the form,
/// under `code`.
pub async fn asks_code(app: &App, parts: &Parts, staff: &Staff, form: &mut Form) -> Result<(), Error> {
    let code = form.get("code").to_owned();
    form.forget("code");
    if code.is_empty() {
        form.refuse("code", "请再输入一次动态验证码");
    } else if !form.is_refused() {
        match accounts(app)?.proves(app, parts, staff, &code).await {
            Ok(true) => {}
            Ok(false) => form.refuse("code", "动态验证码不正确，或已经用过。每 30 秒换一个，请输入新的"),
            Err(Error::TooMany(wait)) => form.refuse("code", Error::TooMany(wait).message()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whoever makes this request in the back office; the access table lets no one else reach a handler that asks for it.
impl<S: Send + Sync> FromRequestParts<S> for Staff {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let staff = parts.extensions.get::<Self>().cloned();
        staff.ok_or_else(|| Error::internal("a handler of the back office was reached signed out"))
    }
}

/// Whoever looks at this page of the back office.
pub fn use_staff() -> Option<Staff> {
    use_context::<Parts>().and_then(|parts| parts.extensions.get::<Staff>().cloned())
}

/// What a page of the back office works with.
pub struct Here {
    pub app: App,
    pub staff: Staff,
}

/// The program, and who looks at this page.
pub fn here() -> Result<Here, Error> {
    let app = use_context::<App>().ok_or_else(|| Error::internal("a page outside a request"))?;
    let staff =
        use_staff().ok_or_else(|| Error::internal("a page of the back office was reached signed out"))?;
    Ok(Here { app, staff })
}
