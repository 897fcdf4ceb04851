//! Lunar dates and solar terms, by tyme4rs, which computes new moons and the sun's longitude.

use tyme4rs::tyme::Culture;
use tyme4rs::tyme::lunar::LunarYear;
use tyme4rs::tyme::solar::SolarDay;

use super::YearMonth;

/// The months' names in the lunar year.
const MONTHS: [&str; 12] =
    ["正月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "冬月", "腊月"];
const DIGITS: [&str; 10] = ["十", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// A day of the Chinese calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LunarDate {
    /// The year in which its first month begins.
    pub year: i32,
    /// 1 to 12.
    pub month: u8,
    /// Whether the month repeats the one before it.
    pub is_leap: bool,
    /// 1 to 30.
    pub day: u8,
    /// How many days its month has: 29 or 30.
    pub length: u8,
}

impl LunarDate {
    /// The lunar date of a day; `None` where there is no such day.
    pub fn of(month: YearMonth, day: u8) -> Option<Self> {
        let date = solar(month, day)?.get_lunar_day();
        let of_month = date.get_lunar_month();
        Some(Self {
            year: i32::try_from(of_month.get_year()).ok()?,
            month: u8::try_from(of_month.get_month()).ok()?,
            is_leap: of_month.is_leap(),
            day: u8::try_from(date.get_day()).ok()?,
            length: u8::try_from(of_month.get_day_count()).ok()?,
        })
    }

    /// The next day's, where that is in the same month.
    pub fn next_in_month(self) -> Option<Self> {
        (self.day < self.length).then(|| Self { day: self.day + 1, ..self })
    }

    /// `二月`, `闰六月`.
    pub fn month_name(self) -> String {
        let leap = if self.is_leap { "闰" } else { "" };
        format!("{leap}{}", month_name(self.month))
    }

    /// What a calendar says: the month on its first day, `初二`, `廿三`.
    pub fn short_name(self) -> String {
        if self.day == 1 { self.month_name() } else { day_name(self.day) }
    }
}

/// A lunar month's name; empty where there is none.
pub(super) fn month_name(month: u8) -> &'static str {
    usize::from(month).checked_sub(1).and_then(|index| MONTHS.get(index)).copied().unwrap_or_default()
}

/// A lunar day's name.
pub(super) fn day_name(day: u8) -> String {
    let digit = DIGITS[usize::from(day % 10)];
    match day {
        0..=10 => format!("初{digit}"),
        11..=19 => format!("十{digit}"),
        20 => "二十".to_owned(),
        21..=29 => format!("廿{digit}"),
        _ => "三十".to_owned(),
    }
}

/// Which month of a lunar year is repeated; `None` where none is.
pub(super) fn leap_month(year: i32) -> Option<u8> {
    let leap = LunarYear::new(isize::try_from(year).ok()?).ok()?.get_leap_month();
    u8::try_from(leap).ok().filter(|month| *month > 0)
}

/// The solar term that begins on a day.
pub(super) fn term(month: YearMonth, day: u8) -> Option<String> {
    let day = solar(month, day)?.get_term_day();
    (day.get_day_index() == 0).then(|| day.get_solar_term().get_name())
}

/// The lunar year's name: `丁未羊年`.
pub fn lunar_year_name(year: i32) -> String {
    let Some(year) = isize::try_from(year).ok().and_then(|year| LunarYear::new(year).ok()) else {
        return String::new();
    };
    let cycle = year.get_sixty_cycle();
    format!("{}{}年", cycle.get_name(), cycle.get_earth_branch().get_zodiac().get_name())
}

fn solar(month: YearMonth, day: u8) -> Option<SolarDay> {
    if !(1..=month.days()).contains(&day) {
        return None;
    }
    SolarDay::new(isize::try_from(month.year()).ok()?, usize::from(month.month()), usize::from(day)).ok()
}

/// Whether a day is 除夕, the lunar year's last.
pub(super) fn is_last_of_year(date: LunarDate) -> bool {
    date.month == 12 && date.day == date.length && (date.is_leap || leap_month(date.year) != Some(12))
}
