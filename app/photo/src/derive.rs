//! The served pictures of a photo.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::document::Crop;
use domain::faces::Face;
use domain::look::Look;
use domain::quality::Quality;
use fast_image_resize::Resizer;

use super::decode::{Pixels, decode, decode_into};
use super::faces::Detector;
use super::quality::quality;
use super::subject::subject;
use super::transform::{resize, turn};
use super::{MAX_SCALED_PIXELS, PhotoInfo, PhotoRefusal, colour, look, webp};

/// The long sides of the derivatives in pixels, smallest first (product page, section 3, "Photos").
pub const LONG_SIDES: [u32; 3] = [320, 1280, 2048];

/// WebP quality, 0 to 100: at 80 photographs show no artefacts on a screen.
const QUALITY: f32 = 80.0;
/// How long the encoder searches, 0 to 6, for each of [`LONG_SIDES`]. At 2 files are 2 % larger than at 4, where it
/// takes twice as long; at 1 they are a tenth to a fifth larger.
const EFFORT: [u8; 3] = [4, 2, 2];

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
    /// What it looks like, and how sharp it is.
    pub look: Option<Look>,
    /// The faces in it; nothing where nobody looked.
    pub faces: Option<Vec<Face>>,
    /// How good it is for print.
    pub quality: Option<Quality>,
}

impl Derivatives {
    /// The derivative for one of [`LONG_SIDES`].
    pub fn get(&self, long_side: u32) -> Option<&Derivative> {
        self.sizes.iter().find(|derivative| derivative.long_side == long_side)
    }
}

/// Makes the derivatives of a photo. `original` is the whole file, `info` what [`super::probe`] said of it. A photo in inks
/// without a profile is seen as the press prints it whose profile is `inks`: a file of the International Color Consortium (ICC.1).
/// Faces are looked for by `faces`, where there is one.
///
/// One call uses one thread. Its memory grows with the photo: a JPEG takes 3 bytes a pixel and some 40 MB, a
/// progressive one up to 6 bytes a pixel more, a PNG 3 when it is interlaced and mostly less: see
/// [`super::memory`], by which callers decide how many run at once.
///
/// # Errors
/// A refusal when the pixels are damaged, break off, or are coded in a way that can't be decoded, and when the
/// file isn't the one that `info` describes.
pub fn derive(
    original: &[u8],
    info: &PhotoInfo,
    inks: &[u8],
    faces: Option<&Detector>,
) -> Result<Derivatives, PhotoRefusal> {
    reduce(original, info, inks)?.derive(faces)
}

/// A photo that is no larger than its largest derivative, upright and in sRGB: at most 13 MB, while its original's pixels, which
/// took nearly all of the memory and less than half of the time, are gone.
pub struct Reduced(Pixels);

/// The first half of [`derive`], with all of its memory: whoever counts that can go on with others before the second.
///
/// # Errors
/// Those of [`derive`].
pub fn reduce(original: &[u8], info: &PhotoInfo, inks: &[u8]) -> Result<Reduced, PhotoRefusal> {
    info.check_size(MAX_SCALED_PIXELS)?;
    guarded(|| reduced(original, info, inks).map(Reduced))
}

impl Reduced {
    /// The second half of [`derive`].
    ///
    /// # Errors
    /// An encoder has no memory.
    pub fn derive(self, faces: Option<&Detector>) -> Result<Derivatives, PhotoRefusal> {
        guarded(|| pictures(self.0, faces))
    }
}

/// Decoders meet every kind of broken file. One that trips over its own checks means the same as one that reports an error.
fn guarded<T>(work: impl FnOnce() -> Result<T, PhotoRefusal>) -> Result<T, PhotoRefusal> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(PhotoRefusal::Damaged))
}

/// The most that is kept for the pixels of its next photo, and for scaling it, in bytes: for those of a phone.
const MOST_KEPT: usize = 40 << 20;

/// What photos were decoded and scaled in. Getting as much from the system for each photo costs a twelfth of its time. Each half is
/// kept for as many as had it at once: few photos have their pixels while others are encoded.
#[derive(Default)]
struct Kept {
    pixels: Vec<Vec<u8>>,
    resizers: Vec<Resizer>,
    /// Whether any was asked for since [`rest`] was last called.
    is_busy: bool,
}

static KEPT: Mutex<Kept> = Mutex::new(Kept { pixels: Vec::new(), resizers: Vec::new(), is_busy: false });

fn kept() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take<T: Default>(of: fn(&mut Kept) -> &mut Vec<T>) -> T {
    let mut kept = kept();
    kept.is_busy = true;
    of(&mut kept).pop().unwrap_or_default()
}

fn keep_pixels(pixels: Vec<u8>) {
    if pixels.capacity() <= MOST_KEPT {
        kept().pixels.push(pixels);
    }
}

fn keep_resizer(mut resizer: Resizer) {
    if resizer.size_of_internal_buffers() > MOST_KEPT {
        resizer.reset_internal_buffers();
    }
    kept().resizers.push(resizer);
}

/// Gives back what is kept for the next photo, unless one was derived since this was last called.
pub fn rest() {
    let mut kept = kept();
    if !std::mem::take(&mut kept.is_busy) {
        *kept = Kept::default();
    }
}

fn reduced(original: &[u8], info: &PhotoInfo, inks: &[u8]) -> Result<Pixels, PhotoRefusal> {
    let [.., large] = LONG_SIDES;
    let pixels = take(|kept| &mut kept.pixels);
    let pixels = decode_into(pixels, original, info, spare(info.width.max(info.height), large))?;
    let mut resizer = take(|kept| &mut kept.resizers);
    // Colours are converted and the picture is turned after the first step, when there are fewer pixels.
    let (shrunk, memory) = match shrink(&mut resizer, &pixels, large)? {
        Some(shrunk) => (shrunk, pixels.data),
        None => (pixels, Vec::new()),
    };
    keep_pixels(memory);
    keep_resizer(resizer);
    upright(shrunk, info, inks)
}

/// Each size is made from the next larger one.
fn pictures(photo: Pixels, detector: Option<&Detector>) -> Result<Derivatives, PhotoRefusal> {
    let [small, medium, large] = LONG_SIDES;
    let [small_effort, medium_effort, large_effort] = EFFORT;
    let large = derivative(&photo, large, large_effort)?;
    let mut resizer = take(|kept| &mut kept.resizers);
    let (middle, medium) = smaller(&mut resizer, photo, &large, medium, medium_effort)?;
    let sharpness = look::sharpness(middle.width, middle.height, &middle.data);
    let quality = quality(&mut resizer, &middle);
    let faces = detector.and_then(|detector| detector.faces(&mut resizer, &middle));
    let (least, small) = smaller(&mut resizer, middle, &medium, small, small_effort)?;
    keep_resizer(resizer);
    let subject = subject(least.width, least.height, &least.data);
    let look = look::hash(least.width, least.height, least.data).map(|hash| Look { hash, sharpness });
    Ok(Derivatives { sizes: [small, medium, large], subject, look, faces, quality })
}

/// Makes one picture of the middle of a photo: `side` × `side` pixels, WebP, upright, sRGB, without metadata. Memory
/// and errors are those of [`derive`].
pub fn square(original: &[u8], info: &PhotoInfo, inks: &[u8], side: u32) -> Result<Vec<u8>, PhotoRefusal> {
    info.check_size(MAX_SCALED_PIXELS)?;
    guarded(|| {
        let pixels = decode(original, info, spare(info.width.min(info.height), side))?;
        let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
        let edge = width.min(height);
        let middle = ((width - edge) / 2.0, (height - edge) / 2.0, edge, edge);
        // the middle is the middle however the photo is turned
        let pixels = resize(&mut Resizer::new(), &pixels, Some(middle), side, side)?;
        derivative(&upright(pixels, info, inks)?, side, EFFORT[0]).map(|derivative| derivative.webp)
    })
}

/// How many pixels in a row may be averaged so that twice as many are left as are asked for: what a good filter then
/// makes of them looks as if it had seen them all.
fn spare(pixels: u32, asked: u32) -> u32 {
    (pixels / (2 * asked)).max(1)
}

/// The pixels in sRGB, turned as the photo says.
fn upright(pixels: Pixels, info: &PhotoInfo, inks: &[u8]) -> Result<Pixels, PhotoRefusal> {
    turn(colour::to_srgb_with(pixels, inks), info.orientation)
}

/// Pixels whose long side is `long_side`; nothing where it is no longer as it is.
fn shrink(resizer: &mut Resizer, pixels: &Pixels, long_side: u32) -> Result<Option<Pixels>, PhotoRefusal> {
    let (width, height) = fitted(pixels.width, pixels.height, long_side);
    if (width, height) == (pixels.width, pixels.height) {
        return Ok(None);
    }
    resize(resizer, pixels, None, width, height).map(Some)
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

/// The next smaller derivative, and its pixels. A photo that is no larger is the same picture again.
fn smaller(
    resizer: &mut Resizer,
    pixels: Pixels,
    larger: &Derivative,
    long_side: u32,
    effort: u8,
) -> Result<(Pixels, Derivative), PhotoRefusal> {
    let Some(pixels) = shrink(resizer, &pixels, long_side)? else {
        return Ok((pixels, Derivative { long_side, ..larger.clone() }));
    };
    let derivative = derivative(&pixels, long_side, effort)?;
    Ok((pixels, derivative))
}

fn derivative(pixels: &Pixels, long_side: u32, effort: u8) -> Result<Derivative, PhotoRefusal> {
    let (width, height) = (pixels.width, pixels.height);
    let webp = webp::encode(&pixels.data, width, height, QUALITY, effort).ok_or(PhotoRefusal::Unreadable)?;
    Ok(Derivative { long_side, width, height, webp })
}
