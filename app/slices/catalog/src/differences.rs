//! What is different between goods as they are and as somebody wants them: one thing each, by its place.

use std::fmt;

use domain::goods::{Cnum, Goods};
use serde_json::Value;

use super::files::Filed;

/// One thing that is different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// They are sold again.
    OnSale,
    /// They are sold no more.
    OffSale,
    /// A value, `null` where there is none.
    Value { place: Vec<String>, before: Value, after: Value },
    /// Something that was not there.
    New { place: Vec<String>, what: Value },
    /// Something that is there no more.
    Gone { place: Vec<String> },
    /// The same things follow one another otherwise.
    Order { place: Vec<String> },
}

/// For the command line and the log: `price_book.base: "12.00" → "999.00"`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnSale => f.write_str("on sale again"),
            Self::OffSale => f.write_str("off sale"),
            Self::Value { place, before, after } => write!(f, "{}: {before} → {after}", place.join(".")),
            Self::New { place, what } => write!(f, "{} is new: {what}", place.join(".")),
            Self::Gone { place } => write!(f, "{} is gone", place.join(".")),
            Self::Order { place } => write!(f, "{} is in another order", place.join(".")),
        }
    }
}

/// Everything that is different.
pub fn between(before: &Filed, after: &Filed) -> Result<Vec<Difference>, serde_json::Error> {
    let mut found = Vec::new();
    if before.active != after.active {
        found.push(if after.active { Difference::OnSale } else { Difference::OffSale });
    }
    let (before, after) = (serde_json::to_value(&before.goods)?, serde_json::to_value(&after.goods)?);
    compare(&[], &before, &after, &mut found);
    Ok(found)
}

fn compare(place: &[String], before: &Value, after: &Value, found: &mut Vec<Difference>) {
    let below = |key: &str| place.iter().cloned().chain([key.to_owned()]).collect::<Vec<_>>();
    let is_large = |value: &Value| value.is_object() || value.is_array();
    match (before, after) {
        (before, after) if before == after => {}
        (Value::Object(before), Value::Object(after)) => {
            let added = after.keys().filter(|key| !before.contains_key(*key));
            for key in before.keys().chain(added) {
                let none = &Value::Null;
                let (before, after) = (before.get(key).unwrap_or(none), after.get(key).unwrap_or(none));
                compare(&below(key), before, after, found);
            }
        }
        (Value::Array(before), Value::Array(after)) => match (keys(before), keys(after)) {
            (Some(known), Some(wanted)) => {
                for (key, value) in known.iter().zip(before) {
                    match wanted.iter().position(|wanted| wanted == key).and_then(|at| after.get(at)) {
                        Some(after) => compare(&below(key), value, after, found),
                        None => found.push(Difference::Gone { place: below(key) }),
                    }
                }
                let added = wanted.iter().zip(after).filter(|(key, _)| !known.contains(key));
                found.extend(
                    added.map(|(key, what)| Difference::New { place: below(key), what: what.clone() }),
                );
                let stayed: Vec<_> = known.iter().filter(|key| wanted.contains(key)).collect();
                let follow: Vec<_> = wanted.iter().filter(|key| known.contains(key)).collect();
                if stayed != follow {
                    found.push(Difference::Order { place: place.to_vec() });
                }
            }
            _ if before.len() == after.len() => {
                for (index, (before, after)) in before.iter().zip(after).enumerate() {
                    compare(&below(&(index + 1).to_string()), before, after, found);
                }
            }
            _ => found.push(value(place, before.clone().into(), after.clone().into())),
        },
        (Value::Null, what) if is_large(what) => {
            found.push(Difference::New { place: place.to_vec(), what: what.clone() });
        }
        (before, Value::Null) if is_large(before) => found.push(Difference::Gone { place: place.to_vec() }),
        (before, after) => found.push(value(place, before.clone(), after.clone())),
    }
}

fn value(place: &[String], before: Value, after: Value) -> Difference {
    Difference::Value { place: place.to_vec(), before, after }
}

/// What tells the things of a list from one another; nothing where they have no names of their own.
fn keys(list: &[Value]) -> Option<Vec<String>> {
    let mut keys = Vec::with_capacity(list.len());
    for thing in list {
        let thing = thing.as_object()?;
        let key = ["cnum", "id", "name", "from"].iter().find_map(|name| thing.get(*name))?;
        let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
        if keys.contains(&key) {
            return None;
        }
        keys.push(key);
    }
    Some(keys)
}

/// What the parts of goods are called.
const WORDS: [(&str, &str); 56] = [
    ("name", "名称"),
    ("description", "说明"),
    ("about", "说明"),
    ("id", "编号"),
    ("cnum", "编号"),
    ("editor_type", "编辑器类型"),
    ("is_has_pastedown", "首末页与封面相贴"),
    ("trim", "成品尺寸"),
    ("width", "宽"),
    ("height", "高"),
    ("pages", "自动排版的页数"),
    ("min", "最少"),
    ("max", "最多"),
    ("step", "每次"),
    ("zhuangDingPageCfg", "装订的页数范围"),
    ("papers", "纸张"),
    ("grams_per_square_metre", "克重（克）"),
    ("caliper_mm", "厚度（毫米）"),
    ("calipers", "各种纸的厚度（毫米）"),
    ("bodies", "装订用料"),
    ("cover_mm", "封面厚度（毫米）"),
    ("cover_grams", "封面重量（克）"),
    ("sheets_per_leaf", "每张由几张纸裱成"),
    ("leaf_mm", "每张加厚（毫米）"),
    ("leaf_grams_per_square_metre", "每张加重（克）"),
    ("cover", "封面"),
    ("mounted", "对裱"),
    ("section_pages", "每帖至多的页数"),
    ("kind", "做法"),
    ("endpapers", "环衬"),
    ("making_days", "制作的工作日"),
    ("from", "从"),
    ("to", "到"),
    ("stages", "生产环节"),
    ("supplier", "供应商"),
    ("print", "印刷文件"),
    ("standard", "标准"),
    ("profile", "输出特性文件"),
    ("total_ink", "总墨量（%）"),
    ("spots", "专色"),
    ("steps", "工序"),
    ("is_show", "显示"),
    ("tips", "提示"),
    ("items", "选项"),
    ("grams", "重量（克）"),
    ("film_mm", "膜的厚度（毫米）"),
    ("swatch", "颜色"),
    ("bundles", "组合"),
    ("price_book", "价格表"),
    ("valid_from", "起用日"),
    ("base", "基础价"),
    ("per_page", "每页"),
    ("volume", "数量优惠"),
    ("tiers", "会员优惠"),
    ("rate", "减去"),
    ("price", "价格"),
];

fn word(key: &str) -> &str {
    WORDS.iter().find(|(known, _)| *known == key).map_or(key, |(_, word)| word)
}

impl Difference {
    /// For people: `基础价：¥12.00 → ¥999.00`. Names are those of the goods before and after.
    pub fn in_words(&self, before: &Goods, after: &Goods) -> String {
        let named = |place: &[String]| place_in_words(place, [after, before]);
        match self {
            Self::OnSale => "恢复出售".to_owned(),
            Self::OffSale => "停止出售".to_owned(),
            Self::Value { place, before, after } => {
                let key = place.last().map_or("", String::as_str);
                format!("{}：{} → {}", named(place), value_in_words(key, before), value_in_words(key, after))
            }
            Self::New { place, what } => {
                let what = contents(what);
                let colon = if what.is_empty() { "" } else { "：" };
                format!("新增 {}{colon}{what}", named(place))
            }
            Self::Gone { place } => format!("去掉 {}", named(place)),
            Self::Order { place } => format!("{}：先后次序变了", named(place)),
        }
    }
}

fn place_in_words(place: &[String], goods: [&Goods; 2]) -> String {
    let mut words = Vec::new();
    for (index, key) in place.iter().enumerate() {
        let above = index.checked_sub(1).and_then(|above| place.get(above)).map_or("", String::as_str);
        let is_last = index + 1 == place.len();
        let word = match above {
            "steps" => step_named(goods, key),
            "items" => item_named(goods, key),
            "volume" => format!("满 {key} 本"),
            "zhuangDingPageCfg" | "papers" | "calipers" | "bodies" | "bundles" | "tiers" => key.clone(),
            // a range of pages: from, to
            _ if place.first().is_some_and(|first| first == "zhuangDingPageCfg") && index == 2 => {
                if key == "1" { "最少" } else { "最多" }.to_owned()
            }
            // what follows says whose it is
            _ if matches!(key.as_str(), "steps" | "items" | "price_book") && !is_last => continue,
            _ => word(key).to_owned(),
        };
        words.push(word);
    }
    words.join(" · ")
}

fn step_named(goods: [&Goods; 2], id: &str) -> String {
    let step = goods.iter().find_map(|goods| goods.steps.iter().find(|step| step.id == id));
    step.map_or_else(|| id.to_owned(), |step| step.name.clone())
}

fn item_named(goods: [&Goods; 2], cnum: &str) -> String {
    let cnum = Cnum::from(cnum);
    let item = goods.iter().find_map(|goods| goods.steps.iter().find_map(|step| step.item(&cnum)));
    item.map_or_else(|| cnum.to_string(), |item| format!("{}（{cnum}）", item.name))
}

fn value_in_words(key: &str, value: &Value) -> String {
    match (key, value) {
        (_, Value::Null) => "没有".to_owned(),
        (_, Value::Bool(is_so)) => if *is_so { "是" } else { "否" }.to_owned(),
        ("basis", Value::String(basis)) => match basis.as_str() {
            "copy" => "每本".to_owned(),
            "page" => "每页".to_owned(),
            "order" => "每单".to_owned(),
            other => other.to_owned(),
        },
        ("base" | "per_page" | "price", Value::String(amount)) => format!("¥{amount}"),
        (_, Value::String(text)) if text.is_empty() => "空".to_owned(),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

/// What something new says of itself, without its parts.
fn contents(what: &Value) -> String {
    let Some(parts) = what.as_object() else { return value_in_words("", what) };
    let said = parts.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
    let said = said.map(|(key, value)| match key.as_str() {
        "basis" => value_in_words(key, value),
        key => format!("{} {}", word(key), value_in_words(key, value)),
    });
    said.collect::<Vec<_>>().join("，")
}

#[cfg(test)]
mod tests {
    use super::super::tests::built_in;
    use super::*;

    fn told(change: impl Fn(&mut Filed)) -> (Vec<String>, Vec<String>) {
        let before = Filed { goods: built_in("album-a5"), active: true };
        let mut after = before.clone();
        change(&mut after);
        let found = between(&before, &after).unwrap();
        let words = found.iter().map(|one| one.in_words(&before.goods, &after.goods)).collect();
        (found.iter().map(ToString::to_string).collect(), words)
    }

    #[test]
    fn what_is_the_same_is_not_told() {
        assert_eq!(told(|_| {}), (vec![], vec![]));
    }

    #[test]
    fn each_thing_is_named_by_its_place() {
        let (lines, words) = told(|filed| {
            filed.active = false;
            filed.goods.price_book.base = "999.00".parse().unwrap();
            filed.goods.price_book.items.get_mut(&Cnum::from("b-pur")).unwrap().price = "11".parse().unwrap();
            filed.goods.binding_pages.get_mut("骑马钉").unwrap().max = 48;
            filed.goods.price_book.volume.remove(0);
            let craft = filed.goods.steps.iter_mut().find(|step| step.id == "craft").unwrap();
            craft.items.reverse();
        });
        for line in [
            "off sale",
            "price_book.base: \"12.00\" → \"999.00\"",
            "price_book.items.b-pur.price: \"10.00\" → \"11.00\"",
            "zhuangDingPageCfg.骑马钉.2: 56 → 48",
            "price_book.volume.10 is gone",
            "steps.craft.items is in another order",
        ] {
            assert!(lines.iter().any(|told| told == line), "{line}: {lines:?}");
        }
        assert_eq!(lines.len(), 6, "{lines:?}");
        for line in [
            "停止出售",
            "基础价：¥12.00 → ¥999.00",
            "PUR平装（b-pur） · 价格：¥10.00 → ¥11.00",
            "装订的页数范围 · 骑马钉 · 最多：56 → 48",
            "去掉 数量优惠 · 满 10 本",
            "其他工艺 · 选项：先后次序变了",
        ] {
            assert!(words.iter().any(|told| told == line), "{line}: {words:?}");
        }
    }

    #[test]
    fn what_is_new_says_what_it_is() {
        let (lines, words) = told(|filed| {
            let price = filed.goods.price_book.items[&Cnum::from("x-uv")];
            filed.goods.price_book.items.insert(Cnum::from("l-matt"), price);
        });
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("price_book.items.l-matt is new: {"), "{lines:?}");
        assert!(
            words[0].starts_with("新增 哑膜（l-matt）：") && words[0].contains("价格 ¥6.00"),
            "{words:?}"
        );
    }
}
