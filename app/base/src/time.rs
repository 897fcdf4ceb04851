//! Times as people read them, in China.

use domain::days::{CHINA, local};
use time::{Date, PrimitiveDateTime};

/// `2026-11-21`.
pub fn day(epoch_ms: i64) -> String {
    let at = local(epoch_ms);
    format!("{:04}-{:02}-{:02}", at.year(), u8::from(at.month()), at.day())
}

/// The day of a moment.
pub fn date(epoch_ms: i64) -> Date {
    local(epoch_ms).date()
}

/// Day and time of a moment.
pub fn local_time(epoch_ms: i64) -> PrimitiveDateTime {
    let at = local(epoch_ms);
    PrimitiveDateTime::new(at.date(), at.time())
}

/// `11 月 21 日`, with its year where that is not this one's.
pub fn day_near(day: Date, today: Date) -> String {
    let year = if day.year() == today.year() { String::new() } else { format!("{} 年 ", day.year()) };
    format!("{year}{} 月 {} 日", u8::from(day.month()), day.day())
}

/// `2026 年 11 月`.
pub fn month(epoch_ms: i64) -> String {
    let at = local(epoch_ms);
    format!("{} 年 {} 月", at.year(), u8::from(at.month()))
}

/// `2026-11-21 14:05`.
pub fn stamp(epoch_ms: i64) -> String {
    format!("{} {}", day(epoch_ms), clock(epoch_ms))
}

/// `14:05`.
pub fn clock(epoch_ms: i64) -> String {
    let at = local(epoch_ms);
    format!("{:02}:{:02}", at.hour(), at.minute())
}

/// `2026-11-21 14:05:09`.
pub fn to_the_second(epoch_ms: i64) -> String {
    format!("{}:{:02}", stamp(epoch_ms), local(epoch_ms).second())
}

/// `2026-11-21T14:05:09+08:00`.
pub fn rfc3339(epoch_ms: i64) -> String {
    format!("{}+08:00", to_the_second(epoch_ms).replace(' ', "T"))
}

/// The first moment of a day, epoch ms.
pub fn start_of(day: Date) -> i64 {
    day.midnight().assume_offset(CHINA).unix_timestamp() * 1000
}

/// The end of a day that is written `2026-11-21`, epoch ms: the first moment of the next one.
pub fn end_of_day(text: &str) -> Option<i64> {
    Some(start_of(domain::typed::date(text)?.next_day()?))
}

/// Minutes after midnight of a time that is written `06:30`; some browsers send seconds, too.
pub fn minutes(text: &str) -> Option<i64> {
    let text = domain::typed::typed(text);
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.get(..2)?.parse().ok()?);
    ((0..24).contains(&hours) && (0..60).contains(&minutes)).then_some(hours * 60 + minutes)
}

/// The moment of a day and a time as they are written, epoch ms.
pub fn moment(day: &str, clock: &str) -> Option<i64> {
    Some(start_of(domain::typed::date(day)?) + minutes(clock)? * 60_000)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_moment_is_read_as_it_is_written() {
        let at = |day, clock| super::moment(day, clock).map(super::stamp);
        assert_eq!(at("2026-11-28", "18:00").as_deref(), Some("2026-11-28 18:00"));
        assert_eq!(at("2026-11-28", "０６：３０").as_deref(), Some("2026-11-28 06:30"));
        assert_eq!(at("2026-11-28", "23:59:59").as_deref(), Some("2026-11-28 23:59"));
        for (day, clock) in
            [("", "18:00"), ("2026-11-28", ""), ("2026-11-28", "24:00"), ("2026-11-28", "9:5")]
        {
            assert_eq!(at(day, clock), None, "{day} {clock}");
        }
    }

    #[test]
    fn a_day_ends_at_midnight_in_china() {
        let end = super::end_of_day("2026-11-20").unwrap();
        assert_eq!(super::to_the_second(end), "2026-11-21 00:00:00");
        assert_eq!(super::day(end - 1), "2026-11-20");
        assert_eq!(super::date(super::start_of(super::date(end))), super::date(end));
        for text in ["", "2026", "2026-13-01", "2026-02-30", "26-02-01", "2026-1-x", "+026-01-01"] {
            assert_eq!(super::end_of_day(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_of_another_year_says_so() {
        let [last, today, next] =
            ["2026-12-31", "2026-11-21", "2027-01-02"].map(|text| domain::typed::date(text).unwrap());
        assert_eq!(super::day_near(last, today), "12 月 31 日");
        assert_eq!(super::day_near(next, today), "2027 年 1 月 2 日");
    }

    #[test]
    fn times_are_chinas() {
        assert_eq!(super::rfc3339(1_795_218_309_000), "2026-11-21T07:45:09+08:00");
        assert_eq!(super::stamp(0), "1970-01-01 08:00");
        assert_eq!(super::stamp(1_795_218_300_000), "2026-11-21 07:45");
        assert_eq!(super::day(1_795_190_399_999), "2026-11-20");
        for epoch_ms in [i64::MIN, -1, 253_402_300_799_000, 253_402_300_800_000, i64::MAX] {
            assert!(!super::rfc3339(epoch_ms).is_empty() && !super::month(epoch_ms).is_empty());
        }
    }
}
