//! Clerks' company accounts 公司账号 ([`openid`]): an account opens what its clerk has connected it to, from /staff/me, and nothing else:
//! addresses of mail are nobody's for good, and the provider makes nobody a clerk.

mod forms;
mod pages;
mod store;

use base::error::{self, Error};
use domain::ids::StaffLoginId;
use serde::{Deserialize, Serialize};
use web::app::App;
use web::render::Form;

pub use forms::{begin, change, come_back};
pub use pages::{AtTheDoor, CompanyAccount, OidcPage};

/// Where one sets out for the provider.
pub const BEGIN: &str = "/staff/login/oidc";
/// Where a clerk connects and disconnects its own.
pub const OWN: &str = "/staff/me/oidc";

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

/// Why nobody is signed in and nothing connected.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trouble {
    /// The provider has named nobody.
    Nobody(openid::Trouble),
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

/// Why a sign-in ends here.
type Stop = error::Stop<Trouble>;

impl Trouble {
    /// The status of the page that tells it, and the sentence, without its end.
    fn told(&self, name: &str) -> (u16, String) {
        let (status, sentence) = match self {
            Self::Nobody(trouble) => trouble.told(name),
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
        match self {
            Self::Nobody(trouble) => trouble.is_guess(),
            trouble => *trouble == Self::Unconnected,
        }
    }
}

impl error::Stops for Trouble {}

/// A clerk's company account, connected or not, for the page that shows it.
pub struct Account {
    name: String,
    connected: Option<store::Connected>,
}

/// A clerk's own, where the host configured a provider.
pub async fn of_clerk(app: &App, staff: &str) -> Result<Option<Account>, Error> {
    let Some(provider) = openid::of(app)? else { return Ok(None) };
    let connected = store::of(&app.db, staff, provider.config.issuer.as_str()).await?;
    Ok(Some(Account { name: provider.config.name.clone(), connected }))
}

/// Whether a form is one of [`OWN`], of those on its page.
pub fn is_sent(form: &Form) -> bool {
    !form.get(STEP).is_empty()
}
