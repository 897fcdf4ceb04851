//! Gift cards 礼品卡: money that somebody pays for, and that whoever has the code pays orders with, part by part to the last fen, or
//! takes into its balance. Until then it is owed, on one account of the ledger. Times are epoch ms.
//!
//! A card names nobody, so it is worth no more than 1000 yuan and lasts three years, and its money does not end with it:
//! 单用途商业预付卡管理办法（试行） 第十八、十九条. What is over is good again when the shop says so. Whoever uses it first has it from
//! then on: it names somebody then, and a card that does has no end (第十九条). What goes back of an order that it paid goes back
//! to the card (第二十条), before anything else gets any of it.

use crate::coupon::Day;
use crate::ids::MemberId;
use crate::ledger::{Account, LedgerError, Posting, PostingKey};
use crate::money::{Fen, MoneyError};
use crate::redeem_code::Mistyped;

/// What is offered.
pub const FACES: [Fen; 5] = [Fen(5_000), Fen(10_000), Fen(20_000), Fen(50_000), Fen(100_000)];
/// The least and the most that one is worth.
pub const AMOUNTS: (Fen, Fen) = (Fen(1_000), Fen(100_000));
/// How long one is good from its payment on, in ms: three years and a day.
pub const LIFE_MS: i64 = 1_097 * 24 * 60 * 60_000;
/// How much longer one that is over is good again, in ms: a year.
pub const LONGER_MS: i64 = 366 * 24 * 60 * 60_000;

/// Why an amount is none of a card's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAmount {
    #[error("请选一个面值，或者写一个金额")]
    Missing,
    #[error("金额写成 88 或 88.80 这样")]
    Unread,
    #[error("一张礼品卡在 {} 到 {} 元之间", AMOUNTS.0.grouped(), AMOUNTS.1.grouped())]
    Outside,
}

/// What somebody chose of the faces, or typed instead.
///
/// # Errors
/// [`NotAnAmount`].
pub fn read_amount(face: &str, typed: &str) -> Result<Fen, NotAnAmount> {
    let typed = Fen::read(typed).map_err(|_| NotAnAmount::Unread)?;
    let chosen = Fen::read(face).map_err(|_| NotAnAmount::Unread)?;
    let amount = typed.or(chosen).ok_or(NotAnAmount::Missing)?;
    if (AMOUNTS.0..=AMOUNTS.1).contains(&amount) { Ok(amount) } else { Err(NotAnAmount::Outside) }
}

/// Where a card stands, as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stored {
    Unpaid,
    /// Whoever has the code may use it.
    Open,
    /// It is in a member's account, who alone may use it.
    Held,
    /// It was put into a balance as a whole, as all cards were before they could pay orders.
    Redeemed,
    /// Its money was given back to its buyer.
    Refunded,
}

impl Stored {
    /// Each.
    pub const ALL: [Self; 5] = [Self::Unpaid, Self::Open, Self::Held, Self::Redeemed, Self::Refunded];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unpaid => "unpaid",
            Self::Open => "open",
            Self::Held => "held",
            Self::Redeemed => "redeemed",
            Self::Refunded => "refunded",
        }
    }

    /// The state of a code.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }

    /// As people read it, of one that is good until a moment and of whose worth so much is spent.
    pub fn name(self, expires_at: Option<i64>, (amount, spent): (Fen, Fen), now: i64) -> &'static str {
        match self {
            Self::Unpaid => "待付款",
            Self::Open if is_over(expires_at, now) => "已过期",
            Self::Open => "未使用",
            Self::Held if spent == Fen::ZERO => "已收下",
            Self::Held if spent == amount => "已用完",
            Self::Held => "使用中",
            Self::Redeemed => "已转入余额",
            Self::Refunded => "已退款",
        }
    }

    /// Whether what a card holds is owed to somebody.
    pub fn is_owed(self) -> bool {
        matches!(self, Self::Open | Self::Held)
    }
}

/// Whether a card's time is over.
pub fn is_over(expires_at: Option<i64>, now: i64) -> bool {
    expires_at.is_some_and(|at| at <= now)
}

/// Whose a card is, for a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    Nobodys,
    Own,
    Anothers,
}

impl Whose {
    /// The one of a card that somebody has, or nobody.
    pub fn of(holder: Option<&MemberId>, member: &MemberId) -> Self {
        match holder {
            None => Self::Nobodys,
            Some(holder) if holder == member => Self::Own,
            Some(_) => Self::Anothers,
        }
    }
}

/// Why a card gives nothing, as whoever typed it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("{}", mistyped(*.0))]
    Mistyped(Mistyped),
    #[error("没有这张礼品卡，请核对卡号")]
    Unknown,
    #[error("这张礼品卡已经在别人的账户里，不能再用")]
    Anothers,
    #[error("您已经把这张礼品卡转入余额，钱在您的余额里")]
    Redeemed,
    #[error("这张礼品卡已经退款作废，不能再用")]
    Refunded,
    #[error("这张礼品卡 {0} 过期了。卡里的钱还在，请联系本店重新激活")]
    Over(Day),
    #[error("这张礼品卡里没有钱了：已经用完，或者已经转入您的余额")]
    Empty,
    #[error("这张礼品卡里有 ¥{} 留给了您待付款的订单，请先付款，或者在付款页取下它", .0.grouped())]
    SetAside(Fen),
}

fn mistyped(mistyped: Mistyped) -> String {
    match mistyped {
        Mistyped::Empty => "请输入礼品卡的卡号".to_owned(),
        Mistyped::Length(length) => format!("卡号有 16 个字符，您输入了 {length} 个"),
        Mistyped::Character(wrong) => format!("卡号里没有“{wrong}”：容易看错的 0、1、O、I 都不用，请核对"),
        other => other.to_string(),
    }
}

/// Whether a member may use a card now: one that is nobody's and not over, or its own.
///
/// # Errors
/// [`Refused`]: which of it is in the way.
pub fn may_use(state: Stored, whose: Whose, expires_at: Option<i64>, now: i64) -> Result<(), Refused> {
    match (state, whose) {
        (Stored::Unpaid, _) => Err(Refused::Unknown),
        (Stored::Redeemed, Whose::Own) => Err(Refused::Redeemed),
        (Stored::Redeemed | Stored::Open | Stored::Held, Whose::Anothers) | (Stored::Redeemed, _) => {
            Err(Refused::Anothers)
        }
        (Stored::Refunded, _) => Err(Refused::Refunded),
        (Stored::Open | Stored::Held, _) => match expires_at.filter(|at| *at <= now) {
            Some(at) => Err(Refused::Over(Day(at))),
            None => Ok(()),
        },
    }
}

/// What a card pays of what is due: as much as is on it and not set aside for other orders.
///
/// # Errors
/// [`Refused::Empty`], [`Refused::SetAside`]: nothing.
pub fn pays(rest: Fen, set_aside: Fen, due: Fen) -> Result<Fen, Refused> {
    if rest <= Fen::ZERO {
        return Err(Refused::Empty);
    }
    let free = rest.minus(set_aside).unwrap_or_default();
    if free > Fen::ZERO { Ok(free.min(due)) } else { Err(Refused::SetAside(set_aside)) }
}

/// How an amount that goes back of an order is shared out over the cards that paid some of it: each gets what it paid and has not
/// got back, the first first; what no card paid is the balance's.
///
/// # Errors
/// Amounts that are none.
pub fn back(paid: &[Fen], amount: Fen) -> Result<(Vec<Fen>, Fen), MoneyError> {
    let mut left = amount;
    let mut shares = Vec::with_capacity(paid.len());
    for paid in paid {
        let share = left.min(*paid).max(Fen::ZERO);
        left = left.minus(share)?;
        shares.push(share);
    }
    Ok((shares, left))
}

/// What moves a whole card's money, each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Its buyer pays for it from its balance.
    Sale,
    /// All of it goes back to its buyer.
    Refund,
}

impl Move {
    /// The state that it leads from, and to.
    pub fn between(self) -> (Stored, Stored) {
        match self {
            Self::Sale => (Stored::Unpaid, Stored::Open),
            Self::Refund => (Stored::Open, Stored::Refunded),
        }
    }

    /// Its posting, of a card and its buyer.
    ///
    /// # Errors
    /// An amount of nothing.
    pub fn posting(self, card: &str, buyer: &MemberId, amount: Fen) -> Result<Posting, LedgerError> {
        match self {
            Self::Sale => {
                let key = format!("gift-card-sale:{card}").parse()?;
                Posting::transfer(key, Account::Member(buyer.clone()), Account::GiftCards, amount)
            }
            Self::Refund => into_balance(format!("gift-card-refund:{card}"), buyer, amount),
        }
    }
}

/// What is left on a card goes into its holder's balance, by the card's move of this number, from 1.
///
/// # Errors
/// An amount of nothing.
pub fn redemption(card: &str, number: i64, holder: &MemberId, amount: Fen) -> Result<Posting, LedgerError> {
    // as all were called that there was one of
    let key = match number {
        1 => format!("gift-card-redemption:{card}"),
        _ => format!("gift-card-redemption:{card}:{number}"),
    };
    into_balance(key, holder, amount)
}

/// What cards pay of an order goes into its member's balance, from which the order is paid.
///
/// # Errors
/// An amount of nothing.
pub fn payment(order: &str, member: &MemberId, amount: Fen) -> Result<Posting, LedgerError> {
    into_balance(format!("gift-card-payment:{order}"), member, amount)
}

/// What went back of an order to its member's balance goes on to the cards that had paid it.
///
/// # Errors
/// An amount of nothing.
pub fn returned(order: &str, refund: &str, member: &MemberId, amount: Fen) -> Result<Posting, LedgerError> {
    let key: PostingKey = format!("card-back:{order}:{refund}").parse()?;
    Posting::transfer(key, Account::Member(member.clone()), Account::GiftCards, amount)
}

fn into_balance(key: String, member: &MemberId, amount: Fen) -> Result<Posting, LedgerError> {
    Posting::transfer(key.parse()?, Account::GiftCards, Account::Member(member.clone()), amount)
}
