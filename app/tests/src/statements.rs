//! Statements as providers write them, made of what a test says, for merchants of nobody.

use std::io::{Cursor, Write};

use domain::money::Fen;
use encoding_rs::GBK;
use reqwest::Response;
use reqwest::multipart::{Form, Part};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::Caller;
use crate::fakes::{alipay, wechatpay};

/// A line of a statement.
#[derive(Debug, Clone)]
pub struct Line {
    pub payment: String,
    /// The provider's number.
    pub number: String,
    /// 分.
    pub amount: i64,
    /// Our number of what goes back; of a payment it is empty.
    pub refund: String,
}

impl Line {
    pub fn paid(payment: &str, number: &str, amount: i64) -> Self {
        Self { payment: payment.into(), number: number.into(), amount, refund: String::new() }
    }

    pub fn refunded(payment: &str, number: &str, refund: &str, amount: i64) -> Self {
        Self { refund: refund.into(), ..Self::paid(payment, number, amount) }
    }
}

/// WeChat Pay's trade bill of a day, `2026-11-20`: UTF-8 with a byte order mark.
pub fn of_wechat(day: &str, lines: &[Line]) -> String {
    let mut text = "\u{feff}交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注\r\n".to_owned();
    let (mut paid, mut back) = (0, 0);
    for line in lines {
        let is_refund = !line.refund.is_empty();
        let (came, went) = if is_refund { (0, line.amount) } else { (line.amount, 0) };
        paid += came;
        back += went;
        let (came, went) = (Fen(came), Fen(went));
        let (state, standing) = if is_refund { ("REFUND", "SUCCESS") } else { ("SUCCESS", "") };
        let (ours, theirs) = if is_refund { (line.refund.as_str(), "50000001") } else { ("0", "0") };
        text += &format!(
            "`{day} 12:00:00,`{},`{},`0,`,`{},`{},`user,`NATIVE,`{state},`OTHERS,`CNY,`{came},`0.00,`{theirs},`{ours},`{went},`0.00,`,`{standing},`书坊, \"相册\" `A4`,`,`0.00600,`0.60%,`{came},`{went},`\r\n",
            wechatpay::APPID,
            wechatpay::MCHID,
            line.number,
            line.payment,
        );
    }
    let fees = format!("{}.{:05}", lines.len() * 600 / 100_000, lines.len() * 600 % 100_000);
    let (count, paid, back) = (lines.len(), Fen(paid), Fen(back));
    text + &format!(
        "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额\r\n`{count},`{paid},`{back},`0.00,`{fees},`{paid},`{back}\r\n"
    )
}

/// Alipay's 业务明细 of a day and the one after it.
pub fn of_alipay((day, next): (&str, &str), lines: &[Line]) -> String {
    let said = |day: &str| {
        let mut parts = day.split('-');
        let mut part = || parts.next().unwrap();
        format!("[{}年{}月{}日 00:00:00]", part(), part(), part())
    };
    let mut text = format!(
        "#支付宝业务明细查询\r\n#账号：[{}0156]\r\n#起始日期：{}   终止日期：{}\r\n#-----------------------------------------业务明细列表----------------------------------------\r\n支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注\r\n",
        alipay::SELLER_ID,
        said(day),
        said(next)
    );
    let (mut sums, mut counts) = ([0; 2], [0; 2]);
    for line in lines {
        let kind = usize::from(!line.refund.is_empty());
        let amount = if kind == 1 { -line.amount } else { line.amount };
        sums[kind] += amount;
        counts[kind] += 1;
        let (name, amount) = (["交易", "退款"][kind], Fen(amount));
        let fee = ["-0.01", "0.01"][kind];
        text += &format!(
            "{}\t,{}\t,{name}\t,\"书坊, \"\"相册\"\"\",{day} 10:55:16,{day} 10:55:23,\t,\t,\t,\t,*知夏(lin***)\t,{amount},{amount},0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00,{}\t,{fee},0.00,\r\n",
            line.number, line.payment, line.refund
        );
    }
    text + &format!(
        "#-----------------------------------------业务明细列表结束------------------------------------\r\n#交易合计：{}笔，商家实收共{}元，商家优惠共0.00元\r\n#退款合计：{}笔，商家实收退款共{}元，商家优惠退款共0.00元\r\n#导出时间：[2026年11月21日 05:46:49]\r\n",
        counts[0],
        Fen(sums[0]),
        counts[1],
        Fen(sums[1])
    )
}

/// As Alipay encodes it.
pub fn gbk(text: &str) -> Vec<u8> {
    let (bytes, _, lost) = GBK.encode(text);
    assert!(!lost);
    bytes.into_owned()
}

/// As Alipay packs it: its summary goes before it.
pub fn packed(bill: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let summary = gbk("#支付宝业务汇总查询\r\n#账号：[x]\r\n");
    for (name, bytes) in [("2088_业务明细(汇总).csv", summary.as_slice()), ("2088_业务明细.csv", bill)]
    {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Sends a file in the form.
pub async fn send(clerk: &Caller, name: &str, bytes: Vec<u8>, day: &str) -> Response {
    let part = Part::bytes(bytes).file_name(name.to_owned());
    let form = Form::new().part("file", part).text("day", day.to_owned());
    clerk.post_multipart("/staff/statements", form).await
}
