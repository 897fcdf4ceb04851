//! WebP files of this house, written and read by libwebp: several times as fast as the decoder for what strangers send,
//! which is all safe Rust.

use webpx::{Encoder, ImageInfo, Unstoppable, YuvPlanesRef};
use yuv::{
    YuvChromaSubsampling, YuvConversionMode, YuvPlanarImageMut, YuvRange, YuvStandardMatrix, rgb_to_yuv420,
};

use super::decode::{Channels, Pixels, onto_white};

/// A lossy WebP file of sRGB pixels. `quality` goes from 0 to 100, `effort` from 0 to 6. Nothing comes of a size without
/// pixels, and of one with a side above 16,383 (RFC 6386, section 9.1).
///
/// libwebp is given what it codes, brightness and colour differences: given pixels, it keeps those as well, at four bytes
/// each, and a photo takes a tenth longer.
pub fn encode(rgb: &[u8], width: u32, height: u32, quality: f32, effort: u8) -> Option<Vec<u8>> {
    let mut planes = YuvPlanarImageMut::<u8>::alloc(width, height, YuvChromaSubsampling::Yuv420);
    // what a decoder of WebP reckons with (RFC 6386, section 9.2)
    let (range, matrix) = (YuvRange::Limited, YuvStandardMatrix::Bt601);
    rgb_to_yuv420(&mut planes, rgb, width * 3, range, matrix, YuvConversionMode::Balanced).ok()?;
    let planes = YuvPlanesRef {
        y: planes.y_plane.borrow(),
        y_stride: planes.y_stride as usize,
        u: planes.u_plane.borrow(),
        u_stride: planes.u_stride as usize,
        v: planes.v_plane.borrow(),
        v_stride: planes.v_stride as usize,
        a: None,
        a_stride: 0,
        width,
        height,
    };
    Encoder::new_yuv(planes).quality(quality).method(effort).encode(Unstoppable).ok()
}

/// A WebP file of sRGB pixels with transparency, not multiplied by it: exact where no quality is named.
pub fn encode_layer(
    rgba: &[u8],
    width: u32,
    height: u32,
    quality: Option<f32>,
    effort: u8,
) -> Option<Vec<u8>> {
    let encoder = Encoder::new_rgba(rgba, width, height).method(effort);
    let encoder = match quality {
        Some(quality) => encoder.quality(quality),
        // of an exact one, the quality is how long is searched
        None => encoder.lossless(true).quality(20.0),
    };
    encoder.encode(Unstoppable).ok()
}

/// The pixels of a file that [`encode`] or a member's browser made.
pub(super) fn decode(file: &[u8]) -> Option<Pixels> {
    let ImageInfo { width, height, has_alpha, .. } = ImageInfo::from_webp(file).ok()?;
    let data = if has_alpha {
        let (mut data, ..) = webpx::decode_rgba(file).ok()?;
        onto_white::<4>(&mut data);
        data
    } else {
        let mut data = vec![0; width as usize * height as usize * 3];
        webpx::decode_rgb_into(file, &mut data, width * 3).ok()?;
        data
    };
    Some(Pixels { width, height, channels: Channels::Rgb, data, profile: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_back_whatever_the_size() {
        const COLOURS: [[u8; 3]; 6] =
            [[255, 255, 255], [0, 0, 0], [200, 30, 40], [20, 160, 60], [32, 56, 100], [240, 200, 20]];
        for (width, height) in [(1, 1), (1, 40), (40, 1), (2, 3), (33, 17), (320, 213)] {
            for colour in COLOURS {
                let pixels = colour.repeat(width as usize * height as usize);
                let file = encode(&pixels, width, height, 80.0, 2).unwrap();
                let back = decode(&file).unwrap();
                assert_eq!((back.width, back.height, back.data.len()), (width, height, pixels.len()));
                let far = back.data.iter().zip(&pixels).map(|(now, then)| now.abs_diff(*then)).max();
                assert!(far <= Some(6), "{colour:?} of {width} × {height} is off by {far:?}");
            }
        }
    }

    #[test]
    fn a_size_that_a_file_cannot_have_makes_none() {
        assert!(encode(&[], 0, 0, 80.0, 2).is_none());
        assert!(encode(&[0; 16_384 * 3], 16_384, 1, 80.0, 2).is_none());
        assert!(encode(&[0; 5], 2, 1, 80.0, 2).is_none(), "too few pixels");
    }
}
