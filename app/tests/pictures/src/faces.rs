//! Photos with faces whose places are known.

use image::{Rgb, RgbImage};

use crate::scaled;

/// A face that is free to use, cut to head and shoulders; where it comes from: `faces/README.md`.
struct Portrait {
    file: &'static [u8],
    /// From the forehead to the chin, measured by hand: left, top, width and height in pixels.
    face: [u32; 4],
}

const PORTRAITS: [Portrait; 4] = [
    Portrait { file: include_bytes!("../faces/astronaut.jpg"), face: [52, 62, 88, 118] },
    Portrait { file: include_bytes!("../faces/vice-president.jpg"), face: [45, 55, 128, 188] },
    Portrait { file: include_bytes!("../faces/president.jpg"), face: [60, 60, 145, 185] },
    Portrait { file: include_bytes!("../faces/speech.jpg"), face: [32, 65, 160, 222] },
];

/// A face in a picture, in parts of its sides: left, top, width, height.
pub type Place = [f64; 4];

/// Puts a portrait into a picture, its face's middle at `(x, y)` in parts of its sides, its face so high in pixels, and turned
/// by so many degrees. The answer is where the face is.
pub fn put_face(
    picture: &mut RgbImage,
    which: usize,
    (x, y): (f64, f64),
    height: f64,
    degrees: f64,
) -> Place {
    let portrait = &PORTRAITS[which % PORTRAITS.len()];
    let Ok(image) = image::load_from_memory(portrait.file) else { return [0.0; 4] };
    let image = image.into_rgb8();
    let [left, top, wide, tall] = portrait.face.map(f64::from);
    let scale = height / tall;
    // scaled first, by a filter that leaves no grain
    let size = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    let scaled = scaled(&image, size(image.width()), size(image.height()));
    let (across, down) = (f64::from(picture.width()), f64::from(picture.height()));
    let (at, middle) = ((x * across, y * down), ((left + wide / 2.0) * scale, (top + tall / 2.0) * scale));
    let (sine, cosine) = degrees.to_radians().sin_cos();
    for (column, row, pixel) in picture.enumerate_pixels_mut() {
        let (dx, dy) = (f64::from(column) - at.0, f64::from(row) - at.1);
        let from = (dx * cosine + dy * sine + middle.0, dy * cosine - dx * sine + middle.1);
        let is_inside = from.0 >= 0.0
            && from.1 >= 0.0
            && from.0 < f64::from(scaled.width())
            && from.1 < f64::from(scaled.height());
        if is_inside {
            *pixel = *scaled.get_pixel(from.0 as u32, from.1 as u32);
        }
    }
    // a turned face is as wide as its box is turned, as an ellipse
    let (half_wide, half_tall) = (wide * scale / 2.0, tall * scale / 2.0);
    let wide = (half_wide * cosine).hypot(half_tall * sine);
    let tall = (half_wide * sine).hypot(half_tall * cosine);
    [(at.0 - wide) / across, (at.1 - tall) / down, 2.0 * wide / across, 2.0 * tall / down]
}

/// Numbers that are the same each time.
pub(crate) struct Numbers(pub u64);

impl Numbers {
    /// From `low` up to `high`.
    pub(crate) fn next(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (self.0 >> 33) as f64 / f64::from(1_u32 << 31) * (high - low)
    }
}

/// A scene that no face is in: sky, hills, walls, balls of the colour of skin, all with grain.
pub fn scene(width: u32, height: u32, seed: u64) -> RgbImage {
    let mut numbers = Numbers(seed.wrapping_mul(77) + 5);
    let tone = |numbers: &mut Numbers| [(); 3].map(|()| numbers.next(20.0, 235.0));
    let (sky, ground) = (tone(&mut numbers), tone(&mut numbers));
    let waves: Vec<(f64, f64, f64)> = (0..5)
        .map(|at| {
            (numbers.next(1.0, 4.0) * f64::from(at + 1), numbers.next(0.0, 6.3), numbers.next(0.01, 0.1))
        })
        .collect();
    let balls: Vec<(f64, f64, f64, [f64; 3])> = (0..12)
        .map(|at| {
            let skin = [numbers.next(150.0, 240.0), numbers.next(110.0, 180.0), numbers.next(80.0, 150.0)];
            let colour = if at % 2 == 0 { skin } else { tone(&mut numbers) };
            (numbers.next(0.0, 1.0), numbers.next(0.0, 1.0), numbers.next(0.01, 0.09), colour)
        })
        .collect();
    let across = |column| f64::from(column) / f64::from(width);
    let hill = |x: f64| waves.iter().map(|(speed, from, size)| size * (x * speed + from).sin()).sum::<f64>();
    let hills: Vec<f64> = (0..width).map(|column| 0.6 + hill(across(column))).collect();
    RgbImage::from_fn(width, height, |column, row| {
        let (x, y) = (across(column), f64::from(row) / f64::from(height));
        let is_sky = y < hills[column as usize];
        let mut colour = if is_sky { sky.map(|value| value * (1.0 - 0.4 * y)) } else { ground };
        for (left, top, size, ball) in &balls {
            let (beside, below) = (x - left, (y - top) * f64::from(height) / f64::from(width));
            // most are far away, and roots take most of the time
            if beside.abs() < *size && below.abs() < *size {
                let far = beside.hypot(below) / size;
                if far < 1.0 {
                    colour = ball.map(|value| value * (1.2 - 0.7 * far));
                }
            }
        }
        let grain = numbers.next(-9.0, 9.0);
        Rgb(colour.map(|value| (value + grain).clamp(0.0, 255.0) as u8))
    })
}

/// The picture with this number, with one to four faces in sizes, at places and in turns that differ, and where they are.
pub fn faces(number: u64) -> (RgbImage, Vec<Place>) {
    let (width, height) = [(1280, 960), (960, 1280), (1280, 720), (1000, 1000)][number as usize % 4];
    let mut picture = scene(width, height, number);
    let mut numbers = Numbers(number + 1);
    let count = 1 + number as usize % 4;
    let places = (0..count)
        .map(|at| {
            // each in a column of its own
            let column = 1.0 / count as f64;
            let most = (f64::from(width) * column * 0.45).min(f64::from(height) * 0.42);
            let tall = numbers.next(0.05 * f64::from(height), most.max(0.06 * f64::from(height)));
            let x = (at as f64 + numbers.next(0.4, 0.6)) * column;
            let y = numbers.next(0.3, 0.65);
            put_face(&mut picture, number as usize + at, (x, y), tall, numbers.next(-18.0, 18.0))
        })
        .collect();
    (picture, places)
}
