//! Documents of every format there was.

use domain::document::{Document, VERSION};
use serde_json::Value;

/// An album as it was stored before elements had ids.
const FIRST: &str = include_str!("formats/1.json");
/// The same, as every program reads it.
const SECOND: &str = include_str!("formats/2.json");

#[test]
fn every_program_gives_an_older_document_the_same_ids() {
    let read: Document = serde_json::from_str(FIRST).unwrap();
    let expected: Value = serde_json::from_str(SECOND).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), expected, "{}", serde_json::to_string(&read).unwrap());
    let again: Document = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
    assert_eq!(again, read);
    assert_eq!(expected["version"], VERSION);
}

#[test]
fn nothing_is_written_of_what_is_not_used() {
    let read: Document = serde_json::from_str(FIRST).unwrap();
    let mut written = serde_json::to_value(&read).unwrap();
    let first: Value = serde_json::from_str(FIRST).unwrap();
    fn forget(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("id");
                fields.values_mut().for_each(forget);
            }
            Value::Array(values) => values.iter_mut().for_each(forget),
            _ => {}
        }
    }
    forget(&mut written);
    written.as_object_mut().unwrap().remove("version");
    assert_eq!(written, first);
}

#[test]
fn a_document_of_a_newer_program_is_not_read_as_something_else() {
    let newer = SECOND.replacen("\"version\":2", "\"version\":3", 1);
    assert_ne!(newer, SECOND);
    let refusal = serde_json::from_str::<Document>(&newer).unwrap_err().to_string();
    assert!(refusal.contains("newer program"), "{refusal}");
}

#[test]
fn ids_are_once_in_a_document_and_stay_with_whoever_had_them() {
    let mut document: Document = serde_json::from_str(FIRST).unwrap();
    let before = document.clone();
    // pages of a form come without ids, and a copied page with those of another
    document.pages.insert(1, document.pages[0].clone());
    document.pages.insert(1, domain::document::Page::default());
    document.identify(7).unwrap();
    assert_eq!(document.pages[0], before.pages[0]);
    assert_eq!(document.pages[3], before.pages[1]);
    let pages: std::collections::BTreeSet<_> = document.all_pages().map(|page| page.id.clone()).collect();
    assert_eq!(pages.len(), document.pages.len() + 1);
    let ids: Vec<_> =
        document.all_pages().flat_map(|page| &page.elements).map(|it| it.common().id.clone()).collect();
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ids.len());
    assert!(ids.iter().all(Option::is_some));
    let again = document.clone();
    document.identify(8).unwrap();
    assert_eq!(document, again);
}
