//! Delivery by province and weight.

use std::collections::BTreeSet;

use domain::money::Fen;
use domain::shipping::{ShippingError, ZONES, cost, provinces, zone};

#[test]
fn every_province_has_one_zone() {
    let all: Vec<&str> = provinces().collect();
    assert_eq!(all.len(), 34);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 34);
    for zone_of in &ZONES {
        for (short, full) in zone_of.provinces {
            assert!(full.starts_with(short));
            assert_eq!(zone(short), Some(zone_of));
            assert_eq!(zone(full), Some(zone_of));
        }
    }
}

#[test]
fn a_begun_kilogram_counts() {
    for (grams, yuan) in [(0, 800), (1, 800), (1000, 800), (1001, 1000), (2000, 1000), (2001, 1200)] {
        assert_eq!(cost("上海市", grams), Ok(Fen(yuan)), "{grams}");
    }
    assert_eq!(cost("西藏", 2500), Ok(Fen(2000 + 2 * 1600)));
}

#[test]
fn heavier_is_never_cheaper() {
    for province in provinces() {
        let costs: Vec<Fen> = (0..30).map(|i| cost(province, i * 333).expect("a cost")).collect();
        assert!(costs.is_sorted());
    }
}

#[test]
fn an_unknown_province_is_refused() {
    for province in ["", "省", "加州", "广", "上海市浦东"] {
        assert_eq!(cost(province, 1), Err(ShippingError::UnknownProvince(province.to_owned())));
    }
    assert!(matches!(cost("西藏", u64::MAX), Err(ShippingError::Money(_))));
}
