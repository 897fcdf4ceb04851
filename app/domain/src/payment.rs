//! Paying from outside: the ways, how much at once, and what becomes of an attempt (product page, section 3, "Money").

use std::fmt;
use std::str::FromStr;

use crate::days::DAY_MS;
use crate::money::Fen;

/// The least that one payment may be: ¥1.00.
pub const LEAST: Fen = Fen(100);
/// What the recharge page offers: ¥50, ¥100, ¥200, ¥500, ¥1,000.
pub const PRESETS: [Fen; 5] = [Fen(5_000), Fen(10_000), Fen(20_000), Fen(50_000), Fen(100_000)];
/// How many payments a member may have begun and not finished at once.
pub const MOST_OPEN: i64 = 20;

const MINUTE_MS: i64 = 60_000;

/// A way to pay from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// WeChat Pay Native: a QR code.
    Wechat,
    /// Alipay page pay.
    Alipay,
    /// A bank transfer 对公转账 with a reference, confirmed by the operator.
    Transfer,
    /// Nobody pays anything: what a demo offers in the place of a provider.
    Demo,
}

/// What became of an attempt to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentState {
    /// Nothing has arrived yet.
    Pending,
    /// The money is here.
    Paid,
    /// Nothing arrived in time.
    Closed,
}

/// What becomes of money on its way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundState {
    /// Set aside and asked for.
    Pending,
    /// It has left.
    Done,
    /// It could not leave and is in the balance again.
    Failed,
}

/// Every way.
pub const METHODS: [Method; 4] = [Method::Wechat, Method::Alipay, Method::Transfer, Method::Demo];

/// Every move of a payment that there is. Money that arrives after the end is money all the same.
pub const TRANSITIONS: [(PaymentState, PaymentState); 3] = [
    (PaymentState::Pending, PaymentState::Paid),
    (PaymentState::Pending, PaymentState::Closed),
    (PaymentState::Closed, PaymentState::Paid),
];

/// Every move of money on its way back. Neither end is ever left.
pub const REFUND_TRANSITIONS: [(RefundState, RefundState); 2] =
    [(RefundState::Pending, RefundState::Done), (RefundState::Pending, RefundState::Failed)];

/// A text that is none of the words it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown word: {0}")]
pub struct UnknownWord(String);

/// Why an amount can't be paid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmountProblem {
    #[error("请输入金额")]
    Missing,
    #[error("金额须是数字，最多两位小数，例如 88 或 88.50")]
    NotAnAmount,
    #[error("单笔至少 ¥{}", LEAST.grouped())]
    TooSmall,
    #[error("{way}单笔最多 ¥{most}", way = .0, most = .0.most().grouped())]
    TooLarge(Method),
}

macro_rules! words {
    ($type:ident { $($variant:ident => $code:literal, $name:literal;)+ }) => {
        impl $type {
            /// As it is stored. Never changes.
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// As people read it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }

        /// Reads the stored word.
        impl FromStr for $type {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text {
                    $($code => Ok(Self::$variant),)+
                    other => Err(UnknownWord(other.to_owned())),
                }
            }
        }

        /// The Chinese name.
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

words!(Method {
    Wechat => "wechat", "微信支付";
    Alipay => "alipay", "支付宝";
    Transfer => "transfer", "对公转账";
    Demo => "demo", "演示付款";
});
words!(PaymentState {
    Pending => "pending", "待付款";
    Paid => "paid", "已付款";
    Closed => "closed", "已关闭";
});
words!(RefundState {
    Pending => "pending", "退回中";
    Done => "done", "已退回";
    Failed => "failed", "未能退回";
});

impl Method {
    /// How long a payment begun so waits for its money, in ms: half an hour at a provider (a WeChat code is good for
    /// two hours), seven days for a bank.
    pub fn life_ms(self) -> i64 {
        match self {
            Self::Wechat | Self::Alipay | Self::Demo => 30 * MINUTE_MS,
            Self::Transfer => 7 * DAY_MS,
        }
    }
}

impl Method {
    /// The most that one recharge may be. Payers' banks have limits of their own below it.
    pub fn most(self) -> Fen {
        match self {
            // ¥50,000
            Self::Wechat | Self::Alipay | Self::Demo => Fen(5_000_000),
            // ¥1,000,000
            Self::Transfer => Fen(100_000_000),
        }
    }

    /// Whether a recharge of this amount is possible this way.
    pub fn check(self, amount: Fen) -> Result<Fen, AmountProblem> {
        if amount < LEAST {
            Err(AmountProblem::TooSmall)
        } else if amount > self.most() {
            Err(AmountProblem::TooLarge(self))
        } else {
            Ok(amount)
        }
    }
}

impl PaymentState {
    /// Whether a payment may become this.
    pub fn may_become(self, to: Self) -> bool {
        TRANSITIONS.contains(&(self, to))
    }
}

impl RefundState {
    /// Whether money on its way back may become this.
    pub fn may_become(self, to: Self) -> bool {
        REFUND_TRANSITIONS.contains(&(self, to))
    }
}

/// When a payment is asked about next, without anybody asking for it: a minute after it began, then each time after
/// as long as it has waited, and at its end. Epoch ms.
pub fn next_question(created_at: i64, expires_at: i64, now: i64) -> i64 {
    let waited = now.saturating_sub(created_at).max(MINUTE_MS);
    now.saturating_add(waited).min(expires_at.max(now))
}

/// How long a refund may be at a provider before somebody looks after it, in ms.
pub const HANGS_AFTER_MS: i64 = DAY_MS;
/// How many tries of a refund may fail, one behind the other, before somebody looks after it.
pub const HANGS_AFTER_TROUBLES: i64 = 3;

/// Whether a refund that a provider has to send hangs, so that somebody has to look after it: asked for long ago, or tried in
/// vain again and again. A provider that is away for a minute needs nobody.
pub fn hangs(created_at: i64, troubles: i64, now: i64) -> bool {
    troubles >= HANGS_AFTER_TROUBLES || created_at < now.saturating_sub(HANGS_AFTER_MS)
}

/// How something is paid that no money came from outside for, as it is stored beside the ways' codes: from the balance, or
/// with what is left of what was bought before.
pub const FROM_BALANCE: &str = "balance";
pub const FROM_CREDIT: &str = "credit";
/// The same of a sale that took the place of terms worth as much.
pub const FROM_TERMS: &str = "terms";

/// How something was paid, for people; nothing where it is not paid.
pub fn way_name(way: Option<&str>) -> &'static str {
    match way {
        Some(FROM_BALANCE) => "余额",
        Some(FROM_CREDIT) => "全部由原会员抵扣",
        Some(FROM_TERMS) => "全部由原来的期限折抵",
        Some(way) => way.parse::<Method>().map_or("", Method::name),
        None => "",
    }
}

/// Reads an amount that somebody typed, of at least [`LEAST`].
pub fn read_amount(text: &str) -> Result<Fen, AmountProblem> {
    let amount = read_any_amount(text)?;
    if amount < LEAST { Err(AmountProblem::TooSmall) } else { Ok(amount) }
}

/// Reads an amount that somebody typed, of whatever size.
pub fn read_any_amount(text: &str) -> Result<Fen, AmountProblem> {
    Fen::read(text).map_err(|_| AmountProblem::NotAnAmount)?.ok_or(AmountProblem::Missing)
}

/// How much of a payment can still be sent back: what was paid, less what was sent or is on its way, and never more
/// than the member has. Nothing where there is nothing left.
pub fn refundable(paid: Fen, sent: Fen, balance: Fen) -> Fen {
    let left = Fen(paid.0.saturating_sub(sent.0).max(0));
    left.min(Fen(balance.0.max(0)))
}
