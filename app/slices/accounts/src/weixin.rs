//! Signing in with weixin, and the weixin that is bound to an account. Active when the host configured an application
//! of the open platform (`BINDERY_WEIXIN_APP_ID`, `BINDERY_WEIXIN_SECRET`).

mod client;
mod config;
mod forms;
mod pages;
mod share;
mod state;

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use base::db::now_ms;
use base::error::Error;
use web::app::App;
use web::origin::Origin;

use super::third_party::{Kind, has_another, taken};
use state::{Begun, CALLBACK, Intent};

pub use client::Weixin;
pub use config::{VARIABLES, check};
pub use forms::{ROUTES, start};
pub use pages::{Bindings, WeixinWay};

/// The way of the sign-in page that leads to weixin.
pub const WAY: &str = "weixin";
/// A call's answer where the host configured nothing.
pub const CLOSED: &str = "微信登录尚未开通";

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
    pub fn message(self) -> String {
        let sentence = match self {
            Self::Unknown => "这次微信授权不是从这个浏览器开始的，或者已经用过，请重新开始。",
            Self::Late => "微信授权超过了 10 分钟，已经过期，请重新开始。",
            Self::Denied => "您在微信里没有同意授权。",
            Self::Refused => "微信没有认可这次授权，请重新开始。",
            Self::Silent => "获取第三方登录信息失败：微信现在没有正常回应，请稍后再试。",
            Self::OtherMember => "登录的账号在授权途中变了，没有绑定，请重新开始。",
            Self::Taken => return taken(&Kind::Weixin.name()),
            Self::HasAnother => return has_another(&Kind::Weixin.name()),
        };
        sentence.to_owned()
    }
}

/// The application at weixin, where the host configured one.
pub fn of(app: &App) -> Result<Arc<Option<Weixin>>, Error> {
    app.own(|_| {
        let config = config::read(base::variables::variable).map_err(Error::internal)?;
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
    let back = Origin::of(&app.config, headers).join(CALLBACK);
    let cookie = begun.cookie(app.key.as_bytes(), app.config.secure_cookies)?;
    Ok(Some(Beginning {
        address: weixin.authorize_address(&back, &begun.nonce)?,
        cookie: (header::SET_COOKIE, cookie),
        id: begun.nonce,
    }))
}
