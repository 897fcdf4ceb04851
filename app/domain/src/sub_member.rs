//! Sub-members 我的会员: who may work for a member's house, and what each may do there (publishing page, section 4).

use std::str::FromStr;

use crate::days::DAY_MS;
use crate::tier::{Feature, Tier, allows};

/// How long an invitation can be accepted, in ms.
pub const INVITATION_MS: i64 = 7 * DAY_MS;
/// The longest name that a house gives a sub-member, in characters.
pub const LONGEST_NAME: usize = 30;

/// What a sub-member may do with the works and photos of the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// 只看: looks at works, photos and proofs.
    Viewer,
    /// 编辑: makes and changes them, too.
    Editor,
}

/// A word that is no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("请选择“编辑”或“只看”")]
pub struct NotARole;

impl Role {
    /// Each, the one who may do more first.
    pub const ALL: [Self; 2] = [Self::Editor, Self::Viewer];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Editor => "editor",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "只看",
            Self::Editor => "编辑",
        }
    }

    /// What it may do, for whoever gives it.
    pub fn description(self) -> &'static str {
        match self {
            Self::Viewer => "可以查看作品、素材和样稿，不能改动",
            Self::Editor => "可以制作和修改作品、上传和整理素材",
        }
    }
}

impl FromStr for Role {
    type Err = NotARole;
    fn from_str(text: &str) -> Result<Self, NotARole> {
        Self::ALL.into_iter().find(|role| role.code() == text).ok_or(NotARole)
    }
}

/// What has become of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvitationState {
    Open,
    Used,
    Withdrawn,
    Expired,
}

/// What has become of one, by when it was used or withdrawn and when it ends.
pub fn invitation(
    used_at: Option<i64>,
    withdrawn_at: Option<i64>,
    expires_at: i64,
    now: i64,
) -> InvitationState {
    match (used_at, withdrawn_at) {
        (Some(_), _) => InvitationState::Used,
        (None, Some(_)) => InvitationState::Withdrawn,
        _ if expires_at <= now => InvitationState::Expired,
        _ => InvitationState::Open,
    }
}

/// Whether sub-members of a house of this tier may work for it, when so many have been with it for longer than this one.
/// Those who came first stay when the house's tier has become lower.
pub fn may_work(tier: Tier, longer: i64) -> bool {
    allows(tier, Feature::SubMembers) && longer < i64::from(tier.sub_members())
}
