//! Who may open what (specification section 2, "Access"): every route has a policy, which its slice names.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::return_path;
use domain::staff::Capability;
use domain::sub_member::Role;
use domain::tier::{Feature, allows};

use crate::app::App;
use crate::assets;
use crate::calls;
use crate::read_only;
use crate::session::{self, Visitor};
use crate::slice::{AtDesk, Desk};
use crate::staff;

/// What a caller must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The same for everyone: nobody is asked who it is.
    Everybody,
    /// Open to everyone.
    Public,
    /// A signed-in member; which of its own things it may touch is part of each query.
    Member,
    /// A signed-in member whose tier opens the feature (specification section 6).
    Needs(Feature),
    /// Somebody in the back office 后台 who has the capability.
    Staff(Capability),
    /// Anybody in the back office.
    StaffAny,
}

use Policy::{Everybody, Member, Needs, Public, Staff, StaffAny};

/// Enforces the policies before any handler runs.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    if is_ahead(request.headers()) && !may_be_ahead(&app, &request) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let policy = match request.extensions().get::<MatchedPath>() {
        Some(pattern) => match app.policy(pattern.as_str()) {
            Some(policy) => policy,
            None => return Error::internal(format!("no policy for {}", pattern.as_str())).into_response(),
        },
        // an address that leads nowhere: only a member is told so, except where everything is public
        None if ["/assets/", "/about/", "/manager/login", "/staff/"]
            .iter()
            .any(|place| request.uri().path().starts_with(place)) =>
        {
            Public
        }
        None => Member,
    };
    if let Some(read_only) = read_only::refusal(&app, &request) {
        return read_only::refuse(&app, read_only, request).await;
    }
    match at_desk(&app, policy, request).await {
        Ok(request) => enforce(&app, policy, request, next).await,
        Err(error) => error.into_response(),
    }
}

/// Whether a browser asks for what it may need in a moment.
pub fn is_ahead(headers: &HeaderMap) -> bool {
    headers.get("sec-purpose").is_some_and(|purpose| purpose.as_bytes().starts_with(b"prefetch"))
}

/// Whether that costs little: a file is sent when it is wanted, or when a page named it for the next one, and whoever saves data is sent
/// what is asked for. A browser that
/// was refused asks again when it is time; one that draws a page ahead (`prefetch;prerender`, from its address bar) does not, and
/// asks for all that is on it so.
fn may_be_ahead(app: &App, request: &Request) -> bool {
    let purpose = request.headers().get("sec-purpose").map_or(&b""[..], |purpose| purpose.as_bytes());
    if memchr::memmem::find(purpose, b"prerender").is_some() {
        return true;
    }
    let pattern = request.extensions().get::<MatchedPath>();
    !saves_data(request.headers())
        && pattern.is_some_and(|pattern| app.is_page(pattern.as_str()) || pattern.as_str() == assets::PATTERN)
}

/// Whether somebody counts bytes (Save-Data API).
pub fn saves_data(headers: &HeaderMap) -> bool {
    headers.get("save-data").is_some_and(|saves| saves == "on")
}

const NOT_HERE: &str = "您正在为别人工作，这一页是账号自己的：请先结束，再打开它。";
const ONLY_LOOKS: &str = "您在这里的角色是“只看”，不能改动。需要改动时，请对方把您的角色改为“编辑”。";

/// The request of a sub-member that works for a house: for what is the house's, the member of the request is the house.
/// What a route says nothing of for a desk is shut.
async fn at_desk(app: &App, policy: Policy, mut request: Request) -> Result<Request, Error> {
    let member = request.extensions().get::<Visitor>().and_then(|visitor| visitor.0.as_ref());
    let member = member.filter(|member| member.works_as.is_some()).cloned();
    let Some(member) = member else { return Ok(request) };
    let pattern = request.extensions().get::<MatchedPath>();
    let least = match pattern.and_then(|pattern| app.at_desk(pattern.as_str())) {
        Some(AtDesk::Own) => return Ok(request),
        Some(AtDesk::House(least)) => least,
        // what is everybody's, and addresses that lead nowhere
        None if matches!(policy, Everybody | Public | Staff(_) | StaffAny) || pattern.is_none() => {
            return Ok(request);
        }
        None => return Err(Error::Forbidden(NOT_HERE)),
    };
    let desks = app.house.slices.iter().find_map(|slice| slice.desks);
    let desks = desks.ok_or_else(|| Error::internal("no slice has desks"))?;
    let house = match desks.at(app, &member).await? {
        Desk::Open(house) => house,
        Desk::Shut(reason) => return Err(Error::Forbidden(reason)),
    };
    let role = house.acting.as_ref().map(|acting| acting.role);
    let needed = if request.method().is_safe() { least } else { least.max(Role::Editor) };
    if role.is_none_or(|role| role < needed) {
        return Err(Error::Forbidden(ONLY_LOOKS));
    }
    request.extensions_mut().insert(Visitor(Some(house)));
    Ok(request)
}

/// Whether a policy opens an address to a member of the house, or to a visitor. The back office is asked for by [`enforce`].
pub fn may_open(policy: Policy, member: Option<&session::Member>) -> bool {
    match policy {
        Everybody | Public => true,
        Member => member.is_some(),
        Needs(feature) => member.is_some_and(|member| allows(member.tier, feature)),
        Staff(_) | StaffAny => false,
    }
}

/// Lets those through whom a policy lets through.
pub async fn enforce(app: &App, policy: Policy, request: Request, next: Next) -> Response {
    let member = request.extensions().get::<Visitor>().and_then(|visitor| visitor.0.as_ref());
    match (policy, member) {
        (Staff(capability), _) => return staff::enforce(app, Some(capability), request, next).await,
        (StaffAny, _) => return staff::enforce(app, None, request, next).await,
        (policy, member) if may_open(policy, member) => return next.run(request).await,
        (Needs(feature), Some(_)) => return Error::Closed(feature).into_response(),
        _ => {}
    }
    if calls::is_call(request.uri().path()) {
        return Error::SignedOut.into_response();
    }
    let original = request.uri().path_and_query().map_or("/", |path| path.as_str());
    if request.method() == Method::GET || request.method() == Method::HEAD {
        Redirect::to(&return_path::login_address(original)).into_response()
    } else {
        // nothing was done: the member signs in and comes back to the page that the form stood on
        match same_site_referer(request.headers()) {
            Some(page) => {
                app.house.identity.sign_in_first(app, request, &return_path::login_address(&page)).await
            }
            None => Redirect::to(&return_path::login_address(return_path::DEFAULT)).into_response(),
        }
    }
}

/// The path of the page that a form was sent from, when it is one of ours.
pub fn same_site_referer(headers: &HeaderMap) -> Option<String> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let referer: axum::http::Uri = header("referer")?.parse().ok()?;
    let ours = referer.authority().map(|authority| authority.as_str()) == header("host");
    let path = ours.then(|| referer.path_and_query()).flatten().map(|path| path.as_str().to_owned());
    // two strokes would begin another site's address
    path.filter(|path| !path.starts_with("//"))
}
