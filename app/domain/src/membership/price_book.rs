//! What the tiers cost, as the host writes it.

use serde::{Deserialize, Serialize};

use super::{MONTHS, SOLD};
use crate::days::day_start;
use crate::money::Fen;
use crate::package::PRICES;
use crate::tier::Tier;

/// What every tier costs for every number of months, from a day on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceBook {
    /// The first day of China on which it counts, `2026-11-21`.
    pub valid_from: String,
    pub prices: Vec<Price>,
}

/// One price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub tier: Tier,
    pub months: u32,
    /// In yuan.
    pub price: Fen,
}

/// What is wrong with a price book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotABook {
    #[error("valid_from: {0:?} is no day such as 2026-11-21")]
    Day(String),
    #[error("{tier}, {months} months: no such thing is sold")]
    Unknown { tier: Tier, months: u32 },
    #[error("{tier}, {months} months: a price is missing")]
    Missing { tier: Tier, months: u32 },
    #[error("{tier}, {months} months: there are two prices")]
    Twice { tier: Tier, months: u32 },
    #[error("{tier}, {months} months: {price} is not from {} to {}", PRICES.0, PRICES.1)]
    Outside { tier: Tier, months: u32, price: Fen },
    #[error("{tier}: {months} months cost less than fewer of them")]
    LongerIsCheaper { tier: Tier, months: u32 },
    #[error("{tier}: {months} months cost no more than those of the tier below it")]
    HigherIsCheaper { tier: Tier, months: u32 },
}

impl PriceBook {
    /// When it begins to count, epoch ms.
    pub fn starts_at(&self) -> Option<i64> {
        day_start(&self.valid_from)
    }

    /// What a tier costs for so many months.
    pub fn price(&self, tier: Tier, months: u32) -> Option<Fen> {
        self.prices.iter().find(|price| price.tier == tier && price.months == months).map(|price| price.price)
    }

    /// Whether every tier has one price for every number of months, longer never costs less, and higher always more.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn validate(&self) -> Result<(), Vec<NotABook>> {
        let mut wrong = Vec::new();
        if self.starts_at().is_none() {
            wrong.push(NotABook::Day(self.valid_from.clone()));
        }
        for Price { tier, months, price } in self.prices.iter().cloned() {
            if !SOLD.contains(&tier) || !MONTHS.contains(&months) {
                wrong.push(NotABook::Unknown { tier, months });
            } else if !(PRICES.0..=PRICES.1).contains(&price) {
                wrong.push(NotABook::Outside { tier, months, price });
            }
        }
        let mut below: Option<Tier> = None;
        for tier in SOLD {
            let mut shorter = Fen::ZERO;
            for months in MONTHS {
                let of = |price: &&Price| price.tier == tier && price.months == months;
                if self.prices.iter().filter(of).count() > 1 {
                    wrong.push(NotABook::Twice { tier, months });
                }
                let Some(price) = self.price(tier, months) else {
                    wrong.push(NotABook::Missing { tier, months });
                    continue;
                };
                if price < shorter {
                    wrong.push(NotABook::LongerIsCheaper { tier, months });
                }
                if below.and_then(|below| self.price(below, months)).is_some_and(|lower| price <= lower) {
                    wrong.push(NotABook::HigherIsCheaper { tier, months });
                }
                shorter = price;
            }
            below = Some(tier);
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}
