//! Months, lunar days, solar terms, festivals and days off against what is known of them.

use domain::calendar::{
    Anniversary, Day, DaysOff, Month, MonthBlock, MonthPart, WeekStart, YearMonth, is_published,
    lunar_year_name, parse_anniversaries, write_anniversaries,
};
use domain::document::{Common, Rect};
use proptest::prelude::*;

fn month_of(year: i32, month: u8, week_start: WeekStart, anniversaries: Vec<Anniversary>) -> Month {
    let month = YearMonth::new(year, month).expect("a month");
    Month::of(&MonthBlock {
        common: Common::default(),
        frame: Rect { x: 0.0, y: 0.0, width: 100.0, height: 100.0 },
        part: MonthPart::Grid,
        month,
        week_start,
        anniversaries,
        days_off: DaysOff::of(month),
    })
}

fn month(year: i32, month: u8) -> Month {
    month_of(year, month, WeekStart::Monday, Vec::new())
}

fn day(year: i32, of: u8, day: u8) -> Day {
    month(year, of).days[usize::from(day) - 1].clone()
}

/// Month and day of everything that a year's days have to do with a word.
fn noted(year: i32, word: &str) -> Vec<(u8, u8)> {
    (1..=12)
        .flat_map(|of| month(year, of).days.into_iter().map(move |day| (of, day)))
        .filter(|(_, day)| day.notes().iter().any(|note| note == word))
        .map(|(of, day)| (of, day.day))
        .collect()
}

#[test]
fn the_spring_festival_is_where_it_was_and_will_be() {
    let known = [
        (2020, 1, 25),
        (2021, 2, 12),
        (2022, 2, 1),
        (2023, 1, 22),
        (2024, 2, 10),
        (2025, 1, 29),
        (2026, 2, 17),
        (2027, 2, 6),
        (2028, 1, 26),
        (2029, 2, 13),
        (2030, 2, 3),
    ];
    for (year, of, on) in known {
        assert_eq!(noted(year, "春节"), [(of, on)], "{year}");
        let eve = if on == 1 { (of - 1, 31) } else { (of, on - 1) };
        assert_eq!(noted(year, "除夕"), [eve], "{year}");
    }
}

#[test]
fn other_traditional_festivals() {
    for (year, word, on) in [
        (2024, "端午节", (6, 10)),
        (2025, "端午节", (5, 31)),
        (2026, "端午节", (6, 19)),
        (2027, "端午节", (6, 9)),
        (2023, "中秋节", (9, 29)),
        (2024, "中秋节", (9, 17)),
        (2025, "中秋节", (10, 6)),
        (2026, "中秋节", (9, 25)),
        (2027, "中秋节", (9, 15)),
        (2026, "元宵节", (3, 3)),
        (2026, "重阳节", (10, 18)),
        (2025, "七夕", (8, 29)),
    ] {
        assert_eq!(noted(year, word), [on], "{year} {word}");
    }
    assert_eq!(noted(2026, "母亲节"), [(5, 10)]);
    assert_eq!(noted(2026, "父亲节"), [(6, 21)]);
    assert_eq!(noted(2027, "国庆节"), [(10, 1)]);
}

#[test]
fn solar_terms_begin_on_their_days() {
    // 紫金山天文台, days of 2024 to 2027
    let table = [
        (2024, "立春", (2, 4)),
        (2024, "清明", (4, 4)),
        (2024, "夏至", (6, 21)),
        (2024, "秋分", (9, 22)),
        (2024, "冬至", (12, 21)),
        (2025, "立春", (2, 3)),
        (2025, "清明", (4, 4)),
        (2025, "小暑", (7, 7)),
        (2025, "冬至", (12, 21)),
        (2026, "立春", (2, 4)),
        (2026, "春分", (3, 20)),
        (2026, "清明", (4, 5)),
        (2026, "立秋", (8, 7)),
        (2026, "冬至", (12, 22)),
        (2027, "清明", (4, 5)),
        (2027, "夏至", (6, 21)),
    ];
    for (year, term, on) in table {
        assert_eq!(noted(year, term), [on], "{year} {term}");
    }
    for year in (1901..2100).step_by(7) {
        let terms: usize =
            (1..=12).map(|of| month(year, of).days.iter().filter(|day| day.term.is_some()).count()).sum();
        assert_eq!(terms, 24, "{year}");
    }
}

#[test]
fn leap_months() {
    let leap = |year: i32| -> Vec<String> {
        let days = (1..=12).flat_map(|of| month(year, of).days);
        let mut names: Vec<String> =
            days.filter(|day| day.lunar.is_leap).map(|day| day.lunar.month_name()).collect();
        names.dedup();
        names
    };
    for (year, name) in
        [(2020, "闰四月"), (2023, "闰二月"), (2025, "闰六月"), (2028, "闰五月"), (2033, "闰冬月")]
    {
        assert_eq!(leap(year), [name], "{year}");
    }
    for year in [2021, 2022, 2024, 2026, 2027] {
        assert!(leap(year).is_empty(), "{year}");
    }
    // its first day says which month it is, and its festivals are not kept a second time
    assert_eq!(day(2025, 7, 25).notes(), ["闰六月"]);
    assert_eq!(noted(2028, "端午节"), [(5, 28)]);
}

#[test]
fn lunar_days_have_their_names() {
    let names: Vec<String> = month(2026, 2).days[16..].iter().map(|day| day.lunar.short_name()).collect();
    assert_eq!(
        names[..11],
        ["正月", "初二", "初三", "初四", "初五", "初六", "初七", "初八", "初九", "初十", "十一"]
    );
    assert_eq!(day(2026, 3, 8).lunar.short_name(), "二十");
    assert_eq!(day(2026, 3, 9).lunar.short_name(), "廿一");
    assert_eq!(lunar_year_name(2027), "丁未羊年");
    assert_eq!(month(2027, 2).lunar_span(), "丙午马年腊月 — 丁未羊年正月");
}

#[test]
fn days_off_are_those_of_the_notices() {
    // 国办发明电〔2023〕7号, 〔2024〕12号, 〔2025〕7号: first and last day off, days to make up
    type Notice = (i32, &'static [((u8, u8), u8)], &'static [(u8, u8)]);
    let notices: [Notice; 3] = [
        (
            2024,
            &[((1, 1), 1), ((2, 10), 8), ((4, 4), 3), ((5, 1), 5), ((6, 8), 3), ((9, 15), 3), ((10, 1), 7)],
            &[(2, 4), (2, 18), (4, 7), (4, 28), (5, 11), (9, 14), (9, 29), (10, 12)],
        ),
        (
            2025,
            &[((1, 1), 1), ((1, 28), 8), ((4, 4), 3), ((5, 1), 5), ((5, 31), 3), ((10, 1), 8)],
            &[(1, 26), (2, 8), (4, 27), (9, 28), (10, 11)],
        ),
        (
            2026,
            &[((1, 1), 3), ((2, 15), 9), ((4, 4), 3), ((5, 1), 5), ((6, 19), 3), ((9, 25), 3), ((10, 1), 7)],
            &[(1, 4), (2, 14), (2, 28), (5, 9), (9, 20), (10, 10)],
        ),
    ];
    for (year, off, work) in notices {
        let days = |is: fn(&Day) -> bool| -> Vec<(u8, u8)> {
            let of = |of: u8| month(year, of).days.into_iter().filter(is).map(move |day| (of, day.day));
            (1..=12).flat_map(of).collect()
        };
        let mut expected = Vec::new();
        for &((of, first), count) in off {
            let start = YearMonth::new(year, of).expect("a month");
            for later in 0..count {
                let day = first + later;
                let past = day > start.days();
                expected.push(if past { (of + 1, day - start.days()) } else { (of, day) });
            }
        }
        // a weekend beside a holiday may be noted or not: nobody works on it
        let unexpected = days(|day| day.is_rest).into_iter().find(|day| !expected.contains(day));
        assert_eq!(unexpected, None, "{year}");
        let working = expected.iter().find(|(of, on)| !day(year, *of, *on).is_off());
        assert_eq!(working, None, "{year}");
        assert_eq!(days(|day| day.is_work), work, "{year}");
        assert!(days(|day| day.is_work && day.is_off()).is_empty());
        assert!(is_published(year));
    }
    assert!(!is_published(2099));
    assert!(month(2099, 10).days.iter().all(|day| !day.is_rest && !day.is_work));
}

#[test]
fn holidays_by_law_are_off_in_every_year() {
    // 2031: 春节 on 23 January, 清明 on 5 April, 端午 on 24 June, 中秋 on 1 October
    let off: Vec<(u8, u8)> = (1..=12)
        .flat_map(|of| {
            month(2031, of).days.into_iter().filter(|day| day.is_statutory).map(move |day| (of, day.day))
        })
        .collect();
    let expected = [
        (1, 1),
        (1, 22),
        (1, 23),
        (1, 24),
        (1, 25),
        (4, 5),
        (5, 1),
        (5, 2),
        (6, 24),
        (10, 1),
        (10, 2),
        (10, 3),
    ];
    assert_eq!(off, expected);
    assert!(!is_published(2031) && day(2031, 1, 23).is_off() && day(2031, 1, 26).is_off(), "and Sundays");
    // it was none then
    assert!(!day(2024, 2, 9).is_off() && day(2026, 2, 16).is_off());
}

#[test]
fn anniversaries_are_read_as_people_write_them() {
    let text = "3-15 妈妈生日\n\n 12/1：搬家 \r\n２．２９ 小满生日\n5月4日结婚纪念\n农历 八月十五 全家团圆\n农历8-15 奶奶\n阴历腊月廿三，祭灶\n\
                农历闰六月初三 老三\n农历十二月三十 守岁\n农历正月二十一 爷爷";
    let read = parse_anniversaries(text).expect("all of them");
    let lines = [
        "3-15 妈妈生日",
        "12-1 搬家",
        "2-29 小满生日",
        "5-4 结婚纪念",
        "农历八月十五 全家团圆",
        "农历八月十五 奶奶",
        "农历腊月廿三 祭灶",
        "农历闰六月初三 老三",
        "农历腊月三十 守岁",
        "农历正月廿一 爷爷",
    ];
    assert_eq!(read.iter().map(ToString::to_string).collect::<Vec<_>>(), lines);
    assert_eq!(parse_anniversaries(&write_anniversaries(&read)), Ok(read));
}

#[test]
fn what_is_wrong_with_a_line_is_said() {
    let text = "妈妈生日\n13-1 生日\n2-30 生日\n4-31 生日\n农历八月三十一 生日\n3-15\n八月十五 团圆\n3-15 一个长得谁也放不进格子里的名称\n6-1 好的";
    let wrong = parse_anniversaries(text).expect_err("most of them");
    let numbers: Vec<String> = wrong.iter().map(|reason| reason.chars().skip(2).take(1).collect()).collect();
    assert_eq!(numbers.join(""), "12345678", "{wrong:#?}");
    assert!(wrong[1].contains("没有 13 月 1 日") && wrong[2].contains("没有 2 月 30 日"), "{wrong:#?}");
    assert!(
        wrong[5].contains("还没有写名称")
            && wrong[6].contains("注明“农历”")
            && wrong[7].contains("最多 12 个字")
    );
    let many: String = (0..61).map(|_| "1-1 同一天\n").collect();
    assert!(parse_anniversaries(&many).expect_err("too many")[0].contains("最多 60 个"));
}

#[test]
fn anniversaries_come_every_year() {
    let own = |line: &str, year: i32| -> Vec<(u8, u8)> {
        let read = parse_anniversaries(line).expect("a line");
        let of = |of| {
            let days = month_of(year, of, WeekStart::Monday, read.clone()).days;
            days.into_iter().filter(|day| !day.anniversaries.is_empty()).map(move |day| (of, day.day))
        };
        (1..=12).flat_map(of).collect()
    };
    assert_eq!(own("3-15 妈妈", 2027), [(3, 15)]);
    assert_eq!(own("2-29 小满", 2028), [(2, 29)]);
    assert_eq!(own("2-29 小满", 2027), [(2, 28)]);
    assert_eq!(own("农历八月十五 团圆", 2027), [(9, 15)]);
    // a leap month's is in the month itself where there is none
    assert_eq!(own("农历闰六月初一 老三", 2025), [(7, 25)]);
    assert_eq!(own("农历闰六月初一 老三", 2026), [(7, 14)]);
    assert_eq!(own("农历六月初一 老大", 2025), [(6, 25)]);
    // the thirtieth of a short month is its last day
    assert_eq!(own("农历腊月三十 守岁", 2025), noted(2025, "除夕"));
    assert_eq!(own("农历腊月三十 守岁", 2026), noted(2026, "除夕"));
}

proptest! {
    #[test]
    fn every_day_of_a_year_stands_once_under_its_weekday(year in 1901i32..2100, sunday in any::<bool>()) {
        let week_start = if sunday { WeekStart::Sunday } else { WeekStart::Monday };
        // the weekday goes on from month to month, whatever computes the first one
        let mut weekday = month(year, 1).days[0].weekday;
        let mut count = 0;
        for of in 1..=12 {
            let month = month_of(year, of, week_start, Vec::new());
            let weeks = month.weeks();
            prop_assert!((4..=6).contains(&weeks.len()));
            let mut expected = 1;
            for (column, day) in weeks.iter().flat_map(|week| week.iter().enumerate()) {
                let Some(day) = day else { continue };
                prop_assert_eq!(day.day, expected);
                prop_assert_eq!(day.weekday, weekday);
                prop_assert_eq!(week_start.weekday(column), weekday);
                prop_assert!((1..=30).contains(&day.lunar.day) && (1..=12).contains(&day.lunar.month));
                expected += 1;
                count += 1;
                weekday = (weekday + 1) % 7;
            }
            prop_assert_eq!(expected - 1, month.month.days());
        }
        prop_assert!(count == 365 || (count == 366 && year % 4 == 0));
    }

    #[test]
    fn months_are_counted(year in 1910i32..2090, of in 1u8..=12, later in -100i32..100) {
        let month = YearMonth::new(year, of).expect("a month");
        prop_assert_eq!(month.plus(later).since(month), later);
        prop_assert_eq!(month.plus(later).plus(-later), month);
        prop_assert_eq!(month.to_string().parse(), Ok(month));
    }

    #[test]
    fn no_line_breaks_the_reader(text in "[0-9０-９农历闰正一二三十廿初卅月日 /.:：生-]{0,30}") {
        if let Ok(read) = parse_anniversaries(&text) {
            prop_assert_eq!(parse_anniversaries(&write_anniversaries(&read)), Ok(read));
        }
    }
}

#[test]
fn weekdays_and_moments() {
    // 2027-01-01 is a Friday, 2000-02-29 was a Tuesday
    assert_eq!(YearMonth::new(2027, 1).map(|month| month.weekday(1)), Some(4));
    assert_eq!(YearMonth::new(2000, 2).map(|month| month.weekday(29)), Some(1));
    // midnight in China is four in the afternoon before, elsewhere
    assert_eq!(YearMonth::of(1_795_190_399_999), YearMonth::new(2026, 11));
    assert_eq!(YearMonth::of(1_796_054_399_999), YearMonth::new(2026, 11));
    assert_eq!(YearMonth::of(1_796_054_400_000), YearMonth::new(2026, 12));
    assert_eq!(YearMonth::of(-1), YearMonth::new(1970, 1));
    assert_eq!(YearMonth::new(2027, 13), None);
}
