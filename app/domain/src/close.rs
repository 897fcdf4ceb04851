//! The close of a month 月结: what came in by what it was for and by which way, what moved on the ledger's accounts, and the tax
//! that is in it (product page, section 3, "Money").

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};
use time::{Date, Month as Calendar};

use crate::money::{Fen, Rate};

/// What money came in for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Printed goods.
    Goods,
    /// Their delivery.
    Postage,
    /// Terms of tiers.
    Memberships,
    /// What the house keeps of what sellers earn.
    Fees,
    /// What readers paid to sellers: the house holds it, and it is none of its income.
    Held,
}

impl Kind {
    /// Each.
    pub const ALL: [Self; 5] = [Self::Goods, Self::Postage, Self::Memberships, Self::Fees, Self::Held];

    /// As the configuration names it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Goods => "goods",
            Self::Postage => "postage",
            Self::Memberships => "memberships",
            Self::Fees => "fees",
            Self::Held => "held",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Goods => "印刷品",
            Self::Postage => "运费",
            Self::Memberships => "会员",
            Self::Fees => "平台服务费",
            Self::Held => "代收（归卖家）",
        }
    }
}

/// What came in for one thing, and what of it went back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Income {
    pub kind: Kind,
    /// The thing, as people call it.
    pub name: String,
    /// How many: copies, orders, terms.
    pub count: i64,
    pub came: Fen,
    /// Given back in the month, whenever it had come.
    pub back: Fen,
}

/// What came in by a way to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    pub name: String,
    pub count: i64,
    /// What arrived from outside.
    pub came: Fen,
    /// What was sent back there.
    pub back: Fen,
    /// What of it paid for something at once; the rest is in members' balances.
    pub spent: Fen,
}

/// What moved on accounts of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movement {
    /// The account, or how those of its kind begin: `member`, `revenue`.
    pub account: String,
    pub opening: Fen,
    pub added: Fen,
    /// Below zero.
    pub taken: Fen,
    pub closing: Fen,
}

/// A month's figures, as the slices told them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    pub income: Vec<Income>,
    pub ways: Vec<Way>,
    pub accounts: Vec<Movement>,
}

impl Figures {
    /// What came in and went back of a kind.
    pub fn of(&self, kind: Kind) -> (Fen, Fen) {
        let of_kind = || self.income.iter().filter(|income| income.kind == kind);
        (sum(of_kind().map(|income| income.came)), sum(of_kind().map(|income| income.back)))
    }

    /// What came in altogether, as a day's summary says it: `¥198.00（2 笔，退回 ¥19.80）`.
    pub fn in_words(&self) -> String {
        let came = sum(self.income.iter().map(|income| income.came));
        let back = sum(self.income.iter().map(|income| income.back));
        let count: i64 = self.income.iter().map(|income| income.count).sum();
        let back = if back == Fen::ZERO { String::new() } else { format!("，退回 ¥{}", back.grouped()) };
        format!("¥{}（{count} 笔{back}）", came.grouped())
    }

    /// What was paid out of balances: all that came in for something, less what was paid straight from outside.
    pub fn from_balance(&self) -> Fen {
        // a seller's fee is a part of what was paid to it before
        let paid = self.income.iter().filter(|income| income.kind != Kind::Fees).map(|income| income.came);
        Fen(sum(paid).0.saturating_sub(sum(self.ways.iter().map(|way| way.spent)).0))
    }

    /// What does not add up, in sentences: accounts that end elsewhere than their movements lead, books that are not balanced,
    /// income that is not what the accounts got.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for Movement { account, opening, added, taken, closing } in &self.accounts {
            let reckoned = sum([*opening, *added, *taken]);
            if reckoned != *closing {
                faults.push(format!("{account}：期初加变动是 {reckoned}，期末是 {closing}"));
            }
        }
        for (name, total) in [
            ("期初", sum(self.accounts.iter().map(|moved| moved.opening))),
            ("期末", sum(self.accounts.iter().map(|moved| moved.closing))),
        ] {
            if total != Fen::ZERO {
                faults.push(format!("{name}：所有账户加起来是 {total}，应当是 0"));
            }
        }
        for (kind, account) in [(Kind::Postage, "shipping"), (Kind::Memberships, "memberships")] {
            let (came, back) = self.of(kind);
            let moved = self.accounts.iter().filter(|moved| moved.account == account);
            let moved = sum(moved.flat_map(|moved| [moved.added, moved.taken]));
            if came.0.saturating_sub(back.0) != moved.0 {
                faults.push(format!("{}：收入是 {}，账上是 {moved}", kind.name(), Fen(came.0 - back.0)));
            }
        }
        faults
    }
}

fn sum(amounts: impl IntoIterator<Item = Fen>) -> Fen {
    Fen(amounts.into_iter().fold(0i64, |sum, amount| sum.saturating_add(amount.0)))
}

/// The tax that is in prices, by what they are for: 增值税, by rates of the host's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rates(BTreeMap<Kind, Rate>);

impl Rates {
    /// The rate of a kind, where the host said one; what is held for others has none.
    pub fn of(&self, kind: Kind) -> Option<Rate> {
        self.0.get(&kind).copied()
    }

    /// Whether there is any.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Reads `goods=0.13,postage=0.06`.
impl FromStr for Rates {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let mut rates = BTreeMap::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, rate) = part.split_once('=').ok_or_else(|| format!("{part:?} is not kind=rate"))?;
            let kind = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Held);
            let kind = kind.into_iter().find(|kind| kind.code() == name.trim());
            let kind =
                kind.ok_or_else(|| format!("{name:?} is none of goods, postage, memberships, fees"))?;
            let rate: Rate = rate.trim().parse().map_err(|_| format!("{rate:?} is no rate such as 0.13"))?;
            if rates.insert(kind, rate).is_some() {
                return Err(format!("{name:?} stands there twice"));
            }
        }
        Ok(Self(rates))
    }
}

/// The tax that a sum with tax holds: sum × rate ÷ (1 + rate), rounded to 分, halves away from zero. It is reckoned once of a
/// month's sum of a kind, not of each sale.
pub fn tax_in(sum: Fen, rate: Rate) -> Fen {
    let rate = rate.value();
    let tax = Decimal::from(sum.0) * rate / (Decimal::ONE + rate);
    let tax = tax.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    Fen(i64::try_from(tax.trunc()).unwrap_or_default())
}

/// A month in China.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    year: i32,
    month: Calendar,
}

impl Month {
    /// The month of a day.
    pub fn of(day: Date) -> Self {
        Self { year: day.year(), month: day.month() }
    }

    /// Its first day.
    pub fn first(self) -> Option<Date> {
        Date::from_calendar_date(self.year, self.month, 1).ok()
    }

    pub fn next(self) -> Self {
        let month = self.month.next();
        Self { year: self.year + i32::from(month == Calendar::January), month }
    }

    pub fn previous(self) -> Self {
        let month = self.month.previous();
        Self { year: self.year - i32::from(month == Calendar::December), month }
    }
}

/// `2026-11`.
impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, u8::from(self.month))
    }
}

impl FromStr for Month {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let day = crate::typed::date(&format!("{text}-01")).filter(|_| text.len() == 7);
        day.map(Self::of).ok_or_else(|| format!("{text:?} is no month such as 2026-11"))
    }
}
