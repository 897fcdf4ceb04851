//! Operations of the editor: what is undone was never there, what is sent twice is done once, what is refused changes
//! nothing, and two who edit at once lose nothing.

use crate::common::edits::{any_dice, any_document, change, changes};
use domain::document::{Document, Element, MOST_ON_PAGE, Page, Rect, TextBlock, TextRole};
use domain::edit::{Change, Failed, Known, Operation, Refused, apply, merge};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

fn sample() -> Document {
    let mut runner = TestRunner::deterministic();
    loop {
        let document = any_document().new_tree(&mut runner).unwrap().current();
        if document.all_pages().all(|page| page.elements.len() >= 2) {
            return document;
        }
    }
}

fn all_new(_: &domain::ids::OperationId) -> Known {
    Known::New
}

fn set(document: &Document, page: usize, element: usize, name: &str, value: Value) -> Change {
    let page = document.all_pages().nth(page).unwrap();
    let element = page.elements[element].common().id.clone();
    Change::Set { page: page.id.clone().unwrap(), element, name: name.to_owned(), value }
}

fn named(id: &str, change: Change) -> Operation {
    Operation { id: id.parse().unwrap(), change }
}

fn read(text: &str) -> Result<Operation, serde_json::Error> {
    serde_json::from_str(text)
}

proptest! {
    #[test]
    fn any_sequence_undone_is_the_beginning(document in any_document(), dice in any_dice()) {
        let mut now = document.clone();
        let mut undo = Vec::new();
        for operation in changes(&document, &dice, "mine") {
            undo.push(apply(&mut now, &operation.change).unwrap());
        }
        let done = now.clone();
        let mut redo = Vec::new();
        for change in undo.iter().rev() {
            redo.push(apply(&mut now, change).unwrap());
        }
        prop_assert_eq!(&now, &document);
        prop_assert_eq!(serde_json::to_string(&now).unwrap(), serde_json::to_string(&document).unwrap());
        for change in redo.iter().rev() {
            apply(&mut now, change).unwrap();
        }
        prop_assert_eq!(now, done);
    }

    #[test]
    fn what_is_refused_changes_nothing(document in any_document(), dice in any::<(u8, u8, u8, u8)>()) {
        let change = change(&document, dice, "x");
        let mut now = document.clone();
        if apply(&mut now, &change).is_err() {
            prop_assert_eq!(&now, &document);
        } else {
            prop_assert!(now.check_size().is_ok());
            prop_assert!(now.all_pages().flat_map(|page| &page.elements).all(|it| it.check(now.trim).is_ok()));
        }
    }

    #[test]
    fn operations_are_read_as_they_are_written(document in any_document(), dice in any_dice()) {
        for operation in changes(&document, &dice, "mine") {
            let text = serde_json::to_string(&operation).unwrap();
            let again = read(&text).unwrap();
            let (mut one, mut other) = (document.clone(), document.clone());
            prop_assert_eq!(apply(&mut one, &operation.change).is_ok(), apply(&mut other, &again.change).is_ok());
        }
    }

    #[test]
    fn sent_again_nothing_happens(document in any_document(), dice in any_dice(), known in 0..15usize) {
        let operations = changes(&document, &dice, "mine");
        let once = merge(&document, &document, &operations, all_new).unwrap().document;
        let twice: Vec<Operation> = operations.iter().flat_map(|it| [it.clone(), it.clone()]).collect();
        prop_assert_eq!(&merge(&document, &document, &twice, all_new).unwrap().document, &once);
        // an answer was lost after some of them: their document is stored, and all are sent once more
        let known = known.min(operations.len());
        let stored = merge(&document, &document, &operations[..known], all_new).unwrap().document;
        let was_made = |id: &domain::ids::OperationId| {
            if operations[..known].iter().any(|it| it.id == *id) { Known::Since } else { Known::New }
        };
        let again = merge(&document, &stored, &operations, was_made).unwrap();
        prop_assert_eq!(&again.document, &once);
        prop_assert_eq!(again.made.len(), operations.len() - known);
    }

    #[test]
    fn two_who_edit_at_once_lose_nothing(document in any_document(), one in any_dice(), other in any_dice()) {
        let (one, other) = (changes(&document, &one, "one"), changes(&document, &other, "other"));
        let stored = merge(&document, &document, &one, all_new).unwrap().document;
        match merge(&document, &stored, &other, all_new) {
            Err(Failed::Refused(reason)) => prop_assert!(false, "{reason}"),
            Err(Failed::Conflict { mine }) => {
                // there is one: the other way round it is found, too
                let alone = merge(&document, &document, &other, all_new).unwrap().document;
                prop_assert_eq!(&*mine, &alone);
            }
            Ok(merged) => {
                // every value that one of them gave last is there, unless that one thing was taken away by its own giver
                for (whose, others) in [(&one, &other), (&other, &one)] {
                    let mut alone = document.clone();
                    for operation in whose { apply(&mut alone, &operation.change).unwrap(); }
                    for operation in whose {
                        let Change::Set { page, element, name, .. } = &operation.change else { continue };
                        let value = |of: &Document| -> Option<Value> {
                            let page = of.page(page)?;
                            let whole = match element {
                                Some(id) => serde_json::to_value(&page.elements[page.place_of(id)?]).unwrap(),
                                None => serde_json::to_value(page).unwrap(),
                            };
                            Some(whole[name].clone())
                        };
                        // what was set to what it was is no change
                        let given = value(&alone).filter(|given| Some(given) != value(&document).as_ref());
                        // and what both gave may be taken back by either
                        let is_also = |it: &Operation| matches!(&it.change, Change::Set { page: p, element: e, name: n, value }
                            if (p, e, n) == (page, element, name) && Some(value) == given.as_ref());
                        if others.iter().any(is_also) { continue; }
                        if let Some(given) = given {
                            prop_assert_eq!(Some(given), value(&merged.document), "{}", name);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn changes_of_different_elements_merge(document in any_document(), values in any::<(u8, u8)>()) {
        let things: Vec<(usize, usize)> = document
            .all_pages()
            .enumerate()
            .flat_map(|(number, page)| (0..page.elements.len()).map(move |place| (number, place)))
            .collect();
        prop_assume!(things.len() >= 2);
        let (one, other) = (things[0], things[things.len() - 1]);
        let turn = |(page, place): (usize, usize), by: u8, id: &str| {
            named(id, set(&document, page, place, "rotation", json!(by)))
        };
        let stored = merge(&document, &document, &[turn(one, values.0, "a")], all_new).unwrap().document;
        let merged = merge(&document, &stored, &[turn(other, values.1, "b")], all_new).unwrap().document;
        let rotation = |(page, place): (usize, usize)| {
            merged.all_pages().nth(page).unwrap().elements[place].common().rotation
        };
        prop_assert_eq!(rotation(one), f64::from(values.0));
        prop_assert_eq!(rotation(other), f64::from(values.1));
    }
}

#[test]
fn the_same_property_on_both_sides_is_a_conflict_and_an_equal_value_is_none() {
    let base = sample();
    let turn = |id: &str, by: f64| [named(id, set(&base, 1, 0, "rotation", json!(by)))];
    let stored = merge(&base, &base, &turn("a", 10.0), all_new).unwrap().document;
    let Err(Failed::Conflict { mine }) = merge(&base, &stored, &turn("b", 20.0), all_new) else {
        panic!("both turned it")
    };
    assert_eq!(mine.pages[0].elements[0].common().rotation, 20.0);
    assert_eq!(merge(&base, &stored, &turn("c", 10.0), all_new).unwrap().document, stored);
    // another property of the same element merges
    let lock = [named("d", set(&base, 1, 0, "locked", json!(true)))];
    let merged = merge(&base, &stored, &lock, all_new).unwrap().document;
    let common = merged.pages[0].elements[0].common();
    assert!(common.locked && common.rotation == 10.0);
}

#[test]
fn taking_away_what_another_changed_is_a_conflict_and_the_other_way_round() {
    let base = sample();
    let page = base.pages[0].id.clone().unwrap();
    let element = base.pages[0].elements[0].common().id.clone().unwrap();
    let turned = [named("a", set(&base, 1, 0, "rotation", json!(7)))];
    let gone = [named("b", Change::Remove { page, element })];
    for (first, second) in [(&turned, &gone), (&gone, &turned)] {
        let stored = merge(&base, &base, first, all_new).unwrap().document;
        assert!(matches!(merge(&base, &stored, second, all_new), Err(Failed::Conflict { .. })));
    }
    // both took it away
    let stored = merge(&base, &base, &gone, all_new).unwrap().document;
    let again = [Operation { id: "c".parse().unwrap(), ..gone[0].clone() }];
    assert_eq!(merge(&base, &stored, &again, all_new).unwrap().document, stored);
    // what is gone for the client itself is unknown
    assert_eq!(
        merge(&stored, &stored, &turned, all_new).unwrap_err(),
        Failed::Refused(Refused::UnknownElement)
    );
    // a page that went meanwhile
    let mut without = base.clone();
    without.pages.remove(0);
    assert!(matches!(merge(&base, &without, &turned, all_new), Err(Failed::Conflict { .. })));
    assert_eq!(
        merge(&without, &without, &turned, all_new).unwrap_err(),
        Failed::Refused(Refused::UnknownPage)
    );
}

#[test]
fn an_element_goes_over_the_same_one_wherever_that_stands_now() {
    let mut base = sample();
    let text = |place: usize| {
        let frame = Rect { x: 10.0, y: 10.0 * place as f64, width: 50.0, height: 8.0 };
        Element::Text(TextBlock::new(frame, TextRole::Caption, place.to_string()))
    };
    base.pages[0].elements = (0..6).map(text).collect();
    base.identify(9).unwrap();
    let page = base.pages[0].id.clone().unwrap();
    let id = |place: usize| base.pages[0].elements[place].common().id.clone().unwrap();
    let order = |name: &str, place: usize, to: usize| {
        [named(name, Change::Order { page: page.clone(), element: id(place), to })]
    };
    let shown = |of: &Document| -> String { of.pages[0].texts().map(|it| it.text.as_str()).collect() };
    let stored = merge(&base, &base, &order("a", 0, 5), all_new).unwrap().document;
    assert_eq!(shown(&stored), "123450");
    // over 4, which is lower now
    let merged = merge(&base, &stored, &order("b", 2, 4), all_new).unwrap().document;
    assert_eq!(shown(&merged), "134250");
    assert!(matches!(merge(&base, &stored, &order("c", 0, 3), all_new), Err(Failed::Conflict { .. })));
}

#[test]
fn bad_values_are_refused() {
    let base = sample();
    let mut document = base.clone();
    let frame = |x: f64, width: f64| json!({ "x": x, "y": 0, "width": width, "height": 10 });
    let wrong = [
        ("frame", frame(0.0, 0.0)),
        ("frame", frame(0.0, -5.0)),
        ("frame", frame(0.0, 1e308)),
        ("frame", frame(1e308, 10.0)),
        ("frame", frame(0.0, f64::NAN)),
        ("frame", json!({ "x": 0, "y": 0, "width": 10 })),
        ("frame", Value::Null),
        ("rotation", json!("90")),
        ("rotation", json!(1e9)),
        ("locked", json!(1)),
        ("kind", json!("photo")),
        ("id", json!("cover")),
        ("common", json!({})),
        ("__proto__", json!({})),
        ("", json!(1)),
    ];
    for (name, value) in wrong {
        let change = set(&base, 1, 0, name, value.clone());
        assert!(apply(&mut document, &change).is_err(), "{name} {value}");
        assert_eq!(document, base);
    }
    for text in [
        r#"{"id":"a","op":"set","page":"cover","name":"ground","value":1e999}"#,
        r#"{"id":"a","op":"set","page":"cover","name":"ground","value":NaN}"#,
        r#"{"id":"a","op":"explode","page":"cover"}"#,
        r#"{"id":"","op":"remove","page":"cover","element":"x"}"#,
        r#"{"op":"remove","page":"cover","element":"x"}"#,
        r#"{"id":"a","op":"order","page":"cover","element":"x","to":-1}"#,
        r#"{"id":"a","op":"add","page":"cover","element":{"kind":"video"}}"#,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn pages_come_go_and_change_places_by_two() {
    let document = sample();
    let id = |place: usize| document.pages[place].id.clone().unwrap();
    let page = |name: &str| Page { id: Some(name.parse().unwrap()), ..Page::default() };
    let insert = |behind: usize, pages: &[&str]| Change::Insert {
        page: id(behind),
        pages: pages.iter().map(|name| page(name)).collect(),
    };
    let mut now = document.clone();
    let back = apply(&mut now, &insert(2, &["left", "right"])).unwrap();
    assert_eq!(back, Change::Discard { page: "left".parse().unwrap() });
    let swap = Change::Swap { page: id(1) };
    let again = apply(&mut now, &swap).unwrap();
    let order: Vec<_> = now.pages.iter().map(|page| page.id.as_ref().unwrap().as_str()).collect();
    assert_eq!(order[1..3], ["left", "right"]);
    apply(&mut now, &again).unwrap();
    apply(&mut now, &back).unwrap();
    assert_eq!(now, document);
    let own = id(1);
    let refused = [
        (insert(1, &["left", "right"]), Refused::NoPair),
        (insert(3, &["left", "right"]), Refused::NoPair),
        (insert(0, &["left"]), Refused::NoPair),
        (insert(0, &["left", "left"]), Refused::TakenPage("left".parse().unwrap())),
        (insert(0, &["left", own.as_str()]), Refused::TakenPage(own)),
        (Change::Discard { page: id(0) }, Refused::NoPair),
        (Change::Discard { page: id(2) }, Refused::NoPair),
        (Change::Swap { page: id(1) }, Refused::NoPair),
        (Change::Discard { page: "cover".parse().unwrap() }, Refused::UnknownPage),
    ];
    for (change, reason) in refused {
        assert_eq!(apply(&mut now, &change), Err(reason));
        assert_eq!(now, document);
    }
}

#[test]
fn pages_that_another_changed_are_not_left_out_unseen() {
    let document = sample();
    let left = document.pages[1].id.clone().unwrap();
    let discard = [named("discard", Change::Discard { page: left.clone() })];
    let over = |stored: &Document, operations: &[Operation]| merge(&document, stored, operations, all_new);
    let gone = over(&document, &discard).unwrap().document;
    // gone for both
    assert_eq!(over(&gone, &discard).unwrap().made[0].change, None);
    let mut changed = document.clone();
    apply(&mut changed, &set(&document, 3, 0, "rotation", json!(7))).unwrap();
    assert!(matches!(over(&changed, &discard), Err(Failed::Conflict { .. })));
    assert!(matches!(
        over(&gone, &[named("turn", set(&document, 3, 0, "rotation", json!(7)))]),
        Err(Failed::Conflict { .. })
    ));
}

#[test]
fn a_page_takes_so_much_and_no_more() {
    let base = sample();
    let page = base.pages[0].id.clone().unwrap();
    let add = |number: usize| {
        let frame = Rect { x: 10.0, y: 10.0, width: 10.0, height: 10.0 };
        let mut text = TextBlock::new(frame, TextRole::Caption, "字");
        text.common.id = Some(format!("n{number}").parse().unwrap());
        named(
            &format!("o{number}"),
            Change::Add { page: page.clone(), element: Box::new(Element::Text(text)), to: None },
        )
    };
    let free = MOST_ON_PAGE - base.pages[0].elements.len();
    let fits: Vec<Operation> = (0..free).map(add).collect();
    assert!(merge(&base, &base, &fits, all_new).is_ok());
    let many: Vec<Operation> = (0..=free).map(add).collect();
    assert!(matches!(merge(&base, &base, &many, all_new), Err(Failed::Refused(Refused::Unfit(_)))));
    let twice = [add(1), Operation { id: "other".parse().unwrap(), ..add(1) }];
    assert!(matches!(merge(&base, &base, &twice, all_new), Err(Failed::Refused(Refused::TakenId(_)))));
    let reused = [add(1), Operation { id: "o1".parse().unwrap(), ..add(2) }];
    assert!(matches!(
        merge(&base, &base, &reused, all_new),
        Err(Failed::Refused(Refused::ReusedOperation(_)))
    ));
}
