//! Gift cards 礼品卡: money that somebody pays for and whoever has the code takes into its balance, once and all of it. Until then
//! it is owed, on one account of the ledger. Times are epoch ms.
//!
//! A card names nobody, so it is worth no more than 1000 yuan and lasts three years, and its money does not end with it:
//! 单用途商业预付卡管理办法（试行） 第十八、十九条. What is over is good again when the shop says so.

use crate::coupon::Day;
use crate::ids::MemberId;
use crate::ledger::{Account, LedgerError, Posting, PostingKey};
use crate::money::Fen;
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
    Open,
    Redeemed,
    /// Its money was given back to its buyer.
    Refunded,
}

impl Stored {
    /// Each.
    pub const ALL: [Self; 4] = [Self::Unpaid, Self::Open, Self::Redeemed, Self::Refunded];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unpaid => "unpaid",
            Self::Open => "open",
            Self::Redeemed => "redeemed",
            Self::Refunded => "refunded",
        }
    }

    /// The state of a code.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }

    /// As people read it, of one that is good until a moment.
    pub fn name(self, expires_at: Option<i64>, now: i64) -> &'static str {
        match self {
            Self::Unpaid => "待付款",
            Self::Open if is_over(expires_at, now) => "已过期",
            Self::Open => "可兑换",
            Self::Redeemed => "已兑换",
            Self::Refunded => "已退款",
        }
    }
}

/// Whether a card's time is over.
pub fn is_over(expires_at: Option<i64>, now: i64) -> bool {
    expires_at.is_some_and(|at| at <= now)
}

/// Why a card gives nothing, as whoever typed it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRedeemed {
    #[error("{}", mistyped(*.0))]
    Mistyped(Mistyped),
    #[error("没有这张礼品卡，请核对卡号")]
    Unknown,
    #[error("您已经兑换过这张礼品卡，钱在您的余额里")]
    Own,
    #[error("这张礼品卡已经被兑换了。一张卡只能兑换一次，全部进余额")]
    Used,
    #[error("这张礼品卡已经退款，不能再兑换")]
    Refunded,
    #[error("这张礼品卡 {0} 过期了。卡里的钱还在，请联系本店重新激活")]
    Over(Day),
}

fn mistyped(mistyped: Mistyped) -> String {
    match mistyped {
        Mistyped::Empty => "请输入礼品卡的卡号".to_owned(),
        Mistyped::Length(length) => format!("卡号有 16 个字符，您输入了 {length} 个"),
        other => other.to_string(),
    }
}

/// Whether a member may redeem a card now: one that is open and not over.
///
/// # Errors
/// [`NotRedeemed`]: which of it is in the way.
pub fn may_redeem(
    state: Stored,
    expires_at: Option<i64>,
    by_oneself: bool,
    now: i64,
) -> Result<(), NotRedeemed> {
    match state {
        Stored::Unpaid => Err(NotRedeemed::Unknown),
        Stored::Redeemed if by_oneself => Err(NotRedeemed::Own),
        Stored::Redeemed => Err(NotRedeemed::Used),
        Stored::Refunded => Err(NotRedeemed::Refunded),
        Stored::Open => match expires_at.filter(|at| *at <= now) {
            Some(at) => Err(NotRedeemed::Over(Day(at))),
            None => Ok(()),
        },
    }
}

/// What moves a card's money, each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Its buyer pays for it from its balance.
    Sale,
    /// Somebody takes all of it.
    Redemption,
    /// All of it goes back to its buyer.
    Refund,
}

impl Move {
    /// The state that it leads from, and to.
    pub fn between(self) -> (Stored, Stored) {
        match self {
            Self::Sale => (Stored::Unpaid, Stored::Open),
            Self::Redemption => (Stored::Open, Stored::Redeemed),
            Self::Refund => (Stored::Open, Stored::Refunded),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Sale => "sale",
            Self::Redemption => "redemption",
            Self::Refund => "refund",
        }
    }

    /// Its posting, of a card and whoever pays or gets its money.
    ///
    /// # Errors
    /// An amount of nothing.
    pub fn posting(self, card: &str, member: &MemberId, amount: Fen) -> Result<Posting, LedgerError> {
        let key: PostingKey = format!("gift-card-{}:{card}", self.word()).parse()?;
        let own = Account::Member(member.clone());
        match self {
            Self::Sale => Posting::transfer(key, own, Account::GiftCards, amount),
            Self::Redemption | Self::Refund => Posting::transfer(key, Account::GiftCards, own, amount),
        }
    }
}
