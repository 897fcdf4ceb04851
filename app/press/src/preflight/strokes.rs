//! How thin the lines of a plate are, and how narrow what lies between them: measured on the artwork as it is drawn, whatever
//! typeface it is set in.

use domain::artwork::Artwork;
use domain::binding::{CoverSheet, CoverSides, Embellishment};
use domain::document::{Colour, Document, Element, Page, Rect};
use typst_layout::Page as Typeset;
use typst_render::RenderOptions;

use super::mask::{Mask, squared_distances};
use crate::cover::{SheetCover, View, with_front};
use crate::error::PressError;
use crate::sheet::{Sheet, check};
use crate::themes::LAYER;
use crate::world::{compile, typeset};

/// As fine as it is looked at, and how many pixels it may have: a title of 150 × 40 mm has 31 to a mm.
const FINEST_PX_PER_MM: f64 = 50.0;
const MOST_PX: f64 = 6_000_000.0;
/// What a text may stand outside its frame, in mm.
const MARGIN_MM: f64 = 3.0;
/// A thin part this many times as long as the least width is a line, and no end of a stroke: those of the house's typefaces,
/// brushes among them, are at most three times as long.
const LINE: f64 = 4.0;
/// The same of what lies between strokes: where two meet at an angle, it is narrow for up to five times.
const GAP: f64 = 5.5;
/// How much larger artwork may be asked to be.
const LARGEST: f64 = 3.0;

/// What a machine can't make of artwork.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TooFine {
    /// The thinnest of its lines, in mm, where it breaks.
    pub line: Option<f64>,
    /// The narrowest of what lies between them, in mm, where it runs together.
    pub gap: Option<f64>,
    /// So many times as large it could be made; nothing where it would still be too fine at three times.
    pub larger: Option<f64>,
}

/// Looks at one of the front's texts as it is drawn on the plate; nothing where it can be made.
pub(super) fn of_text(
    document: &Document,
    element: &Element,
    embellishment: Embellishment,
) -> Result<Option<TooFine>, PressError> {
    let (mask, px_per_mm) = drawn(document, element)?;
    Ok(too_fine(&mask, px_per_mm, embellishment))
}

/// Lines and gaps of a mask that are too fine.
pub(super) fn too_fine(mask: &Mask, px_per_mm: f64, embellishment: Embellishment) -> Option<TooFine> {
    let (least_line, least_gap) = (embellishment.least_line_mm(), embellishment.least_gap_mm());
    let thinnest = |mask: &Mask, least: f64, lengths: f64| {
        mask.depths().thinnest(least * px_per_mm, lengths).map(|found| found / px_per_mm)
    };
    let line = thinnest(mask, least_line, LINE);
    let gap = thinnest(&mask.inverted(), least_gap, GAP);
    if line.is_none() && gap.is_none() {
        return None;
    }
    // what is drawn larger is wider in the same measure
    let larger = line.map_or(1.0, |line| least_line / line).max(gap.map_or(1.0, |gap| least_gap / gap));
    Some(TooFine { line, gap, larger: Some(larger).filter(|larger| *larger <= LARGEST) })
}

/// The text alone, upright, as ink or none.
fn drawn(document: &Document, element: &Element) -> Result<(Mask, f64), PressError> {
    let mut element = element.clone();
    element.common_mut().rotation = 0.0;
    let frame = element.frame();
    let area = Rect {
        x: frame.x - MARGIN_MM,
        y: frame.y - MARGIN_MM,
        width: frame.width + 2.0 * MARGIN_MM,
        height: frame.height + 2.0 * MARGIN_MM,
    };
    let side = Page { elements: vec![element], ..document.cover.clone() };
    check(document, [&side])?;
    let mut sheet = Sheet::new(document, [&side], |_| Ok::<_, PressError>(None))?;
    sheet.layer = Some(area);
    let typeset = compile(LAYER, &sheet, Vec::new())?;
    let page =
        typeset.pages().first().ok_or_else(|| PressError::Typesetting("no layer came out".to_owned()))?;
    let px_per_mm = (MOST_PX / (area.width * area.height)).sqrt().min(FINEST_PX_PER_MM);
    let (covered, width) = inked(page, area.width * px_per_mm);
    Ok((Mask::around(&covered, width), px_per_mm))
}

/// Which pixels of a page have something on them, row by row, and how many a row has: about so many.
fn inked(page: &Typeset, width_px: f64) -> (Vec<bool>, usize) {
    let pixel_per_pt = width_px / page.frame.width().to_pt();
    let options = RenderOptions { pixel_per_pt: pixel_per_pt.into(), render_bleed: false };
    let pixmap = typst_render::render(page, &options);
    (pixmap.pixels().iter().map(|pixel| pixel.alpha() >= 128).collect(), pixmap.width() as usize)
}

/// How near an ornament may come to words, in mm: a die lies within half a millimetre of its place, and print does.
pub(super) const CLEAR_MM: f64 = 1.0;
/// As fine as that is looked at.
const COARSE_PX_PER_MM: f64 = 6.0;

/// Whether the ornament comes too near to words of the front, be they on its plate or in ink.
pub(super) fn ornament_meets_words(document: &Document, cover: &CoverSheet) -> Result<bool, PressError> {
    let Some(ornament) = cover.artwork.ornament() else { return Ok(false) };
    if cover.cloth.is_some() && !cover.artwork.has_words() {
        // there are none
        return Ok(false);
    }
    let alone = CoverSheet { artwork: Artwork::Ornament(ornament), cloth: None, ..*cover };
    // on cloth all words are on the plate
    let words = CoverSheet { artwork: Artwork::Title, cloth: Some(Colour([0; 3])), ..*cover };
    if words.plated(&document.cover).is_empty() {
        return Ok(false);
    }
    let (ornament, width) = front_plate(document, &alone, COARSE_PX_PER_MM)?;
    let (words, _) = front_plate(document, &words, COARSE_PX_PER_MM)?;
    let near = (CLEAR_MM * COARSE_PX_PER_MM).powi(2);
    let from_words = squared_distances(width, &words, true);
    Ok(ornament.iter().zip(&from_words).any(|(covered, far)| *covered && *far < near))
}

/// The front's part of a cover's plate, as [`inked`] says it.
fn front_plate(
    document: &Document,
    cover: &CoverSheet,
    px_per_mm: f64,
) -> Result<(Vec<bool>, usize), PressError> {
    let sides = match cover.sides {
        leaves @ CoverSides::Leaves(_) => leaves,
        // what stands inside is on no plate
        _ => CoverSides::Outside,
    };
    let cover = &CoverSheet { sides, ..*cover };
    let document = with_front(document, cover);
    check(&document, [&document.cover])?;
    let mut sheet = Sheet::new(&document, [&document.cover], |_| Ok::<_, PressError>(None))?;
    sheet.cover = Some(SheetCover::of(&document, cover, View::Print));
    let set = typeset(&sheet, Vec::new())?;
    let plate = set.pages().last().ok_or_else(|| PressError::Typesetting("no plate came out".to_owned()))?;
    let (covered, width) = inked(plate, cover.seen().width * px_per_mm);
    let left = ((cover.front_mm() * px_per_mm).round() as usize).min(width.saturating_sub(1));
    let front = covered.chunks_exact(width).flat_map(|row| &row[left..]).copied().collect();
    Ok((front, width - left))
}

#[cfg(test)]
mod tests {
    use domain::binding::{CoverMake, Leaves};
    use domain::document::Trim;
    use domain::ornament::Ornament;

    use super::*;

    /// On the smallest front that is offered them, and on larger ones of other shapes.
    #[test]
    fn every_ornament_holds_as_each_craft() {
        let crafts = [Embellishment::Foil, Embellishment::SpotVarnish, Embellishment::Emboss];
        let least = Ornament::LEAST_SIDE_MM;
        for (width, height) in [(least, least), (148.0, 210.0), (254.0, 180.0)] {
            let trim = Trim { width, height };
            let document = serde_json::json!({
                "trim": trim, "theme": "calm", "title": "无", "cover": { "elements": [] }, "pages": [],
            });
            let document: Document = serde_json::from_value(document).expect("a document");
            for ornament in Ornament::OF_PLATES {
                let cover = CoverSheet {
                    embellishment: Some(Embellishment::Foil),
                    artwork: Artwork::Ornament(ornament),
                    ..CoverSheet::of(CoverMake::Leaves(Leaves::default()), trim, 0.0, 0.6, false)
                };
                let px_per_mm = 20.0;
                let (covered, across) = front_plate(&document, &cover, px_per_mm).expect("a plate");
                let mask = Mask::around(&covered, across);
                for craft in crafts {
                    let found = too_fine(&mask, px_per_mm, craft);
                    assert_eq!(found, None, "{ornament:?} {craft:?} {width} × {height}");
                }
            }
        }
    }
}
