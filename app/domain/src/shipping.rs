//! What delivery costs: by province and weight, from a table (product page, section 3, "Cart, orders,
//! delivery"). The weight comes from [`crate::goods::Goods::weight_grams`]. A shop may have a table of its own.

use std::collections::BTreeSet;

use crate::money::{Fen, MoneyError};
use crate::typed::{is_blank, words};

/// Provinces that cost the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    pub name: String,
    /// The first kilogram, begun or full.
    pub first_kg: Fen,
    /// Each further kilogram, begun or full.
    pub further_kg: Fen,
    /// Their full names, as in [`PROVINCES`].
    pub provinces: Vec<&'static str>,
}

impl Zone {
    /// The short names of its provinces.
    pub fn short_names(&self) -> Vec<&'static str> {
        self.provinces.iter().filter_map(|full| province(full)).map(|(short, _)| short).collect()
    }
}

/// Why nothing is delivered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShippingError {
    /// There is no such province.
    #[error("没有这个省份：{0}")]
    UnknownProvince(String),
    /// No zone of the shop's has it.
    #[error("本店不寄到{0}")]
    NotDelivered(String),
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// What is wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TariffProblem {
    #[error("至少要有一个地区")]
    Nothing,
    #[error("地区最多 {MOST_ZONES} 个")]
    TooManyZones,
    /// Which zone it is, from 0.
    #[error("地区名要有 1 到 {LONGEST_NAME} 个字")]
    Name(usize),
    #[error("地区名写了两次：{1}")]
    NameTwice(usize, String),
    #[error("价格是 0 到 {} 元", MOST.to_yuan().normalize())]
    FirstKg(usize),
    #[error("价格是 0 到 {} 元", MOST.to_yuan().normalize())]
    FurtherKg(usize),
    #[error("没有这个省份，或者写在了两个地区里：{0}")]
    Province(String),
}

/// The most zones of a table.
pub const MOST_ZONES: usize = 12;
/// The most characters of a zone's name.
pub const LONGEST_NAME: usize = 20;
/// The most that a kilogram may cost.
pub const MOST: Fen = Fen(100_000);

/// The short and the full name of each of the 34 provinces, those that are near Shanghai first.
pub const PROVINCES: [(&str, &str); 34] = [
    ("上海", "上海市"),
    ("江苏", "江苏省"),
    ("浙江", "浙江省"),
    ("安徽", "安徽省"),
    ("北京", "北京市"),
    ("天津", "天津市"),
    ("河北", "河北省"),
    ("山西", "山西省"),
    ("山东", "山东省"),
    ("河南", "河南省"),
    ("湖北", "湖北省"),
    ("湖南", "湖南省"),
    ("江西", "江西省"),
    ("福建", "福建省"),
    ("广东", "广东省"),
    ("辽宁", "辽宁省"),
    ("吉林", "吉林省"),
    ("黑龙江", "黑龙江省"),
    ("广西", "广西壮族自治区"),
    ("海南", "海南省"),
    ("重庆", "重庆市"),
    ("四川", "四川省"),
    ("贵州", "贵州省"),
    ("云南", "云南省"),
    ("陕西", "陕西省"),
    ("甘肃", "甘肃省"),
    ("宁夏", "宁夏回族自治区"),
    ("内蒙古", "内蒙古自治区"),
    ("青海", "青海省"),
    ("新疆", "新疆维吾尔自治区"),
    ("西藏", "西藏自治区"),
    ("香港", "香港特别行政区"),
    ("澳门", "澳门特别行政区"),
    ("台湾", "台湾省"),
];

/// The zones of a shop that has no table of its own, seen from Shanghai: a name, prices, how many of [`PROVINCES`] follow.
const BUILT_IN: [(&str, Fen, Fen, usize); 5] = [
    ("江浙沪皖", Fen(800), Fen(200), 4),
    ("华北华中华南", Fen(1000), Fen(500), 11),
    ("东北西南西北", Fen(1200), Fen(800), 13),
    ("青新藏", Fen(2000), Fen(1600), 3),
    ("港澳台", Fen(3500), Fen(2200), 3),
];

/// The full names of all provinces: what an address form offers.
pub fn provinces() -> impl Iterator<Item = &'static str> {
    PROVINCES.iter().map(|(_, full)| *full)
}

/// Both names of a province, by one of them: `广东`, `广东省`.
pub fn province(name: &str) -> Option<(&'static str, &'static str)> {
    let name = name.trim();
    PROVINCES.into_iter().find(|(short, full)| name == *short || name == *full)
}

/// What sending costs where. No province is in two zones; one that is in none is not delivered to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tariff(Vec<Zone>);

/// The one of a shop that has none of its own: every province has a price.
impl Default for Tariff {
    fn default() -> Self {
        let mut provinces = provinces();
        let zones = BUILT_IN.into_iter().map(|(name, first_kg, further_kg, count)| Zone {
            name: name.to_owned(),
            first_kg,
            further_kg,
            provinces: provinces.by_ref().take(count).collect(),
        });
        Self(zones.collect())
    }
}

impl Tariff {
    /// A table as it was typed.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn new(zones: Vec<Zone>) -> Result<Self, TariffProblem> {
        if zones.is_empty() {
            return Err(TariffProblem::Nothing);
        }
        if zones.len() > MOST_ZONES {
            return Err(TariffProblem::TooManyZones);
        }
        let (mut names, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for (index, zone) in zones.iter().enumerate() {
            let length = zone.name.chars().count();
            if is_blank(&zone.name) || length > LONGEST_NAME || words(&zone.name) != zone.name {
                return Err(TariffProblem::Name(index));
            }
            if !names.insert(zone.name.as_str()) {
                return Err(TariffProblem::NameTwice(index, zone.name.clone()));
            }
            let fits = |price: Fen| (Fen::ZERO..=MOST).contains(&price);
            if !fits(zone.first_kg) {
                return Err(TariffProblem::FirstKg(index));
            }
            if !fits(zone.further_kg) {
                return Err(TariffProblem::FurtherKg(index));
            }
            for name in &zone.provinces {
                if !provinces().any(|full| full == *name) || !taken.insert(*name) {
                    return Err(TariffProblem::Province((*name).to_owned()));
                }
            }
        }
        Ok(Self(zones))
    }

    pub fn zones(&self) -> &[Zone] {
        &self.0
    }

    /// The zone of a province, by its short or full name. None where it is not delivered to.
    pub fn zone(&self, name: &str) -> Option<&Zone> {
        let (_, full) = province(name)?;
        self.0.iter().find(|zone| zone.provinces.contains(&full))
    }

    /// The provinces that it is not delivered to, by their short names.
    pub fn left_out(&self) -> Vec<&'static str> {
        PROVINCES.into_iter().map(|(short, _)| short).filter(|short| self.zone(short).is_none()).collect()
    }

    /// The cost of sending so many grams to a province; a parcel of nothing costs the first kilogram too.
    pub fn cost(&self, to: &str, grams: u64) -> Result<Fen, ShippingError> {
        let (short, _) = province(to).ok_or_else(|| ShippingError::UnknownProvince(to.to_owned()))?;
        let zone = self.zone(to).ok_or_else(|| ShippingError::NotDelivered(short.to_owned()))?;
        let further = grams.div_ceil(1000).saturating_sub(1);
        Ok(zone.first_kg.plus(zone.further_kg.times(further)?)?)
    }
}
