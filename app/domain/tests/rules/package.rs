//! Terms by the calendar, and terms that follow one another.

use domain::days::{DAY_MS, day_start};
use domain::money::Fen;
use domain::package::{
    NotAPrice, NotATerm, Span, Term, Until, ended, in_turn, in_turn_each, moved_up, next_start,
    next_start_of_any, read_price, runs_until,
};
use proptest::prelude::*;

fn day(text: &str) -> i64 {
    day_start(text).expect("a day")
}

#[test]
fn months_are_the_calendars() {
    for (from, months, until) in [
        ("2026-01-31", 1, "2026-02-28"),
        ("2028-01-31", 1, "2028-02-29"),
        ("2028-02-29", 12, "2029-02-28"),
        ("2026-11-23", 2, "2027-01-23"),
        ("2026-12-31", 2, "2027-02-28"),
        ("2026-11-23", 120, "2036-11-23"),
    ] {
        assert_eq!(Term::Months(months).end(day(from)), Some(day(until)), "{from}");
        // the hour stays
        assert_eq!(Term::Months(months).end(day(from) + 5_000_000), Some(day(until) + 5_000_000));
    }
    // the last hour of a month in China is the month before's in UTC
    assert_eq!(Term::Months(1).end(day("2026-03-01") - 1), Some(day("2026-03-29") - 1));
    assert_eq!(Term::Days(30).end(day("2026-11-23")), Some(day("2026-12-23")));
    assert_eq!(Term::Forever.end(0), None);
}

#[test]
fn terms_and_prices_are_read() {
    for (unit, count, term) in [
        ("days", "30", Ok(Term::Days(30))),
        ("months", " 12 ", Ok(Term::Months(12))),
        ("forever", "", Ok(Term::Forever)),
        ("days", "0", Err(NotATerm::Days)),
        ("days", "3651", Err(NotATerm::Days)),
        ("months", "-1", Err(NotATerm::Months)),
        ("months", "121", Err(NotATerm::Months)),
        ("weeks", "1", Err(NotATerm::Unknown)),
    ] {
        assert_eq!(Term::read(unit, count), term, "{unit} {count}");
        if let Ok(term) = term {
            assert_eq!(Term::read(term.unit(), &term.count().to_string()), Ok(term));
        }
    }
    for (text, price) in [
        ("88", Ok(Fen(8_800))),
        ("¥ 88.50", Ok(Fen(8_850))),
        ("50000", Ok(Fen(5_000_000))),
        ("", Err(NotAPrice::Missing)),
        ("0", Err(NotAPrice::Outside)),
        ("0.99", Err(NotAPrice::Outside)),
        ("-1", Err(NotAPrice::Outside)),
        ("50000.01", Err(NotAPrice::Outside)),
        ("1000000000", Err(NotAPrice::Outside)),
        ("1e9", Err(NotAPrice::NotAnAmount)),
        ("十元", Err(NotAPrice::NotAnAmount)),
    ] {
        assert_eq!(read_price(text), price, "{text}");
    }
    for wrong in ["", "2026-13-01", "2026-02-30", "26-1-1", "2026-1-01", "2026-01-01x"] {
        assert_eq!(day_start(wrong), None, "{wrong}");
    }
}

#[test]
fn spans_that_touch_run_on_and_a_gap_ends_them() {
    let span = |from, until| Span { from, until };
    let spans = [span(20, Some(30)), span(0, Some(10)), span(10, Some(15))];
    assert_eq!(runs_until(&spans, 5), Some(Until::At(15)));
    assert_eq!(runs_until(&spans, 15), None);
    assert_eq!(runs_until(&spans, 20), Some(Until::At(30)));
    assert_eq!(next_start(&spans, 5), Some(30));
    assert_eq!(next_start(&spans, 40), Some(40));
    assert_eq!(runs_until(&[span(0, Some(10)), span(10, None)], 5), Some(Until::Forever));
    assert_eq!(next_start(&[span(50, None)], 5), None);
    assert_eq!(runs_until(&[], 5), None);
}

#[test]
fn what_is_got_twice_is_read_one_after_the_other() {
    let span = |from, until| Span { from, until };
    // a month, and a year of something that holds the same
    assert_eq!(in_turn(&[span(10, Some(375)), span(0, Some(30))]), [span(0, Some(30)), span(30, Some(395))]);
    assert_eq!(in_turn(&[span(0, None), span(5, Some(6))])[0], span(0, None));
    // of two things one is read already: the term begins for the other one now, and for that one later
    let month = [vec![span(0, Some(30))], vec![]];
    assert_eq!(next_start_of_any(&month, 5), Some(5));
    assert_eq!(next_start_of_any(&[vec![span(0, Some(30))]], 5), Some(30));
    assert_eq!(next_start_of_any(&[vec![span(0, None)], vec![span(0, Some(9))]], 5), Some(9));
    assert_eq!(next_start_of_any(&[vec![span(0, None)]], 5), None);
}

#[test]
fn what_follows_moves_up_where_something_ends() {
    let span = |from, until| Span { from, until };
    assert_eq!(ended(span(0, Some(30)), 10), span(0, Some(10)));
    assert_eq!(ended(span(40, Some(70)), 10), span(10, Some(10)));
    assert_eq!(ended(span(0, None), 10), span(0, Some(0)), "of what was for ever no day was used");
    let rights = [
        (ended(span(0, Some(30)), 10), vec!["one"]),
        (span(30, Some(60)), vec!["one"]),
        (span(0, Some(20)), vec!["two"]),
        (span(20, Some(50)), vec!["two"]),
        (span(60, Some(90)), vec!["one", "two"]),
    ];
    let moved = [
        span(0, Some(10)),
        span(10, Some(40)),
        span(0, Some(20)),
        span(20, Some(50)),
        // where the first of its things ends
        span(40, Some(70)),
    ];
    assert_eq!(moved_up(&rights, 10), moved);
    // each is known after it has had its turn
    let turns = in_turn_each(vec![(span(5, Some(9)), "bought"), (span(0, Some(7)), "tried")]);
    assert_eq!(turns, [(span(0, Some(7)), "tried"), (span(7, Some(11)), "bought")]);
}

proptest! {
    /// However rights lie over each other, each counts for all of its days.
    #[test]
    fn no_day_of_a_right_is_lost(rights in prop::collection::vec((0i64..1_000, 0i64..400), 0..30)) {
        let rights: Vec<Span> =
            rights.into_iter().map(|(from, days)| Span { from, until: Some(from + days) }).collect();
        let used = in_turn(&rights);
        let days = |spans: &[Span]| spans.iter().map(|span| span.until.unwrap_or(0) - span.from).sum::<i64>();
        prop_assert_eq!(days(&used), days(&rights));
        for pair in used.windows(2) {
            prop_assert!(pair[0].until.is_some_and(|until| until <= pair[1].from), "two at once");
        }
        let first = rights.iter().map(|span| span.from).min();
        prop_assert_eq!(used.first().map(|span| span.from), first, "nobody waits for the first");
    }

    /// A term is added to what runs, never put in its place.
    #[test]
    fn terms_add_up(terms in prop::collection::vec((1u32..400, any::<bool>()), 1..20), now in 0i64..4_000_000_000_000) {
        let mut spans: Vec<Span> = Vec::new();
        for (count, months) in terms {
            let term = if months { Term::Months(count.min(120)) } else { Term::Days(count) };
            let from = next_start(&spans, now).expect("nothing is for ever");
            let until = term.end(from).expect("an end");
            prop_assert!(until > from && (until - from) % DAY_MS == 0);
            if months {
                // February is two days short of 30
                let days = (until - from) / DAY_MS;
                prop_assert!((days - i64::from(count.min(120)) * 30).abs() <= i64::from(count.max(2)));
            }
            spans.push(Span { from, until: Some(until) });
            prop_assert_eq!(runs_until(&spans, now), Some(Until::At(until)));
        }
    }
}
