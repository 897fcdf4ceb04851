//! How the pages of a saddle-stitched book lie on the sheets that are folded into each other, and into which sections those of
//! a sewn one are folded.

use serde::{Deserialize, Serialize};

/// A saddle-stitched book (骑马钉): folded sheets of four pages each, one in the other, held by wire in the fold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Booklet {
    /// Whether the first and the last page are printed inside the cover and not on sheets of their own.
    pub starts_on_cover: bool,
    /// Thickness of one sheet in mm.
    pub sheet_mm: f64,
}

/// One side of an open sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The page on the left, counted from 0.
    pub left: usize,
    /// The page on the right, counted from 0.
    pub right: usize,
    /// How far the sheets around push this one out of the fold, in mm: its pages move towards the fold by as much, so
    /// that one cut through all of them meets each where it ends (creep).
    pub creep_mm: f64,
}

impl Booklet {
    /// The sides of the inner sheets as they are printed: front and back of each sheet, the outermost first. The cover
    /// around them is a sheet of its own. `None` where the pages do not fill sheets (specification section 4: a multiple
    /// of 4, apart from two pages on the cover).
    pub fn spreads(self, pages: usize) -> Option<Vec<Spread>> {
        let on_cover = usize::from(self.starts_on_cover);
        let on_sheets = pages.checked_sub(2 * on_cover)?;
        if on_sheets == 0 || !on_sheets.is_multiple_of(4) {
            return None;
        }
        let last = pages - 1;
        let sheets = (0..on_sheets / 4).flat_map(|sheet| {
            let outer = on_cover + 2 * sheet;
            let creep_mm = self.sheet_mm * sheet as f64;
            [
                Spread { left: last - outer, right: outer, creep_mm },
                Spread { left: outer + 1, right: last - outer - 1, creep_mm },
            ]
        });
        Some(sheets.collect())
    }
}

/// Pages that a folded sheet has.
pub const SHEET_PAGES: u32 = 4;

/// How many pages a sewn book has once its last sheet is whole: what is missing is blank, at its end.
pub fn whole_sheets(pages: u32) -> u32 {
    pages.div_ceil(SHEET_PAGES).saturating_mul(SHEET_PAGES)
}

/// The sections (书帖) of a sewn book, by their pages from its first on: folded sheets in each other, sewn through their fold.
/// `most` is what one has at most. All are as even as whole sheets let them be, so that no single sheet hangs by its thread at
/// the end; the thicker ones come first.
pub fn sections(pages: u32, most: u32) -> Vec<u32> {
    let sheets = whole_sheets(pages) / SHEET_PAGES;
    let count = sheets.div_ceil((most / SHEET_PAGES).max(1));
    let thicker = sheets.checked_rem(count).unwrap_or(0);
    (0..count).map(|at| (sheets / count + u32::from(at < thicker)) * SHEET_PAGES).collect()
}
