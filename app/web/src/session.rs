//! Who is calling: the session cookie, kept in the database, and the member behind it.

mod store;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use domain::ids::{LoginId, MemberId, SubMemberId};
use domain::money::Fen;
use domain::sub_member::Role;
use domain::tier::Tier;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tower_sessions::{ExpiredDeletion, Expiry, Session, SessionManagerLayer, cookie::SameSite};

pub use store::Store;

use base::db::new_id;
use base::error::Error;

use crate::access::Policy;
use crate::app::App;
use crate::background::{Background, HOUR};
use crate::cookies::cookie_name;
use crate::render;
use crate::security::CLEARS;
use crate::staff;

const LOGIN: &str = "login";
const COOKIE: &str = "bindery";
/// How long a browser stays signed in.
pub const LIFE: time::Duration = time::Duration::days(30);

/// The signed-in member as every page needs it.
#[derive(Debug, Clone)]
pub struct Member {
    pub id: MemberId,
    pub account: String,
    pub name: String,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub tier: Tier,
    /// When a paid tier ends, epoch ms.
    pub tier_until: Option<i64>,
    /// Eight digits.
    pub member_code: String,
    pub invite_code: String,
    /// The SHA-256 of its picture.
    pub avatar: Option<String>,
    /// The login that this request came with.
    pub login: LoginId,
    /// When that login was last noted as in use, epoch ms.
    pub seen_at: i64,
    pub balance: Fen,
    pub cart_lines: i64,
    /// Among which house's sub-members this login works at the moment; none for its own.
    pub works_as: Option<SubMemberId>,
    /// Who really makes this request, where a sub-member does for this member.
    pub acting: Option<Acting>,
    /// Where somebody of the back office looks at its pages: until when, epoch ms. Nothing is changed then.
    pub looked_at_until: Option<i64>,
}

/// A sub-member who works for the member of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acting {
    pub role: Role,
    /// The sub-member's own name.
    pub name: String,
}

impl Member {
    /// A member as it is while it has nothing and nobody looks at it: for those who act for it without a request.
    pub fn bare(id: MemberId, account: &str, name: &str, tier: Tier) -> Self {
        Self {
            id,
            account: account.to_owned(),
            name: name.to_owned(),
            phone: None,
            email: None,
            tier,
            tier_until: None,
            member_code: String::new(),
            invite_code: String::new(),
            avatar: None,
            login: new_id(),
            seen_at: 0,
            balance: Fen::ZERO,
            cart_lines: 0,
            works_as: None,
            acting: None,
            looked_at_until: None,
        }
    }

    /// What its pages are known by to the browser: of this login, at this desk. It opens nothing.
    pub fn mark(&self) -> String {
        let desk = self.works_as.as_ref().map_or("", |desk| desk.as_str());
        let digest = Sha256::digest(format!("{} {desk}", self.login));
        hex::encode(&digest[..6])
    }

    /// Where its own picture is served; empty without one.
    pub fn avatar_address(&self) -> String {
        self.avatar.as_ref().map(|sha256| format!("/manager/avatar/{sha256}")).unwrap_or_default()
    }
}

/// What an answer says that ends a session: the browser forgets the pages that it kept for whoever leaves (W3C, Clear Site Data),
/// and with them the styles that it says it has.
pub fn forgets(app: &App) -> [(HeaderName, HeaderValue); 2] {
    [
        (CLEARS, HeaderValue::from_static("\"cache\"")),
        (header::SET_COOKIE, render::no_styles(app.config.secure_cookies)),
    ]
}

/// Who makes this request; read once for each request.
#[derive(Debug, Clone, Default)]
pub struct Visitor(pub Option<Member>);

/// Deletes sessions that have ended.
pub(crate) const FORGET_ENDED: Background = Background::every(HOUR, "sessions that have ended", |app| {
    Box::pin(async move { Store::open(&app.db).await?.delete_expired().await.map_err(Error::internal) })
});

/// The layer that reads and writes the cookie: HttpOnly, SameSite=Lax, thirty days after the last sign-in.
pub fn layer(store: Store, secure: bool) -> SessionManagerLayer<Store> {
    SessionManagerLayer::new(store)
        .with_name(cookie_name(COOKIE, secure))
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(secure)
        .with_expiry(Expiry::OnInactivity(LIFE))
}

/// Signs a member in. The session's id is renewed, so that an id planted before is worth nothing.
pub async fn sign_in(session: &Session, login: &LoginId) -> Result<(), Error> {
    session.cycle_id().await.map_err(Error::internal)?;
    session.insert(LOGIN, login).await.map_err(Error::internal)?;
    Ok(())
}

/// Gives the session another id; what it holds stays.
pub async fn renew(session: &Session) -> Result<(), Error> {
    session.cycle_id().await.map_err(Error::internal)?;
    Ok(())
}

/// The login that a session keeps.
pub async fn login(session: &Session) -> Result<Option<LoginId>, Error> {
    session.get(LOGIN).await.map_err(Error::internal)
}

/// Keeps what was begun at a place of the session, instead of what was begun there before.
pub async fn keep(session: &Session, place: &str, begun: &impl Serialize) -> Result<(), Error> {
    session.insert(place, begun).await.map_err(Error::internal)
}

/// Takes out what was begun: whatever comes of it, it is good once.
pub async fn take<T: DeserializeOwned>(session: &Session, place: &str) -> Result<Option<T>, Error> {
    let begun: Option<serde_json::Value> = session.remove(place).await.map_err(Error::internal)?;
    if begun.is_some() {
        session.save().await.map_err(Error::internal)?;
    }
    Ok(begun.and_then(|begun| serde_json::from_value(begun).ok()))
}

/// Ends the session and forgets what it held.
pub async fn sign_out(session: &Session) -> Result<(), Error> {
    session.flush().await.map_err(Error::internal)?;
    Ok(())
}

/// Says of a request that its session holds nothing but the login.
#[derive(Debug, Clone, Copy)]
pub struct NothingElse;

/// Reads the member behind the token or the session once and hands it on. A token that is over does not hide a
/// session that is not. The member is always asked of the database, in one question: what it has and whether it is
/// signed in may have changed anywhere.
pub async fn identify(
    State((app, sessions)): State<(App, Store)>,
    session: Session,
    mut request: Request,
    next: Next,
) -> Result<Response, Error> {
    let pattern = request.extensions().get::<MatchedPath>();
    if pattern.and_then(|pattern| app.policy(pattern.as_str())) == Some(Policy::Everybody) {
        request.extensions_mut().insert(Visitor::default());
        return Ok(next.run(request).await);
    }
    let identity = app.house.identity;
    // another instance may have ended it, or given it another id
    if sessions.are_shared() && session.id().is_some() {
        session.load().await.map_err(Error::internal)?;
    }
    if sessions.known(&session).is_none()
        && let Some(looking) = staff::looking(&session).await?
        && !staff::is_own(request.uri().path())
    {
        return staff::look(&app, &session, looking, request, next).await;
    }
    let mut member = identity.by_token(&app, request.headers()).await?;
    if member.is_none() {
        let mut id = sessions.known(&session);
        if id.is_none() {
            id = login(&session).await?;
        }
        if let Some(id) = id {
            member = identity.by_login(&app, &id).await?;
            if sessions.known(&session).is_some() {
                request.extensions_mut().insert(NothingElse);
            }
        }
    }
    if let Some(member) = &member
        && app.read_only.now().is_none()
    {
        identity.note_seen(&app, member).await;
    }
    request.extensions_mut().insert(Visitor(member));
    Ok(next.run(request).await)
}

/// The signed-in member; the access table lets no one else reach a handler that asks for it.
impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Member {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Self, Error> {
        parts
            .extensions
            .get::<Visitor>()
            .and_then(|visitor| visitor.0.clone())
            .ok_or_else(|| Error::internal("a member's handler was reached signed out"))
    }
}
