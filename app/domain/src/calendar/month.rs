//! A month's days, computed.

use super::YearMonth;
use super::block::{MonthBlock, WeekStart};
use super::festivals::festivals;
use super::holidays;
use super::lunar::{LunarDate, lunar_year_name, term};

const CHINESE: [&str; 12] =
    ["一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月"];
const ENGLISH: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A month with its days.
#[derive(Debug, Clone, PartialEq)]
pub struct Month {
    pub month: YearMonth,
    pub week_start: WeekStart,
    /// All of them, from the first on.
    pub days: Vec<Day>,
}

/// A day of a month.
#[derive(Debug, Clone, PartialEq)]
pub struct Day {
    /// From 1.
    pub day: u8,
    /// Monday 0 to Sunday 6.
    pub weekday: u8,
    pub lunar: LunarDate,
    /// The solar term that begins.
    pub term: Option<String>,
    /// Those that weigh more than a solar term, then those that weigh less.
    pub festivals: (Vec<&'static str>, Vec<&'static str>),
    /// Published as off.
    pub is_rest: bool,
    /// Published as a working day though it is a weekend.
    pub is_work: bool,
    /// A holiday by law, in years, too, whose days off are not published yet.
    pub is_statutory: bool,
    /// The member's own.
    pub anniversaries: Vec<String>,
}

impl Day {
    /// Whether nobody works: a published day off, a holiday by law, or a weekend that is not made up for.
    pub fn is_off(&self) -> bool {
        self.is_rest || self.is_statutory || (self.weekday >= 5 && !self.is_work)
    }

    /// What stands under the number, what weighs most first: festivals and the solar term, or else the lunar day.
    pub fn notes(&self) -> Vec<String> {
        let (great, small) = &self.festivals;
        let mut notes: Vec<String> = great.iter().map(|name| (*name).to_owned()).collect();
        notes.extend(self.term.clone());
        notes.extend(small.iter().map(|name| (*name).to_owned()));
        if notes.is_empty() {
            notes.push(self.lunar.short_name());
        }
        notes
    }

    /// Whether the notes are more than the lunar day.
    pub fn is_marked(&self) -> bool {
        let (great, small) = &self.festivals;
        self.term.is_some() || !great.is_empty() || !small.is_empty()
    }
}

impl Month {
    /// The days of a block's month.
    pub fn of(block: &MonthBlock) -> Self {
        let month = block.month;
        let mut lunar: Option<LunarDate> = None;
        let mut days = Vec::with_capacity(31);
        for day in 1..=month.days() {
            lunar = lunar.and_then(LunarDate::next_in_month).or_else(|| LunarDate::of(month, day));
            let Some(lunar) = lunar else { continue };
            // a month has its two terms on the 3rd to 9th and the 18th to 24th
            let term = matches!(day, 3..=9 | 18..=24).then(|| term(month, day)).flatten();
            let is_statutory = holidays::is_statutory(month, day, lunar, term.as_deref());
            let own = block.anniversaries.iter().filter(|own| own.on.falls_on(month, day, lunar));
            days.push(Day {
                day,
                weekday: month.weekday(day),
                lunar,
                term,
                is_statutory,
                festivals: festivals(month, day, lunar),
                is_rest: block.days_off.rest.contains(&day),
                is_work: block.days_off.work.contains(&day),
                anniversaries: own.map(|own| own.name.clone()).collect(),
            });
        }
        Self { month, week_start: block.week_start, days }
    }

    /// The weeks as rows of seven.
    pub fn weeks(&self) -> Vec<[Option<&Day>; 7]> {
        let mut weeks: Vec<[Option<&Day>; 7]> = vec![[None; 7]];
        for day in &self.days {
            let column = self.week_start.column(day.weekday);
            if column == 0 && day.day > 1 {
                weeks.push([None; 7]);
            }
            if let Some(week) = weeks.last_mut() {
                week[column] = Some(day);
            }
        }
        weeks
    }

    /// `三月`.
    pub fn name(&self) -> &'static str {
        CHINESE[usize::from(self.month.month()) - 1]
    }

    /// `March`.
    pub fn english_name(&self) -> &'static str {
        ENGLISH[usize::from(self.month.month()) - 1]
    }

    /// The lunar months that it touches: `丁未羊年 二月至三月`.
    pub fn lunar_span(&self) -> String {
        let (Some(first), Some(last)) = (self.days.first(), self.days.last()) else { return String::new() };
        let (from, to) = (first.lunar, last.lunar);
        let years = (lunar_year_name(from.year), lunar_year_name(to.year));
        let (one, other) = (from.month_name(), to.month_name());
        if from.year != to.year {
            format!("{}{one} — {}{other}", years.0, years.1)
        } else if one == other {
            format!("{}{one}", years.0)
        } else {
            format!("{}{one} — {other}", years.0)
        }
    }
}
