//! The unified social credit code 统一社会信用代码 (GB 32100-2015): 18 characters, the last one a check of the others.

use std::fmt;
use std::str::FromStr;

use crate::typed::typed;

/// The characters in the order of their values 0 to 30; I, O, S, V and Z are left out (table 2 of the standard).
const ALPHABET: &[u8; 31] = b"0123456789ABCDEFGHJKLMNPQRTUWXY";
const LENGTH: usize = 18;

/// A code whose check character is right, in upper case without spaces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CreditCode(String);

/// Why a text is no such code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotACreditCode {
    /// Nothing was typed.
    #[error("请输入统一社会信用代码")]
    Missing,
    /// A character that no code has.
    #[error("统一社会信用代码里不会有“{0}”：只用数字和大写字母，不用 I、O、S、V、Z")]
    Character(char),
    /// Too short or too long; how many characters there are.
    #[error("统一社会信用代码是 18 位，这里有 {0} 位")]
    Length(usize),
    /// Some character was mistyped.
    #[error("统一社会信用代码的校验位不对，请逐位核对")]
    Check,
}

impl CreditCode {
    /// As it is stored and printed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The value of a character, 0 to 30.
fn value(character: char) -> Option<usize> {
    ALPHABET.iter().position(|known| char::from(*known) == character)
}

/// The 18th character for the values of the first 17: the weights are the powers of 3, modulo 31 (section 5 of the
/// standard).
fn check_character(values: &[usize]) -> char {
    let (sum, _) = values.iter().fold((0, 1), |(sum, weight), value| (sum + value * weight, weight * 3 % 31));
    char::from(ALPHABET[(31 - sum % 31) % 31])
}

/// Reads what somebody typed, as [`typed`]: lower case and spaces are no mistakes.
impl FromStr for CreditCode {
    type Err = NotACreditCode;
    fn from_str(text: &str) -> Result<Self, NotACreditCode> {
        let code = typed(text).replace(' ', "").to_ascii_uppercase();
        if code.is_empty() {
            return Err(NotACreditCode::Missing);
        }
        let mut values = Vec::new();
        for character in code.chars() {
            values.push(value(character).ok_or(NotACreditCode::Character(character))?);
        }
        if values.len() != LENGTH {
            return Err(NotACreditCode::Length(values.len()));
        }
        if !code.ends_with(check_character(&values[..LENGTH - 1])) {
            return Err(NotACreditCode::Check);
        }
        Ok(Self(code))
    }
}

impl fmt::Display for CreditCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
