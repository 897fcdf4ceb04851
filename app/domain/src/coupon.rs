//! Coupons 优惠券: what one takes off the printing of an order, for what, for whom and how often.
//!
//! A coupon takes something off goods, never off sending, and never all of it: who orders pays at least [`LEAST_PAID`]. What it
//! takes off is shared out over the lines that it is for, so that each line of an order has a price that refunds and
//! invoices go by.

use std::fmt::{self, Display, Formatter};

use crate::days::local;
use crate::ids::GoodsId;
use crate::money::Fen;
use crate::redeem_code::{self, RedeemCode};
use crate::typed;

/// What the printing of an order costs at least, whatever is taken off.
pub const LEAST_PAID: Fen = Fen(1);
/// The most that a coupon of an amount takes off, and the largest sum that it asks for.
pub const MOST_AMOUNT: Fen = Fen(10_000_000);
/// The most times that a coupon is used, where that is bounded.
pub const MOST_USES: u32 = 1_000_000;
/// The most codes of one batch.
pub const MOST_CODES: u32 = 5_000;
/// Characters of a coupon's name.
pub const LONGEST_NAME: usize = 40;
/// Characters of a word that everybody may type. A code of a batch has more.
pub const WORD: std::ops::RangeInclusive<usize> = 4..=15;
/// How long a coupon is good, in ms: three years.
pub const LONGEST_MS: i64 = 3 * 366 * 24 * 60 * 60_000;

/// What a coupon takes off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Benefit {
    /// This much.
    Amount(Fen),
    /// So many hundredths, of which no more than a cap.
    Percent { off: u32, cap: Option<Fen> },
}

/// What a coupon is good for. It is never changed, only ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub benefit: Benefit,
    /// What the goods that it is for cost together at least.
    pub least: Fen,
    /// The goods that it is for; all where none is named.
    pub goods: Vec<GoodsId>,
    /// From when until before when it is good, epoch ms.
    pub from: i64,
    pub until: i64,
    /// Each member uses it once.
    pub once: bool,
    /// How often it is used by all together; for ever where there is no number.
    pub most: Option<u32>,
}

/// What is wrong with a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("减的金额须在 0.01 到 {} 元之间", MOST_AMOUNT.grouped())]
    Amount,
    #[error("减的百分比须是 1 到 99 的整数")]
    Percent,
    #[error("最多减的金额须在 0.01 到 {} 元之间", MOST_AMOUNT.grouped())]
    Cap,
    #[error("最低金额不能超过 {} 元", MOST_AMOUNT.grouped())]
    Least,
    #[error("最后一天不能早于第一天")]
    Order,
    #[error("最后一天已经过去了")]
    Past,
    #[error("有效期最长三年")]
    Long,
    #[error("次数须是 1 到 {MOST_USES} 的整数")]
    Uses,
}

impl Problem {
    /// The field of a form that it stands beside.
    pub fn field(self) -> &'static str {
        match self {
            Self::Amount => "amount",
            Self::Percent => "percent",
            Self::Cap => "cap",
            Self::Least => "least",
            Self::Order | Self::Past | Self::Long => "until",
            Self::Uses => "most",
        }
    }
}

/// What became of a coupon so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Who may make it alone made it, or another one agreed.
    pub agreed: bool,
    pub ended: bool,
    /// Orders that use it, those not counted that gave it back.
    pub used: u32,
    /// Those of them that are of whoever asks.
    pub by_member: u32,
    /// Of a batch: an order uses this very code.
    pub code_used: bool,
}

impl Default for Standing {
    fn default() -> Self {
        Self { agreed: true, ended: false, used: 0, by_member: 0, code_used: false }
    }
}

/// Why a coupon takes nothing off, as whoever typed it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("没有这个优惠码，请核对")]
    Unknown,
    #[error("有字符输错了，请逐个核对")]
    Mistyped,
    #[error("这个优惠码已经停用")]
    Ended,
    #[error("这个优惠码从 {0} 起才能用")]
    NotYet(Day),
    #[error("这个优惠码只到 {0} 为止，已经过期")]
    Over(Day),
    #[error("这个优惠码不能用于这次的商品")]
    Goods,
    #[error("能用这个优惠码的印刷要满 ¥{}，这次是 ¥{}", least.grouped(), here.grouped())]
    Least { least: Fen, here: Fen },
    #[error("您已经用过这个优惠码，每位会员只能用一次")]
    Before,
    #[error("这个优惠码已经被用完了")]
    AllUsed,
    #[error("这个优惠码已经用过了")]
    CodeUsed,
    #[error("这次的印刷只剩最低的 ¥{LEAST_PAID}，没有可减的了")]
    Nothing,
}

/// A day in China, of a moment in epoch ms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day(pub i64);

impl Display for Day {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", local(self.0).date())
    }
}

impl Refused {
    /// Whether what was typed is no code at all: tries at those are counted.
    pub fn is_a_guess(self) -> bool {
        matches!(self, Self::Unknown | Self::Mistyped)
    }
}

/// What somebody typed as a coupon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// A word that everybody may type, in capitals.
    Word(String),
    /// A code of a batch.
    Code(RedeemCode),
}

/// Reads what somebody typed as a coupon; `None` where that is nothing.
///
/// # Errors
/// [`Refused::Mistyped`] or [`Refused::Unknown`] for what can't be one.
pub fn read(text: &str) -> Result<Option<Typed>, Refused> {
    let plain = typed::code(text).to_ascii_uppercase();
    if plain.is_empty() {
        return Ok(None);
    }
    if is_word(&plain) {
        return Ok(Some(Typed::Word(plain)));
    }
    if plain.chars().count() == redeem_code::LENGTH {
        return plain.parse().map(Typed::Code).map(Some).map_err(|_| Refused::Mistyped);
    }
    Err(Refused::Unknown)
}

/// Whether a text is a word that everybody may type.
pub fn is_word(text: &str) -> bool {
    WORD.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// What a line of an order costs before.
#[derive(Debug, Clone, Copy)]
pub struct Priced<'a> {
    pub goods: &'a GoodsId,
    /// Its printing, without what its maker adds.
    pub price: Fen,
}

impl Rule {
    /// What is wrong with it at a moment, epoch ms.
    pub fn problems(&self, now: i64) -> Vec<Problem> {
        let is_amount = |amount: Fen| (Fen(1)..=MOST_AMOUNT).contains(&amount);
        let mut problems = Vec::new();
        match self.benefit {
            Benefit::Amount(amount) if !is_amount(amount) => problems.push(Problem::Amount),
            Benefit::Percent { off, .. } if !(1..=99).contains(&off) => problems.push(Problem::Percent),
            Benefit::Percent { cap: Some(cap), .. } if !is_amount(cap) => problems.push(Problem::Cap),
            _ => {}
        }
        if !(Fen::ZERO..=MOST_AMOUNT).contains(&self.least) {
            problems.push(Problem::Least);
        }
        if self.until <= self.from {
            problems.push(Problem::Order);
        } else if self.until <= now {
            problems.push(Problem::Past);
        } else if self.until - self.from.max(now) > LONGEST_MS {
            problems.push(Problem::Long);
        }
        if self.most.is_some_and(|most| !(1..=MOST_USES).contains(&most)) {
            problems.push(Problem::Uses);
        }
        problems
    }

    /// Whether it is good now for somebody, whatever is ordered.
    ///
    /// # Errors
    /// The first reason why not.
    pub fn check(&self, standing: Standing, now: i64) -> Result<(), Refused> {
        if !standing.agreed {
            // nobody was given it yet
            return Err(Refused::Unknown);
        }
        if standing.code_used {
            return Err(Refused::CodeUsed);
        }
        if standing.ended {
            return Err(Refused::Ended);
        }
        if now < self.from {
            return Err(Refused::NotYet(Day(self.from)));
        }
        if now >= self.until {
            return Err(Refused::Over(Day(self.until - 1)));
        }
        if self.once && standing.by_member > 0 {
            return Err(Refused::Before);
        }
        if self.most.is_some_and(|most| standing.used >= most) {
            return Err(Refused::AllUsed);
        }
        Ok(())
    }

    /// Whether it is for these goods.
    pub fn is_for(&self, goods: &GoodsId) -> bool {
        self.goods.is_empty() || self.goods.contains(goods)
    }

    /// What each line bears of what is taken off, in their order. Together that is what the rule says of their sum: an amount, or
    /// hundredths after which the price is rounded down to a whole 分 (specification section 9).
    ///
    /// # Errors
    /// None of the goods is one of its own, they cost too little, or there is nothing to take off.
    pub fn split(&self, lines: &[Priced<'_>]) -> Result<Vec<Fen>, Refused> {
        let wide = |amount: Fen| i128::from(amount.0.max(0));
        let shares: Vec<i128> =
            lines.iter().map(|line| if self.is_for(line.goods) { wide(line.price) } else { 0 }).collect();
        if !lines.iter().any(|line| self.is_for(line.goods)) {
            return Err(Refused::Goods);
        }
        let own: i128 = shares.iter().sum();
        let all: i128 = lines.iter().map(|line| wide(line.price)).sum();
        if own < wide(self.least) {
            let here = Fen(i64::try_from(own).unwrap_or(i64::MAX));
            return Err(Refused::Least { least: self.least, here });
        }
        let off = match self.benefit {
            Benefit::Amount(amount) => wide(amount),
            Benefit::Percent { off, cap } => {
                let kept = own * i128::from(100u32.saturating_sub(off)) / 100;
                let off = own - kept;
                cap.map_or(off, |cap| off.min(wide(cap)))
            }
        };
        let off = off.min(own).min(all - wide(LEAST_PAID));
        if off <= 0 {
            return Err(Refused::Nothing);
        }
        Ok(shared_out(off, &shares).into_iter().map(|part| Fen(i64::try_from(part).unwrap_or(0))).collect())
    }

    /// What it can take off of all orders together; `None` where nothing bounds that.
    pub fn most_given(&self) -> Option<Fen> {
        let each = match self.benefit {
            Benefit::Amount(amount) => amount,
            Benefit::Percent { cap, .. } => cap?,
        };
        each.times(self.most?.into()).ok()
    }
}

/// Shares an amount out by the largest remainder: in the proportion of the shares, of which none bears more than it is, and the
/// first of equal ones bears what is left.
fn shared_out(amount: i128, shares: &[i128]) -> Vec<i128> {
    let sum: i128 = shares.iter().sum::<i128>().max(1);
    let mut parts: Vec<i128> = shares.iter().map(|share| amount * share / sum).collect();
    let mut by_rest: Vec<usize> = (0..shares.len()).collect();
    by_rest.sort_by_key(|index| std::cmp::Reverse(amount * shares[*index] % sum));
    let left = usize::try_from(amount - parts.iter().sum::<i128>()).unwrap_or(0);
    for index in by_rest.into_iter().take(left) {
        parts[index] += 1;
    }
    parts
}

/// As members read it: `满 ¥100.00 减 ¥20.00`, `85 折，最多减 ¥50.00`.
impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.least > Fen::ZERO {
            write!(f, "满 ¥{} ", self.least.grouped())?;
        }
        match self.benefit {
            Benefit::Amount(amount) => write!(f, "减 ¥{}", amount.grouped()),
            Benefit::Percent { off, cap } => {
                let left = 100u32.saturating_sub(off);
                let tenths = match (left % 10, left) {
                    (0, _) => (left / 10).to_string(),
                    (_, 0..10) => format!("0.{left}"),
                    _ => left.to_string(),
                };
                write!(f, "{tenths} 折")?;
                cap.map_or(Ok(()), |cap| write!(f, "，最多减 ¥{}", cap.grouped()))
            }
        }
    }
}

/// What an order keeps of the coupon that it used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The coupon's id.
    pub coupon: String,
    /// As it was typed; of a code of a batch only its end.
    pub code: String,
    /// The rule in words.
    pub rule: String,
    /// What it took off all lines together.
    pub amount: Fen,
}

/// How a code of a batch is shown where it must not be read off.
pub fn veiled(code: &RedeemCode) -> String {
    format!("尾号 {}", code.tail())
}
