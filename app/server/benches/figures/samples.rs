//! Sample photos of 12 megapixels. They are painted here, yet cost an encoder what photos cost: edges and texture
//! at every scale, a sensor's grain, 4:2:0 like a phone's, 3 to 4 MB. No two are alike.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::Failure;

/// How many there are.
pub const COUNT: u32 = 200;
pub const WIDTH: u16 = 4000;
pub const HEIGHT: u16 = 3000;

const QUALITY: u8 = 93;

/// Paints all of them into a folder; they are on the disk when this returns.
pub fn paint_all(folder: &Path, threads: usize) -> Result<Vec<PathBuf>, Failure> {
    let paths: Vec<PathBuf> = (0..COUNT).map(|number| folder.join(format!("{number:03}.jpg"))).collect();
    let numbered: Vec<(u32, &PathBuf)> = (0..).zip(&paths).collect();
    std::thread::scope(|scope| {
        let painters: Vec<_> = numbered
            .chunks(paths.len().div_ceil(threads))
            .map(|share| {
                scope.spawn(move || {
                    for (number, path) in share {
                        let mut file = File::create(path)?;
                        file.write_all(&paint(*number)?)?;
                        file.sync_all()?;
                    }
                    Ok::<_, Failure>(())
                })
            })
            .collect();
        painters.into_iter().try_for_each(|painter| painter.join().map_err(|_| "a painter panicked")?)
    })?;
    Ok(paths)
}

/// A photo as small as photos come, unlike any other: what costs is that it is one more.
pub fn tiny(number: usize) -> Result<Vec<u8>, Failure> {
    const SIDE: u16 = 96;
    let colour = |place: usize| (number >> (8 * (place % 3))) as u8;
    let pixels: Vec<u8> = (0..usize::from(SIDE) * usize::from(SIDE) * 3).map(colour).collect();
    let mut file = Vec::new();
    // a comment, so that two of nearly one colour are not one file
    file.extend([0xff, 0xd8, 0xff, 0xfe, 0, 10]);
    file.extend((number as u64).to_be_bytes());
    let mut encoded = Vec::new();
    Encoder::new(&mut encoded, QUALITY).encode(&pixels, SIDE, SIDE, ColorType::Rgb)?;
    file.extend(encoded.get(2..).ok_or("a JPEG without a beginning")?);
    Ok(file)
}

/// One photo, a whole JPEG file.
pub fn paint(number: u32) -> Result<Vec<u8>, Failure> {
    let mut random = Random(u64::from(number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let palette = [(); 5].map(|()| [(); 3].map(|()| 50.0 + 150.0 * random.next()));
    let roughness = 0.72 + 0.06 * random.next();
    let (width, height) = (usize::from(WIDTH), usize::from(HEIGHT));
    let mut pixels = Vec::with_capacity(width * height * 3);
    let (mut relief, mut ground) = (vec![0.0; width], vec![0.0; width]);
    for y in 0..height {
        noise(&mut relief, 2 * number, y, 10, roughness);
        noise(&mut ground, 2 * number + 1, y, 9, 0.62);
        for (relief, ground) in relief.iter().zip(&ground) {
            // the ground changes its colour at hard edges, the relief gives it light and shadow
            let colour = palette[((ground * 6.0 + 2.5) as usize).min(4)];
            let light = 1.0 + 2.4 * relief;
            let grain = (random.next() - 0.5) * 6.0;
            pixels.extend(colour.map(|channel| (channel * light + grain) as u8));
        }
    }
    let mut jpeg = Vec::new();
    let mut encoder = Encoder::new(&mut jpeg, QUALITY);
    encoder.set_sampling_factor(SamplingFactor::R_4_2_0);
    encoder.encode(&pixels, WIDTH, HEIGHT, ColorType::Rgb)?;
    Ok(jpeg)
}

/// Fills a row with smooth noise in -1..1. Each octave is half as wide as the one before and weaker by `fade`.
fn noise(row: &mut [f32], seed: u32, y: usize, octaves: u32, fade: f32) {
    row.fill(0.0);
    let mut weight = 1.0 - fade;
    for octave in 0..octaves {
        let cell = 1024 >> octave;
        let (above, down) = (y / cell, smooth((y % cell) as f32 / cell as f32));
        let corners: Vec<f32> = (0..row.len() / cell + 2)
            .map(|x| {
                let [top, bottom] = [above, above + 1].map(|y| hash([seed, octave, x as u32, y as u32]));
                top + (bottom - top) * down
            })
            .collect();
        let along: Vec<f32> = (0..cell).map(|x| smooth(x as f32 / cell as f32)).collect();
        for (part, ends) in row.chunks_mut(cell).zip(corners.windows(2)) {
            let (start, rise) = (ends[0] * weight, (ends[1] - ends[0]) * weight);
            for (value, along) in part.iter_mut().zip(&along) {
                *value += start + rise * along;
            }
        }
        weight *= fade;
    }
}

fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// A number in -1..1 that depends on all of these.
fn hash(parts: [u32; 4]) -> f32 {
    let mixed = parts.iter().fold(0x9e37_79b9_u32, |hash, part| {
        let hash = (hash ^ part).wrapping_mul(0x85eb_ca6b);
        (hash ^ (hash >> 15)).wrapping_mul(0xc2b2_ae35)
    });
    ((mixed ^ (mixed >> 16)) >> 8) as f32 / (1_u32 << 23) as f32 - 1.0
}

/// Numbers in 0..1 (xorshift), so that every machine paints the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}
