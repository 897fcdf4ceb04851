//! What goes back when some copies of an order's lines are refunded by themselves 按本退款.
//!
//! An order knows what each line cost with all its discounts, and what was paid for sending. A copy's part of its line is
//! reckoned from the first copy on, so that all copies of a line together are the line's total to the fen, however they
//! are refunded.

use std::collections::BTreeMap;

use crate::money::{Fen, MoneyError};
use crate::parcel::{Copies, sum};

/// A line of a paid order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// What all its copies cost, discounts taken off.
    pub total: Fen,
    pub copies: u32,
    /// Copies whose money went back.
    pub refunded: u32,
}

impl Line {
    /// Copies that are still paid for.
    pub fn left(self) -> u32 {
        self.copies.saturating_sub(self.refunded)
    }

    /// What so many of the copies that are left cost.
    ///
    /// # Errors
    /// A sum that is too large to be money.
    pub fn price(self, copies: u32) -> Result<Fen, MoneyError> {
        let upto = |count: u32| share(self.total, count, self.copies);
        upto(self.refunded.saturating_add(copies))?.minus(upto(self.refunded)?)
    }
}

/// What so many of all copies have of an amount, rounded down. All of them have all of it.
///
/// # Errors
/// A sum that is too large to be money.
pub fn share(amount: Fen, copies: u32, of: u32) -> Result<Fen, MoneyError> {
    Ok(amount.times(copies.min(of).into())?.divided_down(of.into()).unwrap_or_default())
}

/// What is known of an order's money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paid {
    /// By their numbers, from 1.
    pub lines: BTreeMap<i64, Line>,
    /// What of sending was not given back with copies.
    pub shipping: Fen,
    /// What of the whole payment was not given back.
    pub left: Fen,
}

/// What goes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Back {
    /// Of each line that is named.
    pub lines: BTreeMap<i64, Fen>,
    /// For sending; of the last copies all that is left.
    pub shipping: Fen,
    /// No copy is left: this ends the order.
    pub is_last: bool,
}

impl Back {
    /// All of it.
    ///
    /// # Errors
    /// A sum that is too large to be money.
    pub fn amount(&self) -> Result<Fen, MoneyError> {
        Fen::sum(self.lines.values().copied().chain([self.shipping]))
    }
}

/// Why nothing goes back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("请写要退几本")]
    Nothing,
    /// The line, how many of it are left.
    #[error("没有退过款的只有 {left} 本")]
    TooMany { line: i64, left: u32 },
    /// What is named cost nothing, or all that was paid has gone back.
    #[error("这几本没有可退的款项")]
    NoMoney,
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// What goes back for copies: their price, what was paid for sending where that is wished, and no more than is left. Of the
/// last copies of an order all that is left goes back.
///
/// # Errors
/// [`Problem`]: no copies, more of a line than are left (of a line that is none there are none), nothing to give.
pub fn reckon(paid: &Paid, copies: &Copies, with_shipping: bool) -> Result<Back, Problem> {
    let mut left = paid.left;
    let mut lines = BTreeMap::new();
    for (number, wanted) in copies.iter().filter(|(_, wanted)| **wanted > 0) {
        let line = paid.lines.get(number).copied();
        let line = line
            .filter(|line| *wanted <= line.left())
            .ok_or(Problem::TooMany { line: *number, left: line.map_or(0, Line::left) })?;
        let price = line.price(*wanted)?.min(left);
        left = left.minus(price)?;
        lines.insert(*number, price);
    }
    if lines.is_empty() {
        return Err(Problem::Nothing);
    }
    let taken = |number: &i64| copies.get(number).copied().unwrap_or(0);
    let is_last = paid.lines.iter().all(|(number, line)| line.left() == taken(number));
    let shipping = match (is_last, with_shipping) {
        (true, _) => left,
        (false, true) => paid.shipping.min(left),
        (false, false) => Fen::ZERO,
    };
    let back = Back { lines, shipping, is_last };
    if back.amount()? > Fen::ZERO { Ok(back) } else { Err(Problem::NoMoney) }
}

/// Which of the copies that are refunded were not sent yet, and need not be: those go first.
pub fn unsent_of(copies: &Copies, unsent: &Copies) -> Copies {
    let of = |(line, wanted): (&i64, &u32)| {
        let here = unsent.get(line).copied().unwrap_or(0).min(*wanted);
        (here > 0).then_some((*line, here))
    };
    copies.iter().filter_map(of).collect()
}

/// Copies that were refunded, as they were noted one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refunded {
    pub line: i64,
    pub copies: u32,
    /// How many of them had not been sent, and are not made.
    pub unmade: u32,
    /// How often the order had been printed again.
    pub round: i64,
    /// What of the refund is theirs.
    pub amount: Fen,
}

/// The copies of refunds together.
pub fn copies_of(refunded: &[Refunded]) -> Copies {
    together(refunded.iter().map(|one| (one.line, one.copies)))
}

/// Those of them that are not made, of some rounds.
pub fn unmade_of(refunded: &[Refunded], rounds: impl Fn(i64) -> bool) -> Copies {
    together(refunded.iter().filter(|one| rounds(one.round)).map(|one| (one.line, one.unmade)))
}

fn together(parts: impl Iterator<Item = (i64, u32)>) -> Copies {
    let parts: Vec<Copies> = parts.filter(|(_, copies)| *copies > 0).map(|part| [part].into()).collect();
    sum(&parts)
}
