//! What a book and its maker need from EXIF data (CIPA DC-008): the orientation, the time and its zone, the camera's
//! kind, and the place it was taken at. Whatever else stands there (serial numbers, names, thumbnails) is not even looked at, and
//! the place itself goes no further than this.

use super::cities::Position;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Exif {
    /// 1 to 8.
    pub orientation: Option<u8>,
    /// When it was taken.
    pub taken: Option<Clock>,
    /// When the file was last written.
    pub changed: Option<Clock>,
    /// Maker and model, such as `Canon EOS R5`.
    pub camera: Option<String>,
    /// The place that satellites told.
    pub position: Option<Position>,
}

/// What a clock on the wall showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    /// Epoch milliseconds, as if the clock were in China.
    pub at: i64,
    /// Where it was, in minutes east of UTC.
    pub offset: Option<i16>,
}

const MAKER: u16 = 0x010F;
const MODEL: u16 = 0x0110;
const ORIENTATION: u16 = 0x0112;
const EXIF_PART: u16 = 0x8769;
const GPS_PART: u16 = 0x8825;
/// Time, its fraction, its zone: of the exposure, or else of the digitising (which for a camera is the same).
const TIMES: [[u16; 3]; 2] = [[0x9003, 0x9291, 0x9011], [0x9004, 0x9292, 0x9012]];
/// The same of the file's last change; its time stands among the picture's own entries.
const CHANGED: [u16; 3] = [0x0132, 0x9290, 0x9010];
/// What satellites said: day, and hours, minutes and seconds in UTC.
const GPS_DAY: u16 = 0x001D;
const GPS_TIME: u16 = 0x0007;
/// Which half of the Earth, and degrees, minutes and seconds, northwards and eastwards.
const GPS_LATITUDE: [u16; 2] = [0x0001, 0x0002];
const GPS_LONGITUDE: [u16; 2] = [0x0003, 0x0004];

/// China's zone, in seconds: what this house's clocks show.
const CHINA: i64 = 8 * 3600;
/// Zones differ by quarters of an hour; a position may be some minutes older than the photo.
const QUARTER: i64 = 15 * 60;
const STALE: i64 = 5 * 60;

const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const RATIONAL: u16 = 5;

/// Reads EXIF data, which begins with its TIFF header. What is damaged counts as absent: a photo with odd
/// metadata is still a photo.
pub(super) fn read(data: &[u8]) -> Exif {
    find(data).unwrap_or_default()
}

fn find(data: &[u8]) -> Option<Exif> {
    let little = match data.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let tiff = Tiff { data, little };
    let first = tiff.long(4)?;
    let orientation = tiff
        .value(first, ORIENTATION, SHORT)
        .and_then(|at| tiff.short(at).map(usize::from))
        // some programs write it longer than it is
        .or_else(|| tiff.long(tiff.value(first, ORIENTATION, LONG)?))
        .and_then(|orientation| u8::try_from(orientation).ok())
        .filter(|orientation| (1..=8).contains(orientation));
    let exif = tiff.value(first, EXIF_PART, LONG).and_then(|at| tiff.long(at));
    let satellites = tiff.value(first, GPS_PART, LONG).and_then(|at| tiff.long(at));
    let utc = satellites.and_then(|part| satellites_utc(&tiff, part));
    let text = |tag| exif.and_then(|exif| tiff.text(exif, tag));
    let clock = |time: &str, fraction, zone| {
        let wall = seconds(time)?;
        let milliseconds = text(fraction).map_or(0, milliseconds);
        let offset = text(zone).and_then(zone_seconds).or_else(|| offset_by(wall, utc?));
        let offset = offset.and_then(|seconds| i16::try_from(seconds / 60).ok());
        Some(Clock { at: (wall - CHINA) * 1000 + milliseconds, offset })
    };
    let taken = TIMES.iter().find_map(|[time, fraction, zone]| clock(text(*time)?, *fraction, *zone));
    let [time, fraction, zone] = CHANGED;
    let changed = tiff.text(first, time).and_then(|time| clock(time, fraction, zone));
    let camera = camera(tiff.text(first, MAKER).unwrap_or(""), tiff.text(first, MODEL).unwrap_or(""));
    let position = satellites.and_then(|part| position(&tiff, part));
    Some(Exif { orientation, taken, changed, camera, position })
}

/// When satellites saw it, in seconds since 1970.
fn satellites_utc(tiff: &Tiff, part: usize) -> Option<i64> {
    let day = seconds(&format!("{} 00:00:00", tiff.text(part, GPS_DAY)?))?;
    let at = tiff.long(tiff.value(part, GPS_TIME, RATIONAL)?)?;
    let number = |index: usize| -> Option<i64> {
        let (above, below) = tiff.rational(at, index)?;
        i64::try_from(above.checked_div(below)?).ok()
    };
    let (hours, minutes, seconds) = (number(0)?, number(1)?, number(2)?);
    let sound = (0..24).contains(&hours) && (0..60).contains(&minutes) && (0..=60).contains(&seconds);
    sound.then_some(day + (hours * 60 + minutes) * 60 + seconds)
}

/// Where satellites saw it.
fn position(tiff: &Tiff, part: usize) -> Option<Position> {
    let degrees = |[half, angle]: [u16; 2], negative: &str, most: f64| {
        let at = tiff.long(tiff.value(part, angle, RATIONAL)?)?;
        // what is left away is nothing over nothing in some
        let number = |index: usize| {
            let (above, below) = tiff.rational(at, index)?;
            Some(if below == 0 { 0.0 } else { above as f64 / below as f64 })
        };
        let angle = number(0)? + number(1)? / 60.0 + number(2)? / 3600.0;
        let sign = if tiff.text(part, half)?.eq_ignore_ascii_case(negative) { -1.0 } else { 1.0 };
        (angle <= most).then_some(sign * angle)
    };
    let latitude = degrees(GPS_LATITUDE, "S", 90.0)?;
    Some(Position { latitude, longitude: degrees(GPS_LONGITUDE, "W", 180.0)? })
}

/// How far a clock is ahead of UTC, in seconds, where that is what zones are.
fn offset_by(wall: i64, utc: i64) -> Option<i64> {
    let apart = wall - utc;
    let offset = (apart + QUARTER / 2).div_euclid(QUARTER) * QUARTER;
    ((apart - offset).abs() <= STALE && offset.abs() <= 14 * 3600).then_some(offset)
}

/// A maker often stands in the model, too. Both are anybody's text.
fn camera(maker: &str, model: &str) -> Option<String> {
    let clean =
        |text: &str| text.chars().filter(|c| !c.is_control()).take(60).collect::<String>().trim().to_owned();
    let (maker, model) = (clean(maker), clean(model));
    let said = model.to_lowercase().starts_with(&maker.to_lowercase());
    let name = if said || model.is_empty() { model } else { format!("{maker} {model}") };
    (!name.is_empty()).then_some(name)
}

struct Tiff<'a> {
    data: &'a [u8],
    little: bool,
}

impl<'a> Tiff<'a> {
    fn short(&self, at: usize) -> Option<u16> {
        let bytes = self.data.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if self.little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    fn long(&self, at: usize) -> Option<usize> {
        let bytes = self.data.get(at..at.checked_add(4)?)?.try_into().ok()?;
        let value = if self.little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
        usize::try_from(value).ok()
    }

    /// Where the entry with `tag` in the directory at `directory` begins, if it has the type.
    fn entry(&self, directory: usize, tag: u16, kind: u16) -> Option<usize> {
        let count = usize::from(self.short(directory)?);
        let first = directory.checked_add(2)?;
        let entries = (0..count).map(|index| first.saturating_add(index * 12));
        // A damaged count leads past the end, where the first missing entry stops the search.
        entries
            .map_while(|at| Some((at, self.short(at)?)))
            .find(|&(at, found)| found == tag && self.short(at + 2) == Some(kind))
            .map(|(at, _)| at)
    }

    /// Where the value of an entry that holds one number stands.
    fn value(&self, directory: usize, tag: u16, kind: u16) -> Option<usize> {
        self.entry(directory, tag, kind)?.checked_add(8)
    }

    /// Above and below the line of one of the fractions that stand at `at`, one after the other.
    fn rational(&self, at: usize, index: usize) -> Option<(usize, usize)> {
        let at = at.checked_add(8 * index)?;
        Some((self.long(at)?, self.long(at.checked_add(4)?)?))
    }

    fn text(&self, directory: usize, tag: u16) -> Option<&'a str> {
        let entry = self.entry(directory, tag, ASCII)?;
        let length = self.long(entry + 4)?;
        let at = if length <= 4 { entry + 8 } else { self.long(entry + 8)? };
        let bytes = self.data.get(at..at.checked_add(length)?)?;
        let text = std::str::from_utf8(bytes).ok()?;
        Some(text.trim_end_matches(['\0', ' ']))
    }
}

/// `2024:05:01 12:30:59` in seconds since 1970, as if in UTC. Cameras whose clock was never set write zeros or
/// blanks.
fn seconds(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let sound = year >= 1800
        && (1..=length).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    // Days since 1970-01-01 in a calendar whose years begin in March, so that leap days come last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469;
    sound.then_some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

/// `25` is a quarter of a second.
fn milliseconds(text: &str) -> i64 {
    let digits = text.bytes().take_while(u8::is_ascii_digit).map(|digit| i64::from(digit - b'0'));
    digits.chain(std::iter::repeat(0)).take(3).fold(0, |sum, digit| sum * 10 + digit)
}

/// `+08:00` in seconds.
fn zone_seconds(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let sign = match text.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let hours: i64 = text.get(1..3)?.parse().ok()?;
    let minutes: i64 = text.get(3..)?.trim_start_matches(':').parse().ok()?;
    ((0..=14).contains(&hours) && (0..60).contains(&minutes)).then_some(sign * (hours * 60 + minutes) * 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_from_1970() {
        assert_eq!(seconds("1970:01:01 00:00:00"), Some(0));
        assert_eq!(seconds("2024:02:29 12:30:59"), Some(1_709_209_859));
        assert_eq!(seconds("2000:03:01 00:00:00"), Some(951_868_800));
        assert_eq!(seconds("1969:12:31 23:59:59"), Some(-1));
        for unset in ["0000:00:00 00:00:00", "    :  :     :  :  ", "2023:02:29 00:00:00", "2024", ""] {
            assert_eq!(seconds(unset), None, "{unset}");
        }
    }

    #[test]
    fn a_zone_is_told_by_satellites() {
        let utc = 1_777_660_200;
        assert_eq!(offset_by(utc + 7_200, utc), Some(7_200));
        assert_eq!(
            offset_by(utc + 20_700 + 120, utc),
            Some(20_700),
            "Nepal, two minutes after the last position"
        );
        assert_eq!(offset_by(utc - 12_600, utc), Some(-12_600));
        assert_eq!(offset_by(utc + 7_200 + 400, utc), None, "a clock that is wrong");
        assert_eq!(offset_by(utc + 20 * 3600, utc), None);
    }

    #[test]
    fn fractions_and_zones() {
        assert_eq!(milliseconds("25"), 250);
        assert_eq!(milliseconds("123456"), 123);
        assert_eq!(milliseconds(""), 0);
        assert_eq!(zone_seconds("+08:00"), Some(28_800));
        assert_eq!(zone_seconds("-03:30"), Some(-12_600));
        assert_eq!(zone_seconds("   :  "), None);
        assert_eq!(zone_seconds("+99:00"), None);
    }

    #[test]
    fn a_camera_is_named_once() {
        assert_eq!(camera("Canon", "Canon EOS R5").as_deref(), Some("Canon EOS R5"));
        assert_eq!(camera("HUAWEI", "ALN-AL80\u{7}").as_deref(), Some("HUAWEI ALN-AL80"));
        assert_eq!(camera("", " X100 ").as_deref(), Some("X100"));
        assert_eq!(camera("Canon", ""), None);
    }

    #[test]
    fn damaged_data_is_absent_data() {
        let mut data = b"II*\0\x08\0\0\0\xFF\xFF".to_vec();
        assert_eq!(read(&data), Exif::default());
        data.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]);
        assert_eq!(read(&data), Exif { orientation: Some(6), ..Exif::default() });
        for length in 0..data.len() {
            read(&data[..length]);
        }
    }
}
