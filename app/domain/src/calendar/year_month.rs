//! A month of a year.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The years whose lunar months are known well; the outermost ones are only reached from inside.
const YEARS: RangeInclusive<i32> = 1900..=2100;

/// A month of a year from 1900 to 2100; `2027-03` as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct YearMonth {
    year: i32,
    month: u8,
}

impl YearMonth {
    /// The month 1 to 12 of a year; `None` where there is none, or the year is too far away.
    pub fn new(year: i32, month: u8) -> Option<Self> {
        (YEARS.contains(&year) && (1..=12).contains(&month)).then_some(Self { year, month })
    }

    /// The year.
    pub fn year(self) -> i32 {
        self.year
    }

    /// 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The month so many later (or earlier); it stays within the known years.
    pub fn plus(self, months: i32) -> Self {
        let count = (self.count() + months).clamp(YEARS.start() * 12, YEARS.end() * 12 + 11);
        Self { year: count.div_euclid(12), month: u8::try_from(count.rem_euclid(12)).unwrap_or(0) + 1 }
    }

    /// How many months later this is than another.
    pub fn since(self, other: Self) -> i32 {
        self.count() - other.count()
    }

    /// How many days it has.
    pub fn days(self) -> u8 {
        let leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// The weekday of a day, Monday 0 to Sunday 6.
    pub fn weekday(self, day: u8) -> u8 {
        // Zeller's congruence, with Saturday 0
        let (year, month) = if self.month < 3 {
            (self.year - 1, i32::from(self.month) + 12)
        } else {
            (self.year, self.month.into())
        };
        let saturday_0 = i32::from(day) + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400;
        u8::try_from((saturday_0 + 5).rem_euclid(7)).unwrap_or(0)
    }

    /// The month in which a moment falls, in China. `at` is in epoch milliseconds.
    pub fn of(at: i64) -> Option<Self> {
        let days = (at + 8 * 3_600_000).div_euclid(86_400_000);
        // years that begin in March, so that the leap day comes last, in eras of 400 years
        let days = days + 719_468;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        Self::new(i32::try_from(year).ok()?, u8::try_from(month).ok()?)
    }

    fn count(self) -> i32 {
        self.year * 12 + i32::from(self.month) - 1
    }
}

impl fmt::Display for YearMonth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl FromStr for YearMonth {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (year, month) = text.split_once('-')?;
            Self::new(year.parse().ok()?, month.parse().ok()?)
        };
        read().ok_or_else(|| format!("not a month: {text}"))
    }
}

impl TryFrom<String> for YearMonth {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<YearMonth> for String {
    fn from(month: YearMonth) -> String {
        month.to_string()
    }
}
