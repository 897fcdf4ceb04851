//! Production 生产: the stages that a line of an order goes through on the shop floor, how many of what a shop does in a day,
//! and which day may be promised for it.
//!
//! Stages are the shop's own affair: an order's state ([`crate::order_state`]) is what its member sees.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use time::{Date, Weekday};

use crate::calendar::{DaysOff, YearMonth, is_published};
use crate::goods::{Days, Goods, step_name};
use crate::print_options::{Choice, NO_LAMINATION};
use crate::typed;

/// A stage of production. Stored and sent as [`Stage::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// 印前.
    Prepress,
    /// 印刷.
    Printing,
    /// 覆膜.
    Lamination,
    /// 装订.
    Binding,
    /// 质检.
    Inspection,
    /// 打包.
    Packing,
    /// 发货: it waits for its parcel. The last of all; the parcel ends it.
    Shipping,
}

use Stage::*;

/// A word that is no stage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no stage of production: {0}")]
pub struct UnknownStage(String);

impl Stage {
    /// Each, in the order of the work.
    pub const ALL: [Self; 7] = [Prepress, Printing, Lamination, Binding, Inspection, Packing, Shipping];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Prepress => "prepress",
            Printing => "printing",
            Lamination => "lamination",
            Binding => "binding",
            Inspection => "inspection",
            Packing => "packing",
            Shipping => "shipping",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Prepress => "印前",
            Printing => "印刷",
            Lamination => "覆膜",
            Binding => "装订",
            Inspection => "质检",
            Packing => "打包",
            Shipping => "发货",
        }
    }

    /// What its work is counted in: lines, printed sides, copies.
    pub fn unit(self) -> &'static str {
        match self {
            Prepress => "件",
            Printing => "P",
            Lamination | Binding | Inspection | Packing | Shipping => "本",
        }
    }

    /// How much work a line of so many copies with so many pages each is here, in [`Stage::unit`]s.
    pub fn units(self, copies: u32, pages: u32) -> u64 {
        match self {
            Prepress => 1,
            Printing => u64::from(copies) * u64::from(pages),
            Lamination | Binding | Inspection | Packing | Shipping => u64::from(copies),
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stage {
    type Err = UnknownStage;
    fn from_str(text: &str) -> Result<Self, UnknownStage> {
        Self::ALL.into_iter().find(|stage| stage.code() == text).ok_or_else(|| UnknownStage(text.to_owned()))
    }
}

/// The stages of one line in their order, each once; [`Stage::Shipping`] is the last of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stages(Vec<Stage>);

impl Stages {
    /// What goods say of themselves, or what their choice asks for: a film asks for 覆膜, a binding for 装订.
    pub fn of(goods: &Goods, choice: &Choice) -> Self {
        if let Some(stages) = &goods.stages {
            return Self::through(stages);
        }
        let films = [step_name::LAMINATION, step_name::INNER_LAMINATION];
        let is_laminated = films
            .iter()
            .any(|step| goods.chosen(step, choice).is_some_and(|film| film.name != NO_LAMINATION));
        let is_bound = goods.chosen(step_name::BINDING, choice).is_some();
        let asked = |stage: &Stage| match stage {
            Lamination => is_laminated,
            Binding => is_bound,
            _ => true,
        };
        Self::through(&Stage::ALL.into_iter().filter(asked).collect::<Vec<_>>())
    }

    /// These stages, in the order of the work.
    pub fn through(stages: &[Stage]) -> Self {
        Self(Stage::ALL.into_iter().filter(|stage| *stage == Shipping || stages.contains(stage)).collect())
    }

    /// Its stages, the first first.
    pub fn as_slice(&self) -> &[Stage] {
        &self.0
    }

    /// Where a line begins.
    pub fn first(&self) -> Stage {
        self.0.first().copied().unwrap_or(Shipping)
    }

    /// What comes after a stage; nothing after the last one.
    pub fn after(&self, stage: Stage) -> Option<Stage> {
        self.0.iter().copied().find(|next| *next > stage)
    }

    /// The stages that are before one: where it may be sent back to.
    pub fn before(&self, stage: Stage) -> impl Iterator<Item = Stage> {
        self.0.iter().copied().take_while(move |earlier| *earlier < stage)
    }

    /// The stages still to be done from one on.
    pub fn rest(&self, from: Stage) -> impl Iterator<Item = Stage> {
        self.0.iter().copied().skip_while(move |stage| *stage < from)
    }
}

/// The codes, with a space between them.
impl fmt::Display for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.0.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(f, "{gap}{}", stage.code())?;
        }
        Ok(())
    }
}

impl FromStr for Stages {
    type Err = UnknownStage;
    fn from_str(text: &str) -> Result<Self, UnknownStage> {
        let stages: Result<Vec<Stage>, _> = text.split_whitespace().map(str::parse).collect();
        Ok(Self::through(&stages?))
    }
}

/// Whether shops work on a day: not at weekends, and as the State Council publishes it, where its year is published.
pub fn is_worked(day: Date) -> bool {
    if let Some(month) = YearMonth::new(day.year(), day.month().into()).filter(|_| is_published(day.year())) {
        let off = DaysOff::of(month);
        if off.rest.contains(&day.day()) {
            return false;
        }
        if off.work.contains(&day.day()) {
            return true;
        }
    }
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// What a line still asks of the shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The stages to be done, in their order.
    pub stages: Vec<Stage>,
    pub copies: u32,
    pub pages: u32,
}

/// A part of a stage's work on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub stage: Stage,
    pub day: Date,
    pub units: u64,
}

/// How far ahead work is planned, in days. What does not fit is promised nothing.
pub const HORIZON_DAYS: usize = 730;

/// What a shop does in the days to come, and what of it is taken. A stage without a capacity takes what comes.
#[derive(Debug, Clone)]
pub struct FloorPlan {
    /// The days on which the shop works, from the first of the plan to [`HORIZON_DAYS`] after it.
    days: Vec<Date>,
    capacity: BTreeMap<Stage, Taken>,
}

/// A stage's capacity, and what of each day of the plan is taken.
#[derive(Debug, Clone)]
struct Taken {
    most: u64,
    by_day: Vec<u64>,
    /// Days before this one are full.
    full_before: usize,
}

impl FloorPlan {
    /// A shop with nothing to do from a day on. A capacity of nothing is none; `closed` are days on which the shop is closed
    /// beside weekends and holidays.
    pub fn new(from: Date, capacity: &BTreeMap<Stage, u64>, closed: &[Date]) -> Self {
        let closed: HashSet<Date> = closed.iter().copied().collect();
        let all = std::iter::successors(Some(from), |day| day.next_day()).take(HORIZON_DAYS);
        let days: Vec<Date> = all.filter(|day| is_worked(*day) && !closed.contains(day)).collect();
        let bounded = capacity.iter().filter(|(_, most)| **most > 0);
        let taken = |most: u64| Taken { most, by_day: vec![0; days.len()], full_before: 0 };
        Self { capacity: bounded.map(|(stage, most)| (*stage, taken(*most))).collect(), days }
    }

    /// What a stage does in a day, where that is bounded.
    pub fn capacity(&self, stage: Stage) -> Option<u64> {
        self.capacity.get(&stage).map(|taken| taken.most)
    }

    /// The days of the plan on which the shop works.
    pub fn days(&self) -> &[Date] {
        &self.days
    }

    /// What of a stage's day is taken, in units.
    pub fn taken(&self, stage: Stage, day: Date) -> u64 {
        let index = self.days.binary_search(&day).ok();
        index.zip(self.capacity.get(&stage)).map_or(0, |(index, taken)| taken.by_day[index])
    }

    /// Takes the first room there is for a work: a stage begins on the day on which the one before it ends, or later, and what
    /// is more than a day has left goes over several. Answers the last day of it and what was taken of each; nothing, and
    /// nothing is taken, where it ends past [`HORIZON_DAYS`].
    pub fn take(&mut self, work: &Work) -> Option<(Date, Vec<Slot>)> {
        let mut index = 0;
        let mut slots: Vec<(usize, Slot)> = Vec::new();
        for stage in work.stages.iter().copied() {
            let Some(Taken { most, by_day, full_before }) = self.capacity.get(&stage) else { continue };
            let mut left = stage.units(work.copies, work.pages);
            if left == 0 {
                continue;
            }
            index = index.max(*full_before);
            loop {
                let units = most.saturating_sub(*by_day.get(index)?).min(left);
                if units > 0 {
                    slots.push((index, Slot { stage, day: self.days[index], units }));
                    left -= units;
                }
                if left == 0 {
                    break;
                }
                index += 1;
            }
        }
        let last = *self.days.get(index)?;
        for (index, slot) in &slots {
            if let Some(taken) = self.capacity.get_mut(&slot.stage) {
                taken.by_day[*index] += slot.units;
                let is_full = |units: &u64| *units >= taken.most;
                taken.full_before +=
                    taken.by_day[taken.full_before..].iter().take_while(|units| is_full(units)).count();
            }
        }
        Some((last, slots.into_iter().map(|(_, slot)| slot).collect()))
    }
}

/// The first and the last day by which works are made together that take so many days and are paid on a day: as fast as their
/// goods promise, or as the shop gets to the last of them, with `open` before them. It begins with none of it on that day, of
/// which nobody knows how much is left. `None` where that or they end past [`HORIZON_DAYS`].
pub fn promised<'a>(
    capacity: &BTreeMap<Stage, u64>,
    closed: &[Date],
    open: impl IntoIterator<Item = &'a Work>,
    days: Days,
    works: &[Work],
    paid: Date,
) -> Option<(Date, Date)> {
    let mut plan = FloorPlan::new(paid.next_day()?, capacity, closed);
    for work in open {
        // behind what has no end in sight nothing has
        plan.take(work)?;
    }
    let (first, mut last) = days.after_on(paid, |day| is_worked(day) && !closed.contains(&day));
    for work in works {
        last = last.max(plan.take(work)?.0);
    }
    Some((first, last))
}

/// What a code on a job ticket says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scanned {
    /// The order's number, as it stands in the code.
    pub order: String,
    /// Its line; the whole order where the code names none.
    pub line: Option<i64>,
}

/// Why a code leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotScanned {
    #[error("这不是本店工单上的码")]
    AnotherHouse,
    #[error("读不出订单号，请再扫一次，或者把订单号输进来")]
    NoNumber,
}

/// Where codes on job tickets lead, below the shop's address, with a number behind it.
pub const CODE_PATH: &str = "/staff/floor/";
/// Where the codes of earlier tickets lead.
const ORDER_PATH: &str = "/staff/orders/";

impl Scanned {
    /// Reads what a camera or a scanner typed, in small letters or capitals: an address of this shop (`site`, where it has
    /// one), or a number as it stands beside the code: `<order>` or `<order>/<line>`.
    pub fn parse(text: &str, site: Option<&str>) -> Result<Self, NotScanned> {
        let text = typed::typed(text).to_ascii_lowercase();
        let number = if text.contains("://") {
            let site = site.ok_or(NotScanned::AnotherHouse)?.to_ascii_lowercase();
            let path = text.strip_prefix(site.trim_end_matches('/'));
            let place = path.and_then(|path| path.strip_prefix(CODE_PATH).or(path.strip_prefix(ORDER_PATH)));
            place.ok_or(NotScanned::AnotherHouse)?
        } else {
            &text
        };
        let number = number.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let (order, line) = match number.split_once('/') {
            None => (number, None),
            Some((order, line)) => (order, Some(line.parse().map_err(|_| NotScanned::NoNumber)?)),
        };
        let is_number = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if order.is_empty() || order.len() > 60 || !order.chars().all(is_number) {
            return Err(NotScanned::NoNumber);
        }
        Ok(Self { order: order.to_owned(), line })
    }
}

/// Days as a shop writes them, one or a span a line: `2027-02-10`, `2027-02-10 至 2027-02-20`.
///
/// # Errors
/// The line that is none, or spans more than [`LONGEST_CLOSED`] days.
pub fn read_days(text: &str) -> Result<Vec<Date>, String> {
    let mut days = std::collections::BTreeSet::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let read = |text: &str| typed::date(&typed::day(text));
        let (from, to) = line.split_once(['至', '到', '~', '～']).unwrap_or((line, line));
        let (Some(from), Some(to)) = (read(from), read(to)) else { return Err(line.to_owned()) };
        if to < from || (to - from).whole_days() >= LONGEST_CLOSED {
            return Err(line.to_owned());
        }
        days.extend(std::iter::successors(Some(from), |day| day.next_day()).take_while(|day| *day <= to));
    }
    Ok(days.into_iter().collect())
}

/// The most days of one span.
pub const LONGEST_CLOSED: i64 = 100;

/// The same days as [`read_days`] reads them, those that follow one another as one span.
pub fn write_days(days: &[Date]) -> String {
    let mut spans: Vec<(Date, Date)> = Vec::new();
    for day in days.iter().copied() {
        match spans.last_mut() {
            Some((from, to)) if to.next_day() == Some(day) && (day - *from).whole_days() < LONGEST_CLOSED => {
                *to = day
            }
            _ => spans.push((day, day)),
        }
    }
    let line =
        |(from, to): (Date, Date)| if from == to { from.to_string() } else { format!("{from} 至 {to}") };
    spans.into_iter().map(line).collect::<Vec<_>>().join("\n")
}
