//! Dates add up, unused days count, and never more is given than was paid, whatever is bought in whatever order.

use domain::days::{DAY_MS, day_start};
use domain::membership::{
    MONTHS, NotABook, NotSold, PriceBook, Quote, Run, SOLD, Standing, Step, Term, TermState, notices, quote,
    read_wanted, unused,
};
use domain::money::Fen;
use domain::tier::Tier;
use proptest::prelude::*;

/// What a member has bought, as the program keeps it.
#[derive(Debug, Clone)]
struct House {
    standing: Standing,
    run: Option<Run>,
    terms: Vec<Term>,
    /// Paid less given back, from the beginning.
    paid: Fen,
}

impl House {
    fn new(after: Tier) -> Self {
        Self {
            standing: Standing { tier: after, until: None, after },
            run: None,
            terms: vec![],
            paid: Fen::ZERO,
        }
    }

    fn quote(&self, tier: Tier, months: u32, now: i64) -> Result<Quote, NotSold> {
        quote(tier, months, price(tier, months), self.standing, self.run, &self.terms, now)
    }

    fn buy(&mut self, tier: Tier, months: u32, now: i64) -> Result<Quote, NotSold> {
        let quote = self.quote(tier, months, now)?;
        if quote.step != Step::Renew {
            self.terms.clear();
        }
        self.terms.push(quote.term(quote.credit)?);
        self.run = Some(quote.run);
        self.standing = self.standing.with(tier, quote.until(), now);
        self.paid = self.paid.plus(quote.amount)?;
        Ok(quote)
    }
}

/// By the built-in proportions: longer is cheaper a month, higher is dearer.
fn price(tier: Tier, months: u32) -> Fen {
    let month = match tier {
        Tier::Basic => 0,
        Tier::Vip => 1_800,
        Tier::Super => 4_800,
        Tier::Enterprise => 19_800,
    };
    let cheaper = match months {
        1 => 100,
        3 => 89,
        12 => 78,
        _ => 69,
    };
    Fen(month * i64::from(months) * cheaper / 100)
}

fn day(text: &str) -> i64 {
    day_start(text).expect("a day")
}

#[test]
fn a_term_begins_now_and_dates_add_up() {
    let mut house = House::new(Tier::Basic);
    let now = day("2026-01-31") + 5;
    let begun = house.buy(Tier::Vip, 1, now).expect("a quote");
    assert_eq!((begun.step, begun.amount, begun.from), (Step::Begin, Fen(1_800), now));
    assert_eq!(begun.until(), day("2026-02-28") + 5);
    // February has cut nothing off: the next month ends on the 31st
    let more = house.buy(Tier::Vip, 1, day("2026-02-10")).expect("a quote");
    assert_eq!((more.step, more.from, more.until()), (Step::Renew, begun.until(), day("2026-03-31") + 5));
    // over from the moment of its end on, and the next one begins anew
    let end = more.until();
    assert_eq!(house.standing.at(end - 1), (Tier::Vip, Some(end)));
    assert_eq!(house.standing.at(end), (Tier::Basic, None));
    let anew = house.buy(Tier::Vip, 3, end).expect("a quote");
    assert_eq!((anew.step, anew.from, anew.credit), (Step::Begin, end, Fen::ZERO));
}

#[test]
fn what_is_not_used_counts_for_a_higher_tier() {
    let mut house = House::new(Tier::Basic);
    let now = day("2026-01-01");
    house.buy(Tier::Vip, 12, now).expect("a quote");
    // 100 days and a bit are used: 264 of 365 have not begun
    let later = now + 100 * DAY_MS + 1;
    let up = house.buy(Tier::Super, 12, later).expect("a quote");
    let credit = price(Tier::Vip, 12).0 * 264 / 365;
    assert_eq!((up.step, up.credit, up.amount), (Step::Upgrade, Fen(credit), Fen(44_928 - credit)));
    assert_eq!((up.from, up.days, up.term(up.credit).expect("a sum").value), (later, 0, Fen(44_928)));
    // more credit than the price: the rest is days of the new tier, and nothing is to be paid
    let mut house = House::new(Tier::Basic);
    house.buy(Tier::Vip, 36, now).expect("a quote");
    let up = house.buy(Tier::Super, 1, now).expect("a quote");
    let rest = price(Tier::Vip, 36).0 - 4_800;
    assert_eq!((up.amount, up.days), (Fen::ZERO, rest * 31 / 4_800));
    assert_eq!(up.until(), day("2026-02-01") + up.days * DAY_MS);
}

#[test]
fn what_cannot_be_bought_says_why() {
    let now = day("2026-05-05");
    let mut house = House::new(Tier::Basic);
    let until = house.buy(Tier::Super, 3, now).expect("a quote").until();
    let lower = NotSold::Lower { has: Tier::Super, until: Some(until), wanted: Tier::Vip };
    assert_eq!(house.quote(Tier::Vip, 36, until - 1), Err(lower));
    assert!(house.quote(Tier::Vip, 36, until).is_ok(), "it is over");
    assert_eq!(house.quote(Tier::Basic, 1, now), Err(NotSold::Tier));
    for months in [0, 2, 13, u32::MAX] {
        assert_eq!(house.quote(Tier::Super, months, now), Err(NotSold::Months));
    }
    // what the host granted for ever is there again afterwards, and can't be bought beside itself
    let mut granted = House::new(Tier::Vip);
    assert_eq!(granted.quote(Tier::Vip, 1, now), Err(NotSold::ForEver(Tier::Vip)));
    let until = granted.buy(Tier::Super, 1, now).expect("a quote").until();
    assert_eq!(granted.standing.at(until), (Tier::Vip, None));
    for _ in 0..3 {
        house.buy(Tier::Super, 36, now).expect("a quote");
    }
    assert_eq!(house.quote(Tier::Super, 36, now), Err(NotSold::TooFar));
    for (tier, months, expected) in [
        ("VIP", "12", Ok((Tier::Vip, 12))),
        ("普通会员", "12", Err(NotSold::Tier)),
        ("vip", "12", Err(NotSold::Tier)),
        ("VIP", "2", Err(NotSold::Months)),
        ("VIP", "012", Err(NotSold::Months)),
        ("VIP", "-1", Err(NotSold::Months)),
        ("VIP", "", Err(NotSold::Months)),
    ] {
        assert_eq!(read_wanted(tier, months), expected, "{tier} {months}");
    }
}

#[test]
fn an_end_is_told_on_the_days_that_are_still_to_come() {
    let end = day("2026-06-30");
    let told = |ahead: i64| notices(end, end - ahead * DAY_MS).map(|(days, _)| days).collect::<Vec<_>>();
    assert_eq!(
        (told(31), told(30), told(8), told(1), told(0)),
        (vec![30, 7, 1], vec![7, 1], vec![7, 1], vec![], vec![])
    );
}

#[test]
fn a_term_moves_forward_only() {
    use TermState::{Paid, Refunded, Replaced, Unpaid};
    for (from, to) in [(Unpaid, Paid), (Paid, Replaced), (Paid, Refunded)] {
        assert!(from.may_become(to) && !to.may_become(from));
    }
    assert!(!Unpaid.may_become(Refunded) && !Replaced.may_become(Refunded) && !Paid.may_become(Paid));
    for state in [Unpaid, Paid, Replaced, Refunded] {
        assert_eq!(state.code().parse(), Ok(state));
    }
}

#[test]
fn a_price_book_says_everything_that_is_wrong_with_it() {
    let prices = SOLD
        .into_iter()
        .flat_map(|tier| {
            MONTHS.map(|months| domain::membership::Price { tier, months, price: price(tier, months) })
        })
        .collect();
    let book = PriceBook { valid_from: "2026-01-01".into(), prices };
    assert_eq!(book.validate(), Ok(()));
    assert_eq!(book.price(Tier::Super, 12), Some(Fen(44_928)));
    let changed = |change: &dyn Fn(&mut PriceBook)| {
        let mut book = book.clone();
        change(&mut book);
        book.validate().unwrap_err().remove(0)
    };
    let (tier, months) = (Tier::Vip, 1);
    assert_eq!(changed(&|book| book.valid_from = "soon".into()), NotABook::Day("soon".into()));
    assert_eq!(
        changed(&|book| {
            book.prices.remove(0);
        }),
        NotABook::Missing { tier, months }
    );
    assert_eq!(changed(&|book| book.prices.push(book.prices[0].clone())), NotABook::Twice { tier, months });
    let price = Fen(0);
    assert_eq!(changed(&|book| book.prices[0].price = price), NotABook::Outside { tier, months, price });
    assert_eq!(
        changed(&|book| book.prices[0].tier = Tier::Basic),
        NotABook::Unknown { tier: Tier::Basic, months }
    );
    assert_eq!(
        changed(&|book| book.prices[1].price = Fen(1_000)),
        NotABook::LongerIsCheaper { tier, months: 3 }
    );
    let lower = |book: &mut PriceBook| book.prices[3].price = Fen(4_000_000);
    assert_eq!(changed(&lower), NotABook::HigherIsCheaper { tier: Tier::Super, months: 36 });
}

fn tiers() -> impl Strategy<Value = Tier> {
    prop::sample::select(SOLD.to_vec())
}

proptest! {
    /// Whatever the order in which the same months are bought, they end at the same moment, and none is shorter than a
    /// February.
    #[test]
    fn the_same_months_end_alike_in_any_order(
        start in 0i64..4_000_000_000_000,
        steps in prop::collection::vec(prop::sample::select(MONTHS.to_vec()), 1..6),
        seed in any::<u64>(),
    ) {
        let buy = |steps: &[u32]| {
            let mut house = House::new(Tier::Basic);
            for months in steps {
                let before = house.standing.until.unwrap_or(start);
                match house.buy(Tier::Vip, *months, start) {
                    Ok(bought) => prop_assert!(bought.until() - before >= i64::from(*months) * 28 * DAY_MS),
                    Err(reason) => prop_assert_eq!(reason, NotSold::TooFar),
                }
            }
            Ok(house)
        };
        prop_assume!(steps.iter().sum::<u32>() <= 110);
        let mut other = steps.clone();
        other.rotate_left((seed % steps.len() as u64) as usize);
        let (one, two) = (buy(&steps)?, buy(&other)?);
        prop_assert_eq!(one.standing, two.standing);
        prop_assert_eq!(one.paid, two.paid);
    }

    /// What is left to be given back is never more than was paid, upgrades lose no 分 and no day, and nobody falls.
    #[test]
    fn never_more_is_given_than_was_paid(
        steps in prop::collection::vec((tiers(), prop::sample::select(MONTHS.to_vec()), 0i64..400, 0i64..DAY_MS), 1..24),
        after in prop::sample::select(vec![Tier::Basic, Tier::Vip]),
    ) {
        let mut house = House::new(after);
        let mut now = day("2026-01-30");
        for (tier, months, days, rest) in steps {
            now += days * DAY_MS + rest;
            let before = house.clone();
            let (has, until) = before.standing.at(now);
            let left = unused(&before.terms, now).expect("a sum");
            prop_assert!(left <= before.paid, "{left:?} of {:?}", before.paid);
            let bought = match house.buy(tier, months, now) {
                Ok(bought) => bought,
                Err(NotSold::Lower { .. } | NotSold::ForEver(_) | NotSold::TooFar) => continue,
                Err(reason) => return Err(TestCaseError::fail(reason.to_string())),
            };
            prop_assert!(tier >= has);
            prop_assert!(bought.amount >= Fen::ZERO && bought.amount <= bought.price);
            prop_assert!(bought.until() - bought.from >= i64::from(months) * 28 * DAY_MS);
            let value = bought.term(bought.credit).expect("a sum").value;
            match bought.step {
                Step::Renew => prop_assert_eq!(Some(bought.from), until),
                Step::Begin => prop_assert_eq!(bought.credit, Fen::ZERO),
                Step::Upgrade => {
                    prop_assert_eq!(bought.credit, left);
                    // what was more than the price is days, down to less than one
                    let whole = (bought.until() - bought.from) / DAY_MS - bought.days;
                    let more = i128::from((left.0 - bought.price.0).max(0)) * i128::from(whole);
                    let day = i128::from(bought.price.0);
                    prop_assert!(i128::from(bought.days) * day <= more && more < (i128::from(bought.days) + 1) * day);
                }
            }
            prop_assert_eq!(value.0, bought.amount.0 + bought.credit.0);
            let left_now = unused(&house.terms, now).expect("a sum");
            // at the moment of buying no day of it is used
            prop_assert_eq!(left_now.0, left.0 * i64::from(bought.step != Step::Begin) + bought.amount.0);
        }
    }
}
