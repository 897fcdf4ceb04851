//! Who is calling: the session cookie, kept in the database, and the member behind it.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use domain::ids::{LoginId, MemberId};
use domain::money::Fen;
use domain::tier::Tier;
use tokio_util::sync::CancellationToken;
use tower_sessions::{ExpiredDeletion, Expiry, Session, SessionManagerLayer, SessionStore, cookie::SameSite};
use tower_sessions_sqlx_store::{PostgresStore, SqliteStore};

use crate::accounts;
use crate::app::App;
use crate::db::Db;
use crate::error::Error;
use crate::security::cookie_name;

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
}

/// Who makes this request; read once for each request.
#[derive(Debug, Clone, Default)]
pub struct Visitor(pub Option<Member>);

/// Either engine's session table behind one type.
#[derive(Debug, Clone)]
pub enum Store {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

impl Store {
    /// The session table, made where it is missing.
    pub async fn open(db: &Db) -> Result<Self, Error> {
        Ok(match db {
            Db::Sqlite(pool, _) => {
                let store = SqliteStore::new(pool.clone());
                store.migrate().await?;
                Self::Sqlite(store)
            }
            Db::Postgres(pool) => {
                let store = PostgresStore::new(pool.clone());
                store.migrate().await?;
                Self::Postgres(store)
            }
        })
    }
}

/// Deletes sessions that have ended, once an hour, until told to stop.
pub async fn forget_ended(store: Store, stop: CancellationToken) {
    let mut hour = tokio::time::interval(std::time::Duration::from_secs(60 * 60));
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = hour.tick() => {}
        }
        if let Err(error) = store.delete_expired().await {
            tracing::warn!(%error, "Ended sessions could not be deleted");
        }
    }
}

use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::Result as StoreResult;

macro_rules! delegate {
    ($self:ident.$method:ident($argument:expr)) => {
        match $self {
            Self::Sqlite(store) => store.$method($argument).await,
            Self::Postgres(store) => store.$method($argument).await,
        }
    };
}

#[async_trait::async_trait]
impl ExpiredDeletion for Store {
    async fn delete_expired(&self) -> StoreResult<()> {
        match self {
            Self::Sqlite(store) => store.delete_expired().await,
            Self::Postgres(store) => store.delete_expired().await,
        }
    }
}

#[async_trait::async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> StoreResult<()> {
        delegate!(self.create(record))
    }
    async fn save(&self, record: &Record) -> StoreResult<()> {
        delegate!(self.save(record))
    }
    async fn load(&self, id: &Id) -> StoreResult<Option<Record>> {
        delegate!(self.load(id))
    }
    async fn delete(&self, id: &Id) -> StoreResult<()> {
        delegate!(self.delete(id))
    }
}

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
    session.cycle_id().await?;
    session.insert(LOGIN, login).await?;
    Ok(())
}

/// Gives the session another id; what it holds stays.
pub async fn renew(session: &Session) -> Result<(), Error> {
    session.cycle_id().await?;
    Ok(())
}

/// The login that a session keeps.
pub async fn login(session: &Session) -> Result<Option<LoginId>, Error> {
    Ok(session.get(LOGIN).await?)
}

/// Ends the session and forgets what it held.
pub async fn sign_out(session: &Session) -> Result<(), Error> {
    session.flush().await?;
    Ok(())
}

/// Reads the member behind the token or the session once and hands it on. A token that is over does not hide a
/// session that is not.
pub async fn identify(
    State(app): State<App>,
    session: Session,
    mut request: Request,
    next: Next,
) -> Result<Response, Error> {
    let mut member = accounts::member_by_token(&app, request.headers()).await?;
    if member.is_none()
        && let Some(id) = login(&session).await?
    {
        member = accounts::member_of_login(&app, &id).await?;
    }
    if let Some(member) = &member {
        accounts::note_seen(&app, member).await;
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
