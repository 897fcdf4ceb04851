//! Delivery by province and weight.

use std::collections::BTreeSet;

use domain::money::Fen;
use domain::shipping::{PROVINCES, ShippingError, Tariff, TariffProblem, Zone, province, provinces};

#[test]
fn every_province_has_one_zone() {
    let all: Vec<&str> = provinces().collect();
    assert_eq!(all.len(), 34);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 34);
    let tariff = Tariff::default();
    let mut named = 0;
    for zone in tariff.zones() {
        for full in &zone.provinces {
            let (short, _) = province(full).expect("a province");
            assert!(full.starts_with(short));
            assert_eq!((tariff.zone(short), tariff.zone(full)), (Some(zone), Some(zone)));
            named += 1;
        }
    }
    assert_eq!(named, 34);
    assert_eq!(tariff.left_out(), Vec::<&str>::new());
    assert_eq!(Tariff::new(tariff.zones().to_vec()), Ok(tariff));
}

#[test]
fn a_begun_kilogram_counts() {
    let tariff = Tariff::default();
    for (grams, fen) in [(0, 800), (1, 800), (1000, 800), (1001, 1000), (2000, 1000), (2001, 1200)] {
        assert_eq!(tariff.cost("上海市", grams), Ok(Fen(fen)), "{grams}");
    }
    assert_eq!(tariff.cost("西藏", 2500), Ok(Fen(2000 + 2 * 1600)));
}

#[test]
fn heavier_is_never_cheaper() {
    let tariff = Tariff::default();
    for province in provinces() {
        let costs: Vec<Fen> = (0..30).map(|i| tariff.cost(province, i * 333).expect("a cost")).collect();
        assert!(costs.is_sorted());
    }
}

#[test]
fn an_unknown_province_is_refused() {
    let tariff = Tariff::default();
    for name in ["", "省", "加州", "广", "上海市浦东"] {
        assert_eq!(tariff.cost(name, 1), Err(ShippingError::UnknownProvince(name.to_owned())));
    }
    assert!(matches!(tariff.cost("西藏", u64::MAX), Err(ShippingError::Money(_))));
}

fn zone(name: &str, first_kg: i64, further_kg: i64, provinces: &[&'static str]) -> Zone {
    let provinces = provinces.to_vec();
    Zone { name: name.to_owned(), first_kg: Fen(first_kg), further_kg: Fen(further_kg), provinces }
}

#[test]
fn a_shop_sends_where_its_table_says() {
    let tariff =
        Tariff::new(vec![zone("本市", 0, 0, &["广东省"]), zone("远", 1800, 900, &["西藏自治区", "青海省"])])
            .expect("a table");
    assert_eq!(tariff.cost("广东", 99_000), Ok(Fen::ZERO));
    assert_eq!(tariff.cost("青海省", 1001), Ok(Fen(2700)));
    assert_eq!(tariff.cost("上海市", 1), Err(ShippingError::NotDelivered("上海".to_owned())));
    assert_eq!(tariff.left_out().len(), PROVINCES.len() - 3);
}

#[test]
fn a_table_that_contradicts_itself_is_refused() {
    use TariffProblem::{FirstKg, FurtherKg, Name, NameTwice, Nothing, Province, TooManyZones};
    let good = || zone("甲", 800, 200, &["上海市"]);
    for (zones, problem) in [
        (vec![], Nothing),
        ((0..13).map(|i| zone(&i.to_string(), 1, 1, &[])).collect(), TooManyZones),
        (vec![good(), zone("　", 1, 1, &[])], Name(1)),
        (vec![zone(&"长".repeat(21), 1, 1, &[])], Name(0)),
        (vec![good(), zone("甲", 1, 1, &[])], NameTwice(1, "甲".to_owned())),
        (vec![zone("甲", -1, 0, &[])], FirstKg(0)),
        (vec![zone("甲", 1, 100_001, &[])], FurtherKg(0)),
        (vec![good(), zone("乙", 1, 1, &["上海市"])], Province("上海市".to_owned())),
        (vec![zone("乙", 1, 1, &["上海"])], Province("上海".to_owned())),
    ] {
        assert_eq!(Tariff::new(zones), Err(problem));
    }
}
