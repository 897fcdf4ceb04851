//! Company accounts 公司账号: signing in by an OpenID Connect provider, where the host configured one (`BINDERY_OIDC_ISSUER`), with the
//! code flow, PKCE, a state and a nonce. An account opens what its clerk has connected it to, from /staff/me, and nothing else:
//! addresses of mail are nobody's for good, and the provider makes nobody a clerk.
//!
//! What has begun lies in the browser's session, once and for ten minutes.

mod config;
mod forms;
mod pages;
mod provider;
mod store;

use std::sync::Arc;

use domain::ids::StaffLoginId;
use platform::app::App;
use platform::error::Error;
use platform::render::Form;
use serde::{Deserialize, Serialize};

use provider::{Failure, Provider};

pub use config::{CLIENT_ID, CLIENT_SECRET, ISSUER, NAME, check};
pub use forms::{begin, change, come_back};
pub use pages::{AtTheDoor, CompanyAccount, OidcPage};

/// Where one sets out for the provider.
pub const BEGIN: &str = "/staff/login/oidc";
/// Where it leads back to.
pub const RETURN: &str = "/staff/login/oidc/return";
/// Where a clerk connects and disconnects its own.
pub const OWN: &str = "/staff/me/oidc";

/// Where a session keeps what was begun.
const BEGUN: &str = "oidc";
/// How long it is good for, in ms.
const LIFE_MS: i64 = 10 * 60_000;
/// The field that says what a form of [`OWN`] does.
const STEP: &str = "step";

/// What is done when somebody comes back.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Intent {
    /// Signed in, on the way to this page.
    SignIn(String),
    /// The account is connected to this clerk, in this login.
    Connect(String, StaffLoginId),
}

/// What was begun, as the session keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Begun {
    state: String,
    nonce: String,
    /// Of PKCE.
    verifier: String,
    /// Where the provider was told to lead back to.
    back: String,
    /// Epoch ms.
    until: i64,
    intent: Intent,
}

impl Begun {
    fn is_over(&self, now: i64) -> bool {
        now > self.until
    }
}

/// Why nobody is signed in and nothing connected.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trouble {
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
    Unconnected,
    Taken,
    HasAnother,
    /// Somebody else is signed in than who began, or nobody.
    OtherClerk,
    /// There were too many tries; a sentence.
    Waits(String),
    /// Nothing is written; a sentence.
    ReadOnly(String),
}

impl Trouble {
    /// The status of the page that tells it, and the sentence, without its end.
    fn told(&self, name: &str) -> (u16, String) {
        let (status, sentence) = match self {
            Self::Unknown => (400, "这次登录不是从这个浏览器开始的，或者已经用过，请重新开始".to_owned()),
            Self::Late => (400, "登录超过了 10 分钟，已经过期，请重新开始".to_owned()),
            Self::Denied => (403, format!("您没有同意用{name}登录")),
            Self::Stopped => (502, format!("{name}没有完成这次登录，请稍后再试")),
            Self::Refused => (400, format!("{name}没有认可这次登录，请重新开始")),
            Self::Untrusted => {
                (502, format!("{name}送回的登录信息没有通过核对，请重新开始；总是这样，请告诉站长"))
            }
            Self::Silent => (503, format!("{name}的登录服务现在没有正常回应，请稍后再试")),
            Self::Unconnected => {
                (403, format!("这个{name}还没有连接任何员工。请先用密码登录，在“我的账号”里连接它"))
            }
            Self::Taken => (409, format!("这个{name}已经连接了另一位员工，没有改动")),
            Self::HasAnother => (409, format!("您已经连接了另一个{name}，请先断开它")),
            Self::OtherClerk => (403, "登录的员工在途中变了，或者已经退出，没有连接，请重新开始".to_owned()),
            Self::Waits(sentence) => (429, sentence.clone()),
            Self::ReadOnly(sentence) => (503, sentence.clone()),
        };
        (status, sentence.trim_end_matches('。').to_owned())
    }

    /// Whether it may be one of many tries.
    fn is_guess(&self) -> bool {
        matches!(self, Self::Refused | Self::Untrusted | Self::Unconnected)
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

/// The provider, where the host configured one.
fn of(app: &App) -> Result<Arc<Option<Provider>>, Error> {
    app.own(|_| {
        let config = config::read(platform::config::variable).map_err(Error::internal)?;
        config.map(Provider::new).transpose()
    })
}

/// A clerk's company account, connected or not, for the page that shows it.
pub struct Account {
    name: String,
    connected: Option<store::Connected>,
}

/// A clerk's own, where the host configured a provider.
pub async fn of_clerk(app: &App, staff: &str) -> Result<Option<Account>, Error> {
    let provider = of(app)?;
    let Some(provider) = provider.as_ref() else { return Ok(None) };
    let connected = store::of(&app.db, staff, provider.config.issuer.as_str()).await?;
    Ok(Some(Account { name: provider.config.name.clone(), connected }))
}

/// Whether a form is one of [`OWN`], of those on its page.
pub fn is_sent(form: &Form) -> bool {
    !form.get(STEP).is_empty()
}

#[cfg(test)]
mod tests {
    use super::{Begun, Intent, LIFE_MS};

    #[test]
    fn what_was_begun_is_good_for_ten_minutes() {
        let begun = Begun {
            state: "s".into(),
            nonce: "n".into(),
            verifier: "v".into(),
            back: "https://books.example/staff/login/oidc/return".into(),
            until: 1_000 + LIFE_MS,
            intent: Intent::SignIn("/staff".into()),
        };
        assert!(!begun.is_over(601_000) && begun.is_over(601_001));
        // as the session keeps it
        let kept = serde_json::to_value(&begun).unwrap();
        let kept: Begun = serde_json::from_value(kept).unwrap();
        assert_eq!((kept.until, kept.state), (begun.until, begun.state));
    }
}
