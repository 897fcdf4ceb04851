//! The audit log ([`base::audit`]) as people read it: what slices call their actions, and what a row's detail says.

use base::audit::Noted;
use base::time;
use domain::money::Fen;
use domain::notices::Kind;
use domain::parcel::Reason;
use domain::payment::RefundState;
use domain::production::Stage;
use domain::staff::Role;
use domain::statement::{Difference, Format};
use serde_json::{Map, Value};

use crate::approvals::{ASK, DECIDE};
use crate::slice::House;

/// An action by itself, and as what another one has to agree to: how its key ends, and what stands before its name.
const WAYS: [(&str, &str); 3] = [("", ""), ASK, DECIDE];

/// A row as people read it: its action by its name, where a slice gives it one, and its detail as a line.
pub fn in_words(noted: Noted, house: &'static House) -> Noted {
    let action = name(house, &noted.action).unwrap_or(noted.action);
    Noted { action, detail: line(house, &noted.detail), ..noted }
}

/// Whether a slice names an action. In a house that names none at all, as this floor's own tests have it, any will do.
pub fn is_named(house: &'static House, action: &str) -> bool {
    let names_any = house.slices.iter().any(|slice| !slice.audited.is_empty());
    !names_any || name(house, action).is_some()
}

/// All keys with their names, each of two parts.
fn named(house: &'static House) -> impl Iterator<Item = ([&'static str; 2], [&'static str; 2])> {
    house
        .each(|slice| slice.audited)
        .flat_map(|&(key, name)| WAYS.into_iter().map(move |(end, word)| ([key, end], [word, name])))
}

/// What people call an action; nothing where no slice names it.
pub fn name(house: &'static House, action: &str) -> Option<String> {
    let (_, name) = named(house).find(|([key, end], _)| action.strip_prefix(*key) == Some(*end))?;
    Some(name.concat())
}

/// The keys of the actions whose names hold the words, each between commas.
pub fn keys_of(house: &'static House, words: &str) -> String {
    let words = words.to_lowercase();
    let holds = |name: &[&str; 2]| !words.is_empty() && name.concat().to_lowercase().contains(&words);
    named(house).filter(|(_, name)| holds(name)).fold(String::from(","), |keys, (key, _)| {
        let key = key.concat();
        keys + &key + ","
    })
}

/// How the values of a key are shown.
#[derive(Clone, Copy)]
enum Shown {
    AsItIs,
    /// Yuan.
    Money,
    /// Epoch ms.
    Moment,
    /// By what people call it, where it is the code of something, or several of them.
    Named(fn(&'static House, &str) -> Option<&'static str>),
    /// How many of what.
    Counts(fn(&str, &Value) -> String),
    /// The fields of an address.
    Query,
}

use Shown::*;

/// What details say, in the order in which it is read. A key means the same for all actions, or what its value tells.
const KEYS: &[(&str, &str, Shown)] = &[
    ("new", "新增", AsItIs),
    ("active", "在售", AsItIs),
    ("name", "名称", AsItIs),
    ("full_name", "姓名", AsItIs),
    ("before", "原来", Named(role)),
    ("roles", "角色", Named(role)),
    ("word", "优惠码", AsItIs),
    ("codes", "码数", AsItIs),
    ("rule", "优惠", AsItIs),
    ("goods", "商品", AsItIs),
    ("once", "每人一次", AsItIs),
    ("most", "一共可用", AsItIs),
    ("version", "版本", AsItIs),
    ("base", "所改的版本", AsItIs),
    ("changed", "改动", AsItIs),
    ("kind", "种类", Named(of_list)),
    ("format", "格式", Named(|_, code| Format::of(code).map(Format::name))),
    ("query", "筛选", Query),
    ("from", "从", Moment),
    ("until", "到", Moment),
    ("line", "行", AsItIs),
    ("lines", "笔数", AsItIs),
    ("place", "位置", AsItIs),
    ("stage", "环节", Named(|_, code| code.parse::<Stage>().ok().map(Stage::name))),
    ("capacity", "每天能做", Counts(of_stage)),
    ("closed", "停工日", AsItIs),
    ("job", "任务", AsItIs),
    ("jobs", "任务数", AsItIs),
    ("parts", "内容", AsItIs),
    ("folder", "文件夹", AsItIs),
    ("parcel", "包裹", AsItIs),
    ("carrier", "承运人", AsItIs),
    ("tracking", "运单号", AsItIs),
    ("corrected", "更正", AsItIs),
    ("copies", "本数", Counts(|line, copies| format!("第 {line} 行 {copies} 本"))),
    ("amount", "金额", Money),
    ("shipping", "运费", Money),
    ("cost", "成本", Money),
    ("stands_for", "原发票还有效", Money),
    ("prices", "价格", AsItIs),
    ("tier", "等级", AsItIs),
    ("months", "月数", AsItIs),
    ("price", "价格", Money),
    ("zones", "地区", AsItIs),
    ("first_kg", "首重", Money),
    ("further_kg", "续重", Money),
    ("provinces", "省份", AsItIs),
    ("sender", "寄件人", AsItIs),
    ("phone", "电话", AsItIs),
    ("address", "地址", AsItIs),
    ("asked", "请求", Named(|_, word| (word == "again").then_some("再问一次"))),
    ("kinds", "哪些事", Named(|_, code| Kind::of(code).map(Kind::name))),
    ("summary", "每日汇总", AsItIs),
    ("passkey", "通行密钥", AsItIs),
    ("issuer", "公司账号的登录地址", AsItIs),
    ("subject", "公司账号", AsItIs),
    ("state", "结果", Named(|_, code| code.parse::<RefundState>().ok().map(RefundState::name))),
    ("outcome", "结果", Named(outcome)),
    ("reason", "原因", Named(|_, code| code.parse::<Reason>().ok().map(Reason::name))),
    ("why", "原因", AsItIs),
    ("answer", "答复", AsItIs),
    ("note", "备注", AsItIs),
    ("by", "由", Named(|_, word| (word == "member").then_some("会员本人"))),
    ("asked_by", "提出人", AsItIs),
    ("seller", "卖家", AsItIs),
    ("reference", "附言", AsItIs),
    ("number", "号码", AsItIs),
    ("code", "发票代码", AsItIs),
    ("issued_on", "开票日期", AsItIs),
    ("payment", "收款编号", AsItIs),
    ("refund", "退款编号", AsItIs),
    ("reports", "举报编号", AsItIs),
    ("notice", "推送编号", AsItIs),
    ("request", "申请编号", AsItIs),
    ("key", "办理编号", AsItIs),
    ("file", "文件", AsItIs),
    ("sha256", "SHA-256", AsItIs),
];

fn role(_: &'static House, code: &str) -> Option<&'static str> {
    code.parse::<Role>().ok().map(Role::name)
}

/// A list that was exported, or a difference of a statement.
fn of_list(house: &'static House, code: &str) -> Option<&'static str> {
    let export = house.each(|slice| slice.exports).find(|export| export.kind() == code);
    export.map(|export| export.name()).or_else(|| Difference::of(code).map(Difference::name))
}

fn outcome(_: &'static House, word: &str) -> Option<&'static str> {
    match word {
        "granted" => Some("同意"),
        "declined" => Some("不同意"),
        _ => None,
    }
}

fn of_stage(code: &str, units: &Value) -> String {
    match code.parse::<Stage>() {
        Ok(stage) => format!("{stage} {units} {}", stage.unit()),
        Err(_) => format!("{code} {units}"),
    }
}

/// What a row's detail says, in one line: `金额：¥49.00；原因：寄丢了`. What is empty is left out, and a key that nobody knows stands
/// there as it is.
pub fn line(house: &'static House, detail: &str) -> String {
    match serde_json::from_str(detail) {
        Ok(Value::Object(detail)) => pairs(house, &detail, "；"),
        _ => detail.to_owned(),
    }
}

fn pairs(house: &'static House, of: &Map<String, Value>, between: &str) -> String {
    let known = KEYS.iter().filter_map(|(key, name, shown)| Some((*name, of.get(*key)?, *shown)));
    let is_known = |key: &str| KEYS.iter().any(|(known, ..)| *known == key);
    let others = of.iter().filter(|(key, _)| !is_known(key)).map(|(key, value)| (&**key, value, AsItIs));
    let pairs = known.chain(others).map(|(name, value, shown)| (name, said(house, value, shown)));
    let pairs = pairs.filter(|(_, said)| !said.is_empty()).map(|(name, said)| format!("{name}：{said}"));
    pairs.collect::<Vec<_>>().join(between)
}

fn said(house: &'static House, value: &Value, shown: Shown) -> String {
    match (value, shown) {
        (Value::Null, _) => String::new(),
        (Value::Bool(is_so), _) => if *is_so { "是" } else { "否" }.to_owned(),
        (Value::Number(at), Moment) => at.as_i64().map_or_else(|| at.to_string(), time::stamp),
        (Value::Number(number), _) => number.to_string(),
        (Value::String(text), Money) => {
            text.parse::<Fen>().map_or_else(|_| text.clone(), |sum| format!("¥{}", sum.grouped()))
        }
        (Value::String(text), Named(name)) => {
            let names = text.split([',', ' ']).map(|code| name(house, code)).collect::<Option<Vec<_>>>();
            names.map_or_else(|| text.clone(), |names| names.join("、"))
        }
        (Value::String(text), Query) => {
            let fields: Vec<(String, String)> = serde_urlencoded::from_str(text).unwrap_or_default();
            fields.into_iter().map(|(_, value)| value).collect::<Vec<_>>().join("、")
        }
        (Value::String(text), _) => text.clone(),
        (Value::Array(all), _) => {
            let all = all.iter().map(|one| said(house, one, shown)).filter(|one| !one.is_empty());
            all.collect::<Vec<_>>().join("、")
        }
        (Value::Object(counts), Counts(said)) => {
            counts.iter().map(|(of, count)| said(of, count)).collect::<Vec<_>>().join("、")
        }
        (Value::Object(of), _) if of.is_empty() => String::new(),
        (Value::Object(of), _) => format!("（{}）", pairs(house, of, "，")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::app::testing::Nobody;
    use crate::slice::Slice;

    static HOUSE: House = House {
        slices: &[&Slice {
            audited: &[("order refund", "退款"), ("coupon", "优惠券"), ("share.allow", "允许再次发布")],
            ..Slice::new("small")
        }],
        identity: &Nobody,
    };

    #[test]
    fn an_action_has_a_name_and_so_have_its_steps() {
        for (key, called) in [
            ("order refund", Some("退款")),
            ("order refund-ask", Some("提出退款")),
            ("order refund-decide", Some("复核退款")),
            ("coupon-ask", Some("提出优惠券")),
            ("order refund-later", None),
            ("order", None),
            ("-ask", None),
            ("", None),
        ] {
            assert_eq!(name(&HOUSE, key).as_deref(), called, "{key}");
        }
    }

    #[test]
    fn words_of_names_lead_to_keys() {
        for (words, keys) in [
            ("退款", ",order refund,order refund-ask,order refund-decide,"),
            ("复核", ",order refund-decide,coupon-decide,share.allow-decide,"),
            ("核退", ",order refund-decide,"),
            ("refund", ","),
            ("", ","),
        ] {
            assert_eq!(keys_of(&HOUSE, words), keys, "{words}");
        }
    }

    #[test]
    fn a_detail_is_a_line() {
        for (detail, said) in [
            ("{}", ""),
            (r#"{"reason":"寄丢了","amount":"1234.50"}"#, "金额：¥1,234.50；原因：寄丢了"),
            (r#"{"amount":null,"note":"","reports":[],"copies":{}}"#, ""),
            (
                r#"{"reason":"damaged","copies":{"1":2,"3":1}}"#,
                "本数：第 1 行 2 本、第 3 行 1 本；原因：运输破损",
            ),
            (r#"{"roles":"service,owner","before":"finance"}"#, "原来：财务；角色：客服、站长"),
            (
                r#"{"kinds":"order.paid disk.low","summary":false}"#,
                "哪些事：新订单（已付款）、磁盘快满了；每日汇总：否",
            ),
            (r#"{"stage":"binding","note":"胶没干"}"#, "环节：装订；备注：胶没干"),
            (r#"{"capacity":{"printing":2000}}"#, "每天能做：印刷 2000 P"),
            (r#"{"from":1795218300000,"until":"2026-12-01"}"#, "从：2026-11-21 07:45；到：2026-12-01"),
            (r#"{"state":"failed","corrected":true}"#, "更正：是；结果：未能退回"),
            (r#"{"query":"view=asked&q=%E6%9E%97","kind":"twice"}"#, "种类：重复付款；筛选：asked、林"),
            (r#"{"changed":["甲","乙"],"unheard":"of","z":3}"#, "改动：甲、乙；unheard：of；z：3"),
            (
                r#"{"zones":[{"name":"近","first_kg":"8.00"},{"name":"远"}]}"#,
                "地区：（名称：近，首重：¥8.00）、（名称：远）",
            ),
            // not the program's own
            ("not JSON", "not JSON"),
            (r#"{"amount":"a lot"}"#, "金额：a lot"),
        ] {
            assert_eq!(line(&HOUSE, detail), said, "{detail}");
        }
    }

    #[test]
    fn every_key_is_known_once() {
        let keys: BTreeSet<&str> = KEYS.iter().map(|(key, ..)| *key).collect();
        assert_eq!(keys.len(), KEYS.len());
    }
}
