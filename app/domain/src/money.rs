//! Money in 分 (1/100 yuan), exact. Floating point never touches an amount.

use std::fmt;
use std::str::FromStr;

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};

use crate::typed::{typed, ungrouped};

/// A signed amount in 分. As text, in JSON and in TOML it is yuan with two decimals: `"1234.50"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fen(pub i64);

/// An amount that can't be held or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// The result lies outside ±92,233,720,368,547,758.07 yuan.
    #[error("金额超出范围")]
    TooLarge,
    /// The text is no amount in yuan with at most two decimals.
    #[error("金额格式不正确：{0}")]
    NotAnAmount(String),
}

impl Fen {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// `self + other`.
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        self.0.checked_add(other.0).map(Self).ok_or(MoneyError::TooLarge)
    }

    /// `self − other`.
    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        self.0.checked_sub(other.0).map(Self).ok_or(MoneyError::TooLarge)
    }

    /// `self × times`.
    pub fn times(self, times: u64) -> Result<Self, MoneyError> {
        let times = i64::try_from(times).map_err(|_| MoneyError::TooLarge)?;
        self.0.checked_mul(times).map(Self).ok_or(MoneyError::TooLarge)
    }

    /// `−self`.
    pub fn negated(self) -> Result<Self, MoneyError> {
        self.0.checked_neg().map(Self).ok_or(MoneyError::TooLarge)
    }

    /// `self ÷ parts`, rounded down to a whole 分 (specification section 9). `None` for no parts.
    pub fn divided_down(self, parts: u64) -> Option<Self> {
        let parts = i64::try_from(parts).ok()?;
        self.0.checked_div_euclid(parts).map(Self)
    }

    /// The sum of amounts.
    pub fn sum(amounts: impl IntoIterator<Item = Self>) -> Result<Self, MoneyError> {
        amounts.into_iter().try_fold(Self::ZERO, Self::plus)
    }

    /// Less than nothing.
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The amount in yuan, with two decimals.
    pub fn to_yuan(self) -> Decimal {
        Decimal::new(self.0, 2)
    }

    /// An amount in yuan, rounded down to two decimals (specification section 9); below zero it is rounded
    /// away from zero, which is down as well.
    pub fn from_yuan_down(yuan: Decimal) -> Result<Self, MoneyError> {
        let down = yuan.round_dp_with_strategy(2, RoundingStrategy::ToNegativeInfinity);
        let fen = down.checked_mul(Decimal::ONE_HUNDRED).ok_or(MoneyError::TooLarge)?;
        fen.to_i64().map(Self).ok_or(MoneyError::TooLarge)
    }

    /// Reads what somebody typed, as [`typed`]: `1,000`, `1，000.50`, `¥100`, `100 元`. Nothing where nothing was typed; what is
    /// no amount with at most two decimals is refused.
    pub fn read(text: &str) -> Result<Option<Self>, MoneyError> {
        let wrong = || MoneyError::NotAnAmount(text.to_owned());
        let plain = typed(text);
        let bare = ["¥", "RMB", "CNY"].iter().find_map(|sign| plain.strip_prefix(sign)).unwrap_or(&plain);
        let bare = bare.strip_suffix(['元', '圆']).unwrap_or(bare).trim();
        if bare.is_empty() {
            return Ok(None);
        }
        let (sign, digits) = bare.strip_prefix('-').map_or(("", bare), |rest| ("-", rest));
        let (whole, decimals) = match digits.split_once(['.', '。']) {
            Some((whole, decimals)) => (whole, format!(".{decimals}")),
            None => (digits, String::new()),
        };
        let whole = ungrouped(whole).ok_or_else(wrong)?;
        format!("{sign}{whole}{decimals}").parse().map(Some)
    }

    /// The amount for a screen, with commas between thousands: `1,234.50`.
    pub fn grouped(self) -> String {
        let plain = self.to_string();
        let (sign, digits) = plain.strip_prefix('-').map_or(("", plain.as_str()), |rest| ("-", rest));
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "00"));
        let mut grouped = String::from(sign);
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        format!("{grouped}.{decimals}")
    }
}

/// The amount as calls carry it, without separators: `1234.50`.
impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        let fen = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", fen / 100, fen % 100)
    }
}

/// Reads what programs write: `12`, `12.3`, `12.34` and the same with a leading `-`. Nothing else: no `+`, spaces, commas,
/// exponents or third decimals. What people type is for [`Fen::read`].
impl FromStr for Fen {
    type Err = MoneyError;
    fn from_str(text: &str) -> Result<Self, MoneyError> {
        let wrong = || MoneyError::NotAnAmount(text.to_owned());
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, decimals) = match digits.split_once('.') {
            Some((whole, decimals)) if (1..=2).contains(&decimals.len()) => (whole, decimals),
            Some(_) => return Err(wrong()),
            None => (digits, ""),
        };
        if whole.is_empty() || !whole.bytes().chain(decimals.bytes()).all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        let sign = if negative { "-" } else { "" };
        format!("{sign}{whole}{decimals:0<2}").parse().map(Self).map_err(|_| MoneyError::TooLarge)
    }
}

impl TryFrom<String> for Fen {
    type Error = MoneyError;
    fn try_from(text: String) -> Result<Self, MoneyError> {
        text.parse()
    }
}

impl From<Fen> for String {
    fn from(amount: Fen) -> String {
        amount.to_string()
    }
}

/// A share of a price that is taken off: 0 ≤ rate < 1, at most four decimals. As text: `"0.05"`.
///
/// Four decimals keep every combination of two rates exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate(Decimal);

/// A text that is no [`Rate`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("折扣须不小于 0、小于 1，至多四位小数：{0}")]
pub struct NotARate(String);

impl Rate {
    /// No discount.
    pub const NONE: Self = Self(Decimal::ZERO);

    /// The rate as a number.
    pub fn value(self) -> Decimal {
        self.0
    }

    /// What is left to pay: 1 − rate.
    pub fn remaining(self) -> Decimal {
        Decimal::ONE - self.0
    }

    /// No discount at all.
    pub fn is_none(self) -> bool {
        self.0.is_zero()
    }
}

impl FromStr for Rate {
    type Err = NotARate;
    fn from_str(text: &str) -> Result<Self, NotARate> {
        let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let rate = Decimal::from_str_exact(text).ok().filter(|_| plain).map(|rate| rate.normalize());
        match rate {
            Some(rate) if rate < Decimal::ONE && rate.scale() <= 4 => Ok(Self(rate)),
            _ => Err(NotARate(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Rate {
    type Error = NotARate;
    fn try_from(text: String) -> Result<Self, NotARate> {
        text.parse()
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> String {
        rate.0.to_string()
    }
}

/// The rate without needless zeros: `0.05`, `0`.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
