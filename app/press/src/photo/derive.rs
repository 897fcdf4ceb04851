//! The served pictures of a photo.

use domain::document::Crop;
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::metadata::Orientation;
use image::{DynamicImage, RgbImage};

use super::decode::{Channels, Pixels, decode};
use super::subject::subject;
use super::{PhotoInfo, PhotoRefusal, colour};

/// The long sides of the derivatives in pixels, smallest first (product page, section 3, "Photos").
pub const LONG_SIDES: [u32; 3] = [320, 1280, 2048];

/// WebP quality, 0 to 100: at 80 photographs show no artefacts on a screen.
const QUALITY: f32 = 80.0;
/// How long the encoder searches, 0 to 6, for each of [`LONG_SIDES`]. At 2 files are 2 % larger than at 4, where it
/// takes twice as long; at 1 they are a tenth to a fifth larger.
const EFFORT: [i32; 3] = [4, 2, 2];

/// One derivative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivative {
    /// The long side it was made for, one of [`LONG_SIDES`].
    pub long_side: u32,
    /// Its real size in pixels: smaller than asked for where the photo is.
    pub width: u32,
    pub height: u32,
    /// A lossy WebP file: upright, sRGB, opaque, without metadata.
    pub webp: Vec<u8>,
}

/// All derivatives of a photo, smallest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivatives {
    pub sizes: [Derivative; 3],
    /// What the photo is about, where something stands out.
    pub subject: Option<Crop>,
}

impl Derivatives {
    /// The derivative for one of [`LONG_SIDES`].
    pub fn get(&self, long_side: u32) -> Option<&Derivative> {
        self.sizes.iter().find(|derivative| derivative.long_side == long_side)
    }
}

/// Makes the derivatives of a photo. `original` is the whole file, `info` what [`super::probe`] said of it.
///
/// One call uses one thread. Its memory grows with the photo: a JPEG takes 3 bytes a pixel and some 40 MB, a
/// progressive one up to 6 bytes a pixel more, a PNG of 16 bits up to 8 in all. So callers run few at once.
///
/// # Errors
/// A refusal when the pixels are damaged, break off, or are coded in a way that can't be decoded, and when the
/// file isn't the one that `info` describes.
pub fn derive(original: &[u8], info: &PhotoInfo) -> Result<Derivatives, PhotoRefusal> {
    info.check_size()?;
    // Decoders meet every kind of broken file. One that trips over its own checks means the same as one that
    // reports an error.
    std::panic::catch_unwind(|| pictures(original, info)).unwrap_or(Err(PhotoRefusal::Damaged))
}

fn pictures(original: &[u8], info: &PhotoInfo) -> Result<Derivatives, PhotoRefusal> {
    let pixels = decode(original, info)?;
    // Each size is made from the next larger one. Colours are converted and the picture is turned after the
    // first step, when there are fewer pixels.
    let mut resizer = Resizer::new();
    let [small, medium, large] = LONG_SIDES;
    let turned = upright(shrink(&mut resizer, pixels, large)?, info)?;

    let [small_effort, medium_effort, large_effort] = EFFORT;
    let large = encode(&turned, large, large_effort)?;
    let middle = shrink(&mut resizer, turned, medium)?;
    let medium = encode(&middle, medium, medium_effort)?;
    let least = shrink(&mut resizer, middle, small)?;
    let small = encode(&least, small, small_effort)?;
    let subject = subject(least.width, least.height, &least.data);
    Ok(Derivatives { sizes: [small, medium, large], subject })
}

/// Makes one picture of the middle of a photo: `side` × `side` pixels, WebP, upright, sRGB, without metadata. Memory
/// and errors are those of [`derive`].
pub fn square(original: &[u8], info: &PhotoInfo, side: u32) -> Result<Vec<u8>, PhotoRefusal> {
    info.check_size()?;
    std::panic::catch_unwind(|| {
        let pixels = decode(original, info)?;
        let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
        let edge = width.min(height);
        let middle = options().crop((width - edge) / 2.0, (height - edge) / 2.0, edge, edge);
        // the middle is the middle however the photo is turned
        let pixels = resize(&mut Resizer::new(), pixels, &middle, side, side)?;
        encode(&upright(pixels, info)?, side, EFFORT[0]).map(|derivative| derivative.webp)
    })
    .unwrap_or(Err(PhotoRefusal::Damaged))
}

/// The pixels in sRGB, turned as the photo says.
fn upright(pixels: Pixels, info: &PhotoInfo) -> Result<Pixels, PhotoRefusal> {
    let orientation = Orientation::from_exif(info.orientation).unwrap_or(Orientation::NoTransforms);
    let (width, height) = (pixels.width, pixels.height);
    let image = RgbImage::from_raw(width, height, colour::to_srgb(pixels)).ok_or(PhotoRefusal::Damaged)?;
    let mut image = DynamicImage::ImageRgb8(image);
    image.apply_orientation(orientation);
    let image = image.into_rgb8();
    let (width, height) = image.dimensions();
    Ok(Pixels { width, height, channels: Channels::Rgb, data: image.into_raw(), profile: None })
}

/// Pixels whose long side is at most `long_side`.
fn shrink(resizer: &mut Resizer, pixels: Pixels, long_side: u32) -> Result<Pixels, PhotoRefusal> {
    let (width, height) = fitted(pixels.width, pixels.height, long_side);
    if (width, height) == (pixels.width, pixels.height) {
        return Ok(pixels);
    }
    resize(resizer, pixels, &options(), width, height)
}

fn options() -> ResizeOptions {
    // Inks are no opacity: nothing is to be multiplied.
    ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false)
}

fn resize(
    resizer: &mut Resizer,
    pixels: Pixels,
    options: &ResizeOptions,
    width: u32,
    height: u32,
) -> Result<Pixels, PhotoRefusal> {
    let kind = match pixels.channels {
        Channels::Grey => PixelType::U8,
        Channels::Rgb => PixelType::U8x3,
        Channels::Cmyk => PixelType::U8x4,
    };
    let source =
        ImageRef::new(pixels.width, pixels.height, &pixels.data, kind).map_err(|_| PhotoRefusal::Damaged)?;
    let mut target = Image::new(width, height, kind);
    resizer.resize(&source, &mut target, options).map_err(|_| PhotoRefusal::Damaged)?;
    Ok(Pixels { width, height, data: target.into_vec(), ..pixels })
}

/// The size with the same shape and a long side of at most `long_side`, at least 1 × 1.
fn fitted(width: u32, height: u32, long_side: u32) -> (u32, u32) {
    let longest = u64::from(width.max(height)).max(1);
    if longest <= u64::from(long_side) {
        return (width, height);
    }
    let scaled = |side: u32| {
        let rounded = (u64::from(side) * u64::from(long_side) + longest / 2) / longest;
        u32::try_from(rounded).unwrap_or(long_side).max(1)
    };
    (scaled(width), scaled(height))
}

fn encode(pixels: &Pixels, long_side: u32, effort: i32) -> Result<Derivative, PhotoRefusal> {
    let (width, height) = (pixels.width, pixels.height);
    let mut config = webp::WebPConfig::new().map_err(|()| PhotoRefusal::Unreadable)?;
    config.quality = QUALITY;
    config.method = effort;
    let encoder = webp::Encoder::from_rgb(&pixels.data, width, height);
    let encoded = encoder.encode_advanced(&config).map_err(|_| PhotoRefusal::Unreadable)?;
    Ok(Derivative { long_side, width, height, webp: encoded.to_vec() })
}
