//! The part of a file that a request asks for (RFC 9110, section 14).
//!
//! One part is sent. Where several are asked for that are there, the whole file is, as section 14.2 allows; nothing is put
//! together then, so nobody can ask for a file a thousand times over in one request. `tower_http` sends the part; it takes an
//! unknown unit, more than one part, and an end longer than the file for faults, and knows no `If-Range`.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// What is sent of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// From byte to byte, both counted from 0 and both sent.
    Bytes(u64, u64),
    /// Nothing of what is asked for is there: 416.
    Nothing,
}

/// The `Range` that names the part to send, in the plainest words; `None` for the whole file. The headers of a GET, and those
/// of the whole file.
pub(super) fn plain_range(asked: &HeaderMap, whole: &HeaderMap) -> Option<HeaderValue> {
    let length = text(whole, &header::CONTENT_LENGTH)?.parse().ok()?;
    let range = text(asked, &header::RANGE)?;
    if asked.contains_key(header::IF_RANGE) && !is_unchanged(asked, whole) {
        return None;
    }
    match part(range, length) {
        Part::Whole => None,
        Part::Bytes(first, last) => HeaderValue::from_str(&format!("bytes={first}-{last}")).ok(),
        // never satisfiable, however long the file is (section 14.1.2)
        Part::Nothing => Some(HeaderValue::from_static("bytes=-0")),
    }
}

/// A header that is there once.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let only = values.next().filter(|_| values.next().is_none())?;
    only.to_str().ok()
}

/// Whether the file is still the one of which somebody has a part (`If-Range`, section 13.1.5): it has the same strong entity
/// tag, or was changed at the very same time.
fn is_unchanged(asked: &HeaderMap, whole: &HeaderMap) -> bool {
    let Some(had) = text(asked, &header::IF_RANGE).map(str::trim) else { return false };
    // a weak tag is equal to none
    if had.starts_with('"') {
        return text(whole, &header::ETAG) == Some(had);
    }
    let time = |value: &str| httpdate::parse_http_date(value).ok();
    let changed = text(whole, &header::LAST_MODIFIED).and_then(time);
    changed.is_some() && time(had) == changed
}

/// What a `Range` means for a file of so many bytes. One that is none, and one in another unit than bytes, are as if they were
/// not there.
fn part(range: &str, length: u64) -> Part {
    let Some((unit, set)) = range.split_once('=') else { return Part::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return Part::Whole;
    }
    // a list may have empty elements (section 5.6.1.2)
    let is_space = |c: char| matches!(c, ' ' | '\t');
    let elements = set.split(',').map(|element| element.trim_matches(is_space)).filter(|it| !it.is_empty());
    let Some(asked) = elements.map(|element| one(element, length)).collect::<Option<Vec<Part>>>() else {
        return Part::Whole;
    };
    let mut there = asked.iter().filter(|part| **part != Part::Nothing);
    match (there.next(), there.next()) {
        (Some(only), None) => *only,
        (None, _) if !asked.is_empty() => Part::Nothing,
        _ => Part::Whole,
    }
}

/// One element of the set; `None` for one that is none.
fn one(element: &str, length: u64) -> Option<Part> {
    let (first, last) = element.split_once('-')?;
    if first.is_empty() {
        return Some(match (number(last)?, length) {
            (0, _) => Part::Nothing,
            // every end of an empty file is there, and has no bytes that could be named
            (_, 0) => Part::Whole,
            (count, _) => Part::Bytes(length.saturating_sub(count), length - 1),
        });
    }
    let first = number(first)?;
    let last = if last.is_empty() { u64::MAX } else { number(last)? };
    if last < first {
        return None;
    }
    Some(if first < length { Part::Bytes(first, last.min(length - 1)) } else { Part::Nothing })
}

/// A number of digits alone; one that no file reaches is the largest.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: u64 = 10_000;

    #[test]
    fn parts_are_those_of_the_standard() {
        use Part::{Bytes, Nothing, Whole};
        for (range, expected) in [
            // the examples of section 14.1.2
            ("bytes=0-499", Bytes(0, 499)),
            ("bytes=500-999", Bytes(500, 999)),
            ("bytes=-500", Bytes(9_500, 9_999)),
            ("bytes=9500-", Bytes(9_500, 9_999)),
            ("bytes=0-0,-1", Whole),
            ("bytes= 0-999, 4500-5499, -1000", Whole),
            ("bytes=500-600,601-999", Whole),
            ("bytes=500-700,601-999", Whole),
            // more than there is
            ("bytes=0-99999", Bytes(0, 9_999)),
            ("bytes=-99999", Bytes(0, 9_999)),
            ("bytes=9999-", Bytes(9_999, 9_999)),
            ("bytes=0-99999999999999999999999", Bytes(0, 9_999)),
            // nothing of it is there
            ("bytes=10000-", Nothing),
            ("bytes=99999999999999999999999-", Nothing),
            ("bytes=-0", Nothing),
            ("bytes=10000-10001, -0", Nothing),
            // only one is there
            ("bytes=10000-10001, 7-8", Bytes(7, 8)),
            // lists as they may be written
            ("bytes=, 1-2 ,\t,", Bytes(1, 2)),
            ("BYTES=1-2", Bytes(1, 2)),
            ("bytes=007-8", Bytes(7, 8)),
            // no range, or none that is known
            ("pages=1-2", Whole),
            ("bytes", Whole),
            ("bytes=", Whole),
            ("bytes=,", Whole),
            ("bytes=-", Whole),
            ("bytes=5-4", Whole),
            ("bytes=1-2,5-4", Whole),
            ("bytes=+1-2", Whole),
            ("bytes=1 - 2", Whole),
            ("bytes=0x1-2", Whole),
            ("bytes=1-2-3", Whole),
            ("bytes=--1", Whole),
        ] {
            assert_eq!(part(range, LENGTH), expected, "{range}");
        }
    }

    #[test]
    fn an_empty_file_has_only_an_end() {
        for (range, expected) in
            [("bytes=0-", Part::Nothing), ("bytes=0-0", Part::Nothing), ("bytes=-5", Part::Whole)]
        {
            assert_eq!(part(range, 0), expected, "{range}");
        }
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn a_part_is_sent_of_the_file_that_somebody_has_a_part_of() {
        let whole = headers(&[
            ("content-length", "10000"),
            ("etag", "\"a-1\""),
            ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ]);
        for (had, is_sent) in [
            ("\"a-1\"", true),
            ("W/\"a-1\"", false),
            ("\"a-2\"", false),
            ("a-1", false),
            ("*", false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", true),
            // the obsolete forms of the same time (section 5.6.7)
            ("Sunday, 06-Nov-94 08:49:37 GMT", true),
            ("Sun Nov  6 08:49:37 1994", true),
            ("Sun, 06 Nov 1994 08:49:38 GMT", false),
            ("Sun, 06 Nov 1994 08:49:36 GMT", false),
            ("yesterday", false),
            ("", false),
        ] {
            let asked = headers(&[("range", "bytes=-1"), ("if-range", had)]);
            let sent = plain_range(&asked, &whole);
            assert_eq!(sent, is_sent.then(|| HeaderValue::from_static("bytes=9999-9999")), "{had}");
        }
        // a file without a tag and a time is always another one
        let bare = headers(&[("content-length", "10000")]);
        for had in ["\"a-1\"", "Sun, 06 Nov 1994 08:49:37 GMT", "yesterday"] {
            assert_eq!(
                plain_range(&headers(&[("range", "bytes=-1"), ("if-range", had)]), &bare),
                None,
                "{had}"
            );
        }
        // two of either say nothing
        let mut twice = headers(&[("range", "bytes=-1")]);
        twice.append("range", HeaderValue::from_static("bytes=-1"));
        assert_eq!(plain_range(&twice, &whole), None);
        assert_eq!(plain_range(&headers(&[("if-range", "\"a-1\"")]), &whole), None);
    }
}
