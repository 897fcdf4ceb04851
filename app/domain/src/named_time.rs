//! When a photo was taken, as the name of its file tells: phones, chats and screenshots write it there, and messengers
//! drop everything that the camera noted.

use time::{Date, Month, PrimitiveDateTime, Time};

use crate::days::CHINA;

/// Years that photos and their names have.
const YEARS: std::ops::RangeInclusive<i32> = 1990..=2100;
/// 2001 and 2100 in epoch milliseconds: names of thirteen digits between them are moments.
const MOMENTS: std::ops::Range<i64> = 978_307_200_000..4_102_444_800_000;

/// Epoch milliseconds by a file's name: `mmexport1700000000000.jpg`, `IMG_20231114_123456.jpg`, `微信图片_20231114123456.jpg`,
/// `Screenshot_2023-11-14-12-34-56.png`, `IMG-20231114-WA0001.jpg`. The clock is China's; a name that tells only the day means
/// its noon.
pub fn time_in_name(name: &str) -> Option<i64> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let runs = runs(stem);
    let moment = |run: &&[u8]| run.len() == 13;
    if let Some(at) = runs.iter().map(|(_, run)| *run).find(moment).and_then(number)
        && MOMENTS.contains(&at)
    {
        return Some(at);
    }
    (0..runs.len()).find_map(|first| moment_of(stem.as_bytes(), &runs[first..]))
}

/// The runs of digits in a name, with where each begins.
fn runs(name: &str) -> Vec<(usize, &[u8])> {
    let bytes = name.as_bytes();
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length > 0 {
            runs.push((at, &bytes[at..at + length]));
        }
        at += length.max(1);
    }
    runs
}

fn number(digits: &[u8]) -> Option<i64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The moment that a name's runs of digits say from the first of these on.
fn moment_of(name: &[u8], runs: &[(usize, &[u8])]) -> Option<i64> {
    // digits in a row, whatever stands between year, month and day, and between hour, minute and second
    let mut digits: Vec<u8> = Vec::new();
    let mut end = runs.first()?.0;
    for (at, run) in runs {
        let between = at - end;
        // a word or a gap ends it, a sign or " at " does not
        let joins = digits.is_empty()
            || (between <= 4 && name[end..*at].iter().all(|byte| b"-_. :Tat".contains(byte)));
        if !joins
            || (digits.len() < 8 && !matches!((digits.len(), run.len()), (0, 4 | 8 | 14 | 17) | (4 | 6, 2)))
        {
            break;
        }
        digits.extend_from_slice(run);
        end = at + run.len();
        if digits.len() >= 14 {
            break;
        }
    }
    let part = |from: usize, to: usize| digits.get(from..to).and_then(number);
    let (year, month, day) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    let year = i32::try_from(year).ok().filter(|year| YEARS.contains(year))?;
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let date = Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok()?;
    let of = |from: usize| u8::try_from(part(from, from + 2)?).ok();
    let clock = match (of(8), of(10), of(12)) {
        (Some(hour), Some(minute), Some(second)) => Time::from_hms(hour, minute, second).ok(),
        _ => None,
    };
    let time = clock.or_else(|| Time::from_hms(12, 0, 0).ok())?;
    Some(PrimitiveDateTime::new(date, time).assume_offset(CHINA).unix_timestamp() * 1000)
}

#[cfg(test)]
mod tests {
    use super::time_in_name;

    /// 14 November 2023, 12:34:56 in China.
    const MOMENT: i64 = 1_699_936_496_000;
    const NOON: i64 = 1_699_934_400_000;

    #[test]
    fn names_tell_the_moment() {
        let named = [
            ("mmexport1700000000000.jpg", Some(1_700_000_000_000)),
            ("mmexport1700000000000(1).jpg", Some(1_700_000_000_000)),
            ("wx_camera_1700000000000.jpg", Some(1_700_000_000_000)),
            ("IMG_20231114_123456.jpg", Some(MOMENT)),
            ("IMG20231114123456.jpg", Some(MOMENT)),
            ("PXL_20231114_123456789.jpg", Some(MOMENT)),
            ("微信图片_20231114123456.jpg", Some(MOMENT)),
            ("微信图片_20231114123456789.png", Some(MOMENT)),
            ("Screenshot_20231114-123456_WeChat.jpg", Some(MOMENT)),
            ("Screenshot_2023-11-14-12-34-56-789.png", Some(MOMENT)),
            ("屏幕截图 2023-11-14 123456.png", Some(MOMENT)),
            ("截屏2023-11-14 12.34.56.png", Some(MOMENT)),
            ("2023-11-14 12.34.56.jpg", Some(MOMENT)),
            ("Photo on 2023-11-14 at 12.34.56.jpg", Some(MOMENT)),
            ("IMG-20231114-WA0001.jpg", Some(NOON)),
            ("20231114.jpg", Some(NOON)),
        ];
        for (name, moment) in named {
            assert_eq!(time_in_name(name), moment, "{name}");
        }
    }

    #[test]
    fn names_that_only_count_tell_nothing() {
        let silent = [
            "DSC_0001.jpg",
            "IMG_1234.JPG",
            "20231399_000000.jpg",
            "99999999.jpg",
            "Landscape_1.jpg",
            "0000000000000.jpg",
            "12345678901234567890.jpg",
            "",
            "a4-2023.png",
            "合影 3840x2160.jpg",
        ];
        for name in silent {
            assert_eq!(time_in_name(name), None, "{name}");
        }
    }
}
