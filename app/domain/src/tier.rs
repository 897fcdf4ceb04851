//! Membership tiers and what each may do (specification section 6). What they cost, and for how long, is in
//! [`membership`](crate::membership).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A member's tier, `vip_name` of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Tier {
    /// The tier of a new member.
    #[default]
    #[serde(rename = "普通会员")]
    Basic,
    #[serde(rename = "VIP")]
    Vip,
    #[serde(rename = "超级会员")]
    Super,
    #[serde(rename = "企业高级版")]
    Enterprise,
}

/// Something a tier opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    /// 我的会员.
    SubMembers,
    /// 统计.
    Statistics,
    /// Publishing a work as an e-book; the making desk itself is open to everyone.
    Ebook,
    /// Subscriptions to e-papers.
    EpaperSubscription,
    /// The editor and printing.
    OnlineEditor,
}

const GIB: u64 = 1 << 30;

/// The feature table of specification section 6, row for row.
const FEATURES: [(Feature, &[Tier]); 5] = [
    (Feature::SubMembers, &[Tier::Vip, Tier::Super, Tier::Enterprise]),
    (Feature::Statistics, &[Tier::Vip, Tier::Super, Tier::Enterprise]),
    (Feature::Ebook, &[Tier::Super]),
    (Feature::EpaperSubscription, &[Tier::Super]),
    (Feature::OnlineEditor, &Tier::ALL),
];

/// A text that names no tier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("没有这个会员等级：{0}")]
pub struct UnknownTier(String);

impl Tier {
    /// Every tier, the lowest first.
    pub const ALL: [Self; 4] = [Self::Basic, Self::Vip, Self::Super, Self::Enterprise];

    /// The tier's name, `vip_name`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Basic => "普通会员",
            Self::Vip => "VIP",
            Self::Super => "超级会员",
            Self::Enterprise => "企业高级版",
        }
    }

    /// How many bytes of original photos a member may keep (product page, section 3, "Photos").
    pub fn photo_quota(self) -> u64 {
        match self {
            Self::Basic => 5 * GIB,
            Self::Vip => 50 * GIB,
            Self::Super => 200 * GIB,
            Self::Enterprise => 1024 * GIB,
        }
    }

    /// How many sub-members its house may have (publishing page, section 4, "我的会员").
    pub fn sub_members(self) -> u32 {
        match self {
            Self::Basic => 0,
            Self::Vip => 3,
            Self::Super => 10,
            Self::Enterprise => 50,
        }
    }
}

impl Feature {
    /// Every feature, in the order of specification section 6.
    pub fn all() -> impl Iterator<Item = Self> {
        FEATURES.into_iter().map(|(feature, _)| feature)
    }

    /// The feature's name, as members are told it.
    pub fn name(self) -> &'static str {
        match self {
            Self::SubMembers => "我的会员",
            Self::Statistics => "统计",
            Self::Ebook => "发布电子书",
            Self::EpaperSubscription => "订阅电子报",
            Self::OnlineEditor => "在线编辑和印刷",
        }
    }

    /// The tiers that open the feature, the lowest first: what a refused page names.
    pub fn opened_by(self) -> &'static [Tier] {
        FEATURES.iter().find(|(feature, _)| *feature == self).map_or(&[], |(_, tiers)| tiers)
    }
}

/// Whether members of a tier may use a feature.
pub fn allows(tier: Tier, feature: Feature) -> bool {
    feature.opened_by().contains(&tier)
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tier {
    type Err = UnknownTier;
    fn from_str(text: &str) -> Result<Self, UnknownTier> {
        Self::ALL.into_iter().find(|tier| tier.name() == text).ok_or_else(|| UnknownTier(text.to_owned()))
    }
}
