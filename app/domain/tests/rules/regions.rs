//! The list of regions.

use std::collections::BTreeSet;

use domain::regions::{cities, districts, is_known, provinces};
use domain::shipping;

#[test]
fn every_province_is_shipped_to_and_the_other_way_round() {
    let offered: BTreeSet<_> = provinces().collect();
    assert_eq!(offered, shipping::provinces().collect());
}

#[test]
fn every_city_has_districts_and_no_name_stands_twice() {
    let mut count = 0;
    for province in provinces() {
        let names: Vec<_> = cities(province).collect();
        assert!(!names.is_empty(), "{province}");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{province}");
        for city in names {
            let names = districts(province, city);
            assert!(!names.is_empty(), "{province}{city}");
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{province}{city}");
            assert!(names.iter().all(|name| !name.is_empty() && is_known(province, city, name)));
            count += names.len();
        }
    }
    // some 2,850 counties and districts on the mainland, the towns of cities without any, and the three beside it
    assert!((3_000..4_000).contains(&count), "{count}");
}

#[test]
fn forms_offer_what_people_expect() {
    for (province, city, district) in [
        ("北京市", "北京市", "东城区"),
        ("重庆市", "重庆市", "渝中区"),
        ("重庆市", "重庆市", "城口县"),
        ("浙江省", "杭州市", "西湖区"),
        ("江苏省", "苏州市", "姑苏区"),
        ("湖北省", "仙桃市", "仙桃市"),
        ("海南省", "三沙市", "西沙群岛"),
        ("广东省", "东莞市", "虎门镇"),
        ("新疆维吾尔自治区", "石河子市", "石河子市"),
        ("香港特别行政区", "九龙", "油尖旺区"),
        ("澳门特别行政区", "澳门半岛", "大堂区"),
        ("台湾省", "台北市", "大安区"),
    ] {
        assert!(is_known(province, city, district), "{province}{city}{district}");
    }
}

#[test]
fn what_does_not_belong_together_is_unknown() {
    for (province, city, district) in [
        ("浙江省", "杭州市", "姑苏区"),
        ("浙江省", "苏州市", "姑苏区"),
        ("浙江", "杭州市", "西湖区"),
        ("", "", ""),
        ("浙江省", "杭州市", ""),
    ] {
        assert!(!is_known(province, city, district), "{province}{city}{district}");
    }
    for name in provinces().flat_map(cities) {
        assert!(!name.contains("直辖") && name != "市辖区" && name != "县", "{name} is a heading of a table");
    }
}
