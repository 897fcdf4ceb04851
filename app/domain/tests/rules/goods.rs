//! What `Goods::validate` refuses, and what a book measures.

use crate::common::{choice, goods_of, item, price, rung, small_goods, step};
use domain::goods::{Cnum, Goods, PageAim, PageRange, Problem, step_name};
use domain::price::Basis;
use domain::tier::Tier;

/// The problems after one change to a goods that has none.
fn problems(change: impl FnOnce(&mut Goods)) -> Vec<Problem> {
    let mut goods = small_goods();
    assert_eq!(goods.validate(), Ok(()));
    change(&mut goods);
    goods.validate().expect_err("a problem")
}

#[test]
fn a_code_belongs_to_one_item() {
    let found = problems(|goods| goods.steps[1].items[0].cnum = "b0".into());
    assert_eq!(found, [Problem::CnumTwice("b0".into())]);
    assert_eq!(found[0].to_string(), "选项编号「b0」重复");
}

#[test]
fn a_hidden_steps_codes_count_too() {
    let found = problems(|goods| {
        goods.steps[4].is_show = false;
        goods.steps[4].items[0].cnum = "c0".into();
    });
    assert_eq!(found, [Problem::CnumTwice("c0".into())]);
}

#[test]
fn a_code_holds_no_pipe_and_is_not_empty() {
    for code in ["", "a|b", "封面", "a b"] {
        let found = problems(|goods| goods.steps[1].items[0].cnum = code.into());
        assert_eq!(found, [Problem::CnumShape(code.into())]);
    }
}

#[test]
fn steps_are_the_specifications() {
    let found = problems(|goods| goods.steps[4].name = "打孔".to_owned());
    assert_eq!(found, [Problem::UnknownStep("打孔".to_owned())]);
    let found = problems(|goods| goods.steps.push(step("z", step_name::CRAFT, &["无"])));
    assert_eq!(found, [Problem::StepTwice("其他工艺".to_owned())]);
    let found = problems(|goods| goods.steps[4].id = "b".to_owned());
    assert_eq!(found, [Problem::StepId("b".to_owned())]);
    let found = problems(|goods| goods.steps[2].is_show = false);
    assert_eq!(found, [Problem::StepMissing("内页克重")]);
}

#[test]
fn a_shown_step_has_items_except_remarks() {
    let found = problems(|goods| goods.steps[4].items.clear());
    assert_eq!(found, [Problem::NoItems("其他工艺".to_owned())]);
    let found = problems(|goods| goods.steps[5].items.push(item("r0", "无")));
    assert_eq!(found, [Problem::RemarksWithItems]);
    let mut hidden = small_goods();
    hidden.steps[4].items.clear();
    hidden.steps[4].is_show = false;
    assert_eq!(hidden.validate(), Ok(()));
}

#[test]
fn closed_lists_are_closed() {
    let found = problems(|goods| goods.steps[2].items.push(item("w9", "300克")));
    assert!(
        found.contains(&Problem::UnknownItemName {
            step: "内页克重".to_owned(), item: "300克".to_owned()
        })
    );
    let found = problems(|goods| goods.steps[4].items[0].name = String::new());
    assert_eq!(found, [Problem::NoItemName("x0".into())]);
    let found = problems(|goods| goods.steps[4].items[1].name = "无".to_owned());
    assert_eq!(found, [Problem::ItemNameTwice { step: "其他工艺".to_owned(), item: "无".to_owned() }]);
}

#[test]
fn every_binding_and_weight_has_its_data() {
    let found = problems(|goods| {
        goods.binding_pages.remove("普通平装");
    });
    assert_eq!(found, [Problem::NoBindingPages("普通平装".to_owned())]);
    let found = problems(|goods| {
        goods.bodies.remove("普通平装");
    });
    assert_eq!(found, [Problem::NoBody("普通平装".to_owned())]);
    let found = problems(|goods| {
        goods.papers.remove("200克");
    });
    assert_eq!(found, [Problem::NoPaper("200克".to_owned())]);
    let found = problems(|goods| {
        goods.binding_pages.insert("铁圈装".to_owned(), PageRange { min: 1, max: 9 });
    });
    assert_eq!(found, [Problem::BindingNotOffered("铁圈装".to_owned())]);
    let found = problems(|goods| {
        goods.binding_pages.insert("普通平装".to_owned(), PageRange { min: 9, max: 8 });
    });
    assert_eq!(found, [Problem::BindingPages("普通平装".to_owned())]);
    let found = problems(|goods| {
        goods.papers.get_mut("200克").expect("paper").caliper_mm = f64::NAN;
    });
    assert_eq!(found, [Problem::Measure("200克".to_owned())]);
}

/// Specification section 5: the help text's limits.
#[test]
fn page_ranges_say_what_the_help_text_says() {
    for (binding, wrong) in
        [("豪华装", [1, 41]), ("对裱精装", [1, 61]), ("对裱平装", [15, 60]), ("对裱平装", [16, 61])]
    {
        let mut goods = goods_of(vec![
            step("b", step_name::BINDING, &["普通精装", binding]),
            step("w", step_name::WEIGHT, &["200克"]),
        ]);
        assert_eq!(goods.validate(), Ok(()));
        goods.binding_pages.insert(binding.to_owned(), wrong.into());
        let found = goods.validate().expect_err("a problem");
        assert!(matches!(&found[..], [Problem::HelpText { .. }]), "{found:?}");
    }
}

#[test]
fn prices_are_of_items_and_not_negative() {
    let found = problems(|goods| {
        goods.price_book.items.insert("nix".into(), price("1.00", Basis::Copy));
    });
    assert_eq!(found, [Problem::PriceOfUnknown(Cnum::from("nix"))]);
    let found = problems(|goods| {
        goods.price_book.items.insert("b0".into(), price("-1.00", Basis::Copy));
    });
    assert_eq!(found, [Problem::NegativePrice("b0".to_owned())]);
    for ladder in [
        vec![rung(1, "0.1")],
        vec![rung(10, "0")],
        vec![rung(10, "0.1"), rung(10, "0.2")],
        vec![rung(10, "0.2"), rung(20, "0.1")],
    ] {
        assert_eq!(problems(|goods| goods.price_book.volume = ladder), [Problem::Ladder]);
    }
    let found = problems(|goods| {
        goods.price_book.tiers.insert(Tier::Basic, "0.1".parse().expect("a rate"));
    });
    assert_eq!(found, [Problem::BasicDiscount]);
}

#[test]
fn page_counts_aimed_at_can_be_made() {
    let found = problems(|goods| goods.pages = PageAim { min: 9, max: 8, step: 1 });
    assert_eq!(found, [Problem::PageAim]);
    let found = problems(|goods| goods.pages.step = 0);
    assert_eq!(found, [Problem::PageAim]);
    // With 200克 alone, which ends at 66 pages.
    let found = problems(|goods| {
        goods.steps[2].items.remove(0);
        goods.pages = PageAim { min: 60, max: 80, step: 4 };
    });
    assert_eq!(found, [Problem::NothingEnabled { pages: 68, step: "内页克重".to_owned() }]);
}

#[test]
fn all_problems_are_told_at_once() {
    let found = problems(|goods| {
        goods.name = " ".to_owned();
        goods.trim.width = 0.0;
        goods.steps[4].items.clear();
    });
    assert_eq!(found, [Problem::NoName, Problem::Trim, Problem::NoItems("其他工艺".to_owned())]);
}

#[test]
fn the_aim_finds_a_page_count_for_any_number_of_pages() {
    let aim = PageAim { min: 10, max: 61, step: 4 };
    for (wanted, found) in [(0, 10), (10, 10), (11, 14), (57, 58), (58, 58), (59, 58), (1000, 58)] {
        assert_eq!(aim.at_least(wanted), found, "{wanted}");
        assert!(aim.counts().any(|count| count == found));
    }
}

#[test]
fn a_spine_is_as_wide_as_leaves_and_cover() {
    let goods = small_goods();
    let of = |binding| choice(&goods, &[(step_name::BINDING, binding), (step_name::WEIGHT, "157克")]);
    // 24 leaves of 0.125 mm and a cover of 4 mm.
    assert_eq!(goods.spine_mm(48, &of("普通精装")), Some(7.0));
    assert_eq!(goods.spine_mm(47, &of("普通精装")), Some(7.0));
    assert_eq!(goods.spine_mm(48, &of("骑马钉")), Some(0.0));
    assert_eq!(goods.spine_mm(48, &choice(&goods, &[(step_name::BINDING, "普通精装")])), None);
}

#[test]
fn a_sewn_book_is_made_of_whole_sheets() {
    let mut goods = small_goods();
    for body in goods.bodies.values_mut() {
        body.section_pages = 16;
    }
    let sewn = choice(&goods, &[(step_name::BINDING, "普通平装"), (step_name::WEIGHT, "157克")]);
    assert_eq!(goods.sections(46, &sewn), Some(vec![16; 3]));
    // 24 leaves, the last of them blank: as thick and as heavy as 48 pages
    assert_eq!(goods.spine_mm(46, &sewn), Some(7.0));
    assert_eq!(goods.weight_grams(46, &sewn, 1), Some(289));
    // what was ordered before sections were told has as many leaves as it had
    let before = small_goods();
    assert_eq!((before.sections(46, &sewn), before.spine_mm(46, &sewn)), (None, Some(6.875)));
    for (pages, is_wrong) in [(0, false), (4, false), (64, false), (18, true), (68, true)] {
        goods.bodies.get_mut("普通平装").expect("it").section_pages = pages;
        let found = goods.validate().err().unwrap_or_default();
        assert_eq!(found.contains(&Problem::Section("普通平装".to_owned())), is_wrong, "{pages}: {found:?}");
    }
}

#[test]
fn copies_weigh_leaves_cover_and_additions() {
    let mut goods = small_goods();
    goods.steps[4].items[1].grams = 30;
    let plain = choice(&goods, &[(step_name::BINDING, "普通精装"), (step_name::WEIGHT, "157克")]);
    // 24 leaves × 0.05 m² × 157 g/m² = 188.4 g, up to 189, and 100 g of cover.
    assert_eq!(goods.weight_grams(48, &plain, 1), Some(289));
    assert_eq!(goods.weight_grams(48, &plain, 10), Some(2890));
    let foil = [(step_name::BINDING, "普通精装"), (step_name::WEIGHT, "157克"), (step_name::CRAFT, "烫金")];
    assert_eq!(goods.weight_grams(48, &choice(&goods, &foil), 1), Some(319));
    assert!(goods.weight_grams(9999, &plain, 1_000_000).is_some());
}

#[test]
fn days_of_work_leave_out_weekends() {
    use domain::goods::Days;
    use time::{Date, Month};
    let day = |day| Date::from_calendar_date(2026, Month::November, day).expect("a day");
    let days = |from, to| Days { from, to };
    // the 27th is a Friday
    assert_eq!(
        days(1, 3).after(day(26)),
        (day(27), Date::from_calendar_date(2026, Month::December, 1).expect("a day"))
    );
    assert_eq!(days(1, 1).after(day(20)), (day(23), day(23)));
    assert_eq!(days(1, 2).after(day(21)), (day(23), day(24)), "paid on a Saturday");
    assert_eq!(days(5, 7).after(day(12)), (day(19), day(23)));
    assert_eq!(Days::together([days(5, 6), days(1, 7)]), Some(days(5, 7)));
    assert_eq!(Days::together([]), None);
    assert_eq!(days(0, 0).after(day(21)), (day(21), day(21)));
    // the national day of 2026 is off from the 1st to the 7th of October, a Wednesday; the 10th, a Saturday, is worked
    let date = |month, day| Date::from_calendar_date(2026, month, day).expect("a day");
    let (first, last) = days(1, 3).after(date(Month::September, 30));
    assert_eq!((first, last), (date(Month::October, 8), date(Month::October, 10)));
    assert_eq!(days(1, 9).after(Date::MAX).0, Date::MAX);
}
