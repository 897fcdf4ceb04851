//! How many copies.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::typed;

/// The smallest and the largest quantity (specification section 5).
pub const QUANTITY: std::ops::RangeInclusive<u32> = 1..=1_000_000;

/// A number of copies, 1 to 1,000,000 (specification section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Quantity(u32);

/// A text or number that is no [`Quantity`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("数量须为 1 到 1000000 的整数")]
pub struct NotAQuantity;

impl Quantity {
    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Quantity {
    type Error = NotAQuantity;
    fn try_from(count: u32) -> Result<Self, NotAQuantity> {
        if QUANTITY.contains(&count) { Ok(Self(count)) } else { Err(NotAQuantity) }
    }
}

impl Quantity {
    /// Reads what somebody typed, perhaps with what copies are counted in: `２`, `2 份`.
    pub fn read(text: &str) -> Result<Self, NotAQuantity> {
        typed::whole::<u32>(text, typed::COPIES).ok_or(NotAQuantity)?.try_into()
    }
}

/// Reads ASCII digits and nothing else: no sign, spaces, decimals or exponent.
impl FromStr for Quantity {
    type Err = NotAQuantity;
    fn from_str(text: &str) -> Result<Self, NotAQuantity> {
        // `u32::from_str` takes a leading `+`.
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(NotAQuantity);
        }
        text.parse::<u32>().map_err(|_| NotAQuantity)?.try_into()
    }
}

impl From<Quantity> for u32 {
    fn from(quantity: Quantity) -> u32 {
        quantity.0
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
