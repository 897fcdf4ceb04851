//! What the shop is told of: which events there are, who may hear of each, when mails leave that are joined, how often a
//! webhook is tried, and which day is summed up.

use time::{Date, PrimitiveDateTime};

use crate::staff::{Capability, Role, allows};

/// An event that the shop may hear of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An order was paid: there is something to make.
    OrderPaid,
    /// The day that was promised is over, and the order has not left.
    OrderLate,
    /// As the floor is planned, the order leaves after its promised day.
    OrderBehind,
    /// A member asks to cancel an order and for its money.
    RefundAsked,
    /// Money that was to go back to a provider did not.
    RefundFailed,
    InvoiceAsked,
    /// A reader reports what is published.
    Reported,
    /// A job failed too often to be tried again: a dead letter.
    JobFailed,
    /// The disk is nearly full.
    DiskLow,
    /// A webhook was ended, as its address has not taken anything for days.
    WebhookEnded,
}

impl Kind {
    /// Each, as they are listed.
    pub const ALL: [Self; 10] = [
        Self::OrderPaid,
        Self::OrderLate,
        Self::OrderBehind,
        Self::RefundAsked,
        Self::RefundFailed,
        Self::InvoiceAsked,
        Self::Reported,
        Self::JobFailed,
        Self::DiskLow,
        Self::WebhookEnded,
    ];

    /// The event's type, as it is stored and as webhooks say it. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::OrderPaid => "order.paid",
            Self::OrderLate => "order.late",
            Self::OrderBehind => "order.behind",
            Self::RefundAsked => "refund.asked",
            Self::RefundFailed => "refund.failed",
            Self::InvoiceAsked => "invoice.asked",
            Self::Reported => "report.made",
            Self::JobFailed => "job.failed",
            Self::DiskLow => "disk.low",
            Self::WebhookEnded => "webhook.ended",
        }
    }

    /// The event of a type; none where there is no such one.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// What a clerk reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::OrderPaid => "新订单（已付款）",
            Self::OrderLate => "订单过了交期",
            Self::OrderBehind => "订单赶不上交期",
            Self::RefundAsked => "会员申请取消、退款",
            Self::RefundFailed => "退款没有退成",
            Self::InvoiceAsked => "会员申请发票",
            Self::Reported => "读者举报",
            Self::JobFailed => "任务失败",
            Self::DiskLow => "磁盘快满了",
            Self::WebhookEnded => "推送地址停用",
        }
    }

    /// What the event is about, as a webhook's data names it.
    pub fn thing(self) -> &'static str {
        match self {
            Self::OrderPaid | Self::OrderLate | Self::OrderBehind | Self::RefundAsked => "order",
            Self::RefundFailed => "payment",
            Self::InvoiceAsked => "invoice",
            Self::Reported => "report",
            Self::JobFailed => "job",
            Self::DiskLow => "free",
            Self::WebhookEnded => "webhook",
        }
    }

    /// What somebody needs to hear of it: the same that opens the page it leads to.
    pub fn needs(self) -> Capability {
        match self {
            Self::OrderPaid | Self::OrderLate | Self::OrderBehind => Capability::SeeOrders,
            Self::RefundAsked => Capability::Refund,
            Self::RefundFailed => Capability::Payments,
            Self::InvoiceAsked => Capability::Invoices,
            Self::Reported => Capability::Reports,
            Self::JobFailed | Self::DiskLow => Capability::Machine,
            Self::WebhookEnded => Capability::Webhooks,
        }
    }
}

/// Kinds as they are stored: their types, a space between them.
pub fn write_kinds(kinds: &[Kind]) -> String {
    kinds.iter().map(|kind| kind.code()).collect::<Vec<_>>().join(" ")
}

/// Kinds as they were stored. Those that only another version knows are left out.
pub fn read_kinds(text: &str) -> Vec<Kind> {
    text.split_whitespace().filter_map(Kind::of).collect()
}

/// Whether somebody with these roles, who chose these kinds, is told of an event.
pub fn hears(roles: &[Role], chosen: &[Kind], kind: Kind) -> bool {
    chosen.contains(&kind) && allows(roles, kind.needs())
}

/// The least time between two mails to one clerk, in ms: what happens meanwhile is in the second one.
pub const APART_MS: i64 = 5 * 60_000;

/// When a mail may leave that is asked for now, epoch ms, behind the last one.
pub fn next_mail(last: i64, now: i64) -> i64 {
    now.max(last.saturating_add(APART_MS))
}

/// How long after a try of a webhook that failed the next one is made, in ms: ten tries within a day.
const PAUSES_MS: [i64; 9] = {
    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    [MINUTE / 6, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 10 * HOUR]
};

/// How long to wait after so many tries that failed, in ms; none where that was the last one.
pub fn pause_after(tries: i64) -> Option<i64> {
    let at = usize::try_from(tries.checked_sub(1)?).ok()?;
    PAUSES_MS.get(at).copied()
}

/// How long an address may take nothing before nothing is sent there any more, in ms.
pub const PATIENCE_MS: i64 = 3 * 24 * 60 * 60_000;

/// Whether an address is ended that has taken nothing since a moment.
pub fn is_given_up(failing_since: i64, now: i64) -> bool {
    now.saturating_sub(failing_since) >= PATIENCE_MS
}

/// The hour at which a day is summed up where the shop says none.
pub const SUMMARY_HOUR: u8 = 8;

/// The day that may be summed up now, in the shop's time: yesterday from the hour on, nothing before it.
pub fn day_to_sum_up(now: PrimitiveDateTime, hour: u8) -> Option<Date> {
    if now.hour() >= hour { now.date().previous_day() } else { None }
}
