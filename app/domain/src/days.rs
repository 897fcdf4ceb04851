//! Days as China has them: its one time is eight hours ahead of UTC, the same all year since 1992.

use time::{Date, Month, OffsetDateTime, Time, UtcOffset};

/// A day, in ms.
pub const DAY_MS: i64 = 24 * 60 * 60_000;
/// China's time.
pub const CHINA: UtcOffset = match UtcOffset::from_hms(8, 0, 0) {
    Ok(offset) => offset,
    Err(_) => UtcOffset::UTC,
};

/// What calendar and clock show at a moment in epoch ms; those of 1970 where no calendar has it.
pub fn local(at: i64) -> OffsetDateTime {
    let utc = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at) * 1_000_000);
    let utc = utc.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    // the last hours of the year 9999 have none there
    utc.checked_to_offset(CHINA).unwrap_or(utc)
}

/// When a day begins that is written `2026-11-21`, in epoch ms; `None` for what is no day.
pub fn day_start(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if year.len() != 4 || month.len() != 2 || day.len() != 2 {
        return None;
    }
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    let date = Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
    date.with_time(Time::MIDNIGHT).assume_offset(CHINA).unix_timestamp().checked_mul(1_000)
}
