//! To the provider and back. What has begun lies in the browser's session, once and for ten minutes.

use axum::http::HeaderMap;
use axum::http::header::{HeaderValue, REFRESH};
use axum::http::request::Parts;
use axum::response::Response;
use base::db::now_ms;
use base::error::Error;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form};
use web::session::{keep, take};

use crate::provider::{Failure, Provider};

/// How long what was begun is good for, in ms.
const LIFE_MS: i64 = 10 * 60_000;
/// The longest code that is handed on, in bytes.
const LONGEST_CODE: usize = 4096;

/// Where people set out for the provider.
#[derive(Debug)]
pub struct Door {
    /// Where a session keeps what was begun at it.
    place: &'static str,
    /// Where the provider leads back to; registered there.
    pub back: &'static str,
    /// What is asked for besides who somebody is.
    pub(crate) scopes: &'static [&'static str],
}

/// The back office's.
pub const OF_CLERKS: Door = Door { place: "oidc", back: "/staff/login/oidc/return", scopes: &[] };
/// The members', who know by a name there which account it was that they bound.
pub const OF_MEMBERS: Door = Door { place: "oidc_member", back: "/manager/login_oidc", scopes: &["profile"] };

/// What was begun, as the session keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct Begun<Intent> {
    state: String,
    nonce: String,
    /// Of PKCE.
    verifier: String,
    /// Where the provider was told to lead back to.
    back: String,
    /// Epoch ms.
    until: i64,
    /// What is done when somebody comes back.
    intent: Intent,
}

impl<Intent> Begun<Intent> {
    fn is_over(&self, now: i64) -> bool {
        now > self.until
    }
}

/// A code that came back, with what has to fit it.
#[derive(Debug)]
pub struct Code {
    pub(crate) code: String,
    pub(crate) nonce: String,
    pub(crate) verifier: String,
    pub(crate) back: String,
}

/// Why the provider has named nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The state is not this browser's, or came back before.
    Unknown,
    Late,
    Denied,
    /// The provider ended it with an error of its own.
    Stopped,
    /// The provider does not take the code.
    Refused,
    Untrusted,
    /// The provider does not answer, or not in its own words.
    Silent,
}

impl Trouble {
    /// The status of the page that tells it, and the sentence, without its end. `name` is what people call the accounts.
    pub fn told(self, name: &str) -> (u16, String) {
        match self {
            Self::Unknown => (400, "这次登录不是从这个浏览器开始的，或者已经用过，请重新开始".to_owned()),
            Self::Late => (400, "登录超过了 10 分钟，已经过期，请重新开始".to_owned()),
            Self::Denied => (403, format!("您没有同意用{name}登录")),
            Self::Stopped => (502, format!("{name}没有完成这次登录，请稍后再试")),
            Self::Refused => (400, format!("{name}没有认可这次登录，请重新开始")),
            Self::Untrusted => {
                (502, format!("{name}送回的登录信息没有通过核对，请重新开始；总是这样，请告诉网站管理员"))
            }
            Self::Silent => (503, format!("{name}的登录服务现在没有正常回应，请稍后再试")),
        }
    }

    /// Whether it may be one of many tries.
    pub fn is_guess(self) -> bool {
        matches!(self, Self::Refused | Self::Untrusted)
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        tracing::warn!(%failure, "A sign-in with a company account failed");
        match failure {
            Failure::Refused => Self::Refused,
            Failure::Untrusted(_) => Self::Untrusted,
            Failure::Late | Failure::Unreachable(_) => Self::Silent,
        }
    }
}

/// What the provider leads back with (RFC 6749, section 4.1.2).
#[derive(Deserialize, Default)]
struct Returned {
    #[serde(default)]
    state: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    error: String,
}

impl Door {
    /// Begins, in the place of what was begun at this door before; answers where the browser goes.
    pub async fn leave(
        &self,
        app: &App,
        provider: &Provider,
        session: &Session,
        headers: &HeaderMap,
        intent: &impl Serialize,
    ) -> Result<Result<String, Trouble>, Error> {
        let back = Origin::of(&app.config, headers).join(self.back);
        let beginning = match provider.begin(&back, self.scopes).await {
            Ok(beginning) => beginning,
            Err(failure) => return Ok(Err(failure.into())),
        };
        let begun = Begun {
            state: beginning.state,
            nonce: beginning.nonce,
            verifier: beginning.verifier,
            back,
            until: now_ms() + LIFE_MS,
            intent,
        };
        keep(session, self.place, &begun).await?;
        Ok(Ok(beginning.address))
    }

    /// Somebody comes back: what for, and with which code. Nothing where this browser did not begin it, or it came back before: what may
    /// be under way here is left alone, as any site's page can lead here.
    pub async fn come_back<Intent: DeserializeOwned>(
        &self,
        session: &Session,
        parts: &Parts,
    ) -> Result<Option<(Intent, Result<Code, Trouble>)>, Error> {
        let query = parts.uri.query().unwrap_or_default();
        let returned: Returned = serde_urlencoded::from_str(query).unwrap_or_default();
        let begun: Option<Begun<Intent>> = session.get(self.place).await.map_err(Error::internal)?;
        if begun.is_none_or(|begun| begun.state != returned.state) {
            return Ok(None);
        }
        let taken: Option<Begun<Intent>> = take(session, self.place).await?;
        let Some(begun) = taken else { return Ok(None) };
        let is_over = begun.is_over(now_ms());
        let Begun { nonce, verifier, back, intent, .. } = begun;
        let code = match returned.error.as_str() {
            _ if is_over => Err(Trouble::Late),
            "" if returned.code.is_empty() || returned.code.len() > LONGEST_CODE => Err(Trouble::Refused),
            "" => Ok(Code { code: returned.code, nonce, verifier, back }),
            "access_denied" => Err(Trouble::Denied),
            _ => Err(Trouble::Stopped),
        };
        Ok(Some((intent, code)))
    }
}

/// The address of the provider that a page leads on to.
#[derive(Debug, Clone)]
struct Leaving(String);

/// The page at `page`, which leads on to the provider by itself and shows [`Onward`]. A redirect as the answer to a form would be held
/// to the content policy at every step that the provider takes from there.
pub async fn lead_on(app: &App, mut parts: Parts, page: &str, address: String) -> Result<Response, Error> {
    let refresh = HeaderValue::from_str(&format!("0; url={address}")).map_err(Error::internal)?;
    parts.extensions.insert(Leaving(address));
    let mut answer = render::again(app, parts, page, Form::default()).await?;
    answer.headers_mut().insert(REFRESH, refresh);
    Ok(answer)
}

/// Where this page leads on to, if it does.
pub fn leaving() -> Option<String> {
    use_context::<Parts>()?.extensions.get::<Leaving>().map(|Leaving(address)| address.clone())
}

/// What stands on a page that leads on.
#[component]
pub fn Onward(address: String) -> impl IntoView {
    view! {
        <p>"那边登录以后会自动回到这里。没有跳转时请点下面的按钮。"</p>
        <p><a class="button primary wide" href=address>"继续"</a></p>
    }
}

#[cfg(test)]
mod tests {
    use super::{Begun, LIFE_MS};

    #[test]
    fn what_was_begun_is_good_for_ten_minutes() {
        let begun = Begun {
            state: "s".into(),
            nonce: "n".into(),
            verifier: "v".into(),
            back: "https://books.example/staff/login/oidc/return".into(),
            until: 1_000 + LIFE_MS,
            intent: "/staff".to_owned(),
        };
        assert!(!begun.is_over(601_000) && begun.is_over(601_001));
        // as the session keeps it
        let kept = serde_json::to_value(&begun).unwrap();
        let kept: Begun<String> = serde_json::from_value(kept).unwrap();
        assert_eq!((kept.until, kept.state), (begun.until, begun.state));
    }
}
