//! The states of an order and the one table of its transitions (product page, section 3, "Cart, orders,
//! delivery"). What a transition moves in money is in [`crate::ledger`].

use crate::days::DAY_MS;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use Actor::{Member, Staff, System};
use OrderState::*;

const MINUTE_MS: i64 = 60 * 1000;

/// How long after its payment a member may cancel an order by itself, in milliseconds: 60 minutes. Its production
/// begins after them.
pub const SELF_CANCEL_MS: i64 = 60 * MINUTE_MS;
/// How long an order waits for its payment: a bank transfer over a holiday arrives in time.
pub const UNPAID_MS: i64 = 7 * DAY_MS;
/// How long after it was sent an order counts as received, unless the member says so before.
pub const RECEIPT_MS: i64 = 15 * DAY_MS;
/// How long after its receipt an order is complete: what is wrong with it shows in a week.
pub const COMPLETION_MS: i64 = 7 * DAY_MS;

/// Where an order stands. Stored and sent as [`OrderState::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderState {
    /// 待付款.
    Unpaid,
    /// 已付款.
    Paid,
    /// 生产中.
    InProduction,
    /// 已发货.
    Shipped,
    /// 已收货.
    Received,
    /// 已完成.
    Completed,
    /// 已取消. Money that was paid went back.
    Cancelled,
    /// 退款中.
    Refunding,
    /// 已退款.
    Refunded,
    /// 重印.
    Reprint,
}

/// Who asks for a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Actor {
    /// The member whose order it is.
    Member,
    /// An operator.
    Staff,
    /// Bindery itself: a payment notification, a deadline.
    System,
}

/// An allowed transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    pub from: OrderState,
    pub to: OrderState,
    /// Who may make it.
    pub by: &'static [Actor],
    pub when: When,
}

/// When a transition may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Always,
    /// By the member within [`SELF_CANCEL_MS`] of the payment; by others always.
    WithinSelfCancel,
    /// By anybody only after [`SELF_CANCEL_MS`]: what the member may still cancel is not begun.
    AfterSelfCancel,
}

/// When things happened, in epoch milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// `None` while nothing is paid.
    pub paid_at: Option<i64>,
    pub now: i64,
}

/// Why an order doesn't move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotMoved {
    /// It is in that state already. A repeated request is no failure: whoever asked has what it asked for.
    #[error("订单已是{0}")]
    AlreadyThere(OrderState),
    /// The table has no such transition.
    #[error("订单不能从{from}变为{to}")]
    NoSuchTransition { from: OrderState, to: OrderState },
    /// The transition is somebody else's.
    #[error("没有权限")]
    NotAllowed,
    /// A member's 60 minutes are over.
    #[error("付款已超过 60 分钟，不能自行取消，可以申请取消")]
    TooLate,
    /// A member's 60 minutes are still running.
    #[error("付款后 60 分钟内会员可以取消，还不能开始生产")]
    TooEarly,
}

const fn row(from: OrderState, to: OrderState, by: &'static [Actor]) -> Transition {
    Transition { from, to, by, when: When::Always }
}

/// Every transition there is. Anything else is refused.
pub const TRANSITIONS: [Transition; 19] = [
    row(Unpaid, Paid, &[Member, Staff, System]),
    row(Unpaid, Cancelled, &[Member, Staff, System]),
    Transition { from: Paid, to: Cancelled, by: &[Member, Staff], when: When::WithinSelfCancel },
    Transition { from: Paid, to: InProduction, by: &[Staff, System], when: When::AfterSelfCancel },
    row(Paid, Refunding, &[Staff]),
    row(InProduction, Shipped, &[Staff]),
    row(InProduction, Refunding, &[Staff]),
    row(Shipped, Received, &[Member, Staff, System]),
    row(Shipped, Refunding, &[Staff]),
    row(Shipped, Reprint, &[Staff]),
    row(Received, Completed, &[Member, Staff, System]),
    row(Received, Refunding, &[Staff]),
    row(Received, Reprint, &[Staff]),
    row(Completed, Refunding, &[Staff]),
    row(Completed, Reprint, &[Staff]),
    row(Refunding, Refunded, &[Staff, System]),
    row(Reprint, InProduction, &[Staff, System]),
    row(Reprint, Shipped, &[Staff]),
    row(Reprint, Refunding, &[Staff]),
];

impl OrderState {
    /// Every state, in the order an order goes through them.
    pub const ALL: [Self; 10] =
        [Unpaid, Paid, InProduction, Shipped, Received, Completed, Cancelled, Refunding, Refunded, Reprint];

    /// The state as it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Unpaid => "unpaid",
            Paid => "paid",
            InProduction => "in_production",
            Shipped => "shipped",
            Received => "received",
            Completed => "completed",
            Cancelled => "cancelled",
            Refunding => "refunding",
            Refunded => "refunded",
            Reprint => "reprint",
        }
    }

    /// The state as people read it.
    pub fn name(self) -> &'static str {
        match self {
            Unpaid => "待付款",
            Paid => "已付款",
            InProduction => "生产中",
            Shipped => "已发货",
            Received => "已收货",
            Completed => "已完成",
            Cancelled => "已取消",
            Refunding => "退款中",
            Refunded => "已退款",
            Reprint => "重印",
        }
    }

    /// Moves an order, or says why not. The member must be the order's own: that is the caller's to know.
    pub fn advance(self, to: Self, actor: Actor, times: Times) -> Result<Self, NotMoved> {
        if self == to {
            return Err(NotMoved::AlreadyThere(to));
        }
        let row = TRANSITIONS
            .iter()
            .find(|row| row.from == self && row.to == to)
            .ok_or(NotMoved::NoSuchTransition { from: self, to })?;
        if !row.by.contains(&actor) {
            return Err(NotMoved::NotAllowed);
        }
        match row.when {
            When::WithinSelfCancel if actor == Member && !times.self_cancel_open() => Err(NotMoved::TooLate),
            When::AfterSelfCancel if times.self_cancel_open() => Err(NotMoved::TooEarly),
            _ => Ok(to),
        }
    }

    /// Where an actor may move the order now: what a page offers.
    pub fn next(self, actor: Actor, times: Times) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |&to| self.advance(to, actor, times).is_ok())
    }

    /// How long an order may stay in the state, in ms, and where it goes then by itself.
    pub fn deadline(self) -> Option<(i64, Self)> {
        match self {
            Unpaid => Some((UNPAID_MS, Cancelled)),
            Shipped => Some((RECEIPT_MS, Received)),
            Received => Some((COMPLETION_MS, Completed)),
            _ => None,
        }
    }

    /// Whether money was paid for it and not all given back.
    pub fn is_paid_for(self) -> bool {
        !matches!(self, Unpaid | Cancelled | Refunded)
    }

    /// Whether nobody waits for anything any more: it is complete, or its money is back. The operator may still give back
    /// money or print again, as a complaint demands.
    pub fn is_ended(self) -> bool {
        matches!(self, Completed | Cancelled | Refunded)
    }

    /// Nothing leads out of the state.
    pub fn is_final(self) -> bool {
        TRANSITIONS.iter().all(|row| row.from != self)
    }
}

impl Times {
    /// Whether a member's 60 minutes are still running; the last millisecond counts.
    pub fn self_cancel_open(self) -> bool {
        self.paid_at.is_some_and(|paid_at| self.now.saturating_sub(paid_at) <= SELF_CANCEL_MS)
    }
}

/// The Chinese name.
impl fmt::Display for OrderState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no state's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no order state: {0}")]
pub struct UnknownState(String);

/// Reads [`OrderState::code`].
impl FromStr for OrderState {
    type Err = UnknownState;
    fn from_str(text: &str) -> Result<Self, UnknownState> {
        Self::ALL.into_iter().find(|state| state.code() == text).ok_or_else(|| UnknownState(text.to_owned()))
    }
}
