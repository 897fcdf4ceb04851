//! Who somebody is: accounts, signing in and out, the profile, shipping addresses.
//!
//! Not here: what a member owns (photos, works, cart, orders) and its balance, which is the ledger's.

mod address_form;
mod addresses;
mod attempts;
mod avatar;
mod calls;
mod devices;
mod forms;
mod logins;
mod pages;
mod password;
mod profile;
mod props;
mod qr;
mod scan;
mod store;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::ids::{AddressId, MemberId};
use domain::tier::Tier;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::db::{new_id, now_ms};
use crate::error::Error;
use crate::router::Routes;

pub use address_form::{AddressFields, LOOK as LOOK_AT_REGIONS, read_address};
pub use addresses::{AddressPage, AddressesPage, MOST as MOST_ADDRESSES, NewAddressPage};
pub use avatar::address as avatar_address;
pub use forms::sign_in_first;
pub use logins::{member as member_of_login, member_by_token, note_seen};
pub use pages::SignInPage;
pub use profile::ProfilePage;
pub use props::QrLoginProps;
pub use scan::ScanPage;
pub use store::addresses::Address;

/// The slice's form handlers.
pub fn router() -> Routes {
    Routes::default()
        .route("/manager/login", post(forms::sign_in))
        .route("/manager/login/{*path}", post(forms::sign_in))
        .route("/manager/login_state", get(scan::watch))
        .route("/manager/logout", post(forms::sign_out))
        .route("/manager/scan/{ask}", post(scan::answer))
        .route("/manager/avatar/{sha256}", get(avatar::serve))
        .route(
            "/manager/userInfo",
            post(profile::save).layer(DefaultBodyLimit::max(avatar::MOST_REQUEST_BYTES)),
        )
        .route("/manager/userInfo/avatar/removal", post(avatar::remove))
        .route("/manager/userInfo/logins/others/removal", post(devices::end_others))
        .route("/manager/userInfo/logins/{id}/removal", post(devices::end))
        .route("/manager/userInfo/addresses/new", post(addresses::add))
        .route("/manager/userInfo/addresses/{id}", post(addresses::change))
        .route("/manager/userInfo/addresses/{id}/removal", post(addresses::remove))
        .route("/manager/userInfo/addresses/{id}/default", post(addresses::make_default))
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
    store::addresses::of_member(&app.db, member).await
}

/// One of a member's own addresses.
pub async fn address(app: &App, member: &MemberId, id: &AddressId) -> Result<Address, Error> {
    addresses(app, member).await?.into_iter().find(|known| known.id == *id).ok_or(Error::NotFound)
}

/// Keeps an address; the first one becomes the default. False when the member keeps as many as it may.
pub async fn add_address(app: &App, member: &MemberId, address: &Address) -> Result<bool, Error> {
    store::addresses::insert(&app.db, member, address, MOST_ADDRESSES, now_ms()).await
}
