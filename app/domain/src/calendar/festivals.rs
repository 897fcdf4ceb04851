//! Festivals: traditional ones by the lunar calendar, modern ones by the solar one.

use super::YearMonth;
use super::lunar::{LunarDate, is_last_of_year};

/// Month, day, name. They are not kept in leap months.
const TRADITIONAL: [(u8, u8, &str); 10] = [
    (1, 1, "春节"),
    (1, 15, "元宵节"),
    (2, 2, "龙抬头"),
    (5, 5, "端午节"),
    (7, 7, "七夕"),
    (7, 15, "中元节"),
    (8, 15, "中秋节"),
    (9, 9, "重阳节"),
    (12, 8, "腊八节"),
    (12, 23, "小年"),
];
/// Month, day, name: those that the whole country has off.
const STATUTORY: [(u8, u8, &str); 3] = [(1, 1, "元旦"), (5, 1, "劳动节"), (10, 1, "国庆节")];
const MODERN: [(u8, u8, &str); 9] = [
    (2, 14, "情人节"),
    (3, 8, "妇女节"),
    (3, 12, "植树节"),
    (5, 4, "青年节"),
    (6, 1, "儿童节"),
    (7, 1, "建党节"),
    (8, 1, "建军节"),
    (9, 10, "教师节"),
    (12, 25, "圣诞节"),
];
/// Month, which Sunday of it, name.
const SUNDAYS: [(u8, u8, &str); 2] = [(5, 2, "母亲节"), (6, 3, "父亲节")];

/// The festivals of a day that weigh more than a solar term, then those that weigh less.
pub(super) fn festivals(
    month: YearMonth,
    day: u8,
    lunar: LunarDate,
) -> (Vec<&'static str>, Vec<&'static str>) {
    let solar = (month.month(), day);
    let on_solar = |table: &[(u8, u8, &'static str)]| -> Vec<&'static str> {
        table.iter().filter(|entry| (entry.0, entry.1) == solar).map(|entry| entry.2).collect()
    };
    let mut great = on_solar(&STATUTORY);
    if is_last_of_year(lunar) {
        great.push("除夕");
    }
    let traditional =
        TRADITIONAL.iter().filter(|entry| !lunar.is_leap && (entry.0, entry.1) == (lunar.month, lunar.day));
    great.extend(traditional.map(|entry| entry.2));
    let mut small = on_solar(&MODERN);
    let sunday = (month.weekday(day) == 6).then(|| day.div_ceil(7));
    let sundays = SUNDAYS.iter().filter(|entry| entry.0 == month.month() && Some(entry.1) == sunday);
    small.extend(sundays.map(|entry| entry.2));
    (great, small)
}
