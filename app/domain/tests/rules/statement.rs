//! Providers' bills: what is read of them, and what of a bill that was altered is told.

use domain::money::Fen;
use domain::payment::{PaymentState, RefundState};
use domain::statement::{
    Difference, Entry, Format, Merchant, OurPayment, OurRefund, Part, Reader, Standing, Totals, fee_in_fen,
    of_payment, of_refund,
};
use domain::typed::date;
use proptest::prelude::*;

const WECHAT: &str = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,\
付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,\
商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
const WECHAT_SUMS: &str =
    "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";
const BUSINESS: &str = "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,\
对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,\
商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";
const ACCOUNT: &str = "账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,\
账户余额（元）,交易渠道,业务类型,备注";

fn shop() -> Merchant {
    Merchant { wechat: Some(("1900000001".into(), "wx0123".into())), alipay: Some("2088021109625633".into()) }
}

fn read(text: &str, day: Option<&str>) -> Result<(Vec<Entry>, Totals), String> {
    let mut reader = Reader::new(shop(), day.and_then(date));
    let mut entries = Vec::new();
    for line in text.lines() {
        entries.extend(reader.line(line).map_err(|problem| problem.to_string())?);
    }
    Ok((entries, reader.end().map_err(|problem| problem.to_string())?))
}

fn told(text: &str) -> String {
    read(text, None).expect_err("no bill")
}

/// What is known here.
#[derive(Debug, Clone)]
struct Ours {
    payment: String,
    number: String,
    amount: i64,
    /// Our number of a refund of a part, and how much.
    refund: Option<(String, i64)>,
    title: String,
}

fn wechat(rows: &[Ours]) -> String {
    let mut text = format!("\u{feff}{WECHAT}\r\n");
    let (mut count, mut paid, mut back) = (0, 0, 0);
    let line = |state: &str, ours: &Ours, paid: Fen, refund: &str, back: Fen, standing: &str| {
        format!(
            "`2026-11-20 17:07:11,`wx0123,`1900000001,`0,`,`{},`{},`user,`NATIVE,`{state},`OTHERS,`CNY,`{paid},`0.00,`{},\
             `{},`{back},`0.00,`,`{standing},`{},`,`0.00100,`0.60%,`{paid},`{back},`\r\n",
            ours.number,
            ours.payment,
            if refund.is_empty() { "0" } else { "5000" },
            if refund.is_empty() { "0" } else { refund },
            ours.title,
        )
    };
    for ours in rows {
        text += &line("SUCCESS", ours, Fen(ours.amount), "", Fen::ZERO, "");
        (count, paid) = (count + 1, paid + ours.amount);
        if let Some((refund, amount)) = &ours.refund {
            text += &line("REFUND", ours, Fen::ZERO, refund, Fen(*amount), "SUCCESS");
            (count, back) = (count + 1, back + amount);
        }
    }
    let (paid, back) = (Fen(paid), Fen(back));
    let fees = format!("{}.{:05}", count / 1000, count % 1000 * 100);
    text + &format!("{WECHAT_SUMS}\r\n`{count},`{paid},`{back},`0.00,`{fees},`{paid},`{back}\r\n")
}

fn business(rows: &[Ours]) -> String {
    let mut text = "#支付宝业务明细查询\r\n#账号：[20880211096256330156]\r\n\
                    #起始日期：[2026年11月20日 00:00:00]   终止日期：[2026年11月21日 00:00:00]\r\n\
                    #-----------------------------------------业务明细列表----------------------------------------\r\n"
        .to_owned();
    text += BUSINESS;
    text += "\r\n";
    let (mut sums, mut counts) = ([0; 2], [0; 2]);
    for ours in rows {
        let title = format!("\"{}\"", ours.title.replace('"', "\"\""));
        let mut add = |kind: usize, amount: i64, refund: &str| {
            sums[kind] += amount;
            counts[kind] += 1;
            let name = ["交易", "退款"][kind];
            let (fee, amount) = (Fen(if kind == 0 { -1 } else { 1 }), Fen(amount));
            text += &format!(
                "{}\t,{}\t,{name}\t,{title},2026-11-20 10:55:16,2026-11-20 10:55:23,\t,\t,\t,\t,*林(lin***)\t,{amount},\
                 {amount},0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00,{refund}\t,{fee},0.00,\r\n",
                ours.number, ours.payment
            );
        };
        add(0, ours.amount, "");
        if let Some((refund, amount)) = &ours.refund {
            add(1, -amount, refund);
        }
    }
    text + &format!(
        "#-----------------------------------------业务明细列表结束------------------------------------\r\n\
         #交易合计：{}笔，商家实收共{}元，商家优惠共0.00元\r\n#退款合计：{}笔，商家实收退款共{}元，商家优惠退款共0.00元\r\n\
         #导出时间：[2026年11月21日 05:46:49]\r\n",
        counts[0],
        Fen(sums[0]),
        counts[1],
        Fen(sums[1])
    )
}

fn one(amount: i64) -> Ours {
    Ours {
        payment: "01abc".into(),
        number: "4200001".into(),
        amount,
        refund: Some(("01ref".into(), 1)),
        title: "相册, \"A4\" `x`".into(),
    }
}

fn differences(entries: &[Entry], rows: &[Ours]) -> Vec<Difference> {
    let payment = |entry: &Entry| {
        let ours = rows.iter().find(|ours| ours.payment == entry.payment)?;
        Some(OurPayment {
            amount: Fen(ours.amount),
            state: PaymentState::Paid,
            number: Some(ours.number.clone()),
        })
    };
    let refund = |entry: &Entry| {
        rows.iter().find_map(|ours| {
            let (refund, amount) = ours.refund.as_ref().filter(|(refund, _)| *refund == entry.refund)?;
            let _ = refund;
            Some(OurRefund { payment: ours.payment.clone(), amount: Fen(*amount), state: RefundState::Done })
        })
    };
    entries
        .iter()
        .filter_map(|entry| match entry.part {
            Part::Payment => of_payment(entry, payment(entry).as_ref(), false),
            Part::Refund => of_refund(entry, refund(entry).as_ref(), false),
        })
        .collect()
}

#[test]
fn both_providers_bills_are_read() {
    for (text, format, fees) in
        [(wechat(&[one(1001)]), Format::WechatAll, 200), (business(&[one(1001)]), Format::AlipayBusiness, 0)]
    {
        let (entries, totals) = read(&text, None).unwrap();
        assert_eq!(totals.format, format);
        assert_eq!((totals.from, totals.until), (date("2026-11-20").unwrap(), date("2026-11-21").unwrap()));
        assert_eq!((totals.payments, totals.paid), (1, Fen(1001)));
        assert_eq!((totals.refunds, totals.refunded), (1, Fen(1)));
        assert_eq!(totals.fees, fees, "what is given back of a fee is taken off");
        assert_eq!((entries[0].payment.as_str(), entries[0].number.as_str()), ("01abc", "4200001"));
        assert_eq!((entries[1].refund.as_str(), entries[1].amount), ("01ref", Fen(1)));
        assert_eq!(entries[1].standing, Standing::Done);
    }
    assert_eq!(fee_in_fen(1499), Fen(1));
    assert_eq!(fee_in_fen(-1500), Fen(-2));
}

#[test]
fn the_other_bills_of_wechat_have_other_columns() {
    let names = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,\
                 货币种类,应结订单金额,代金券金额,商品名称,商户数据包,手续费,费率,订单金额,费率备注";
    let text = format!(
        "{names}\n`2026-11-20 00:00:00,`wx0123,`1900000001,`0,`,`42,`01a,`u,`NATIVE,`SUCCESS,`X,`CNY,`9.00,`1.00,`书,`,\
         `0.05400,`0.60%,`10.00,`\n总交易单数,应结订单总金额,手续费总金额,订单总金额\n`1,`9.00,`0.05400,`10.00\n"
    );
    let (entries, totals) = read(&text, Some("2026-11-20")).unwrap();
    assert_eq!((totals.format, totals.fees), (Format::WechatPayments, 5400));
    assert_eq!(entries[0].amount, Fen(1000), "what was asked for, coupons among it");
    // the refund's own day counts, and the payment's may be long before
    let names = "交易时间,公众账号ID,商户号,子商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,\
                 货币种类,总金额,企业红包金额,退款申请时间,退款成功时间,微信退款单号,商户退款单号,退款金额,企业红包退款金额,\
                 退款类型,退款状态,商品名称,商户数据包,手续费,费率";
    let text = format!(
        "{names}\n`2026-11-18 14:40:09,`wx0123,`1900000001,`0,`,`42,`01a,`u,`NATIVE,`REFUND,`X,`CNY,`0.00,`0.00,\
         `2026-11-20 18:13:10,`2026-11-20 18:13:12,`50,`01r,`0.01,`0.00,`ORIGINAL,`PROCESSING,`书,`,`0.00000,`1.00%\n\
         总交易单数,总交易额,总退款金额,总企业红包退款金额,手续费总金额\n`1,`0.00,`0.01,`0.00,`0.00000\n"
    );
    assert!(told(&text).contains("请填写账单日期"), "{}", told(&text));
    let (entries, totals) = read(&text, Some("2026-11-20")).unwrap();
    assert_eq!((totals.format, totals.refunded), (Format::WechatRefunds, Fen(1)));
    assert_eq!(entries[0].standing, Standing::Waiting);
}

#[test]
fn an_account_s_movements_are_read_with_fees_of_their_own() {
    let text = format!(
        "#支付宝账务明细查询,,,,\n#账号：[20880211096256330156],,,\n\
         #起始日期：[2026年11月20日 00:00:00]   终止日期：[2026年11月21日 00:00:00],,,\n#---账务明细列表---,,,\n{ACCOUNT}\n\
         1\t,2026\t,01a\t,书\t,2026-11-20 09:00:00,林\t,10.00,0.00,10.00,支付宝,在线支付,\n\
         2\t,2026\t,01a\t,书\t,2026-11-20 09:00:00,支付宝\t,0.00,-0.06,9.94,支付宝,收费,\n\
         3\t,2026\t,01a\t,书\t,2026-11-20 10:00:00,林\t,0.00,-2.00,7.94,支付宝,交易退款,\n\
         4\t,9\t,\t,\t,2026-11-20 11:00:00,银行\t,0.00,-5.00,2.94,支付宝,提现,\n\
         #---账务明细列表结束---,,,\n#支出合计：3笔，共7.06元,,,\n#收入合计：1笔，共10.00元,,,\n#导出时间：[x],,\n"
    );
    let (entries, totals) = read(&text, None).unwrap();
    assert_eq!(totals.format, Format::AlipayAccount);
    assert_eq!((totals.paid, totals.refunded, fee_in_fen(totals.fees)), (Fen(1000), Fen(200), Fen(6)));
    assert_eq!(entries.len(), 2, "a withdrawal is no trade");
    assert!(
        told(&text.replace("10.00,0.00,10.00", "0.00,10.00,10.00"))
            .contains("第 6 行：在线支付的收支方向不对")
    );
}

#[test]
fn what_is_no_bill_of_the_shop_s_is_told_with_its_line() {
    let bill = wechat(&[one(1001)]);
    let ali = business(&[one(1001)]);
    for (text, sentence) in [
        (String::new(), "文件是空的"),
        ("<!doctype html><html>".into(), "第 1 行：这是一张网页"),
        ("{\"code\":\"NO_STATEMENT_EXIST\"}".into(), "第 1 行：这是接口的回答"),
        ("姓名,电话".into(), "第 1 行：不认识的文件"),
        ("#支付宝业务汇总查询".into(), "第 1 行：这是汇总"),
        (bill.replacen("1900000001", "1900000002", 1), "第 2 行：这是商户号 1900000002 的账单"),
        (bill.replacen("wx0123", "wx9", 1), "第 2 行：这是应用 wx9 的账单"),
        (
            ali.replace("2088021109625633", "2088999999999999"),
            "第 2 行：这是账号 20889999999999990156 的账单",
        ),
        (bill.replacen("CNY", "USD", 1), "第 2 行：货币是 USD"),
        (bill.replacen("`10.01", "`10.02", 1), "第 5 行：应结订单总金额写着 10.01，各行加起来是 10.02"),
        (bill.replacen("SUCCESS,`OTHERS", "REFUND,`OTHERS", 1), "第 2 行：不认识的退款状态“”"),
        (bill.replacen("REFUND", "SUCCESS", 1), "第 3 行：交易状态是支付，却有退款单号"),
        (bill.replacen("2026-11-20 17", "2026-11-20 27", 1), "第 2 行：“2026-11-20 27:07:11”不是时间"),
        (bill.replacen("商户订单号", "订单", 1), "第 1 行：表头里没有“商户订单号”这一列"),
        (bill.lines().take(2).collect::<Vec<_>>().join("\n"), "文件不完整：最后没有合计"),
        (ali.replacen("10.01,10.01", "10.02,10.02", 1), "交易合计写着 10.01，各行加起来是 10.02"),
        (ali.replacen("交易\t", "退款\t", 1), "第 6 行：退款的订单金额应当小于 0"),
        (
            ali.replacen("2026-11-20 10:55:23", "2026-11-21 00:00:00", 1),
            "第 6 行：时间 2026-11-21 00:00:00 不在",
        ),
        (
            ali.split("#-----------------------------------------业务明细列表结束").next().unwrap().into(),
            "文件不完整",
        ),
    ] {
        let told = told(&text);
        assert!(told.contains(sentence), "{told} for {sentence}");
    }
    // a line that was cut off in the middle, one that was left out
    let half: String = bill.chars().take(bill.chars().count() - 300).collect();
    assert!(told(&half).contains("列") || told(&half).contains("不完整"), "{}", told(&half));
    let less: Vec<&str> =
        bill.lines().enumerate().filter(|(place, _)| *place != 2).map(|(_, line)| line).collect();
    assert!(
        told(&less.join("\n")).contains("第 4 行：合计写着 2 笔，账单里有 1 笔"),
        "{}",
        told(&less.join("\n"))
    );
    assert!(read(&bill, Some("2026-11-19")).unwrap_err().contains("第 2 行：交易时间"));
    let nobody = Reader::new(Merchant::default(), None).line(WECHAT).unwrap_err();
    assert!(nobody.to_string().contains("没有配置微信支付"), "{nobody}");
}

#[test]
fn a_day_without_sales_has_a_bill_too() {
    let text = format!("{WECHAT}\r\n{WECHAT_SUMS}\r\n`0,`0.00,`0.00,`0.00,`0.00000,`0.00,`0.00\r\n");
    assert!(told(&text).contains("请填写账单日期"));
    let (entries, totals) = read(&text, Some("2026-11-20")).unwrap();
    assert!(entries.is_empty() && totals.paid == Fen::ZERO);
    assert_eq!(read(&business(&[]), None).unwrap().1.payments, 0);
}

#[test]
fn how_a_line_and_what_is_known_here_differ() {
    let (entries, _) = read(&wechat(&[one(1001)]), None).unwrap();
    let [paid, back] = &entries[..] else { panic!("two lines") };
    let ours = |amount, state, number: Option<&str>| OurPayment {
        amount: Fen(amount),
        state,
        number: number.map(str::to_owned),
    };
    use Difference::{Amount, Number, State, TheirsOnly, Twice};
    for (ours, again, expected) in [
        (None, false, Some(TheirsOnly)),
        (Some(ours(1001, PaymentState::Paid, Some("4200001"))), false, None),
        (Some(ours(1001, PaymentState::Paid, Some("4200001"))), true, Some(Twice)),
        (Some(ours(1001, PaymentState::Paid, Some("4200002"))), false, Some(Number)),
        (Some(ours(1000, PaymentState::Paid, Some("4200001"))), false, Some(Amount)),
        (Some(ours(1001, PaymentState::Pending, None)), false, Some(State)),
        (Some(ours(1001, PaymentState::Closed, None)), false, Some(State)),
    ] {
        assert_eq!(of_payment(paid, ours.as_ref(), again), expected, "{ours:?}");
    }
    let ours =
        |amount, state, payment: &str| OurRefund { payment: payment.into(), amount: Fen(amount), state };
    for (standing, ours, expected) in [
        (Standing::Done, None, Some(TheirsOnly)),
        (Standing::Done, Some(ours(1, RefundState::Done, "01abc")), None),
        (Standing::Done, Some(ours(1, RefundState::Pending, "01abc")), Some(State)),
        (Standing::Done, Some(ours(1, RefundState::Failed, "01abc")), Some(State)),
        (Standing::Waiting, Some(ours(1, RefundState::Pending, "01abc")), None),
        (Standing::Waiting, Some(ours(1, RefundState::Done, "01abc")), None),
        (Standing::Failed, Some(ours(1, RefundState::Pending, "01abc")), Some(State)),
        (Standing::Failed, Some(ours(1, RefundState::Failed, "01abc")), None),
        (Standing::Done, Some(ours(2, RefundState::Done, "01abc")), Some(Amount)),
        (Standing::Done, Some(ours(1, RefundState::Done, "01other")), Some(Number)),
    ] {
        let entry = Entry { standing, ..back.clone() };
        assert_eq!(of_refund(&entry, ours.as_ref(), false), expected, "{standing:?} {ours:?}");
    }
}

fn payments() -> impl Strategy<Value = Vec<Ours>> {
    let title = "[书相册,`\"a #，]{0,12}";
    let row = (1i64..10_000_000, any::<bool>(), title);
    proptest::collection::vec(row, 1..20).prop_map(|rows| {
        let numbered = rows.into_iter().enumerate();
        numbered
            .map(|(place, (amount, has_refund, title))| Ours {
                payment: format!("01p{place:04}"),
                number: format!("42{place:04}"),
                amount,
                refund: has_refund.then(|| (format!("01r{place:04}"), (amount / 2).max(1))),
                title,
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn a_bill_of_what_is_known_here_agrees(rows in payments()) {
        for text in [wechat(&rows), business(&rows)] {
            let (entries, _) = read(&text, None).unwrap();
            prop_assert_eq!(differences(&entries, &rows), vec![]);
            let refunds = rows.iter().filter(|ours| ours.refund.is_some()).count();
            prop_assert_eq!(entries.len(), rows.len() + refunds);
        }
    }

    #[test]
    fn one_altered_field_is_named(rows in payments(), place: usize, field in 0..4usize) {
        let place = place % rows.len();
        let mut altered = rows.clone();
        let ours = &mut altered[place];
        let expected = match field {
            0 => { ours.amount += 1; Difference::Amount }
            1 => { ours.payment = "01other".into(); Difference::TheirsOnly }
            2 => { ours.number = "43".into(); Difference::Number }
            _ => {
                let Some((refund, _)) = &mut ours.refund else { return Ok(()) };
                *refund = "01other".into();
                Difference::TheirsOnly
            }
        };
        for text in [wechat(&altered), business(&altered)] {
            let (entries, _) = read(&text, None).unwrap();
            let found = differences(&entries, &rows);
            prop_assert!(found.contains(&expected), "{:?}", found);
        }
        // the same in the file alone breaks its sums
        if field == 0 {
            let text = wechat(&rows);
            let amount = Fen(rows[place].amount);
            let broken = text.replacen(&format!("`{amount},`0.00,`0,`0"), &format!("`{},`0.00,`0,`0", Fen(rows[place].amount + 1)), 1);
            prop_assert!(read(&broken, None).is_err());
        }
    }
}
