//! Specimen photos, for demo books and for trying out themes: painted landscapes with sky, sun, hills behind
//! hills, water. Each number gives another one, always the same.

use image::codecs::jpeg::JpegEncoder;
use image::{ImageBuffer, Rgb};

/// A painted photo.
#[derive(Debug, Clone)]
pub struct Specimen {
    /// The whole file.
    pub jpeg: Vec<u8>,
    /// Pixels; the photo stands upright.
    pub width: u32,
    pub height: u32,
    /// Epoch milliseconds: a few pictures a day over some days.
    pub taken_at: i64,
}

/// Skies from top to horizon, and the colour of the farthest hill.
const LIGHT: [([f32; 3], [f32; 3], [f32; 3]); 6] = [
    ([92.0, 132.0, 176.0], [238.0, 226.0, 205.0], [126.0, 150.0, 168.0]),
    ([64.0, 74.0, 122.0], [244.0, 178.0, 138.0], [124.0, 96.0, 122.0]),
    ([150.0, 182.0, 196.0], [236.0, 240.0, 232.0], [132.0, 164.0, 150.0]),
    ([40.0, 56.0, 92.0], [176.0, 170.0, 178.0], [74.0, 88.0, 114.0]),
    ([186.0, 176.0, 158.0], [246.0, 232.0, 204.0], [164.0, 146.0, 112.0]),
    ([104.0, 152.0, 190.0], [224.0, 238.0, 244.0], [96.0, 138.0, 132.0]),
];

/// What one will be, without painting it: its pixels across and down, and when it was taken.
pub fn describe(number: u32) -> (u32, u32, i64) {
    let (width, height) = match number % 5 {
        1 | 4 => (1600, 2400),
        3 if number.is_multiple_of(3) => (2000, 2000),
        _ => (2400, 1600),
    };
    // 2026-05-01 08:00 in China, three pictures an hour, nine a day
    let taken_at = 1_777_593_600_000 + i64::from(number / 9) * 86_400_000 + i64::from(number % 9) * 1_200_000;
    (width, height, taken_at)
}

/// Paints one.
pub fn paint(number: u32) -> Specimen {
    let (width, height, taken_at) = describe(number);
    let mut random = Random(u64::from(number) * 7919 + 17);
    let (top, horizon, far) = LIGHT[number as usize % LIGHT.len()];
    let water = random.next() < 0.55;
    let ridges = ridges(&mut random, width, height, water);
    let sun =
        (random.next() * width as f32, height as f32 * (0.15 + 0.3 * random.next()), width as f32 * 0.035);
    let shore = (height as f32 * 0.74) as u32;

    let mut row = vec![[0f32; 3]; height as usize];
    for (y, colour) in row.iter_mut().enumerate() {
        *colour = mix(top, horizon, (y as f32 / (height as f32 * 0.62)).min(1.0));
    }
    let depth = ridges.len() as f32;
    let hills: Vec<[f32; 3]> =
        (0..ridges.len()).map(|ridge| mix(far, [28.0, 44.0, 52.0], (ridge as f32 + 0.4) / depth)).collect();
    let picture = ImageBuffer::from_fn(width, height, |x, y| {
        // water mirrors what is above the shore, a little darker and with waves
        let below = water && y > shore;
        let (mirrored, waves) = if below {
            let wave = (((y * 13) % 29) as f32 - 14.0) * (y - shore) as f32 / height as f32 * 0.5;
            ((2 * shore).saturating_sub(y) as f32 + wave, true)
        } else {
            (y as f32, false)
        };
        let at = (mirrored.max(0.0) as usize).min(row.len() - 1);
        let mut colour = row[at];
        let (dx, dy) = (x as f32 - sun.0, mirrored - sun.1);
        let distance = dx * dx + dy * dy;
        if distance < sun.2 * sun.2 {
            colour = mix(colour, [255.0, 246.0, 224.0], 0.85);
        }
        // the nearest hill hides the others
        let nearest = ridges.iter().zip(&hills).rev().find(|(ridge, _)| mirrored > ridge[x as usize]);
        if let Some((ridge, hill)) = nearest {
            // mist gathers at the foot of a hill
            let mist = ((mirrored - ridge[x as usize]) / (height as f32 * 0.22)).min(1.0) * 0.35;
            colour = mix(*hill, horizon, mist);
        }
        if waves {
            colour = mix(colour, [40.0, 58.0, 76.0], 0.28);
        }
        let grain = ((x.wrapping_mul(73) ^ y.wrapping_mul(151)) % 7) as f32 - 3.0;
        Rgb(colour.map(|channel| (channel + grain) as u8))
    });
    let mut jpeg = Vec::new();
    // writing to memory cannot fail, and an empty picture would be refused at the door
    let _ = JpegEncoder::new_with_quality(&mut jpeg, 88).encode_image(&picture);
    Specimen { jpeg, width, height, taken_at }
}

/// The height of each hill's crest at every column, the farthest hill first.
fn ridges(random: &mut Random, width: u32, height: u32, water: bool) -> Vec<Vec<f32>> {
    let count = 3 + (random.next() * 2.0) as usize;
    let lowest = if water { 0.72 } else { 0.9 };
    (0..count)
        .map(|ridge| {
            let base = 0.42 + (lowest - 0.42) * ridge as f32 / count as f32;
            let waves: Vec<(f32, f32, f32)> = (1..6)
                .map(|octave| {
                    let scale = octave as f32;
                    (0.09 / scale, scale * (1.2 + random.next()), random.next() * 6.3)
                })
                .collect();
            (0..width)
                .map(|x| {
                    let along = x as f32 / width as f32 * std::f32::consts::TAU;
                    let swing: f32 = waves
                        .iter()
                        .map(|(high, fast, start)| high * (along * fast / 2.0 + start).sin())
                        .sum();
                    (base + swing) * height as f32
                })
                .collect()
        })
        .collect()
}

fn mix(one: [f32; 3], other: [f32; 3], share: f32) -> [f32; 3] {
    [0, 1, 2].map(|channel| one[channel] + (other[channel] - one[channel]) * share)
}

/// A small generator of numbers in 0..1 (xorshift), so that every machine paints the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }
}
