//! What a photo is about: what stands out from its surroundings.
//!
//! It is looked for in a small picture, once, when the served sizes are made; the layout then keeps it in its frame.

use domain::document::Crop;

/// The long side of the map of what stands out, in cells.
const CELLS: u32 = 48;
/// The share of what stands out that may lie outside the subject's area, at each of its sides.
const OUTSIDE: f64 = 0.12;
/// A subject that is nearly the whole photo says nothing.
const WHOLE: f64 = 0.8;

/// The subject of a small upright sRGB picture (3 bytes a pixel).
///
/// It is the box around what differs from the picture's average colour and lies near the middle: frequency-tuned
/// saliency (Achanta et al., CVPR 2009) with the photographer's habit of pointing at things.
pub(super) fn subject(width: u32, height: u32, rgb: &[u8]) -> Option<Crop> {
    let step = (width.max(height) / CELLS).max(1);
    let (across, down) = ((width / step) as usize, (height / step) as usize);
    if across < 8 || down < 8 {
        return None;
    }
    let cells = averages(width, step, across, down, rgb)?;
    let count = cells.len() as f64;
    let mean = [0, 1, 2].map(|channel| cells.iter().map(|cell| cell[channel]).sum::<f64>() / count);
    let mut map: Vec<f64> = cells
        .iter()
        .map(|cell| (0..3).map(|channel| (cell[channel] - mean[channel]).powi(2)).sum::<f64>().sqrt())
        .collect();
    let average = map.iter().sum::<f64>() / count;
    for (index, value) in map.iter_mut().enumerate() {
        let from_middle = |at: usize, of: usize| (at as f64 + 0.5) / of as f64 - 0.5;
        let (x, y) = (from_middle(index % across, across), from_middle(index / across, down));
        let near = (-(x * x + y * y) / (2.0 * 0.3 * 0.3)).exp();
        // what is no more than average is surroundings
        *value = (*value - average).max(0.0) * near;
    }
    let total: f64 = map.iter().sum();
    // fog, a wall, a sheet of paper: one colour all over
    if total / count < 0.6 {
        return None;
    }
    let column = |x: usize| (0..down).map(|y| map[y * across + x]).sum::<f64>() / total;
    let row = |y: usize| map[y * across..(y + 1) * across].iter().sum::<f64>() / total;
    let (x, width) = middle_part((0..across).map(column));
    let (y, height) = middle_part((0..down).map(row));
    (width < WHOLE || height < WHOLE).then_some(Crop { x, y, width, height })
}

/// The average colour of each square of `step` pixels, in a space where distances are about as large as they look (the
/// opponent colours of luma, blue–yellow and red–green).
fn averages(width: u32, step: u32, across: usize, down: usize, rgb: &[u8]) -> Option<Vec<[f64; 3]>> {
    let mut cells = vec![[0.0; 3]; across * down];
    let step = step as usize;
    for (index, cell) in cells.iter_mut().enumerate() {
        let (left, top) = (index % across * step, index / across * step);
        let mut sums = [0u32; 3];
        for y in top..top + step {
            let start = (y * width as usize + left) * 3;
            for pixel in rgb.get(start..start + step * 3)?.chunks_exact(3) {
                for (sum, value) in sums.iter_mut().zip(pixel) {
                    *sum += u32::from(*value);
                }
            }
        }
        let [red, green, blue] = sums.map(|sum| f64::from(sum) / (step * step) as f64);
        *cell = [(red + green + blue) / 3.0, (red + green) / 2.0 - blue, red - green];
    }
    Some(cells)
}

/// Where a row of shares begins and ends, as parts of its length, without [`OUTSIDE`] at each end.
fn middle_part(shares: impl Iterator<Item = f64>) -> (f64, f64) {
    let shares: Vec<f64> = shares.collect();
    let length = shares.len() as f64;
    let (mut sum, mut from, mut to) = (0.0, 0.0, 1.0);
    for (index, share) in shares.iter().enumerate() {
        if sum < OUTSIDE && sum + share >= OUTSIDE {
            from = index as f64 / length;
        }
        if sum < 1.0 - OUTSIDE && sum + share >= 1.0 - OUTSIDE {
            to = (index + 1) as f64 / length;
        }
        sum += share;
    }
    (from, to - from)
}
