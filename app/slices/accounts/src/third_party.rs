//! Who members are elsewhere: at weixin, and at the provider of company accounts. An account of ours has one of each kind at most, and is
//! signed in by it.
//!
//! One that nobody bound waits in the session, on the server, until somebody proves an account of ours or registers one; a form
//! never carries it. Nobody is found by an address of mail: it may be another one's tomorrow.

mod pages;

use axum::http::request::Parts;
use axum::response::{Redirect, Response};
use base::db::{Tx, now_ms};
use base::error::Error;
use domain::ids::MemberId;
use domain::return_path;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;
use web::app::App;
use web::render::{self, Form};
use web::session::Member;

use super::forms::proven;
use super::logins::{self, BeganBy};
use super::sign_in_form::SignIn;
use super::sign_ins::Way;
use super::store::third_party as store;
use super::{notices, second_factor, store as accounts_store};

pub use pages::{BindingForm, Bound, OtherWays, PendingChoice, StartForm, Told};

/// The profile, where members bind and unbind.
pub const PROFILE: &str = "/manager/userInfo";
/// The registration's field that says that the new account gets who waits.
pub const BINDING: &str = "binding";

/// What somebody at weixin is stored as.
pub const WEIXIN: &str = "weixin";
/// Where one waits in a session.
const PENDING: &str = "third_party";
/// How long it waits, in ms.
const PENDING_MS: i64 = 10 * 60_000;

/// Where somebody is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Weixin,
    /// The provider of company accounts.
    Company,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Weixin, Self::Company];

    /// In addresses.
    fn word(self) -> &'static str {
        match self {
            Self::Weixin => WEIXIN,
            Self::Company => "oidc",
        }
    }

    /// For people.
    pub fn name(self) -> String {
        match self {
            Self::Weixin => "微信".to_owned(),
            Self::Company => openid::NAME.or_usual(),
        }
    }

    /// The way of the sign-in page that binds one of these to an account.
    pub fn binding(self) -> &'static str {
        match self {
            Self::Weixin => "binding",
            Self::Company => "oidc_binding",
        }
    }

    /// Of which kind a way of the sign-in page binds one.
    pub fn bound_by(way: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.binding() == way)
    }

    /// The password's field in the profile, which has other forms.
    fn password(self) -> &'static str {
        match self {
            Self::Weixin => "weixin_password",
            Self::Company => "oidc_password",
        }
    }

    /// As it is stored; nothing where the host configured no provider.
    fn stored(self, app: &App) -> Result<Option<String>, Error> {
        Ok(match self {
            Self::Weixin => Some(WEIXIN.to_owned()),
            Self::Company => openid::of(app)?.map(|provider| provider.config.issuer.to_string()),
        })
    }

    /// Of a stored one.
    fn of(stored: &str) -> Self {
        if stored == WEIXIN { Self::Weixin } else { Self::Company }
    }

    /// Where the profile says what came of it.
    pub fn told(self, outcome: &str) -> String {
        let word = self.word();
        format!("{PROFILE}?{word}={outcome}#{word}")
    }
}

/// Somebody elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// `weixin`, or an OpenID Connect provider as it calls itself.
    pub kind: String,
    /// The person as it is known there; at weixin, as our application knows it.
    pub openid: String,
    /// The same person in all applications of our company; not everywhere.
    pub unionid: Option<String>,
    /// As the person calls itself there, for looking at.
    pub nickname: String,
}

impl Identity {
    /// Where it is known.
    pub fn kind(&self) -> Kind {
        Kind::of(&self.kind)
    }
}

/// What became of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// Bound, now or before.
    Bound,
    /// It is another member's.
    Taken,
    /// The member has another one of the kind.
    HasAnother,
}

/// What whoever brings another member's is told.
pub fn taken(name: &str) -> String {
    format!("这个{name}已绑定另一个账号，要换到这个账号，请先在那边解绑。")
}

/// What a member who has another one of the kind is told.
pub fn has_another(name: &str) -> String {
    format!("这个账号已绑定另一个{name}，请先在会员资料里解绑。")
}

/// The binding page where nobody waits.
fn over(name: &str) -> String {
    format!("{name}授权已经过期，或者已经绑定好了，请重新用{name}登录。")
}

/// Somebody whom nobody has bound yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Pending {
    identity: Identity,
    /// Epoch ms.
    until: i64,
}

impl Pending {
    fn new(identity: Identity, now: i64) -> Self {
        Self { identity, until: now + PENDING_MS }
    }

    /// Who it is, as long as it waits.
    fn at(self, now: i64) -> Option<Identity> {
        (now <= self.until).then_some(self.identity)
    }
}

/// Keeps somebody for the binding page. The session's id is renewed: whoever planted it must not find anybody in it.
pub async fn keep_pending(session: &Session, identity: Identity) -> Result<(), Error> {
    session.cycle_id().await.map_err(Error::internal)?;
    session.insert(PENDING, Pending::new(identity, now_ms())).await.map_err(Error::internal)?;
    Ok(())
}

/// Who waits in a session.
async fn pending(session: &Session) -> Result<Option<Identity>, Error> {
    let pending: Option<Pending> = session.get(PENDING).await.map_err(Error::internal)?;
    Ok(pending.and_then(|pending| pending.at(now_ms())))
}

/// Binds who waits in a session to a member who has just proved to be that member, or was just made. Nothing where nobody waits. Only
/// who was bound stops waiting.
pub async fn bind_pending(
    app: &App,
    session: &Session,
    member: &MemberId,
) -> Result<Option<(Kind, Binding)>, Error> {
    let Some(identity) = pending(session).await? else { return Ok(None) };
    let binding = bind(app, member, &identity).await?;
    if binding == Binding::Bound {
        session.remove::<Pending>(PENDING).await.map_err(Error::internal)?;
    }
    Ok(Some((identity.kind(), binding)))
}

/// The same, with the way that tells why it could not be, and why.
pub async fn bind_now(
    app: &App,
    session: &Session,
    member: &MemberId,
) -> Result<Result<(), (&'static str, String)>, Error> {
    let (kind, refusal) = match bind_pending(app, session, member).await? {
        Some((_, Binding::Bound)) => return Ok(Ok(())),
        Some((kind, Binding::Taken)) => (kind, taken(&kind.name())),
        Some((kind, Binding::HasAnother)) => (kind, has_another(&kind.name())),
        None => return Ok(Err(("", "授权超过了 10 分钟，已经过期，请重新登录。".to_owned()))),
    };
    Ok(Err((kind.binding(), refusal)))
}

/// Binds one to a member whose every contact is told: it is a new way into the account.
async fn bind(app: &App, member: &MemberId, identity: &Identity) -> Result<Binding, Error> {
    let mut tx = app.db.begin().await?;
    if store::bind(&mut tx, member, identity, now_ms()).await? {
        let name = identity.kind().name();
        let text = format!(
            "【书坊】您的账号绑定了{name}{}，以后用它就能登录。若不是您本人操作，请立即解绑它、修改密码并联系我们。",
            quoted(&identity.nickname)
        );
        tell(app, &mut tx, member, &format!("书坊账号绑定了{name}"), &text).await?;
        tx.commit().await?;
        app.bell.ring();
        return Ok(Binding::Bound);
    }
    drop(tx);
    let owner =
        store::member_of(&app.db, &identity.kind, &identity.openid, identity.unionid.as_deref()).await?;
    Ok(match owner {
        Some(owner) if owner == *member => Binding::Bound,
        Some(_) => Binding::Taken,
        None => Binding::HasAnother,
    })
}

fn quoted(nickname: &str) -> String {
    if nickname.is_empty() { String::new() } else { format!("“{nickname}”") }
}

async fn tell(app: &App, tx: &mut Tx, member: &MemberId, subject: &str, text: &str) -> Result<(), Error> {
    let holder = accounts_store::contacts::holder_within(tx, member).await?;
    notices::tell_everywhere(app, tx, &holder, subject, text).await
}

/// Binds one to the member who set out for it in its profile; nothing where that member was signed out on the way.
pub async fn bind_own(app: &App, member: &Member, identity: &Identity) -> Result<Option<Binding>, Error> {
    let present = logins::member(app, &member.login).await?;
    if present.is_none_or(|present| present.id != member.id) {
        return Ok(None);
    }
    bind(app, &member.id, identity).await.map(Some)
}

/// Whether a member has one of a kind.
pub async fn is_bound(app: &App, member: &MemberId, kind: Kind) -> Result<bool, Error> {
    Ok(match kind.stored(app)? {
        Some(stored) => store::of_member(&app.db, member, &stored).await?.is_some(),
        None => false,
    })
}

/// Takes away what a member has of a kind, whose every contact is told; false when that was nothing.
pub async fn unbind(app: &App, member: &MemberId, kind: Kind) -> Result<bool, Error> {
    let Some(stored) = kind.stored(app)? else { return Ok(false) };
    let mut tx = app.db.begin().await?;
    if !store::unbind(&mut tx, member, &stored).await? {
        return Ok(false);
    }
    let name = kind.name();
    let text = format!(
        "【书坊】您的账号刚刚解绑了{name}，它不能再登录。若不是您本人操作，请立即修改密码并联系我们。"
    );
    tell(app, &mut tx, member, &format!("书坊账号解绑了{name}"), &text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(true)
}

/// A button of the profile.
pub async fn unbind_own(app: &App, member: &Member, kind: Kind) -> Redirect {
    let outcome = match unbind(app, &member.id, kind).await {
        Ok(true) => "unbound",
        Ok(false) => "not_bound",
        Err(error) => {
            tracing::error!(%error, "A third party's identity could not be unbound");
            "not_unbound"
        }
    };
    Redirect::to(&kind.told(outcome))
}

/// Whether a member may set out from its profile for another way into its account: it shows its password, however the session began.
/// What is wrong is said in the form.
pub async fn may_bind(
    app: &App,
    parts: &Parts,
    member: &Member,
    kind: Kind,
    form: &mut Form,
) -> Result<bool, Error> {
    let field = kind.password();
    let secret = form.all(field).next().unwrap_or("").to_owned();
    form.forget(field);
    if is_bound(app, &member.id, kind).await? {
        form.refuse("", has_another(&kind.name()));
    } else if secret.is_empty() {
        form.refuse(field, "请输入密码");
    } else {
        match logins::check_password(app, parts, Way::Confirmation, &member.account, secret).await {
            Ok(Some(proved)) if proved == member.id => {}
            Ok(_) => form.refuse(field, "密码不正确"),
            Err(error @ Error::TooMany(_)) => form.refuse(field, error.message()),
            Err(error) => return Err(error),
        }
    }
    Ok(!form.is_refused())
}

/// The sign-in page's binding form: an account of ours, proved by its password, gets who waits in the session.
pub async fn answer(
    app: &App,
    session: &Session,
    parts: Parts,
    mut form: Form,
    kind: Kind,
) -> Result<Response, Error> {
    let sign_in = SignIn::of(&parts);
    if pending(session).await?.is_none_or(|waiting| waiting.kind() != kind) {
        form.refuse("", over(&kind.name()));
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
    match bind_now(app, session, &member).await? {
        Ok(()) => sign_in.enter(app, session, &parts, &member, BeganBy::Password).await,
        Err((_, refusal)) => {
            form.refuse("", refusal);
            render::again(app, parts, &sign_in.place, form).await
        }
    }
}

/// Lets a member in whom a third party has named, or asks for the second step where that has not seen enough. Answers where to go.
pub async fn arrive(
    app: &App,
    session: &Session,
    parts: &Parts,
    member: &MemberId,
    by: BeganBy,
    asked: &str,
    is_enough: bool,
) -> Result<String, Error> {
    if !is_enough && second_factor::is_on(app, member).await? {
        second_factor::begin(app, session, parts, member, by, false).await?;
        return Ok(second_factor::place(&return_path::login_address(asked)));
    }
    logins::enter(app, session, member, by, parts).await?;
    Ok(asked.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Identity, Kind, Pending};

    #[test]
    fn one_that_nobody_bound_waits_for_ten_minutes() {
        let identity =
            Identity { kind: "weixin".into(), openid: "o".into(), unionid: None, nickname: "小林".into() };
        assert_eq!(identity.kind(), Kind::Weixin);
        let pending = Pending::new(identity.clone(), 1_000);
        assert_eq!(pending.clone().at(601_000), Some(identity));
        assert_eq!(pending.at(601_001), None);
    }

    #[test]
    fn a_provider_is_known_by_its_address() {
        for issuer in ["https://weixin", "https://login.example.com/weixin"] {
            assert_eq!(Kind::of(issuer), Kind::Company);
        }
        assert_eq!(Kind::bound_by("oidc_binding"), Some(Kind::Company));
        assert_eq!(Kind::bound_by("binding"), Some(Kind::Weixin));
        assert_eq!(Kind::bound_by("registration"), None);
    }
}
