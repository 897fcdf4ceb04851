//! Whether what a bill says fits what is known here.

use super::{Entry, Standing};
use crate::money::Fen;
use crate::payment::{PaymentState, RefundState};

/// How a bill and what is known here differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Difference {
    /// The same money more than once.
    Twice,
    /// One side says that it moved, the other does not.
    State,
    Amount,
    /// The numbers that the two sides know it by do not belong together.
    Number,
    /// Here it moved, and the bill does not have it.
    OursOnly,
    /// The bill has it, and nobody here knows it.
    TheirsOnly,
}

impl Difference {
    pub const ALL: [Self; 6] =
        [Self::Twice, Self::State, Self::Amount, Self::Number, Self::OursOnly, Self::TheirsOnly];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Twice => "twice",
            Self::State => "state",
            Self::Amount => "amount",
            Self::Number => "number",
            Self::OursOnly => "ours",
            Self::TheirsOnly => "theirs",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Twice => "重复付款",
            Self::State => "状态不一致",
            Self::Amount => "金额不一致",
            Self::Number => "单号不一致",
            Self::OursOnly => "本店有，账单没有",
            Self::TheirsOnly => "账单有，本店没有",
        }
    }

    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|difference| difference.code() == code)
    }
}

/// A payment as it is known here, by the number that the bill names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OurPayment {
    pub amount: Fen,
    pub state: PaymentState,
    /// The provider's number, when the money is here.
    pub number: Option<String>,
}

/// A refund as it is known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OurRefund {
    /// Of which payment.
    pub payment: String,
    pub amount: Fen,
    pub state: RefundState,
}

/// How a line of a payment differs; `again` where an earlier line was of the same payment, or its order was paid by another
/// payment, too.
pub fn of_payment(entry: &Entry, ours: Option<&OurPayment>, again: bool) -> Option<Difference> {
    let Some(ours) = ours else { return Some(Difference::TheirsOnly) };
    if again {
        Some(Difference::Twice)
    } else if ours.state != PaymentState::Paid {
        Some(Difference::State)
    } else if ours.amount != entry.amount {
        Some(Difference::Amount)
    } else if ours.number.as_ref().is_some_and(|number| *number != entry.number) {
        Some(Difference::Number)
    } else {
        None
    }
}

/// How a line of a refund differs. A bill says how it stood when it was made: what was on its way then may have ended since.
pub fn of_refund(entry: &Entry, ours: Option<&OurRefund>, again: bool) -> Option<Difference> {
    let Some(ours) = ours else { return Some(Difference::TheirsOnly) };
    let fits = match entry.standing {
        Standing::Done => ours.state == RefundState::Done,
        Standing::Waiting => ours.state != RefundState::Failed,
        Standing::Failed => ours.state == RefundState::Failed,
    };
    if again {
        Some(Difference::Twice)
    } else if !fits {
        Some(Difference::State)
    } else if ours.amount != entry.amount {
        Some(Difference::Amount)
    } else if ours.payment != entry.payment {
        Some(Difference::Number)
    } else {
        None
    }
}
