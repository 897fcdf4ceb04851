//! Gifts 送给别人: a sale whose reader is whoever has its code. It is paid when it is given and earned from when somebody takes
//! it; until then all of it is owed, without an end, and its giver may take it back. Times are epoch ms; days are China's.

use std::str::FromStr;

use crate::days::{DAY_MS, day_start};
use crate::sale::SaleState;
use crate::typed;

/// Characters of the words that go with a gift.
pub const WORDS_LENGTH: usize = 200;
/// Characters of a name, its giver's and its receiver's.
pub const NAME_LENGTH: usize = 20;
/// How many days ahead the day may be on which a gift is sent.
pub const MOST_AHEAD_DAYS: i64 = 366;
/// The hour of its day at which a gift is sent, in China.
const HOUR: i64 = 9;
/// The least time between two messages of a gift, in ms.
pub const APART_MS: i64 = 10 * 60_000;
/// The most messages of one gift.
pub const MOST_SENT: i64 = 5;

/// How a gift comes to who gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// By a message to an e-mail address.
    Mail,
    /// On a card that the giver prints.
    Card,
}

impl Way {
    /// Each, as they are offered.
    pub const ALL: [Self; 2] = [Self::Mail, Self::Card];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Card => "card",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mail => "发到邮箱",
            Self::Card => "打印贺卡",
        }
    }
}

/// A word that is no way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("请选择怎么送")]
pub struct UnknownWay;

impl FromStr for Way {
    type Err = UnknownWay;
    fn from_str(text: &str) -> Result<Self, UnknownWay> {
        Self::ALL.into_iter().find(|way| way.code() == text).ok_or(UnknownWay)
    }
}

/// Where a gift stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GiftState {
    Unpaid,
    /// Its message leaves on a day to come.
    Waiting,
    /// Whoever has its code may take it.
    Open,
    Taken,
    /// Its money was given back before anybody took it.
    Back,
}

impl GiftState {
    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unpaid => "待付款",
            Self::Waiting => "待寄出",
            Self::Open => "待领取",
            Self::Taken => "已领取",
            Self::Back => "已收回",
        }
    }

    /// Whether somebody may take it, and its giver take it back.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Waiting | Self::Open)
    }
}

/// What decides about a gift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gift {
    pub way: Way,
    pub sale: SaleState,
    pub taken_at: Option<i64>,
    /// When its message leaves; none for one that leaves with the payment.
    pub send_at: Option<i64>,
    /// Messages that left, and when the last one did.
    pub sent: i64,
    pub sent_at: Option<i64>,
}

/// Why no further message leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    #[error("这份礼物是打印的贺卡，没有邮箱可发")]
    Card,
    #[error("这份礼物已经被领取，或者已经收回")]
    Closed,
    #[error("刚刚才发过，请过十分钟再发")]
    JustNow,
    #[error("这份礼物已经发过 {MOST_SENT} 次；可以把链接直接发给对方")]
    Often,
}

impl Gift {
    /// Where it stands.
    pub fn state(&self, now: i64) -> GiftState {
        if self.taken_at.is_some() {
            return GiftState::Taken;
        }
        match self.sale {
            SaleState::Unpaid => GiftState::Unpaid,
            SaleState::Refunded => GiftState::Back,
            SaleState::Paid if self.sent == 0 && self.send_at.is_some_and(|at| now < at) => {
                GiftState::Waiting
            }
            SaleState::Paid => GiftState::Open,
        }
    }

    /// Whether its message may leave now, the first one or another: one that waits for its day may be sent before it.
    pub fn may_send(&self, now: i64) -> Result<(), NotSent> {
        if self.way == Way::Card {
            return Err(NotSent::Card);
        }
        if !self.state(now).is_open() {
            return Err(NotSent::Closed);
        }
        if self.sent >= MOST_SENT {
            return Err(NotSent::Often);
        }
        if self.sent_at.is_some_and(|at| now < at.saturating_add(APART_MS)) {
            return Err(NotSent::JustNow);
        }
        Ok(())
    }
}

/// Why a day is none on which a gift may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotADay {
    #[error("日期写成 2026-11-23 这样")]
    Unread,
    #[error("寄出的日期不能早于今天")]
    Past,
    #[error("寄出的日期最晚是一年以后")]
    TooFar,
}

/// When a gift leaves that is to be sent on a day that somebody typed: at nine in the morning. `None` for at once: nothing
/// was typed, or today.
pub fn read_day(text: &str, now: i64) -> Result<Option<i64>, NotADay> {
    let text = typed::day(text);
    if text.is_empty() {
        return Ok(None);
    }
    let day = day_start(&text).ok_or(NotADay::Unread)?;
    if day + DAY_MS <= now {
        Err(NotADay::Past)
    } else if day <= now {
        Ok(None)
    } else if day > now + MOST_AHEAD_DAYS * DAY_MS {
        Err(NotADay::TooFar)
    } else {
        Ok(Some(day + HOUR * DAY_MS / 24))
    }
}

/// Whether words hold what may lead somewhere: a gift's message goes to whatever address its giver typed, and no stranger is
/// sent a link by it. A letter or digit, a dot and a letter are a host to who looks for one, whatever they are written in.
pub fn leads_elsewhere(words: &str) -> bool {
    const ENDINGS: [&str; 9] = [".com", ".cn", ".net", ".org", ".top", ".xyz", ".cc", ".vip", ".shop"];
    let narrow = |c: char| match c {
        '。' | '｡' => '.',
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c.to_ascii_lowercase(),
    };
    let read: Vec<char> = words.chars().filter(|c| !typed::is_ignorable(*c)).map(narrow).collect();
    let is_host = read
        .windows(3)
        .any(|part| part[0].is_ascii_alphanumeric() && part[1] == '.' && part[2].is_ascii_alphabetic());
    let plain: String = read.iter().filter(|c| !c.is_whitespace()).flat_map(|c| c.to_lowercase()).collect();
    is_host
        || plain.contains("://")
        || plain.contains("www.")
        || ENDINGS.iter().any(|ending| plain.contains(ending))
}
