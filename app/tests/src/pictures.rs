//! Photos.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Mutex;

use image::{ImageFormat, Rgb, RgbImage};

/// A picture with four differently coloured quarters; `seed` makes its bytes unlike all others.
pub fn quarters(width: u32, height: u32, seed: u8) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => Rgb([220, 40, seed]),
        (false, true) => Rgb([40, 200, seed]),
        (true, false) => Rgb([40, 60, 220]),
        (false, false) => Rgb([240, 220, 60]),
    })
}

/// The same as a JPEG. Most tests want the same few, and making one without optimisation takes as long as a page.
pub fn jpeg(width: u32, height: u32, seed: u8) -> Vec<u8> {
    static MADE: Mutex<BTreeMap<(u32, u32, u8), Vec<u8>>> = Mutex::new(BTreeMap::new());
    let made = || {
        // far enough apart that compression can't make two of them the same
        let seed = seed.wrapping_mul(16);
        encoded(&quarters(width, height, seed), ImageFormat::Jpeg)
    };
    MADE.lock().unwrap().entry((width, height, seed)).or_insert_with(made).clone()
}

pub fn encoded(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}
