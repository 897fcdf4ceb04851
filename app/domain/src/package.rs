//! Packages 套餐: what is sold for a term, and how terms follow one another (publishing page, section 3). Times are epoch ms;
//! days and months are China's.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

use time::{Date, Duration, Month};

use crate::days::{DAY_MS, local};
use crate::money::Fen;
use crate::typed;

/// The least and the most that a package may cost: ¥1.00, which is the least that can be paid from outside, and ¥50,000.
pub const PRICES: (Fen, Fen) = (Fen(100), Fen(5_000_000));
/// The most days of a term.
pub const MOST_DAYS: u32 = 3_650;
/// The most months of a term.
pub const MOST_MONTHS: u32 = 120;
/// The most pages that can be read before buying.
pub const MOST_TRIAL_PAGES: u32 = 100;
/// The most works and titles of one package.
pub const MOST_CONTENTS: usize = 200;
/// The most packages of one seller, those that are sold no more among them.
pub const MOST_PACKAGES: usize = 300;

/// For how long a package opens what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    Days(u32),
    /// By the calendar: from a day to the same day of a later month, or to its last one.
    Months(u32),
    Forever,
}

/// Why a term is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotATerm {
    #[error("请选择阅读期限")]
    Unknown,
    #[error("天数须是 1 到 {MOST_DAYS} 之间的整数")]
    Days,
    #[error("月数须是 1 到 {MOST_MONTHS} 之间的整数")]
    Months,
}

/// Why a price is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAPrice {
    #[error("请输入价格")]
    Missing,
    #[error("价格须是数字，最多两位小数，例如 88 或 88.50")]
    NotAnAmount,
    #[error("价格须在 ¥{} 到 ¥{} 之间", PRICES.0.grouped(), PRICES.1.grouped())]
    Outside,
}

/// Reads a price that somebody typed.
pub fn read_price(text: &str) -> Result<Fen, NotAPrice> {
    let price = Fen::read(text).map_err(|_| NotAPrice::NotAnAmount)?.ok_or(NotAPrice::Missing)?;
    if (PRICES.0..=PRICES.1).contains(&price) { Ok(price) } else { Err(NotAPrice::Outside) }
}

impl Term {
    /// A term from its word and its number, as it is stored or typed.
    pub fn read(unit: &str, count: &str) -> Result<Self, NotATerm> {
        let within = |most: u32, units: &[&str]| {
            typed::whole::<u32>(count, units).filter(|count| (1..=most).contains(count))
        };
        match unit {
            "days" => within(MOST_DAYS, &["天", "日"]).map(Self::Days).ok_or(NotATerm::Days),
            "months" => within(MOST_MONTHS, &["个月", "月"]).map(Self::Months).ok_or(NotATerm::Months),
            "forever" => Ok(Self::Forever),
            _ => Err(NotATerm::Unknown),
        }
    }

    /// The word of the unit. Never changes.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Days(_) => "days",
            Self::Months(_) => "months",
            Self::Forever => "forever",
        }
    }

    /// How many of them; nothing for ever.
    pub fn count(self) -> u32 {
        match self {
            Self::Days(count) | Self::Months(count) => count,
            Self::Forever => 0,
        }
    }

    /// When a term that begins then is over; `None` for ever. It is a whole number of days long, since China's days all are.
    pub fn end(self, from: i64) -> Option<i64> {
        match self {
            Self::Days(days) => Some(from.saturating_add(i64::from(days) * DAY_MS)),
            Self::Months(months) => {
                let begin = local(from).date();
                let days = (months_later(begin, months) - begin).whole_days();
                Some(from.saturating_add(days * DAY_MS))
            }
            Self::Forever => None,
        }
    }
}

/// The same day of a later month, or its last one where it has fewer.
fn months_later(date: Date, months: u32) -> Date {
    let at = i64::from(date.year()) * 12 + i64::from(u8::from(date.month()) - 1) + i64::from(months);
    let year = i32::try_from(at.div_euclid(12)).unwrap_or(i32::MAX);
    let month = u8::try_from(at.rem_euclid(12) + 1).ok().and_then(|month| Month::try_from(month).ok());
    let Some(month) = month else { return date };
    let day = date.day().min(month.length(year));
    // past the year 9999 there is no date: thirty days a month will do
    Date::from_calendar_date(year, month, day)
        .unwrap_or_else(|_| date.saturating_add(Duration::days(i64::from(months) * 30)))
}

/// `30 天`, `12 个月`, `长期`.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(f, "{days} 天"),
            Self::Months(months) => write!(f, "{months} 个月"),
            Self::Forever => f.write_str("长期"),
        }
    }
}

/// A time in which a reader may read something; without an end it is for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub from: i64,
    pub until: Option<i64>,
}

/// When a reader's right is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    At(i64),
    Forever,
}

impl Until {
    /// The moment; none for ever.
    pub fn moment(self) -> Option<i64> {
        match self {
            Self::At(at) => Some(at),
            Self::Forever => None,
        }
    }
}

impl From<Option<i64>> for Until {
    fn from(until: Option<i64>) -> Self {
        until.map_or(Self::Forever, Self::At)
    }
}

/// A reader's rights to one thing as they are used: in the order of their beginnings, each from where the one before it ends.
/// So none that was got while another one runs is lost, however it was got.
pub fn in_turn(rights: &[Span]) -> Vec<Span> {
    let rights = in_turn_each(rights.iter().map(|span| (*span, ())).collect());
    rights.into_iter().map(|(span, ())| span).collect()
}

/// The same of rights with what is known of each.
pub fn in_turn_each<T>(mut rights: Vec<(Span, T)>) -> Vec<(Span, T)> {
    rights.sort_by_key(|(span, _)| span.from);
    let mut reached = i64::MIN;
    for (span, _) in &mut rights {
        let from = span.from.max(reached);
        let until = span.until.map(|until| from.saturating_add(until - span.from));
        reached = until.unwrap_or(i64::MAX);
        *span = Span { from, until };
    }
    rights
}

/// When a reader's rights run where some of them have just ended: those that follow move up, so that no gap is left, and what
/// has begun stays where it is. They come in the order in which they were given, each with what it opens.
pub fn moved_up<T: Eq + Hash + Clone>(rights: &[(Span, Vec<T>)], now: i64) -> Vec<Span> {
    let mut rights_to: HashMap<&T, Vec<Span>> = HashMap::new();
    let mut moved = Vec::new();
    for (span, items) in rights {
        let mut span = *span;
        if span.from > now {
            let before: Vec<_> =
                items.iter().map(|item| rights_to.get(item).cloned().unwrap_or_default()).collect();
            let from = next_start_of_any(&before, now).map_or(span.from, |from| from.min(span.from));
            span = Span { from, until: span.until.map(|until| until - (span.from - from)) };
        }
        for item in items {
            rights_to.entry(item).or_default().push(span);
        }
        moved.push(span);
    }
    moved
}

/// A right that ends now. Of what was for ever everything went back, and no day was used.
pub fn ended(span: Span, now: i64) -> Span {
    let from = span.from.min(now);
    Span { from, until: Some(if span.until.is_none() { from } else { now }) }
}

/// Until when a reader may read without a break, `None` when not even now.
pub fn runs_until(spans: &[Span], now: i64) -> Option<Until> {
    let mut until = None;
    let mut reached = now;
    // each round goes one span further; no more rounds than spans are needed
    for _ in spans {
        let touching = spans.iter().filter(|span| span.from <= reached).map(|span| Until::from(span.until));
        match touching.max() {
            Some(Until::Forever) => return Some(Until::Forever),
            Some(Until::At(at)) if at > reached => {
                reached = at;
                until = Some(Until::At(at));
            }
            _ => break,
        }
    }
    until
}

/// When a further term begins: now, or where the last one ends that runs or is to come. `None` where one runs for ever,
/// to which nothing can be added.
pub fn next_start(spans: &[Span], now: i64) -> Option<i64> {
    spans.iter().try_fold(now, |start, span| span.until.map(|until| start.max(until)))
}

/// When a further term of several things begins: where the reader's right to the first of them ends. `None` where all are
/// the reader's for ever, to which nothing can be added.
pub fn next_start_of_any(rights_to_each: &[Vec<Span>], now: i64) -> Option<i64> {
    rights_to_each.iter().filter_map(|rights| next_start(&in_turn(rights), now)).min()
}
