//! Sales of packages and of single works: what is earned when, what of it is the house's, and what can be given back
//! (publishing page, section 3).
//!
//! What a reader paid is owed to it until it is earned: at once where it reads for ever, else day by day in whole 分,
//! with the remainder on the last day. The fee is a rate of what is earned so far, so that it ends as the rate of the
//! whole amount, and of a sale that was given back in part as the rate of the part that was kept.

use std::str::FromStr;

use rust_decimal::RoundingStrategy;

use crate::days::DAY_MS;
use crate::money::{Fen, MoneyError, Rate};
use crate::package::Span;

/// What became of a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SaleState {
    Unpaid,
    Paid,
    /// What was not used was given back.
    Refunded,
}

/// Every move of a sale that there is.
pub const TRANSITIONS: [(SaleState, SaleState); 2] =
    [(SaleState::Unpaid, SaleState::Paid), (SaleState::Paid, SaleState::Refunded)];

/// A word that is no state of a sale.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown state of a sale: {0}")]
pub struct UnknownState(String);

impl SaleState {
    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unpaid => "unpaid",
            Self::Paid => "paid",
            Self::Refunded => "refunded",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unpaid => "待付款",
            Self::Paid => "已付款",
            Self::Refunded => "已退款",
        }
    }

    /// Whether a sale may become this.
    pub fn may_become(self, to: Self) -> bool {
        TRANSITIONS.contains(&(self, to))
    }
}

impl FromStr for SaleState {
    type Err = UnknownState;
    fn from_str(text: &str) -> Result<Self, UnknownState> {
        [Self::Unpaid, Self::Paid, Self::Refunded]
            .into_iter()
            .find(|state| state.code() == text)
            .ok_or_else(|| UnknownState(text.to_owned()))
    }
}

/// The money of a sale that was paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Earning {
    pub amount: Fen,
    /// The house's share of what is earned.
    pub rate: Rate,
    /// What it is earned over; none of a gift that nobody has taken, of which nothing is earned.
    pub span: Option<Span>,
    /// What is earned so far, the fee in it.
    pub earned: Fen,
    /// What was given back; nothing is earned any more afterwards.
    pub refunded: Fen,
}

/// What was earned since somebody looked last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Step {
    /// What the house keeps.
    pub fee: Fen,
    /// What the seller gets.
    pub income: Fen,
}

/// What is given back of a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refund {
    /// What was earned before.
    pub step: Step,
    /// What was earned and is no more.
    pub taken_back: Step,
    /// What the reader gets.
    pub rest: Fen,
}

/// Why nothing is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRefunded {
    #[error("这一单还没有付款")]
    Unpaid,
    #[error("这一单已经退过款")]
    Before,
    #[error("这一单的期限已经用完，没有可退的余款")]
    UsedUp,
}

/// The house's part of an amount: the rate of it, half a 分 rounded up.
pub fn fee(amount: Fen, rate: Rate) -> Result<Fen, MoneyError> {
    let yuan = amount.to_yuan().checked_mul(rate.value()).ok_or(MoneyError::TooLarge)?;
    Fen::from_yuan_down(yuan.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero))
}

/// Over how many days something is earned; `None` where it is at once.
fn days(span: Span) -> Option<i64> {
    span.until.map(|until| ((until - span.from) / DAY_MS).max(1))
}

impl Earning {
    /// What is earned by then of the whole amount, if nothing is given back.
    pub fn due(&self, now: i64) -> Fen {
        let Some(span) = self.span else { return Fen::ZERO };
        let Some(days) = days(span) else { return self.amount };
        let passed = (now - span.from).max(0) / DAY_MS;
        if passed >= days { self.amount } else { Fen(self.amount.0 / days * passed) }
    }

    /// What is still owed to the reader.
    pub fn owed(&self) -> Result<Fen, MoneyError> {
        self.amount.minus(self.earned)?.minus(self.refunded)
    }

    /// The house's part of what is earned so far.
    pub fn fee(&self) -> Result<Fen, MoneyError> {
        fee(self.earned, self.rate)
    }

    /// The seller's part of what is earned so far.
    pub fn income(&self) -> Result<Fen, MoneyError> {
        self.earned.minus(self.fee()?)
    }

    /// Earns what is due by now. Days that nobody looked at are caught up with; time that goes back takes nothing.
    pub fn catch_up(&mut self, now: i64) -> Result<Step, MoneyError> {
        if self.refunded > Fen::ZERO {
            return Ok(Step::default());
        }
        let (fee, income) = (self.fee()?, self.income()?);
        self.earned = self.earned.max(self.due(now));
        Ok(Step { fee: self.fee()?.minus(fee)?, income: self.income()?.minus(income)? })
    }

    /// When there is more to earn; `None` when there is nothing any more.
    pub fn next_at(&self, now: i64) -> Option<i64> {
        let span = self.span?;
        let days = days(span)?;
        if self.earned >= self.amount || self.refunded > Fen::ZERO {
            return None;
        }
        let passed = (now - span.from).max(-1).div_euclid(DAY_MS).max(0);
        Some(span.from + (passed + 1).min(days) * DAY_MS)
    }

    /// Gives back what is not used; of what is read for ever, which was earned at once, everything.
    pub fn refund(&mut self, now: i64) -> Result<Refund, NotRefunded> {
        if self.refunded > Fen::ZERO {
            return Err(NotRefunded::Before);
        }
        let mut after = *self;
        let counted = |error: MoneyError| {
            debug_assert!(false, "{error}");
            NotRefunded::UsedUp
        };
        let step = after.catch_up(now).map_err(counted)?;
        let mut taken_back = Step::default();
        if self.span.is_some_and(|span| span.until.is_none()) {
            taken_back =
                Step { fee: after.fee().map_err(counted)?, income: after.income().map_err(counted)? };
            after.earned = Fen::ZERO;
        }
        let rest = after.owed().map_err(counted)?;
        if rest <= Fen::ZERO {
            return Err(NotRefunded::UsedUp);
        }
        after.refunded = rest;
        *self = after;
        Ok(Refund { step, taken_back, rest })
    }
}

impl Step {
    /// What was earned altogether.
    pub fn sum(self) -> Result<Fen, MoneyError> {
        self.fee.plus(self.income)
    }
}
