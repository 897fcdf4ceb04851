//! Changing to a longer term: no 分 is lost, made or paid twice.

use domain::days::DAY_MS;
use domain::money::{Fen, Rate};
use domain::package::{Span, Term};
use domain::sale::Earning;
use domain::switching::{PRICE_HOLDS_MS, Quote, covers, is_longer, quote, sold_for};
use proptest::prelude::*;

#[test]
fn longer_is_longer_by_the_calendar() {
    for (new, old, expected) in [
        (Term::Months(12), Term::Months(1), true),
        (Term::Months(1), Term::Months(1), false),
        (Term::Months(1), Term::Days(27), true),
        (Term::Days(30), Term::Months(1), false),
        (Term::Forever, Term::Months(120), true),
        (Term::Forever, Term::Forever, false),
        (Term::Months(12), Term::Forever, false),
    ] {
        // from 2026-01-01, whose month has 31 days
        assert_eq!(is_longer(new, old, 1_767_196_800_000), expected, "{new} {old}");
    }
}

#[test]
fn only_what_holds_all_of_it_takes_its_place() {
    assert!(covers(&["a", "b"], &["a"]) && covers(&["a"], &["a"]));
    assert!(!covers(&["a"], &["a", "b"]) && !covers(&["b"], &["a"]) && !covers::<&str>(&["a"], &[]));
}

#[test]
fn what_is_not_used_counts_and_a_surplus_goes_back() {
    let of = |price, unused: &[i64]| quote(Fen(price), unused.iter().map(|fen| Fen(*fen))).unwrap();
    let (price, credit) = (Fen(20_000), Fen(2_500));
    assert_eq!(of(20_000, &[2_000, 500]), Quote { price, credit, due: Fen(17_500), back: Fen::ZERO });
    let (price, credit) = (Fen(1_000), Fen(1_200));
    assert_eq!(of(1_000, &[1_200]), Quote { price, credit, due: Fen::ZERO, back: Fen(200) });
    // two days later 200 of the credit are used up: what is paid stays, what is sold is less
    let confirmed = of(20_000, &[2_000, 500]);
    assert_eq!(sold_for(confirmed, Fen(2_500)), Ok(Fen(20_000)));
    assert_eq!(sold_for(confirmed, Fen(2_300)), Ok(Fen(19_800)));
}

proptest! {
    /// Whatever ran, and whenever within the week it is paid: the reader pays what was shown, and the seller earns in the end
    /// just what the reader paid for all of it and did not get back.
    #[test]
    fn no_fen_is_lost(
        olds in prop::collection::vec((100i64..100_000, 1i64..400, 0i64..300), 1..5),
        price in 100i64..200_000, confirmed_after in 0i64..200 * DAY_MS, waited in 0i64..PRICE_HOLDS_MS,
    ) {
        let rate: Rate = "0.085".parse().unwrap();
        let olds: Vec<Earning> = olds.into_iter().map(|(amount, days, from)| {
            let span = Span { from: from * DAY_MS, until: Some((from + days) * DAY_MS) };
            Earning { amount: Fen(amount), rate, span: Some(span), earned: Fen::ZERO, refunded: Fen::ZERO }
        }).collect();
        let rest = |old: &Earning, now| { let mut old = *old; old.refund(now).map(|back| back.rest).unwrap_or_default() };
        let counted: Vec<Earning> = olds.iter().copied().filter(|old| rest(old, confirmed_after) > Fen::ZERO).collect();
        prop_assume!(!counted.is_empty());
        let quote = quote(Fen(price), counted.iter().map(|old| rest(old, confirmed_after))).unwrap();
        prop_assert_eq!(quote.due.0 - quote.back.0, quote.price.0 - quote.credit.0);
        prop_assert!(quote.due <= quote.price && (quote.due == Fen::ZERO || quote.back == Fen::ZERO));
        // where nothing is due it is paid at once
        let paid_at = if quote.due == Fen::ZERO { confirmed_after } else { confirmed_after + waited };
        let credit = Fen::sum(counted.iter().map(|old| rest(old, paid_at))).unwrap();
        let amount = sold_for(quote, credit).unwrap();
        prop_assert!(amount > Fen::ZERO && amount <= quote.price);
        // into the balance: what was paid and the rests; out of it: the new term
        let left = quote.due.0 + credit.0 - amount.0;
        prop_assert_eq!(left, if quote.due == Fen::ZERO { quote.back.0 } else { 0 });
        let paid: i64 = counted.iter().map(|old| old.amount.0).sum::<i64>() + quote.due.0 - left;
        let mut earned = amount.0;
        for old in &counted {
            let mut old = *old;
            let _ = old.refund(paid_at);
            let _ = old.catch_up(paid_at + 1_000 * DAY_MS);
            earned += if old.refunded > Fen::ZERO { old.earned.0 } else { old.amount.0 };
        }
        prop_assert_eq!(earned, paid);
    }
}
