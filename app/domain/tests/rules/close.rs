//! The close of a month: what is added up, and the tax that is in it.

use domain::close::{Figures, Income, Kind, Month, Movement, Rates, Way, tax_in};
use domain::money::Fen;
use proptest::prelude::*;

#[test]
fn tax_is_a_part_of_the_price() {
    for (sum, rate, tax) in [
        (11_300, "0.13", 1_300),
        (100, "0.06", 6),
        (1, "0.13", 0),
        (0, "0.13", 0),
        (-11_300, "0.13", -1_300),
        (9, "0.06", 1),
    ] {
        assert_eq!(tax_in(Fen(sum), rate.parse().unwrap()), Fen(tax), "{sum} {rate}");
    }
}

#[test]
fn rates_are_the_host_s() {
    let rates: Rates = "goods=0.13, postage=0.06,".parse().unwrap();
    assert_eq!(rates.of(Kind::Goods), Some("0.13".parse().unwrap()));
    assert_eq!(rates.of(Kind::Memberships), None);
    assert!("".parse::<Rates>().unwrap().is_empty());
    for wrong in ["goods", "goods=13", "books=0.1", "held=0.1", "goods=0.1,goods=0.2", "goods=1"] {
        assert!(wrong.parse::<Rates>().is_err(), "{wrong}");
    }
}

#[test]
fn months_follow_one_another() {
    let december: Month = "2026-12".parse().unwrap();
    assert_eq!(december.next().to_string(), "2027-01");
    assert_eq!(december.next().previous(), december);
    assert_eq!(december.first().unwrap().to_string(), "2026-12-01");
    for wrong in ["", "2026", "2026-13", "2026-1", "2026-011", "2026-12-01"] {
        assert!(wrong.parse::<Month>().is_err(), "{wrong}");
    }
}

fn moved(account: &str, opening: i64, added: i64, taken: i64, closing: i64) -> Movement {
    Movement {
        account: account.into(),
        opening: Fen(opening),
        added: Fen(added),
        taken: Fen(taken),
        closing: Fen(closing),
    }
}

#[test]
fn what_does_not_add_up_is_told() {
    let income =
        |kind, came, back| Income { kind, name: String::new(), count: 1, came: Fen(came), back: Fen(back) };
    let mut figures = Figures {
        income: vec![income(Kind::Goods, 900, 100), income(Kind::Postage, 100, 0), income(Kind::Fees, 5, 0)],
        ways: vec![Way {
            name: "微信支付".into(), count: 1, came: Fen(800), back: Fen(0), spent: Fen(600)
        }],
        accounts: vec![
            moved("clearing", -500, 0, -800, -1300),
            moved("member", 500, 900, -1000, 400),
            moved("revenue", 0, 900, 0, 900),
            moved("shipping", 0, 100, 0, 100),
            moved("refunds", 0, 0, -100, -100),
        ],
    };
    assert_eq!(figures.faults(), Vec::<String>::new());
    assert_eq!(figures.of(Kind::Goods), (Fen(900), Fen(100)));
    assert_eq!(figures.from_balance(), Fen(400), "a fee is a part of what was paid before");
    figures.accounts[1].closing = Fen(401);
    let faults = figures.faults();
    assert!(faults[0].contains("member") && faults[1].contains("期末"), "{faults:?}");
    figures.accounts[1].closing = Fen(400);
    figures.income[1].came = Fen(99);
    assert!(figures.faults()[0].contains("运费"), "{:?}", figures.faults());
    let text = serde_json::to_string(&figures).unwrap();
    assert_eq!(serde_json::from_str::<Figures>(&text).unwrap(), figures);
}

proptest! {
    #[test]
    fn tax_and_the_rest_are_the_price(sum in -1_000_000_000i64..1_000_000_000, rate in 0u32..5000) {
        let rate: domain::money::Rate = format!("0.{rate:04}").parse().unwrap();
        let tax = tax_in(Fen(sum), rate);
        prop_assert!(tax.0.abs() <= sum.abs() && tax.0 * sum >= 0);
        let net = sum - tax.0;
        // within half a 分 of net × rate
        let exact = rust_decimal::Decimal::from(net) * rate.value();
        prop_assert!((exact - rust_decimal::Decimal::from(tax.0)).abs() < rust_decimal::Decimal::ONE);
    }
}
