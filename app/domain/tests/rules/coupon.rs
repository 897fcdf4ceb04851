//! What a coupon takes off, and whom it refuses.

use domain::coupon::{Benefit, LEAST_PAID, Priced, Problem, Refused, Rule, Standing, Typed, read};
use domain::ids::GoodsId;
use domain::money::Fen;
use domain::redeem_code::RedeemCode;
use proptest::prelude::*;

const FROM: i64 = 1_772_294_400_000; // 2026-03-01 in China
const DAY: i64 = 24 * 60 * 60_000;

fn rule(benefit: Benefit) -> Rule {
    Rule {
        benefit,
        least: Fen::ZERO,
        goods: Vec::new(),
        from: FROM,
        until: FROM + 30 * DAY,
        once: false,
        most: None,
    }
}

fn goods(name: &str) -> GoodsId {
    name.parse().unwrap()
}

fn split(rule: &Rule, lines: &[(&GoodsId, i64)]) -> Result<Vec<i64>, Refused> {
    let lines: Vec<Priced<'_>> =
        lines.iter().map(|(goods, price)| Priced { goods, price: Fen(*price) }).collect();
    rule.split(&lines).map(|parts| parts.into_iter().map(|part| part.0).collect())
}

#[test]
fn lines_bear_it_by_the_largest_remainder() {
    let (album, calendar) = (goods("album-210"), goods("calendar"));
    let ten = rule(Benefit::Amount(Fen(1_000)));
    assert_eq!(split(&ten, &[(&album, 10_000)]), Ok(vec![1_000]));
    assert_eq!(split(&ten, &[(&album, 100), (&album, 100), (&album, 100_000)]), Ok(vec![1, 1, 998]));
    assert_eq!(split(&ten, &[(&album, 3_333), (&album, 3_333), (&album, 3_334)]), Ok(vec![333, 333, 334]));
    // of goods that it is not for, nothing
    let own = Rule { goods: vec![album.clone()], ..ten.clone() };
    assert_eq!(split(&own, &[(&calendar, 9_000), (&album, 500)]), Ok(vec![0, 500]));
    assert_eq!(split(&own, &[(&calendar, 9_000)]), Err(Refused::Goods));
    // never all of an order
    assert_eq!(split(&ten, &[(&album, 600)]), Ok(vec![599]));
    assert_eq!(split(&ten, &[(&album, 1)]), Err(Refused::Nothing));
}

#[test]
fn hundredths_leave_a_price_that_is_rounded_down() {
    let album = goods("album-210");
    let fifteen = rule(Benefit::Percent { off: 15, cap: None });
    // 85 of 99 are 84.15
    assert_eq!(split(&fifteen, &[(&album, 99)]), Ok(vec![15]));
    assert_eq!(split(&fifteen, &[(&album, 10_000)]), Ok(vec![1_500]));
    let capped = rule(Benefit::Percent { off: 15, cap: Some(Fen(1_000)) });
    assert_eq!(split(&capped, &[(&album, 10_000)]), Ok(vec![1_000]));
    assert_eq!(split(&capped, &[(&album, 100)]), Ok(vec![15]));
}

#[test]
fn each_refusal_has_its_sentence() {
    let album = goods("album-210");
    let twenty = Rule { least: Fen(10_000), ..rule(Benefit::Amount(Fen(2_000))) };
    let short = split(&twenty, &[(&album, 9_999)]).unwrap_err();
    assert_eq!(short.to_string(), "能用这个优惠码的印刷要满 ¥100.00，这次是 ¥99.99");
    assert_eq!(split(&twenty, &[(&album, 10_000)]), Ok(vec![2_000]));

    let once = Rule { once: true, most: Some(3), ..twenty };
    let good = Standing::default();
    let said = |standing, now| once.check(standing, now).map_err(|refused| refused.to_string());
    assert_eq!(said(good, FROM), Ok(()));
    assert_eq!(said(good, once.until - 1), Ok(()));
    let refusals = [
        (good, FROM - 1, "这个优惠码从 2026-03-01 起才能用"),
        (good, once.until, "这个优惠码只到 2026-03-30 为止，已经过期"),
        (Standing { ended: true, ..good }, FROM, "这个优惠码已经停用"),
        (Standing { by_member: 1, ..good }, FROM, "您已经用过这个优惠码，每位会员只能用一次"),
        (Standing { used: 3, ..good }, FROM, "这个优惠码已经被用完了"),
        (Standing { code_used: true, ..good }, FROM, "这个优惠码已经用过了"),
        (Standing { agreed: false, ..good }, FROM, "没有这个优惠码，请核对"),
    ];
    for (standing, now, sentence) in refusals {
        assert_eq!(said(standing, now), Err(sentence.to_owned()));
    }
}

#[test]
fn what_is_typed_is_a_word_or_a_code() {
    assert_eq!(read(" ｓｐｒｉｎｇ 26 "), Ok(Some(Typed::Word("SPRING26".into()))));
    assert_eq!(read(" - "), Ok(None));
    let code = RedeemCode::of([7; 15]);
    assert_eq!(read(&code.to_string().to_lowercase()), Ok(Some(Typed::Code(code))));
    let wrong: String = code.plain().replacen('H', "J", 1);
    assert_eq!(read(&wrong), Err(Refused::Mistyped));
    for unknown in ["ABC", "春天", "A_B_C_D", "SPRING26SPRING26SPRING26"] {
        assert_eq!(read(unknown), Err(Refused::Unknown), "{unknown}");
    }
}

#[test]
fn a_rule_says_what_it_does() {
    let said = |rule: &Rule| rule.to_string();
    assert_eq!(said(&rule(Benefit::Amount(Fen(2_000)))), "减 ¥20.00");
    let percent = |off, cap: Option<i64>| rule(Benefit::Percent { off, cap: cap.map(Fen) });
    assert_eq!(
        said(&Rule { least: Fen(10_000), ..percent(15, Some(5_000)) }),
        "满 ¥100.00 85 折，最多减 ¥50.00"
    );
    assert_eq!((said(&percent(10, None)), said(&percent(95, None))), ("9 折".into(), "0.5 折".into()));
}

#[test]
fn rules_that_make_no_sense_are_not_made() {
    let fields = |rule: &Rule| rule.problems(FROM).into_iter().map(Problem::field).collect::<Vec<_>>();
    assert!(fields(&rule(Benefit::Amount(Fen(1)))).is_empty());
    let wrong = [
        (rule(Benefit::Amount(Fen::ZERO)), "amount"),
        (rule(Benefit::Percent { off: 100, cap: None }), "percent"),
        (rule(Benefit::Percent { off: 5, cap: Some(Fen::ZERO) }), "cap"),
        (Rule { least: Fen(-1), ..rule(Benefit::Amount(Fen(1))) }, "least"),
        (Rule { until: FROM, ..rule(Benefit::Amount(Fen(1))) }, "until"),
        (Rule { from: FROM - 9 * DAY, until: FROM - DAY, ..rule(Benefit::Amount(Fen(1))) }, "until"),
        (Rule { until: FROM + 2_000 * DAY, ..rule(Benefit::Amount(Fen(1))) }, "until"),
        (Rule { most: Some(0), ..rule(Benefit::Amount(Fen(1))) }, "most"),
    ];
    for (rule, field) in wrong {
        assert_eq!(fields(&rule), [field]);
    }
    // what it can give away decides whether one may make it alone
    let bounded = Rule { most: Some(50), ..rule(Benefit::Amount(Fen(2_000))) };
    assert_eq!(bounded.most_given(), Some(Fen(100_000)));
    assert_eq!(rule(Benefit::Amount(Fen(1))).most_given(), None);
    assert_eq!(Rule { most: Some(9), ..rule(Benefit::Percent { off: 1, cap: None }) }.most_given(), None);
}

fn benefit() -> impl Strategy<Value = Benefit> {
    prop_oneof![
        (1..2_000_000i64).prop_map(|amount| Benefit::Amount(Fen(amount))),
        (1..100u32, prop::option::of(1..100_000i64))
            .prop_map(|(off, cap)| Benefit::Percent { off, cap: cap.map(Fen) }),
    ]
}

proptest! {
    /// What lines bear is in the rule's proportion and sums to it to the fen; no line and no order falls below what is left.
    #[test]
    fn no_fen_appears_or_vanishes(
        benefit in benefit(),
        lines in prop::collection::vec((0..3usize, 0..1_000_000i64), 1..8),
        own in 0..3usize,
    ) {
        let names = [goods("a"), goods("b"), goods("c")];
        let rule = Rule { goods: names[..own].to_vec(), ..rule(benefit) };
        let priced: Vec<(&GoodsId, i64)> = lines.iter().map(|(name, price)| (&names[*name], *price)).collect();
        let is_own = |name: &GoodsId| own == 0 || names[..own].contains(name);
        let sum: i64 = priced.iter().filter(|(name, _)| is_own(name)).map(|(_, price)| price).sum();
        let all: i64 = priced.iter().map(|(_, price)| price).sum();
        let Ok(parts) = split(&rule, &priced) else {
            prop_assert!(!priced.iter().any(|(name, _)| is_own(name)) || sum == 0 || all <= LEAST_PAID.0);
            return Ok(());
        };
        let off: i64 = parts.iter().sum();
        let wished = match benefit {
            Benefit::Amount(amount) => amount.0,
            Benefit::Percent { off, cap } => (sum - sum * i64::from(100 - off) / 100).min(cap.map_or(i64::MAX, |cap| cap.0)),
        };
        prop_assert_eq!(off, wished.min(sum).min(all - LEAST_PAID.0));
        for ((name, price), part) in priced.iter().zip(&parts) {
            prop_assert!((0..=*price).contains(part));
            prop_assert!(is_own(name) || *part == 0);
            if sum > 0 && is_own(name) {
                // within one fen of its exact share
                let exact = i128::from(off) * i128::from(*price);
                let away = (i128::from(*part) * i128::from(sum) - exact).abs();
                prop_assert!(away < i128::from(sum));
            }
        }
    }
}
