//! Signing in with weixin, and the weixin that is bound to an account. Active when the host configured an application
//! of the open platform (`BINDERY_WEIXIN_APP_ID`, `BINDERY_WEIXIN_SECRET`).
//!
//! A weixin that nobody bound waits in the session, on the server, until somebody proves an account of ours or
//! registers one; a form never carries it.

mod client;
mod config;
mod forms;
mod pages;
mod share;
mod state;

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;

use super::store::weixin as store;
use platform::app::App;
use platform::base::Base;
use platform::db::now_ms;
use platform::error::Error;
use state::{Begun, CALLBACK, Intent};

pub use client::{Identity, Weixin};
pub use config::{VARIABLES, check};
pub use forms::{ROUTES, bind, start};
pub use pages::{BindingForm, Bindings, PendingChoice, StartForm, WeixinWay};
pub use store::Binding;

/// The way of the sign-in page that leads to weixin.
pub const WAY: &str = "weixin";
/// The way that binds a weixin to an account.
pub const BINDING: &str = "binding";
/// The binding page where no weixin waits.
const OVER: &str = "微信授权已经过期，或者已经绑定好了，请重新用微信登录。";
/// A call's answer where the host configured nothing.
pub const CLOSED: &str = "微信登录尚未开通";
/// The profile, where members bind and unbind.
const PROFILE: &str = "/manager/userInfo";

/// Where a weixin waits in a session.
const PENDING: &str = "weixin";
/// How long it waits, in ms.
const PENDING_MS: i64 = 10 * 60_000;

/// A weixin that nobody has bound yet.
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

    /// The weixin, as long as it waits.
    fn at(self, now: i64) -> Option<Identity> {
        (now <= self.until).then_some(self.identity)
    }
}

/// Why a login at weixin led nowhere. The name stands in an address, the sentence on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The word is not this browser's, or came back before.
    Unknown,
    Late,
    Denied,
    /// Weixin does not take the code.
    Refused,
    /// Weixin did not answer, or not in its own words.
    Silent,
    /// Somebody else is signed in than who began.
    OtherMember,
    Taken,
    HasAnother,
}

impl Trouble {
    const ALL: [Self; 8] = [
        Self::Unknown,
        Self::Late,
        Self::Denied,
        Self::Refused,
        Self::Silent,
        Self::OtherMember,
        Self::Taken,
        Self::HasAnother,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Late => "late",
            Self::Denied => "denied",
            Self::Refused => "refused",
            Self::Silent => "silent",
            Self::OtherMember => "other_member",
            Self::Taken => "taken",
            Self::HasAnother => "has_another",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trouble| trouble.name() == name)
    }

    /// For people.
    pub fn message(self) -> &'static str {
        match self {
            Self::Unknown => "这次微信授权不是从这个浏览器开始的，或者已经用过，请重新开始。",
            Self::Late => "微信授权超过了 10 分钟，已经过期，请重新开始。",
            Self::Denied => "您在微信里没有同意授权。",
            Self::Refused => "微信没有认可这次授权，请重新开始。",
            Self::Silent => "获取第三方登录信息失败：微信现在没有正常回应，请稍后再试。",
            Self::OtherMember => "登录的账号在授权途中变了，没有绑定，请重新开始。",
            Self::Taken => "这个微信已绑定另一个账号，要换到这个账号，请先在那边解绑。",
            Self::HasAnother => "这个账号已绑定另一个微信，请先在会员资料里解绑。",
        }
    }
}

/// The application at weixin, where the host configured one.
pub fn of(app: &App) -> Result<Arc<Option<Weixin>>, Error> {
    app.own(|_| {
        let config = config::read(platform::config::variable).map_err(Error::internal)?;
        config.map(Weixin::new).transpose()
    })
}

/// A login at weixin that begins: the word by which it is known, the address to go to, and the cookie to keep.
pub struct Beginning {
    pub id: String,
    pub address: String,
    pub cookie: (HeaderName, HeaderValue),
}

/// Begins a login that ends on the page `back`; `None` where weixin is not configured.
pub fn begin_sign_in(app: &App, headers: &HeaderMap, back: &str) -> Result<Option<Beginning>, Error> {
    begin(app, headers, Intent::SignIn(back.to_owned()))
}

fn begin(app: &App, headers: &HeaderMap, intent: Intent) -> Result<Option<Beginning>, Error> {
    let weixin = of(app)?;
    let Some(weixin) = weixin.as_ref() else { return Ok(None) };
    let begun = Begun::new(intent, now_ms());
    let back = Base::of(&app.config, headers).join(CALLBACK);
    let cookie = begun.cookie(app.key.as_bytes(), app.config.secure_cookies)?;
    Ok(Some(Beginning {
        address: weixin.authorize_address(&back, &begun.nonce)?,
        cookie: (header::SET_COOKIE, cookie),
        id: begun.nonce,
    }))
}

/// Whether a member has a weixin.
pub async fn is_bound(app: &App, member: &MemberId) -> Result<bool, Error> {
    Ok(store::of_member(&app.db, member).await?.is_some())
}

/// Takes a member's weixin away; false when it had none.
pub async fn unbind(app: &App, member: &MemberId) -> Result<bool, Error> {
    store::unbind(&app.db, member).await
}

/// Keeps a weixin for the binding page. The session's id is renewed: somebody who planted it must not find a
/// weixin in it.
async fn keep_pending(session: &Session, identity: Identity) -> Result<(), Error> {
    session.cycle_id().await?;
    session.insert(PENDING, Pending::new(identity, now_ms())).await?;
    Ok(())
}

/// The weixin that waits in a session.
async fn pending(session: &Session) -> Result<Option<Identity>, Error> {
    let pending: Option<Pending> = session.get(PENDING).await?;
    Ok(pending.and_then(|pending| pending.at(now_ms())))
}

/// Binds the weixin that waits in a session to a member who has just proved to be that member, or was just made.
/// `None` when none waits. Bound or not, only a weixin that was bound stops waiting.
pub async fn bind_pending(app: &App, session: &Session, member: &MemberId) -> Result<Option<Binding>, Error> {
    let Some(identity) = pending(session).await? else { return Ok(None) };
    let binding = store::bind(&app.db, member, &identity, now_ms()).await?;
    if binding == Binding::Bound {
        session.remove::<Pending>(PENDING).await?;
    }
    Ok(Some(binding))
}

/// The same, with why it could not be.
pub async fn bind_now(app: &App, session: &Session, member: &MemberId) -> Result<Result<(), Trouble>, Error> {
    Ok(match bind_pending(app, session, member).await? {
        Some(Binding::Bound) => Ok(()),
        Some(Binding::Taken) => Err(Trouble::Taken),
        Some(Binding::HasAnother) => Err(Trouble::HasAnother),
        None => Err(Trouble::Late),
    })
}

#[cfg(test)]
mod tests {
    use super::{Identity, Pending};

    #[test]
    fn a_weixin_that_nobody_bound_waits_for_ten_minutes() {
        let identity = Identity { openid: "o".into(), unionid: None, nickname: "小林".into() };
        let pending = Pending::new(identity.clone(), 1_000);
        assert_eq!(pending.clone().at(601_000), Some(identity));
        assert_eq!(pending.at(601_001), None);
    }
}
