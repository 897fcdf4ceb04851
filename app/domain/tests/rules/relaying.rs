//! A whole book laid out anew: fuller, emptier, with chapters and days, and back.

use std::collections::BTreeSet;

use domain::document::{Document, Element, Ground, Page, Rect, TextBlock, TextRole};
use domain::layout::{
    Density, LayoutOptions, PageRange, Parts, PhotoInput, Relay, Style, dated, is_across, is_by_time,
    lay_out, left_pages, relaid,
};
use proptest::prelude::*;

const RANGE: PageRange = PageRange { min: 8, max: 400, step: 4 };
const DAY: i64 = 86_400_000;

fn photo(number: usize) -> PhotoInput {
    let (width, height) = [(4032, 3024), (3024, 4032), (4000, 4000), (12_000, 2_400)][number % 4];
    let taken_at = Some(1_777_597_200_000 + (number / 7) as i64 * DAY + number as i64);
    PhotoInput { taken_at, ..PhotoInput::new(format!("photo-{number:03}").parse().unwrap(), width, height) }
}

fn library(photos: usize) -> Vec<PhotoInput> {
    (0..photos).map(photo).collect()
}

fn book(photos: usize, density: Density, chapters: bool) -> Document {
    let options = LayoutOptions { density, chapters, ..crate::common::options(210.0, 210.0, RANGE) };
    lay_out(&library(photos), &options).unwrap()
}

fn relay(density: Density) -> Relay {
    Relay { density, chapters: None, dates: false }
}

fn laid(book: &Document, photos: usize, how: Relay) -> Document {
    relaid(book, &library(photos), how, RANGE, Style::default()).unwrap()
}

fn now(book: &Document, photos: usize) -> Relay {
    Relay::of(book, &library(photos), RANGE, Style::default())
}

fn shown(book: &Document) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let photos = book.pages.iter().flat_map(Page::photos).map(|frame| frame.photo.to_string());
    photos.filter(|photo| seen.insert(photo.clone())).collect()
}

fn words(book: &Document) -> String {
    book.pages.iter().flat_map(Page::texts).map(|block| block.text.clone() + "\n").collect()
}

fn note(page: &mut Page, words: &str) {
    let free = page.elements.iter_mut().find_map(|element| match element {
        Element::Text(block) if block.role == TextRole::Caption || block.role == TextRole::Body => {
            Some(block)
        }
        _ => None,
    });
    match free {
        Some(block) => block.text = words.to_owned(),
        None => {
            let frame = Rect { x: 30.0, y: 60.0, width: 120.0, height: 40.0 };
            page.elements.push(Element::Text(TextBlock::new(frame, TextRole::Body, words)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn no_photo_and_no_word_is_lost(
        photos in 1_usize..90,
        noted in prop::collection::vec(0_usize..90, 0..8),
        from in 0_usize..3,
        to in 0_usize..3,
        parts in 0_usize..3,
    ) {
        let mut before = book(photos, Density::ALL[from], false);
        let count = before.pages.len();
        for at in &noted {
            note(&mut before.pages[at % count], &format!("第{at}句话"));
        }
        let chapters = [None, Some(Parts::Pauses), Some(Parts::Days)][parts];
        let how = Relay { density: Density::ALL[to], chapters, dates: true };
        let after = laid(&before, photos, how);
        prop_assert_eq!(shown(&after), shown(&before));
        let said = words(&after);
        for at in noted.iter().filter(|at| words(&before).contains(&format!("第{at}句话"))) {
            prop_assert!(said.contains(&format!("第{at}句话")), "{at}: {said}");
        }
        prop_assert!(after.pages.len().is_multiple_of(4) && after.pages.len() >= 8);
        // photos over the fold begin on left-hand pages
        let whole = after.pages.iter().flat_map(Page::photos).map(|frame| &frame.photo).collect::<Vec<_>>();
        for photo in whole.iter().filter(|photo| whole.iter().filter(|other| other == photo).count() == 2) {
            let on = |page: &Page| page.photos().any(|frame| &frame.photo == *photo);
            let left = after.pages.iter().position(on).unwrap();
            prop_assert!(is_across(&after, left), "{photo} on {left}");
        }
        prop_assert_eq!(&after.cover, &before.cover);
    }
}

#[test]
fn a_book_is_what_it_was_after_there_and_back() {
    for density in Density::ALL {
        let before = book(40, density, false);
        assert_eq!(now(&before, 40), relay(density), "{density:?}");
        assert_eq!(laid(&before, 40, relay(density)).pages, before.pages, "{density:?}: as it is");
        let other = laid(&before, 40, relay(Density::ALL[(density as usize + 1) % 3]));
        assert_ne!(other.pages.len(), before.pages.len());
        assert_eq!(laid(&other, 40, relay(density)).pages, before.pages, "{density:?}: and back");
    }
}

#[test]
fn chapters_come_and_go_with_the_words_that_they_were_given() {
    let before = book(42, Density::Even, false);
    let by_days = Relay { chapters: Some(Parts::Days), ..relay(Density::Even) };
    let mut named = laid(&before, 42, by_days);
    let headings = |book: &Document| {
        book.pages.iter().flat_map(Page::texts).filter(|it| it.role == TextRole::Heading).count()
    };
    assert_eq!(headings(&named), 6);
    assert!(now(&named, 42).chapters.is_some());
    assert_eq!(laid(&named, 42, relay(Density::Even)).pages, before.pages);
    let second = named
        .pages
        .iter()
        .filter_map(|page| {
            page.texts().find(|block| block.role == TextRole::Heading).map(|block| block.text.clone())
        })
        .nth(1)
        .unwrap();
    for block in named.pages.iter_mut().flat_map(|page| &mut page.elements) {
        if let Element::Text(block) = block
            && block.text == second
        {
            block.text = "山里的一天".to_owned();
        }
    }
    // it stays with its part in a fuller book, and is kept in one that has no chapters
    let dense = laid(&named, 42, Relay { density: Density::Dense, ..by_days });
    assert_eq!(headings(&dense), 6);
    assert!(words(&dense).contains("山里的一天") && !words(&dense).contains(&second));
    assert!(words(&laid(&named, 42, relay(Density::Even))).contains("山里的一天"));
}

#[test]
fn a_page_that_somebody_made_stays_before_what_it_stood_before() {
    let mut before = book(30, Density::Even, false);
    let left = left_pages(&before).nth(2).unwrap();
    let next = before.pages[left].photos().next().unwrap().photo.clone();
    let mut letter = Page { ground: Ground::Deep, ..Page::default() };
    note(&mut letter, "写给外婆的信");
    before.pages.splice(left..left, [letter.clone(), Page::default()]);
    let after = laid(&before, 30, relay(Density::Dense));
    let at = after.pages.iter().position(|page| *page == letter).expect("the letter");
    assert!(!at.is_multiple_of(2), "on a left-hand page, with paper beside it");
    let there = after.pages[at + 2..].iter().take(2).flat_map(Page::photos).any(|frame| frame.photo == next);
    assert!(there, "before its photo");
}

#[test]
fn an_order_of_ones_own_stays_and_has_no_chapters() {
    let library = library(24);
    let mut turned = library.clone();
    turned.reverse();
    let untimed: Vec<PhotoInput> =
        turned.iter().map(|photo| PhotoInput { taken_at: None, ..photo.clone() }).collect();
    let options = LayoutOptions { density: Density::Even, ..crate::common::options(210.0, 210.0, RANGE) };
    let own = lay_out(&untimed, &options).unwrap();
    assert!(!is_by_time(&own, &library) && is_by_time(&book(24, Density::Even, false), &library));
    let how = Relay { density: Density::Airy, chapters: Some(Parts::Days), dates: false };
    let after = relaid(&own, &library, how, RANGE, Style::default()).unwrap();
    assert_eq!(shown(&after), shown(&own));
    assert!(after.pages.iter().flat_map(Page::texts).all(|block| block.role != TextRole::Heading));
}

#[test]
fn days_come_into_captions_without_words_and_go_again() {
    let library = library(30);
    let mut before = book(30, Density::Even, false);
    let of_photos =
        before.pages.iter().position(|page| page.photos().next().is_some() && page.texts().next().is_some());
    note(&mut before.pages[of_photos.unwrap()], "云海");
    let with = dated(&before, &library, true);
    let days = |book: &Document| words(book).lines().filter(|line| line.ends_with('日')).count();
    assert!(days(&with) >= 3 && words(&with).contains("云海"), "{}", words(&with));
    assert_eq!(dated(&with, &library, true), with, "once is enough");
    assert_eq!(dated(&with, &library, false), before);
}
