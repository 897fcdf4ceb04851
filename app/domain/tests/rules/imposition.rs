//! Saddle stitch: sheets that are folded into each other. Sewn books: sections of such sheets.

use domain::imposition::{Booklet, Spread, sections, whole_sheets};
use proptest::prelude::*;

/// Folds the sheets into each other and turns the pages.
fn folded(sheets: &[Spread]) -> Vec<usize> {
    let mut pages = Vec::new();
    // from the middle outwards each sheet lies around what is there
    for sheet in sheets.chunks(2).rev() {
        let [front, back] = sheet else { panic!("a sheet has two sides") };
        pages.splice(0..0, [front.right, back.left]);
        pages.extend([back.right, front.left]);
    }
    pages
}

proptest! {
    #[test]
    fn folded_sheets_are_the_book(sheets in 1..40_usize, starts_on_cover: bool) {
        let on_cover = usize::from(starts_on_cover);
        let pages = 4 * sheets + 2 * on_cover;
        let spreads = Booklet { starts_on_cover, sheet_mm: 0.2 }.spreads(pages).expect("they fill sheets");
        prop_assert_eq!(folded(&spreads), (on_cover..pages - on_cover).collect::<Vec<_>>());
    }

    #[test]
    fn pages_that_do_not_fill_sheets_are_refused(pages in 0..100_usize, starts_on_cover: bool) {
        let on_sheets = pages as i64 - if starts_on_cover { 2 } else { 0 };
        let fills = on_sheets > 0 && on_sheets % 4 == 0;
        prop_assert_eq!(Booklet { starts_on_cover, sheet_mm: 0.2 }.spreads(pages).is_some(), fills);
    }
}

proptest! {
    #[test]
    fn sections_are_whole_sheets_and_nearly_even(pages in 1..1000_u32, sheets in 1..17_u32) {
        let sections = sections(pages, 4 * sheets);
        let sum: u32 = sections.iter().sum();
        prop_assert!(sum == whole_sheets(pages) && sum >= pages && sum - pages < 4);
        let (most, least) = (sections.iter().max().unwrap(), sections.iter().min().unwrap());
        prop_assert!(*most <= 4 * sheets && most - least <= 4 && sections.iter().all(|pages| pages % 4 == 0));
        prop_assert!(sections.is_sorted_by(|one, next| one >= next));
        // no more threads than it needs
        prop_assert_eq!(sections.len() as u32, (sum / 4).div_ceil(sheets));
    }
}

#[test]
fn the_last_section_is_no_single_sheet() {
    for (pages, expected) in [
        (40, vec![16, 12, 12]),
        (42, vec![16, 16, 12]),
        (48, vec![16; 3]),
        (50, vec![16, 12, 12, 12]),
        (64, vec![16; 4]),
        (66, vec![16, 16, 12, 12, 12]),
    ] {
        assert_eq!(sections(pages, 16), expected, "{pages}");
    }
    assert!(sections(0, 16).is_empty());
}

#[test]
fn inner_sheets_are_pushed_out_by_those_around_them() {
    let spreads = Booklet { starts_on_cover: true, sheet_mm: 0.15 }.spreads(14).expect("three sheets");
    let creep: Vec<f64> = spreads.iter().map(|spread| spread.creep_mm).collect();
    assert_eq!(creep, [0.0, 0.0, 0.15, 0.15, 0.3, 0.3]);
    assert_eq!((spreads[0].left, spreads[0].right), (12, 1));
}
