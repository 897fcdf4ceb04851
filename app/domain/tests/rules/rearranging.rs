//! A member's own changes to a book's pages: other photos on a page, and pages added, left out and moved.

use domain::document::{
    Border, Common, Document, Element, Ground, Ink, Mask, Page, PaletteColour, Rect, Shape, ShapeKind,
    TextBlock, TextRole,
};
use domain::ids::PhotoId;
use domain::layout::{
    LayoutError, LayoutOptions, MAX_PAGES, MAX_PER_PAGE, PageRange, PhotoInput, add_pair, arrangements,
    blank, lay_out, left_pages, remove_pair, swap_with_next, takes_photos, with_photos,
};
use proptest::prelude::*;

fn options(pages: PageRange) -> LayoutOptions {
    crate::common::options(210.0, 210.0, pages)
}

fn photo(number: usize) -> PhotoInput {
    let (width, height) = [(4032, 3024), (3024, 4032), (4000, 4000), (12_000, 2_400)][number % 4];
    PhotoInput::new(format!("photo-{number}").parse().unwrap(), width, height)
}

fn book(photos: usize) -> Document {
    let photos: Vec<PhotoInput> = (0..photos).map(photo).collect();
    lay_out(&photos, &options(PageRange { min: 8, max: 400, step: 2 })).unwrap()
}

fn text(role: TextRole, words: &str) -> Element {
    let frame = Rect { x: 30.0, y: 60.0, width: 120.0, height: 40.0 };
    Element::Text(TextBlock::new(frame, role, words))
}

/// A page with these photos of the first twenty.
fn put(book: &Document, index: usize, photos: std::ops::Range<usize>) -> Option<Page> {
    let library: Vec<PhotoInput> = (0..20).map(photo).collect();
    let ids: Vec<PhotoId> = photos.map(|number| photo(number).id).collect();
    with_photos(book, index, &ids, &library)
}

proptest! {
    #[test]
    fn every_page_stays_on_its_side(photos in 1_usize..60, acts in prop::collection::vec((0_u8..3, 0_usize..40), 1..20)) {
        let mut book = book(photos);
        for (act, at) in acts {
            let before = book.clone();
            let lefts: Vec<usize> = left_pages(&before).collect();
            let done = match act {
                0 => add_pair(&mut book, at),
                1 => remove_pair(&mut book, at),
                _ => swap_with_next(&mut book, at),
            };
            let (first, last) = (before.pages.first(), before.pages.last());
            prop_assert_eq!((book.pages.first(), book.pages.last()), (first, last), "they stand alone");
            if !done {
                prop_assert_eq!(&book, &before);
                prop_assert!(!lefts.contains(&at) || (act == 2 && Some(&at) == lefts.last()));
                continue;
            }
            let pairs = |book: &Document| -> Vec<Vec<Page>> {
                left_pages(book).map(|left| book.pages[left..left + 2].to_vec()).collect()
            };
            let (mut now, mut then) = (pairs(&book), pairs(&before));
            let index = lefts.iter().position(|left| *left == at);
            match act {
                0 => {
                    let added = now.remove(index.map_or(0, |index| index + 1));
                    prop_assert!(added.iter().all(|page| page.photos().next().is_none() && takes_photos(page)));
                }
                1 => drop(then.remove(index.unwrap())),
                _ => then.swap(index.unwrap(), index.unwrap() + 1),
            }
            prop_assert_eq!(now, then, "what faced each other still does, on the same sides");
        }
    }

    #[test]
    fn a_page_gets_other_photos_and_keeps_its_words(
        count in 0..=MAX_PER_PAGE,
        first in 0_usize..4,
        words in prop_oneof![Just(""), Just("爬到山顶的那个早晨")],
        index in 2_usize..4,
    ) {
        let mut book = book(9);
        book.pages[index].theme = Some("night".to_owned());
        book.pages[index].ground = Ground::Tint;
        for element in &mut book.pages[index].elements {
            if let Element::Text(block) = element {
                words.clone_into(&mut block.text);
            }
        }
        let had_place = book.pages[index].texts().next().is_some();
        let photos: Vec<PhotoInput> = (first..first + count).map(photo).collect();
        let library: Vec<PhotoInput> = (0..20).map(photo).collect();
        let given: Vec<PhotoId> = photos.iter().map(|photo| photo.id.clone()).collect();
        let page = with_photos(&book, index, &given, &library).unwrap();
        let placed: Vec<_> = page.photos().map(|frame| frame.photo.clone()).collect();
        prop_assert_eq!(placed, given, "each once, in their order");
        let kept = page.texts().filter(|block| block.text == words).count();
        prop_assert!(words.is_empty() || !had_place || kept == 1, "{:?}", page);
        prop_assert_eq!((page.ground, page.theme.as_deref()), (Ground::Tint, Some("night")));
        if count == 0 && book.pages[index].photos().next().is_some() {
            prop_assert!(page.texts().any(|block| block.role == TextRole::Body), "paper for words");
        }
    }
}

#[test]
fn pages_with_a_name_take_no_photos() {
    let mut book = book(2);
    assert!(!takes_photos(&book.pages[0]), "the title page");
    assert_eq!(put(&book, 0, 0..1), None);
    book.pages[1].elements = vec![text(TextRole::Heading, "五月")];
    assert_eq!(put(&book, 1, 0..1), None);
    book.pages[1].elements = vec![text(TextRole::Heading, "")];
    assert!(put(&book, 1, 0..1).is_some(), "one that says nothing");
    assert_eq!(put(&book, 999, 0..1), None);
    assert_eq!(put(&book, 1, 0..MAX_PER_PAGE + 1), None);
    assert_eq!(put(&book, 1, 19..21), None, "one that nobody knows");
}

#[test]
fn a_page_keeps_the_layout_that_was_chosen() {
    let mut book = book(9);
    let library: Vec<PhotoInput> = (0..20).map(photo).collect();
    book.pages[3] = put(&book, 3, 0..2).unwrap();
    let ways = arrangements(&book, 3, &library);
    for way in &ways[1..] {
        book.pages[3] = way.page.clone();
        assert_eq!(put(&book, 3, 0..2).as_ref(), Some(&way.page), "the same photos: nothing changes");
        // two of the same shapes in their places
        let other = put(&book, 3, 4..6).unwrap();
        let frames = |page: &Page| page.photos().map(|frame| frame.frame).collect::<Vec<_>>();
        assert_eq!(frames(&other), frames(&way.page), "{}", way.template.title());
    }
}

#[test]
fn a_blank_book_is_as_short_as_it_can_be_bound() {
    for (min, max, step, count) in [(16, 60, 4, 16), (24, 200, 2, 24), (6, 7, 1, 6), (0, 40, 0, 4)] {
        let book = blank(&options(PageRange { min, max, step })).unwrap();
        assert_eq!(book.pages.len(), count, "{min} {max} {step}");
        assert_eq!(book.all_pages().flat_map(Page::photos).count(), 0);
        for page in [&book.cover, &book.pages[0]] {
            assert!(page.texts().any(|block| block.text == "山间的夏天"), "{page:?}");
        }
        assert!(book.pages[1..].iter().all(takes_photos));
    }
    let none = blank(&options(PageRange { min: 9, max: 9, step: 1 }));
    assert_eq!(none, Err(LayoutError::NoPageCount));
}

#[test]
fn a_book_does_not_grow_without_end() {
    let mut book = blank(&options(PageRange { min: 16, max: 60, step: 4 })).unwrap();
    while add_pair(&mut book, 0) {}
    assert_eq!(book.pages.len(), MAX_PAGES);
}

#[test]
fn what_was_said_of_things_stays_with_them_in_another_layout() {
    let photos: Vec<PhotoInput> = (0..24).map(self::photo).collect();
    let mut book = lay_out(&photos, &options(PageRange { min: 8, max: 12, step: 2 })).unwrap();
    book.identify(1).unwrap();
    let index = book.pages.iter().position(|page| page.photos().count() >= 2).unwrap();
    let count = book.pages[index].photos().count();
    if book.pages[index].texts().next().is_none() {
        book.pages[index].elements.push(text(TextRole::Caption, ""));
        book.identify(2).unwrap();
    }
    let photo = |page: &Page, number: usize| page.photos().nth(number).unwrap().clone();
    let border = Some(Border { width: 1.0, colour: Ink::Theme(PaletteColour::Strong) });
    for element in &mut book.pages[index].elements {
        match element {
            Element::Photo(frame) => {
                (frame.border, frame.radius, frame.common.rotation) = (border, Some(3.0), 12.0);
                frame.mask = Some(Mask::Arch);
            }
            Element::Text(block) => {
                (block.text, block.size, block.common.locked) = ("海边".to_owned(), 2, true);
            }
            _ => {}
        }
    }
    let frame = Rect { x: 10.0, y: 10.0, width: 20.0, height: 20.0 };
    let shape = |id: &str| {
        let mut shape = Shape {
            common: Common::default(),
            shape: ShapeKind::Rect,
            frame,
            fill: None,
            border,
            radius: None,
        };
        shape.common.id = Some(id.parse().unwrap());
        Element::Shape(shape)
    };
    book.pages[index].elements.insert(0, shape("under"));
    book.pages[index].elements.push(shape("over"));
    let before = book.pages[index].clone();
    let ways = arrangements(&book, index, &photos);
    assert!(ways.len() > 2);
    for way in ways {
        let page = way.page;
        assert_eq!(page.id, before.id);
        for number in 0..count {
            let (old, new) = (photo(&before, number), photo(&page, number));
            assert_eq!((new.common.id, new.border, new.radius), (old.common.id, border, Some(3.0)));
            assert_eq!(new.mask, Some(Mask::Arch));
            assert_eq!(new.common.rotation, 0.0, "a template says how things stand");
        }
        assert_eq!(page.elements.first(), Some(&shape("under")));
        assert_eq!(page.elements.last(), Some(&shape("over")));
        let (old, new) = (before.texts().next().unwrap(), page.texts().next().unwrap());
        assert_eq!((&new.text, new.size, &new.common), (&old.text, 2, &old.common));
    }
}
