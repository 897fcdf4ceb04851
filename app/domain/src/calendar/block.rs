//! A month, or what belongs to one, as it stands in a document.

use serde::{Deserialize, Serialize};

use super::{Anniversary, DaysOff, YearMonth};
use crate::document::{Common, Rect};

/// Something of a calendar on a page. It holds what the member decided, and the days off as they were published when it
/// was made; everything else about the month is computed from it ([`super::Month::of`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MonthBlock {
    #[serde(flatten)]
    pub common: Common,
    pub frame: Rect,
    pub part: MonthPart,
    pub month: YearMonth,
    /// The first column of a week.
    #[serde(default)]
    pub week_start: WeekStart,
    /// The member's own, of the whole year: those of other months don't show here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anniversaries: Vec<Anniversary>,
    #[serde(default, skip_serializing_if = "DaysOff::is_empty")]
    pub days_off: DaysOff,
}

/// What of a month is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MonthPart {
    /// The weeks, each day with its lunar day, festival and marks.
    Grid,
    /// The month's number and names.
    Title,
    /// The weeks with nothing but numbers, under the month's name, for a year at a glance.
    Small,
    /// The year's number and its name in the cycle of sixty.
    Year,
}

/// With which day a week begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeekStart {
    #[default]
    Monday,
    Sunday,
}

impl WeekStart {
    /// The word for forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Monday => "monday",
            Self::Sunday => "sunday",
        }
    }

    /// The column of a weekday (Monday 0 to Sunday 6), from 0.
    pub fn column(self, weekday: u8) -> usize {
        match self {
            Self::Monday => usize::from(weekday % 7),
            Self::Sunday => usize::from((weekday + 1) % 7),
        }
    }

    /// The weekday (Monday 0 to Sunday 6) of a column.
    pub fn weekday(self, column: usize) -> u8 {
        let shift = match self {
            Self::Monday => 0,
            Self::Sunday => 6,
        };
        u8::try_from((column + shift) % 7).unwrap_or(0)
    }
}
