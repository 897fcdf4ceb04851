//! Who may do what to an account of the back office 后台, and what of it needs a second person.
//!
//! - Nobody changes its own account here: neither roles, nor its end, nor its second factor.
//! - Whatever lets somebody handle money needs another one who may manage accounts: giving such a role, and every way to
//!   come into an account that has one (a new link to it is as good as its password and its device).
//! - Taking something away never waits: a clerk who must go, goes now. Only the last one who may manage stays.

use crate::approval;
use crate::staff::{Capability, LONGEST_NAME, Role, allows};
use crate::typed::typed;

/// How long an invitation is good, in ms.
pub const INVITATION_MS: i64 = 48 * 60 * 60_000;
/// The most characters of what somebody is called.
pub const LONGEST_FULL_NAME: usize = 40;

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor<'a> {
    /// The host's command line: whoever has the machine has the database.
    Host,
    Clerk {
        roles: &'a [Role],
        /// Whether the account is its own.
        is_target: bool,
    },
}

/// What is done to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act<'a> {
    /// Makes it, with these roles.
    Add(&'a [Role]),
    /// Gives it these roles in the place of those that it has.
    Roles(&'a [Role]),
    /// Ends it: its logins are over, its name stays.
    End,
    /// Lets somebody come back whose account was ended, by a new invitation.
    TakeBack,
    /// Another password and another second factor, by a new invitation.
    Reset,
    /// Ends all of its logins.
    EndLogins,
}

/// The account as it is; one that is to be made has no roles and works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<'a> {
    pub roles: &'a [Role],
    pub works: bool,
    /// How many others may manage accounts and can sign in.
    pub others_manage: usize,
}

/// How something may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Alone,
    /// When somebody else who may manage accounts has agreed.
    WithAnother,
}

/// Why something may not be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("您的角色不能管理后台账号")]
    NotAllowed,
    #[error("不能改自己的账号，请另一位站长来办；改密码、加通行密钥在“我的账号”")]
    Oneself,
    #[error("至少选一个角色")]
    NoRole,
    #[error("这是最后一位能管理账号的同事，先让另一位能管理")]
    LastManager,
    #[error("这个账号已经停用，要先恢复")]
    Ended,
    #[error("这个账号没有停用")]
    Works,
    #[error("自己提出的，要由另一位站长复核")]
    OwnRequest,
}

/// Whether somebody with these roles may manage accounts.
pub fn manages(roles: &[Role]) -> bool {
    allows(roles, Capability::Clerks)
}

/// How somebody may do something to an account.
pub fn way(actor: Actor<'_>, act: Act<'_>, target: Target<'_>) -> Result<Way, Refused> {
    if let Actor::Clerk { roles, is_target } = actor {
        if !manages(roles) {
            return Err(Refused::NotAllowed);
        }
        if is_target && act != Act::EndLogins {
            return Err(Refused::Oneself);
        }
    }
    match act {
        Act::Add(roles) | Act::Roles(roles) if roles.is_empty() => return Err(Refused::NoRole),
        Act::TakeBack if target.works => return Err(Refused::Works),
        Act::Roles(_) | Act::End | Act::Reset | Act::EndLogins if !target.works => {
            return Err(Refused::Ended);
        }
        _ => {}
    }
    if actor == Actor::Host {
        return Ok(Way::Alone);
    }
    let stops_managing = match act {
        Act::End | Act::Reset => true,
        Act::Roles(roles) => !manages(roles),
        Act::Add(_) | Act::TakeBack | Act::EndLogins => false,
    };
    if stops_managing && manages(target.roles) && target.others_manage == 0 {
        return Err(Refused::LastManager);
    }
    let handles_money = |role: &Role| role.handles_money();
    let needs_another = match act {
        Act::Add(roles) => roles.iter().any(handles_money),
        Act::Roles(roles) => roles.iter().any(|role| handles_money(role) && !target.roles.contains(role)),
        Act::TakeBack | Act::Reset => target.roles.iter().any(handles_money),
        Act::End | Act::EndLogins => false,
    };
    Ok(if needs_another { Way::WithAnother } else { Way::Alone })
}

/// Whether somebody may agree to what somebody asked to be done: it could do so itself, and did not ask.
pub fn may_agree(
    (name, actor): (&str, Actor<'_>),
    asked_by: &str,
    act: Act<'_>,
    target: Target<'_>,
) -> Result<(), Refused> {
    if !approval::may_agree(asked_by, name) {
        return Err(Refused::OwnRequest);
    }
    way(actor, act, target).map(drop)
}

/// Whether one of so many passkeys may go: something has to be left beside the password.
pub fn may_remove_passkey(shows_codes: bool, passkeys: usize) -> bool {
    shows_codes || passkeys > 1
}

/// A name to sign in with, as it is stored and looked up: in one width, in lower case, without what nobody sees.
pub fn sign_in_name(text: &str) -> String {
    typed(text).to_lowercase()
}

/// A new name to sign in with; `None` for what can't be one.
pub fn new_sign_in_name(text: &str) -> Option<String> {
    let name = sign_in_name(text);
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    fits.then_some(name)
}
