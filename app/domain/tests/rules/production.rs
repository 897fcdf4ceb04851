//! What a shop's floor does with a line: its stages, the day that may be promised for it, and the codes on its tickets.

use std::collections::BTreeMap;

use crate::common::{all_goods, choice, small_goods};
use domain::goods::step_name;
use domain::production::{
    FloorPlan, HORIZON_DAYS, NotScanned, Scanned, Slot, Stage, Stages, Work, is_worked, promised,
};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use time::{Date, Duration, Month};

fn day(month: Month, day: u8) -> Date {
    Date::from_calendar_date(2026, month, day).expect("a day")
}

#[test]
fn stages_follow_what_was_chosen() {
    let goods = small_goods();
    let of = |film: &str| {
        let chosen = [(step_name::BINDING, "普通平装"), (step_name::INNER_LAMINATION, film)];
        Stages::of(&goods, &choice(&goods, &chosen)).as_slice().to_vec()
    };
    let whole = Stage::ALL.to_vec();
    let bare: Vec<Stage> = whole.iter().copied().filter(|stage| *stage != Stage::Lamination).collect();
    assert_eq!(of("不覆膜"), bare);
    assert_eq!(of("光膜"), whole);
    for goods in all_goods() {
        let mut goods = goods;
        goods.stages = Some(vec![Stage::Packing, Stage::Printing, Stage::Printing]);
        let route = Stages::of(&goods, &choice(&goods, &[]));
        assert_eq!(route.as_slice(), [Stage::Printing, Stage::Packing, Stage::Shipping], "the shop's own");
        goods.stages = Some(Vec::new());
        assert_eq!(
            Stages::of(&goods, &choice(&goods, &[])).first(),
            Stage::Shipping,
            "a shop without stages"
        );
    }
}

#[test]
fn goods_say_their_stages_in_their_file() {
    let mut goods = small_goods();
    goods.stages = Some(vec![Stage::Prepress, Stage::Binding]);
    let text = toml::to_string(&goods).expect("a file");
    assert!(text.contains(r#"stages = ["prepress", "binding"]"#), "{text}");
    assert_eq!(toml::from_str::<domain::goods::Goods>(&text).expect("goods"), goods);
    assert!(toml::from_str::<domain::goods::Goods>(&text.replace("prepress", "foiling")).is_err());
}

#[test]
fn a_day_is_worked_as_it_is_published() {
    // 国务院办公厅关于2026年部分节假日安排的通知: 国庆 1 to 7 October, 20 September and 10 October are worked
    for (date, worked) in [
        (day(Month::October, 1), false),
        (day(Month::October, 7), false),
        (day(Month::October, 8), true),
        (day(Month::October, 10), true),
        (day(Month::October, 11), false),
        (day(Month::September, 20), true),
        (day(Month::November, 27), true),
        (day(Month::November, 28), false),
    ] {
        assert_eq!(is_worked(date), worked, "{date}");
    }
    let unpublished = Date::from_calendar_date(2090, Month::October, 2).expect("a day");
    assert!(is_worked(unpublished), "a Monday of a year of which nothing is known");
}

fn work(stages: &[Stage], copies: u32, pages: u32) -> Work {
    Work { stages: stages.to_vec(), copies, pages }
}

#[test]
fn what_is_more_than_a_day_goes_over_several() {
    let capacity = BTreeMap::from([(Stage::Printing, 1000), (Stage::Binding, 30)]);
    let monday = day(Month::November, 23);
    let mut plan = FloorPlan::new(monday, &capacity, &[day(Month::November, 25)]);
    let all = [Stage::Prepress, Stage::Printing, Stage::Binding, Stage::Shipping];
    // 50 copies of 24 pages are 1,200 sides: Monday and Tuesday; bound from Tuesday on, not on the closed Wednesday
    let (last, slots) = plan.take(&work(&all, 50, 24)).expect("room");
    let slot = |stage, day, units| Slot { stage, day, units };
    let (tuesday, thursday) = (day(Month::November, 24), day(Month::November, 26));
    assert_eq!(
        slots,
        [
            slot(Stage::Printing, monday, 1000),
            slot(Stage::Printing, tuesday, 200),
            slot(Stage::Binding, tuesday, 30),
            slot(Stage::Binding, thursday, 20)
        ]
    );
    assert_eq!(last, thursday);
    // the next one gets what is left
    let (last, _) = plan.take(&work(&all, 10, 24)).expect("room");
    assert_eq!((last, plan.taken(Stage::Binding, thursday)), (thursday, 30));
    let boundless = |from| FloorPlan::new(from, &BTreeMap::new(), &[]);
    assert_eq!(boundless(monday).take(&work(&all, 1_000_000, 9999)), Some((monday, Vec::new())));
    let saturday = day(Month::November, 28);
    assert_eq!(boundless(saturday).take(&work(&[], 1, 1)), Some((day(Month::November, 30), vec![])));
}

#[test]
fn more_than_two_years_of_work_is_promised_nothing_and_takes_nothing() {
    let from = day(Month::November, 23);
    let mut plan = FloorPlan::new(from, &BTreeMap::from([(Stage::Printing, 1)]), &[]);
    assert_eq!(plan.take(&work(&[Stage::Printing], 1_000_000, 9999)), None);
    assert_eq!(plan.taken(Stage::Printing, from), 0);
    assert!(plan.take(&work(&[Stage::Printing], 1, 1)).is_some());
    assert!(
        FloorPlan::new(Date::MAX, &BTreeMap::new(), &[])
            .take(&work(&[], 1, 1))
            .is_none_or(|(last, _)| last == Date::MAX)
    );
    // a capacity of nothing is none, and bounds nothing
    assert_eq!(
        FloorPlan::new(from, &BTreeMap::from([(Stage::Printing, 0)]), &[]).capacity(Stage::Printing),
        None
    );
}

#[test]
fn a_day_is_promised_behind_all_others() {
    use domain::goods::Days;
    let (friday, days) = (day(Month::November, 27), Days { from: 1, to: 2 });
    let (monday, tuesday) = (day(Month::November, 30), day(Month::December, 1));
    let bound = work(&[Stage::Binding], 30, 24);
    let promise = |capacity: u64, open: &[Work], closed: &[Date]| {
        let capacity = BTreeMap::from([(Stage::Binding, capacity)]);
        promised(&capacity, closed, open, days, std::slice::from_ref(&bound), friday)
    };
    assert_eq!(promise(0, &[], &[]), Some((monday, tuesday)), "as the goods say");
    assert_eq!(promise(30, &[], &[]), Some((monday, tuesday)), "there is room");
    let open = vec![bound.clone(); 3];
    // Monday, Tuesday and Wednesday are taken
    assert_eq!(promise(30, &open, &[]), Some((monday, day(Month::December, 3))));
    let closed = [monday, tuesday];
    assert_eq!(promise(0, &[], &closed), Some((day(Month::December, 2), day(Month::December, 3))));
    assert_eq!(promise(1, &vec![bound.clone(); 30], &[]), None, "nobody can say");
    assert_eq!(
        promise(40, &[work(&[Stage::Binding], 1_000_000, 8)], &[]),
        None,
        "what is before it has no end in sight"
    );
}

fn works() -> impl Strategy<Value = Vec<Work>> {
    let stages = subsequence(Stage::ALL.to_vec(), 0..=7);
    let one =
        (stages, 1_u32..200, 1_u32..100).prop_map(|(stages, copies, pages)| Work { stages, copies, pages });
    proptest::collection::vec(one, 1..20)
}

fn capacities() -> impl Strategy<Value = BTreeMap<Stage, u64>> {
    proptest::collection::btree_map(select(Stage::ALL.to_vec()), 50_u64..2000, 0..7)
}

proptest! {
    #[test]
    fn no_day_is_promised_twice(capacity in capacities(), works in works(), closed in 0_i64..20) {
        let from = day(Month::September, 28);
        let closed = vec![from + Duration::days(closed)];
        let mut plan = FloorPlan::new(from, &capacity, &closed);
        let mut taken: BTreeMap<(Stage, Date), u64> = BTreeMap::new();
        for work in &works {
            let Some((last, slots)) = plan.take(work) else { continue };
            let mut before: Option<Slot> = None;
            for slot in &slots {
                *taken.entry((slot.stage, slot.day)).or_default() += slot.units;
                prop_assert!(is_worked(slot.day) && !closed.contains(&slot.day) && slot.day >= from);
                prop_assert!(slot.day <= last);
                if let Some(before) = before {
                    prop_assert!(before.day <= slot.day && before.stage <= slot.stage, "stage after stage");
                }
                before = Some(*slot);
            }
            for stage in &work.stages {
                let planned: u64 = slots.iter().filter(|slot| slot.stage == *stage).map(|slot| slot.units).sum();
                let asked = if capacity.contains_key(stage) { stage.units(work.copies, work.pages) } else { 0 };
                prop_assert_eq!(planned, asked, "all of the work, once");
            }
            prop_assert!(last <= from + Duration::days(HORIZON_DAYS as i64));
        }
        for ((stage, day), units) in taken {
            prop_assert!(units <= capacity[&stage]);
            prop_assert_eq!(units, plan.taken(stage, day));
        }
    }

    #[test]
    fn a_stronger_shop_promises_no_later(capacity in capacities(), works in works(), more in 1_u64..500) {
        let from = day(Month::November, 23);
        let stronger = capacity.iter().map(|(stage, units)| (*stage, units + more)).collect();
        let (mut plan, mut better) = (FloorPlan::new(from, &capacity, &[]), FloorPlan::new(from, &stronger, &[]));
        // of one work: among several, an earlier one that moves forward may take another one's place
        let (before, after) = (plan.take(&works[0]), better.take(&works[0]));
        prop_assert!(before.is_none() || after.is_some_and(|(after, _)| before.is_some_and(|(before, _)| after <= before)));
    }

    #[test]
    fn stages_come_back_from_their_text(stages in subsequence(Stage::ALL.to_vec(), 0..=7)) {
        let route = Stages::through(&stages);
        prop_assert_eq!(route.to_string().parse::<Stages>(), Ok(route.clone()));
        prop_assert_eq!(route.as_slice().last(), Some(&Stage::Shipping));
        let mut walked = vec![route.first()];
        while let Some(next) = walked.last().and_then(|stage| route.after(*stage)) {
            walked.push(next);
        }
        prop_assert_eq!(&walked[..], route.as_slice());
        for (index, stage) in walked.iter().enumerate() {
            prop_assert_eq!(route.before(*stage).collect::<Vec<_>>(), &walked[..index]);
            prop_assert_eq!(route.rest(*stage).collect::<Vec<_>>(), &walked[index..]);
        }
    }
}

#[test]
fn codes_of_this_house_are_read_and_no_others() {
    let site = Some("https://print.example.com");
    let found = |order: &str, line| Ok(Scanned { order: order.to_owned(), line });
    for (text, expected) in [
        ("https://print.example.com/staff/floor/01kb/2", found("01kb", Some(2))),
        ("https://print.example.com/staff/floor/01kb/", found("01kb", None)),
        ("https://print.example.com/staff/orders/01kb?x=1", found("01kb", None)),
        ("HTTPS://PRINT.EXAMPLE.COM/staff/floor/01KB/2", found("01kb", Some(2))),
        ("  01KB/3\r\n", found("01kb", Some(3))),
        ("０１ｋｂ", found("01kb", None)),
        ("https://print.example.com.evil.example/staff/floor/01kb", Err(NotScanned::AnotherHouse)),
        ("https://other.example/staff/floor/01kb", Err(NotScanned::AnotherHouse)),
        ("https://print.example.com/about", Err(NotScanned::AnotherHouse)),
        ("http://weixin.qq.com/r/abc", Err(NotScanned::AnotherHouse)),
        ("", Err(NotScanned::NoNumber)),
        ("01kb/two", Err(NotScanned::NoNumber)),
        ("订单", Err(NotScanned::NoNumber)),
        ("6901234567892 ", found("6901234567892", None)),
    ] {
        assert_eq!(Scanned::parse(text, site), expected, "{text}");
    }
    assert_eq!(
        Scanned::parse("https://print.example.com/staff/floor/01kb", None),
        Err(NotScanned::AnotherHouse)
    );
}
