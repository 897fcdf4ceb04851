//! What a provider says it took and gave back 对账单: reading it line by line, and holding it against what is known here
//! (product page, section 3, "Money").
//!
//! Read are WeChat Pay's trade bill 交易账单 (of all, of payments or of refunds) and Alipay's 业务明细 and 账务明细, as text: what
//! encoding a file has, and whether it is packed, is for whoever opens it. A bill says at its end what its lines come to; one
//! that does not add up, or that is not whole, is no bill.

mod alipay;
mod matching;
mod wechat;

use std::fmt;

use rust_decimal::Decimal;
use time::{Date, Duration};

use crate::days::DAY_MS;
use crate::money::Fen;
use crate::payment::Method;
use crate::typed;

pub use matching::{Difference, OurPayment, OurRefund, of_payment, of_refund};

/// Parts of a 分 that fees are counted in: WeChat Pay takes 0.00001 yuan.
pub const FEE_PARTS: i64 = 1000;
/// The most days that a bill may be of; Alipay has some of a month.
pub const MOST_DAYS: i64 = 31;
/// The most bytes of a line; bills have some 300.
pub const LONGEST_LINE: usize = 16 * 1024;

const CHINA_MS: i64 = 8 * 60 * 60_000;

/// What kind of a bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// WeChat Pay's trade bill of payments and refunds (`ALL`).
    WechatAll,
    /// That of payments (`SUCCESS`).
    WechatPayments,
    /// That of refunds (`REFUND`).
    WechatRefunds,
    /// Alipay's 业务明细.
    AlipayBusiness,
    /// Alipay's 账务明细; its refunds do not say which of ours they are.
    AlipayAccount,
}

/// What a line of a bill is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Money that came.
    Payment,
    /// Money that went back.
    Refund,
}

/// How the provider says it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// The money moved.
    Done,
    /// It is on its way.
    Waiting,
    /// It will not.
    Failed,
}

/// A line of a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Of the file, from 1.
    pub line: i64,
    pub part: Part,
    /// Epoch ms.
    pub at: i64,
    /// Our number of the payment (`out_trade_no`), and the provider's.
    pub payment: String,
    pub number: String,
    /// Of a refund, our number (`out_refund_no`) and the provider's; empty where the bill says none.
    pub refund: String,
    pub refund_number: String,
    /// What was paid or given back, above zero.
    pub amount: Fen,
    /// What the provider takes for it, in [`FEE_PARTS`] of a 分; below zero where it gives back what it took.
    pub fee: i64,
    pub standing: Standing,
}

/// What a whole bill comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    pub format: Format,
    /// The first day, and the one after the last.
    pub from: Date,
    pub until: Date,
    pub payments: i64,
    pub paid: Fen,
    pub refunds: i64,
    pub refunded: Fen,
    /// In [`FEE_PARTS`] of a 分.
    pub fees: i64,
}

/// Whose bills are taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merchant {
    /// WeChat Pay's 商户号 and 公众账号 ID.
    pub wechat: Option<(String, String)>,
    /// Alipay's 商户 PID, 16 digits that begin with 2088.
    pub alipay: Option<String>,
}

/// Why a file is no bill of the shop's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line that says so, from 1.
    pub line: Option<i64>,
    /// A sentence for whoever has the file.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "第 {line} 行：{}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Problem {}

impl Format {
    /// Each.
    pub const ALL: [Self; 5] = [
        Self::WechatAll,
        Self::WechatPayments,
        Self::WechatRefunds,
        Self::AlipayBusiness,
        Self::AlipayAccount,
    ];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::WechatAll => "wechat_all",
            Self::WechatPayments => "wechat_success",
            Self::WechatRefunds => "wechat_refund",
            Self::AlipayBusiness => "alipay_business",
            Self::AlipayAccount => "alipay_account",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::WechatAll => "微信支付交易账单",
            Self::WechatPayments => "微信支付交易账单（支付）",
            Self::WechatRefunds => "微信支付交易账单（退款）",
            Self::AlipayBusiness => "支付宝业务明细",
            Self::AlipayAccount => "支付宝账务明细",
        }
    }

    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.code() == code)
    }

    /// The way to pay that it is of.
    pub fn method(self) -> Method {
        match self {
            Self::WechatAll | Self::WechatPayments | Self::WechatRefunds => Method::Wechat,
            Self::AlipayBusiness | Self::AlipayAccount => Method::Alipay,
        }
    }

    /// Whether it has lines of this.
    pub fn has(self, part: Part) -> bool {
        match self {
            Self::WechatPayments => part == Part::Payment,
            Self::WechatRefunds => part == Part::Refund,
            _ => true,
        }
    }
}

impl Part {
    pub const ALL: [Self; 2] = [Self::Payment, Self::Refund];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Refund => "refund",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Payment => "收款",
            Self::Refund => "退款",
        }
    }

    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.code() == code)
    }
}

impl Standing {
    pub const ALL: [Self; 3] = [Self::Done, Self::Waiting, Self::Failed];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Waiting => "waiting",
            Self::Failed => "failed",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "成功",
            Self::Waiting => "处理中",
            Self::Failed => "失败",
        }
    }

    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|standing| standing.code() == code)
    }
}

/// A fee in whole 分, halves away from zero.
pub fn fee_in_fen(parts: i64) -> Fen {
    let half = FEE_PARTS / 2;
    Fen((parts.abs() + half) / FEE_PARTS * parts.signum())
}

/// What a bill's lines are read by, one after the other.
enum Kind {
    /// Nothing was read yet.
    Unknown,
    Wechat(Box<wechat::Bill>),
    Alipay(Box<alipay::Bill>),
}

/// Reads a bill, line by line; nothing of it is kept but sums.
pub struct Reader {
    merchant: Merchant,
    day: Option<Date>,
    line: i64,
    kind: Kind,
    sums: Sums,
}

/// What the lines have come to so far.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    payments: i64,
    paid: i64,
    refunds: i64,
    refunded: i64,
    fees: i64,
}

impl Reader {
    /// `day` is the one that the file is of, where whoever has it says so: WeChat Pay's do not, if nothing was sold.
    pub fn new(merchant: Merchant, day: Option<Date>) -> Self {
        Self { merchant, day, line: 0, kind: Kind::Unknown, sums: Sums::default() }
    }

    /// Reads the next line, without what ends it.
    ///
    /// # Errors
    /// A [`Problem`] with the line's number; the bill is none then.
    pub fn line(&mut self, text: &str) -> Result<Option<Entry>, Problem> {
        self.line += 1;
        let line = self.line;
        let found = self.read(text.trim_end_matches(['\r', '\n']));
        let entry = found.map_err(|what| Problem { line: Some(line), what })?;
        if let Some(entry) = &entry {
            let sums = &mut self.sums;
            let (count, sum) = match entry.part {
                Part::Payment => (&mut sums.payments, &mut sums.paid),
                Part::Refund => (&mut sums.refunds, &mut sums.refunded),
            };
            *count += 1;
            *sum = sum.saturating_add(entry.amount.0);
            sums.fees = sums.fees.saturating_add(entry.fee);
        }
        Ok(entry)
    }

    fn read(&mut self, text: &str) -> Result<Option<Entry>, String> {
        match &mut self.kind {
            Kind::Unknown => {
                let text = text.trim_start_matches('\u{feff}');
                if text.trim().is_empty() {
                    return Ok(None);
                }
                self.kind = begin(text, &self.merchant, self.day)?;
                Ok(None)
            }
            Kind::Wechat(bill) => bill.line(self.line, text),
            Kind::Alipay(bill) => {
                let (entry, fee) = bill.line(self.line, text)?;
                self.sums.fees = self.sums.fees.saturating_add(fee);
                Ok(entry)
            }
        }
    }

    /// The whole bill, when its last line was read.
    ///
    /// # Errors
    /// A [`Problem`] where it is not whole.
    pub fn end(self) -> Result<Totals, Problem> {
        let whole = |what: String| Problem { line: None, what };
        let (format, from, until) = match self.kind {
            Kind::Unknown => return Err(whole("文件是空的".into())),
            Kind::Wechat(bill) => bill.end().map_err(whole)?,
            Kind::Alipay(bill) => bill.end().map_err(whole)?,
        };
        let Sums { payments, paid, refunds, refunded, fees } = self.sums;
        Ok(Totals { format, from, until, payments, paid: Fen(paid), refunds, refunded: Fen(refunded), fees })
    }
}

/// What a file is, by its first line.
fn begin(text: &str, merchant: &Merchant, day: Option<Date>) -> Result<Kind, String> {
    let first = text.trim();
    if first.starts_with("交易时间") {
        let (mchid, appid) = merchant.wechat.clone().ok_or("没有配置微信支付，不知道这是不是本店的账单")?;
        return Ok(Kind::Wechat(Box::new(wechat::Bill::begin(first, mchid, appid, day)?)));
    }
    if first.starts_with("#支付宝") {
        let seller = merchant.alipay.clone().ok_or("没有配置支付宝，不知道这是不是本店的账单")?;
        return Ok(Kind::Alipay(Box::new(alipay::Bill::begin(first, seller, day)?)));
    }
    Err(match first.chars().next() {
        Some('<') => "这是一张网页，不是账单，请重新下载账单文件".into(),
        Some('{' | '[') => format!("这是接口的回答，不是账单：{}", cut(first)),
        _ => "不认识的文件。请上传微信支付的交易账单，或者支付宝的业务明细、账务明细".into(),
    })
}

/// So much of a text as a sentence takes.
fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

/// `2026-11-20 08:30:00` in China, epoch ms.
fn moment(text: &str) -> Result<i64, String> {
    let read = || {
        let (day, clock) = text.split_once(' ')?;
        let mut parts = clock.split(':').map(|part| part.parse::<i64>().ok().filter(|_| part.len() == 2));
        let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
        let fits = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
        let start = start_of(typed::date(day)?);
        (fits && parts.next().is_none()).then(|| start + ((hour * 60 + minute) * 60 + second) * 1000)
    };
    read().ok_or_else(|| format!("“{}”不是时间，应当像 2026-11-20 08:30:00", cut(text)))
}

/// The first moment of a day in China, epoch ms.
fn start_of(day: Date) -> i64 {
    let days = i64::from(day.to_julian_day() - Date::MIN.to_julian_day());
    let epoch =
        i64::from(time::OffsetDateTime::UNIX_EPOCH.date().to_julian_day() - Date::MIN.to_julian_day());
    (days - epoch) * DAY_MS - CHINA_MS
}

/// The day of a moment in China.
fn day_of(at: i64) -> Option<Date> {
    let days = (at + CHINA_MS).div_euclid(DAY_MS);
    time::OffsetDateTime::UNIX_EPOCH.date().checked_add(Duration::days(days))
}

/// An amount of a bill.
fn amount(name: &str, text: &str) -> Result<Fen, String> {
    text.parse().map_err(|_| format!("{name}“{}”不是金额", cut(text)))
}

/// A fee, in [`FEE_PARTS`] of a 分.
fn fee(name: &str, text: &str) -> Result<i64, String> {
    let parts =
        Decimal::from_str_exact(text).ok().and_then(|yuan| yuan.checked_mul(Decimal::from(100 * FEE_PARTS)));
    let whole =
        parts.filter(|parts| parts.fract().is_zero()).and_then(|parts| i64::try_from(parts.trunc()).ok());
    whole.ok_or_else(|| format!("{name}“{}”不是金额", cut(text)))
}

/// The columns of a table by their names, in which brackets of both widths are the same.
struct Columns(Vec<String>);

impl Columns {
    fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        Self(
            names
                .map(|name| name.trim().trim_start_matches('`').replace('（', "(").replace('）', ")"))
                .collect(),
        )
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known == name)
    }

    /// The first of these names that there is.
    fn one_of(&self, names: &[&str]) -> Result<usize, String> {
        names.iter().find_map(|name| self.find(name)).ok_or_else(|| format!("表头里没有“{}”这一列", names[0]))
    }
}

/// [`FEE_PARTS`] of a 分 as yuan, with as many decimals as it needs.
fn yuan(parts: i64) -> String {
    let yuan = Decimal::new(parts, 5).normalize();
    if yuan.scale() > 2 { yuan.to_string() } else { format!("{yuan:.2}") }
}
