//! Photos that are weak, and pictures that only look so.

use image::{Rgb, RgbImage, imageops};

use crate::faces::{Numbers, scene};

/// A picture as if the lens had been out of focus: by a Gaussian of so many parts of its long side.
pub fn out_of_focus(picture: &RgbImage, sigma: f64) -> RgbImage {
    imageops::fast_blur(picture, (f64::from(picture.width().max(picture.height())) * sigma) as f32)
}

/// A picture as if the hand had moved meanwhile, evenly and sideways, over so many parts of its long side.
pub fn shaken(picture: &RgbImage, length: f64) -> RgbImage {
    let (width, height) = picture.dimensions();
    let reach = (f64::from(width.max(height)) * length).round().max(1.0) as u32;
    let mut sums = vec![[0_u32; 3]; width as usize + 1];
    let mut moved = picture.clone();
    for y in 0..height {
        for x in 0..width {
            let pixel = picture.get_pixel(x, y).0;
            let sum = sums[x as usize];
            sums[x as usize + 1] = std::array::from_fn(|at| sum[at] + u32::from(pixel[at]));
        }
        for x in 0..width {
            let (from, to) = (x.saturating_sub(reach / 2), (x + reach.div_ceil(2)).min(width));
            let mean = |at: usize| (sums[to as usize][at] - sums[from as usize][at]) / (to - from);
            moved.put_pixel(x, y, Rgb(std::array::from_fn(|at| mean(at) as u8)));
        }
    }
    moved
}

/// A scene of which a flower-sized part, a seventh of the height in radius, is in focus.
pub fn macro_of(width: u32, height: u32, seed: u64) -> RgbImage {
    let sharp = petals(scene(width, height, seed), seed);
    let mut picture = out_of_focus(&sharp, 0.012);
    let (across, down) = (f64::from(width), f64::from(height));
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        if (f64::from(x) - across * 0.45).hypot(f64::from(y) - down * 0.5) < down * 0.2 {
            *pixel = *sharp.get_pixel(x, y);
        }
    }
    picture
}

/// A picture with something in its middle that has edges: rays of two colours.
fn petals(mut picture: RgbImage, seed: u64) -> RgbImage {
    let (across, down) = (f64::from(picture.width()), f64::from(picture.height()));
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let (dx, dy) = (f64::from(x) - across * 0.45, f64::from(y) - down * 0.5);
        if dx.hypot(dy) < down * 0.18 {
            let ray = (dy.atan2(dx) * 9.0 + seed as f64).sin() > 0.0;
            *pixel = if ray { Rgb([235, 205, 60]) } else { Rgb([150, 40, 60]) };
        }
    }
    picture
}

/// A picture with every level moved: by a factor, and then by so much.
pub fn exposed(picture: &RgbImage, factor: f64, more: f64) -> RgbImage {
    let mut exposed = picture.clone();
    for pixel in exposed.pixels_mut() {
        pixel.0 = pixel.0.map(|value| (f64::from(value) * factor + more).clamp(0.0, 255.0) as u8);
    }
    exposed
}

/// A night: a scene nearly without light, with lamps.
pub fn night(width: u32, height: u32, seed: u64) -> RgbImage {
    let mut picture = exposed(&scene(width, height, seed), 0.09, 0.0);
    let mut numbers = Numbers(seed + 9);
    for _ in 0..40 {
        let (x, y) =
            (numbers.next(0.0, f64::from(width)) as u32, numbers.next(0.0, f64::from(height)) as u32);
        let side = numbers.next(5.0, 16.0) as u32;
        fill(&mut picture, [x, y, side, side], [255, 220, 140]);
    }
    picture
}

/// A screen of a phone: bars, lines of letters, and a photo among them; `ground` and `ink` are its levels.
pub fn screen((width, height): (u32, u32), seed: u64, [ground, ink]: [u8; 2]) -> RgbImage {
    let mut picture = RgbImage::from_pixel(width, height, Rgb([ground; 3]));
    let mut numbers = Numbers(seed + 21);
    let size = width.min(height) / 26;
    fill(&mut picture, [0, 0, width, size * 2], [ground ^ 16, ground ^ 16, ground ^ 24]);
    let mut y = size * 3;
    while y + size * 2 < height {
        if numbers.next(0.0, 1.0) < 0.12 && y + size * 8 < height {
            let photo = scene(width / 2, size * 7, seed);
            imageops::replace(&mut picture, &photo, i64::from(size), i64::from(y));
            y += size * 8;
            continue;
        }
        let letters = numbers.next(4.0, 22.0) as u32;
        line(&mut picture, &mut numbers, (size, y), (letters, size), ink);
        y += size * numbers.next(2.0, 3.5) as u32;
    }
    picture
}

/// A page of letters, lines close to each other: a scanned letter, a receipt.
pub fn letters((width, height): (u32, u32), size: u32, seed: u64) -> RgbImage {
    let mut picture = RgbImage::from_pixel(width, height, Rgb([250, 249, 245]));
    let mut numbers = Numbers(seed + 4);
    let most = (width - 2 * size) / size;
    for y in (size * 2..height.saturating_sub(size * 3)).step_by(size as usize * 8 / 5) {
        let count = numbers.next(f64::from(most) * 0.4, f64::from(most)) as u32;
        line(&mut picture, &mut numbers, (size, y), (count, size), 50);
    }
    let mut grain = Numbers(seed);
    for pixel in picture.pixels_mut() {
        let more = grain.next(-3.0, 3.0);
        pixel.0 = pixel.0.map(|value| (f64::from(value) + more).clamp(0.0, 255.0) as u8);
    }
    picture
}

/// A drawing: outlines and a few filled shapes on paper.
pub fn drawing(width: u32, height: u32, seed: u64) -> RgbImage {
    let mut picture = RgbImage::from_pixel(width, height, Rgb([250, 248, 240]));
    let mut numbers = Numbers(seed + 3);
    let pen = width.max(height) / 130;
    for _ in 0..16 {
        let (x, y) = (numbers.next(0.0, f64::from(width)), numbers.next(0.0, f64::from(height)));
        let radius = numbers.next(0.04, 0.16) * f64::from(width);
        let colour = [(); 3].map(|()| numbers.next(0.0, 140.0) as u8);
        let is_full = numbers.next(0.0, 1.0) < 0.25;
        for at in 0..720 {
            let angle = f64::from(at) / 720.0 * std::f64::consts::TAU;
            let (left, top) = ((x + radius * angle.cos()).max(0.0), (y + radius * angle.sin()).max(0.0));
            fill(&mut picture, [left as u32, top as u32, pen, pen], colour);
        }
        if is_full {
            let side = (radius * 1.3) as u32;
            fill(
                &mut picture,
                [(x - radius * 0.65).max(0.0) as u32, (y - radius * 0.65).max(0.0) as u32, side, side],
                colour,
            );
        }
    }
    picture
}

/// So many signs of strokes, as if they were letters of a size.
fn line(
    picture: &mut RgbImage,
    numbers: &mut Numbers,
    (x, y): (u32, u32),
    (count, size): (u32, u32),
    ink: u8,
) {
    let stroke = (size / 9).max(1);
    for number in 0..count {
        let left = x + number * size;
        for at in 0..4 {
            let part = at * size / 5;
            if numbers.next(0.0, 1.0) < 0.75 {
                fill(picture, [left, y + part, size * 4 / 5, stroke], [ink; 3]);
            }
            if numbers.next(0.0, 1.0) < 0.75 {
                fill(picture, [left + part, y, stroke, size * 4 / 5], [ink; 3]);
            }
        }
    }
}

/// Fills a part, as far as the picture has it: left, top, width, height.
fn fill(picture: &mut RgbImage, [left, top, width, height]: [u32; 4], colour: [u8; 3]) {
    for y in top..(top + height).min(picture.height()) {
        for x in left..(left + width).min(picture.width()) {
            picture.put_pixel(x, y, Rgb(colour));
        }
    }
}
