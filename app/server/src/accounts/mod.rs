//! Who somebody is: accounts, signing in and out, shipping addresses.
//!
//! Not here: what a member owns (photos, works, cart, orders) and its balance, which is the ledger's.

mod attempts;
mod calls;
mod forms;
mod logins;
mod pages;
mod password;
mod props;
mod qr;
mod scan;
mod store;
mod weixin;

use axum::routing::{get, post};
use domain::ids::{AddressId, MemberId};
use domain::tier::Tier;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::db::{new_id, now_ms};
use crate::error::Error;
use crate::router::Routes;

pub use forms::sign_in_first;
pub use logins::{member as member_of_login, member_by_token};
pub use pages::SignInPage;
pub use props::QrLoginProps;
pub use scan::ScanPage;
pub use store::Address;
pub use weixin::Weixin;

/// The slice's form handlers.
pub fn router() -> Routes {
    Routes::default()
        .route("/manager/login", post(forms::sign_in))
        .route("/manager/login/{*path}", post(forms::sign_in))
        .route("/manager/login_state", get(scan::watch))
        .route("/manager/logout", post(forms::sign_out))
        .route("/manager/scan/{ask}", post(scan::answer))
        .merge(weixin::router())
        .merge(calls::router())
}

/// Why an account cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum NewMemberError {
    #[error("账号须是手机号码或电子邮箱：{0}")]
    NotAnAccount(String),
    #[error("密码至少 8 个字符，至多 128 个字符")]
    Password,
    #[error("这个账号已经存在：{0}")]
    Exists(String),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Makes an account. The account name is a mobile number or an e-mail address; the password has 8 to 128
/// characters (NIST SP 800-63B sets the lower bound, and that nothing else is asked of it).
pub async fn add_member(
    app: &App,
    account: &str,
    password: &str,
    tier: Tier,
) -> Result<MemberId, NewMemberError> {
    let account = normal_account(account);
    if !is_account(&account) {
        return Err(NewMemberError::NotAnAccount(account));
    }
    if !(8..=128).contains(&password.chars().count()) {
        return Err(NewMemberError::Password);
    }
    let hash = password::hash(app, password.to_owned()).await?;
    let id: MemberId = new_id();
    let name = account.split('@').next().unwrap_or(&account).to_owned();
    let codes = Codes::for_member(&id);
    let new = store::NewMember { id: &id, account: &account, name: &name, hash: &hash, codes: &codes, tier };
    if store::insert_member(&app.db, new, now_ms()).await? {
        Ok(id)
    } else {
        Err(NewMemberError::Exists(account))
    }
}

/// A member's public codes, derived from its id so that making an account twice gives the same ones.
struct Codes {
    member_code: String,
    invite_code: String,
}

impl Codes {
    fn for_member(id: &MemberId) -> Self {
        let digest = Sha256::digest(id.as_str());
        let number = digest.iter().take(8).fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
        // no 0/O and 1/I/L: invite codes are read aloud
        const LETTERS: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
        let invite_code = digest
            .iter()
            .skip(8)
            .take(8)
            .map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]))
            .collect();
        Self { member_code: format!("{:08}", number % 100_000_000), invite_code }
    }
}

fn normal_account(account: &str) -> String {
    account.trim().to_lowercase()
}

fn is_account(account: &str) -> bool {
    let mobile =
        account.len() == 11 && account.starts_with('1') && account.bytes().all(|b| b.is_ascii_digit());
    let email = account.len() <= 254
        && account.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
        })
        && !account.contains(|c: char| c.is_whitespace() || c.is_control());
    mobile || email
}

/// A member's shipping addresses, the default first.
pub async fn addresses(app: &App, member: &MemberId) -> Result<Vec<Address>, Error> {
    store::addresses(&app.db, member).await
}

/// One of a member's own addresses.
pub async fn address(app: &App, member: &MemberId, id: &AddressId) -> Result<Address, Error> {
    store::addresses(&app.db, member).await?.into_iter().find(|known| known.id == *id).ok_or(Error::NotFound)
}

/// Keeps an address; the first one becomes the default.
pub async fn add_address(app: &App, member: &MemberId, address: &Address) -> Result<(), Error> {
    store::insert_address(&app.db, member, address, now_ms()).await
}
