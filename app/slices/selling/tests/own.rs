//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

mod codes {
    use domain::redeem_code::RedeemCode;
    use selling::codes::{AT_ONCE, digest, some};

    use std::collections::BTreeSet;

    #[test]
    fn a_batch_has_the_same_codes_each_time_and_no_code_twice() {
        let all = |salt: &str| -> Vec<String> {
            let firsts = (0..3).map(|round| 1 + round * AT_ONCE);
            firsts.flat_map(|first| some("key", salt, first, 5_000)).map(|code| code.plain()).collect()
        };
        let codes = all("salt");
        assert_eq!(codes.len(), 5_000);
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), 5_000);
        assert_eq!(codes, all("salt"));
        assert!(all("other").iter().all(|code| !codes.contains(code)));
        let one: RedeemCode = codes[0].parse().unwrap();
        assert_eq!(digest("key", &one), digest("key", &one));
        assert_ne!(digest("key", &one), digest("another key", &one));
    }
}

mod settlement {
    use domain::days::day_start;
    use ledger::DaySums;
    use selling::tested::{Asked, last_months, months};

    #[test]
    fn twelve_months_end_where_the_next_begins() {
        let now = day_start("2026-03-15").unwrap() + 60_000;
        let months = last_months(now).unwrap();
        let names: Vec<&str> = months.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((names.len(), names[0], names[10], names[11]), (12, "2025-04", "2026-02", "2026-03"));
        assert_eq!(months[10].1, day_start("2026-03-01").unwrap() - 1);
        assert_eq!(months[11].1, now);
    }

    #[test]
    fn each_month_begins_where_the_one_before_it_ended() {
        let day = |day, named, added, taken| DaySums { day, named, added, taken };
        // 2026-10-31, 2026-11-01, 2026-11-30
        let months = months(&[day(20_757, 0, 500, 0), day(20_758, -300, 200, 0), day(20_787, 0, 100, -50)]);
        let names: Vec<_> =
            months.iter().map(|month| (month.name.as_str(), month.before.0, month.after().0)).collect();
        assert_eq!(names, [("2026-11", 500, 450), ("2026-10", 0, 500)]);
        let span = |month: &str| {
            Asked { month: month.into() }.span().map(|(from, until)| (until - from) / 86_400_000)
        };
        assert_eq!(
            [span("2026-02").unwrap(), span("2024-02").unwrap(), span("2026-12").unwrap()],
            [28, 29, 31]
        );
        assert!(span("2026-13").is_err() && span("").is_err() && span("2026-1").is_err());
    }
}
