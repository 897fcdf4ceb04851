//! The days on which photos were taken, as a book says them.

use time::OffsetDateTime;

use crate::days::CHINA;

/// A day of China's calendar: a camera that says no time zone is there, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day {
    pub year: i32,
    pub month: u8,
    pub day: u8,
}

impl Day {
    /// The day of a time in epoch milliseconds; nothing for a time that no photo was taken at.
    pub fn of(taken_at: i64) -> Option<Self> {
        let time = OffsetDateTime::from_unix_timestamp(taken_at.div_euclid(1000)).ok()?;
        let time = time.checked_to_offset(CHINA)?;
        // photography is no older
        (1826..2200).contains(&time.year()).then_some(Self {
            year: time.year(),
            month: time.month().into(),
            day: time.day(),
        })
    }

    /// Month and day, with the year where it is another one than the reader knows.
    pub fn after(self, before: Option<Self>) -> String {
        let Self { year, month, day } = self;
        match before {
            Some(known) if known.year == year => format!("{month}月{day}日"),
            _ => format!("{year}年{month}月{day}日"),
        }
    }
}

/// Whether words are a day as [`Day::after`] says it, and nothing else.
pub(super) fn is_day(words: &str) -> bool {
    let (year, rest) = words.split_once('年').unwrap_or(("2000", words));
    let day = rest.split_once('月').and_then(|(month, day)| Some((month, day.strip_suffix('日')?)));
    let is_number = |text: &str, most: u16| text.parse().is_ok_and(|number: u16| number <= most);
    day.is_some_and(|(month, day)| is_number(year, 9_999) && is_number(month, 12) && is_number(day, 31))
}

/// What stands between a city and a day over a page.
const BETWEEN: &str = " · ";

/// The words over a page: where and when its photos were taken.
pub(super) fn head(city: Option<&str>, day: Option<Day>) -> String {
    let day = day.map(|day| day.after(None));
    city.map(str::to_owned).into_iter().chain(day).collect::<Vec<_>>().join(BETWEEN)
}

/// The city in words over a page as [`head`] says them; nothing where they are somebody's own.
pub(super) fn head_city(words: &str, is_city: impl Fn(&str) -> bool) -> Option<&str> {
    let city = match words.split_once(BETWEEN) {
        Some((city, day)) if is_day(day) => city,
        _ => words,
    };
    is_city(city).then_some(city)
}

/// From one day to another, without the years.
pub(super) fn span(from: Day, to: Day) -> String {
    let Day { month, day, .. } = from;
    match to {
        _ if to == from => format!("{month}月{day}日"),
        Day { year, month: last, day: end } if year == from.year && last == month => {
            format!("{month}月{day}日—{end}日")
        }
        Day { month: last, day: end, .. } => format!("{month}月{day}日—{last}月{end}日"),
    }
}

/// The same with the years.
pub(super) fn span_of_years(from: Day, to: Day) -> String {
    if from.year == to.year {
        return format!("{}年{}", from.year, span(from, to));
    }
    format!("{}—{}", from.after(None), to.after(None))
}

/// A title for a book of photos taken at these times: its day, its days, its month, its months or its years. Nothing
/// where none says when it was taken.
pub fn title_of(taken_at: impl Iterator<Item = i64>) -> Option<String> {
    let days: Vec<Day> = taken_at.filter_map(Day::of).collect();
    let (from, to) = (*days.iter().min()?, *days.iter().max()?);
    let Day { year, month, .. } = from;
    Some(match to {
        Day { year: last, .. } if last > year => format!("{year}—{last}"),
        Day { month: last, .. } if last > month => format!("{year}年{month}月—{last}月"),
        Day { day, .. } if day > from.day + 9 => format!("{year}年{month}月"),
        _ => span_of_years(from, to),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_chinas_and_is_said_briefly() {
        // 2026-05-01 00:30 in China is still April in Greenwich
        let may = Day::of(1_777_566_600_000).unwrap();
        assert_eq!((may.year, may.month, may.day), (2026, 5, 1));
        assert_eq!(may.after(None), "2026年5月1日");
        assert_eq!(may.after(Some(Day { day: 3, ..may })), "5月1日");
        assert_eq!(may.after(Some(Day { year: 2025, ..may })), "2026年5月1日");
        assert_eq!(span(may, may), "5月1日");
        assert_eq!(span(may, Day { day: 3, ..may }), "5月1日—3日");
        assert_eq!(span(may, Day { month: 6, day: 2, ..may }), "5月1日—6月2日");
        assert_eq!(span_of_years(may, Day { day: 3, ..may }), "2026年5月1日—3日");
        assert_eq!(span_of_years(may, Day { year: 2027, day: 3, ..may }), "2026年5月1日—2027年5月3日");
        let titled = |days: &[i64]| title_of(days.iter().map(|day| 1_777_597_200_000 + day * 86_400_000));
        assert_eq!(titled(&[0, 2]).as_deref(), Some("2026年5月1日—3日"));
        assert_eq!(titled(&[3, 0, 20]).as_deref(), Some("2026年5月"));
        assert_eq!(titled(&[0, 40]).as_deref(), Some("2026年5月—6月"));
        assert_eq!(titled(&[0, 400]).as_deref(), Some("2026—2027"));
        assert_eq!(titled(&[]), None);
        assert!([may.after(None), may.after(Some(may))].iter().all(|words| is_day(words)));
        assert!(
            ["", "5月", "5月1日，晴", "五月1日", "去年5月1日", "5月32日"].iter().all(|words| !is_day(words))
        );
        assert_eq!(Day::of(i64::MAX), None);
        assert_eq!(Day::of(i64::MIN), None);
    }
}
