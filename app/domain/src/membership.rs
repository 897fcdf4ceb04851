//! Memberships 会员: what runs, what a further term costs, what is counted from the tier that it takes the place of, and until
//! when (publishing page, section 4). Times are epoch ms; days and months are China's.
//!
//! Terms of one tier follow one another in a [`Run`] without a gap. A higher tier ends the run below it: what was paid for
//! its days that have not begun counts for the new one, whole.

mod price_book;

use std::str::FromStr;

use crate::days::DAY_MS;
use crate::money::{Fen, MoneyError};
use crate::package::Term as Months;
use crate::tier::{Feature, Tier, allows};

pub use price_book::{NotABook, Price, PriceBook};

/// The tiers that are sold, the lowest first.
pub const SOLD: [Tier; 3] = [Tier::Vip, Tier::Super, Tier::Enterprise];
/// For how many months they are sold.
pub const MONTHS: [u32; 4] = [1, 3, 12, 36];
/// A membership may run for at most so many days from now.
pub const MOST_DAYS: i64 = 3_660;
/// For how long a confirmed price holds, in ms: a week, as long as a bank transfer may take.
pub const PRICE_HOLDS_MS: i64 = 7 * DAY_MS;
/// How many days before its end a member is told of it.
pub const TOLD_BEFORE: [i64; 3] = [30, 7, 1];

/// What a member has: a tier, until when, and what it has afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub tier: Tier,
    /// `None` for a tier without an end.
    pub until: Option<i64>,
    /// The tier that the host granted without an end; the lowest where it granted none.
    pub after: Tier,
}

impl Standing {
    /// What counts at a moment, and until when. A term is over from the moment of its end on.
    pub fn at(self, now: i64) -> (Tier, Option<i64>) {
        match self.until {
            Some(until) if until <= now => (self.after, None),
            until => (self.tier, until),
        }
    }

    /// With a term of a tier that was bought. What runs without an end is there again afterwards.
    #[must_use]
    pub fn with(self, tier: Tier, until: i64, now: i64) -> Self {
        let after = match self.at(now) {
            (tier, None) => tier,
            _ => self.after,
        };
        Self { tier, until: Some(until), after }
    }

    /// Without what was bought.
    #[must_use]
    pub fn without(self) -> Self {
        Self { tier: self.after, until: None, after: self.after }
    }
}

/// Terms of one tier without a gap. Their months are counted together from where the first one began, so that the order in
/// which they were bought makes no difference, and no month's end is cut off twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub from: i64,
    pub months: u32,
    /// Days beside the months, that an unused rest was changed into.
    pub days: i64,
}

impl Run {
    /// One that begins.
    pub fn begin(from: i64, months: u32, days: i64) -> Self {
        Self { from, months, days }
    }

    /// When it is over.
    pub fn until(self) -> i64 {
        let months = if self.months == 0 { None } else { Months::Months(self.months).end(self.from) };
        months.unwrap_or(self.from).saturating_add(self.days.saturating_mul(DAY_MS))
    }

    /// With further months.
    #[must_use]
    pub fn extended(self, months: u32) -> Self {
        Self { months: self.months.saturating_add(months), ..self }
    }
}

/// A term that was paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    pub from: i64,
    pub until: i64,
    /// What was paid for it, what was counted from an earlier tier included.
    pub value: Fen,
}

impl Term {
    /// How many days it has.
    pub fn days(self) -> i64 {
        ((self.until - self.from) / DAY_MS).max(1)
    }

    /// How many of its days have not begun.
    pub fn days_left(self, now: i64) -> i64 {
        if now <= self.from { self.days() } else { ((self.until - now).max(0) / DAY_MS).min(self.days()) }
    }

    /// What was paid for the days that have not begun, down to whole 分.
    pub fn unused(self, now: i64) -> Fen {
        share(self.value, self.days_left(now), self.days())
    }
}

/// `amount × part ÷ whole`, rounded down.
fn share(amount: Fen, part: i64, whole: i64) -> Fen {
    let exact = i128::from(amount.0) * i128::from(part) / i128::from(whole.max(1));
    Fen(i64::try_from(exact).unwrap_or(i64::MAX))
}

/// What was paid for all days that have not begun.
pub fn unused(terms: &[Term], now: i64) -> Result<Fen, MoneyError> {
    Fen::sum(terms.iter().map(|term| term.unused(now)))
}

/// What buying does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Nothing ran that was bought.
    Begin,
    /// More of what runs, from its end on.
    Renew,
    /// A higher tier, at once.
    Upgrade,
}

impl Step {
    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Begin => "开通",
            Self::Renew => "续费",
            Self::Upgrade => "升级",
        }
    }

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Renew => "renew",
            Self::Upgrade => "upgrade",
        }
    }
}

impl FromStr for Step {
    type Err = UnknownWord;
    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        [Self::Begin, Self::Renew, Self::Upgrade]
            .into_iter()
            .find(|step| step.code() == text)
            .ok_or_else(|| UnknownWord(text.to_owned()))
    }
}

/// What a further term costs and brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    pub step: Step,
    pub tier: Tier,
    pub months: u32,
    /// By the price book.
    pub price: Fen,
    /// What is counted from the tier that ends.
    pub credit: Fen,
    /// What is to be paid.
    pub amount: Fen,
    /// Days that are given for what the credit is more than the price.
    pub days: i64,
    /// What it runs in, itself included.
    pub run: Run,
    /// Where its own days begin.
    pub from: i64,
}

impl Quote {
    /// Where its own days end.
    pub fn until(&self) -> i64 {
        self.run.until()
    }

    /// As a term whose price was paid and whose credit was worth so much when it was paid.
    pub fn term(&self, credit: Fen) -> Result<Term, MoneyError> {
        Ok(Term { from: self.from, until: self.until(), value: self.amount.plus(credit)? })
    }
}

/// Why nothing can be bought so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotSold {
    #[error("请选择 VIP、超级会员或企业高级版")]
    Tier,
    #[error("请选择 1、3、12 或 36 个月")]
    Months,
    /// A higher one runs.
    #[error("您现在是{has}，不能改成更低的{wanted}")]
    Lower { has: Tier, until: Option<i64>, wanted: Tier },
    /// There is no end to be put off.
    #[error("您的{0}长期有效，不需要续费")]
    ForEver(Tier),
    #[error("会员最多可以买到十年以后，请少买几个月")]
    TooFar,
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Features that one tier opens and another does not.
pub fn lost(has: Tier, wanted: Tier) -> impl Iterator<Item = Feature> {
    Feature::all().filter(move |feature| allows(has, *feature) && !allows(wanted, *feature))
}

/// Reads what a form wants: a tier that is sold, and for how many months.
pub fn read_wanted(tier: &str, months: &str) -> Result<(Tier, u32), NotSold> {
    let tier = Tier::from_str(tier).ok().filter(|tier| SOLD.contains(tier)).ok_or(NotSold::Tier)?;
    let months = MONTHS.into_iter().find(|known| known.to_string() == months).ok_or(NotSold::Months)?;
    Ok((tier, months))
}

/// What `months` of a tier cost whoever stands so. `run` and `terms` are those of the tier that runs, where it was bought;
/// `price` is the price book's.
pub fn quote(
    tier: Tier,
    months: u32,
    price: Fen,
    standing: Standing,
    run: Option<Run>,
    terms: &[Term],
    now: i64,
) -> Result<Quote, NotSold> {
    if !SOLD.contains(&tier) {
        return Err(NotSold::Tier);
    }
    if !MONTHS.contains(&months) {
        return Err(NotSold::Months);
    }
    let (has, until) = standing.at(now);
    if tier < has {
        return Err(NotSold::Lower { has, until, wanted: tier });
    }
    let plain = Quote {
        step: Step::Begin,
        tier,
        months,
        price,
        credit: Fen::ZERO,
        amount: price,
        days: 0,
        run: Run::begin(now, months, 0),
        from: now,
    };
    let quote = match until {
        None if tier == has => return Err(NotSold::ForEver(has)),
        Some(until) if tier == has => {
            // one that the host has put so has no run yet
            let run = run.filter(|run| run.until() == until).unwrap_or(Run::begin(until, 0, 0));
            Quote { step: Step::Renew, run: run.extended(months), from: until, ..plain }
        }
        None => plain,
        Some(_) => {
            let credit = unused(terms, now)?;
            let rest = credit.minus(price)?;
            let whole = (plain.run.until() - now) / DAY_MS;
            // no 分 of the credit is lost: what is more than the price is days of the new tier
            let days = if rest > Fen::ZERO { share(Fen(whole), rest.0, price.0.max(1)).0 } else { 0 };
            Quote {
                step: Step::Upgrade,
                credit,
                amount: price.minus(credit)?.max(Fen::ZERO),
                days,
                run: Run { days, ..plain.run },
                ..plain
            }
        }
    };
    if quote.until() > now.saturating_add(MOST_DAYS * DAY_MS) {
        return Err(NotSold::TooFar);
    }
    Ok(quote)
}

/// Of the days on which a member is told that an end is near, those that are still to come: how many before it, and when.
pub fn notices(until: i64, now: i64) -> impl Iterator<Item = (i64, i64)> {
    TOLD_BEFORE.into_iter().map(move |days| (days, until - days * DAY_MS)).filter(move |(_, at)| *at > now)
}

/// What became of a term that somebody wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermState {
    Unpaid,
    Paid,
    /// A higher tier took its place, and its unused value.
    Replaced,
    /// Its unused value was given back.
    Refunded,
}

/// Every move of a term that there is.
pub const TRANSITIONS: [(TermState, TermState); 3] = [
    (TermState::Unpaid, TermState::Paid),
    (TermState::Paid, TermState::Replaced),
    (TermState::Paid, TermState::Refunded),
];

/// A stored word that is none of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown word: {0}")]
pub struct UnknownWord(String);

impl TermState {
    const ALL: [Self; 4] = [Self::Unpaid, Self::Paid, Self::Replaced, Self::Refunded];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unpaid => "unpaid",
            Self::Paid => "paid",
            Self::Replaced => "replaced",
            Self::Refunded => "refunded",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unpaid => "待付款",
            Self::Paid => "已付款",
            Self::Replaced => "已升级",
            Self::Refunded => "已退款",
        }
    }

    /// Whether a term may become this.
    pub fn may_become(self, to: Self) -> bool {
        TRANSITIONS.contains(&(self, to))
    }
}

impl FromStr for TermState {
    type Err = UnknownWord;
    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.into_iter().find(|state| state.code() == text).ok_or_else(|| UnknownWord(text.to_owned()))
    }
}
