//! Decoded photos: cut, scaled, turned.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, RgbImage};

use super::PhotoRefusal;
use super::decode::{Channels, Pixels};

/// A part of a photo in pixels, which may be fractions: left, top, width, height.
pub(crate) type Part = (f64, f64, f64, f64);

/// A part of a photo, or all of it, scaled to exactly `width` × `height`.
pub(crate) fn resize(
    resizer: &mut Resizer,
    pixels: &Pixels,
    part: Option<Part>,
    width: u32,
    height: u32,
) -> Result<Pixels, PhotoRefusal> {
    let kind = match pixels.channels {
        Channels::Grey => PixelType::U8,
        Channels::Rgb => PixelType::U8x3,
        Channels::Cmyk => PixelType::U8x4,
    };
    // Inks are no opacity: nothing is to be multiplied.
    let mut options =
        ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false);
    if let Some((left, top, across, down)) = part {
        options = options.crop(left, top, across, down);
    }
    let source =
        ImageRef::new(pixels.width, pixels.height, &pixels.data, kind).map_err(|_| PhotoRefusal::Damaged)?;
    let mut target = Image::new(width, height, kind);
    resizer.resize(&source, &mut target, &options).map_err(|_| PhotoRefusal::Damaged)?;
    let (channels, profile) = (pixels.channels, pixels.profile.clone());
    Ok(Pixels { width, height, channels, data: target.into_vec(), profile })
}

/// Turned as EXIF says (2.32, 4.6.4.A): 1 to 8, anything else counts as 1. Grey or RGB.
pub(crate) fn turn(pixels: Pixels, orientation: u8) -> Result<Pixels, PhotoRefusal> {
    let (width, height, channels) = (pixels.width, pixels.height, pixels.channels);
    let image = match channels {
        Channels::Grey => GrayImage::from_raw(width, height, pixels.data).map(DynamicImage::ImageLuma8),
        Channels::Rgb => RgbImage::from_raw(width, height, pixels.data).map(DynamicImage::ImageRgb8),
        Channels::Cmyk => None,
    };
    let mut image = image.ok_or(PhotoRefusal::Damaged)?;
    image.apply_orientation(Orientation::from_exif(orientation).unwrap_or(Orientation::NoTransforms));
    let (width, height) = (image.width(), image.height());
    Ok(Pixels { width, height, channels, data: image.into_bytes(), profile: pixels.profile })
}
