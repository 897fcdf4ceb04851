//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use domain::document::{Document, Page};
use domain::goods::{Cnum, Goods};
use orders::tested::{MadeOf, opening_names, read_line as read};
use press::{OutputCondition, Part, Press, PrintStandard};

#[test]
fn a_book_opens_with_its_first_page_on_the_right() {
    assert_eq!(opening_names(4, true), ["封面", "第 1 页", "第 2–3 页", "第 4 页", "封底"]);
    assert_eq!(opening_names(3, false), ["封面", "第 1 页", "第 2–3 页"]);
    assert_eq!(opening_names(0, true), ["封面", "封底"]);
}

#[test]
fn lines_are_read_as_they_are_pasted() {
    for line in [
        "20261125A 顺丰 SF1234567890123",
        "20261125A\t顺丰\tSF1234567890123",
        "20261125A，顺丰, SF1234567890123",
    ] {
        let (id, parcel) = read(line, false).unwrap();
        assert_eq!(id.as_str(), "20261125A");
        assert_eq!((parcel.carrier.as_str(), parcel.tracking.as_str()), ("顺丰", "SF1234567890123"));
    }
    assert!(read("20261125A 顺丰", false).is_err() && read("订单 顺丰 SF1234567890123", false).is_err());
    // a number that does not look like its carrier's is taken from a clerk who is sure
    assert!(read("20261125A 顺丰 SF1", false).is_err() && read("20261125A 顺丰 SF1", true).is_ok());
    assert!(read(&format!("20261125A 顺丰 {}", "9".repeat(41)), true).is_err());
}

/// What is kept under a key must be made of the same things: each of them is part of it.
#[test]
fn a_made_file_answers_for_all_that_it_is_made_of() {
    let goods = include_str!("../../catalog/goods/album-210.toml");
    let goods: Goods = toml::from_str(goods).unwrap();
    let other_goods = Goods { name: "别的".to_owned(), ..goods.clone() };
    let document: Document = serde_json::from_value(serde_json::json!({
        "trim": { "width": 210.0, "height": 210.0 }, "theme": "calm", "title": "海边", "author": "",
        "cover": Page::default(), "pages": [],
    }))
    .unwrap();
    let other_document = Document { title: "山里".to_owned(), ..document.clone() };
    let (parts, other_parts) = (
        [("inner", "1-inner.pdf".to_owned(), Part::Inner)],
        [("inner", "1-inner.pdf".to_owned(), Part::Mounted)],
    );
    let (choice, other_choice) = ([Cnum::from("a")], [Cnum::from("b")]);
    let base = MadeOf {
        press: Press::new().printing_key(),
        parts: &parts,
        document: &document,
        goods: &goods,
        choice: &choice,
        pages: 16,
        made_at: 1_000,
    };
    let pressed = |change: fn(&mut OutputCondition)| {
        let mut condition = OutputCondition::default();
        change(&mut condition);
        Press::new().printed_on(Box::leak(Box::new(condition))).printing_key()
    };
    let profile = OutputCondition::of_profile(OutputCondition::default().icc().to_vec()).unwrap();
    let keys = [
        base,
        MadeOf { press: Press::following(PrintStandard::X1a).printing_key(), ..base },
        MadeOf { press: Press::new().printed_on(Box::leak(Box::new(profile))).printing_key(), ..base },
        MadeOf { press: pressed(|press| press.total_ink = 2.8), ..base },
        MadeOf { press: pressed(|press| press.overprint_below_pt = 9.0), ..base },
        MadeOf { parts: &other_parts, ..base },
        MadeOf { document: &other_document, ..base },
        MadeOf { goods: &other_goods, ..base },
        MadeOf { choice: &other_choice, ..base },
        MadeOf { pages: 18, ..base },
        MadeOf { made_at: 2_000, ..base },
    ];
    let different: BTreeSet<String> = keys.iter().map(|made_of| made_of.key().unwrap()).collect();
    assert_eq!(different.len(), keys.len());
    // and nothing else is
    assert_eq!(MadeOf { press: pressed(|_| {}), ..base }.key().unwrap(), base.key().unwrap());
}
