//! What delivery costs: by province and weight, from a table (product page, section 3, "Cart, orders,
//! delivery"). The weight comes from [`crate::goods::Goods::weight_grams`].

use crate::money::{Fen, MoneyError};

/// Provinces that cost the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone {
    pub name: &'static str,
    /// The first kilogram, begun or full.
    pub first_kg: Fen,
    /// Each further kilogram, begun or full.
    pub further_kg: Fen,
    /// The short and the full name of each province.
    pub provinces: &'static [(&'static str, &'static str)],
}

/// Why nothing is delivered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShippingError {
    /// No zone has such a province.
    #[error("没有这个省份：{0}")]
    UnknownProvince(String),
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// The 34 provinces in zones, seen from a print shop in Shanghai.
pub const ZONES: [Zone; 5] = [
    Zone {
        name: "江浙沪皖",
        first_kg: Fen(800),
        further_kg: Fen(200),
        provinces: &[("上海", "上海市"), ("江苏", "江苏省"), ("浙江", "浙江省"), ("安徽", "安徽省")],
    },
    Zone {
        name: "华北华中华南",
        first_kg: Fen(1000),
        further_kg: Fen(500),
        provinces: &[
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
        ],
    },
    Zone {
        name: "东北西南西北",
        first_kg: Fen(1200),
        further_kg: Fen(800),
        provinces: &[
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
        ],
    },
    Zone {
        name: "青新藏",
        first_kg: Fen(2000),
        further_kg: Fen(1600),
        provinces: &[("青海", "青海省"), ("新疆", "新疆维吾尔自治区"), ("西藏", "西藏自治区")],
    },
    Zone {
        name: "港澳台",
        first_kg: Fen(3500),
        further_kg: Fen(2200),
        provinces: &[("香港", "香港特别行政区"), ("澳门", "澳门特别行政区"), ("台湾", "台湾省")],
    },
];

/// The full names of all provinces: what an address form offers.
pub fn provinces() -> impl Iterator<Item = &'static str> {
    ZONES.iter().flat_map(|zone| zone.provinces.iter().map(|(_, full)| *full))
}

/// The zone of a province, by its short or full name: `广东`, `广东省`.
pub fn zone(province: &str) -> Option<&'static Zone> {
    let province = province.trim();
    ZONES
        .iter()
        .find(|zone| zone.provinces.iter().any(|(short, full)| province == *short || province == *full))
}

/// The cost of sending so many grams to a province; a parcel of nothing costs the first kilogram too.
pub fn cost(province: &str, grams: u64) -> Result<Fen, ShippingError> {
    let zone = zone(province).ok_or_else(|| ShippingError::UnknownProvince(province.to_owned()))?;
    let further = grams.div_ceil(1000).saturating_sub(1);
    Ok(zone.first_kg.plus(zone.further_kg.times(further)?)?)
}
