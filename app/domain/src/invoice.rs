//! Invoices 发票: who one is made out to, for which orders, and the one table of its transitions.
//!
//! What an order costs and what of it was given back is the order's; this module only says what is left to invoice.

use std::fmt;
use std::str::FromStr;

use crate::money::Fen;
use crate::order_state::{Actor, OrderState};

mod credit_code;

pub use credit_code::{CreditCode, NotACreditCode};

use Actor::{Member, Staff, System};
use InvoiceState::*;

/// Characters that a title's name may have.
pub const MOST_NAME: usize = 100;

/// Who an invoice is made out to: 发票抬头.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Title {
    /// 个人: somebody's name, or just 个人.
    Personal { name: String },
    /// 企业, with what the tax office knows it by.
    Company { name: String, code: CreditCode },
}

impl Title {
    /// A company where there is a code.
    pub fn new(name: String, code: Option<CreditCode>) -> Self {
        match code {
            Some(code) => Self::Company { name, code },
            None => Self::Personal { name },
        }
    }

    /// The name on the invoice.
    pub fn name(&self) -> &str {
        match self {
            Self::Personal { name } | Self::Company { name, .. } => name,
        }
    }

    /// The company's code.
    pub fn code(&self) -> Option<&CreditCode> {
        match self {
            Self::Personal { .. } => None,
            Self::Company { code, .. } => Some(code),
        }
    }

    /// 个人 or 企业.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Personal { .. } => "个人",
            Self::Company { .. } => "企业",
        }
    }
}

/// Where an invoice stands. Stored as [`InvoiceState::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvoiceState {
    /// 申请中.
    Requested,
    /// 已开票: its file can be downloaded.
    Issued,
    /// 已撤销, by the member, or because nothing of the order is left to invoice.
    Cancelled,
    /// 未通过, with a reason that the member reads.
    Rejected,
    /// 已作废: a red invoice 红字发票 took it back.
    Voided,
}

/// An allowed transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    pub from: InvoiceState,
    pub to: InvoiceState,
    /// Who may make it.
    pub by: &'static [Actor],
}

const fn row(from: InvoiceState, to: InvoiceState, by: &'static [Actor]) -> Transition {
    Transition { from, to, by }
}

/// Every transition there is. Anything else is refused; asking again makes a new invoice.
pub const TRANSITIONS: [Transition; 4] = [
    row(Requested, Issued, &[Staff]),
    row(Requested, Cancelled, &[Member, System]),
    row(Requested, Rejected, &[Staff]),
    row(Issued, Voided, &[Staff]),
];

/// Why an invoice doesn't move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotMoved {
    /// It is in that state already. A repeated request is no failure.
    #[error("发票已是{0}")]
    AlreadyThere(InvoiceState),
    /// The table has no such transition.
    #[error("发票不能从{from}变为{to}")]
    NoSuchTransition { from: InvoiceState, to: InvoiceState },
    /// The transition is somebody else's.
    #[error("没有权限")]
    NotAllowed,
}

impl InvoiceState {
    /// Every state.
    pub const ALL: [Self; 5] = [Requested, Issued, Cancelled, Rejected, Voided];

    /// The state as it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Requested => "requested",
            Issued => "issued",
            Cancelled => "cancelled",
            Rejected => "rejected",
            Voided => "voided",
        }
    }

    /// The state as people read it.
    pub fn name(self) -> &'static str {
        match self {
            Requested => "申请中",
            Issued => "已开票",
            Cancelled => "已撤销",
            Rejected => "未通过",
            Voided => "已作废",
        }
    }

    /// Moves an invoice, or says why not. The member must be the invoice's own: that is the caller's to know.
    pub fn advance(self, to: Self, actor: Actor) -> Result<Self, NotMoved> {
        if self == to {
            return Err(NotMoved::AlreadyThere(to));
        }
        let row = TRANSITIONS
            .iter()
            .find(|row| row.from == self && row.to == to)
            .ok_or(NotMoved::NoSuchTransition { from: self, to })?;
        if row.by.contains(&actor) { Ok(to) } else { Err(NotMoved::NotAllowed) }
    }

    /// It stands for its order: no other may be asked for. An order has at most one such invoice.
    pub fn is_live(self) -> bool {
        matches!(self, Requested | Issued)
    }
}

/// The money of an invoice that was issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Issued {
    pub amount: Fen,
    /// What red invoices took back of it; no more than the amount.
    pub corrected: Fen,
    /// What is left of the thing that it is of.
    pub rest: Fen,
}

/// What a red invoice 红字发票 does to an issued one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Red {
    /// It takes back what was given back: the invoice stands for the rest.
    Part,
    /// It takes back all: the invoice is voided, and what is left may be invoiced anew.
    Whole,
}

impl Issued {
    /// What the invoice still stands for.
    pub fn stands_for(self) -> Fen {
        self.amount.minus(self.corrected).unwrap_or_default()
    }

    /// What of it is to be taken back, as it was given back: zero where it stands for what is left.
    pub fn to_take_back(self) -> Fen {
        self.stands_for().minus(self.rest).unwrap_or_default().max(Fen::ZERO)
    }

    /// What a red invoice over an amount does; none where no red invoice may have it. It is over what was given back, or over
    /// all that the invoice stands for.
    pub fn red(self, amount: Fen) -> Option<Red> {
        match amount {
            zero if zero <= Fen::ZERO => None,
            whole if whole == self.stands_for() => Some(Red::Whole),
            part if part == self.to_take_back() => Some(Red::Part),
            _ => None,
        }
    }
}

/// The Chinese name.
impl fmt::Display for InvoiceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no state's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no invoice state: {0}")]
pub struct UnknownState(String);

/// Reads [`InvoiceState::code`].
impl FromStr for InvoiceState {
    type Err = UnknownState;
    fn from_str(text: &str) -> Result<Self, UnknownState> {
        Self::ALL.into_iter().find(|state| state.code() == text).ok_or_else(|| UnknownState(text.to_owned()))
    }
}

/// Whether an order in this state is paid and stays so. One that is about to be refunded waits for how much is left.
pub fn is_invoiced(state: OrderState) -> bool {
    use OrderState::*;
    match state {
        Paid | InProduction | Shipped | Received | Completed | Reprint => true,
        Unpaid | Cancelled | Refunding | Refunded => false,
    }
}
