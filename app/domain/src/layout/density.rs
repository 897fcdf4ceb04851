//! How full the pages of a book are.

use serde::{Deserialize, Serialize};

/// How many photos share a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Density {
    /// Few and large; one across the fold where a page would stay empty.
    Airy,
    #[default]
    Even,
    /// Many and small.
    Dense,
}

impl Density {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 3] = [Self::Airy, Self::Even, Self::Dense];

    /// The word for forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Airy => "airy",
            Self::Even => "even",
            Self::Dense => "dense",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Airy => "疏",
            Self::Even => "适中",
            Self::Dense => "密",
        }
    }

    /// What it does, for members.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Airy => "一页一两张，大图跨页",
            Self::Even => "一页两张上下",
            Self::Dense => "一页三到六张，拼图到九张",
        }
    }

    /// The one of that word.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|density| density.code() == code)
    }

    /// Photos on a page of a book that is free in its length.
    pub(super) fn per_page(self) -> f64 {
        match self {
            Self::Airy => 1.2,
            Self::Even => 1.9,
            Self::Dense => 3.4,
        }
    }

    /// The most photos on one page of a book that may still grow.
    pub(super) fn comfortable(self) -> usize {
        match self {
            Self::Airy => 2,
            Self::Even => super::COMFORTABLE_PER_PAGE,
            Self::Dense => super::CROWDED_PER_PAGE,
        }
    }
}
