//! Alipay's bills: lines that begin with `#` around a table, whose values have a tab behind them. 业务明细 has a line for each
//! trade and refund with its fee; 账务明细 one for each movement of the account, fees among them.
//! <https://opendocs.alipay.com/open/204/105944>

use ::csv::ReaderBuilder;
use time::Date;

use super::{Columns, Entry, Format, MOST_DAYS, Part, Standing, amount, cut, day_of, fee, moment, yuan};
use crate::money::Fen;

pub struct Bill {
    format: Format,
    seller: String,
    is_ours: bool,
    /// The first day, and the one after the last.
    days: Option<(Date, Date)>,
    /// The day that it was said to be of.
    wanted: Option<Date>,
    columns: Option<Table>,
    is_over: bool,
    /// What the file's own sums were read of, and what they have to be: of what came and of what went.
    came: Sum,
    went: Sum,
}

#[derive(Default)]
struct Sum {
    count: i64,
    amount: i64,
    was_checked: bool,
}

struct Table {
    names: Columns,
    number: usize,
    payment: usize,
    kind: usize,
    at: usize,
    money: Money,
}

enum Money {
    Business { total: usize, received: usize, refund: usize, fee: usize },
    Account { came: usize, went: usize },
}

impl Bill {
    pub fn begin(first: &str, seller: String, wanted: Option<Date>) -> Result<Self, String> {
        let format = if first.starts_with("#支付宝业务明细查询") {
            Format::AlipayBusiness
        } else if first.starts_with("#支付宝账务明细查询") {
            Format::AlipayAccount
        } else {
            return Err("这是汇总，不是明细。请上传同一个压缩包里的明细文件".into());
        };
        Ok(Self {
            format,
            seller,
            is_ours: false,
            days: None,
            wanted,
            columns: None,
            is_over: false,
            came: Sum::default(),
            went: Sum::default(),
        })
    }

    /// The entry of a line, and a fee that stands by itself.
    pub fn line(&mut self, line: i64, text: &str) -> Result<(Option<Entry>, i64), String> {
        // a spreadsheet fills lines up with commas
        let bare = text.trim().trim_end_matches(',').trim();
        if bare.is_empty() {
            return Ok((None, 0));
        }
        if let Some(said) = bare.strip_prefix('#') {
            self.said(said)?;
            return Ok((None, 0));
        }
        if self.is_over {
            return Err("明细列表结束以后还有内容".into());
        }
        let values = row(text)?;
        let Some(table) = &self.columns else {
            if !self.is_ours {
                return Err("前面没有账号，文件不完整".into());
            }
            if self.days.is_none() {
                return Err("前面没有起始日期和终止日期，文件不完整".into());
            }
            self.columns = Some(Table::new(self.format, &values)?);
            return Ok((None, 0));
        };
        let wanted = table.names.0.len();
        if values.len() != wanted {
            return Err(format!("有 {} 列，表头有 {wanted} 列，文件可能不完整", values.len()));
        }
        let at = moment(&values[table.at])?;
        let in_period = match (self.days, day_of(at)) {
            (Some((from, until)), Some(day)) => from <= day && day < until,
            _ => false,
        };
        if !in_period {
            return Err(format!("时间 {} 不在账单的起止日期里", values[table.at]));
        }
        let found = match table.money {
            Money::Business { total, received, refund, fee: charged } => {
                let kind = values[table.kind].as_str();
                let part = match kind {
                    "交易" => Part::Payment,
                    "退款" => Part::Refund,
                    other => return Err(format!("不认识的业务类型“{}”", cut(other))),
                };
                let (total, got) =
                    (amount("订单金额", &values[total])?, amount("商家实收", &values[received])?);
                let charged = fee("服务费", &values[charged])?.abs();
                let (amount, charged, sum) = match part {
                    Part::Payment => (total, charged, &mut self.came),
                    Part::Refund => (Fen(total.0.saturating_neg()), charged.saturating_neg(), &mut self.went),
                };
                if amount.0 <= 0 {
                    let sign = if part == Part::Payment { "大于" } else { "小于" };
                    return Err(format!("{kind}的订单金额应当{sign} 0"));
                }
                sum.count += 1;
                sum.amount = sum.amount.saturating_add(got.0);
                let refund = if part == Part::Refund { values[refund].clone() } else { String::new() };
                Some((part, amount, charged, refund))
            }
            Money::Account { came, went } => {
                let (came, went) = (amount("收入金额", &values[came])?, amount("支出金额", &values[went])?);
                let went = Fen(went.0.abs());
                if came.is_negative() || (came == Fen::ZERO) == (went == Fen::ZERO) {
                    return Err("收入和支出应当有一项是 0，另一项不是".into());
                }
                let (sum, moved) =
                    if came == Fen::ZERO { (&mut self.went, went) } else { (&mut self.came, came) };
                sum.count += 1;
                sum.amount = sum.amount.saturating_add(moved.0);
                let is_in = came != Fen::ZERO;
                match values[table.kind].as_str() {
                    kind if kind.contains("退款") && !is_in => {
                        Some((Part::Refund, moved, 0, String::new()))
                    }
                    kind if kind.contains("收费") || kind.contains("服务费") => {
                        let charged = moved.0.saturating_mul(super::FEE_PARTS);
                        return Ok((None, if is_in { charged.saturating_neg() } else { charged }));
                    }
                    "在线支付" | "交易付款" | "交易" if is_in => {
                        Some((Part::Payment, moved, 0, String::new()))
                    }
                    "在线支付" | "交易付款" | "交易" | "交易退款" | "退款" => {
                        return Err(format!("{}的收支方向不对", values[table.kind]));
                    }
                    // withdrawals and what else moves on an account is no trade
                    _ => None,
                }
            }
        };
        let entry = found.map(|(part, amount, fee, refund)| Entry {
            line,
            part,
            at,
            payment: values[table.payment].clone(),
            number: values[table.number].clone(),
            refund,
            refund_number: String::new(),
            amount,
            fee,
            standing: Standing::Done,
        });
        Ok((entry, 0))
    }

    /// A line that begins with `#`.
    fn said(&mut self, said: &str) -> Result<(), String> {
        if let Some(account) = said.strip_prefix("账号：") {
            let account = account.trim_matches(['[', ']']);
            if !account.starts_with(&self.seller) {
                return Err(format!("这是账号 {} 的账单，本店是 {}", cut(account), self.seller));
            }
            self.is_ours = true;
        } else if said.starts_with("起始日期：") {
            self.days = Some(self.period(said)?);
        } else if said.contains("明细列表结束") {
            self.is_over = true;
        } else if said.starts_with("交易合计") || said.starts_with("收入合计") {
            self.came.check(said)?;
        } else if said.starts_with("退款合计") || said.starts_with("支出合计") {
            self.went.check(said)?;
        }
        Ok(())
    }

    /// `起始日期：[2026年11月20日 00:00:00]   终止日期：[2026年11月21日 00:00:00]`.
    fn period(&self, said: &str) -> Result<(Date, Date), String> {
        let wrong = || format!("起止日期看不懂：{}", cut(said));
        let mut days = said.split('[').skip(1).filter_map(|part| {
            let text = part.split(']').next()?;
            let text = text.replace(['年', '月'], "-").replace('日', "");
            day_of(moment(&text).ok()?).filter(|_| text.ends_with(" 00:00:00"))
        });
        let (Some(from), Some(until), None) = (days.next(), days.next(), days.next()) else {
            return Err(wrong());
        };
        if !(1..=MOST_DAYS).contains(&(until - from).whole_days()) {
            return Err(format!("起止日期应当是 1 到 {MOST_DAYS} 天：{}", cut(said)));
        }
        if self.wanted.is_some_and(|day| day < from || day >= until) {
            return Err(format!("账单的起止日期不是填写的那一天：{}", cut(said)));
        }
        Ok((from, until))
    }

    pub fn end(self) -> Result<(Format, Date, Date), String> {
        let Some((from, until)) = self.days.filter(|_| self.columns.is_some()) else {
            return Err("文件不完整：没有明细列表，请重新下载账单".into());
        };
        if !self.is_over || !self.came.was_checked || !self.went.was_checked {
            return Err("文件不完整：最后没有合计，请重新下载账单".into());
        }
        Ok((self.format, from, until))
    }
}

impl Sum {
    /// `交易合计：6笔，商家实收共0.06元，商家优惠共0.00元`.
    fn check(&mut self, said: &str) -> Result<(), String> {
        let wrong = || format!("合计看不懂：{}", cut(said));
        let (name, rest) = said.split_once('：').ok_or_else(wrong)?;
        let (count, rest) = rest.split_once('笔').ok_or_else(wrong)?;
        let money = rest.split_once('共').and_then(|(_, rest)| rest.split_once('元')).ok_or_else(wrong)?.0;
        let count: i64 = count.trim().parse().map_err(|_| wrong())?;
        let money = amount(name, money.trim())?;
        if count != self.count {
            return Err(format!("{name}写着 {count} 笔，账单里有 {} 笔，文件不完整或被改过", self.count));
        }
        if money.0.abs() != self.amount.abs() {
            let ours = yuan(self.amount.abs().saturating_mul(super::FEE_PARTS));
            return Err(format!("{name}写着 {money}，各行加起来是 {ours}，文件不完整或被改过"));
        }
        self.was_checked = true;
        Ok(())
    }
}

impl Table {
    fn new(format: Format, heading: &[String]) -> Result<Self, String> {
        let names = Columns::new(heading.iter().map(String::as_str));
        let money = if format == Format::AlipayBusiness {
            Money::Business {
                total: names.one_of(&["订单金额(元)"])?,
                received: names.one_of(&["商家实收(元)"])?,
                refund: names.one_of(&["退款批次号/请求号", "退款批次号"])?,
                fee: names.one_of(&["服务费(元)"])?,
            }
        } else {
            Money::Account {
                came: names.one_of(&["收入金额(+元)"])?,
                went: names.one_of(&["支出金额(-元)"])?,
            }
        };
        Ok(Self {
            number: names.one_of(&["支付宝交易号", "业务流水号"])?,
            payment: names.one_of(&["商户订单号"])?,
            kind: names.one_of(&["业务类型"])?,
            at: names.one_of(&["完成时间", "发生时间"])?,
            money,
            names,
        })
    }
}

/// The values of a line, without the tabs behind them.
fn row(text: &str) -> Result<Vec<String>, String> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(text.len().max(1))
        .from_reader(text.as_bytes());
    let record =
        reader.records().next().transpose().map_err(|_| "这一行不是表格")?.ok_or("这一行不是表格")?;
    Ok(record.iter().map(|value| value.trim().to_owned()).collect())
}
