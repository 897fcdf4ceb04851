//! How thin the lines of a plate are, and how narrow what lies between them: measured on the artwork as it is drawn, whatever
//! typeface it is set in.
//!
//! A line is thin where no disk as wide as the least line fits into it (a morphological opening). Corners and the ends of
//! strokes are always so; what counts is a thin part that is a few times as long as it may be wide, or stands by itself.

use domain::binding::Embellishment;
use domain::document::{Document, Element, Page, Rect};
use typst_render::RenderOptions;

use crate::error::PressError;
use crate::sheet::{Sheet, check};
use crate::themes::LAYER;
use crate::world::compile;

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
/// How much larger artwork may be asked to be, each tried in turn.
const LARGER: [f64; 5] = [1.2, 1.5, 2.0, 2.5, 3.0];

/// What a machine can't make of artwork.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TooFine {
    /// Its lines break.
    pub lines: bool,
    /// What lies between them runs together.
    pub gaps: bool,
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
    let (line, gap) = (embellishment.least_line_mm() * px_per_mm, embellishment.least_gap_mm() * px_per_mm);
    let ground = mask.inverted();
    let (lines, gaps) = (mask.has_thinner(line, LINE), ground.has_thinner(gap, GAP));
    if !lines && !gaps {
        return Ok(None);
    }
    let holds =
        |larger: &f64| !mask.has_thinner(line / larger, LINE) && !ground.has_thinner(gap / larger, GAP);
    Ok(Some(TooFine { lines, gaps, larger: LARGER.into_iter().find(holds) }))
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
    let pixel_per_pt = area.width * px_per_mm / page.frame.width().to_pt();
    let options = RenderOptions { pixel_per_pt: pixel_per_pt.into(), render_bleed: false };
    let pixmap = typst_render::render(page, &options);
    let covered: Vec<bool> = pixmap.pixels().iter().map(|pixel| pixel.alpha() >= 128).collect();
    Ok((Mask::around(&covered, pixmap.width() as usize), px_per_mm))
}

/// Which pixels are covered, with free ones around them.
struct Mask {
    width: usize,
    covered: Vec<bool>,
}

/// What lies around the artwork, in pixels: wider than any width that is asked for.
const AROUND: usize = 64;

impl Mask {
    /// The part of a picture that has something on it.
    fn around(covered: &[bool], width: usize) -> Self {
        let mut seen = covered.iter().enumerate().filter(|(_, covered)| **covered).map(|(at, _)| at);
        let Some(first) = seen.next() else { return Self { width: 1, covered: vec![false] } };
        let (mut left, mut right, mut bottom) = (first % width, first % width, first / width);
        let top = first / width;
        for at in seen {
            left = left.min(at % width);
            right = right.max(at % width);
            bottom = at / width;
        }
        let (wide, high) = (right - left + 1 + 2 * AROUND, bottom - top + 1 + 2 * AROUND);
        let mut part = vec![false; wide * high];
        for (row, line) in covered.chunks_exact(width).skip(top).take(bottom - top + 1).enumerate() {
            let to = (row + AROUND) * wide + AROUND;
            part[to..to + right - left + 1].copy_from_slice(&line[left..=right]);
        }
        Self { width: wide, covered: part }
    }

    fn inverted(&self) -> Self {
        Self { width: self.width, covered: self.covered.iter().map(|covered| !covered).collect() }
    }

    /// Whether it has a line thinner than so many pixels, and so many times as long.
    fn has_thinner(&self, limit: f64, lengths: f64) -> bool {
        // a line of n pixels has its middle n / 2 from the next free pixel, or half a pixel more: no line is called thin that is
        // not thinner by one
        let reach = limit / 2.0;
        let depth = squared_distances(self.width, &self.covered, false);
        let core: Vec<bool> = depth.iter().map(|squared| *squared >= reach * reach).collect();
        let from_core = squared_distances(self.width, &core, true);
        // less than a pixel more: slanted edges are stairs
        let grown = (reach + 1.3).powi(2);
        let thin: Vec<bool> =
            self.covered.iter().zip(&from_core).map(|(covered, far)| *covered && *far > grown).collect();
        self.has_line(thin, lengths * limit)
    }

    /// Whether a connected part is as long as a line, or all that there is at its place.
    fn has_line(&self, mut thin: Vec<bool>, least: f64) -> bool {
        let mut waiting = Vec::new();
        for start in 0..thin.len() {
            if !std::mem::take(&mut thin[start]) {
                continue;
            }
            waiting.push(start);
            let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
            let (mut count, mut stands_alone) = (0, true);
            let mut reached = Vec::new();
            while let Some(at) = waiting.pop() {
                let (x, y) = (at % self.width, at / self.width);
                (left, right) = (left.min(x), right.max(x));
                (top, bottom) = (top.min(y), bottom.max(y));
                count += 1;
                reached.push(at);
                for next in self.beside(at) {
                    if std::mem::take(&mut thin[next]) {
                        waiting.push(next);
                    }
                }
            }
            let long = ((right - left + 1) as f64).hypot((bottom - top + 1) as f64);
            if long >= least {
                return true;
            }
            reached.sort_unstable();
            for at in &reached {
                let more =
                    self.beside(*at).any(|next| self.covered[next] && reached.binary_search(&next).is_err());
                stands_alone &= !more;
            }
            // a speck of the edge of a pixel is none
            if stands_alone && count >= 4 {
                return true;
            }
        }
        false
    }

    fn beside(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, length) = (self.width, self.covered.len());
        let x = at % width;
        let sides = [
            (x > 0).then(|| at - 1),
            (x + 1 < width).then_some(at + 1),
            at.checked_sub(width),
            Some(at + width).filter(|at| *at < length),
        ];
        sides.into_iter().flatten()
    }
}

/// The squared distance of every pixel to the next one that is `to`, in pixels.
///
/// Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled Functions", 2012: the lower envelope of parabolas, of
/// columns and then of rows.
fn squared_distances(width: usize, covered: &[bool], to: bool) -> Vec<f64> {
    const FAR: f64 = 1e12;
    let height = covered.len() / width;
    let mut squared: Vec<f64> =
        covered.iter().map(|covered| if *covered == to { 0.0 } else { FAR }).collect();
    let mut envelope = Envelope::default();
    let mut column = vec![0.0; height];
    for x in 0..width {
        for (y, value) in column.iter_mut().enumerate() {
            *value = squared[y * width + x];
        }
        envelope.transform(&mut column);
        for (y, value) in column.iter().enumerate() {
            squared[y * width + x] = *value;
        }
    }
    for row in squared.chunks_exact_mut(width) {
        envelope.transform(row);
    }
    squared
}

/// Room for one line at a time.
#[derive(Default)]
struct Envelope {
    /// Where the parabolas stand, and from where on each is the lowest.
    stands: Vec<(usize, f64)>,
    values: Vec<f64>,
}

impl Envelope {
    fn transform(&mut self, line: &mut [f64]) {
        self.stands.clear();
        self.values.clear();
        self.values.extend_from_slice(line);
        for (at, value) in self.values.iter().enumerate() {
            let mut from = f64::NEG_INFINITY;
            while let Some((before, its_from)) = self.stands.last() {
                let (q, p) = (at as f64, *before as f64);
                from = ((value + q * q) - (self.values[*before] + p * p)) / (2.0 * (q - p));
                if from > *its_from {
                    break;
                }
                self.stands.pop();
                from = f64::NEG_INFINITY;
            }
            self.stands.push((at, from));
        }
        let mut lowest = 0;
        for (at, value) in line.iter_mut().enumerate() {
            while self.stands.get(lowest + 1).is_some_and(|(_, from)| *from < at as f64) {
                lowest += 1;
            }
            let (stands, _) = self.stands[lowest];
            let far = at as f64 - stands as f64;
            *value = far * far + self.values[stands];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field with bars: left, top, width, height.
    fn mask(bars: &[(usize, usize, usize, usize)]) -> Mask {
        let (width, height) = (300, 200);
        let mut covered = vec![false; width * height];
        for (left, top, wide, high) in bars {
            for y in *top..top + high {
                covered[y * width + left..y * width + left + wide].fill(true);
            }
        }
        Mask::around(&covered, width)
    }

    #[test]
    fn distances_are_those_to_the_nearest() {
        let (width, height) = (23_usize, 17_usize);
        let covered: Vec<bool> = (0..width * height).map(|at| !(at * 7919 % 31).is_multiple_of(13)).collect();
        let found = squared_distances(width, &covered, false);
        for (at, found) in found.iter().enumerate() {
            let (x, y) = ((at % width) as f64, (at / width) as f64);
            let free = covered.iter().enumerate().filter(|(_, covered)| !**covered);
            let nearest = free
                .map(|(at, _)| ((at % width) as f64 - x).powi(2) + ((at / width) as f64 - y).powi(2))
                .fold(f64::INFINITY, f64::min);
            assert_eq!(*found, nearest, "{at}");
        }
    }

    #[test]
    fn a_line_is_thin_where_no_disk_of_the_least_width_fits() {
        for wide in [4, 5, 6, 9, 12] {
            let bar = mask(&[(20, 20, 120, wide)]);
            assert!(bar.has_thinner(wide as f64 + 2.0, LINE), "{wide}");
            assert!(!bar.has_thinner(wide as f64, LINE), "{wide}");
            let gap = mask(&[(20, 20, 120, 30), (20, 50 + wide, 120, 30)]).inverted();
            assert!(
                gap.has_thinner(wide as f64 + 2.0, LINE) && !gap.has_thinner(wide as f64, LINE),
                "{wide}"
            );
        }
        // a hairline between two bold parts; their corners are none
        let joined = mask(&[(20, 20, 60, 60), (80, 49, 60, 3), (140, 20, 60, 60)]);
        assert!(joined.has_thinner(6.0, LINE));
        assert!(!mask(&[(20, 20, 60, 60), (140, 20, 60, 60)]).has_thinner(20.0, LINE));
        // a dot, and a hole, that are lost altogether
        assert!(mask(&[(20, 20, 60, 60), (120, 40, 5, 5)]).has_thinner(8.0, LINE));
        let ring = mask(&[(20, 20, 60, 28), (20, 53, 60, 27), (20, 20, 28, 60), (53, 20, 27, 60)]);
        assert!(ring.inverted().has_thinner(8.0, LINE) && !ring.inverted().has_thinner(4.0, LINE));
        assert!(!mask(&[]).has_thinner(6.0, LINE));
    }
}
