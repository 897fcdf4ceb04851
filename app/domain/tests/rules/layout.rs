//! The automatic layout keeps its promises for any photos.

use std::collections::HashMap;

use crate::common::options;
use domain::document::{
    BLEED_MM, Crop, Document, Element, Ground, Page, PhotoFrame, Rect, SAFE_MM, TextRole, Trim,
};
use domain::ids::PhotoId;
use domain::layout::{
    Captions, CoverStyle, Density, LayoutError, LayoutOptions, MAX_PER_PAGE, MIN_VISIBLE, PageRange, Parts,
    PhotoInput, arrangements, cover_ways, empty_pages, is_across, is_half, is_half_frame, lay_out, reflow,
    spread_ways,
};
use domain::resolution::{LEAST_DPI, is_coarse};
use proptest::prelude::*;

fn photo(number: usize, width: u32, height: u32, taken_at: Option<i64>) -> PhotoInput {
    PhotoInput { taken_at, ..PhotoInput::new(format!("photo-{number}").parse().unwrap(), width, height) }
}

const HOUR: i64 = 3_600_000;
const ANY: PageRange = PageRange { min: 8, max: 400, step: 2 };

fn dimensions() -> impl Strategy<Value = (u32, u32)> {
    prop_oneof![
        6 => Just((4032, 3024)),
        4 => Just((3024, 4032)),
        2 => Just((6000, 4000)),
        2 => Just((4000, 4000)),
        1 => Just((1170, 2532)),
        1 => Just((12_000, 2_400)),
        1 => Just((640, 480)),
        2 => (1_u32..30_000, 1_u32..30_000),
    ]
}

fn photos(most: usize) -> impl Strategy<Value = Vec<PhotoInput>> {
    let times = prop_oneof![
        3 => (0_i64..60 * 24 * HOUR).prop_map(Some),
        1 => Just(None),
        1 => any::<i64>().prop_map(Some),
    ];
    prop::collection::vec((dimensions(), times), 1..=most).prop_map(|list| {
        let number = |(number, ((width, height), taken_at))| photo(number, width, height, taken_at);
        list.into_iter().enumerate().map(number).collect()
    })
}

fn trims() -> impl Strategy<Value = (f64, f64)> {
    prop_oneof![
        Just((210.0, 210.0)),
        Just((297.0, 210.0)),
        Just((210.0, 297.0)),
        Just((140.0, 105.0)),
        (5_000_u32..50_000, 5_000_u32..50_000)
            .prop_map(|(w, h)| (f64::from(w) / 100.0, f64::from(h) / 100.0)),
    ]
}

fn ranges() -> impl Strategy<Value = PageRange> {
    prop_oneof![
        Just(ANY),
        Just(PageRange { min: 16, max: 60, step: 4 }),
        (0_u32..40, 1_u32..200, 0_u32..9).prop_map(|(min, more, step)| PageRange {
            min,
            max: min + more,
            step
        }),
    ]
}

/// All frames of inner pages, in reading order.
fn frames(book: &Document) -> Vec<&PhotoFrame> {
    book.pages.iter().flat_map(Page::photos).collect()
}

fn assert_page(page: &Page, trim: Trim, shapes: &HashMap<PhotoId, f64>, visible: f64) {
    for frame in page.photos() {
        let crop = frame.crop;
        assert!(crop.area() >= visible, "{frame:?} shows {}", crop.area());
        assert!(crop.x >= 0.0 && crop.x + crop.width <= 1.0 + 1e-9, "{frame:?}");
        assert!(crop.y >= 0.0 && crop.y + crop.height <= 1.0 + 1e-9, "{frame:?}");
        let shown = crop.width / crop.height * shapes[&frame.photo];
        assert!((shown / frame.frame.aspect() - 1.0).abs() < 0.005, "distorted: {frame:?}");
        assert_edges(frame.frame, trim);
    }
    for block in page.texts() {
        assert!(inside_safe_area(block.frame, trim), "{block:?} {trim:?}");
    }
    let places: Vec<Rect> = page.elements.iter().map(Element::frame).collect();
    for (index, one) in places.iter().enumerate() {
        assert!(one.width > 0.0 && one.height > 0.0, "{page:?}");
        for other in &places[index + 1..] {
            let apart = one.x + one.width <= other.x + 1e-6
                || other.x + other.width <= one.x + 1e-6
                || one.y + one.height <= other.y + 1e-6
                || other.y + other.height <= one.y + 1e-6;
            assert!(apart, "{one:?} overlaps {other:?} on {trim:?}");
        }
    }
}

/// Each edge runs off the page entirely or stays inside the safe area.
fn assert_edges(frame: Rect, trim: Trim) {
    let edge = |inwards: f64| {
        assert!((inwards + BLEED_MM).abs() < 1e-6 || inwards >= SAFE_MM, "{frame:?} on {trim:?}");
    };
    edge(frame.x);
    edge(frame.y);
    edge(trim.width - frame.x - frame.width);
    edge(trim.height - frame.y - frame.height);
}

fn inside_safe_area(frame: Rect, trim: Trim) -> bool {
    frame.x >= SAFE_MM - 1e-6
        && frame.y >= SAFE_MM - 1e-6
        && frame.x + frame.width <= trim.width - SAFE_MM + 1e-6
        && frame.y + frame.height <= trim.height - SAFE_MM + 1e-6
}

fn assert_count(book: &Document, photos: usize, range: PageRange) {
    let (count, step) = (book.pages.len(), range.step.max(1) as usize);
    assert!(count >= range.min as usize && count <= range.max as usize, "{count} {range:?}");
    assert!(count.is_multiple_of(2) && count.is_multiple_of(step), "{count} {range:?}");
    let four_fits = (range.min.max(1) as usize..=range.max as usize)
        .any(|count| count.is_multiple_of(4) && count.is_multiple_of(step) && count * 4 >= photos);
    // a book that is longer at four photos a page is better than a shorter one with more on a page
    assert!(count.is_multiple_of(4) || !four_fits, "{count} {range:?}");
    // the title and the closing page have none
    let inner = &book.pages[1..count - 1];
    let empty = inner.iter().filter(|page| page.photos().next().is_none()).count();
    assert!(
        empty <= inner.len().saturating_sub(photos),
        "padding only where there are fewer photos than pages"
    );
}

/// The least part of a photo that a page shows: of one across the fold, each page shows its half.
fn visible(book: &Document, index: usize) -> f64 {
    if is_half(book, index) { 0.2 } else { MIN_VISIBLE }
}

/// What is seen of every photo across the fold, on both pages together.
fn seen_across(book: &Document) -> Vec<(&PhotoFrame, f64)> {
    let pairs = (1..book.pages.len()).filter(|&left| is_across(book, left));
    pairs
        .map(|left| {
            let (one, other) =
                (book.pages[left].photos().next().unwrap(), book.pages[left + 1].photos().next().unwrap());
            assert_eq!(one.photo, other.photo);
            assert_eq!((one.crop.y, one.crop.height), (other.crop.y, other.crop.height));
            // what runs past the fold is the same on both: twice the bleed
            let scale = one.crop.width / one.frame.width;
            let twice = one.crop.x + one.crop.width - other.crop.x;
            assert!((twice / scale - 2.0 * BLEED_MM).abs() < 0.05, "{one:?} {other:?}");
            (one, (other.crop.x + other.crop.width - one.crop.x) * one.crop.height)
        })
        .collect()
}

/// Every photo in reading order; one across the fold once.
fn placed(book: &Document) -> Vec<&PhotoId> {
    let mut placed: Vec<&PhotoId> = frames(book).iter().map(|frame| &frame.photo).collect();
    placed.dedup();
    placed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_book_of_any_photos_is_sound(
        photos in photos(70),
        (width, height) in trims(),
        range in ranges(),
        captions in prop_oneof![Just(Captions::None), Just(Captions::Empty), Just(Captions::Dates)],
    ) {
        let mut options = options(width, height, range);
        options.captions = captions;
        let book = match lay_out(&photos, &options) {
            Ok(book) => book,
            Err(LayoutError::TooManyPhotos { photos: given, fits }) => {
                prop_assert!(given == photos.len() && fits < given);
                prop_assert!(lay_out(&photos[..fits], &options).is_ok());
                return Ok(());
            }
            Err(LayoutError::NoPageCount) => {
                let step = range.step.max(1);
                prop_assert!(!(range.min.max(1)..=range.max).any(|n| n % 2 == 0 && n % step == 0));
                return Ok(());
            }
            Err(other) => panic!("{other}"),
        };

        let shapes: HashMap<PhotoId, f64> =
            photos.iter().map(|p| (p.id.clone(), f64::from(p.width) / f64::from(p.height))).collect();
        assert_page(&book.cover, book.trim, &shapes, MIN_VISIBLE);
        for (index, page) in book.pages.iter().enumerate() {
            assert_page(page, book.trim, &shapes, visible(&book, index));
        }
        for (frame, seen) in seen_across(&book) {
            prop_assert!(seen >= MIN_VISIBLE, "{frame:?} shows {seen}");
        }
        assert_count(&book, photos.len(), range);
        prop_assert_eq!(book.cover.photos().count(), 1);

        // Every photo once, by its time, equals in the given order; one without a time with the one before it.
        let mut last = photos.iter().find_map(|p| p.taken_at);
        let mut expected: Vec<(Option<i64>, &PhotoId)> = Vec::new();
        for photo in &photos {
            last = photo.taken_at.or(last);
            expected.push((last, &photo.id));
        }
        expected.sort_by_key(|(time, _)| *time);
        let expected: Vec<&PhotoId> = expected.into_iter().map(|(_, id)| id).collect();
        prop_assert_eq!(placed(&book), expected);

        prop_assert_eq!(lay_out(&photos, &options).unwrap(), book);
    }

    #[test]
    fn every_way_to_arrange_a_page_is_sound(
        photos in photos(MAX_PER_PAGE),
        (width, height) in trims(),
        words in prop_oneof![Just(""), Just("海边的早晨")],
    ) {
        let trim = Trim { width, height };
        let shapes: HashMap<PhotoId, f64> =
            photos.iter().map(|p| (p.id.clone(), f64::from(p.width) / f64::from(p.height))).collect();
        for index in [2, 3] {
            let mut book = lay_out(&photos, &options(width, height, ANY)).unwrap();
            let whole = trim.with_bleed();
            let frame = |photo: &PhotoInput| {
                let crop = Crop::fill(f64::from(photo.width) / f64::from(photo.height), whole.aspect());
                Element::Photo(PhotoFrame::new(photo.id.clone(), whole, crop))
            };
            let place = Rect { x: 10.0, y: 10.0, width: 20.0, height: 8.0 };
            let caption = Element::Text(domain::document::TextBlock::new(place, TextRole::Caption, words));
            book.pages[index] = Page {
                id: None,
                theme: Some("night".to_owned()),
                ground: Ground::Tint,
                background: None,
                elements: photos.iter().map(frame).chain([caption]).collect(),
            };
            let ways = arrangements(&book, index, &photos);
            prop_assert!(words.is_empty() || !ways.is_empty(), "words keep a place");
            for way in &ways {
                // a member sees what is cut
                assert_page(&way.page, trim, &shapes, 0.55);
                let placed: Vec<_> = way.page.photos().map(|frame| &frame.photo).collect();
                let given: Vec<_> = photos.iter().map(|photo| &photo.id).collect();
                prop_assert_eq!(placed, given);
                let kept = way.page.texts().filter(|block| block.text == words).count();
                prop_assert!(words.is_empty() || kept == 1);
                prop_assert_eq!((way.page.ground, way.page.theme.as_deref()), (Ground::Tint, Some("night")));
            }
        }
    }
}

#[test]
fn large_books_are_laid_out_at_once() {
    for count in [1, 2, 3, 499, 500, 1000] {
        let photos: Vec<PhotoInput> = (0..count)
            .map(|n| {
                let (width, height) = [(4032, 3024), (3024, 4032), (4032, 3024), (9000, 3000)][n % 4];
                photo(n, width, height, Some(n as i64 * HOUR))
            })
            .collect();
        let started = std::time::Instant::now();
        let book = lay_out(&photos, &options(210.0, 210.0, PageRange { min: 8, max: 600, step: 2 })).unwrap();
        assert_eq!(placed(&book).len(), count);
        assert!(
            started.elapsed() < std::time::Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 2 })
        );
        println!("{count} photos, {} pages: {:?}", book.pages.len(), started.elapsed());
    }
}

#[test]
fn the_density_follows_the_goods() {
    let photos: Vec<PhotoInput> = (0..100).map(|n| photo(n, 4032, 3024, None)).collect();
    let pages = |min, max, step| {
        lay_out(&photos, &options(210.0, 210.0, PageRange { min, max, step })).unwrap().pages.len()
    };
    assert_eq!(pages(8, 400, 2), 52);
    assert_eq!(pages(8, 26, 2), 28 - 4 + 2);
    assert_eq!(pages(8, 32, 2), 32);
    assert_eq!(pages(80, 400, 2), 80);
    assert_eq!(pages(96, 400, 2), 96);
}

#[test]
fn the_first_page_and_pages_after_pauses_open_large() {
    // Three days of twelve photos each.
    let photos: Vec<PhotoInput> = (0..36_i64)
        .map(|n| photo(n as usize, 4000, 4000, Some(n / 12 * 24 * HOUR + n % 12 * 600_000)))
        .collect();
    let book = lay_out(&photos, &options(210.0, 210.0, ANY)).unwrap();
    for first in [0, 12, 24] {
        let id: PhotoId = format!("photo-{first}").parse().unwrap();
        let page = book.pages.iter().find(|page| page.photos().any(|frame| frame.photo == id)).unwrap();
        assert_eq!(page.photos().count(), 1, "{first}");
        let frame = page.photos().next().unwrap().frame;
        assert_eq!(frame, book.trim.with_bleed(), "{first}");
    }
}

#[test]
fn photos_without_a_time_stay_with_those_they_came_with() {
    // two days of ten photos; the last of each day, and the first of all, lost their times
    let photos: Vec<PhotoInput> = (0..20_i64)
        .map(|n| {
            let time = (n % 10 != 9 && n != 0).then_some(n / 10 * 24 * HOUR + n % 10 * 600_000);
            photo(n as usize, 4000, 3000, time)
        })
        .collect();
    let mut mixed = photos.clone();
    // the second day was uploaded first
    mixed.rotate_left(10);
    for given in [&photos, &mixed] {
        for parts in [Parts::Pauses, Parts::Days] {
            let options = LayoutOptions { chapters: true, parts, ..options(210.0, 210.0, ANY) };
            let book = lay_out(given, &options).unwrap();
            let headings =
                book.pages.iter().flat_map(Page::texts).filter(|text| text.role == TextRole::Heading);
            let headings: Vec<&str> = headings.map(|text| text.text.as_str()).collect();
            assert_eq!(headings, ["1月1日", "1月2日"], "no chapter is gone");
        }
    }
    let book = lay_out(&photos, &options(210.0, 210.0, ANY)).unwrap();
    let expected: Vec<&PhotoId> = photos.iter().map(|photo| &photo.id).collect();
    assert_eq!(placed(&book), expected);
}

#[test]
fn a_half_of_a_photo_is_told_from_the_frames_beside_it() {
    let photos: Vec<PhotoInput> =
        (0..24).map(|n| photo(n, if n % 3 == 0 { 12_000 } else { 4032 }, 3000, None)).collect();
    let mut book = lay_out(&photos, &options(210.0, 210.0, ANY)).unwrap();
    let left = (1..book.pages.len()).find(|&left| is_across(&book, left)).unwrap();
    let own = PhotoFrame::new(
        "other".parse().unwrap(),
        Rect { x: 20.0, y: 20.0, width: 60.0, height: 40.0 },
        Crop { x: 0.0, y: 0.0, width: 1.0, height: 1.0 },
    );
    for index in [left, left + 1] {
        book.pages[index].elements.push(Element::Photo(own.clone()));
        let halves: Vec<bool> =
            book.pages[index].photos().map(|frame| is_half_frame(&book, index, frame)).collect();
        assert_eq!(halves, [true, false], "page {index}");
    }
    for (index, page) in book.pages.iter().enumerate().filter(|(index, _)| !is_half(&book, *index)) {
        assert!(page.photos().all(|frame| !is_half_frame(&book, index, frame)), "page {index}");
    }
}

#[test]
fn panoramas_are_shown_whole() {
    let photos: Vec<PhotoInput> = (0..40)
        .map(|n| if n % 5 == 0 { photo(n, 12_000, 2_500, None) } else { photo(n, 4032, 3024, None) })
        .collect();
    for (width, height) in [(210.0, 210.0), (297.0, 210.0), (148.0, 210.0)] {
        let book = lay_out(&photos, &options(width, height, ANY)).unwrap();
        let number = |frame: &PhotoFrame| -> usize {
            frame.photo.as_str().trim_start_matches("photo-").parse().unwrap()
        };
        let across: Vec<_> =
            seen_across(&book).into_iter().filter(|(half, _)| number(half).is_multiple_of(5)).collect();
        assert!(across.len() >= 6, "{width}×{height}: {} panoramas stand across the fold", across.len());
        for (frame, seen) in &across {
            assert!(*seen > 0.995, "{frame:?}");
        }
        for frame in frames(&book) {
            if number(frame).is_multiple_of(5) && !across.iter().any(|(half, _)| half.photo == frame.photo) {
                assert!(frame.crop.area() > 0.995, "{frame:?}");
            }
        }
    }
}

#[test]
fn coarse_photos_get_smaller_frames() {
    let photos: Vec<PhotoInput> = (0..8).map(|n| photo(n, 1000, 750, None)).collect();
    let book = lay_out(&photos, &options(297.0, 210.0, ANY)).unwrap();
    for frame in frames(&book) {
        assert!(frame.effective_dpi(1000, 750) > 149.0, "{frame:?}");
    }
}

#[test]
fn fewer_photos_than_pages_get_a_title_and_a_closing_page() {
    let photos: Vec<PhotoInput> = (0..6).map(|n| photo(n, 4032, 3024, None)).collect();
    let book = lay_out(&photos, &options(210.0, 210.0, PageRange { min: 16, max: 60, step: 4 })).unwrap();
    assert_eq!(book.pages.len(), 16);
    assert!(book.pages[0].texts().any(|block| block.text == "山间的夏天"));
    assert!(book.pages[15].texts().any(|block| block.text == "山间的夏天\n林小满"));
    let filled = book.pages.iter().enumerate().filter(|(_, page)| page.photos().next().is_some());
    assert!(filled.clone().all(|(index, _)| index % 2 == 0), "photos stand on right-hand pages");
    assert_eq!(filled.count(), 6);
}

#[test]
fn an_airy_book_leaves_no_page_empty() {
    let photos: Vec<PhotoInput> = (0..8).map(|n| photo(n, 5500, 3100, None)).collect();
    let mut options = options(210.0, 210.0, PageRange { min: 16, max: 60, step: 4 });
    let book = lay_out(&photos, &options).unwrap();
    // the book begins across the fold where its first photo can bear it
    assert_eq!((book.pages.len(), empty_pages(&book).count()), (16, 5));
    options.density = Density::Airy;
    let book = lay_out(&photos, &options).unwrap();
    assert_eq!((book.pages.len(), empty_pages(&book).count()), (16, 0));
    assert_eq!(seen_across(&book).len(), 6);
    assert_eq!(placed(&book).len(), 8);
    // on another page size each photo is there, across the fold or whole
    for (width, height) in [(148.0, 210.0), (210.0, 297.0)] {
        let other = reflow(&book, &photos, Trim { width, height }, 0).unwrap();
        assert_eq!(placed(&other).len(), 8);
        assert!(!seen_across(&other).is_empty());
    }
    // coarse ones stay on their pages
    let coarse: Vec<PhotoInput> = (0..8).map(|n| photo(n, 1600, 900, None)).collect();
    assert!(seen_across(&lay_out(&coarse, &options).unwrap()).is_empty());
}

#[test]
fn a_part_may_begin_across_the_fold() {
    let photos: Vec<PhotoInput> = (0..36_i64)
        .map(|n| photo(n as usize, 5600, 3150, Some(n / 12 * 24 * HOUR + n % 12 * 600_000)))
        .collect();
    let mut options = options(210.0, 210.0, ANY);
    for chapters in [false, true] {
        options.chapters = chapters;
        let book = lay_out(&photos, &options).unwrap();
        let opening: Vec<&str> = seen_across(&book).iter().map(|(frame, _)| frame.photo.as_str()).collect();
        // a part that is named opens beside its name
        for part in ["photo-12", "photo-24"] {
            assert_eq!(opening.contains(&part), !chapters, "{opening:?} {chapters}");
        }
        assert_eq!(empty_pages(&book).count(), 0);
    }
}

#[test]
fn no_cover_is_coarse() {
    for (width, height) in [(640, 480), (480, 640), (1000, 750), (300, 300), (1600, 500), (3000, 2000)] {
        for cover in CoverStyle::ALL {
            let photos: Vec<PhotoInput> = (0..6).map(|number| photo(number, width, height, None)).collect();
            let mut options = options(210.0, 210.0, ANY);
            options.style.cover = cover;
            let book = lay_out(&photos, &options).unwrap();
            for frame in book.cover.photos() {
                let dpi = frame.effective_dpi(width, height);
                assert!(!is_coarse(dpi), "{cover:?} {width} × {height}: {dpi}");
            }
        }
    }
}

#[test]
fn a_photo_is_coarse_only_where_every_way_is() {
    let sizes = [(4032, 3024), (900, 1200), (640, 480), (3024, 4032), (1170, 2532), (1280, 960)];
    let photos: Vec<PhotoInput> = (0..48).map(|n| photo(n, sizes[n % 6].0, sizes[n % 6].1, None)).collect();
    for (width, height) in [(210.0, 210.0), (210.0, 297.0), (148.0, 210.0)] {
        for density in Density::ALL {
            let mut options = options(width, height, ANY);
            options.density = density;
            let book = lay_out(&photos, &options).unwrap();
            for frame in frames(&book) {
                let number: usize = frame.photo.as_str().trim_start_matches("photo-").parse().unwrap();
                let (pixels, lines) = sizes[number % 6];
                assert!(frame.effective_dpi(pixels, lines) >= LEAST_DPI - 1.0, "{density:?} {frame:?}");
            }
        }
    }
}

#[test]
fn pages_are_at_least_half_full_unless_paper_is_meant() {
    let sizes = [(4032, 3024), (3024, 4032), (4032, 3024), (12_000, 3000), (4000, 4000), (3840, 2160)];
    let photos: Vec<PhotoInput> =
        (0..90).map(|n| photo(n, sizes[(n * 7 + n / 5) % 6].0, sizes[(n * 7 + n / 5) % 6].1, None)).collect();
    for (width, height) in [(210.0, 210.0), (210.0, 297.0), (148.0, 210.0)] {
        // of an airy book paper is the point
        for density in [Density::Even, Density::Dense] {
            let mut options = options(width, height, ANY);
            options.density = density;
            let book = lay_out(&photos, &options).unwrap();
            let slight = (0..book.pages.len()).filter(|&index| {
                let page = &book.pages[index];
                let area: f64 = page.photos().map(|frame| frame.frame.width * frame.frame.height).sum();
                area < 0.4 * width * height && !is_half(&book, index)
            });
            let slight = slight.count();
            assert!(
                slight * 12 <= book.pages.len(),
                "{width}×{height} {density:?}: {slight} of {}",
                book.pages.len()
            );
        }
    }
}

#[test]
fn a_spread_has_other_ways_with_the_same_photos() {
    let photos: Vec<PhotoInput> = (0..30)
        .map(|n| photo(n, if n % 3 == 0 { 3024 } else { 5500 }, if n % 3 == 0 { 4032 } else { 3100 }, None))
        .collect();
    let book = lay_out(&photos, &options(210.0, 210.0, ANY)).unwrap();
    let shapes: HashMap<PhotoId, f64> =
        photos.iter().map(|p| (p.id.clone(), f64::from(p.width) / f64::from(p.height))).collect();
    for first in [0].into_iter().chain((1..book.pages.len()).step_by(2)) {
        let ways = spread_ways(&book, first, &photos);
        // the title and the closing page stand alone
        if book.pages[first].photos().next().is_none() {
            assert_eq!(ways, [], "{first}");
            continue;
        }
        assert!(ways.len() >= 4, "{first}: {}", ways.len());
        let mut codes: Vec<_> = ways.iter().map(|way| &way.code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), ways.len());
        let ids = |pages: &[Page]| {
            let mut ids: Vec<PhotoId> =
                pages.iter().flat_map(Page::photos).map(|frame| frame.photo.clone()).collect();
            ids.dedup();
            ids
        };
        let now = &book.pages[first..(first + ways[0].pages.len())];
        for way in &ways {
            assert_eq!(ids(&way.pages), ids(now), "{}", way.code);
            for page in &way.pages {
                assert_page(page, book.trim, &shapes, if way.code == "fold" { 0.2 } else { 0.8 });
            }
        }
    }
    assert_eq!(spread_ways(&book, 2, &photos), [], "a spread begins on the left");
}

#[test]
fn a_cover_has_six_compositions() {
    let photos: Vec<PhotoInput> = (0..24).map(|n| photo(n, 4500, 3400 + n as u32 * 40, None)).collect();
    let shapes: HashMap<PhotoId, f64> =
        photos.iter().map(|p| (p.id.clone(), f64::from(p.width) / f64::from(p.height))).collect();
    for (width, height) in [(210.0, 210.0), (210.0, 297.0), (148.0, 210.0)] {
        let mut options = options(width, height, ANY);
        for style in CoverStyle::ALL {
            options.style.cover = style;
            let book = lay_out(&photos, &options).unwrap();
            let count = book.cover.photos().count();
            let due = match style {
                CoverStyle::Words => 0..=0,
                CoverStyle::Collage => 3..=5,
                _ => 1..=1,
            };
            assert!(due.contains(&count), "{style:?} {count}");
            assert!(book.cover.texts().any(|block| block.text == "山间的夏天"), "{style:?}");
            if style != CoverStyle::Label {
                assert_page(&book.cover, book.trim, &shapes, 0.6);
            }
            let ways = cover_ways(&book, &photos);
            // a photo that lies on its side fills no upright page
            assert!(ways.len() >= if width == height { 6 } else { 5 }, "{style:?}: {}", ways.len());
            for (other, front) in ways {
                let words: Vec<&str> = front.texts().map(|block| block.text.as_str()).collect();
                assert_eq!(words, ["山间的夏天", "林小满"], "{style:?} → {other:?}");
                if other == style {
                    assert_eq!(front, book.cover, "{style:?}");
                }
            }
        }
    }
}

#[test]
fn pages_with_paper_to_spare_get_an_empty_caption() {
    let photos: Vec<PhotoInput> = (0..20).map(|n| photo(n, 4032, 3024, None)).collect();
    let mut options = options(210.0, 210.0, ANY);
    let book = lay_out(&photos, &options).unwrap();
    let inner = |book: &Document| book.pages[1..book.pages.len() - 1].to_vec();
    let pages = inner(&book);
    let captions: Vec<_> = pages.iter().flat_map(Page::texts).collect();
    assert!(captions.len() >= book.pages.len() / 2);
    assert!(captions.iter().all(|block| block.text.is_empty()));
    options.captions = Captions::None;
    assert_eq!(inner(&lay_out(&photos, &options).unwrap()).iter().flat_map(Page::texts).count(), 0);
}

#[test]
fn a_usual_page_has_eight_layouts_to_choose_from() {
    for count in 1..=MAX_PER_PAGE {
        let photos: Vec<PhotoInput> = (0..count).map(|n| photo(n, 4032, 3024, None)).collect();
        let mut book = lay_out(&photos, &options(210.0, 210.0, ANY)).unwrap();
        let whole = book.trim.with_bleed();
        let frame = |photo: &PhotoInput| PhotoFrame::new(photo.id.clone(), whole, Crop::WHOLE);
        book.pages[2].elements = photos.iter().map(frame).map(Element::Photo).collect();
        let titles: Vec<String> =
            arrangements(&book, 2, &photos).iter().map(|way| way.template.title()).collect();
        assert!(titles.len() >= 6, "{count}: {titles:?}");
    }
}

#[test]
fn chapters_name_the_days_of_their_photos() {
    // 1 May 2026, 9:00 in China, and two more parts of eight photos
    let start = 1_777_597_200_000;
    let photos: Vec<PhotoInput> = (0..24_i64)
        .map(|n| photo(n as usize, 4032, 3024, Some(start + n / 8 * 48 * HOUR + n % 8 * HOUR)))
        .collect();
    let mut options = options(210.0, 210.0, ANY);
    options.chapters = true;
    let book = lay_out(&photos, &options).unwrap();
    let chapters: Vec<usize> = (0..book.pages.len())
        .filter(|&index| book.pages[index].texts().any(|block| block.role == TextRole::Heading))
        .collect();
    let headings: Vec<&str> = chapters
        .iter()
        .filter_map(|&index| book.pages[index].texts().next())
        .map(|b| b.text.as_str())
        .collect();
    assert_eq!(headings, ["5月1日", "5月3日", "5月5日"]);
    for (part, &index) in chapters.iter().enumerate() {
        let next = book.pages[index + 1].photos().next().expect("a chapter is followed by its photos");
        assert_eq!(next.photo.as_str(), format!("photo-{}", part * 8));
        assert_eq!(book.pages[index].ground, Ground::Deep);
    }
    assert_eq!(placed(&book).len(), 24);
    // each day is a part
    let nights = LayoutOptions { parts: Parts::Days, ..options.clone() };
    let close: Vec<PhotoInput> = (0..24_i64)
        .map(|n| photo(n as usize, 4032, 3024, Some(start + 13 * HOUR + n / 3 * 4 * HOUR + n % 3)))
        .collect();
    let headings = |options: &LayoutOptions| {
        let book = lay_out(&close, options).unwrap();
        let texts: Vec<_> = book.pages.iter().flat_map(Page::texts).cloned().collect();
        texts
            .into_iter()
            .filter(|block| block.role == TextRole::Heading)
            .map(|block| block.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(headings(&options), Vec::<String>::new(), "four hours are no pause");
    assert_eq!(headings(&nights), ["5月1日", "5月2日", "5月3日"]);
    // a book of one day has none
    let one_day = lay_out(&photos[..8], &options).unwrap();
    assert!(!one_day.pages.iter().flat_map(Page::texts).any(|block| block.role == TextRole::Heading));
    // and the photos come first
    let short = LayoutOptions { pages: PageRange { min: 4, max: 4, step: 2 }, ..options };
    assert_eq!(lay_out(&photos, &short).unwrap().pages.len(), 4);
}

#[test]
fn a_caption_says_the_day_once() {
    let start = 1_777_597_200_000;
    let photos: Vec<PhotoInput> = (0..30_i64)
        .map(|n| photo(n as usize, 4032, 3024, Some(start + n / 15 * 24 * HOUR + n % 15)))
        .collect();
    let mut options = options(210.0, 210.0, ANY);
    options.captions = Captions::Dates;
    let book = lay_out(&photos, &options).unwrap();
    let said: Vec<&str> = book.pages[1..book.pages.len() - 1]
        .iter()
        .flat_map(Page::texts)
        .map(|block| block.text.as_str())
        .filter(|t| !t.is_empty())
        .collect();
    assert_eq!(said, ["2026年5月1日", "5月2日"]);
}

#[test]
fn what_a_photo_is_about_stays_in_its_frame() {
    // at the very edge of each photo, where a centred crop would cut it
    let at = |x: f64, y: f64| Crop { x, y, width: 0.1, height: 0.1 };
    let corners = [at(0.0, 0.0), at(0.9, 0.0), at(0.0, 0.9), at(0.9, 0.9)];
    let photos: Vec<PhotoInput> =
        (0..40).map(|n| PhotoInput { subject: Some(corners[n % 4]), ..photo(n, 4032, 3024, None) }).collect();
    for (width, height) in [(210.0, 210.0), (148.0, 210.0), (297.0, 210.0)] {
        let book = lay_out(&photos, &options(width, height, ANY)).unwrap();
        let pages = book.pages.iter().enumerate().filter(|(index, _)| !is_half(&book, *index));
        for frame in pages.flat_map(|(_, page)| page.photos()) {
            let number: usize = frame.photo.as_str().trim_start_matches("photo-").parse().unwrap();
            let (subject, crop) = (corners[number % 4], frame.crop);
            let inside = subject.x >= crop.x - 1e-9
                && subject.y >= crop.y - 1e-9
                && subject.x + subject.width <= crop.x + crop.width + 1e-9
                && subject.y + subject.height <= crop.y + crop.height + 1e-9;
            assert!(inside, "{frame:?}");
        }
    }
}

#[test]
fn what_cannot_be_laid_out_is_refused_with_a_reason() {
    let one = [photo(0, 4032, 3024, None)];
    assert_eq!(lay_out(&[], &options(210.0, 210.0, ANY)), Err(LayoutError::NoPhotos));
    for side in [0.0, 49.9, f64::NAN, f64::INFINITY, -210.0] {
        assert_eq!(lay_out(&one, &options(side, 210.0, ANY)), Err(LayoutError::Trim));
    }
    let flat = [photo(0, 0, 3024, None)];
    assert!(matches!(lay_out(&flat, &options(210.0, 210.0, ANY)), Err(LayoutError::EmptyPhoto(_))));
    let many: Vec<PhotoInput> = (0..190).map(|n| photo(n, 4032, 3024, None)).collect();
    let error = lay_out(&many, &options(210.0, 210.0, PageRange { min: 8, max: 20, step: 4 })).unwrap_err();
    assert_eq!(error, LayoutError::TooManyPhotos { photos: 190, fits: 180 });
    assert!(error.to_string().contains("180"));
}

#[test]
fn a_book_grows_until_every_chapter_has_its_place() {
    for (density, each, days) in Density::ALL
        .into_iter()
        .flat_map(|density| [2, 3, 5].map(|each| (density, each)))
        .flat_map(|(density, each)| [4, 10, 20].map(|days| (density, each, days)))
    {
        let photos: Vec<PhotoInput> = (0..days * each)
            .map(|n| photo(n as usize, 4000, 3000, Some(n / each * 24 * HOUR + n % each * 600_000)))
            .collect();
        let options =
            LayoutOptions { chapters: true, parts: Parts::Days, density, ..options(210.0, 210.0, ANY) };
        let book = lay_out(&photos, &options).unwrap();
        let named = book.pages.iter().flat_map(Page::texts).filter(|text| text.role == TextRole::Heading);
        assert_eq!(
            named.count() as i64,
            days,
            "{days} days of {each}, {density:?}, on {} pages",
            book.pages.len()
        );
    }
}

#[test]
fn photos_across_the_fold_stand_on_two_pages_that_are_seen_at_once() {
    let pages = PageRange { min: 8, max: 400, step: 4 };
    for (photos, density, parts) in (5..60).step_by(3).flat_map(|photos| {
        Density::ALL
            .into_iter()
            .flat_map(move |density| [Parts::Pauses, Parts::Days].map(|parts| (photos, density, parts)))
    }) {
        // seven a day, and every fourth a panorama
        let photos: Vec<PhotoInput> = (0..photos)
            .map(|number| PhotoInput {
                taken_at: Some(1_777_597_200_000 + number / 7 * 86_400_000),
                ..PhotoInput::new(
                    format!("photo-{number}").parse().unwrap(),
                    if number % 4 == 3 { 12_000 } else { 4_000 },
                    if number % 4 == 3 { 2_400 } else { 3_000 },
                )
            })
            .collect();
        let options =
            LayoutOptions { density, parts, chapters: true, ..crate::common::options(210.0, 210.0, pages) };
        let book = lay_out(&photos, &options).unwrap();
        let shown: Vec<_> = book.pages.iter().flat_map(Page::photos).map(|frame| &frame.photo).collect();
        for photo in photos.iter().filter(|it| shown.iter().filter(|shown| **shown == &it.id).count() == 2) {
            let on = |page: &Page| page.photos().any(|frame| frame.photo == photo.id);
            let left = book.pages.iter().position(on).unwrap();
            let case = format!("{} photos, {density:?}, {parts:?}: {} on {left}", photos.len(), photo.id);
            assert!(is_across(&book, left), "{case}");
        }
    }
}
