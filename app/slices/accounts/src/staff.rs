//! Members as the back office looks at them. Whoever has the pages is above; nothing here changes anything.

use base::db::now_ms;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;

use super::logins::{self, BeganBy};
use super::sign_ins::{self, Told};
use super::store::profile::Login;
use super::store::staff::{self as rows, MemberFacts};
use super::{normal_account, second_factor, store};

/// Where a member is signed in now.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub way: String,
    pub device: String,
    pub address: String,
    /// Epoch ms, like the others.
    pub since: i64,
    pub seen_at: i64,
    pub ends_at: i64,
}

impl From<Login> for SignedIn {
    fn from(login: Login) -> Self {
        let ends_at = logins::ends_at(&login);
        let way =
            if login.is_program { "程序令牌".to_owned() } else { BeganBy::described(&login.began_by) };
        let Login { device, address, created_at, seen_at, .. } = login;
        Self { way, device, address, since: created_at, seen_at, ends_at }
    }
}

/// A member with what is known of how it comes in, and of its room.
#[derive(Debug, Clone)]
pub struct LookedAt {
    pub facts: MemberFacts,
    pub has_second_factor: bool,
    pub passkeys: i64,
    /// How many members registered with its invite code.
    pub invited: i64,
    /// The last used first.
    pub logins: Vec<SignedIn>,
    /// The newest first.
    pub sign_ins: Vec<Told>,
    /// Bytes that it keeps, or has on their way.
    pub room: u64,
}

/// A page of members, the newest first, behind one of them. What is looked for is an account, a mobile number, an address or
/// a member code, whole, or a part of a name; nothing for all.
pub async fn find_members(
    app: &App,
    search: &str,
    after: Option<&MemberId>,
    most: i64,
) -> Result<Vec<MemberFacts>, Error> {
    rows::page(&app.db, search, &normal_account(search), after, most).await
}

/// One member, with so many of its newest sign-ins and tries.
pub async fn look_at(app: &App, id: &MemberId, most: usize) -> Result<LookedAt, Error> {
    let facts = rows::find(&app.db, id).await?;
    let logins = store::profile::logins(&app.db, id, now_ms()).await?;
    let kept = photos::kept(app, id).await?;
    Ok(LookedAt {
        facts,
        has_second_factor: second_factor::is_on(app, id).await?,
        passkeys: store::passkeys::count(&app.db, id).await?,
        invited: store::profile::invited(&app.db, id).await?,
        logins: logins.into_iter().map(SignedIn::from).collect(),
        sign_ins: sign_ins::newest(app, id, most).await?,
        room: kept.bytes + kept.coming,
    })
}
