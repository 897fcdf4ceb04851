//! A page's picture in several widths, each in the format that shows it in the fewest bytes.

use domain::document::Document;
use photo::{Pixels, Resizer, encode, progressive_jpeg, resize};

use super::palette;
use crate::error::PressError;
use crate::screen::{MAX_WIDTH, MIN_WIDTH, PageRef, Proxies, draw, not_encoded};

/// Up to this width, pictures are made smaller from one of it: whatever else is asked for, a width gives the same bytes.
const DRAWN_WIDTH: u32 = 1440;
/// How long the WebP encoder searches, 0 to 6: pictures are made once and sent often.
const EFFORT: u8 = 4;
/// How long it searches where all that matters is whether another format is better.
const GLANCE: u8 = 1;
/// The WebP quality up to a width. The finer the pixels, the less is seen of what each lacks.
const QUALITIES: [(u32, f32); 3] = [(540, 78.0), (1080, 76.0), (MAX_WIDTH, 72.0)];
/// The JPEG quality in files.
const FILE_QUALITY: u8 = 84;
/// The width that a phone on a slow line is sent first, and the bytes that it may have.
const FIRST: (u32, usize) = (360, 45_000);
/// How far the quality goes down for them.
const LEAST_QUALITY: f32 = 48.0;
const QUALITY_STEP: f32 = 10.0;

/// A picture of a page for one width of screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingPicture {
    pub width: u32,
    pub height: u32,
    pub format: PictureFormat,
    pub bytes: Vec<u8>,
}

/// What a picture is coded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureFormat {
    WebP,
    /// With a palette, for pages mostly of text.
    Png,
    /// For programs that know nothing newer.
    Jpeg,
}

impl PictureFormat {
    /// The media type, for `Content-Type`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::WebP => "image/webp",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    /// The usual ending of a file's name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::WebP => "webp",
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }
}

/// One picture for each width, in their order. The page is typeset once, and once more for each width above
/// [`DRAWN_WIDTH`].
pub(crate) fn pictures(
    document: &Document,
    page: PageRef,
    proxies: &dyn Proxies,
    widths: &[u32],
) -> Result<Vec<ReadingPicture>, PressError> {
    let mut drawn: Option<Pixels> = None;
    let mut resizer = Resizer::new();
    let mut picture = |width: u32| {
        let width = width.clamp(MIN_WIDTH, MAX_WIDTH);
        if width > DRAWN_WIDTH {
            return coded(&draw(document, page, proxies, width)?);
        }
        let whole = match &mut drawn {
            Some(whole) => whole,
            none => none.insert(draw(document, page, proxies, DRAWN_WIDTH)?),
        };
        if width == whole.width {
            return coded(whole);
        }
        let height = (f64::from(whole.height) * f64::from(width) / f64::from(whole.width)).round().max(1.0);
        let small = resize(&mut resizer, whole, None, width, height as u32)
            .map_err(|reason| PressError::Typesetting(reason.to_string()))?;
        coded(&small)
    };
    widths.iter().map(|width| picture(*width)).collect()
}

/// A palette where it does: it shows each stroke as it is, for which a WebP of its size would need a quarter more. A WebP of a
/// page of letters that is searched for no longer than [`GLANCE`] is that much larger, in a quarter of the time.
fn coded(pixels: &Pixels) -> Result<ReadingPicture, PressError> {
    let (width, height) = (pixels.width, pixels.height);
    if let Some(png) = palette::png(&pixels.data, width, height) {
        let other = webp(pixels, GLANCE).ok_or_else(not_encoded)?;
        if png.len() <= other.len() {
            return Ok(ReadingPicture { width, height, format: PictureFormat::Png, bytes: png });
        }
    }
    let bytes = webp(pixels, EFFORT).ok_or_else(not_encoded)?;
    Ok(ReadingPicture { width, height, format: PictureFormat::WebP, bytes })
}

/// The picture of a page for files that people open elsewhere.
pub(crate) fn for_files(
    document: &Document,
    page: PageRef,
    proxies: &dyn Proxies,
    width: u32,
) -> Result<ReadingPicture, PressError> {
    let pixels = draw(document, page, proxies, width)?;
    let (width, height) = (pixels.width, pixels.height);
    let jpeg = progressive_jpeg(&pixels, FILE_QUALITY).ok_or_else(not_encoded)?;
    let png = palette::png(&pixels.data, width, height).filter(|png| png.len() < jpeg.len());
    let (format, bytes) = match png {
        Some(png) => (PictureFormat::Png, png),
        None => (PictureFormat::Jpeg, jpeg),
    };
    Ok(ReadingPicture { width, height, format, bytes })
}

fn webp(pixels: &Pixels, effort: u8) -> Option<Vec<u8>> {
    let Pixels { width, height, data, .. } = pixels;
    let quality =
        QUALITIES.iter().find(|(widest, _)| width <= widest).map_or(LEAST_QUALITY, |(_, quality)| *quality);
    let most = if *width <= FIRST.0 { FIRST.1 } else { usize::MAX };
    let mut quality = quality;
    loop {
        let file = encode(data, *width, *height, quality, effort)?;
        if file.len() <= most || quality <= LEAST_QUALITY {
            return Some(file);
        }
        quality -= QUALITY_STEP;
    }
}
