//! Issues out of files that a publisher has kept: what the files' names say. Papers are archived by day, `2026-11-28.pdf`,
//! `20261128 第330期.pdf`.

use crate::publication::{Day, MOST_NUMBER};

/// What a file's name says of the issue in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    pub day: Day,
    /// 第 n 期 of its year.
    pub number: Option<i64>,
    /// 总第 n 期.
    pub total: Option<i64>,
}

/// Reads a name; none where it says no day, or more than one.
pub fn named(file_name: &str) -> Option<Named> {
    let name = file_name.rsplit_once('.').map_or(file_name, |(name, _)| name);
    let mut days: Vec<Day> = Vec::new();
    let parts = parts(name);
    for (at, (digits, _)) in parts.iter().enumerate() {
        let day = match digits.len() {
            8 => Day::read(&format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..])),
            4 => match &parts[at..] {
                [(year, first), (month, second), (day, _), ..]
                    if is_between(first) && is_between(second) && month.len() <= 2 && day.len() <= 2 =>
                {
                    Day::read(&format!("{year}-{month:0>2}-{day:0>2}"))
                }
                _ => continue,
            },
            _ => continue,
        };
        days.extend(day.ok());
    }
    days.dedup();
    let [day] = days[..] else { return None };
    Some(Named { day, number: counted(name, false), total: counted(name, true) })
}

/// Runs of digits with what stands behind each, up to the next.
fn parts(name: &str) -> Vec<(&str, &str)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while let Some(from) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = &rest[from..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let next = rest[end..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |next| end + next);
        parts.push((&rest[..end], &rest[end..next]));
        rest = &rest[next..];
    }
    parts
}

/// What stands between the numbers of a day.
fn is_between(text: &str) -> bool {
    matches!(text.trim(), "-" | "." | "_" | "/" | "年" | "月")
}

/// The number of 第 n 期, or of 总第 n 期.
fn counted(name: &str, is_total: bool) -> Option<i64> {
    name.match_indices('第').find_map(|(at, word)| {
        let (digits, rest) = parts(&name[at + word.len()..]).into_iter().next()?;
        let is_next = name[at + word.len()..].trim_start().starts_with(digits);
        let number: i64 = digits.parse().ok()?;
        (is_next
            && rest.trim_start().starts_with('期')
            && name[..at].trim_end().ends_with('总') == is_total
            && (1..=MOST_NUMBER).contains(&number))
        .then_some(number)
    })
}
