//! JPEG files of this house.

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use super::decode::Pixels;

/// A JPEG of sRGB pixels that shows itself at once, coarse at first. `quality` goes from 1 to 100. Nothing comes of a size
/// without pixels, and of one with a side above 65,535 (ITU-T T.81, B.2.2).
pub fn progressive_jpeg(pixels: &Pixels, quality: u8) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, quality);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.encode(&pixels.data, side(pixels.width)?, side(pixels.height)?, ColorType::Rgb).ok()?;
    Some(file)
}

/// A JPEG of four inks, 4 bytes a pixel where 0 is none, stored inverted as Adobe's programs do it. Otherwise like
/// [`progressive_jpeg`].
pub fn inks_jpeg(inks: &[u8], width: u32, height: u32, quality: u8) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    Encoder::new(&mut file, quality).encode(inks, side(width)?, side(height)?, ColorType::Cmyk).ok()?;
    Some(file)
}

fn side(pixels: u32) -> Option<u16> {
    u16::try_from(pixels).ok()
}
