//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

use templates::tested::{PHOTOS, TEMPLATES, categories, number_of};

use std::collections::BTreeSet;

#[test]
fn every_template_makes_a_book_and_has_a_word_of_its_own() {
    let paths: BTreeSet<&str> =
        TEMPLATES.iter().map(|template| template.path).chain(categories().map(|(path, _)| path)).collect();
    assert_eq!(paths.len(), TEMPLATES.len() + categories().count());
    for template in &TEMPLATES {
        let document = template.document().unwrap();
        assert!(document.pages.len() >= 12, "{}", template.path);
        let all: BTreeSet<_> = document
            .all_pages()
            .flat_map(|page| page.photos())
            .collect::<Vec<_>>()
            .iter()
            .filter_map(|frame| number_of(&frame.photo))
            .collect();
        assert_eq!(all.len(), PHOTOS as usize, "{}", template.path);
    }
}
