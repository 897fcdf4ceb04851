//! Pictures that stand in a text.

use std::collections::BTreeMap;

use fast_image_resize::Resizer;
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;

use crate::photo::{Pixels, read_derivative, resize, to_srgb};

/// Pixels of the longer side: 300 dpi across the widest page.
const MOST_PIXELS: u32 = 2_600;
/// What can't be told from the picture that came.
const QUALITY: u8 = 88;

/// Pictures by the address under which the text shows them.
pub type Pictures = BTreeMap<String, Picture>;

/// A picture of a text, upright, as a JPEG in sRGB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub jpeg: Vec<u8>,
    /// In pixels.
    pub width: u32,
    pub height: u32,
}

impl Picture {
    /// Of a derivative of a photo; nothing where it can't be read.
    pub fn of_derivative(file: &[u8]) -> Option<Self> {
        let pixels = read_derivative(file)?;
        let longer = pixels.width.max(pixels.height);
        let pixels = if longer > MOST_PIXELS {
            let side =
                |side: u32| (u64::from(side) * u64::from(MOST_PIXELS) / u64::from(longer)).max(1) as u32;
            resize(&mut Resizer::new(), &pixels, None, side(pixels.width), side(pixels.height)).ok()?
        } else {
            pixels
        };
        let Pixels { width, height, data, .. } = to_srgb(pixels);
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, QUALITY)
            .encode(&data, width, height, ExtendedColorType::Rgb8)
            .ok()?;
        Some(Self { jpeg, width, height })
    }
}
