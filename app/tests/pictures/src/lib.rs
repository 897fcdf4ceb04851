//! The photos of tests. A crate of its own, as it alone of what tests need is optimised: encoders are built by whoever calls
//! them, and took a fifth of the tests' time.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod faces;
mod weak;

pub use faces::{Place, faces, put_face, scene};
pub use weak::{drawing, exposed, letters, macro_of, night, out_of_focus, screen, shaken};

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Mutex;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::{ImageFormat, RgbImage};

/// A picture of tiles in rows and columns. Rows are copied: pixel by pixel, without optimisation, a large one takes seconds.
pub fn tiles(
    (width, height): (u32, u32),
    (columns, rows): (u32, u32),
    colour: impl Fn(u32, u32) -> [u8; 3],
) -> RgbImage {
    let side = |number: u32, count: u32, length: u32| {
        ((number + 1) * length).div_ceil(count) as usize - (number * length).div_ceil(count) as usize
    };
    let mut bytes = Vec::new();
    for row in 0..rows {
        let line: Vec<u8> = (0..columns)
            .flat_map(|column| colour(column, row).repeat(side(column, columns, width)))
            .collect();
        bytes.extend(line.repeat(side(row, rows, height)));
    }
    RgbImage::from_raw(width, height, bytes).unwrap()
}

/// A picture with four differently coloured quarters; `seed` makes its bytes unlike all others.
pub fn quarters(width: u32, height: u32, seed: u8) -> RgbImage {
    tiles((width, height), (2, 2), |column, row| match (column, row) {
        (0, 0) => [220, 40, seed],
        (1, 0) => [40, 200, seed],
        (0, 1) => [40, 60, 220],
        _ => [240, 220, 60],
    })
}

/// The same as a JPEG. Most tests want the same few.
pub fn jpeg(width: u32, height: u32, seed: u8) -> Vec<u8> {
    static MADE: Mutex<BTreeMap<(u32, u32, u8), Vec<u8>>> = Mutex::new(BTreeMap::new());
    let made = || {
        // far enough apart that compression can't make two of them the same
        let seed = seed.wrapping_mul(16);
        encoded(&quarters(width, height, seed), ImageFormat::Jpeg)
    };
    MADE.lock().unwrap().entry((width, height, seed)).or_insert_with(made).clone()
}

/// A picture's file.
pub fn encoded(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// A picture's JPEG of a quality of 1 to 100.
pub fn compressed(picture: &RgbImage, quality: u8) -> Vec<u8> {
    let mut file = Vec::new();
    JpegEncoder::new_with_quality(&mut file, quality).encode_image(picture).unwrap();
    file
}

/// A picture in another size, in which letters that two programs smooth differently are alike.
pub fn scaled(picture: &RgbImage, width: u32, height: u32) -> RgbImage {
    let source =
        TypedImageRef::<U8x3>::from_buffer(picture.width(), picture.height(), picture.as_raw()).unwrap();
    let mut data = vec![0; width as usize * height as usize * 3];
    let mut target = TypedImage::<U8x3>::from_buffer(width, height, &mut data).unwrap();
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear));
    Resizer::new().resize_typed(&source, &mut target, &options).unwrap();
    RgbImage::from_raw(width, height, data).unwrap()
}
