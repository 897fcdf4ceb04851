//! Specification sections 4 and 5, sentence by sentence.

use crate::common::{choice, cnum, goods_of, item, small_goods, step};
use domain::goods::{BINDINGS, Cnum, Goods, PageRange, step_name};
use domain::print_options::{
    Choice, Fit, Quantity, Refusal, Selection, check, default_choice, evaluate, exclusions, fits, spec,
};

/// The names of a step's enabled items.
fn enabled(goods: &Goods, pages: u32, choice: &Choice, step_name: &str) -> Vec<String> {
    let evaluation = evaluate(goods, pages, choice);
    let step = evaluation.step(step_name).expect("a shown step");
    step.items.iter().filter(|item| item.enable).map(|item| item.name.clone()).collect()
}

fn fit(goods: &Goods, pages: u32, step_name: &str, item_name: &str) -> Fit {
    let (step, item) = goods.item(&cnum(goods, step_name, item_name)).expect("a shown item");
    fits(goods, pages, step, item)
}

fn not(reason: &str) -> Fit {
    Fit::Not(reason.to_owned())
}

/// "Steps with IsShow other than Y are dropped." A hidden 布艺 or 豪华装 disables nothing.
#[test]
fn hidden_steps_are_dropped_and_take_part_in_no_rule() {
    let mut goods = small_goods();
    goods.steps[1].is_show = false;
    goods.steps[1].items.remove(0);
    let pages = 8;
    let evaluation = evaluate(&goods, pages, &Choice::default());
    assert!(evaluation.step(step_name::COVER).is_none());
    assert_eq!(evaluation.steps.len(), 5);
    assert_eq!(
        enabled(&goods, pages, &Choice::default(), step_name::BINDING),
        ["骑马钉", "普通平装", "普通精装", "豪华装"]
    );
    assert!(exclusions(&goods, 8).iter().all(|pair| pair.chosen.0 != "c1"));
    // And its code is unknown to whoever sends it.
    let codes = "b0|c1|w0|i0|x0";
    assert_eq!(check(&goods, pages, &Choice::parse(codes)), Err(Refusal::UnknownItem("c1".into())));
    assert_eq!(check(&goods, pages, &Choice::parse("b0|w0|i0|x0")), Ok(()));
}

/// "Every item starts enabled."
#[test]
fn what_no_rule_speaks_of_is_enabled() {
    let goods = small_goods();
    for item in &evaluate(&goods, 9999, &Choice::default()).step(step_name::CRAFT).expect("crafts").items {
        assert!(item.enable && item.fits && item.reason.is_none());
    }
}

/// "The binding step sets its description from the chosen binding." Section 2: and a cover image; some steps
/// show a tip box.
#[test]
fn the_step_shows_what_the_chosen_item_carries() {
    let mut goods = small_goods();
    goods.steps[0].items[2].description = Some("硬壳".to_owned());
    goods.steps[0].items[2].cover = Some("binding-hard".to_owned());
    goods.steps[0].tips = Some("看页数".to_owned());
    goods.steps[0].items[1].tips = Some("胶装".to_owned());
    let of = |binding: &str| {
        let step = evaluate(&goods, 8, &choice(&goods, &[(step_name::BINDING, binding)])).steps[0].clone();
        (step.desc, step.cover, step.tips)
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(of("普通精装"), (text("硬壳"), text("binding-hard"), text("看页数")));
    assert_eq!(of("普通平装"), (None, None, text("胶装")));
}

/// "Items whose page range excludes the current page count are disabled."
#[test]
fn a_binding_keeps_to_its_range() {
    let mut goods = small_goods();
    goods.binding_pages.insert("普通平装".to_owned(), PageRange { min: 16, max: 60 });
    for (pages, fits) in [(15, false), (16, true), (60, true), (61, false)] {
        assert_eq!(fit(&goods, pages, step_name::BINDING, "普通平装") == Fit::Fits, fits, "{pages}");
    }
    assert_eq!(fit(&goods, 68, step_name::BINDING, "普通平装"), not("68 页超出 16–60"));
    let evaluation = evaluate(&goods, 61, &Choice::default());
    let item = &evaluation.steps[0].items[1];
    assert_eq!((item.enable, item.fits), (false, false));
    assert_eq!(item.reason.as_deref(), Some("61 页超出 16–60"));
}

/// A range of another step's item with a binding's name is nobody's.
#[test]
fn a_range_is_for_its_own_step() {
    let mut goods = small_goods();
    goods.steps[4].items[0].name = "豪华装".to_owned();
    goods.steps[4].items[1].name = "250克".to_owned();
    assert_eq!(fit(&goods, 500, step_name::CRAFT, "豪华装"), Fit::Fits);
    assert_eq!(fit(&goods, 500, step_name::CRAFT, "250克"), Fit::Fits);
}

/// "If the chosen item becomes disabled, the first enabled item is selected."
#[test]
fn a_disabled_choice_falls_back_to_the_first_enabled() {
    let goods = small_goods();
    // 骑马钉 is first but 10 is no multiple of 4; 豪华装 ends at 40.
    let deluxe = choice(&goods, &[(step_name::BINDING, "豪华装"), (step_name::CRAFT, "烫金")]);
    let evaluation = evaluate(&goods, 42, &deluxe);
    assert_eq!(evaluation.steps[0].selected().expect("a binding").name, "普通平装");
    // What is still enabled stays.
    assert_eq!(evaluation.step(step_name::CRAFT).and_then(|step| step.sel_cnum()), Some(&"x1".into()));
}

/// A fallback in one step may force one in the next: 布艺 drives out 对裱平装 in favour of 豪华装, and that
/// drives out 不覆膜. The order of the steps in the dialog changes nothing.
#[test]
fn fallbacks_cascade() {
    let steps = [
        step("i", step_name::INNER_LAMINATION, &["不覆膜", "哑膜"]),
        step("b", step_name::BINDING, &["普通平装", "豪华装", "普通精装"]),
        step("c", step_name::COVER, &["铜版纸", "布艺"]),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let goods = goods_of(order.iter().map(|&index| steps[index].clone()).collect());
        let wanted = choice(
            &goods,
            &[
                (step_name::COVER, "布艺"),
                (step_name::BINDING, "普通平装"),
                (step_name::INNER_LAMINATION, "不覆膜"),
            ],
        );
        let evaluation = evaluate(&goods, 20, &wanted);
        let chosen: Vec<&Cnum> = ["c", "b", "i"]
            .iter()
            .filter_map(|id| evaluation.steps.iter().find(|step| step.id == *id)?.sel_cnum())
            .collect();
        assert_eq!(chosen, [&Cnum::from("c1"), &"b1".into(), &"i1".into()], "{order:?}");
    }
}

/// "Saddle-stitch 骑马钉 is enabled only when the page count is a multiple of 4."
#[test]
fn saddle_stitch_wants_a_multiple_of_four() {
    let goods = small_goods();
    for (pages, fits) in [(8, true), (9, false), (10, false), (11, false), (12, true)] {
        assert_eq!(fit(&goods, pages, step_name::BINDING, "骑马钉") == Fit::Fits, fits, "{pages}");
    }
    assert_eq!(fit(&goods, 10, step_name::BINDING, "骑马钉"), not("页数须为 4 的倍数"));
}

/// "If the goods has EditorType 3 and isHasPastedown is n, it is enabled only when the count minus 2 is a
/// multiple of 4." Both conditions are needed.
#[test]
fn saddle_stitch_without_pastedown_counts_two_pages_less() {
    let mut goods = small_goods();
    for (editor_type, is_has_pastedown, good, bad) in
        [(3, false, 10, 12), (3, true, 12, 10), (12, false, 12, 10), (12, true, 12, 10)]
    {
        goods.editor_type = editor_type;
        goods.is_has_pastedown = is_has_pastedown;
        assert_eq!(fit(&goods, good, step_name::BINDING, "骑马钉"), Fit::Fits, "{editor_type}");
        assert_ne!(fit(&goods, bad, step_name::BINDING, "骑马钉"), Fit::Fits, "{editor_type}");
    }
    (goods.editor_type, goods.is_has_pastedown) = (3, false);
    assert_eq!(fit(&goods, 12, step_name::BINDING, "骑马钉"), not("页数减 2 须为 4 的倍数"));
    goods.binding_pages.insert("骑马钉".to_owned(), PageRange { min: 6, max: 62 });
    assert_eq!(fit(&goods, 62, step_name::BINDING, "骑马钉"), Fit::Fits);
    assert_eq!(fit(&goods, 66, step_name::BINDING, "骑马钉"), not("66 页超出 6–62"));
}

/// "If a cloth-cover item (布艺) is chosen in the cover step, only hardcover (含精装) or 豪华装 bindings stay
/// enabled."
#[test]
fn cloth_covers_want_a_hard_case() {
    for cloth in ["布艺", "米色布艺", "布艺(灰)"] {
        let goods = goods_of(vec![
            step("b", step_name::BINDING, &BINDINGS),
            step("c", step_name::COVER, &["铜版纸", cloth]),
        ]);
        let pages = 20;
        let hard = ["普通精装", "锁线精装", "PUR精装", "豪华装", "对裱精装"];
        let wanted = choice(&goods, &[(step_name::COVER, cloth)]);
        assert_eq!(enabled(&goods, pages, &wanted, step_name::BINDING), hard);
        let evaluation = evaluate(&goods, pages, &wanted);
        let soft = evaluation.steps[0].items.iter().find(|item| item.name == "普通平装").expect("it");
        // The page count allows it: only the cover doesn't.
        assert!(soft.fits && !soft.enable);
        assert_eq!(soft.reason, Some(format!("{cloth}封面只能选精装或豪华装")));
        let paper = choice(&goods, &[(step_name::COVER, "铜版纸")]);
        assert_eq!(enabled(&goods, pages, &paper, step_name::BINDING), BINDINGS);
    }
}

/// The rule is of the cover step: 布艺 anywhere else is just a name.
#[test]
fn cloth_elsewhere_is_no_cover() {
    let goods = goods_of(vec![
        step("b", step_name::BINDING, &["普通平装", "普通精装"]),
        step("g", step_name::GIFT_BOX, &["布艺礼盒", "不需要"]),
    ]);
    assert_eq!(exclusions(&goods, 8), []);
}

/// "If the binding is 对裱精装, 对裱平装 or 豪华装, the inner lamination step disables 不覆膜."
#[test]
fn mounted_bindings_want_inner_lamination() {
    let goods = goods_of(vec![
        step("b", step_name::BINDING, &BINDINGS),
        step("l", step_name::LAMINATION, &["不覆膜", "光膜"]),
        step("i", step_name::INNER_LAMINATION, &["不覆膜", "光膜", "哑膜"]),
    ]);
    for binding in BINDINGS {
        let wanted = choice(&goods, &[(step_name::BINDING, binding)]);
        let inner = enabled(&goods, 20, &wanted, step_name::INNER_LAMINATION);
        if ["对裱精装", "对裱平装", "豪华装"].contains(&binding) {
            assert_eq!(inner, ["光膜", "哑膜"], "{binding}");
        } else {
            assert_eq!(inner, ["不覆膜", "光膜", "哑膜"], "{binding}");
        }
        // The film of the cover is another step.
        assert_eq!(enabled(&goods, 20, &wanted, step_name::LAMINATION), ["不覆膜", "光膜"]);
    }
}

/// "The inner-page paper-weight step enables each weight only within its page range." Section 5: 200克 1 to
/// 66; 157克 7 to 398; 128克 67 to 9999; 250克 1 to 31.
#[test]
fn weights_keep_to_their_ranges() {
    let weights = ["200克", "157克", "128克", "250克"];
    let goods = goods_of(vec![step("w", step_name::WEIGHT, &weights)]);
    for (pages, names) in [
        (1, vec!["200克", "250克"]),
        (6, vec!["200克", "250克"]),
        (7, vec!["200克", "157克", "250克"]),
        (31, vec!["200克", "157克", "250克"]),
        (32, vec!["200克", "157克"]),
        (66, vec!["200克", "157克"]),
        (67, vec!["157克", "128克"]),
        (398, vec!["157克", "128克"]),
        (399, vec!["128克"]),
        (9999, vec!["128克"]),
        (0, vec![]),
        (10_000, vec![]),
    ] {
        assert_eq!(enabled(&goods, pages, &Choice::default(), step_name::WEIGHT), names, "{pages}");
    }
    assert_eq!(fit(&goods, 48, step_name::WEIGHT, "128克"), not("48 页超出 67–9999"));
}

/// Section 5: "Quantity: 1 to 1,000,000."
#[test]
fn quantities_are_whole_numbers_from_one_to_a_million() {
    for (text, count) in [("1", 1), ("10", 10), ("1000000", 1_000_000)] {
        assert_eq!(text.parse::<Quantity>().map(Quantity::get), Ok(count));
    }
    for text in [
        "",
        "0",
        "-1",
        "+1",
        "1.5",
        "1.0",
        "1e3",
        "1,000",
        " 1",
        "1 ",
        "１",
        "一",
        "1000001",
        "4294967297",
        "99999999999999999999",
        "0x10",
        "NaN",
        "1\n",
        "00",
    ] {
        assert!(text.parse::<Quantity>().is_err(), "{text:?}");
    }
    assert!(Quantity::try_from(0).is_err() && Quantity::try_from(1_000_001).is_err());
}

#[test]
fn exclusions_are_pairs_in_step_order() {
    let pairs: Vec<(String, String)> =
        exclusions(&small_goods(), 8).into_iter().map(|pair| (pair.chosen.0, pair.disabled.0)).collect();
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(pairs, [("b3", "i0"), ("c1", "b0"), ("c1", "b1")]);
}

#[test]
fn a_step_may_have_nothing_left() {
    let goods = goods_of(vec![
        step("b", step_name::BINDING, &["普通平装"]),
        step("c", step_name::COVER, &["铜版纸", "布艺"]),
        step("i", step_name::INNER_LAMINATION, &["不覆膜", "光膜"]),
    ]);
    let evaluation = evaluate(&goods, 20, &Choice::parse("b0|c1|i0"));
    assert_eq!(evaluation.steps[0].sel, Selection::NothingEnabled);
    assert!(!evaluation.is_complete());
    assert_eq!(evaluation.stuck().map(|step| step.name.as_str()).collect::<Vec<_>>(), ["装订方式"]);
    assert_eq!(evaluation.choice().to_string(), "c1|i0");
    let missing = Refusal::Missing { step: "装订方式".to_owned() };
    assert_eq!(check(&goods, 20, &evaluation.choice()), Err(missing));
    let disabled = check(&goods, 20, &Choice::parse("b0|c1|i0")).expect_err("a refusal");
    assert_eq!(disabled.to_string(), "普通平装不可选：布艺封面只能选精装或豪华装");
}

#[test]
fn remarks_are_free_text() {
    let evaluation = evaluate(&small_goods(), 8, &Choice::default());
    let remarks = evaluation.step(step_name::REMARKS).expect("remarks");
    assert_eq!((remarks.sel.clone(), remarks.sel_cnum()), (Selection::FreeText, None));
    assert!(remarks.is_remarks() && evaluation.is_complete());
}

#[test]
fn the_default_is_the_first_enabled_of_every_step() {
    assert_eq!(default_choice(&small_goods(), 8).to_string(), "b0|c0|w0|i0|x0");
    assert_eq!(default_choice(&small_goods(), 10).to_string(), "b1|c0|w0|i0|x0");
    assert_eq!(default_choice(&small_goods(), 4).to_string(), "b0|c0|w1|i0|x0");
}

/// Contract, "The calls": what `updateCart` and `getTotal` refuse.
#[test]
fn only_one_enabled_item_of_every_step_in_order_is_saved() {
    let goods = small_goods();
    let checked = |codes: &str| check(&goods, 8, &Choice::parse(codes));
    let disabled = |step: &str, item: &str, reason: &str| {
        Err(Refusal::Disabled { step: step.to_owned(), item: item.to_owned(), reason: reason.to_owned() })
    };
    assert_eq!(checked("b0|c0|w0|i0|x0"), Ok(()));
    assert_eq!(checked("b2|c1|w1|i1|x1"), Ok(()));
    assert_eq!(checked("b0|c0|w0|i0|nix"), Err(Refusal::UnknownItem("nix".into())));
    assert_eq!(checked("b0|c0|w0|i0|x0|x1"), Err(Refusal::TwoOfOneStep { step: "其他工艺".to_owned() }));
    assert_eq!(checked("b0|c0|w0|i0|x0|x0"), Err(Refusal::TwoOfOneStep { step: "其他工艺".to_owned() }));
    assert_eq!(checked("c0|b0|w0|i0|x0"), Err(Refusal::OutOfOrder));
    assert_eq!(checked("b0|c0|w0|i0"), Err(Refusal::Missing { step: "其他工艺".to_owned() }));
    assert_eq!(checked(""), Err(Refusal::Missing { step: "装订方式".to_owned() }));
    assert_eq!(checked("b0|c1|w0|i0|x0"), disabled("装订方式", "骑马钉", "布艺封面只能选精装或豪华装"));
    assert_eq!(checked("b3|c0|w0|i0|x0"), disabled("内页覆膜", "不覆膜", "豪华装的内页必须覆膜"));
    assert_eq!(
        check(&goods, 9, &Choice::parse("b0|c0|w0|i0|x0")),
        disabled("装订方式", "骑马钉", "页数须为 4 的倍数")
    );
    assert_eq!(
        check(&goods, 68, &Choice::parse("b0|c0|w1|i0|x0")),
        disabled("内页克重", "200克", "68 页超出 1–66")
    );
}

/// 备注 has no item: a client that joins every `selCnum` sends an empty code in its place, and only there.
#[test]
fn an_empty_code_stands_only_for_remarks() {
    let goods = small_goods();
    let checked = |codes: &str| check(&goods, 8, &Choice::parse(codes));
    assert_eq!(checked("b0|c0|w0|i0|x0|"), Ok(()));
    for codes in ["b0||c0|w0|i0|x0", "|b0|c0|w0|i0|x0", "b0|c0|w0|i0|x0||", "||||", "|"] {
        assert!(checked(codes).is_err(), "{codes}");
    }
}

#[test]
fn a_choice_reads_and_writes_piped_codes() {
    for codes in ["", "a", "a|b", "a||b", "a|"] {
        assert_eq!(Choice::parse(codes).to_string(), codes);
    }
    assert_eq!(Choice::parse("").cnums(), []);
    assert!(Choice::parse("a|b").contains(&"b".into()));
}

#[test]
fn codes_of_nothing_are_ignored_when_settling() {
    let goods = small_goods();
    let evaluation = evaluate(&goods, 8, &Choice::parse("x1|nix||b2|b1|x0"));
    assert_eq!(evaluation.choice().to_string(), "b2|c0|w0|i0|x1");
}

#[test]
fn items_may_share_names_across_steps() {
    let mut goods = small_goods();
    goods.steps[4].items.push(item("x9", "不覆膜"));
    let evaluation = evaluate(&goods, 8, &choice(&goods, &[(step_name::BINDING, "豪华装")]));
    assert!(evaluation.step(step_name::CRAFT).expect("crafts").items[2].enable);
}

#[test]
fn a_line_of_choices_says_nothing_twice_and_nothing_that_is_none() {
    let chosen = [
        (step_name::BINDING, "骑马钉"),
        (step_name::COVER, "铜版纸"),
        (step_name::PAPER, "铜版纸"),
        (step_name::LAMINATION, "光膜"),
        (step_name::CRAFT, "无"),
        (step_name::GIFT_BOX, "不需要"),
    ];
    let chosen = chosen.map(|(step, item)| (step.to_owned(), item.to_owned()));
    assert_eq!(spec(&chosen), ["骑马钉", "封面铜版纸", "内页铜版纸", "光膜"]);
}
