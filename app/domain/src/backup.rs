//! Backups that are made by themselves: when one is due, and which of them stay.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use time::Date;

const MINUTE_MS: i64 = 60_000;
/// How long after one that failed it is tried again, in ms.
const AGAIN_MS: i64 = 60 * MINUTE_MS;

/// How many of the last days, weeks and months that have backups keep their newest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    pub days: u32,
    pub weeks: u32,
    pub months: u32,
}

impl Retention {
    /// Which of some backups stay, by the days on which they were made, the newest first. The newest one always does.
    pub fn kept(&self, days: &[Date]) -> Vec<bool> {
        let mut kept: Vec<bool> = (0..days.len()).map(|index| index == 0).collect();
        let mut keep = |most: u32, span: fn(Date) -> (i32, u16)| {
            let mut spans = BTreeSet::new();
            for (kept, day) in kept.iter_mut().zip(days) {
                if spans.len() < most as usize && spans.insert(span(*day)) {
                    *kept = true;
                }
            }
        };
        keep(self.days, |day| (day.year(), day.ordinal()));
        // weeks as ISO 8601 counts them
        keep(self.weeks, |day| {
            let (year, week, _) = day.to_iso_week_date();
            (year, week.into())
        });
        keep(self.months, |day| (day.year(), u8::from(day.month()).into()));
        kept
    }
}

/// As a host writes it: `7d,4w,12m`, any of the three, each once.
impl FromStr for Retention {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is not like 7d,4w,12m: numbers from 1 to 999 of days, weeks, months");
        let mut read = Self { days: 0, weeks: 0, months: 0 };
        for part in text.split(',') {
            let (unit, number) = match part.char_indices().last() {
                Some((at, 'd')) => (&mut read.days, &part[..at]),
                Some((at, 'w')) => (&mut read.weeks, &part[..at]),
                Some((at, 'm')) => (&mut read.months, &part[..at]),
                _ => return Err(wrong()),
            };
            let is_number = (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
            if !is_number || *unit > 0 {
                return Err(wrong());
            }
            *unit = number.parse().map_err(|_| wrong())?;
            if *unit == 0 {
                return Err(wrong());
            }
        }
        Ok(read)
    }
}

impl fmt::Display for Retention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(self.days, 'd'), (self.weeks, 'w'), (self.months, 'm')];
        let units = units.iter().filter(|(count, _)| *count > 0);
        let units: Vec<String> = units.map(|(count, unit)| format!("{count}{unit}")).collect();
        f.write_str(&units.join(","))
    }
}

/// Minutes after midnight of a time that a host writes as `03:30`.
pub fn clock(text: &str) -> Result<i64, String> {
    let two = |text: &str, end: i64| {
        let is_number = text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|number| is_number && (0..end).contains(number))
    };
    let read = text.split_once(':').and_then(|(hours, minutes)| Some((two(hours, 24)?, two(minutes, 60)?)));
    read.map(|(hours, minutes)| hours * 60 + minutes)
        .ok_or_else(|| format!("{text:?} is no time of the day like 03:30"))
}

/// Whether one is due, by epoch ms: `today` is today's time for it. One that was missed is made as
/// soon as it can be, and one that failed is tried again after an hour.
pub fn is_due(now: i64, today: i64, good: Option<i64>, failed: Option<i64>) -> bool {
    let last = if now >= today { today } else { today - crate::days::DAY_MS };
    good.is_none_or(|good| good < last) && failed.is_none_or(|failed| now - failed >= AGAIN_MS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<String, String> {
        text.parse::<Retention>().map(|read| read.to_string())
    }

    fn days_before(days: &[u16]) -> Vec<Date> {
        let newest = Date::from_calendar_date(2026, time::Month::November, 28).unwrap();
        days.iter().map(|before| newest - time::Duration::days((*before).into())).collect()
    }

    #[test]
    fn what_stays_is_written_as_numbers_of_days_weeks_and_months() {
        for (text, same) in
            [("7d,4w,12m", "7d,4w,12m"), ("12m,7d", "7d,12m"), ("1w", "1w"), ("999d", "999d"), ("07d", "7d")]
        {
            assert_eq!(read(text).as_deref(), Ok(same), "{text}");
        }
        for wrong in
            ["", "7", "d", "0d", "7d,", "7d,7d", "7d 4w", "7D", "-1d", "1000d", "+7d", "7y", "七d", "7d,4周"]
        {
            assert!(read(wrong).unwrap_err().contains(&format!("{wrong:?}")), "{wrong}");
        }
    }

    #[test]
    fn a_time_is_two_digits_each() {
        assert_eq!([clock("00:00"), clock("03:30"), clock("23:59")], [Ok(0), Ok(210), Ok(1439)]);
        for wrong in ["", "3:30", "24:00", "03:60", "03:30:00", "+3:30", "0330", "０３:30"] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
    }

    /// A year of a backup each day, from a Saturday backwards: 28 November 2026.
    #[test]
    fn days_weeks_and_months_keep_their_newest() {
        let days = days_before(&(0..365).collect::<Vec<_>>());
        let retention: Retention = "3d,2w,3m".parse().unwrap();
        let kept = retention.kept(&days).into_iter().zip(&days).filter(|(kept, _)| *kept);
        let kept: Vec<String> = kept.map(|(_, day)| day.to_string()).collect();
        // the week before ended on Sunday the 22nd
        assert_eq!(
            kept,
            ["2026-11-28", "2026-11-27", "2026-11-26", "2026-11-22", "2026-10-31", "2026-09-30"]
        );
    }

    #[test]
    fn one_is_due_once_a_day_and_what_was_missed_is_made() {
        let hour = 60 * MINUTE_MS;
        let day = 24 * hour;
        let today = 1_000 * day;
        for (now, good, failed, due) in [
            (today, None, None, true),
            (today - hour, None, None, true),
            (today, Some(today - hour), None, true),
            (today - hour, Some(today - 2 * hour), None, false),
            (today + 1, Some(today), None, false),
            // the machine was off for two days
            (today - hour, Some(today - 3 * day), None, true),
            (today + hour / 2, Some(today - day), Some(today), false),
            (today + hour, Some(today - day), Some(today), true),
        ] {
            assert_eq!(is_due(now, today, good, failed), due, "{now} {good:?} {failed:?}");
        }
    }

    proptest! {
        #[test]
        fn what_stays_stays_the_next_time_too(
            mut before in prop::collection::vec(0u16..900, 1..80),
            (days, weeks, months) in (0u32..20, 0u32..20, 0u32..20),
        ) {
            before.sort_unstable();
            let made = days_before(&before);
            let retention = Retention { days, weeks, months };
            let left = |made: &[Date]| -> Vec<Date> {
                let kept = retention.kept(made);
                made.iter().zip(kept).filter(|(_, kept)| *kept).map(|(day, _)| *day).collect()
            };
            let once = left(&made);
            prop_assert_eq!(once.first(), made.first());
            prop_assert!(once.len() <= (days + weeks + months).max(1) as usize);
            prop_assert_eq!(left(&once), once.clone());
            // each of the last days that have one keeps one
            let mut of_days = made;
            of_days.dedup();
            for day in of_days.iter().take(days as usize) {
                prop_assert!(once.contains(day));
            }
        }
    }
}
