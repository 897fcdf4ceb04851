//! Writes what the operations of the editor make of hundreds of documents, how they are undone, and what becomes of two
//! editors at once, and in which order their pages are read, as JSON. The editor in the browser must make the same of the
//! same.
//!
//! `cargo run -p bindery-domain --example edit_vectors -- <file> [cases]`

#[path = "../tests/rules/common/edits.rs"]
mod edits;

use std::error::Error;

use domain::document::{Document, Element, Page};
use domain::edit::{Failed, Known, Operation, apply, merge};
use domain::ids::ElementId;
use domain::reading::{Flow, GUTTER_MM, reading_order};
use edits::{any_dice, any_document, change, changes};
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("say which file to write")?;
    let count = arguments.next().map_or(Ok(300), |count| count.parse())?;
    // the same cases every time
    let mut runner = TestRunner::deterministic();
    let mut cases = Vec::with_capacity(count);
    for _ in 0..count {
        let parts = (any_document(), any_dice(), any_dice(), any::<(u8, u8, u8, u8)>());
        let (document, one, other, single) =
            parts.new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        let (one, other) = (changes(&document, &one, "one"), changes(&document, &other, "other"));
        let single = change(&document, single, "single");
        let alone = apply(&mut document.clone(), &single);
        cases.push(json!({
            "document": document,
            "steps": steps(&document, &one),
            // of every page, the cover first
            "reading": document.all_pages().map(reading).collect::<Vec<_>>(),
            "merge": merged(&document, &one, &other),
            // a change that may be refused, and why
            "single": { "change": single, "refused": alone.err().map(|reason| reason.to_string()) },
        }));
    }
    std::fs::write(file, json!({ "cases": cases }).to_string())?;
    Ok(())
}

/// The ids of what stands on a page as they are read.
fn reading(page: &Page) -> Vec<Option<&ElementId>> {
    let frames: Vec<_> = page.elements.iter().map(Element::bounds).collect();
    let order = reading_order(&frames, Flow::Rows, GUTTER_MM);
    order.into_iter().map(|place| page.elements[place].common().id.as_ref()).collect()
}

/// Each operation with the one that undoes it and the page as it is afterwards.
fn steps(document: &Document, operations: &[Operation]) -> Vec<Value> {
    let mut now = document.clone();
    let step = |operation: &Operation| {
        let undo = apply(&mut now, &operation.change);
        let page = now.page(operation.change.page());
        let order: Vec<_> = now.pages.iter().map(|page| &page.id).collect();
        json!({ "operation": operation, "undo": undo.ok(), "page": page, "order": order })
    };
    operations.iter().map(step).collect()
}

/// What two made of a document at once: the merged one, or nothing where both changed the same.
fn merged(document: &Document, one: &[Operation], other: &[Operation]) -> Value {
    let all_new = |_: &_| Known::New;
    let stored = merge(document, document, one, all_new).map(|merged| merged.document);
    let outcome = stored.and_then(|stored| merge(document, &stored, other, all_new));
    match outcome {
        Ok(merged) => json!({ "other": other, "document": merged.document }),
        Err(Failed::Conflict { .. }) => json!({ "other": other, "conflict": true }),
        Err(Failed::Refused(reason)) => json!({ "other": other, "refused": reason.to_string() }),
    }
}
