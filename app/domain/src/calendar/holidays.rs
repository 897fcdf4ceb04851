//! Days off 放假 and the working days that make up for them 调休, as the State Council publishes them. The list is
//! tyme4rs's; `tests/rules/calendar.rs` holds the notices of 2024 to 2026 against it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tyme4rs::tyme::holiday::LEGAL_HOLIDAY_DATA;

use super::YearMonth;
use super::lunar::LunarDate;

/// The days of one month that are off though they might be work, and work though they might be off.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DaysOff {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub work: Vec<u8>,
}

impl DaysOff {
    /// What is published for a month.
    pub fn of(month: YearMonth) -> Self {
        PUBLISHED.get(&month).cloned().unwrap_or_default()
    }

    /// Whether the month has none.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty() && self.work.is_empty()
    }
}

static PUBLISHED: LazyLock<BTreeMap<YearMonth, DaysOff>> = LazyLock::new(|| {
    let mut published: BTreeMap<YearMonth, DaysOff> = BTreeMap::new();
    // each entry is a date, 0 for work or 1 for rest, and what the day belongs to: 13 characters
    for entry in LEGAL_HOLIDAY_DATA.as_bytes().chunks_exact(13) {
        let number = |from: usize, to: usize| std::str::from_utf8(&entry[from..to]).ok()?.parse::<u32>().ok();
        let read = || {
            let (year, month, day) = (number(0, 4)?, number(4, 6)?, number(6, 8)?);
            let month = YearMonth::new(i32::try_from(year).ok()?, u8::try_from(month).ok()?)?;
            Some((month, u8::try_from(day).ok()?))
        };
        let Some((month, day)) = read() else { continue };
        let days = published.entry(month).or_default();
        if entry[8] == b'0' { days.work.push(day) } else { days.rest.push(day) }
    }
    published
});

/// Since when the last day of the lunar year and the second of May are holidays.
const TWO_MORE: i32 = 2025;

/// Whether a day is a holiday by law (全国年节及纪念日放假办法, article 2), whatever is published for its year.
pub(super) fn is_statutory(month: YearMonth, day: u8, lunar: LunarDate, term: Option<&str>) -> bool {
    let more = month.year() >= TWO_MORE;
    let fixed = matches!((month.month(), day), (1 | 5 | 10, 1) | (10, 2 | 3))
        || (more && (month.month(), day) == (5, 2));
    let moon = !lunar.is_leap
        && (matches!((lunar.month, lunar.day), (1, 1..=3) | (5, 5) | (8, 15))
            || (more && lunar.month == 12 && lunar.day == lunar.length));
    fixed || moon || term == Some("清明")
}

/// Whether the days off of a year are published: they all have a national day.
pub fn is_published(year: i32) -> bool {
    YearMonth::new(year, 10).is_some_and(|october| !DaysOff::of(october).rest.is_empty())
}

/// The years from this one on whose days off are published.
pub fn published_years(from: i32) -> Vec<i32> {
    (from..=from + 5).filter(|year| is_published(*year)).collect()
}
