//! WeChat Pay's trade bill 交易账单: a heading, a line for each trade whose values begin with a backquote, a heading of sums and
//! the sums. <https://pay.weixin.qq.com/doc/v3/merchant/4012791850>

use time::Date;

use super::{Columns, Entry, Format, Part, Standing, amount, cut, day_of, fee, moment};

/// Sums at the end, and the columns that they are sums of; those of before 2018 and of red packets, too.
const SUMS: [(&str, &str); 10] = [
    ("应结订单总金额", "应结订单金额"),
    ("退款总金额", "退款金额"),
    ("充值券退款总金额", "充值券退款金额"),
    ("手续费总金额", "手续费"),
    ("订单总金额", "订单金额"),
    ("申请退款总金额", "申请退款金额"),
    ("总交易额", "总金额"),
    ("总退款金额", "退款金额"),
    ("总代金券或立减优惠退款金额", "代金券或立减优惠退款金额"),
    ("总企业红包退款金额", "企业红包退款金额"),
];
/// The count of lines.
const COUNT: &str = "总交易单数";
/// What its shop wrote, with whatever is in it; the shop's own data stand behind it.
const TITLE: &str = "商品名称";

pub struct Bill {
    columns: Columns,
    format: Format,
    at: usize,
    appid: usize,
    mchid: usize,
    number: usize,
    payment: usize,
    state: usize,
    currency: usize,
    amount: usize,
    fee: usize,
    /// Where it has refunds.
    refund: Option<RefundColumns>,
    /// Whose it has to be.
    merchant: (String, String),
    /// The day that it is of, when it is known.
    day: Option<Date>,
    /// What the columns of [`SUMS`] come to, in the order of the sums.
    sums: [i64; SUMS.len()],
    /// Where those columns are.
    summed: [Option<usize>; SUMS.len()],
    lines: i64,
    stage: Stage,
}

struct RefundColumns {
    number: usize,
    ours: usize,
    amount: usize,
    state: usize,
    done_at: Option<usize>,
}

enum Stage {
    Lines,
    /// The heading of the sums was read.
    Sums(Columns),
    Over,
}

impl Bill {
    pub fn begin(heading: &str, mchid: String, appid: String, day: Option<Date>) -> Result<Self, String> {
        let columns = Columns::new(heading.split(','));
        let refund = match columns.find("商户退款单号") {
            Some(ours) => Some(RefundColumns {
                ours,
                number: columns.one_of(&["微信退款单号"])?,
                // what was asked to be given back; coupons are a part of it
                amount: columns.one_of(&["申请退款金额", "退款金额"])?,
                state: columns.one_of(&["退款状态"])?,
                done_at: columns.find("退款成功时间"),
            }),
            None => None,
        };
        let format = match &refund {
            None => Format::WechatPayments,
            Some(RefundColumns { done_at: Some(_), .. }) => Format::WechatRefunds,
            Some(_) => Format::WechatAll,
        };
        Ok(Self {
            format,
            at: columns.one_of(&["交易时间"])?,
            appid: columns.one_of(&["公众账号ID"])?,
            mchid: columns.one_of(&["商户号"])?,
            number: columns.one_of(&["微信订单号"])?,
            payment: columns.one_of(&["商户订单号"])?,
            state: columns.one_of(&["交易状态"])?,
            currency: columns.one_of(&["货币种类"])?,
            amount: columns.one_of(&["订单金额", "总金额"])?,
            fee: columns.one_of(&["手续费"])?,
            refund,
            summed: SUMS.map(|(_, of)| columns.find(of)),
            columns,
            merchant: (mchid, appid),
            day,
            sums: [0; SUMS.len()],
            lines: 0,
            stage: Stage::Lines,
        })
    }

    pub fn line(&mut self, line: i64, text: &str) -> Result<Option<Entry>, String> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        match &self.stage {
            Stage::Lines if text.starts_with(COUNT) => {
                self.stage = Stage::Sums(Columns::new(text.split(',')));
                Ok(None)
            }
            Stage::Lines => self.entry(line, text).map(Some),
            Stage::Sums(columns) => {
                self.check(columns, text)?;
                self.stage = Stage::Over;
                Ok(None)
            }
            Stage::Over => Err("合计以后还有内容".into()),
        }
    }

    /// The values of a line. Nothing is quoted: a value ends where a comma and the next one's backquote stand, and what of that
    /// the shop wrote itself stands in its title.
    fn values<'a>(&self, text: &'a str) -> Result<Vec<&'a str>, String> {
        let all = text.strip_prefix('`').ok_or("每个值前面应当有一个反引号（`）")?;
        let mut values: Vec<&str> = all.split(",`").collect();
        let wanted = self.columns.0.len();
        if let (Some(more), Some(title)) = (values.len().checked_sub(wanted), self.columns.find(TITLE)) {
            values.drain(title..title + more);
        }
        if values.len() != wanted {
            return Err(format!("有 {} 列，表头有 {wanted} 列，文件可能不完整", values.len()));
        }
        Ok(values)
    }

    fn entry(&mut self, line: i64, text: &str) -> Result<Entry, String> {
        let values = self.values(text)?;
        let (mchid, appid) = &self.merchant;
        if values[self.mchid] != mchid {
            return Err(format!("这是商户号 {} 的账单，本店是 {mchid}", cut(values[self.mchid])));
        }
        if values[self.appid] != appid {
            return Err(format!("这是应用 {} 的账单，本店是 {appid}", cut(values[self.appid])));
        }
        if values[self.currency] != "CNY" {
            return Err(format!("货币是 {}，这里只核对人民币", cut(values[self.currency])));
        }
        let traded_at = moment(values[self.at])?;
        let fee = fee("手续费", values[self.fee])?;
        let of_refund = |columns: &RefundColumns| {
            let state = values[columns.state];
            let standing = match state {
                "SUCCESS" => Standing::Done,
                "PROCESSING" => Standing::Waiting,
                "FAIL" | "FAILED" | "CHANGE" | "REFUNDCLOSE" => Standing::Failed,
                other => return Err(format!("不认识的退款状态“{}”", cut(other))),
            };
            let at = match columns.done_at.map(|at| values[at]).filter(|at| !at.is_empty()) {
                Some(at) => moment(at)?,
                None => traded_at,
            };
            Ok((
                at,
                values[columns.ours],
                values[columns.number],
                amount("退款金额", values[columns.amount])?,
                standing,
            ))
        };
        let (part, (at, refund, refund_number, amount, standing)) = match values[self.state] {
            "SUCCESS" => {
                let amount = amount("订单金额", values[self.amount])?;
                if let Some(columns) = &self.refund
                    && !matches!(values[columns.ours], "" | "0")
                {
                    return Err("交易状态是支付，却有退款单号".into());
                }
                (Part::Payment, (traded_at, "", "", amount, Standing::Done))
            }
            "REFUND" | "REVOKED" => {
                let columns = self.refund.as_ref().ok_or("这份账单只有支付，却有一笔退款")?;
                (Part::Refund, of_refund(columns)?)
            }
            other => return Err(format!("不认识的交易状态“{}”", cut(other))),
        };
        if amount.0 <= 0 {
            return Err(format!("{}金额应当大于 0", part.name()));
        }
        if part == Part::Payment {
            // a refund stands there with the time of what it gives back
            let day = day_of(at);
            if self.day.is_none() {
                self.day = day;
            } else if self.day != day {
                return Err(format!("交易时间 {} 不在账单的那一天", values[self.at]));
            }
        }
        let entry = Entry {
            line,
            part,
            at,
            payment: values[self.payment].to_owned(),
            number: values[self.number].to_owned(),
            refund: refund.to_owned(),
            refund_number: refund_number.to_owned(),
            amount,
            fee,
            standing,
        };
        for (place, (_, of)) in SUMS.iter().enumerate() {
            if let Some(at) = self.summed[place] {
                self.sums[place] = self.sums[place].saturating_add(super::fee(of, values[at])?);
            }
        }
        self.lines += 1;
        Ok(entry)
    }

    fn check(&self, columns: &Columns, text: &str) -> Result<(), String> {
        let values: Vec<&str> = text.split(',').map(|value| value.trim().trim_start_matches('`')).collect();
        if values.len() != columns.0.len() {
            return Err("合计行不完整，请重新下载账单".into());
        }
        for (name, value) in columns.0.iter().zip(values) {
            if name == COUNT {
                if value.parse() != Ok(self.lines) {
                    return Err(format!(
                        "合计写着 {} 笔，账单里有 {} 笔，文件不完整或被改过",
                        cut(value),
                        self.lines
                    ));
                }
            } else if let Some(place) = SUMS.iter().position(|(sum, _)| sum == name) {
                let said = fee(name, value)?;
                if said != self.sums[place] {
                    let ours = super::yuan(self.sums[place]);
                    return Err(format!(
                        "{name}写着 {}，各行加起来是 {ours}，文件不完整或被改过",
                        cut(value)
                    ));
                }
            }
        }
        Ok(())
    }

    pub fn end(self) -> Result<(Format, Date, Date), String> {
        if !matches!(self.stage, Stage::Over) {
            return Err("文件不完整：最后没有合计，请重新下载账单".into());
        }
        let day = self.day.ok_or("这份账单里没有付款，看不出是哪一天的，请填写账单日期")?;
        let next = day.next_day().ok_or("账单日期太远")?;
        Ok((self.format, day, next))
    }
}
