//! The die line 刀线: where a cover is cut, folded and creased, in a spot colour of its own that prints over everything and
//! stands in no ink of the picture.

use std::io::Write;

use domain::binding::CoverSheet;
use lopdf::{Document, ObjectId};

use crate::error::PressError;
use crate::print::spot::{Spot, paint_over};

/// The spot colour, as shops know it; screens show it magenta.
const DIE: Spot = Spot { name: "刀线", inks: [0, 100, 0, 0] };
/// The width of its lines, in pt.
const WIDTH_PT: f64 = 0.5;
/// Creases and folds are dashed.
const DASHES: &str = "[6 3] 0 d";

fn pt(mm: f64) -> f64 {
    mm * 72.0 / 25.4
}

/// Draws the lines of a cover over one of its pages.
pub(super) fn draw(pdf: &mut Document, page: ObjectId, cover: &CoverSheet) -> Result<(), PressError> {
    let mut lines = Vec::new();
    writeln!(lines, "{WIDTH_PT} w")?;
    let around = pt(cover.around_mm);
    let seen = cover.seen();
    let (width, height) = (pt(seen.width), pt(seen.height));
    // the knife: around the turn-in of a case, else where the bleed begins
    let (near, wide, high) = if cover.is_case() {
        let half = WIDTH_PT / 2.0;
        (half, width + 2.0 * around - WIDTH_PT, height + 2.0 * around - WIDTH_PT)
    } else {
        (around, width, height)
    };
    writeln!(lines, "[] 0 d {near:.3} {near:.3} {wide:.3} {high:.3} re S")?;
    writeln!(lines, "{DASHES}")?;
    if cover.is_case() {
        // around the boards the sheet is turned in
        writeln!(lines, "{around:.3} {around:.3} {width:.3} {height:.3} re S")?;
    }
    for fold in cover.folds() {
        let x = around + pt(fold);
        writeln!(lines, "{x:.3} 0 m {x:.3} {:.3} l S", height + 2.0 * around)?;
    }
    paint_over(pdf, page, &DIE, None, lines)
}
