//! Changing 换订 from terms that run to a longer one of the same seller: what is not used of them counts for it, whole, by the
//! day (publishing page, section 3).
//!
//! Each old term ends as one that is given back, and its rest is in the reader's balance for a moment, out of which the new one
//! is paid. So nothing is reckoned twice: what was earned of the old ones stays earned, and the new one is owed whole.

use crate::money::{Fen, MoneyError};
use crate::package::Term;

/// For how long a confirmed price holds, in ms: a week, as long as a bank transfer may take.
pub const PRICE_HOLDS_MS: i64 = 7 * crate::days::DAY_MS;

/// Whether a term that begins now is longer than another one that does.
pub fn is_longer(new: Term, old: Term, now: i64) -> bool {
    match (new.end(now), old.end(now)) {
        (None, old) => old.is_some(),
        (Some(new), Some(old)) => new > old,
        (Some(_), None) => false,
    }
}

/// Whether everything that one opens is opened by the other one, too. What opens nothing is no part of anything.
pub fn covers<T: PartialEq>(new: &[T], old: &[T]) -> bool {
    !old.is_empty() && old.iter().all(|item| new.contains(item))
}

/// What changing costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    /// Of the longer term.
    pub price: Fen,
    /// What is not used of the old ones.
    pub credit: Fen,
    /// What is to be paid.
    pub due: Fen,
    /// What goes back to the balance, where the credit is more than the price.
    pub back: Fen,
}

/// Reckons it.
pub fn quote(price: Fen, unused: impl IntoIterator<Item = Fen>) -> Result<Quote, MoneyError> {
    let credit = Fen::sum(unused)?;
    let due = price.minus(credit)?.max(Fen::ZERO);
    Ok(Quote { price, credit, due, back: credit.minus(price)?.max(Fen::ZERO) })
}

/// For how much the longer term is sold that was confirmed at a quote and is paid when only `credit` of the old ones is left.
/// The reader pays what it was shown; days that it read meanwhile were paid as days of the old ones.
pub fn sold_for(quote: Quote, credit: Fen) -> Result<Fen, MoneyError> {
    Ok(quote.due.plus(credit)?.min(quote.price))
}
