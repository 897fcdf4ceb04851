//! Who is signed in where: a browser's session or a program's token, each with a row of its own, so that any of
//! them can be ended.

use axum::http::{HeaderMap, header, request::Parts};
use base::db::{new_id, now_ms};
use base::error::Error;
use base::metrics;
use base64::Engine;
use domain::days::DAY_MS;
use domain::ids::{LoginId, MemberId};
use rand::Rng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tower_sessions::Session;
use web::app::App;
use web::client;
use web::session::{self, Member};

use super::asker::{self, Asker};
use super::sign_ins::{self, Outcome, Way};
use super::store::profile::Login;
use super::third_party::Kind;
use super::{attempts, normal_account, password, store};

/// How a member came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BeganBy {
    Password,
    /// Confirmed on a phone.
    Qr,
    Weixin,
    /// By a code that was sent: registering, and finding a password.
    Code,
    Passkey,
    /// A company account.
    Oidc,
}

impl BeganBy {
    /// As it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Qr => "qr",
            Self::Weixin => "weixin",
            Self::Code => "code",
            Self::Passkey => "passkey",
            Self::Oidc => "oidc",
        }
    }

    /// What a member is told of a stored one.
    pub fn described(name: &str) -> String {
        let way = match name {
            "password" => "密码",
            "qr" => "扫码",
            "weixin" => "微信",
            "code" => "验证码",
            "passkey" => "通行密钥",
            "oidc" => return format!("{}登录", Kind::Company.name()),
            _ => "其他方式",
        };
        format!("{way}登录")
    }
}

/// The most tokens that a member's programs have; of more the one that was unused longest goes.
pub const MOST_TOKENS: i64 = 20;
/// A token ends when nobody has used it for so long, in ms.
const TOKEN_UNUSED_MS: i64 = 90 * DAY_MS;
/// A token ends so long after it was given, however much it is used, in ms.
const TOKEN_LIFE_MS: i64 = 365 * DAY_MS;

/// Which tokens have ended at a moment; epoch ms.
pub struct TokenEnds {
    /// Those that were given then or before.
    pub began_before: i64,
    /// Those that were not used after this.
    pub unused_since: i64,
}

impl TokenEnds {
    pub fn at(now: i64) -> Self {
        Self { began_before: now - TOKEN_LIFE_MS, unused_since: now - TOKEN_UNUSED_MS }
    }
}

/// When a login ends if it is not used any more, epoch ms.
pub fn ends_at(login: &Login) -> i64 {
    if login.is_program {
        (login.seen_at + TOKEN_UNUSED_MS).min(login.created_at + TOKEN_LIFE_MS)
    } else {
        login.created_at + session_ms()
    }
}

/// A login is noted as in use at most once in so many ms: a page must not become a write.
const SEEN_MS: i64 = 60 * 60_000;

/// The member whose account name, mobile number or e-mail address and password these are; `None` when they are not.
/// Guessing gets slower, and the owner can see what failed.
pub async fn check_password(
    app: &App,
    parts: &Parts,
    way: Way,
    account: &str,
    secret: String,
) -> Result<Option<MemberId>, Error> {
    let typed = normal_account(account);
    let found = store::credentials(&app.db, &typed).await?;
    // all names of a member are one account to guess at
    let account = found.as_ref().map_or(&typed, |found| &found.account);
    let asker = Asker::of(app, parts, found.as_ref().map(|found| &found.member));
    let attempt = match attempts::start(app, account, &asker).await {
        Ok(attempt) => attempt,
        Err(error) => {
            if matches!(error, Error::TooMany(_)) {
                metrics::sign_in_failed("member", "throttled");
            }
            if let (Error::TooMany(_), Some(found)) = (&error, found) {
                sign_ins::note_later(app, parts, found.member, way, Outcome::Throttled);
            }
            return Err(error);
        }
    };
    let (member, hash) = found.map_or((None, None), |found| (Some(found.member), Some(found.hash)));
    if !password::matches(app, secret, hash).await? {
        metrics::sign_in_failed("member", "password");
        if let Some(member) = member {
            sign_ins::note_later(app, parts, member, way, Outcome::WrongPassword);
        }
        return Ok(None);
    }
    attempt.succeeded(app).await?;
    Ok(member)
}

/// Signs a member in, in the browser of this request: its session keeps the id, and it is a known browser from now on.
/// Whoever was signed in there before is not any more.
pub async fn enter(
    app: &App,
    session: &Session,
    member: &MemberId,
    by: BeganBy,
    parts: &Parts,
) -> Result<LoginId, Error> {
    let id: LoginId = new_id();
    let before = session::login(session).await?;
    insert(app, &id, member, None, by, parts, before.as_ref()).await?;
    session::sign_in(session, &id).await?;
    asker::know(app, parts, member);
    Ok(id)
}

/// Makes a login token for a program. Only its hash is kept.
pub async fn begin_with_token(app: &App, member: &MemberId, parts: &Parts) -> Result<String, Error> {
    let mut bytes = [0; 32];
    rand::rng().fill_bytes(&mut bytes);
    let token = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes);
    insert(app, &new_id(), member, Some(hash(&token)), BeganBy::Password, parts, None).await?;
    Ok(token)
}

async fn insert(
    app: &App,
    id: &LoginId,
    member: &MemberId,
    token_hash: Option<String>,
    by: BeganBy,
    parts: &Parts,
    replaces: Option<&LoginId>,
) -> Result<(), Error> {
    let login = store::NewLogin {
        id,
        member,
        token_hash,
        began_by: by.name(),
        device: device(&parts.headers),
        address: client::address(app, parts),
        replaces,
    };
    store::profile::forget_over(&app.db, member, now_ms()).await?;
    let way = if login.token_hash.is_some() { Way::Program } else { Way::Browser(by) };
    store::insert_login(&app.db, login, now_ms()).await?;
    sign_ins::note(app, parts, member, way, Outcome::Succeeded).await;
    Ok(())
}

/// Browsers that signed in before this moment have no session any more.
pub fn over(now: i64) -> i64 {
    now - session_ms()
}

fn session_ms() -> i64 {
    session::LIFE.whole_seconds() * 1000
}

/// Notes that a login is in use. A page is not refused because this could not be written.
pub async fn note_seen(app: &App, member: &Member) {
    let now = now_ms();
    if now - member.seen_at < SEEN_MS {
        return;
    }
    if let Err(error) = store::profile::see_login(&app.db, &member.login, now).await {
        tracing::warn!(%error, "A login could not be noted as in use");
    }
}

/// The member behind a browser's session; `None` when it was ended or the account is gone.
pub async fn member(app: &App, id: &LoginId) -> Result<Option<Member>, Error> {
    store::member_of_login(&app.db, store::Key::Login(id.as_str())).await
}

/// The member behind an `Authorization` header, with or without `Bearer `, however that is written (RFC 9110, section 11.1).
pub async fn member_by_token(app: &App, headers: &HeaderMap) -> Result<Option<Member>, Error> {
    let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bare = |value: &str| match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("Bearer") => token.trim().to_owned(),
        _ => value.trim().to_owned(),
    };
    let Some(token) = header.map(bare) else { return Ok(None) };
    store::member_of_login(&app.db, store::Key::Token(&hash(&token))).await
}

/// Ends the login that a request came with.
pub async fn end(app: &App, member: &Member) -> Result<(), Error> {
    store::delete_login(&app.db, &member.login, &member.id).await.map(drop)
}

fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// A browser in two words, for people; anything else by the beginning of its own name.
pub fn device(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // what comes first wins: Edge also says Chrome, Chrome also says Safari
    let browsers = [
        ("MicroMessenger", "微信"),
        ("Edg", "Edge"),
        ("Firefox", "Firefox"),
        ("Chrome", "Chrome"),
        ("Safari", "Safari"),
    ];
    let systems = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS", "Mac"),
        ("Linux", "Linux"),
    ];
    let named = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    match (named(&browsers), named(&systems)) {
        (Some(browser), Some(system)) => format!("{system} · {browser}"),
        _ if agent.is_empty() => "未知设备".to_owned(),
        _ => agent.chars().filter(|c| !c.is_control()).take(40).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named_for_people() {
        let named = |agent: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, agent.parse().unwrap());
            device(&headers)
        };
        let edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                    Chrome/140.0 Safari/537.36 Edg/140.0";
        assert_eq!(named(edge), "Windows · Edge");
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                     Version/18.0 Mobile/15E148 Safari/604.1";
        assert_eq!(named(phone), "iPhone · Safari");
        assert_eq!(named("curl/8.5.0"), "curl/8.5.0");
        assert_eq!(device(&HeaderMap::new()), "未知设备");
    }
}
