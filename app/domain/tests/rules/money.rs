//! Amounts and rates are exact, and read only what they write.

use domain::money::{Fen, MoneyError, Rate};
use proptest::prelude::*;
use rust_decimal::Decimal;

#[test]
fn amounts_are_written_plainly_for_calls_and_grouped_for_screens() {
    for (fen, plain, grouped) in [
        (0, "0.00", "0.00"),
        (5, "0.05", "0.05"),
        (-5, "-0.05", "-0.05"),
        (123_450, "1234.50", "1,234.50"),
        (-123_450, "-1234.50", "-1,234.50"),
        (99_999, "999.99", "999.99"),
        (100_000_000, "1000000.00", "1,000,000.00"),
        (i64::MIN, "-92233720368547758.08", "-92,233,720,368,547,758.08"),
    ] {
        assert_eq!(Fen(fen).to_string(), plain);
        assert_eq!(Fen(fen).grouped(), grouped);
    }
}

#[test]
fn amounts_are_read_strictly() {
    for (text, fen) in [("12", 1200), ("12.3", 1230), ("12.34", 1234), ("-0.05", -5), ("0", 0)] {
        assert_eq!(text.parse(), Ok(Fen(fen)));
    }
    for text in ["", "-", ".", ".5", "5.", "1.234", "+1", " 1", "1,000", "1e3", "１", "--1", "1.-2", "NaN"] {
        assert!(matches!(text.parse::<Fen>(), Err(MoneyError::NotAnAmount(_))), "{text:?}");
    }
    assert_eq!("92233720368547758.08".parse::<Fen>(), Err(MoneyError::TooLarge));
}

#[test]
fn arithmetic_is_checked() {
    assert_eq!(Fen(i64::MAX).plus(Fen(1)), Err(MoneyError::TooLarge));
    assert_eq!(Fen(i64::MIN).minus(Fen(1)), Err(MoneyError::TooLarge));
    assert_eq!(Fen(i64::MAX).times(2), Err(MoneyError::TooLarge));
    assert_eq!(Fen(1).times(u64::MAX), Err(MoneyError::TooLarge));
    assert_eq!(Fen(i64::MIN).negated(), Err(MoneyError::TooLarge));
    assert_eq!(Fen(1).divided_down(0), None);
    assert_eq!(Fen::from_yuan_down(Decimal::MAX), Err(MoneyError::TooLarge));
    assert_eq!(Fen::sum([Fen(1), Fen(2), Fen(-4)]), Ok(Fen(-1)));
}

/// Specification section 9: rounded down.
#[test]
fn rounding_is_down() {
    for (yuan, fen) in [("1.999", 199), ("0.009", 0), ("-0.001", -1), ("2.50", 250)] {
        assert_eq!(Fen::from_yuan_down(Decimal::from_str_exact(yuan).expect("a number")), Ok(Fen(fen)));
    }
    assert_eq!(Fen(100).divided_down(3), Some(Fen(33)));
    assert_eq!(Fen(-100).divided_down(3), Some(Fen(-34)));
}

#[test]
fn rates_are_shares_below_one_with_four_decimals() {
    for text in ["0", "0.05", "0.9999"] {
        assert_eq!(text.parse::<Rate>().expect("a rate").to_string(), text);
    }
    assert_eq!("0.10".parse::<Rate>().expect("a rate").to_string(), "0.1");
    for text in ["", "1", "1.0", "-0.1", "0.00001", "5%", "+0.1", "1e-1", "0_1"] {
        assert!(text.parse::<Rate>().is_err(), "{text:?}");
    }
}

#[test]
fn no_number_of_json_is_an_amount() {
    assert_eq!(serde_json::from_str::<Fen>("\"12.30\"").expect("an amount"), Fen(1230));
    assert_eq!(serde_json::to_string(&Fen(1230)).expect("JSON"), "\"12.30\"");
    assert!(serde_json::from_str::<Fen>("12.3").is_err());
    assert!(serde_json::from_str::<Fen>("12").is_err());
    assert!(serde_json::from_str::<Rate>("0.1").is_err());
}

proptest! {
    #[test]
    fn every_amount_survives_text_and_decimals(fen: i64) {
        prop_assert_eq!(Fen(fen).to_string().parse(), Ok(Fen(fen)));
        prop_assert_eq!(Fen::from_yuan_down(Fen(fen).to_yuan()), Ok(Fen(fen)));
        prop_assert_eq!(Fen(fen).grouped().replace(',', ""), Fen(fen).to_string());
    }
}
