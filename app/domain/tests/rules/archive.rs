//! What names of archived files say.

use domain::archive::{Named, named};
use domain::publication::Day;
use proptest::prelude::*;

#[test]
fn names_say_the_day_and_the_numbers() {
    for (name, day, number, total) in [
        ("2026-11-28.pdf", "2026-11-28", None, None),
        ("20261128.PDF", "2026-11-28", None, None),
        ("龙井晚报2026年1月8日.pdf", "2026-01-08", None, None),
        ("2026.1.8 要闻.pdf", "2026-01-08", None, None),
        ("2026_01_08_A01.pdf", "2026-01-08", None, None),
        ("2026-11-28 第330期 总第4567期.pdf", "2026-11-28", Some(330), Some(4567)),
        ("总第 12 期（2026-11-28）.pdf", "2026-11-28", None, Some(12)),
        ("2026-11-28 (20261128).pdf", "2026-11-28", None, None),
    ] {
        let day: Day = day.parse().unwrap();
        assert_eq!(named(name), Some(Named { day, number, total }), "{name}");
    }
    for name in [
        "",
        ".pdf",
        "要闻.pdf",
        "2026-02-30.pdf",
        "20261328.pdf",
        "2026-11.pdf",
        "12345678901.pdf",
        "2026-11-28 与 2026-11-29.pdf",
        "2026 共 11 版 28 页.pdf",
    ] {
        assert_eq!(named(name), None, "{name}");
    }
}

proptest! {
    #[test]
    fn a_day_is_found_however_it_is_written(days in 0i64..20_000, before in "[^0-9]{0,8}", behind in "[^0-9.]{0,8}") {
        let day = Day::of(0).plus(days);
        let text = day.to_string();
        for written in [text.clone(), text.replace('-', ""), text.replacen('-', "年", 1).replace('-', "月") + "日"] {
            let name = format!("{before}{written}{behind}.pdf");
            prop_assert_eq!(named(&name).map(|named| named.day), Some(day), "{}", name);
        }
    }

    #[test]
    fn nothing_falls_over(name in ".*") {
        let _ = named(&name);
    }
}
