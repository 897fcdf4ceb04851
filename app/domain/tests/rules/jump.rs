//! Marks that lead from page to page, and the articles that are made of parts (publishing page, section 2).

use domain::jump::{Part, Ways, comes_from, joins, leads_on, text_between};
use proptest::prelude::*;

#[test]
fn marks_are_read_in_the_forms_that_newspapers_use() {
    for (text, page) in [
        ("全市粮食丰收。（下转03版）", 3),
        ("全市粮食丰收。(下转第3版)", 3),
        ("全市粮食丰收。\n下转第三版", 3),
        ("全市粮食丰收。（下转 第 十二 版）", 12),
        ("全市粮食丰收。【转２版】", 2),
        ("全市粮食丰收。（下转四版《秋收》）", 4),
    ] {
        let mark = leads_on(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((mark.page, mark.rest), (page, "全市粮食丰收。"), "{text}");
    }
    for (text, page) in [
        ("（上接01版）各县也已开镰。", 1),
        ("上接第一版\n各县也已开镰。", 1),
        ("（紧接第二十版《秋收》）各县也已开镰。", 20),
        ("【上接 ３ 版】 各县也已开镰。", 3),
    ] {
        let mark = comes_from(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((mark.page, mark.rest), (page, "各县也已开镰。"), "{text}");
    }
    assert_eq!(comes_from("（上接二版《秋收》）各县").map(|mark| mark.title), Some("秋收"));
    for (before, behind, text) in [
        (true, true, "中段。"),
        (true, false, "中段。（下转05版）"),
        (false, true, "（上接01版）中段。"),
        (false, false, "（上接01版）中段。（下转05版）"),
    ] {
        assert_eq!(text_between("（上接01版）中段。（下转05版）", before, behind), text);
    }
}

#[test]
fn what_is_no_mark_is_left_alone() {
    for text in [
        "",
        "他把钥匙转交给三版编辑部",
        "订阅请转第三版面经理",
        "（下转A3版）",
        "下转第0版",
        "下转123版",
        "本报讯 转版",
    ] {
        assert_eq!(leads_on(text), None, "{text}");
        assert_eq!(text_between(text, true, true), text);
    }
    for text in ["", "上接天光，下临深谷", "上接第版", "接01版"] {
        assert_eq!(comes_from(text), None, "{text}");
    }
}

fn part<'a>(page: usize, title: &'a str, text: &'a str) -> Part<'a> {
    Part { page, title, text }
}

#[test]
fn parts_that_name_each_other_are_joined() {
    let all = [
        part(1, "秋粮丰收", "……（下转03版）"),
        part(1, "桥梁合龙", "……（下转03版）"),
        part(1, "天气", "……"),
        part(3, "桥梁合龙", "（上接01版）……"),
        part(3, "秋粮丰收在望", "（上接01版）……（下转04版）"),
        part(4, "（上接03版）", "……"),
    ];
    assert_eq!(joins(&all), [(0, 4), (1, 3), (4, 5)]);
    // the page alone does not say which of two is meant
    let alike = [part(1, "甲地", "……下转2版"), part(1, "乙地", "……下转2版"), part(2, "丙地", "上接1版……")];
    assert_eq!(joins(&alike), []);
    // the mark names the title
    let named =
        [part(1, "甲地", "……下转2版"), part(1, "乙地", "……下转2版"), part(2, "丙", "（上接1版《乙地》）……")];
    assert_eq!(joins(&named), [(1, 2)]);
    // one side alone is not enough
    assert_eq!(joins(&[part(1, "甲", "……下转2版"), part(2, "甲", "……")]), []);
}

proptest! {
    /// Whatever goes on with whatever: each part is in one article, an article begins with its first part, and ends.
    #[test]
    fn each_part_is_in_one_article(on in proptest::collection::vec(proptest::option::of(0usize..12), 0..12)) {
        let all: Vec<(usize, Option<usize>)> = on.iter().copied().enumerate().collect();
        let ways = Ways::of(&all);
        for place in 0..all.len() {
            let first = ways.first(place);
            let parts = ways.parts(first);
            prop_assert!(parts.contains(&place), "{place} in {parts:?}");
            let mut sorted = parts.clone();
            sorted.sort_unstable();
            sorted.dedup();
            prop_assert_eq!(sorted.len(), parts.len());
        }
    }

    /// A text keeps all of its words but the marks.
    #[test]
    fn words_between_marks_stay(words in "[一-龥，。\n]{1,40}", from in 1usize..40, to in 1usize..40) {
        let words = words.trim().to_owned();
        prop_assume!(!words.is_empty() && !words.ends_with('。') && leads_on(&words).is_none() && comes_from(&words).is_none());
        let text = format!("（上接{from:02}版）{words}（下转{to}版）");
        prop_assert_eq!(text_between(&text, true, true), words.trim_start_matches(|c: char| c == '。' || c.is_whitespace()));
    }
}
