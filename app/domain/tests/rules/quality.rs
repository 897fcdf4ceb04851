//! Which photos are weak, and what becomes of them.

use domain::document::{Document, Trim};
use domain::layout::{CoverStyle, Density, LayoutOptions, PageRange, PhotoInput, is_across, lay_out};
use domain::quality::{Flaw, Quality, Shot, Standing, counted, flaw, standings};
use proptest::prelude::*;

const PAGE: Trim = Trim { width: 210.0, height: 210.0 };

/// A good photo of a camera.
const GOOD: Quality = Quality {
    blur: Some(0.2),
    shadows: 0.05,
    highlights: 0.01,
    darkest: 4,
    lightest: 250,
    flat: 0.2,
    drawn: 0.01,
    tone: None,
};

fn shot(quality: Quality) -> Shot<'static> {
    Shot {
        file_name: "DSC_0001.JPG",
        is_png: false,
        has_camera: true,
        width: 4000,
        height: 3000,
        quality: Some(quality),
    }
}

#[test]
fn what_is_weak_is_named() {
    let screen = |file_name: &'static str, is_png: bool, quality: Quality| Shot {
        file_name,
        is_png,
        has_camera: false,
        width: 1080,
        height: 2400,
        quality: Some(quality),
    };
    let letters = Quality { flat: 0.4, drawn: 0.25, ..GOOD };
    let table = [
        ("good", shot(GOOD), None),
        ("nobody looked", Shot { quality: None, ..shot(GOOD) }, None),
        ("blurred", shot(Quality { blur: Some(0.7), ..GOOD }), Some(Flaw::Blurred)),
        ("soft", shot(Quality { blur: Some(0.56), ..GOOD }), Some(Flaw::Soft)),
        ("no edges", shot(Quality { blur: None, ..GOOD }), None),
        ("fog", shot(Quality { blur: Some(0.7), darkest: 170, lightest: 215, ..GOOD }), None),
        ("night", shot(Quality { blur: Some(0.1), shadows: 0.95, lightest: 215, ..GOOD }), None),
        ("too dark", shot(Quality { shadows: 0.7, lightest: 50, ..GOOD }), Some(Flaw::Dark)),
        ("black", shot(Quality { shadows: 1.0, lightest: 12, ..GOOD }), Some(Flaw::Black)),
        (
            "too light",
            shot(Quality { highlights: 0.5, darkest: 190, lightest: 255, ..GOOD }),
            Some(Flaw::Light),
        ),
        ("white", shot(Quality { highlights: 1.0, darkest: 252, lightest: 255, ..GOOD }), Some(Flaw::White)),
        ("on white", shot(Quality { highlights: 0.7, lightest: 255, flat: 0.7, ..GOOD }), None),
        // a quarter of a page of 216 mm is 425 pixels at 200 dpi
        ("tiny", Shot { width: 424, height: 320, ..shot(GOOD) }, Some(Flaw::Tiny)),
        ("small", Shot { width: 426, height: 320, ..shot(GOOD) }, None),
        ("a panorama", Shot { width: 9000, height: 1600, ..shot(GOOD) }, None),
        ("of a phone", screen("IMG_2.PNG", true, letters), Some(Flaw::Screenshot)),
        ("a feed", screen("a.png", true, Quality { flat: 0.3, drawn: 0.03, ..GOOD }), Some(Flaw::Screenshot)),
        ("named", screen("截屏2024-05-01 12.00.00.jpg", false, GOOD), Some(Flaw::Screenshot)),
        ("named so by a person", Shot { file_name: "截屏.jpg", ..shot(GOOD) }, None),
        ("through a messenger", screen("mmexport1700000000000.jpg", false, letters), Some(Flaw::Slip)),
        ("a photo as tall as a phone", screen("mmexport1700000000000.jpg", false, GOOD), None),
        ("a receipt", Shot { width: 700, height: 2600, ..screen("a.jpg", false, letters) }, Some(Flaw::Slip)),
        (
            "a scanned letter",
            Shot { width: 1654, height: 2339, has_camera: false, ..shot(letters) },
            Some(Flaw::Paper),
        ),
        ("a letter in a photo", shot(letters), Some(Flaw::Paper)),
        (
            "a drawing",
            Shot { has_camera: false, ..shot(Quality { flat: 0.6, drawn: 0.05, ..GOOD }) },
            Some(Flaw::Paper),
        ),
        ("masts before the sky", shot(Quality { flat: 0.45, drawn: 0.08, ..GOOD }), None),
        ("sky behind branches", shot(Quality { flat: 0.5, drawn: 0.03, ..GOOD }), None),
    ];
    for (what, shot, expected) in table {
        assert_eq!(flaw(&shot, PAGE), expected, "{what}");
    }
    let small = Shot { width: 600, height: 450, ..shot(GOOD) };
    assert_eq!(flaw(&small, Trim { width: 297.0, height: 210.0 }), None);
    assert_eq!(flaw(&small, Trim { width: 420.0, height: 297.0 }), Some(Flaw::Tiny), "the page counts");
}

#[test]
fn at_least_half_of_the_photos_are_in_the_book() {
    use Standing::{Full, Out, Small};
    let (blurred, screen) = (Some(Flaw::Blurred), Some(Flaw::Screenshot));
    let of = |flaws: &[Option<Flaw>]| standings(&flaws.iter().map(|flaw| (*flaw, false)).collect::<Vec<_>>());
    assert_eq!(of(&[None, None, blurred, screen]), [Full, Full, Out, Out]);
    assert_eq!(of(&[None, blurred]), [Full, Out]);
    assert_eq!(of(&[None, blurred, blurred]), [Full, Small, Small], "three photos, two of them blurred");
    assert_eq!(of(&[blurred; 3]), [Small; 3], "all blurred");
    assert_eq!(of(&[screen; 3]), [Full; 3], "all screens");
    assert_eq!(of(&[screen, screen, blurred]), [Full, Full, Out]);
    assert_eq!(of(&[Some(Flaw::Paper); 4]), [Full; 4], "a book of drawings");
    assert_eq!(of(&[None, Some(Flaw::Paper)]), [Full, Small]);
    assert_eq!(standings(&[(None, false), (blurred, true)]), [Full, Small], "taken back");
    assert_eq!(of(&[]), []);
    let flaws = [Flaw::Screenshot, Flaw::Blurred, Flaw::Blurred];
    assert_eq!(counted(&flaws), "2 张模糊，1 张是截屏");
}

fn flaws() -> impl Strategy<Value = Option<Flaw>> {
    let known = [
        Flaw::Blurred,
        Flaw::Tiny,
        Flaw::Black,
        Flaw::White,
        Flaw::Screenshot,
        Flaw::Slip,
        Flaw::Soft,
        Flaw::Dark,
        Flaw::Light,
        Flaw::Paper,
    ];
    prop_oneof![Just(None), prop::sample::select(known.to_vec()).prop_map(Some)]
}

proptest! {
    #[test]
    fn no_blurred_photo_is_large_and_no_good_or_wanted_one_is_out(
        photos in prop::collection::vec((flaws(), any::<bool>()), 0..30),
    ) {
        let standings = standings(&photos);
        let out = standings.iter().filter(|standing| **standing == Standing::Out).count();
        prop_assert!(out * 2 <= photos.len());
        for ((flaw, wanted), standing) in photos.iter().zip(&standings) {
            match standing {
                Standing::Out => prop_assert!(!wanted && flaw.is_some_and(Flaw::leaves_out)),
                Standing::Small => prop_assert!(flaw.is_some()),
                Standing::Full => prop_assert!(!matches!(flaw, Some(Flaw::Blurred | Flaw::Soft | Flaw::Tiny))),
            }
        }
    }
}

/// The frames of a photo in a book, its cover among them, as width and height on the page in mm.
fn frames(book: &Document, id: &str) -> Vec<(f64, f64)> {
    let pages = book.pages.iter().chain([&book.cover]);
    let of = pages.flat_map(|page| page.photos()).filter(|frame| frame.photo.as_str() == id);
    of.map(|frame| (frame.frame.width, frame.frame.height)).collect()
}

#[test]
fn what_is_kept_small_never_fills_a_page() {
    let photo = |number: usize, (width, height): (u32, u32)| PhotoInput {
        taken_at: Some(
            1_777_597_200_000 + number as i64 * 3_600_000 * if number.is_multiple_of(6) { 30 } else { 1 },
        ),
        ..PhotoInput::new(format!("p{number:02}").parse().unwrap(), width, height)
    };
    let shapes = [(6000, 4000), (4000, 6000), (9000, 3000), (4000, 4000)];
    for (width, height) in [(210.0, 210.0), (210.0, 297.0), (148.0, 210.0), (280.0, 210.0)] {
        let trim = Trim { width, height };
        for density in Density::ALL {
            for cover in CoverStyle::ALL {
                for every in [1, 3, 5] {
                    let photos: Vec<PhotoInput> = (0..15)
                        .map(|number| {
                            let photo = photo(number, shapes[(number / 2) % 4]);
                            if number % every == 0 { photo.kept_small(trim) } else { photo }
                        })
                        .collect();
                    let mut options = LayoutOptions {
                        density,
                        ..crate::common::options(width, height, PageRange { min: 8, max: 200, step: 2 })
                    };
                    // all of them weak: whoever asks takes the cover that keeps to the pixels
                    options.style.cover = if every == 1 { CoverStyle::Framed } else { cover };
                    let book = lay_out(&photos, &options).unwrap();
                    for number in (0..15).step_by(every) {
                        let frames = frames(&book, &format!("p{number:02}"));
                        assert!(!frames.is_empty(), "it is in the book");
                        for (wide, tall) in frames {
                            let longest = width.min(height) * 0.46;
                            assert!(
                                wide.max(tall) <= longest,
                                "{wide} × {tall} on {width} × {height}, {density:?} {cover:?}"
                            );
                        }
                    }
                    let across = |left: usize| {
                        book.pages[left]
                            .photos()
                            .all(|frame| frame.photo.as_str()[1..].parse::<usize>().unwrap() % every != 0)
                    };
                    assert!((1..book.pages.len() - 1).filter(|left| is_across(&book, *left)).all(across));
                }
            }
        }
    }
}
