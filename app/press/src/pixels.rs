//! Decoded photos: reading, cutting, scaling, colours. Eight bits, grey or RGB, no transparency; paper has none.

use std::io::{BufRead, Seek};

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{PixelType, ResizeOptions, Resizer};
use image::{DynamicImage, GrayImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbImage};
use moxcms::{ColorProfile, Layout, TransformOptions};

/// The most memory a decoder may take. 60 megapixels, the largest upload, with 16 bits and transparency are 480 MB.
const DECODER_MEMORY: u64 = 768 << 20;

/// A photo in memory.
pub(crate) struct Photo {
    /// `ImageLuma8` or `ImageRgb8`.
    pub pixels: DynamicImage,
    /// Its embedded colour profile, when that is for the kind of pixels it now has.
    pub profile: Option<Vec<u8>>,
}

/// Decodes a photo as it is stored; its orientation is left alone. Transparent parts become white.
pub(crate) fn decode(source: impl BufRead + Seek, format: Option<ImageFormat>) -> image::ImageResult<Photo> {
    let mut reader = match format {
        Some(format) => ImageReader::with_format(source, format),
        None => ImageReader::new(source).with_guessed_format()?,
    };
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODER_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let profile = decoder.icc_profile().ok().flatten();
    let pixels = flatten(DynamicImage::from_decoder(decoder)?);
    let profile =
        profile.filter(|icc| profile_channels(icc) == Some(usize::from(pixels.color().channel_count())));
    Ok(Photo { pixels, profile })
}

fn flatten(pixels: DynamicImage) -> DynamicImage {
    let over_white = |value: u8, alpha: u8| {
        let (value, alpha) = (u32::from(value), u32::from(alpha));
        // Never over 255: a weighted mean of two bytes.
        ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    let colour = pixels.color();
    match (colour.has_color(), colour.has_alpha()) {
        (true, false) => DynamicImage::ImageRgb8(pixels.into_rgb8()),
        (false, false) => DynamicImage::ImageLuma8(pixels.into_luma8()),
        (true, true) => {
            let rgba = pixels.into_rgba8();
            let mut rgb = RgbImage::new(rgba.width(), rgba.height());
            for (to, from) in rgb.pixels_mut().zip(rgba.pixels()) {
                let [red, green, blue, alpha] = from.0;
                to.0 = [red, green, blue].map(|value| over_white(value, alpha));
            }
            DynamicImage::ImageRgb8(rgb)
        }
        (false, true) => {
            let both = pixels.into_luma_alpha8();
            let mut grey = GrayImage::new(both.width(), both.height());
            for (to, from) in grey.pixels_mut().zip(both.pixels()) {
                to.0 = [over_white(from.0[0], from.0[1])];
            }
            DynamicImage::ImageLuma8(grey)
        }
    }
}

/// How many channels an ICC profile is for (ICC.1, 7.2.6: the data colour space at byte 16).
pub(crate) fn profile_channels(icc: &[u8]) -> Option<usize> {
    match icc.get(16..20)? {
        b"GRAY" => Some(1),
        b"RGB " => Some(3),
        b"CMYK" => Some(4),
        _ => None,
    }
}

/// A part of a picture (in pixels, may be fractions: left, top, width, height), scaled to exactly `width` × `height`.
pub(crate) fn scale(
    pixels: &DynamicImage,
    (left, top, across, down): (f64, f64, f64, f64),
    width: u32,
    height: u32,
) -> Result<DynamicImage, String> {
    let kind = if pixels.color().has_color() { PixelType::U8x3 } else { PixelType::U8 };
    let source = ImageRef::new(pixels.width(), pixels.height(), pixels.as_bytes(), kind);
    let source = source.map_err(|error| error.to_string())?;
    let mut target = Image::new(width, height, kind);
    let options = ResizeOptions::new().crop(left, top, across, down);
    Resizer::new().resize(&source, &mut target, &options).map_err(|error| error.to_string())?;
    let bytes = target.into_vec();
    let scaled = match kind {
        PixelType::U8 => GrayImage::from_raw(width, height, bytes).map(DynamicImage::ImageLuma8),
        _ => RgbImage::from_raw(width, height, bytes).map(DynamicImage::ImageRgb8),
    };
    scaled.ok_or_else(|| "the scaled picture has a wrong size".to_owned())
}

/// The pixels as sRGB triples, which is what screens are sent.
pub(crate) fn to_srgb(pixels: DynamicImage, profile: Option<&[u8]>) -> Vec<u8> {
    let rgb = pixels.into_rgb8().into_raw();
    // A grey profile only bends the tone curve; after the step to RGB there is nothing left to apply it to.
    let Some(icc) = profile.filter(|icc| profile_channels(icc) == Some(3)) else { return rgb };
    let converted = ColorProfile::new_from_slice(icc).and_then(|profile| {
        let target = ColorProfile::new_srgb();
        let transform =
            profile.create_transform_8bit(Layout::Rgb, &target, Layout::Rgb, TransformOptions::default())?;
        let mut out = vec![0; rgb.len()];
        transform.transform(&rgb, &mut out)?;
        Ok(out)
    });
    // A broken profile is ignored, as browsers do.
    converted.unwrap_or(rgb)
}
