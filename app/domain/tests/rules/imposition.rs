//! Saddle stitch: sheets that are folded into each other.

use domain::imposition::{Booklet, Spread};
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

#[test]
fn inner_sheets_are_pushed_out_by_those_around_them() {
    let spreads = Booklet { starts_on_cover: true, sheet_mm: 0.15 }.spreads(14).expect("three sheets");
    let creep: Vec<f64> = spreads.iter().map(|spread| spread.creep_mm).collect();
    assert_eq!(creep, [0.0, 0.0, 0.15, 0.15, 0.3, 0.3]);
    assert_eq!((spreads[0].left, spreads[0].right), (12, 1));
}
