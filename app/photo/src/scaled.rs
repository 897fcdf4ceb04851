//! JPEGs of more pixels than are decoded whole, as phones with 108 and 200 megapixels write them: decoded at half their size or
//! less, which takes a quarter of the memory. No page that is printed here shows more pixels than that.

use jpeg_decoder::{ColorTransform, Decoder, Error, PixelFormat};

use super::decode::{Channels, Pixels};
use super::{MAX_PIXELS, PhotoInfo, PhotoRefusal};

/// The smallest part of each side that the transform of eight by eight samples gives.
const MOST: u32 = 8;

/// Whether a photo is decoded so.
pub(super) fn is_for(info: &PhotoInfo) -> bool {
    pixels(info) > MAX_PIXELS
}

fn pixels(info: &PhotoInfo) -> u64 {
    u64::from(info.width) * u64::from(info.height)
}

/// What the sides are divided by at least.
pub(super) fn divisor(info: &PhotoInfo) -> u32 {
    let is_enough = |divisor: &u32| pixels(info) / u64::from(divisor * divisor) <= MAX_PIXELS;
    [1, 2, 4].into_iter().find(is_enough).unwrap_or(MOST)
}

/// What follows a scan, to this decoder: codes that no scan has, since none may be of ones alone (ITU-T T.81, annex C). It reads
/// ahead of a sound scan's end, but one that ends too early would be filled with zeros up to the end marker.
const BEYOND: [u8; 2] = [0xFF, 0x00];

/// Decodes a photo of one sequential scan, given up to its end marker, at a `bin`th of its sides or somewhat more, but no more than has to be.
/// `is_rgb` is whether its three components are red, green and blue.
pub(super) fn decode(file: &[u8], info: &PhotoInfo, bin: u32, is_rgb: bool) -> Result<Pixels, PhotoRefusal> {
    let spare = if bin == 0 { 1 } else { 1 << bin.ilog2() };
    let divisor = spare.clamp(divisor(info), MOST);
    let (width, height) = info.stored_size();
    let part = |side: u32| u16::try_from(side.div_ceil(divisor)).map_err(|_| PhotoRefusal::Damaged);
    let file = [file, &BEYOND.repeat(32), &[0xFF, 0xD9]].concat();
    let mut decoder = Decoder::new(file.as_slice());
    decoder.set_max_decoding_buffer_size(usize::try_from(3 * MAX_PIXELS).unwrap_or(usize::MAX));
    decoder.read_info().map_err(refusal)?;
    let found = decoder.info().ok_or(PhotoRefusal::Damaged)?;
    if (u32::from(found.width), u32::from(found.height)) != (width, height) {
        return Err(PhotoRefusal::Damaged);
    }
    let channels = match found.pixel_format {
        PixelFormat::L8 => Channels::Grey,
        PixelFormat::RGB24 => Channels::Rgb,
        _ => return Err(PhotoRefusal::UnusualCoding),
    };
    if channels == Channels::Rgb {
        decoder.set_color_transform(if is_rgb { ColorTransform::RGB } else { ColorTransform::YCbCr });
    }
    let (width, height) = decoder.scale(part(width)?, part(height)?).map_err(refusal)?;
    let data = decoder.decode().map_err(refusal)?;
    let profile = decoder.icc_profile();
    Ok(Pixels { width: width.into(), height: height.into(), channels, data, profile })
}

fn refusal(error: Error) -> PhotoRefusal {
    match error {
        Error::Unsupported(_) => PhotoRefusal::UnusualCoding,
        _ => PhotoRefusal::Damaged,
    }
}
