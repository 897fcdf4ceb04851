//! What a photo looks like, for finding those that look alike, and how sharp it is.

use image::RgbImage;
use image_hasher::{HashAlg, HasherConfig};

/// The perceptual hash of a small upright sRGB picture (3 bytes a pixel): 64 bits of where it gets brighter, which sizes,
/// light and compression leave as they are.
pub(super) fn hash(width: u32, height: u32, rgb: Vec<u8>) -> Option<u64> {
    let picture = RgbImage::from_raw(width, height, rgb)?;
    let hasher =
        HasherConfig::with_bytes_type::<[u8; 8]>().hash_alg(HashAlg::Gradient).hash_size(8, 8).to_hasher();
    let hash = hasher.hash_image(&picture);
    Some(u64::from_be_bytes(hash.as_bytes().try_into().ok()?))
}

/// What a grey level is of 255, in [`fine_luma`].
pub(super) const LEVEL: u16 = 256;

/// The luma of pixels in sRGB (3 bytes each), ITU-R BT.601, in parts of a level ([`LEVEL`]).
pub(super) fn fine_luma(rgb: &[u8]) -> Vec<u16> {
    let of = |pixel: &[u8]| u16::from(pixel[0]) * 77 + u16::from(pixel[1]) * 150 + u16::from(pixel[2]) * 29;
    rgb.chunks_exact(3).map(of).collect()
}

/// The same in whole levels.
pub(super) fn luma(rgb: &[u8]) -> Vec<u8> {
    fine_luma(rgb).into_iter().map(|value| (value / LEVEL) as u8).collect()
}

/// The variance of the Laplacian of a picture's luma (Pech-Pacheco et al., ICPR 2000): blur leaves little of it.
pub(super) fn sharpness(width: u32, height: u32, rgb: &[u8]) -> u32 {
    let (across, down) = (width as usize, height as usize);
    if across < 3 || down < 3 {
        return 0;
    }
    let luma = luma(rgb);
    let at = |row: &[u8], x: usize| i64::from(row[x]);
    let (mut sum, mut squares, mut count) = (0_i64, 0_i64, 0_i64);
    for rows in luma.windows(3 * across).step_by(across) {
        let (above, rest) = rows.split_at(across);
        let (middle, below) = rest.split_at(across);
        for x in 1..across - 1 {
            let around = at(middle, x - 1) + at(middle, x + 1) + at(above, x) + at(below, x);
            let edge = 4 * at(middle, x) - around;
            sum += edge;
            squares += edge * edge;
            count += 1;
        }
    }
    let mean = sum as f64 / count as f64;
    (squares as f64 / count as f64 - mean * mean).max(0.0) as u32
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn picture(side: u32, shade: impl Fn(u32, u32) -> u8) -> Vec<u8> {
        (0..side * side).flat_map(|at| [shade(at % side, at / side); 3]).collect()
    }

    #[test]
    fn a_picture_in_two_sizes_looks_the_same_and_another_does_not() {
        let hill = |side: u32| {
            picture(side, move |x, y| {
                let (x, y) = (f64::from(x) / f64::from(side), f64::from(y) / f64::from(side));
                ((x * 5.0).sin() * 60.0 + y * 120.0 + (x * y * 9.0).cos() * 30.0).abs() as u8
            })
        };
        let sea = picture(160, |x, y| ((160 - x) + y / 3) as u8);
        let apart = |one: u64, other: u64| (one ^ other).count_ones();
        let (large, small) = (hash(320, 320, hill(320)).unwrap(), hash(160, 160, hill(160)).unwrap());
        assert!(apart(large, small) <= 11, "{large:x} {small:x}");
        assert!(apart(large, hash(160, 160, sea).unwrap()) > 11);
    }

    #[test]
    fn what_is_blurred_is_less_sharp() {
        let sharp = picture(64, |x, y| if (x / 4 + y / 4) % 2 == 0 { 230 } else { 20 });
        let soft = picture(64, |x, y| {
            (((f64::from(x) / 4.0).sin() + (f64::from(y) / 4.0).sin()) * 50.0 + 120.0) as u8
        });
        assert!(sharpness(64, 64, &sharp) > 20 * sharpness(64, 64, &soft));
        assert_eq!(sharpness(2, 2, &[0; 12]), 0);
    }
}
