//! What is done to accounts, by the pages and by the command line alike: one after the other, each asked of
//! [`domain::clerk`] over how everything is at that moment, and noted with what was before.

use base::audit;
use base::db::{Tx, now_ms};
use base::delivery::{self, Message};
use base::error::Error;
use base::time;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::clerk::{self, Act, Actor, INVITATION_MS, Target, Way, sign_in_name};
use domain::contact::Contact;
use domain::staff::Role;
use rand::Rng;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use web::app::App;
use web::approvals::{self, Decision, Kind, Request, Thing};
use web::origin::Origin;
use web::staff::Staff;

use super::store::{self, Row};
use crate::store::{self as accounts_store, Account, Listed, codes, read_roles};
use domain::money::Fen;

/// Accounts of the back office among what needs a second person.
pub const KIND: Kind = Kind { name: "clerk", log: "staff change" };

/// An account as what a second person agrees to something of.
pub fn thing(id: &str) -> Thing<'_> {
    Thing { kind: KIND, id }
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    Add { name: String, full_name: String, roles: Vec<Role> },
    Roles(Vec<Role>),
    End,
    TakeBack,
    Reset,
    EndLogins,
}

impl What {
    fn act(&self) -> Act<'_> {
        match self {
            Self::Add { roles, .. } => Act::Add(roles),
            Self::Roles(roles) => Act::Roles(roles),
            Self::End => Act::End,
            Self::TakeBack => Act::TakeBack,
            Self::Reset => Act::Reset,
            Self::EndLogins => Act::EndLogins,
        }
    }

    /// As it is stored, and stands in the log behind `staff`.
    fn code(&self) -> &'static str {
        match self {
            Self::Add { .. } => "add",
            Self::Roles(_) => "roles",
            Self::End => "remove",
            Self::TakeBack => "back",
            Self::Reset => "reset",
            Self::EndLogins => "end-logins",
        }
    }

    /// What was asked for, again.
    fn stored(row: &Row) -> Result<Self, Error> {
        Ok(match row.act.as_str() {
            "add" => Self::Add {
                name: row.name.clone(),
                full_name: row.full_name.clone(),
                roles: read_roles(&row.roles)?,
            },
            "roles" => Self::Roles(read_roles(&row.roles)?),
            "back" => Self::TakeBack,
            "reset" => Self::Reset,
            other => return Err(Error::internal(format!("nobody asks for {other}"))),
        })
    }

    /// In a sentence, for whoever is to agree.
    fn told(&self, name: &str, before: &[Role]) -> String {
        match self {
            Self::Add { roles, .. } => format!("新开账号 {name}：{}", named(roles)),
            Self::Roles(roles) => format!("{name} 的角色从{}改为{}", named(before), named(roles)),
            Self::End => format!("停用账号 {name}"),
            Self::TakeBack => format!("恢复账号 {name}：{}", named(before)),
            Self::Reset => format!("重设 {name} 的密码和验证器：{}", named(before)),
            Self::EndLogins => format!("退出 {name} 的所有登录"),
        }
    }
}

/// Roles as people read them.
pub fn named(roles: &[Role]) -> String {
    roles.iter().map(|role| role.name()).collect::<Vec<_>>().join("、")
}

/// What is done to which account.
#[derive(Debug, Clone)]
pub struct Change {
    /// Of the account; of one that is to be added its id to come.
    pub id: String,
    pub what: What,
    /// The version that was looked at; none where nobody looked.
    pub seen: Option<i64>,
    /// How somebody comes in from now on, where that changes.
    pub entry: Option<Entry>,
}

/// A way into an account that replaces all others of it.
#[derive(Debug, Clone)]
pub struct Entry {
    password_hash: String,
    sealed: String,
    /// The secret of a link; none where the password was given.
    token: Option<String>,
    /// Where the link is sent.
    email: Option<Contact>,
}

impl Entry {
    /// By a link; no password fits before it was used.
    pub async fn by_link(app: &App, id: &str, email: Option<Contact>) -> Result<Self, Error> {
        let mut bytes = [0u8; 32];
        rand::rng().fill_bytes(&mut bytes);
        let nobodys = URL_SAFE_NO_PAD.encode(bytes);
        rand::rng().fill_bytes(&mut bytes);
        let mut entry = Self::by_password(app, id, nobodys).await?;
        entry.token = Some(URL_SAFE_NO_PAD.encode(bytes));
        entry.email = email;
        Ok(entry)
    }

    /// By a password, which was looked at.
    pub async fn by_password(app: &App, id: &str, password: String) -> Result<Self, Error> {
        Ok(Self {
            password_hash: accounts::hash_password(app, password).await?,
            sealed: accounts::seal_secret(app.key.as_bytes(), id, accounts::new_secret())?,
            token: None,
            email: None,
        })
    }
}

/// What a link's secret is known by.
pub fn digest(token: &str) -> String {
    STANDARD.encode(Sha256::digest(token))
}

/// Where an invitation leads, on this site.
pub fn invitation(token: &str) -> String {
    format!("{}/{token}", crate::invitation::PATH)
}

/// By what right something is done.
#[derive(Debug, Clone, Copy)]
pub enum By<'a> {
    Host,
    Clerk {
        staff: &'a Staff,
        /// Tells one press of a button from another, where it has to wait for somebody else.
        key: &'a str,
    },
    /// Somebody else agrees to what was asked for.
    Second {
        staff: &'a Staff,
        decision: &'a Decision,
    },
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Done now; where a link lets somebody in, its secret and whether it was sent.
    Done { token: Option<String>, sent: bool },
    /// It waits for somebody else.
    Asked,
    /// It was so before.
    Before,
}

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    #[error(transparent)]
    Refused(#[from] clerk::Refused),
    #[error("在您打开这一页以后，这个账号又有人改过。现在的情况在下面，确认以后再办")]
    Stale,
    #[error("提出以后，这个账号又有人改过。请撤回或不同意，看过现在的情况再提")]
    StaleRequest,
    #[error("这个登录名有人用过；登录名不重复使用，日志里才分得清是谁")]
    NameTaken,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotDone {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Does it, or keeps it for somebody else to agree to.
pub async fn carry_out(app: &App, change: &Change, by: By<'_>) -> Result<Outcome, NotDone> {
    let mut tx = app.db.begin().await?;
    accounts_store::hold(&mut tx).await?;
    let all = accounts_store::all(&mut tx).await?;
    let known = all.iter().find(|listed| listed.account.id == change.id);
    let before = known.map_or(Ok(Vec::new()), |known| known.account.roles())?;
    let name = match (&change.what, known) {
        (What::Add { .. }, Some(_)) => return Ok(Outcome::Before),
        (What::Add { name, .. }, None) => {
            // names of before were kept in whatever width they had
            if all.iter().any(|listed| sign_in_name(&listed.account.name) == *name) {
                return Err(NotDone::NameTaken);
            }
            name.clone()
        }
        (_, Some(known)) => known.account.name.clone(),
        (_, None) => return Err(Error::NotFound.into()),
    };
    if known.is_some_and(|known| is_so(&change.what, known, &before)) {
        return Ok(Outcome::Before);
    }
    let is_stale = change.seen.is_some_and(|seen| known.is_some_and(|known| known.account.version != seen));
    if is_stale {
        let asked = matches!(by, By::Second { .. });
        return Err(if asked { NotDone::StaleRequest } else { NotDone::Stale });
    }
    let target = Target {
        roles: &before,
        works: known.is_none_or(|known| known.account.ended_at.is_none()),
        others_manage: others_who_manage(&all, &change.id)?,
    };
    let act = change.what.act();
    match by {
        By::Host => {
            clerk::way(Actor::Host, act, target)?;
        }
        By::Clerk { staff, key } => {
            let roles = roles_now(&all, staff)?;
            let actor = Actor::Clerk { roles: &roles, is_target: change.id == staff.id.as_str() };
            if clerk::way(actor, act, target)? == Way::WithAnother {
                let version = known.map_or(0, |known| known.account.version);
                return ask(app, tx, change, staff, (key, &name, &before, version)).await;
            }
        }
        By::Second { staff, decision } => {
            let roles = roles_now(&all, staff)?;
            let actor = Actor::Clerk { roles: &roles, is_target: change.id == staff.id.as_str() };
            clerk::may_agree((staff.name.as_str(), actor), &decision.request.asked_by, act, target)?;
            let (right, now) = (decision.right(), now_ms());
            if !approvals::gives(app, &mut tx, right, thing(&change.id), Fen::ZERO, now).await? {
                return Ok(Outcome::Before);
            }
            store::close(&mut tx, &decision.request.id, now).await?;
        }
    }
    let outcome = apply(app, &mut tx, change, &name).await?;
    audit::note(
        &mut tx,
        &format!("staff {}", change.what.code()),
        &change.id,
        &detail(&change.what, &name, &before),
    )
    .await?;
    tx.commit().await?;
    if let By::Second { decision, .. } = by {
        decision.note_granted(app, KIND).await?;
    }
    app.bell.ring();
    Ok(outcome)
}

/// Whether nothing is left to do.
fn is_so(what: &What, known: &Listed, before: &[Role]) -> bool {
    match what {
        What::Roles(roles) => roles.len() == before.len() && roles.iter().all(|role| before.contains(role)),
        What::End => known.account.ended_at.is_some(),
        What::TakeBack => known.account.ended_at.is_none(),
        What::EndLogins => known.logins == 0,
        What::Add { .. } | What::Reset => false,
    }
}

/// How many but one may manage accounts and can sign in.
fn others_who_manage(all: &[Listed], but: &str) -> Result<usize, Error> {
    let mut others = 0;
    for listed in all.iter().filter(|listed| listed.account.id != but && listed.can_sign_in()) {
        others += usize::from(clerk::manages(&listed.account.roles()?));
    }
    Ok(others)
}

/// The roles of whoever acts as they are now: since the request came, they may have gone.
fn roles_now(all: &[Listed], staff: &Staff) -> Result<Vec<Role>, NotDone> {
    let own = all.iter().find(|listed| listed.account.id == staff.id.as_str());
    let own = own.filter(|own| own.account.ended_at.is_none()).ok_or(clerk::Refused::NotAllowed)?;
    Ok(own.account.roles()?)
}

/// Keeps what needs somebody else, whose page it will stand on.
async fn ask(
    app: &App,
    mut tx: Tx,
    change: &Change,
    staff: &Staff,
    (key, name, before, version): (&str, &str, &[Role], i64),
) -> Result<Outcome, NotDone> {
    let (full_name, roles) = match &change.what {
        What::Add { full_name, roles, .. } => (full_name.as_str(), codes(roles)),
        What::Roles(roles) => ("", codes(roles)),
        _ => ("", String::new()),
    };
    let email = change.entry.as_ref().and_then(|entry| entry.email.as_ref());
    let row = Row {
        id: key.to_owned(),
        staff_id: change.id.clone(),
        act: change.what.code().to_owned(),
        name: name.to_owned(),
        full_name: full_name.to_owned(),
        roles,
        email: email.map_or(String::new(), ToString::to_string),
        version,
    };
    store::insert(&mut tx, &row).await?;
    tx.commit().await?;
    let request = Request {
        id: row.id,
        about: row.staff_id,
        amount: None,
        reason: change.what.told(name, before),
        asked_by: staff.name.clone(),
        asked_at: now_ms(),
        decided_at: None,
    };
    let is_new = approvals::ask(app, KIND, &request).await?;
    Ok(if is_new { Outcome::Asked } else { Outcome::Before })
}

/// What was asked for, as it is done when somebody agrees.
pub async fn asked_for(app: &App, row: &Row) -> Result<Change, Error> {
    let what = What::stored(row)?;
    let entry = match what {
        What::Roles(_) => None,
        _ => Some(Entry::by_link(app, &row.staff_id, Contact::read(&row.email)).await?),
    };
    Ok(Change { id: row.staff_id.clone(), what, seen: Some(row.version), entry })
}

async fn apply(app: &App, tx: &mut Tx, change: &Change, name: &str) -> Result<Outcome, NotDone> {
    let (id, now) = (change.id.as_str(), now_ms());
    match &change.what {
        What::Add { full_name, roles, .. } => {
            let entry = change.entry.as_ref().ok_or_else(|| Error::internal("nobody could come in"))?;
            let account = Account {
                id: id.to_owned(),
                name: name.to_owned(),
                full_name: full_name.clone(),
                roles: codes(roles),
                password_hash: entry.password_hash.clone(),
                sealed: entry.sealed.clone(),
                on_since: None,
                created_at: now,
                ended_at: None,
                signed_in_at: None,
                version: 0,
            };
            if !accounts_store::insert(tx, &account).await? {
                return Err(NotDone::NameTaken);
            }
        }
        What::Roles(roles) => accounts_store::set_roles(tx, id, roles).await?,
        What::End => {
            store::uninvite(tx, id).await?;
            accounts_store::end(tx, id, now).await?;
        }
        What::TakeBack | What::Reset => {
            let entry = change.entry.as_ref().ok_or_else(|| Error::internal("nobody could come in"))?;
            accounts_store::set_ways_in(tx, id, &entry.password_hash, &entry.sealed).await?;
        }
        What::EndLogins => {
            accounts_store::end_logins(tx, id, None).await?;
        }
    }
    let Some(Entry { token: Some(token), email, .. }) = &change.entry else {
        return Ok(Outcome::Done { token: None, sent: false });
    };
    let ends_at = now + INVITATION_MS;
    store::invite(tx, id, &digest(token), ends_at).await?;
    let site = Origin::configured(&app.config);
    let sent = match (email, site) {
        (Some(to), Some(site)) => {
            let text = format!(
                "【书坊】请用这个链接设置您的后台账号 {name}：{}\n链接只能用一次，{} 之前有效。不认识这件事，请不要打开它，告诉您的站长。",
                site.join(&invitation(token)),
                time::stamp(ends_at)
            );
            let message =
                Message {
                    to, subject: "书坊后台的邀请", text, expires_at: ends_at, on_behalf_of: None
                };
            delivery::queue(app, tx, message).await?;
            true
        }
        _ => false,
    };
    Ok(Outcome::Done { token: Some(token.clone()), sent })
}

fn detail(what: &What, name: &str, before: &[Role]) -> Value {
    match what {
        What::Add { full_name, roles, .. } => {
            json!({ "name": name, "full_name": full_name, "roles": codes(roles) })
        }
        What::Roles(roles) => json!({ "name": name, "before": codes(before), "roles": codes(roles) }),
        _ => json!({ "name": name, "roles": codes(before) }),
    }
}
