//! How good a picture is for print, in measures: how sharp its sharpest parts are, how light and dark it is, and how much of it
//! is drawn and not photographed. What follows from them is decided in `domain::quality`.

use domain::quality::Quality;
use domain::tone::Tone;
use fast_image_resize::Resizer;
use palette::{FromColor, Lab, Srgb};

use super::decode::{Channels, Pixels, read_derivative};
use super::look::{LEVEL, fine_luma, luma};
use super::transform::resize;

/// The long side of the picture in which blur and light are measured, in pixels. On a page of A4 across, a pixel of it is half a
/// millimetre: what is smaller is hardly seen there, and grain and compression are gone.
const LONG_SIDE: u32 = 640;
/// About how wide and high the parts are that are looked at for sharpness, in pixels of that picture.
const PART: usize = 64;
/// Which of the parts counts, the sharpest first, from 0: a stamped date must not make a blurred photo sharp, and a flower
/// before a soft ground has a few.
const COUNTS: usize = 2;
/// The least slope of a part, in grey levels a pixel, on average: fog, a wall and the sky say nothing of sharpness. And the
/// least as a share of the [`COUNTS`]th steepest part's: grain in the shadows says nothing, either.
const LEAST_SLOPE: f64 = 1.0;
const LEAST_OF_STEEPEST: f64 = 0.3;
/// A direction counts in a part where its slope is at least this, and such a share of the steepest one's.
const LEAST_ALONG: f64 = 0.35;
const LEAST_SHARE: f64 = 0.1;
/// The directions in which a photo is blurred once more, as steps in x and y, and over how many pixels: about as far each.
const DIRECTIONS: [(usize, isize, usize); 4] = [(1, 0, 9), (0, 1, 9), (1, 1, 7), (1, -1, 7)];

/// Up to this level something prints as black, and from that one on as paper, of 255.
const SHADOW: u16 = 20;
const HIGHLIGHT: u16 = 250;

/// How wide and high the squares are that are looked at for what is drawn, in pixels of the picture of 1280: a few letters.
const SQUARE: usize = 32;
/// Levels around a ground's own in which it is one colour: what compression leaves.
const GROUND: usize = 6;
/// Levels from which on something stands out from its ground.
const STANDS_OUT: u8 = 60;

/// The measures of an upright picture in sRGB, at most 1280 pixels long.
pub(super) fn quality(resizer: &mut Resizer, picture: &Pixels) -> Option<Quality> {
    if picture.channels != Channels::Rgb {
        return None;
    }
    let (flat, drawn) = squares(picture.width as usize, &luma(&picture.data));
    let scale = f64::from(LONG_SIDE) / f64::from(picture.width.max(picture.height));
    let side = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    let reduced = match scale < 1.0 {
        true => Some(resize(resizer, picture, None, side(picture.width), side(picture.height)).ok()?),
        false => None,
    };
    let small = reduced.as_ref().unwrap_or(picture);
    let grey = fine_luma(&small.data);
    let share = |is_so: fn(&u16) -> bool| {
        grey.iter().filter(|value| is_so(value)).count() as f64 / grey.len().max(1) as f64
    };
    let [darkest, lightest] = ends(&grey);
    let round = |share: f64| (share * 1000.0).round() / 1000.0;
    Some(Quality {
        blur: blur(small.width as usize, &grey).map(round),
        shadows: round(share(|value| *value <= SHADOW * LEVEL)),
        highlights: round(share(|value| *value >= HIGHLIGHT * LEVEL)),
        darkest,
        lightest,
        flat: round(flat),
        drawn: round(drawn),
        tone: Some(tone(&small.data)),
    })
}

/// The mean of some pixels' colours; every few of them tell.
fn tone(rgb: &[u8]) -> Tone {
    const EVERY: usize = 7;
    let pixels = rgb.as_chunks::<3>().0.iter().step_by(EVERY);
    let colours = pixels.map(|pixel| {
        let Lab { l, a, b, .. } = Lab::from_color(Srgb::from(*pixel).into_format::<f32>());
        Tone { l: l.into(), a: a.into(), b: b.into() }
    });
    let mean = Tone::mean(colours).unwrap_or(Tone { l: 0.0, a: 0.0, b: 0.0 });
    let round = |part: f64| (part * 10.0).round() / 10.0;
    Tone { l: round(mean.l), a: round(mean.a), b: round(mean.b) }
}

/// The same of a derivative that was made before; nothing where it is no picture.
pub fn quality_of(derivative: &[u8]) -> Option<Quality> {
    quality(&mut Resizer::new(), &read_derivative(derivative)?)
}

/// The levels below which, and above which, a thousandth of the pixels lies: lamps in the night are that few.
fn ends(grey: &[u16]) -> [u8; 2] {
    let mut counts = [0_usize; 256];
    grey.iter().for_each(|value| counts[usize::from(value / LEVEL)] += 1);
    let few = grey.len() / 1000;
    [first_beyond(few, 0..=255, &counts), first_beyond(few, (0..=255).rev(), &counts)]
}

/// The first of these levels up to which there are more pixels than a few.
fn first_beyond(few: usize, mut levels: impl Iterator<Item = u8>, counts: &[usize; 256]) -> u8 {
    let mut sum = 0;
    let is_beyond = |level: &u8| {
        sum += counts[usize::from(*level)];
        sum > few
    };
    levels.find(is_beyond).unwrap_or_default()
}

/// How steep one part of a picture is in one direction.
#[derive(Debug, Clone, Copy, Default)]
struct Slopes {
    pixels: u64,
    /// The sum of the differences of neighbours.
    steep: u64,
    /// The sum of their squares, and of what another blur takes of them; both times the pixels that it is over.
    squares: u64,
    taken: u64,
}

impl Slopes {
    /// Grey levels a pixel, on average.
    fn mean(&self) -> f64 {
        self.steep as f64 / (self.pixels.max(1) * u64::from(LEVEL)) as f64
    }

    /// How much of them another blur leaves, 0 to 1.
    fn left(&self) -> f64 {
        1.0 - self.taken as f64 / self.squares.max(1) as f64
    }
}

/// How blurred the sharpest parts of a picture are, 0 to 1: the perceptual blur of Crété-Roffet et al. (SPIE Human Vision and
/// Electronic Imaging, 2007), which asks how much of the slopes another blur leaves. It is asked of each part, so that a soft
/// ground behind a sharp flower is none; in four directions, since a shaken photo is sharp across its streaks; and each
/// slope counts by its own height, so that edges say more than grain. Nothing where too few parts have slopes.
fn blur(width: usize, grey: &[u16]) -> Option<f64> {
    let height = grey.len() / width;
    let parts = |length: usize| ((length + PART / 2) / PART).max(1);
    let (across, down) = (parts(width), parts(height));
    let mut slopes = vec![[Slopes::default(); DIRECTIONS.len()]; across * down];
    for (direction, (dx, dy, count)) in DIRECTIONS.into_iter().enumerate() {
        let half = count / 2;
        let reach = half + 1;
        if width <= 2 * reach || height <= 2 * reach {
            return None;
        }
        // so many steps on or back
        let step = dy * width as isize + dx as isize;
        let at = |from: usize, steps: isize| i64::from(grey[(from as isize + step * steps) as usize]);
        for y in reach..height - reach {
            let row = y * down / height * across;
            for x in reach..width - reach {
                let here = y * width + x;
                let slope = (at(here, 0) - at(here, -1)).unsigned_abs();
                // two neighbouring means differ by what one of them has and the other has not
                let after = (at(here, half as isize) - at(here, -(reach as isize))).unsigned_abs();
                let sums = &mut slopes[row + x * across / width][direction];
                sums.pixels += 1;
                sums.steep += slope;
                sums.squares += slope * slope * count as u64;
                sums.taken += slope * (slope * count as u64).saturating_sub(after);
            }
        }
    }
    let steepest = |part: &[Slopes; DIRECTIONS.len()]| part.iter().map(Slopes::mean).fold(0.0, f64::max);
    let mut by_slope: Vec<f64> = slopes.iter().map(steepest).collect();
    by_slope.sort_by(|one, other| other.total_cmp(one));
    let least = LEAST_SLOPE.max(by_slope.get(COUNTS)? * LEAST_OF_STEEPEST);
    let blur = |part: &[Slopes; DIRECTIONS.len()]| {
        let steepest = steepest(part);
        let counts = |slopes: &&Slopes| slopes.mean() >= (steepest * LEAST_SHARE).max(LEAST_ALONG);
        (steepest >= least).then(|| part.iter().filter(counts).map(Slopes::left).fold(0.0, f64::max))
    };
    let mut found: Vec<f64> = slopes.iter().filter_map(blur).collect();
    found.sort_by(f64::total_cmp);
    found.get(COUNTS).copied()
}

/// The shares of a picture's squares that are of one colour, and that have strokes on one colour: letters, lines.
fn squares(width: usize, grey: &[u8]) -> (f64, f64) {
    let height = grey.len() / width.max(1);
    let (mut flat, mut drawn, mut count) = (0_u32, 0_u32, 0_u32);
    for top in (0..(height + 1).saturating_sub(SQUARE)).step_by(SQUARE) {
        for left in (0..(width + 1).saturating_sub(SQUARE)).step_by(SQUARE) {
            let rows = (top..top + SQUARE).map(|y| &grey[y * width + left..y * width + left + SQUARE]);
            count += 1;
            match kind(rows) {
                Kind::Flat => flat += 1,
                Kind::Drawn => drawn += 1,
                Kind::Other => {}
            }
        }
    }
    let share = |number: u32| f64::from(number) / f64::from(count.max(1));
    (share(flat), share(drawn))
}

enum Kind {
    Flat,
    Drawn,
    Other,
}

fn kind<'a>(rows: impl Iterator<Item = &'a [u8]> + Clone) -> Kind {
    let mut counts = [0_usize; 256];
    rows.clone().flatten().for_each(|value| counts[usize::from(*value)] += 1);
    let around = |level: usize| -> usize {
        counts[level.saturating_sub(GROUND)..(level + GROUND + 1).min(256)].iter().sum()
    };
    let Some(ground) = (0..256).max_by_key(|level| around(*level)) else { return Kind::Other };
    let pixels = (SQUARE * SQUARE) as f64;
    let on_ground = around(ground) as f64 / pixels;
    if on_ground >= 0.98 {
        return Kind::Flat;
    }
    let stands_out = |value: &u8| value.abs_diff(ground as u8) >= STANDS_OUT;
    let (mut out, mut turns) = (0_u32, 0_u32);
    for row in rows {
        out += row.iter().filter(|value| stands_out(value)).count() as u32;
        turns += row.windows(2).filter(|pair| stands_out(&pair[0]) != stands_out(&pair[1])).count() as u32;
    }
    let out = f64::from(out) / pixels;
    // a horizon is one turn in each row, letters are several in most
    let is_strokes = f64::from(turns) >= 1.5 * SQUARE as f64;
    if on_ground >= 0.45 && (0.03..=0.5).contains(&out) && is_strokes { Kind::Drawn } else { Kind::Other }
}
