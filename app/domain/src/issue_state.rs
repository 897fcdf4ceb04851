//! The states of an issue of a newspaper or a magazine, and the one table of its transitions (publishing page, section 2).

use std::fmt;
use std::str::FromStr;

use IssueState::*;

/// Where an issue stands. Stored as [`IssueState::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IssueState {
    /// 草稿: its maker alone sees it.
    Draft,
    /// 定时: it comes out by itself at a moment.
    Scheduled,
    /// 已发布: readers see it.
    Published,
    /// 已撤回: readers are told that it was there.
    Withdrawn,
}

/// An issue does not move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{from}的一期不能变为{to}")]
pub struct NotMoved {
    pub from: IssueState,
    pub to: IssueState,
}

/// Every transition there is; anything else is refused. A new moment for a scheduled issue is one, too.
pub const TRANSITIONS: [(IssueState, IssueState); 7] = [
    (Draft, Scheduled),
    (Draft, Published),
    (Scheduled, Scheduled),
    (Scheduled, Draft),
    (Scheduled, Published),
    (Published, Withdrawn),
    // what was withdrawn by mistake comes out again
    (Withdrawn, Published),
];

impl IssueState {
    /// Every state, in the order an issue goes through them.
    pub const ALL: [Self; 4] = [Draft, Scheduled, Published, Withdrawn];

    /// The state as it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Draft => "draft",
            Scheduled => "scheduled",
            Published => "published",
            Withdrawn => "withdrawn",
        }
    }

    /// The state as people read it.
    pub fn name(self) -> &'static str {
        match self {
            Draft => "草稿",
            Scheduled => "定时发布",
            Published => "已发布",
            Withdrawn => "已撤回",
        }
    }

    /// Moves an issue, or says why not.
    ///
    /// # Errors
    /// The table has no such transition.
    pub fn advance(self, to: Self) -> Result<Self, NotMoved> {
        if TRANSITIONS.contains(&(self, to)) { Ok(to) } else { Err(NotMoved { from: self, to }) }
    }

    /// Where an issue may be moved from here: what a page offers.
    pub fn may(self, to: Self) -> bool {
        self.advance(to).is_ok()
    }

    /// Whether readers ever saw it: then its address answers, and it is not deleted.
    pub fn was_public(self) -> bool {
        matches!(self, Published | Withdrawn)
    }
}

/// The Chinese name.
impl fmt::Display for IssueState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no state's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no state of an issue: {0}")]
pub struct UnknownState(String);

/// Reads [`IssueState::code`].
impl FromStr for IssueState {
    type Err = UnknownState;
    fn from_str(text: &str) -> Result<Self, UnknownState> {
        Self::ALL.into_iter().find(|state| state.code() == text).ok_or_else(|| UnknownState(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_state_is_reached_from_a_draft_and_what_readers_saw_never_is_one_again() {
        let mut reached = BTreeSet::from([Draft.code()]);
        for _ in IssueState::ALL {
            for (from, to) in TRANSITIONS {
                if reached.contains(from.code()) {
                    reached.insert(to.code());
                }
            }
        }
        assert_eq!(reached.len(), IssueState::ALL.len());
        for from in IssueState::ALL {
            for to in IssueState::ALL {
                assert_eq!(from.advance(to).is_ok(), TRANSITIONS.contains(&(from, to)));
                assert!(!from.was_public() || !from.may(to) || to.was_public(), "{from} to {to}");
            }
            assert_eq!(from.code().parse(), Ok(from));
        }
        assert_eq!(Published.advance(Draft).unwrap_err().to_string(), "已发布的一期不能变为草稿");
        assert!("gone".parse::<IssueState>().is_err());
    }
}
