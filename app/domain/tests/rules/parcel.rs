//! What is in which parcel, and who carries it.

use domain::parcel::{
    CARRIERS, Carrier, ContentsProblem, Copies, Reason, carrier_name, check, is_odd, is_same_waybill, rest,
    sum, tracking_number,
};
use proptest::prelude::*;

fn copies(of: &[(i64, u32)]) -> Copies {
    of.iter().copied().collect()
}

#[test]
fn what_is_sent_is_not_left() {
    let wanted = copies(&[(1, 5), (2, 1)]);
    let first = copies(&[(1, 2)]);
    assert_eq!(rest(&wanted, []), wanted);
    assert_eq!(rest(&wanted, [&first]), copies(&[(1, 3), (2, 1)]));
    assert_eq!(rest(&wanted, [&first, &copies(&[(1, 3), (2, 1)])]), Copies::new());
    assert_eq!(check(&copies(&[(1, 3)]), &rest(&wanted, [&first])), Ok(()));
    let too_many = ContentsProblem::TooMany { line: 1, left: 3 };
    assert_eq!(check(&copies(&[(1, 4)]), &rest(&wanted, [&first])), Err(too_many));
    assert_eq!(check(&copies(&[(3, 1)]), &wanted), Err(ContentsProblem::TooMany { line: 3, left: 0 }));
    assert_eq!(check(&copies(&[(1, 0)]), &wanted), Err(ContentsProblem::Nothing));
    assert_eq!(check(&Copies::new(), &wanted), Err(ContentsProblem::Nothing));
}

fn any_copies() -> impl Strategy<Value = Copies> {
    proptest::collection::btree_map(1..6i64, 1..20u32, 0..5)
}

proptest! {
    /// Whatever is packed, parcel after parcel: nothing is sent twice, and nothing is forgotten.
    #[test]
    fn parcels_hold_what_was_ordered(wanted in any_copies(), tries in proptest::collection::vec(any_copies(), 0..8)) {
        let mut sent: Vec<Copies> = Vec::new();
        for parcel in tries {
            if check(&parcel, &rest(&wanted, &sent)).is_ok() {
                sent.push(parcel);
            }
        }
        let left = rest(&wanted, &sent);
        prop_assert_eq!(sum(sent.iter().chain([&left])), wanted);
    }
}

#[test]
fn carriers_are_found_by_code_and_by_name() {
    for carrier in &CARRIERS {
        assert_eq!(Carrier::named(carrier.code), Some(carrier));
        assert_eq!(Carrier::named(carrier.name), Some(carrier));
        assert_eq!(carrier_name(carrier.code), carrier.name);
    }
    assert_eq!(Carrier::named(" 顺丰速运").map(|carrier| carrier.code), Some("SF"));
    assert_eq!(
        (carrier_name("sf"), carrier_name("顺丰速运"), carrier_name("老王的车")),
        ("顺丰", "顺丰", "老王的车")
    );
    assert_eq!(Carrier::named(""), None);
    assert!(is_same_waybill(("顺丰速运", "sf 123"), ("SF", "SF123")));
    assert!(!is_same_waybill(("顺丰", "SF123"), ("中通", "SF123")));
}

#[test]
fn a_number_looks_like_its_carriers() {
    assert_eq!(tracking_number(" sf 1234 5678 90123 "), "SF1234567890123");
    for (carrier, right, wrong) in [
        (
            "顺丰",
            &["SF1234567890123", "123456789012"][..],
            &["SF123", "YT1234567890123", "SF12345678901234"][..],
        ),
        ("中通", &["75123456789012", "731234567890"], &["SF1234567890123", "7512345678901234"]),
        ("圆通", &["YT1234567890123"], &["YT12", "SF1234567890123"]),
        ("韵达", &["4312345678901", "312345678901234"], &["431234567890", "43123456789012"]),
        ("极兔", &["JT5123456789012"], &["JT512345678901", "5123456789012"]),
        ("京东", &["JDVA12345678901", "JD0123456789012-1-1-"], &["JD1", "SF1234567890123"]),
        ("德邦", &["DPK202012345678", "123456789"], &["DPK2"]),
        // 473124829: the example of S10
        ("EMS", &["EE473124829CN", "1234567890123"], &["EE473124828CN", "E473124829CNX", "EE47312482CN9"]),
        ("邮政", &["RR473124829GB"], &["RR473124820GB"]),
    ] {
        for number in right {
            assert!(!is_odd(carrier, number), "{carrier} {number}");
        }
        for number in wrong {
            assert!(is_odd(carrier, number), "{carrier} {number}");
        }
    }
    assert!(!is_odd("老王的车", "1"), "nobody knows what its numbers look like");
}

#[test]
fn reasons_are_read_by_their_codes() {
    for reason in Reason::ALL {
        assert_eq!(reason.code().parse(), Ok(reason));
    }
    assert!("运输破损".parse::<Reason>().is_err());
}
