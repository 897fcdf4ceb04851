//! Redeem codes 兑换码: 15 random characters and one that tells whether the others were typed right (publishing page,
//! section 3), and the states of codes and of the batches that they are made in.

use std::fmt;
use std::str::FromStr;

use crate::typed::code;

/// The characters of a code: no 0 and O, no 1 and I.
pub const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// Random characters of a code: 75 bits.
pub const RANDOM: usize = 15;
/// All of its characters.
pub const LENGTH: usize = RANDOM + 1;
/// The most codes of one batch.
pub const MOST_OF_BATCH: u32 = 100_000;
/// The most codes of one seller that can still be redeemed, all batches together.
pub const MOST_OPEN: i64 = 1_000_000;
/// How long the file of a batch can be downloaded, in ms: seven days.
pub const FILE_LIFE_MS: i64 = 7 * 24 * 60 * 60_000;

/// A code that was typed right; whether it was ever given out is another question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RedeemCode([u8; LENGTH]);

/// Why a text is no code, as whoever typed it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Mistyped {
    #[error("请输入兑换码")]
    Empty,
    #[error("兑换码有 16 个字符，您输入了 {0} 个")]
    Length(usize),
    #[error("兑换码里没有“{0}”：容易看错的 0、1、O、I 都不用，请核对")]
    Character(char),
    #[error("有字符输错了，请逐个核对")]
    Check,
}

/// The product of a number of GF(32) and x, modulo x⁵ + x² + 1.
fn times_x(number: u8) -> u8 {
    let doubled = number << 1;
    if doubled & 0x20 == 0 { doubled } else { doubled ^ 0x25 }
}

/// What all characters of a code sum to, each with a weight of its own that is a power of x: zero for a code. A wrong
/// character changes it, and so does the swap of any two that differ, since no two weights are equal.
fn sum(numbers: &[u8]) -> u8 {
    numbers.iter().fold(0, |sum, number| times_x(sum) ^ number)
}

fn number_of(character: u8) -> Option<u8> {
    ALPHABET.iter().zip(0u8..).find_map(|(known, number)| (*known == character).then_some(number))
}

impl RedeemCode {
    /// The code of 15 numbers below 32, of each of which the lowest five bits count.
    pub fn of(random: [u8; RANDOM]) -> Self {
        let mut numbers = [0; LENGTH];
        for (number, random) in numbers.iter_mut().zip(random) {
            *number = random & 31;
        }
        // without the last character the sum is what that has to take away
        numbers[RANDOM] = sum(&numbers);
        Self(numbers.map(|number| ALPHABET[usize::from(number & 31)]))
    }

    /// The 16 characters without lines.
    pub fn plain(&self) -> String {
        self.0.iter().copied().map(char::from).collect()
    }

    /// The last four characters: enough for its owner to know it by.
    pub fn tail(&self) -> String {
        self.0[LENGTH - 4..].iter().copied().map(char::from).collect()
    }
}

/// `XXXX-XXXX-XXXX-XXXX`.
impl fmt::Display for RedeemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, character) in self.0.iter().enumerate() {
            if at > 0 && at % 4 == 0 {
                f.write_str("-")?;
            }
            write!(f, "{}", char::from(*character))?;
        }
        Ok(())
    }
}

/// Reads a code in any case and width, with or without lines and spaces.
impl FromStr for RedeemCode {
    type Err = Mistyped;
    fn from_str(text: &str) -> Result<Self, Mistyped> {
        let typed: Vec<char> =
            code(text).chars().filter(|c| *c != '_').map(|c| c.to_ascii_uppercase()).take(100).collect();
        if typed.is_empty() {
            return Err(Mistyped::Empty);
        }
        let mut numbers = Vec::with_capacity(LENGTH);
        for character in &typed {
            let number = u8::try_from(*character).ok().and_then(number_of);
            numbers.push(number.ok_or(Mistyped::Character(*character))?);
        }
        let numbers: [u8; LENGTH] = numbers.try_into().map_err(|_| Mistyped::Length(typed.len()))?;
        if sum(&numbers) != 0 {
            return Err(Mistyped::Check);
        }
        Ok(Self(numbers.map(|number| ALPHABET[usize::from(number)])))
    }
}

/// What a code is worth now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeState {
    Inactive,
    Usable,
    Redeemed,
    Void,
    Expired,
}

impl CodeState {
    /// Every state.
    pub const ALL: [Self; 5] = [Self::Inactive, Self::Usable, Self::Redeemed, Self::Void, Self::Expired];

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inactive => "未激活",
            Self::Usable => "可用",
            Self::Redeemed => "已兑换",
            Self::Void => "作废",
            Self::Expired => "过期",
        }
    }
}

/// What decides about the codes of a batch that nobody has redeemed. Times are epoch ms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BatchTimes {
    pub activated_at: Option<i64>,
    pub voided_at: Option<i64>,
    /// Codes can't be redeemed from this moment on.
    pub expires_at: Option<i64>,
}

/// Why a batch is not changed so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotChanged {
    #[error("这一批已经激活")]
    Active,
    #[error("这一批没有兑换的码已经作废")]
    Void,
    #[error("新的截止日期须晚于现在的截止日期")]
    NotLater,
    #[error("这一批没有截止日期，不需要延期")]
    Endless,
}

impl BatchTimes {
    /// The state of those codes.
    pub fn state(&self, now: i64) -> CodeState {
        if self.voided_at.is_some() {
            CodeState::Void
        } else if self.expires_at.is_some_and(|at| at <= now) {
            CodeState::Expired
        } else if self.activated_at.is_none() {
            CodeState::Inactive
        } else {
            CodeState::Usable
        }
    }

    /// From now on they can be redeemed.
    pub fn activate(&mut self, now: i64) -> Result<(), NotChanged> {
        match self.activated_at {
            _ if self.voided_at.is_some() => Err(NotChanged::Void),
            Some(_) => Err(NotChanged::Active),
            None => {
                self.activated_at = Some(now);
                Ok(())
            }
        }
    }

    /// From now on they can't be redeemed any more, for good.
    pub fn void(&mut self, now: i64) -> Result<(), NotChanged> {
        if self.voided_at.is_some() {
            return Err(NotChanged::Void);
        }
        self.voided_at = Some(now);
        Ok(())
    }

    /// They can be redeemed longer, also those that had expired.
    pub fn extend(&mut self, until: i64, now: i64) -> Result<(), NotChanged> {
        let before = self.expires_at.ok_or(NotChanged::Endless)?;
        if self.voided_at.is_some() {
            return Err(NotChanged::Void);
        }
        if until <= before.max(now) {
            return Err(NotChanged::NotLater);
        }
        self.expires_at = Some(until);
        Ok(())
    }
}
