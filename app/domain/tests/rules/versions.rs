//! A work's versions: another page size keeps everything that its maker put in, and what differs is said.

use domain::compare::{Fact, Place, compare};
use domain::document::{BLEED_MM, Colour, Document, Element, Ground, Page, PhotoFrame, TextBlock, Trim};
use domain::layout::{
    Captions, LayoutOptions, MIN_VISIBLE, PageRange, PhotoInput, is_across, is_half, lay_out, reflow,
    with_cover,
};
use proptest::prelude::*;

const SQUARE: Trim = Trim { width: 210.0, height: 210.0 };
const A5: Trim = Trim { width: 148.0, height: 210.0 };

fn photo(number: usize, width: u32, height: u32) -> PhotoInput {
    PhotoInput {
        taken_at: Some(number as i64),
        ..PhotoInput::new(format!("photo-{number}").parse().unwrap(), width, height)
    }
}

fn library(count: usize) -> Vec<PhotoInput> {
    let sizes = [(4032, 3024), (3024, 4032), (6000, 4000), (4000, 4000), (12_000, 2_400)];
    (0..count).map(|n| photo(n, sizes[n % sizes.len()].0, sizes[n % sizes.len()].1)).collect()
}

fn book(library: &[PhotoInput], trim: Trim) -> Document {
    let options = LayoutOptions {
        trim,
        pages: PageRange { min: 8, max: 400, step: 2 },
        title: "山间的夏天".to_owned(),
        author: "林小满".to_owned(),
        theme: "calm".to_owned(),
        captions: Captions::Empty,
        chapters: false,
        parts: Default::default(),
        density: Default::default(),
        style: Default::default(),
    };
    lay_out(library, &options).unwrap()
}

/// Writes something into every text that is empty.
fn captioned(mut document: Document) -> Document {
    for (number, page) in document.pages.iter_mut().enumerate() {
        for element in &mut page.elements {
            if let Element::Text(block) = element
                && block.text.is_empty()
            {
                block.text = format!("第 {number} 页的话");
            }
        }
    }
    document
}

fn photos_of(page: &Page) -> Vec<String> {
    page.photos().map(|frame| frame.photo.to_string()).collect()
}

fn texts_of(page: &Page) -> Vec<String> {
    let mut texts: Vec<_> =
        page.texts().map(|block| block.text.clone()).filter(|text| !text.is_empty()).collect();
    texts.sort();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn another_page_size_keeps_every_photo_and_every_word_on_its_page(
        count in 1..60usize,
        (width, height) in prop_oneof![
            Just((148.0, 210.0)), Just((297.0, 210.0)), Just((210.0, 297.0)), Just((140.0, 105.0)), Just((210.0, 210.0)),
        ],
        least in 0..40usize,
    ) {
        let library = library(count);
        let before = captioned(book(&library, SQUARE));
        let trim = Trim { width, height };
        let after = reflow(&before, &library, trim, least).unwrap();
        prop_assert_eq!(after.trim, trim);
        prop_assert_eq!(after.pages.len(), before.pages.len().max(least));
        prop_assert_eq!(photos_of(&after.cover), photos_of(&before.cover));
        prop_assert_eq!(texts_of(&after.cover), texts_of(&before.cover));
        let last = before.pages.len() - 1;
        for (index, page) in before.pages.iter().enumerate() {
            let new = &after.pages[if index == last { after.pages.len() - 1 } else { index }];
            if is_half(&before, index) {
                // across the fold it stands on both pages, or whole on one of them
                let left = if is_across(&before, index) { index } else { index - 1 };
                let kept = |pages: &[Page]| pages.iter().flat_map(photos_of).collect::<std::collections::BTreeSet<_>>();
                if left + 1 < last {
                    prop_assert_eq!(kept(&after.pages[left..left + 2]), kept(&before.pages[left..left + 2]));
                }
                continue;
            }
            prop_assert_eq!(photos_of(new), photos_of(page), "page {}", index);
            prop_assert_eq!(texts_of(new), texts_of(page), "page {}", index);
            for frame in new.photos() {
                prop_assert!(frame.crop.area() >= MIN_VISIBLE - 1e-9);
                let (rect, edge) = (frame.frame, BLEED_MM + 0.01);
                prop_assert!(rect.x >= -edge && rect.x + rect.width <= width + edge);
                prop_assert!(rect.y >= -edge && rect.y + rect.height <= height + edge);
            }
        }
    }

    #[test]
    fn a_version_differs_from_itself_in_nothing(count in 1..30usize) {
        let document = captioned(book(&library(count), A5));
        prop_assert!(compare(&document, &document).is_empty());
    }
}

#[test]
fn photos_that_nobody_knows_any_more_keep_their_places() {
    let before = book(&library(12), SQUARE);
    let after = reflow(&before, &[], A5, 0).unwrap();
    for (index, (one, other)) in before.pages.iter().zip(&after.pages).enumerate() {
        assert!(is_half(&before, index) || photos_of(one) == photos_of(other));
    }
    assert!(reflow(&before, &[], Trim { width: 10.0, height: 10.0 }, 0).is_err());
}

#[test]
fn a_page_of_many_photos_is_moved_in_proportion() {
    let mut before = book(&library(12), SQUARE);
    let many: Vec<Element> =
        before.pages.iter().flat_map(Page::photos).cloned().map(Element::Photo).take(10).collect();
    before.pages[3].elements = many;
    let after = reflow(&before, &library(12), A5, 0).unwrap();
    assert_eq!(photos_of(&before.pages[3]), photos_of(&after.pages[3]));
    assert_eq!(before.pages[3].elements.len(), after.pages[3].elements.len());
}

#[test]
fn another_photo_on_the_cover_leaves_its_words() {
    let library = library(6);
    let mut before = book(&library, SQUARE);
    for element in &mut before.cover.elements {
        if let Element::Text(block) = element {
            block.text = format!("{}！", block.text);
        }
    }
    before.cover.ground = Ground::Deep;
    before.cover.theme = Some("festive".to_owned());
    let after = with_cover(&before, &library[4]);
    assert_eq!(photos_of(&after.cover), ["photo-4"]);
    assert_eq!(texts_of(&after.cover), texts_of(&before.cover));
    assert_eq!((after.cover.ground, &after.cover.theme), (before.cover.ground, &before.cover.theme));
    assert_eq!(after.pages, before.pages);
}

#[test]
fn what_differs_is_found_where_it_is() {
    let before = captioned(book(&library(20), SQUARE));
    let mut after = before.clone();
    after.title = "另一个书名".to_owned();
    let changed =
        after.pages.iter().position(|page| page.photos().count() > 0 && page.texts().count() > 0).unwrap();
    for element in &mut after.pages[changed].elements {
        match element {
            Element::Text(block) => block.text = "新的话".to_owned(),
            Element::Photo(frame) => frame.crop.x += 0.1,
            Element::Pdf(pdf) => pdf.crop.x += 0.1,
            Element::Month(_) | Element::Shape(_) | Element::Code(_) => {
                panic!("an album has photos and words")
            }
        }
    }
    let found = compare(&before, &after);
    assert_eq!(found.facts, [Fact::Title]);
    let [page] = found.pages.as_slice() else { panic!("{found:?}") };
    assert_eq!((page.before, page.after), (Some(Place::Inner(changed)), Some(Place::Inner(changed))));
    assert_eq!(page.texts, [(format!("第 {changed} 页的话"), "新的话".to_owned())]);
    assert_eq!(page.cropped.len(), before.pages[changed].photos().count());
    assert_eq!((page.photos_added, page.photos_removed), (0, 0));
}

#[test]
fn a_page_that_was_put_in_is_one_page() {
    let before = captioned(book(&library(20), SQUARE));
    let mut after = before.clone();
    after.pages.insert(4, Page::default());
    let found = compare(&before, &after);
    assert_eq!(found.facts, [Fact::PageCount]);
    let [page] = found.pages.as_slice() else { panic!("{found:?}") };
    assert_eq!((page.before, page.after), (None, Some(Place::Inner(4))));
    let back = compare(&after, &before);
    assert_eq!((back.pages[0].before, back.pages[0].after), (Some(Place::Inner(4)), None));
}

#[test]
fn another_look_is_told_from_another_place() {
    fn no_change(_: &mut Page) {}
    fn shift(page: &mut Page) {
        for element in &mut page.elements {
            let (Element::Photo(PhotoFrame { frame, .. }) | Element::Text(TextBlock { frame, .. })) = element
            else {
                continue;
            };
            frame.x += 5.0;
        }
    }
    fn empty(page: &mut Page) {
        page.elements.clear();
    }
    let looks: [fn(&mut Page); 4] = [
        no_change,
        |page| page.theme = Some("night".to_owned()),
        |page| page.ground = Ground::Deep,
        |page| page.background = Some(Colour([0; 3])),
    ];
    let contents: [fn(&mut Page); 3] = [no_change, shift, empty];
    let before = captioned(book(&library(20), SQUARE));
    for (look, repaint) in looks.iter().enumerate() {
        for (content, rearrange) in contents.iter().enumerate() {
            let mut after = before.clone();
            repaint(&mut after.pages[3]);
            rearrange(&mut after.pages[3]);
            let found = compare(&before, &after);
            assert_eq!(found.is_empty(), (look, content) == (0, 0));
            for page in found.pages {
                assert_eq!((page.look, page.moved), (look > 0, content == 1), "{page:?}");
                assert_eq!(page.is_arrangement(), (look, content) == (0, 1), "{page:?}");
            }
        }
    }
}

#[test]
fn names_are_no_difference_and_another_angle_is_one() {
    let before = captioned(book(&library(20), SQUARE));
    let mut after = before.clone();
    after.identify(7).unwrap();
    assert!(compare(&before, &after).is_empty());
    let changed = after.pages.iter().position(|page| !page.elements.is_empty()).unwrap();
    after.pages[changed].elements[0].common_mut().rotation = 3.0;
    let found = compare(&before, &after);
    let [page] = found.pages.as_slice() else { panic!("{found:?}") };
    assert!(page.is_arrangement() && page.after == Some(Place::Inner(changed)));
}
