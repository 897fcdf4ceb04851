//! Telephone numbers that a courier can call: mobile and landline numbers of the mainland, and those of 香港, 澳门 and
//! 台湾 with their country code, because parcels go there, too.

/// A number in the form in which it is kept, or nothing when it is none. Spaces and hyphens are free, `+86` may stand
/// before it, an extension of a landline behind it: `13800138000`, `0571-87654321`, `010-62345678-801`,
/// `+852 21234567`.
pub fn normal(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    for (code, length) in [("+852", 8), ("+853", 8), ("+886", 9)] {
        if let Some(number) = text.strip_prefix(code) {
            let number = number.replace('-', "");
            return (number.len() == length && is_digits(&number)).then(|| format!("{code} {number}"));
        }
    }
    let text = text.strip_prefix("+86").unwrap_or(&text);
    let together = text.replace('-', "");
    if together.len() == 11 && together.starts_with('1') && is_digits(&together) {
        return Some(together);
    }
    landline(text)
}

/// Area code, number and extension (Ministry of Industry's numbering plan: 010 and 02x have three digits, all other
/// area codes four).
fn landline(text: &str) -> Option<String> {
    let area = if text.starts_with("010") || text.starts_with("02") { 3 } else { 4 };
    let (area, rest) = text.split_at_checked(area)?;
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    let (number, extension) = rest.split_once(['-', '转']).map_or((rest, None), |(n, e)| (n, Some(e)));
    let right = area.starts_with('0')
        && !area.starts_with("00")
        && is_digits(area)
        && matches!(number.len(), 7 | 8)
        && is_digits(number)
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
