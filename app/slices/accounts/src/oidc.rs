//! Members' company accounts 公司账号 ([`openid`]), where the host lets members in by them (`BINDERY_OIDC_MEMBERS`). An account opens what
//! its member has bound it to. One that nobody bound waits for that, or for somebody to register: the provider makes no
//! member, and says nothing of who has which address of mail.

use axum::Extension;
use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use base::db::now_ms;
use base::error::{self, Error};
use base::metrics;
use domain::ids::{LoginId, MemberId};
use domain::return_path;
use leptos::prelude::*;
use openid::{Code, OF_MEMBERS, Onward, Provider, lead_on, leaving};
use serde::{Deserialize, Serialize};
use tower_sessions::Session;
use web::access::Policy;
use web::app::App;
use web::render::{self, Form};
use web::route::Route;
use web::session::{Member, Visitor};
use web::ui::forms::read_form;
use web::ui::parts::ErrorSummary;

use super::logins::BeganBy;
use super::sign_in_form::SignIn;
use super::store::third_party as store;
use super::third_party::{self, Binding, Identity, Kind, OtherWays, PROFILE, StartForm, has_another, taken};
use super::{attempts, interrupted};

/// The way of the sign-in page that leads to the provider, and where it ends when it led nowhere.
pub const WAY: &str = "oidc";
/// Where failures are counted.
const DOOR: &str = "member";

/// Where the provider leads back to, and members' forms. The sign-in page's own form is posted to the sign-in page.
pub const ROUTES: &[Route] = &[
    Route::new(OF_MEMBERS.back, Policy::Public).handled(|| get(come_back)),
    Route::new("/manager/userInfo/oidc/binding", Policy::Member).handled(|| post(begin_binding)),
    Route::new("/manager/userInfo/oidc/unbinding", Policy::Member).handled(|| post(unbind)),
];

/// What is done when somebody comes back.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Intent {
    /// Signed in, on the way to this page.
    SignIn(String),
    /// The account is bound to this member, in this login.
    Bind(MemberId, LoginId),
}

/// Why nobody is signed in and nothing bound.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trouble {
    /// The provider has named nobody.
    Nobody(openid::Trouble),
    Taken,
    HasAnother,
    /// Somebody else is signed in than who began, or nobody.
    OtherMember,
    /// There were too many tries; a sentence.
    Waits(String),
    /// Nothing is written; a sentence.
    ReadOnly(String),
}

/// Why a sign-in ends here.
type Stop = error::Stop<Trouble>;

impl Trouble {
    /// The status of the page that tells it, and the sentence, without its end.
    fn told(&self, name: &str) -> (u16, String) {
        let (status, sentence) = match self {
            Self::Nobody(trouble) => trouble.told(name),
            Self::Taken => (409, taken(name)),
            Self::HasAnother => (409, has_another(name)),
            Self::OtherMember => (403, "登录的账号在途中变了，或者已经退出，没有绑定，请重新开始".to_owned()),
            Self::Waits(sentence) => (429, sentence.clone()),
            Self::ReadOnly(sentence) => (503, sentence.clone()),
        };
        (status, sentence.trim_end_matches('。').to_owned())
    }
}

impl error::Stops for Trouble {}

/// The sign-in page's button: leads to the provider, and from there to the page first asked for. What was typed there waits in the
/// session.
pub async fn start(app: &App, session: &Session, parts: Parts, form: Form) -> Result<Response, Error> {
    let Some(provider) = openid::for_members(app)? else { return Err(Error::NotFound) };
    let asked = SignIn::of(&parts).asked;
    let intent = Intent::SignIn(asked.clone());
    match attempts::take_company_account(app, &parts, DOOR).await {
        Ok(()) => {}
        Err(error @ Error::TooMany(_)) => {
            return tell(app, &provider, parts, Some(&intent), Trouble::Waits(error.message())).await;
        }
        Err(error) => return Err(error),
    }
    let typed = form.get(interrupted::FIELD);
    if !typed.is_empty() {
        interrupted::wait(session, &asked, typed).await?;
    }
    set_out(app, &provider, session, parts, &intent).await
}

/// POST /manager/userInfo/oidc/binding: leads to the provider.
async fn begin_binding(
    State(app): State<App>,
    session: Session,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let Some(provider) = openid::for_members(&app)? else { return Err(Error::NotFound) };
    let mut form = read_form(&body)?;
    if !third_party::may_bind(&app, &parts, &member, Kind::Company, &mut form).await? {
        return render::again(&app, parts, PROFILE, form).await;
    }
    set_out(&app, &provider, &session, parts, &Intent::Bind(member.id, member.login)).await
}

/// POST /manager/userInfo/oidc/unbinding: also where members come in by it no more.
async fn unbind(State(app): State<App>, member: Member) -> Result<Redirect, Error> {
    if openid::of(&app)?.is_none() {
        return Err(Error::NotFound);
    }
    Ok(third_party::unbind_own(&app, &member, Kind::Company).await)
}

/// This way of a sign-in page.
fn way_of(page: &str) -> String {
    format!("{page}?way={WAY}")
}

/// The sign-in page on the way to what was meant.
fn page_of(intent: Option<&Intent>) -> String {
    match intent {
        Some(Intent::SignIn(asked)) => way_of(&return_path::login_address(asked)),
        _ => way_of(return_path::LOGIN),
    }
}

async fn set_out(
    app: &App,
    provider: &Provider,
    session: &Session,
    parts: Parts,
    intent: &Intent,
) -> Result<Response, Error> {
    match OF_MEMBERS.leave(app, provider, session, &parts.headers, intent).await? {
        Ok(address) => lead_on(app, parts, &page_of(Some(intent)), address).await,
        Err(trouble) => tell(app, provider, parts, Some(intent), Trouble::Nobody(trouble)).await,
    }
}

/// Somebody comes back where an account was to be bound.
#[derive(Debug, Clone, Copy)]
struct Binds;

/// The page that says why nothing came of it.
async fn tell(
    app: &App,
    provider: &Provider,
    mut parts: Parts,
    intent: Option<&Intent>,
    trouble: Trouble,
) -> Result<Response, Error> {
    if let Some(Intent::Bind(..)) = intent {
        parts.extensions.insert(Binds);
    }
    let (status, sentence) = trouble.told(&provider.config.name);
    let mut form = Form::default();
    form.refuse("", sentence);
    render::again_as(app, parts, &page_of(intent), form, status).await
}

/// GET /manager/login_oidc: somebody comes back from the provider.
async fn come_back(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    session: Session,
    parts: Parts,
) -> Result<Response, Error> {
    let Some(provider) = openid::for_members(&app)? else { return Err(Error::NotFound) };
    let Some((intent, code)) = OF_MEMBERS.come_back::<Intent>(&session, &parts).await? else {
        let unknown = Trouble::Nobody(openid::Trouble::Unknown);
        return tell(&app, &provider, parts, None, unknown).await;
    };
    let settled = match code {
        Ok(code) => settle(&app, &provider, &session, &parts, (&intent, visitor), code).await,
        Err(trouble) => Err(Trouble::Nobody(trouble).into()),
    };
    match settled {
        Ok(place) => Ok(Redirect::to(&place).into_response()),
        Err(Stop::Trouble(trouble)) => tell(&app, &provider, parts, Some(&intent), trouble).await,
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Answers where to go.
async fn settle(
    app: &App,
    provider: &Provider,
    session: &Session,
    parts: &Parts,
    (intent, visitor): (&Intent, Visitor),
    code: Code,
) -> Result<String, Stop> {
    // the guard lets every GET pass
    if let Some(read_only) = app.read_only.now() {
        return Err(Trouble::ReadOnly(read_only.sentence(now_ms())).into());
    }
    let attempt = match attempts::start_company_account(app, parts, DOOR).await {
        Ok(attempt) => attempt,
        Err(error @ Error::TooMany(_)) => return Err(Trouble::Waits(error.message()).into()),
        Err(error) => return Err(error.into()),
    };
    let named = provider.identify(code).await;
    match &named {
        Err(trouble) if trouble.is_guess() => metrics::sign_in_failed(DOOR, "oidc"),
        _ => attempt.succeeded(app).await?,
    }
    let named = named.map_err(Trouble::Nobody)?;
    let identity =
        Identity { kind: named.issuer, openid: named.subject, unionid: None, nickname: named.name };
    match intent {
        Intent::SignIn(asked) => sign_in(app, session, parts, identity, asked, named.is_multi_factor).await,
        Intent::Bind(member, login) => {
            let present = visitor.0.filter(|present| present.id == *member && present.login == *login);
            bind_own(app, present, &identity).await
        }
    }
}

/// Signs in whose account it is; anybody else's waits for the binding page. What the provider saw more than one proof for is enough, as
/// a passkey is. Answers where to go.
async fn sign_in(
    app: &App,
    session: &Session,
    parts: &Parts,
    identity: Identity,
    asked: &str,
    is_enough: bool,
) -> Result<String, Stop> {
    match store::member_of(&app.db, &identity.kind, &identity.openid, None).await? {
        Some(member) => {
            let by = BeganBy::Oidc;
            Ok(third_party::arrive(app, session, parts, &member, by, asked, is_enough).await?)
        }
        None => {
            third_party::keep_pending(session, identity).await?;
            let page = return_path::login_address(asked);
            Ok(format!("{page}?way={}", Kind::Company.binding()))
        }
    }
}

/// Binds an account to the member who set out for it. Answers where to go.
async fn bind_own(app: &App, present: Option<Member>, identity: &Identity) -> Result<String, Stop> {
    let Some(member) = present else { return Err(Trouble::OtherMember.into()) };
    match third_party::bind_own(app, &member, identity).await? {
        Some(Binding::Bound) => Ok(Kind::Company.told("bound")),
        Some(Binding::Taken) => Err(Trouble::Taken.into()),
        Some(Binding::HasAnother) => Err(Trouble::HasAnother.into()),
        None => Err(Trouble::OtherMember.into()),
    }
}

fn binds() -> bool {
    use_context::<Parts>().is_some_and(|parts| parts.extensions.get::<Binds>().is_some())
}

/// What this way of the sign-in page is called.
pub fn title() -> String {
    let name = Kind::Company.name();
    match leaving() {
        Some(_) => format!("正在前往{name}"),
        None if binds() => format!("绑定{name}"),
        None => format!("用{name}登录"),
    }
}

/// `?way=oidc` of the sign-in page: between it and the provider, on the way there and where nothing came of it.
#[component]
pub fn CompanyWay() -> impl IntoView {
    if let Some(address) = leaving() {
        return view! { <Onward address/> }.into_any();
    }
    if binds() {
        return view! {
            <ErrorSummary title="还没有绑定"/>
            <p><a class="button primary wide" href=PROFILE>"回到资料"</a></p>
        }
        .into_any();
    }
    view! {
        <ErrorSummary title="还没有登录"/>
        <StartForm kind=Kind::Company name=title() primary=true/>
        <OtherWays/>
    }
    .into_any()
}
