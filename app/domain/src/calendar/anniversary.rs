//! A member's own days, one a line: `3-15 妈妈生日`, `农历 八月十五 全家团圆`. They repeat every year.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::YearMonth;
use super::lunar::{LunarDate, day_name, leap_month, month_name};
use crate::typed::words;

/// Characters that a name may have, so that it can be read in its cell.
pub const NAME_LENGTH: usize = 12;
/// How many a calendar may have.
pub const ANNIVERSARIES: usize = 60;

/// A day that a member wants to be reminded of; its line as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Anniversary {
    pub on: Recurring,
    pub name: String,
}

/// When it is, each year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recurring {
    /// The 29th of February is the 28th in other years.
    Solar { month: u8, day: u8 },
    /// The thirtieth is the twenty-ninth of a short month; what is in a leap month is in the month itself where the
    /// year has no such leap month.
    Lunar { month: u8, day: u8, is_leap: bool },
}

impl Recurring {
    /// Whether it is on this day.
    pub fn falls_on(self, of: YearMonth, today: u8, lunar: LunarDate) -> bool {
        match self {
            Self::Solar { month, day } => of.month() == month && today == day.min(of.days()),
            Self::Lunar { month, day, is_leap } => {
                let is_leap = is_leap && leap_month(lunar.year) == Some(month);
                (lunar.month, lunar.is_leap) == (month, is_leap) && lunar.day == day.min(lunar.length)
            }
        }
    }
}

/// Reads lines; empty ones say nothing.
///
/// # Errors
/// One sentence for everything that is wrong, with the number of its line.
pub fn parse(text: &str) -> Result<Vec<Anniversary>, Vec<String>> {
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let line = words(line);
        match parse_line(&line) {
            _ if line.is_empty() => {}
            Ok(anniversary) => read.push(anniversary),
            Err(reason) => {
                let shown: String = line.chars().take(20).collect();
                wrong.push(format!("第 {number} 行“{shown}”：{reason}"));
            }
        }
    }
    if read.len() > ANNIVERSARIES {
        wrong.push(format!("纪念日最多 {ANNIVERSARIES} 个，现在有 {} 个。", read.len()));
    }
    if wrong.is_empty() { Ok(read) } else { Err(wrong) }
}

/// The lines that [`parse`] reads.
pub fn write(anniversaries: &[Anniversary]) -> String {
    anniversaries.iter().map(|one| format!("{one}\n")).collect()
}

const HOW: &str = "日期请写成“3-15”或“农历八月十五”，后面写名称。";

fn parse_line(line: &str) -> Result<Anniversary, String> {
    let lunar = ["农历", "阴历", "旧历"].iter().find_map(|prefix| line.strip_prefix(prefix));
    let is_lunar = lunar.is_some();
    let rest = lunar.unwrap_or(line).trim_start_matches(is_gap);
    let (is_leap, rest) = match rest.strip_prefix('闰').filter(|_| is_lunar) {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (month, day, name) = date(rest, is_lunar).ok_or_else(|| {
        let chinese = !is_lunar && date(rest, true).is_some();
        if chinese {
            "用汉字写的日期要在前面注明“农历”；公历请写成“3-15”。".to_owned()
        } else {
            HOW.to_owned()
        }
    })?;
    let name = name.trim_start_matches(|c| is_gap(c) || matches!(c, '，' | ',' | '、')).trim_end();
    let longest = match (is_lunar, month) {
        (_, 0 | 13..) => 0,
        (true, _) => 30,
        // in a leap year
        (false, month) => YearMonth::new(2024, month).map_or(0, YearMonth::days),
    };
    if !(1..=longest).contains(&day) {
        let calendar = if is_lunar { "农历" } else { "" };
        return Err(format!("{calendar}没有 {month} 月 {day} 日。"));
    }
    match name.chars().count() {
        0 => return Err("日期后面还没有写名称。".to_owned()),
        count if count > NAME_LENGTH => {
            return Err(format!("名称最多 {NAME_LENGTH} 个字，现在有 {count} 个。"));
        }
        _ => {}
    }
    let on =
        if is_lunar { Recurring::Lunar { month, day, is_leap } } else { Recurring::Solar { month, day } };
    Ok(Anniversary { on, name: name.to_owned() })
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ':' | '：')
}

/// Month, day and what follows them. Chinese numbers are read where they are allowed.
fn date(text: &str, chinese: bool) -> Option<(u8, u8, &str)> {
    let (month, rest) = match digits(text) {
        Some(found) => found,
        None if chinese => {
            let (name, rest) = text.split_once('月')?;
            return after_month(chinese_month(name)?, rest, chinese);
        }
        None => return None,
    };
    let rest = rest.trim_start();
    let mut characters = rest.chars();
    matches!(characters.next()?, '-' | '/' | '.' | '月' | '－' | '–' | '—' | '／' | '．').then_some(())?;
    after_month(month, characters.as_str(), chinese)
}

fn after_month(month: u8, rest: &str, chinese: bool) -> Option<(u8, u8, &str)> {
    let rest = rest.trim_start();
    let (day, rest) = digits(rest).or_else(|| chinese_day(rest).filter(|_| chinese))?;
    let rest = rest.strip_prefix(['日', '号']).unwrap_or(rest);
    Some((month, day, rest))
}

/// A number of one or two digits, also of the wide ones that Chinese keyboards give.
fn digits(text: &str) -> Option<(u8, &str)> {
    let (mut number, mut rest) = (None, text);
    for _ in 0..2 {
        let mut characters = rest.chars();
        let Some(digit) = characters.next().and_then(|c| match c {
            '０'..='９' => Some(c as u32 - '０' as u32),
            c => c.to_digit(10),
        }) else {
            break;
        };
        number = Some(number.unwrap_or(0) * 10 + u8::try_from(digit).ok()?);
        rest = characters.as_str();
    }
    // three digits are no day
    Some((number?, rest)).filter(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn chinese_month(name: &str) -> Option<u8> {
    let other = match name.trim() {
        "一" => Some(1),
        "十一" => Some(11),
        "十二" => Some(12),
        _ => None,
    };
    other.or_else(|| (1..=12).find(|month| month_name(*month).trim_end_matches('月') == name.trim()))
}

/// `初八`, `十五`, `廿三`, `二十三`, `三十`.
fn chinese_day(text: &str) -> Option<(u8, &str)> {
    let digit = |text: &'_ str| -> Option<u8> {
        let index = "一二三四五六七八九".chars().position(|c| text.starts_with(c))?;
        u8::try_from(index + 1).ok()
    };
    let width = '一'.len_utf8();
    if let Some(rest) = text.strip_prefix("初十") {
        return Some((10, rest));
    }
    for (prefix, tens, alone) in [
        ("初", 0, false),
        ("二十", 20, true),
        ("廿", 20, true),
        ("三十", 30, true),
        ("卅", 30, true),
        ("十", 10, true),
        ("", 0, false),
    ] {
        let Some(rest) = text.strip_prefix(prefix) else { continue };
        match digit(rest) {
            Some(digit) => return Some((tens + digit, &rest[width..])),
            None if alone => return Some((tens, rest)),
            None => {}
        }
    }
    None
}

impl fmt::Display for Anniversary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.on {
            Recurring::Solar { month, day } => write!(f, "{month}-{day} {}", self.name),
            Recurring::Lunar { month, day, is_leap } => {
                let leap = if is_leap { "闰" } else { "" };
                write!(f, "农历{leap}{}{} {}", month_name(month), day_name(day), self.name)
            }
        }
    }
}

impl TryFrom<String> for Anniversary {
    type Error = String;
    fn try_from(line: String) -> Result<Self, String> {
        parse_line(line.trim())
    }
}

impl From<Anniversary> for String {
    fn from(anniversary: Anniversary) -> String {
        anniversary.to_string()
    }
}
