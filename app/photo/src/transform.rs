//! Decoded photos: cut, scaled, turned.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x3, U8x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, RgbImage};

use super::PhotoRefusal;
use super::decode::{Channels, Pixels};

/// A part of a photo in pixels, which may be fractions: left, top, width, height.
pub type Part = (f64, f64, f64, f64);

/// A part of a photo, or all of it, scaled to exactly `width` × `height`.
pub fn resize(
    resizer: &mut Resizer,
    pixels: &Pixels,
    part: Option<Part>,
    width: u32,
    height: u32,
) -> Result<Pixels, PhotoRefusal> {
    // Inks are no opacity: nothing is to be multiplied.
    let mut options =
        ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false);
    if let Some((left, top, across, down)) = part {
        options = options.crop(left, top, across, down);
    }
    // Of the kinds of pixels that the library scales these three are built: all would be half of this crate's machine code.
    let data = match pixels.channels {
        Channels::Grey => scaled::<U8>(resizer, pixels, width, height, &options),
        Channels::Rgb => scaled::<U8x3>(resizer, pixels, width, height, &options),
        Channels::Cmyk => scaled::<U8x4>(resizer, pixels, width, height, &options),
    }
    .ok_or(PhotoRefusal::Damaged)?;
    Ok(Pixels { width, height, channels: pixels.channels, data, profile: pixels.profile.clone() })
}

/// The bytes of the scaled pixels; nothing where the source is less than it says, or the part is outside of it.
fn scaled<P: PixelTrait>(
    resizer: &mut Resizer,
    pixels: &Pixels,
    width: u32,
    height: u32,
    options: &ResizeOptions,
) -> Option<Vec<u8>> {
    let source = TypedImageRef::<P>::from_buffer(pixels.width, pixels.height, &pixels.data).ok()?;
    let mut data = vec![0; width as usize * height as usize * size_of::<P>()];
    let mut target = TypedImage::<P>::from_buffer(width, height, &mut data).ok()?;
    resizer.resize_typed(&source, &mut target, options).ok()?;
    Some(data)
}

/// Turned as EXIF says (2.32, 4.6.4.A): 1 to 8, anything else counts as 1. Grey or RGB.
pub fn turn(pixels: Pixels, orientation: u8) -> Result<Pixels, PhotoRefusal> {
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
