//! What printed copies cost, and why. Shipping is in [`crate::shipping`].
//!
//! A unit price is base + pages × rate + the chosen items, each in whole 分. What an item costs per order is
//! spread over the copies and rounded down, so the shop, never the member, bears the rest, and
//! total = count × unit price × (1 − discount), rounded down to 2 decimals (specification section 9), holds
//! exactly for the numbers shown.

use std::collections::BTreeMap;
use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::goods::{Cnum, Goods};
use crate::ids::GoodsId;
use crate::money::{Fen, MoneyError, Rate};
use crate::print_options::{Choice, Quantity};
use crate::tier::Tier;

/// What goods cost from a day on (product page, section 3, "Print options and price").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceBook {
    /// The first day it is valid.
    pub valid_from: Day,
    /// One copy without pages and items, yuan.
    pub base: Fen,
    /// One page (side) of one copy, yuan.
    pub per_page: Fen,
    /// The items that cost something.
    #[serde(default)]
    pub items: BTreeMap<Cnum, ItemPrice>,
    /// Volume discounts, from the smallest count up.
    #[serde(default)]
    pub volume: Vec<Rung>,
    /// The discount of each tier; none where absent.
    #[serde(default)]
    pub tiers: BTreeMap<Tier, Rate>,
}

/// The price of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemPrice {
    /// Yuan per `basis`.
    pub price: Fen,
    pub basis: Basis,
}

/// What an item's price is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Each copy.
    Copy,
    /// Each page of each copy.
    Page,
    /// Once, spread over the copies.
    Order,
}

/// What an item adds, as a member reads it: `+¥22.00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surcharge {
    /// To each copy.
    Copy(Fen),
    /// Once, however many copies there are.
    Order(Fen),
}

impl fmt::Display for Surcharge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copy(each) => write!(f, "+¥{each}"),
            Self::Order(once) => write!(f, "+¥{once} 每单"),
        }
    }
}

/// A step of the volume discount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// The smallest number of copies.
    pub from: u32,
    /// What is taken off.
    pub rate: Rate,
}

/// A day of the calendar, `2026-01-01`. Later days are greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(String);

/// A text that is no [`Day`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("日期格式不正确：{0}")]
pub struct NotADay(String);

/// A price with everything it is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    pub goods: GoodsId,
    /// Copies.
    pub count: Quantity,
    /// Pages (sides) of one copy.
    pub pages: u32,
    /// Volume and tier discount together: 0 ≤ d < 1, exact.
    pub discount: Decimal,
    /// One copy without pages and items.
    pub base_price: Fen,
    /// `count` × `unit_price`.
    pub list_total: Fen,
    /// One copy before discounts.
    pub unit_price: Fen,
    /// What is paid.
    pub total: Fen,
    /// Where `total` comes from; the amounts sum to it exactly.
    pub lines: Vec<QuoteLine>,
}

/// One part of a total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteLine {
    pub kind: LineKind,
    /// What it is for, such as `装订方式 普通精装`.
    pub label: String,
    /// How it is reckoned, such as `0.65 × 48 页 × 10 本`.
    pub detail: String,
    /// For all copies; below zero for a discount.
    pub amount: Fen,
}

/// What a line of a quote is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    Base,
    Pages,
    Item(Cnum),
    VolumeDiscount,
    TierDiscount,
    /// What the maker of somebody else's work adds.
    Markup,
    /// What of a coupon the line bears.
    Coupon,
}

/// Why there is no price.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriceError {
    /// No shown step of the goods has such an item.
    #[error("没有这个选项：{0}")]
    UnknownItem(Cnum),
    /// The price can't be held.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl TryFrom<String> for Day {
    type Error = NotADay;
    fn try_from(text: String) -> Result<Self, NotADay> {
        let shape = text.len() == 10
            && text
                .bytes()
                .enumerate()
                .all(|(i, b)| if i == 4 || i == 7 { b == b'-' } else { b.is_ascii_digit() });
        let parts: Option<Vec<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            Some(&[year, month, day]) if shape && (1..=days_in(year, month)).contains(&day) => Ok(Self(text)),
            _ => Err(NotADay(text)),
        }
    }
}

impl std::str::FromStr for Day {
    type Err = NotADay;
    fn from_str(text: &str) -> Result<Self, NotADay> {
        Self::try_from(text.to_owned())
    }
}

impl From<Day> for String {
    fn from(day: Day) -> String {
        day.0
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The days of a month, 0 for a month that doesn't exist.
fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

/// The rung as members read it: `满 10 本 95 折`.
impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "满 {} 本 {} 折", self.from, tenths(self.rate))
    }
}

impl PriceBook {
    /// The price book in force on a day: the latest that is already valid.
    pub fn in_force<'a>(books: impl IntoIterator<Item = &'a Self>, day: &Day) -> Option<&'a Self> {
        books
            .into_iter()
            .filter(|book| book.valid_from <= *day)
            .max_by(|a, b| a.valid_from.cmp(&b.valid_from))
    }

    /// What an item adds to a price before discounts: to each copy of so many pages, or once to the order. `None` where it
    /// costs nothing.
    pub fn surcharge(&self, cnum: &Cnum, pages: u32) -> Option<Surcharge> {
        let item = self.items.get(cnum).filter(|item| item.price > Fen(0))?;
        match item.basis {
            Basis::Copy => Some(Surcharge::Copy(item.price)),
            Basis::Page => item.price.times(pages.into()).ok().map(Surcharge::Copy),
            Basis::Order => Some(Surcharge::Order(item.price)),
        }
    }

    /// The volume discount that applies to a count.
    pub fn rung(&self, count: Quantity) -> Option<&Rung> {
        self.volume.iter().filter(|rung| rung.from <= count.get()).max_by_key(|rung| rung.from)
    }

    /// The next volume discount above a count.
    pub fn next_rung(&self, count: Quantity) -> Option<&Rung> {
        self.volume.iter().filter(|rung| rung.from > count.get()).min_by_key(|rung| rung.from)
    }

    /// The volume discounts as text, `yhstr` of the cart info: `满 10 本 95 折 · 满 50 本 9 折`. Empty without.
    pub fn yhstr(&self) -> String {
        self.volume.iter().map(Rung::to_string).collect::<Vec<_>>().join(" · ")
    }

    /// The tiers' discounts as text: `VIP 95 折 · 超级会员 9 折`. Empty without.
    pub fn tier_discounts(&self) -> String {
        let named = self.tiers.iter().filter(|(_, rate)| !rate.is_none());
        named.map(|(tier, rate)| format!("{tier} {} 折", tenths(*rate))).collect::<Vec<_>>().join(" · ")
    }

    /// What a tier takes off.
    pub fn tier_rate(&self, tier: Tier) -> Rate {
        self.tiers.get(&tier).copied().unwrap_or_default()
    }

    /// 1 − (1 − volume) × (1 − tier), exact: 0 ≤ d < 1.
    pub fn discount(&self, count: Quantity, tier: Tier) -> Decimal {
        let volume = self.rung(count).map_or(Rate::NONE, |rung| rung.rate);
        (Decimal::ONE - volume.remaining() * self.tier_rate(tier).remaining()).normalize()
    }
}

/// What is left to pay as Chinese shops write it: 95 for 0.95, 9 for 0.9, 8.75 for 0.875.
fn tenths(rate: Rate) -> Decimal {
    let percent = (rate.remaining() * Decimal::ONE_HUNDRED).normalize();
    let two_digits = percent.is_integer() && percent >= Decimal::TEN && !(percent % Decimal::TEN).is_zero();
    if two_digits { percent } else { (percent / Decimal::TEN).normalize() }
}

/// The price of copies for a member of a tier. Whether the choice may be made at all is
/// [`crate::print_options::check`]'s: this prices what it is given.
pub fn quote(
    goods: &Goods,
    pages: u32,
    choice: &Choice,
    count: Quantity,
    tier: Tier,
) -> Result<Quote, PriceError> {
    let book = &goods.price_book;
    let copies = u64::from(count.get());
    let mut unit_price = book.base;
    let mut lines = vec![QuoteLine {
        kind: LineKind::Base,
        label: "基础价".to_owned(),
        detail: format!("{} × {count} 本", book.base),
        amount: book.base.times(copies)?,
    }];

    let inner = book.per_page.times(pages.into())?;
    unit_price = unit_price.plus(inner)?;
    lines.push(QuoteLine {
        kind: LineKind::Pages,
        label: "内页".to_owned(),
        detail: format!("{} × {pages} 页 × {count} 本", book.per_page),
        amount: inner.times(copies)?,
    });

    for cnum in choice.cnums().iter().filter(|cnum| !cnum.0.is_empty()) {
        let (step, item) = goods.item(cnum).ok_or_else(|| PriceError::UnknownItem(cnum.clone()))?;
        let Some(&ItemPrice { price, basis }) = book.items.get(cnum) else { continue };
        let (unit, detail) = match basis {
            Basis::Copy => (price, format!("{price} × {count} 本")),
            Basis::Page => (price.times(pages.into())?, format!("{price} × {pages} 页 × {count} 本")),
            // The quantity is never 0.
            Basis::Order => {
                let unit = price.divided_down(copies).unwrap_or_default();
                (unit, format!("每单 {price}，每本 {unit} × {count} 本"))
            }
        };
        unit_price = unit_price.plus(unit)?;
        lines.push(QuoteLine {
            kind: LineKind::Item(cnum.clone()),
            label: format!("{} {}", step.name, item.name),
            detail,
            amount: unit.times(copies)?,
        });
    }

    let list_total = unit_price.times(copies)?;
    let discount = book.discount(count, tier);
    let total = share_of(list_total, Decimal::ONE - discount)?;
    // The volume discount is rounded on its own and the tier's takes the rest, so the lines leave no gap.
    let mut left = list_total;
    if let Some(rung) = book.rung(count) {
        let after = share_of(list_total, rung.rate.remaining())?;
        lines.push(QuoteLine {
            kind: LineKind::VolumeDiscount,
            label: "数量优惠".to_owned(),
            detail: format!("满 {} 本 {} 折", rung.from, tenths(rung.rate)),
            amount: after.minus(left)?,
        });
        left = after;
    }
    let tier_rate = book.tier_rate(tier);
    if !tier_rate.is_none() {
        lines.push(QuoteLine {
            kind: LineKind::TierDiscount,
            label: "会员优惠".to_owned(),
            detail: format!("{tier} {} 折", tenths(tier_rate)),
            amount: total.minus(left)?,
        });
    }

    Ok(Quote {
        goods: goods.id.clone(),
        count,
        pages,
        discount,
        base_price: book.base,
        list_total,
        unit_price,
        total,
        lines,
    })
}

/// `amount` × `share`, rounded down to whole 分.
fn share_of(amount: Fen, share: Decimal) -> Result<Fen, MoneyError> {
    Fen::from_yuan_down(amount.to_yuan().checked_mul(share).ok_or(MoneyError::TooLarge)?)
}

impl Quote {
    /// The same copies with what their work's maker adds to each.
    ///
    /// # Errors
    /// The price can't be held.
    pub fn with_markup(mut self, each: Fen) -> Result<Self, MoneyError> {
        if each == Fen::ZERO {
            return Ok(self);
        }
        let amount = each.times(u64::from(self.count.get()))?;
        self.total = self.total.plus(amount)?;
        self.lines.push(QuoteLine {
            kind: LineKind::Markup,
            label: "作者加价".to_owned(),
            detail: format!("{each} × {} 本", self.count),
            amount,
        });
        Ok(self)
    }

    /// The same copies with what they bear of a coupon taken off, named by its code and its rule.
    ///
    /// # Errors
    /// The price can't be held.
    pub fn with_coupon(mut self, code: &str, rule: &str, off: Fen) -> Result<Self, MoneyError> {
        if off == Fen::ZERO {
            return Ok(self);
        }
        self.total = self.total.minus(off)?;
        self.lines.push(QuoteLine {
            kind: LineKind::Coupon,
            label: format!("优惠券 {code}"),
            detail: rule.to_owned(),
            amount: off.negated()?,
        });
        Ok(self)
    }

    /// What its copies bear of a coupon.
    pub fn coupon(&self) -> Fen {
        let coupons = self.lines.iter().filter(|line| line.kind == LineKind::Coupon);
        Fen(-coupons.map(|line| line.amount.0).sum::<i64>())
    }

    /// The answer of `getTotal`: `goodsID|count|pages|discount|basePrice|listTotal|unitPrice|total`, the 4th
    /// value a discount rate, the 7th a unit price (specification section 3).
    pub fn get_total(&self) -> String {
        let Self { goods, count, pages, discount, base_price, list_total, unit_price, total, .. } = self;
        format!("{goods}|{count}|{pages}|{discount}|{base_price}|{list_total}|{unit_price}|{total}")
    }

    /// One copy after discounts, `unitPrice` of the cart info: total ÷ quantity, rounded down
    /// (specification section 9).
    pub fn unit_price_after(&self) -> Fen {
        self.total.divided_down(self.count.get().into()).unwrap_or_default()
    }
}
