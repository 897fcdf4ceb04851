//! Telephone numbers: those of the mainland, mobile and landline (Ministry of Industry's numbering plan), and those of 香港,
//! 澳门 and 台湾 with their country code, because parcels go there, too. All of them are read as [`typed`], with spaces, dashes
//! and brackets wherever people put them.

use crate::typed::typed;

/// A number that a courier can call, in the form in which it is kept, or nothing when it is none. An extension of a
/// landline may stand behind it: `13800138000`, `0571-87654321`, `010-62345678-801`, `400-820-8820`, `+852 21234567`.
pub fn normal(text: &str) -> Option<String> {
    let number = national(text);
    if let Some(abroad) = abroad(&number) {
        return abroad;
    }
    let together = number.replace('-', "");
    if is_mobile(&together) {
        return Some(together);
    }
    service(&together).or_else(|| landline(&number)).or_else(|| {
        // behind the country's code an area has no zero of its own
        (number.len() < without_brackets(text).len()).then(|| landline(&format!("0{number}"))).flatten()
    })
}

/// A mobile number of the mainland in 11 digits, or nothing when it is none.
pub fn mobile(text: &str) -> Option<String> {
    let number = national(text).replace('-', "");
    is_mobile(&number).then_some(number)
}

fn without_brackets(text: &str) -> String {
    typed(text).chars().filter(|c| !matches!(c, ' ' | '(' | ')')).collect()
}

/// A number without the mainland's code, which people also write without its plus; another country's begins with a plus.
fn national(text: &str) -> String {
    let text = without_brackets(text);
    let text = match text.strip_prefix("00") {
        Some(rest) => format!("+{rest}"),
        None => text,
    };
    let bare = text.strip_prefix("+86").or_else(|| text.strip_prefix("86").filter(|rest| rest.len() >= 10));
    bare.map_or(text.as_str(), |rest| rest.trim_start_matches('-')).to_owned()
}

/// A number of 香港, 澳门 or 台湾; the inner `None` where it has another length.
fn abroad(number: &str) -> Option<Option<String>> {
    [("+852", 8), ("+853", 8), ("+886", 9)].iter().find_map(|(code, length)| {
        let number = number.strip_prefix(code)?.replace('-', "");
        Some((number.len() == *length && is_digits(&number)).then(|| format!("{code} {number}")))
    })
}

fn is_mobile(number: &str) -> bool {
    number.len() == 11
        && is_digits(number)
        && number.starts_with('1')
        && (b'3'..=b'9').contains(&number.as_bytes()[1])
}

/// A number of a firm for the whole country, of ten digits.
fn service(number: &str) -> Option<String> {
    let right =
        number.len() == 10 && is_digits(number) && ["400", "800"].iter().any(|code| number.starts_with(code));
    right.then(|| format!("{}-{}-{}", &number[..3], &number[3..6], &number[6..]))
}

/// Area code, number and extension: 010 and 02x have three digits, all other area codes four.
fn landline(text: &str) -> Option<String> {
    let area = if text.starts_with("010") || text.starts_with("02") { 3 } else { 4 };
    let (area, rest) = text.split_at_checked(area)?;
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    let parts: Vec<&str> = rest.split(['-', '转']).collect();
    // 8765-4321 is one number
    let is_halved = |first: &str, second: &str| (3..=4).contains(&first.len()) && second.len() == 4;
    let (number, extension) = match *parts.as_slice() {
        [first, second] if is_halved(first, second) => (format!("{first}{second}"), None),
        [first, second, extension] if is_halved(first, second) => {
            (format!("{first}{second}"), Some(extension))
        }
        [number] => (number.to_owned(), None),
        [number, extension] => (number.to_owned(), Some(extension)),
        _ => return None,
    };
    let right = area.starts_with('0')
        && !area.starts_with("00")
        && is_digits(area)
        && matches!(number.len(), 7 | 8)
        && is_digits(&number)
        && !number.starts_with(['0', '1'])
        && extension.is_none_or(|extension| (1..=6).contains(&extension.len()) && is_digits(extension));
    right.then(|| match extension {
        Some(extension) => format!("{area}-{number}-{extension}"),
        None => format!("{area}-{number}"),
    })
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
