//! Days as they are counted: from 1970-01-01, in China's time zone (no daylight saving since 1991).

use base::time;
use domain::days::DAY_MS;

const OFFSET_MS: i64 = 8 * 60 * 60_000;

/// The day of a moment, epoch ms.
pub fn day_of(epoch_ms: i64) -> i64 {
    (epoch_ms + OFFSET_MS).div_euclid(DAY_MS)
}

/// The first moment of a day, epoch ms.
pub fn start_of(day: i64) -> i64 {
    day * DAY_MS - OFFSET_MS
}

/// `2026-11-21`.
pub fn written(day: i64) -> String {
    time::day(start_of(day))
}

/// A day that is written so.
pub fn read(text: &str) -> Option<i64> {
    time::end_of_day(text).map(|end| day_of(end - 1))
}

/// Days since the last Sunday: 0 to 6.
pub fn weekday(day: i64) -> i64 {
    // 1970-01-01 was a Thursday
    (day + 4).rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_in_china() {
        let day = read("2026-11-24").unwrap();
        assert_eq!(written(day), "2026-11-24");
        assert_eq!(day_of(start_of(day)), day);
        assert_eq!(day_of(start_of(day) - 1), day - 1);
        assert_eq!(weekday(day), 2, "a Tuesday");
        assert_eq!(read("2026-02-30"), None);
    }
}
