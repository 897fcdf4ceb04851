//! The states of an order and the one table of its transitions (product page, section 3, "Cart, orders,
//! delivery"). What a transition moves in money is in [`crate::ledger`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use Actor::{Member, Staff, System};
use OrderState::*;

/// How long after its payment a member may cancel an order by itself, in milliseconds: 60 minutes.
pub const SELF_CANCEL_MS: i64 = 60 * 60 * 1000;

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
    /// A member may make it only within [`SELF_CANCEL_MS`] of the payment. Nobody else is bound by it.
    pub within_self_cancel: bool,
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
    #[error("付款已超过 60 分钟，不能自行取消，请联系客服")]
    TooLate,
}

const fn row(from: OrderState, to: OrderState, by: &'static [Actor]) -> Transition {
    Transition { from, to, by, within_self_cancel: false }
}

/// Every transition there is. Anything else is refused.
pub const TRANSITIONS: [Transition; 21] = [
    row(Unpaid, Paid, &[Member, Staff, System]),
    row(Unpaid, Cancelled, &[Member, Staff, System]),
    Transition { from: Paid, to: Cancelled, by: &[Member, Staff], within_self_cancel: true },
    row(Paid, InProduction, &[Staff, System]),
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
    // A refund that was opened by mistake, or withdrawn, gives the order back to whoever works on it.
    row(Refunding, InProduction, &[Staff]),
    row(Refunding, Completed, &[Staff]),
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
        if row.within_self_cancel && actor == Member && !self_cancel_open(times) {
            return Err(NotMoved::TooLate);
        }
        Ok(to)
    }

    /// Where an actor may move the order now: what a page offers.
    pub fn next(self, actor: Actor, times: Times) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |&to| self.advance(to, actor, times).is_ok())
    }

    /// Nothing leads out of the state.
    pub fn is_final(self) -> bool {
        TRANSITIONS.iter().all(|row| row.from != self)
    }
}

/// Whether a member's 60 minutes are still running; the last millisecond counts.
fn self_cancel_open(times: Times) -> bool {
    times.paid_at.is_some_and(|paid_at| times.now.saturating_sub(paid_at) <= SELF_CANCEL_MS)
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
