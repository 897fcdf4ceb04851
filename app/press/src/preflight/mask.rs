//! Pictures of ink or none, and how thin what is covered is.
//!
//! A line is thin where no disk as wide as the least line fits into it (a morphological opening). Corners and the ends of
//! strokes are always so; what counts is a thin part that is a few times as long as it may be wide, or stands by itself.

/// Which pixels are covered, with free ones around them.
pub(super) struct Mask {
    width: usize,
    covered: Vec<bool>,
}

/// What lies around the artwork, in pixels: wider than any width that is asked for.
const AROUND: usize = 64;

impl Mask {
    /// The part of a picture that has something on it.
    pub fn around(covered: &[bool], width: usize) -> Self {
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

    pub fn inverted(&self) -> Self {
        Self { width: self.width, covered: self.covered.iter().map(|covered| !covered).collect() }
    }

    /// How far each covered pixel is from the next free one.
    pub fn depths(&self) -> Depths<'_> {
        Depths { mask: self, squared: squared_distances(self.width, &self.covered, false) }
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

/// How far each covered pixel of a mask is from the next free one, squared, in pixels.
pub(super) struct Depths<'m> {
    mask: &'m Mask,
    squared: Vec<f64>,
}

impl Depths<'_> {
    /// Whether it has a line thinner than so many pixels, and so many times as long.
    pub fn has_thinner(&self, limit: f64, lengths: f64) -> bool {
        let mask = self.mask;
        // a line of n pixels has its middle n / 2 from the next free pixel, or half a pixel more: no line is called thin that is
        // not thinner by one
        let reach = limit / 2.0;
        let core: Vec<bool> = self.squared.iter().map(|squared| *squared >= reach * reach).collect();
        let from_core = squared_distances(mask.width, &core, true);
        // less than a pixel more: slanted edges are stairs
        let grown = (reach + 1.3).powi(2);
        let thin: Vec<bool> =
            mask.covered.iter().zip(&from_core).map(|(covered, far)| *covered && *far > grown).collect();
        mask.has_line(thin, lengths * limit)
    }

    /// The width of its thinnest line in pixels where that is less than a limit, to a twentieth of it. Nothing is told apart below
    /// [`LEAST_PX`].
    pub fn thinnest(&self, limit: f64, lengths: f64) -> Option<f64> {
        if !self.has_thinner(limit, lengths) {
            return None;
        }
        let (mut held, mut thin) = (LEAST_PX.min(limit), limit);
        while thin - held > limit / 20.0 {
            let middle = f64::midpoint(held, thin);
            if self.has_thinner(middle, lengths) { thin = middle } else { held = middle }
        }
        Some(held)
    }
}

/// Pixels that a line has at the least to be called one.
const LEAST_PX: f64 = 2.0;

/// The squared distance of every pixel to the next one that is `to`, in pixels.
///
/// Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled Functions", 2012: the lower envelope of parabolas, of
/// columns and then of rows.
pub(super) fn squared_distances(width: usize, covered: &[bool], to: bool) -> Vec<f64> {
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

    const LINE: f64 = 4.0;

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
            assert!(bar.depths().has_thinner(wide as f64 + 2.0, LINE), "{wide}");
            assert!(!bar.depths().has_thinner(wide as f64, LINE), "{wide}");
            let gap = mask(&[(20, 20, 120, 30), (20, 50 + wide, 120, 30)]).inverted();
            assert!(
                gap.depths().has_thinner(wide as f64 + 2.0, LINE)
                    && !gap.depths().has_thinner(wide as f64, LINE),
                "{wide}"
            );
        }
        // a hairline between two bold parts; their corners are none
        let joined = mask(&[(20, 20, 60, 60), (80, 49, 60, 3), (140, 20, 60, 60)]);
        assert!(joined.depths().has_thinner(6.0, LINE));
        assert!(!mask(&[(20, 20, 60, 60), (140, 20, 60, 60)]).depths().has_thinner(20.0, LINE));
        // a dot, and a hole, that are lost altogether
        assert!(mask(&[(20, 20, 60, 60), (120, 40, 5, 5)]).depths().has_thinner(8.0, LINE));
        let ring = mask(&[(20, 20, 60, 28), (20, 53, 60, 27), (20, 20, 28, 60), (53, 20, 27, 60)]);
        assert!(
            ring.inverted().depths().has_thinner(8.0, LINE)
                && !ring.inverted().depths().has_thinner(4.0, LINE)
        );
        assert!(!mask(&[]).depths().has_thinner(6.0, LINE));
    }
    #[test]
    fn the_thinnest_line_is_as_wide_as_it_is() {
        for wide in [4, 5, 6, 9, 12] {
            let bars = mask(&[(20, 20, 120, wide), (20, 80, 120, 40)]);
            let found = bars.depths().thinnest(20.0, LINE).expect("a thin line");
            assert!((found - wide as f64).abs() <= 1.5, "{wide}: {found}");
            assert_eq!(bars.depths().thinnest(wide as f64, LINE), None, "{wide}");
        }
    }
}
