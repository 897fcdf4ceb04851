//! Pictures of a PDF's pages, which the screen shows in their place.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{RenderCache, RenderSettings};
use hayro_syntax::Pdf;
use photo::{Channels, Pixels, encode};

use super::inspect::{PdfRefusal, open};

/// The long side of a page's picture in pixels: as fine as the largest of a photo's.
pub const LONG_SIDE: u16 = 2048;
/// Thin strokes of small characters stay clean.
const WEBP_QUALITY: f32 = 88.0;
/// How long the encoder searches, 0 to 6: as for photos of this size, since readers are sent other pictures made of it.
const EFFORT: u8 = 2;

/// Draws pages, counted from 1, one after the other, and hands each over as WebP; as long as `go_on` is told so.
///
/// # Errors
/// The file can't be read, or has no such page.
pub fn draw<E: From<PdfRefusal>>(
    bytes: &[u8],
    pages: impl IntoIterator<Item = u32>,
    mut hand_over: impl FnMut(u32, Vec<u8>) -> Result<bool, E>,
) -> Result<(), E> {
    let pdf = open(bytes)?;
    let cache = RenderCache::new();
    for number in pages {
        let Pixels { width, height, data, .. } = drawn(&pdf, &cache, number, LONG_SIDE)?;
        let webp = encode(&data, width, height, WEBP_QUALITY, EFFORT).ok_or(PdfRefusal::Broken)?;
        if !hand_over(number, webp)? {
            break;
        }
    }
    Ok(())
}

/// One page, counted from 1, as sRGB pixels; its long side in pixels is given.
pub(crate) fn draw_page(bytes: &[u8], number: u32, long_side: u16) -> Result<Pixels, PdfRefusal> {
    drawn(&open(bytes)?, &RenderCache::new(), number, long_side)
}

fn drawn<'a>(
    pdf: &'a Pdf,
    cache: &RenderCache<'a>,
    number: u32,
    long_side: u16,
) -> Result<Pixels, PdfRefusal> {
    let settings = InterpreterSettings { render_annotations: false, ..InterpreterSettings::default() };
    let page = number.checked_sub(1).and_then(|index| pdf.pages().get(index as usize));
    let page = page.ok_or(PdfRefusal::Broken)?;
    let (width, height) = page.render_dimensions();
    let scale = f32::from(long_side) / width.max(height);
    let pixels = |side: f32| (side * scale).round().clamp(1.0, f32::from(long_side)) as u16;
    let (across, down) = (pixels(width), pixels(height));
    let how = RenderSettings {
        x_scale: f32::from(across) / width,
        y_scale: f32::from(down) / height,
        width: Some(across),
        height: Some(down),
        bg_color: WHITE,
    };
    let picture = hayro::render(page, cache, &settings, &how);
    // the paper is white and opaque, so the alpha channel says nothing
    let data = picture.data().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
    Ok(Pixels { width: across.into(), height: down.into(), channels: Channels::Rgb, data, profile: None })
}
