//! Newspapers 报纸 and magazines 期刊 that members publish: their short addresses, their days, and how issues are counted
//! (publishing page, section 2). Days are China's.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use time::{Date, Duration, Month, Weekday};
use unicode_normalization::UnicodeNormalization;

use crate::days::{DAY_MS, day_start};
use crate::package::Span;
use crate::typed::{self, words};

/// Characters of a title's name, of whoever publishes it, and of its number 刊号.
pub const NAME_LENGTH: usize = 30;
/// See [`NAME_LENGTH`].
pub const ORGANISER_LENGTH: usize = 60;
/// See [`NAME_LENGTH`].
pub const NUMBER_LENGTH: usize = 60;
/// Characters of an introduction.
pub const DESCRIPTION_LENGTH: usize = 300;
/// Characters of the name of a page 版.
pub const PAGE_NAME_LENGTH: usize = 12;
/// Pages of one issue.
pub const MOST_PAGES: usize = 200;
/// Articles of one issue.
pub const MOST_ARTICLES: usize = 600;
/// Rectangles that one article may have on its page.
pub const MOST_AREAS: usize = 12;
/// Characters of headlines and of an article's text.
pub const HEADLINE_LENGTH: usize = 100;
/// See [`HEADLINE_LENGTH`].
pub const AUTHOR_LENGTH: usize = 60;
/// See [`HEADLINE_LENGTH`].
pub const TEXT_LENGTH: usize = 20_000;
/// Photos of one article.
pub const MOST_PHOTOS: usize = 9;
/// Titles that one member may publish.
pub const MOST_TITLES: usize = 100;
/// Issues of one title: a daily's of eighty years.
pub const MOST_ISSUES: usize = 30_000;
/// The largest number an issue may have.
pub const MOST_NUMBER: i64 = 999_999;

/// What is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// 电子报: dated issues, at most one a day.
    Epaper,
    /// 期刊: issues that are numbered by the year and in all.
    Magazine,
}

impl Kind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Epaper, Self::Magazine];

    /// The word in addresses and in the database. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Epaper => "epaper",
            Self::Magazine => "magazine",
        }
    }

    /// What members call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Epaper => "电子报",
            Self::Magazine => "期刊",
        }
    }

    /// What one title of the kind is called.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Epaper => "报纸",
            Self::Magazine => "刊物",
        }
    }

    /// What its number is called by law: a newspaper's licence or a serial's number.
    pub fn number_name(self) -> &'static str {
        match self {
            Self::Epaper => "刊号或准印证号",
            Self::Magazine => "刊号",
        }
    }

    /// What a page of it is called.
    pub fn page_word(self) -> &'static str {
        match self {
            Self::Epaper => "版",
            Self::Magazine => "页",
        }
    }

    /// The one with this word.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// A page by its number and its name: `01版 要闻`, `第 3 页`.
    pub fn page_title(self, page: usize, name: &str) -> String {
        let number = match self {
            Self::Epaper => format!("{page:02}版"),
            Self::Magazine => format!("第 {page} 页"),
        };
        if name.is_empty() { number } else { format!("{number} {name}") }
    }
}

/// The name of a section 栏目 as it is compared: pages of one name are one section in whatever issues they stand. Nothing where it
/// is none, or what no address can have in it.
pub fn section(name: &str) -> Option<String> {
    let name = words(name);
    let is_name = !matches!(&*name, "" | "." | "..") && !name.chars().any(char::is_control);
    is_name.then_some(name)
}

/// How a section may be written where names were kept as they came: composed, or decomposed as file names of a Mac are.
pub fn spellings(section: &str) -> [String; 2] {
    [section.to_owned(), section.nfd().collect()]
}

/// The part of a public address that a title chooses for itself: 2 to 30 of `a-z 0-9 -`, a letter first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortAddress(String);

/// A text that is no short address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("短地址要 2 到 30 个小写字母、数字或短横，以字母开头，比如 xihu-daily")]
pub struct NotAnAddress;

impl ShortAddress {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ShortAddress {
    /// Reads what somebody typed.
    pub fn read(text: &str) -> Result<Self, NotAnAddress> {
        typed::typed(text).parse()
    }
}

impl FromStr for ShortAddress {
    type Err = NotAnAddress;
    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        let text = text.trim();
        let plain = text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        let fits = (2..=30).contains(&text.len()) && text.starts_with(|c: char| c.is_ascii_lowercase());
        if plain && fits && !text.ends_with('-') { Ok(Self(text.to_owned())) } else { Err(NotAnAddress) }
    }
}

impl fmt::Display for ShortAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A day of the calendar, `2026-11-21`. Days before the year 1000 and after 9999 are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

/// A text that is no day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("日期写成 2026-11-23 这样")]
pub struct NotADay;

impl Day {
    /// Reads what somebody typed: `2026/5/1` is a day, too.
    pub fn read(text: &str) -> Result<Self, NotADay> {
        typed::day(text).parse()
    }
}

impl FromStr for Day {
    type Err = NotADay;
    fn from_str(text: &str) -> Result<Self, NotADay> {
        let start = day_start(text).ok_or(NotADay)?;
        let day = Self::of(start);
        if day.year() >= 1000 && day.to_string() == text { Ok(day) } else { Err(NotADay) }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year(), self.month(), self.0.day())
    }
}

/// The first and the last of the days that begin or end within a time: the issues of those days are what a right for that time
/// opens, and stay so.
pub fn days_of(span: Span) -> Option<(Day, Day)> {
    let until = span.until.unwrap_or(i64::MAX);
    let is_in = |moment: i64| span.from <= moment && moment < until;
    let touches = |day: Day| is_in(day.start()) || is_in(day.start() + DAY_MS - 1);
    let beside = |day: Day, days: i64| Day::of(day.start() + days * DAY_MS);
    let (first, last) = (Day::of(span.from), Day::of(until.saturating_sub(1)));
    let first = if touches(first) { first } else { beside(first, 1) };
    let last = if touches(last) { last } else { beside(last, -1) };
    (first <= last && touches(first)).then_some((first, last))
}

/// China's offset, in ms.
const OFFSET_MS: i64 = 8 * 60 * 60_000;

impl Day {
    /// The day that it is in China at a moment, epoch ms.
    pub fn of(at: i64) -> Self {
        let days = at.saturating_add(OFFSET_MS).div_euclid(DAY_MS);
        let epoch = Date::from_ordinal_date(1970, 1).unwrap_or(Date::MIN);
        Self(epoch.checked_add(Duration::days(days)).unwrap_or(Date::MAX))
    }

    /// When it begins, epoch ms.
    pub fn start(self) -> i64 {
        let epoch = Date::from_ordinal_date(1970, 1).unwrap_or(Date::MIN);
        (self.0 - epoch).whole_days() * DAY_MS - OFFSET_MS
    }

    /// How many days after 1970-01-01 it is.
    pub fn epoch_day(self) -> i64 {
        (self.start() + OFFSET_MS) / DAY_MS
    }

    /// The year.
    pub fn year(self) -> i32 {
        self.0.year()
    }

    /// From 1.
    pub fn month(self) -> u8 {
        self.0.month().into()
    }

    /// The day of the month, from 1.
    pub fn number(self) -> u8 {
        self.0.day()
    }

    /// 0 for Monday to 6 for Sunday.
    pub fn weekday(self) -> u8 {
        self.0.weekday().number_days_from_monday()
    }

    /// `2026 年 11 月 21 日 星期六`.
    pub fn long(self) -> String {
        let weekday = match self.0.weekday() {
            Weekday::Monday => '一',
            Weekday::Tuesday => '二',
            Weekday::Wednesday => '三',
            Weekday::Thursday => '四',
            Weekday::Friday => '五',
            Weekday::Saturday => '六',
            Weekday::Sunday => '日',
        };
        format!("{} 年 {} 月 {} 日 星期{weekday}", self.year(), self.month(), self.number())
    }

    /// So many days later, or earlier.
    #[must_use]
    pub fn plus(self, days: i64) -> Self {
        Self(self.0.checked_add(Duration::days(days)).unwrap_or(self.0))
    }

    /// The next day, from this one on, on which a title comes out; this one where it has no days of its own.
    #[must_use]
    pub fn next_on(self, weekdays: Weekdays) -> Self {
        (0..7).map(|days| self.plus(days)).find(|day| weekdays.has(*day)).unwrap_or(self)
    }
}

/// The days of the week on which a newspaper comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weekdays(u8);

impl Weekdays {
    /// Names, Monday first.
    pub const NAMES: [&'static str; 7] = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"];

    /// From numbers of days, 0 for Monday; others count for nothing.
    pub fn of(days: impl IntoIterator<Item = u8>) -> Self {
        Self(days.into_iter().filter(|day| *day < 7).fold(0, |all, day| all | 1 << day))
    }

    /// As it is stored.
    pub fn bits(self) -> i64 {
        self.0.into()
    }

    /// From what is stored.
    pub fn of_bits(bits: i64) -> Self {
        Self((bits & 0x7f) as u8)
    }

    /// Whether none is chosen: it comes out when it does.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the day of the week, 0 for Monday, is one.
    pub fn holds(self, weekday: u8) -> bool {
        weekday < 7 && self.0 & (1 << weekday) != 0
    }

    /// Whether a day is one.
    pub fn has(self, day: Day) -> bool {
        self.holds(day.weekday())
    }
}

/// `每天`, `周一、周五`, `不定期`.
impl fmt::Display for Weekdays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("不定期"),
            0x7f => f.write_str("每天"),
            0x1f => f.write_str("周一至周五"),
            _ => {
                let named = (0..7).filter(|day| self.holds(*day)).map(|day| Self::NAMES[usize::from(day)]);
                f.write_str(&named.collect::<Vec<_>>().join("、"))
            }
        }
    }
}

/// What an issue is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// 期号, in its year.
    pub number: i64,
    /// 总期号, since the first.
    pub total: i64,
}

/// How the next issue is counted, after those that are there: the largest number of its year and the largest total go on.
pub fn next_numbers(known: impl IntoIterator<Item = (i32, Numbers)>, year: i32) -> Numbers {
    let (mut number, mut total) = (0, 0);
    for (other, numbers) in known {
        total = total.max(numbers.total);
        if other == year {
            number = number.max(numbers.number);
        }
    }
    Numbers { number: number + 1, total: total + 1 }
}

/// How an issue of old is counted that is taken in later: on from those up to its day, by the largest number of its year and the
/// total of the last one; a total that another one has is passed over. So the next issue's are left alone.
pub fn old_numbers(known: &[(Day, Numbers)], day: Day) -> Numbers {
    let before = || known.iter().filter(|(other, _)| *other <= day);
    let of_year = before().filter(|(other, _)| other.year() == day.year());
    let number = of_year.map(|(_, numbers)| numbers.number).max().unwrap_or(0) + 1;
    let last = before().max_by_key(|(other, numbers)| (*other, numbers.total));
    let mut total = last.map_or(0, |(_, numbers)| numbers.total) + 1;
    let taken: BTreeSet<i64> = known.iter().map(|(_, numbers)| numbers.total).collect();
    while taken.contains(&total) {
        total += 1;
    }
    Numbers { number, total }
}

/// A month of a calendar, `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MonthOf {
    pub year: i32,
    pub month: u8,
}

impl FromStr for MonthOf {
    type Err = NotADay;
    fn from_str(text: &str) -> Result<Self, NotADay> {
        format!("{text}-01").parse().map(Self::of)
    }
}

impl fmt::Display for MonthOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl MonthOf {
    /// The month of a day.
    pub fn of(day: Day) -> Self {
        Self { year: day.year(), month: day.month() }
    }

    /// Its days, and how many places of its first week stand empty before them, Monday first.
    pub fn days(self) -> (u8, Vec<Day>) {
        let month = Month::try_from(self.month).unwrap_or(Month::January);
        let day = |number| Date::from_calendar_date(self.year, month, number).ok().map(Day);
        let days: Vec<Day> = (1..=month.length(self.year)).filter_map(day).collect();
        (days.first().map_or(0, |first| first.weekday()), days)
    }

    /// The one before and the one after.
    pub fn neighbours(self) -> (Self, Self) {
        let at = |months: i32| {
            let count = self.year * 12 + i32::from(self.month) - 1 + months;
            Self { year: count.div_euclid(12), month: u8::try_from(count.rem_euclid(12) + 1).unwrap_or(1) }
        };
        (at(-1), at(1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_section_is_its_name_however_it_is_written() {
        for (typed, name) in
            [("副刊", "副刊"), (" 副刊\u{3000}\n", "副刊"), ("Cafe\u{301}", "Caf\u{e9}"), ("a/b", "a/b")]
        {
            assert_eq!(section(typed).as_deref(), Some(name), "{typed}");
            assert!(spellings(name).iter().all(|kept| section(kept).as_deref() == Some(name)), "{typed}");
        }
        assert_eq!(spellings("Caf\u{e9}")[1], "Cafe\u{301}");
        for none in ["", " ", ".", "..", "a\nb", "\0"] {
            assert_eq!(section(none), None, "{none:?}");
        }
    }

    #[test]
    fn a_short_address_is_short_and_plain() {
        for good in ["xihu-daily", "a1", "x-2", &"a".repeat(30)] {
            assert!(good.parse::<ShortAddress>().is_ok(), "{good}");
        }
        assert_eq!(" ab ".parse::<ShortAddress>().unwrap().as_str(), "ab");
        for bad in ["", "a", "1a", "-a", "a-", "A1", "西湖", "a b", "a/b", "a.b", &"a".repeat(31)] {
            assert!(bad.parse::<ShortAddress>().is_err(), "{bad}");
        }
    }

    #[test]
    fn days_are_written_one_way_and_are_chinas() {
        for bad in [
            "",
            "2026-2-3",
            "2026-02-30",
            "26-02-03",
            "2026-02-03x",
            "+026-01-01",
            "0000-01-01",
            "2026/02/03",
        ] {
            assert!(bad.parse::<Day>().is_err(), "{bad}");
        }
        let day: Day = "2026-11-21".parse().unwrap();
        assert_eq!(day.long(), "2026 年 11 月 21 日 星期六");
        assert_eq!(Day::of(day.start()), day);
        assert_eq!(Day::of(day.start() - 1).to_string(), "2026-11-20");
        assert_eq!(day_start("2026-11-21"), Some(day.start()));
        assert_eq!("2026-02".parse::<MonthOf>().unwrap().days().1.len(), 28);
        let (before, after) = "2026-01".parse::<MonthOf>().unwrap().neighbours();
        assert_eq!((before.to_string(), after.to_string()), ("2025-12".into(), "2026-02".into()));
        assert_eq!("2026-11".parse::<MonthOf>().unwrap().days().0, 6, "the first is a Sunday");
    }

    #[test]
    fn weekdays_say_when_the_next_issue_is_due() {
        let days = Weekdays::of([0, 4, 9]);
        assert_eq!(days.to_string(), "周一、周五");
        assert_eq!(Weekdays::of_bits(days.bits()), days);
        let saturday: Day = "2026-11-21".parse().unwrap();
        assert_eq!(saturday.next_on(days).to_string(), "2026-11-23");
        assert_eq!(saturday.next_on(Weekdays::default()), saturday);
        assert_eq!(Weekdays::of(0..7).to_string(), "每天");
    }

    proptest! {
        #[test]
        fn the_days_of_a_time_are_those_that_begin_or_end_in_it(
            from in -2 * DAY_MS..4 * DAY_MS, length in proptest::option::of(-DAY_MS..4 * DAY_MS)
        ) {
            let span = Span { from, until: length.map(|length| from + length) };
            let is_in = |moment: i64| from <= moment && span.until.is_none_or(|until| moment < until);
            let found = days_of(span);
            for day in (-4..10).map(|number| Day::of(number * DAY_MS)) {
                let touches = is_in(day.start()) || is_in(day.start() + DAY_MS - 1);
                prop_assert_eq!(found.is_some_and(|(first, last)| first <= day && day <= last), touches, "{}", day);
                prop_assert_eq!(Day::of(day.epoch_day() * DAY_MS), day);
            }
        }

        #[test]
        fn issues_count_on_within_their_year_and_in_all(
            known in proptest::collection::vec((0i64..1_500, 1i64..400, 1i64..60), 0..40), day in 0i64..1_500,
        ) {
            let years: Vec<_> = known
                .iter()
                .map(|(day, number, total)| (Day::of(*day * DAY_MS).year(), Numbers { number: *number, total: *total }))
                .collect();
            let next = next_numbers(years.clone(), 1972);
            prop_assert!(years.iter().all(|(_, numbers)| numbers.total < next.total));
            prop_assert!(years.iter().all(|(year, numbers)| *year != 1972 || numbers.number < next.number));
            prop_assert!(next.total == 1 || years.iter().any(|(_, numbers)| numbers.total == next.total - 1));
            let of = |day: i64| Day::of(18_262 * DAY_MS).plus(day);
            let known: Vec<_> =
                known.into_iter().map(|(day, number, total)| (of(day), Numbers { number, total })).collect();
            let day = of(day);
            let next = old_numbers(&known, day);
            prop_assert!(next.number >= 1 && next.total >= 1);
            prop_assert!(known.iter().all(|(_, numbers)| numbers.total != next.total), "nobody else's");
            for (other, numbers) in known.iter().filter(|(other, _)| *other <= day) {
                prop_assert!(other.year() != day.year() || numbers.number < next.number);
            }
            // nothing that comes later counts
            let before: Vec<_> = known.iter().copied().filter(|(other, _)| *other <= day).collect();
            prop_assert!(old_numbers(&before, day).total <= next.total);
            prop_assert_eq!(old_numbers(&before, day).number, next.number);
            let last = before.iter().max_by_key(|(other, numbers)| (*other, numbers.total));
            prop_assert!(last.is_none_or(|(_, last)| last.total < next.total));
        }

        #[test]
        fn an_archive_leaves_the_next_number_alone(files in 1i64..40) {
            let day: Day = "2026-11-28".parse().unwrap();
            let mut known = vec![(day, Numbers { number: 330, total: 500 })];
            for file in 0..files {
                let old = day.plus(-20_000 + file);
                let numbers = old_numbers(&known, old);
                prop_assert_eq!(numbers.total, file + 1);
                known.push((old, numbers));
            }
            let known = known.into_iter().map(|(day, numbers)| (day.year(), numbers));
            prop_assert_eq!(next_numbers(known, 2026), Numbers { number: 331, total: 501 });
        }
    }
}
