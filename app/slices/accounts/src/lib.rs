//! Who somebody is: accounts, signing in and out, the profile, shipping addresses.
//!
//! Not here: what a member owns (photos, works, cart, orders) and its balance, which is the ledger's.

mod address_form;
mod addresses;
mod asker;
mod attempts;
mod avatar;
mod calls;
mod change_contact;
mod change_password;
mod closing;
mod codes;
mod devices;
mod forms;
mod identity;
mod interrupted;
mod jobs;
mod logins;
mod looks;
mod notices;
mod oidc;
mod pages;
mod passkeys;
mod password;
mod profile;
mod props;
mod qr;
mod recovery;
mod registration;
mod scan;
mod second_factor;
mod sign_in_form;
mod sign_ins;
mod staff;
mod store;
mod third_party;
mod weixin;

use domain::days::DAY_MS;
use std::collections::HashMap;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::http::request::Parts;
use axum::routing::{get, post};
use base::db::{Tx, new_id, now_ms, sql};
use base::delivery;
use base::error::Error;
use base::storage::AVATARS;
use domain::contact::Contact;
use domain::ids::{AddressId, CollectionId, LoginId, MemberId, SubMemberId, YearBookId};
use domain::membership::Standing;
use domain::tier::Tier;
use domain::typed::typed;
use leptos::prelude::*;
use sha2::{Digest, Sha256};
use web::access::Policy;
use web::app::App;
use web::background::{Background, MINUTE};
use web::client;
use web::route::Route;
use web::session::Member;
use web::slice::{Entry, Group, Named, Slice};

pub use address_form::{
    AddressFields, LOOK as LOOK_AT_REGIONS, forget_written_address, is_address_written, read_address,
};
pub use addresses::{AddressPage, AddressesPage, MOST as MOST_ADDRESSES, NewAddressPage};
pub use attempts::Attempt;
pub use attempts::{
    start_company_account, start_link_password, start_staff, take_company_account, take_following,
    take_gift_message, take_passkey, take_report, take_review,
};
pub use change_contact::ContactPage;
pub use change_password::{PasswordPage, knows_password};
pub use closing::{ClosingPage, closed_at};
pub use identity::Accounts;
use jobs::ForgetClosed;
pub use logins::device;
pub use looks::{Look, begin as begin_look, end as end_look, of_member as looks_at};
pub use notices::{email_of, tell_member, tell_reader};
pub use pages::SignInPage;
pub use passkeys::PasskeysPage;
pub use password::{hash as hash_password, matches as password_matches};
pub use profile::ProfilePage;
pub use props::QrLoginProps;
pub use scan::ScanPage;
pub use second_factor::{
    SecondFactorPage, enrolment, new_secret, open as open_secret, reset as reset_second_factor,
    seal as seal_secret, step_of,
};
pub use sign_ins::{SignInsPage, Told as ToldSignIn};
pub use staff::{LookedAt, SignedIn, find_members, look_at};
pub use store::addresses::Address;
pub use store::hold as hold_member;
pub use store::staff::MemberFacts;

/// Passkeys of whoever else has them here: what is asked of a browser, and what of its answer is kept.
pub mod webauthn {
    pub use super::passkeys::{Key, NotOffered, Refused, RelyingParty, Shown, handle_of};
}

/// Its routes.
const ROUTES: &[Route] = &[
    // where password managers lead their owners (W3C, A Well-Known URL for Changing Passwords)
    Route::new("/.well-known/change-password", Policy::Everybody)
        .handled(|| get(|| async { (StatusCode::FOUND, [(LOCATION, change_password::PATH)]) })),
    Route::new("/manager/avatar/{sha256}", Policy::Member).handled(|| get(avatar::serve)),
    Route::new("/manager/login", Policy::Public)
        .page(|| SignInPage().into_any())
        .handled(|| post(forms::sign_in)),
    Route::new("/manager/login/{*path}", Policy::Public)
        .page(|| SignInPage().into_any())
        .handled(|| post(forms::sign_in)),
    Route::new(passkeys::ASKING, Policy::Public).handled(|| post(passkeys::begin)),
    Route::new("/manager/login_state", Policy::Public).handled(|| get(scan::watch)),
    Route::new("/manager/logout", Policy::Public).handled(|| post(forms::sign_out)).in_read_only(),
    Route::new("/manager/scan/{ask}", Policy::Member)
        .page(|| ScanPage().into_any())
        .handled(|| post(scan::answer)),
    Route::new("/manager/userInfo", Policy::Member)
        .page(|| ProfilePage().into_any())
        .handled(|| post(profile::save).layer(DefaultBodyLimit::max(avatar::MOST_REQUEST_BYTES))),
    Route::new("/manager/userInfo/addresses", Policy::Member).page(|| AddressesPage().into_any()),
    Route::new("/manager/userInfo/addresses/new", Policy::Member)
        .page(|| NewAddressPage().into_any())
        .handled(|| post(addresses::add)),
    Route::new("/manager/userInfo/addresses/{id}", Policy::Member)
        .page(|| AddressPage().into_any())
        .handled(|| post(addresses::change)),
    Route::new("/manager/userInfo/addresses/{id}/default", Policy::Member)
        .handled(|| post(addresses::make_default)),
    Route::new("/manager/userInfo/addresses/{id}/removal", Policy::Member)
        .handled(|| post(addresses::remove)),
    Route::new("/manager/userInfo/avatar/removal", Policy::Member).handled(|| post(avatar::remove)),
    Route::new("/manager/userInfo/closing", Policy::Member)
        .page(|| ClosingPage().into_any())
        .handled(|| post(closing::answer)),
    Route::new("/manager/userInfo/contact", Policy::Member)
        .page(|| ContactPage().into_any())
        .handled(|| post(change_contact::answer)),
    Route::new("/manager/userInfo/logins/others/removal", Policy::Member)
        .handled(|| post(devices::end_others)),
    Route::new("/manager/userInfo/logins/{id}/removal", Policy::Member).handled(|| post(devices::end)),
    Route::new("/manager/userInfo/password", Policy::Member)
        .page(|| PasswordPage().into_any())
        .handled(|| post(change_password::answer)),
    Route::new("/manager/userInfo/second_factor", Policy::Member)
        .page(|| SecondFactorPage().into_any())
        .handled(|| post(second_factor::change)),
    Route::new(passkeys::PATH, Policy::Member)
        .page(|| PasskeysPage().into_any())
        .handled(|| post(passkeys::change)),
    Route::new("/manager/userInfo/signins", Policy::Member).page(|| SignInsPage().into_any()),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    variables: weixin::VARIABLES,
    settings: Some(weixin::check),
    routes: &[ROUTES, weixin::ROUTES, oidc::ROUTES, calls::ROUTES],
    navigation: &[Entry::new(Group::Account, "/manager/userInfo", "资料", 30)],
    jobs: |handlers| handlers.with::<ForgetClosed>(),
    tables: &[
        "members",
        "sign_in_attempts",
        "sign_ins",
        "looks",
        "second_factors",
        "recovery_codes",
        "passkeys",
        "addresses",
        "third_party_identities",
    ],
    background: &[Background::every(MINUTE, "codes and tries that are over", |app| {
        Box::pin(async move { forget_over(&app).await })
    })],
    passing: &["codes", "logins", "qr_answers", "sent_codes", "used_states"],
    files: &[Named {
        folder: AVATARS,
        count: sql!("select count(*) from members where avatar = $1"),
        all: sql!("select avatar from members where avatar is not null"),
    }],
    open: Some(|app| Box::pin(async move { read_settings(&app).await })),
    audited: &[
        ("member closed", "注销账号"),
        ("member second-factor-off", "关闭两步验证"),
        ("look begin", "查看会员的页面"),
        ("look end", "结束查看会员的页面"),
    ],
    ..Slice::new("accounts")
};

/// How long a member is shown who came in, tried to, or looked, in ms.
const MEMORY_MS: i64 = 90 * DAY_MS;

/// Why an account cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum NewMemberError {
    #[error("账号须是手机号码或电子邮箱：{0}")]
    NotAnAccount(String),
    #[error(transparent)]
    Password(#[from] domain::password::Refused),
    #[error("这个账号已经存在：{0}")]
    Exists(String),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Reads the host's settings, so that a wrong one is told at the start.
async fn read_settings(app: &App) -> Result<(), Error> {
    if let Some(weixin) = weixin::of(app)?.as_ref() {
        app.allow_forms_to(weixin.open_url());
    }
    Ok(())
}

/// Makes an account on the host's word. Its name is a mobile number or an e-mail address. A password that is merely easy to guess is
/// taken: whoever has the machine gives out first ones, which members change.
pub async fn add_member(
    app: &App,
    account: &str,
    password: &str,
    tier: Tier,
) -> Result<MemberId, NewMemberError> {
    let contact =
        Contact::read(account).ok_or_else(|| NewMemberError::NotAnAccount(account.trim().to_owned()))?;
    let password = match domain::password::check(password, &[contact.as_str()]) {
        Err(domain::password::Refused::Guessable) => domain::password::normal(password),
        checked => checked?,
    };
    let hash = password::hash(app, password).await?;
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let new = NewAccount { contact: &contact, name: "", hash: &hash, tier, invited_by: None };
    let member = new.insert(&mut tx).await?.ok_or_else(|| NewMemberError::Exists(contact.to_string()))?;
    tx.commit().await.map_err(Error::from)?;
    Ok(member)
}

/// An account to come.
pub struct NewAccount<'a> {
    pub contact: &'a Contact,
    /// Empty for one made of the contact.
    pub name: &'a str,
    pub hash: &'a str,
    pub tier: Tier,
    /// By whose invite code it registers.
    pub invited_by: Option<&'a MemberId>,
}

/// How many pairs of codes are tried for a new member. With a million members one in a hundred needs a second.
const ROUNDS: u8 = 16;

impl NewAccount<'_> {
    /// Makes the account; `None` when somebody has its contact.
    pub async fn insert(&self, tx: &mut Tx) -> Result<Option<MemberId>, Error> {
        self.insert_as(tx, new_id()).await
    }

    async fn insert_as(&self, tx: &mut Tx, id: MemberId) -> Result<Option<MemberId>, Error> {
        if store::contacts::is_taken(tx, self.contact.as_str()).await? {
            return Ok(None);
        }
        let own = self.contact.name();
        let name = if self.name.is_empty() { &own } else { self.name };
        for round in 0..ROUNDS {
            let codes = Codes::for_member(&id, round);
            let (contact, hash, tier, invited_by) = (self.contact, self.hash, self.tier, self.invited_by);
            let new = store::NewMember { id: &id, contact, name, hash, codes: &codes, tier, invited_by };
            if store::insert_member(tx, &new, now_ms()).await? {
                return Ok(Some(id));
            }
            // somebody was quicker, or has the same member code
            if store::contacts::is_taken(tx, self.contact.as_str()).await? {
                return Ok(None);
            }
        }
        Err(Error::internal("no free member code was found"))
    }
}

/// A member's public codes, derived from its id so that making an account twice gives the same ones.
struct Codes {
    member_code: String,
    invite_code: String,
}

impl Codes {
    /// The codes to try in a round; the first one is 0.
    fn for_member(id: &MemberId, round: u8) -> Self {
        let mut digest = Sha256::new_with_prefix(id.as_str());
        if round > 0 {
            digest.update([round]);
        }
        let digest = digest.finalize();
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

/// What was typed as an account in the form in which it is stored.
fn normal_account(account: &str) -> String {
    Contact::read(account).map_or_else(|| typed(account).to_lowercase(), |contact| contact.to_string())
}

/// Fills what a backup of an older version does not know.
pub async fn complete_restored(tx: &mut Tx) -> Result<(), Error> {
    store::contacts::fill_contacts(tx).await
}

/// Deletes codes, messages and counts that are over.
async fn forget_over(app: &App) -> Result<(), Error> {
    store::codes::forget_over(&app.db).await?;
    attempts::forget_over(app).await?;
    sign_ins::forget_over(app).await?;
    looks::forget_over(app).await?;
    delivery::forget_over(app).await
}

/// Starts a member's try at a redeem code, or says how long it must wait: ten a minute, thirty of a network address.
pub async fn start_redeeming(app: &App, parts: &Parts, member: &MemberId) -> Result<Attempt, Error> {
    attempts::start_redeeming(app, member.as_str(), &client::address(app, parts)).await
}

/// Counts a redeem code that a member mistyped, or says how long it must wait.
pub async fn start_typing(app: &App, member: &MemberId) -> Result<(), Error> {
    attempts::start_typing(app, member.as_str()).await
}

/// Starts a try at something that nobody's account is behind, such as a link with a secret: its network address waits.
pub async fn start_anywhere(app: &App, parts: &Parts) -> Result<Attempt, Error> {
    attempts::start_anywhere(app, &client::address(app, parts)).await
}

/// Counts that somebody without an account sends something to a collection of photos, or says how long it must wait.
pub async fn take_guest_request(app: &App, parts: &Parts, collection: &CollectionId) -> Result<(), Error> {
    attempts::guests::take_request(app, &client::address(app, parts), collection.as_str()).await
}

/// Counts that somebody on a year book's roster, who needs no account, sends something, or says how long it must wait.
pub async fn take_year_book_request(app: &App, parts: &Parts, book: &YearBookId) -> Result<(), Error> {
    attempts::guests::take_request(app, &client::address(app, parts), book.as_str()).await
}

/// Counts a guest who comes to a collection of photos in this transaction, or says how long it must wait.
pub async fn take_guest(
    app: &App,
    tx: &mut Tx,
    parts: &Parts,
    collection: &CollectionId,
) -> Result<(), Error> {
    attempts::guests::take_guest(tx, &client::address(app, parts), collection.as_str()).await
}

/// A member's picture: the SHA-256 that it is called by, and its bytes, WebP.
pub async fn picture_of(app: &App, member: &MemberId) -> Result<Option<(String, Vec<u8>)>, Error> {
    avatar::of(app, member).await
}

/// A member's code, eight digits.
pub async fn member_code_of(app: &App, member: &MemberId) -> Result<String, Error> {
    store::profile::member_code_of(&app.db, member).await
}

/// The member that a contact belongs to, where it belongs to one.
pub async fn member_of(app: &App, contact: &str) -> Result<Option<MemberId>, Error> {
    Ok(store::contacts::holder(&app.db, contact).await?.map(|holder| holder.id))
}

/// A member's tier, until when, and what it has afterwards; its row is held until the transaction ends.
pub async fn hold_standing(tx: &mut Tx, member: &MemberId) -> Result<Standing, Error> {
    store::tiers::hold(tx, member).await
}

/// The same without holding it.
pub async fn standing(tx: &mut Tx, member: &MemberId) -> Result<Standing, Error> {
    store::tiers::find(tx, member).await
}

/// Those of many members, by their ids; closed accounts have none.
pub async fn standings(app: &App, members: &[MemberId]) -> Result<HashMap<MemberId, Standing>, Error> {
    store::tiers::of_all(&app.db, members).await
}

/// Writes it, for whoever holds it.
pub async fn set_standing(tx: &mut Tx, member: &MemberId, standing: Standing) -> Result<(), Error> {
    store::tiers::set(tx, member, standing).await
}

/// What a member is called, and its tier, for those who work for it.
pub async fn house(tx: &mut Tx, member: &MemberId) -> Result<(String, Standing), Error> {
    let standing = store::tiers::find(tx, member).await?;
    Ok((store::contacts::holder_within(tx, member).await?.name, standing))
}

/// What a member is called, and by which account it signs in, for those who may know it.
pub async fn called(tx: &mut Tx, member: &MemberId) -> Result<(String, String), Error> {
    let holder = store::contacts::holder_within(tx, member).await?;
    Ok((holder.name, holder.account))
}

/// By which account a member signs in, for those who know it.
pub async fn account_of(tx: &mut Tx, member: &MemberId) -> Result<String, Error> {
    Ok(store::contacts::holder_within(tx, member).await?.account)
}

/// Lets a login work among a house's sub-members, or be its member's own again.
pub async fn work_as(app: &App, login: &LoginId, place: Option<&SubMemberId>) -> Result<(), Error> {
    store::set_works_as(&app.db, login, place).await
}

/// A member's shipping addresses, the default first.
pub async fn addresses(app: &App, member: &MemberId) -> Result<Vec<Address>, Error> {
    store::addresses::of_member(&app.db, member).await
}

/// Whether money and security ask this login for the password again: it began by a phone that was lent, perhaps.
pub async fn asks_again(app: &App, member: &Member) -> Result<bool, Error> {
    let began_by = store::profile::began_by(&app.db, &member.login).await?;
    Ok(began_by.as_deref() == Some(logins::BeganBy::Qr.name()))
}

/// One of a member's own addresses.
pub async fn address(app: &App, member: &MemberId, id: &AddressId) -> Result<Address, Error> {
    addresses(app, member).await?.into_iter().find(|known| known.id == *id).ok_or(Error::NotFound)
}

/// Keeps an address; the first one becomes the default. False when the member keeps as many as it may.
pub async fn add_address(app: &App, member: &MemberId, address: &Address) -> Result<bool, Error> {
    store::addresses::insert(&app.db, member, address, MOST_ADDRESSES, now_ms()).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::config::database_pool;
    use base::db::{Db, Schema, with_db, with_write};

    #[tokio::test]
    async fn a_member_code_that_is_taken_is_drawn_again() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("x.db").display());
        let db = Db::connect(&url, database_pool().unwrap(), Schema::BroughtUp).await.unwrap();
        let id: MemberId = "01k0000000000000000000000b".parse().unwrap();
        let taken = Codes::for_member(&id, 0);
        let account =
            |contact| NewAccount { contact, name: "", hash: "", tier: Tier::Basic, invited_by: None };
        let [one, other] = ["one@example.com", "other@example.com"].map(|text| Contact::read(text).unwrap());
        let mut tx = db.begin().await.unwrap();
        account(&one).insert(&mut tx).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        with_write!(&db, |pool| sqlx::query("update members set member_code = $1")
            .bind(&taken.member_code)
            .execute(pool)
            .await
            .map(drop))
        .unwrap();
        let mut tx = db.begin().await.unwrap();
        assert!(
            account(&one).insert_as(&mut tx, id.clone()).await.unwrap().is_none(),
            "the contact is taken"
        );
        assert_eq!(account(&other).insert_as(&mut tx, id.clone()).await.unwrap(), Some(id.clone()));
        tx.commit().await.unwrap();
        let code: String =
            with_db!(&db, |pool| sqlx::query_scalar("select member_code from members where id = $1")
                .bind(id.as_str())
                .fetch_one(pool)
                .await)
            .unwrap();
        assert_eq!(code, Codes::for_member(&id, 1).member_code);
        assert_ne!(code, taken.member_code);
    }
}
