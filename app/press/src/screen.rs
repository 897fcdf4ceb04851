//! Pictures of pages for the screen. The page comes from the same theme as the print file; only the photos are
//! smaller: each is cut and scaled to the pixels its frame has, before Typst sees it.

mod layer;

use std::sync::LazyLock;

use domain::document::{Crop, Document, Element, Page, Rect, Trim, seen_from};
use domain::ids::{FileDigest, PhotoId};
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use photo::{Resizer, resize, to_srgb};
use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};
use serde::Serialize;
use typst::foundations::Bytes;
use typst::utils::hash128;
use typst_layout::PagedDocument;
use typst_render::RenderOptions;

use crate::error::PressError;
use crate::sheet::{MAX_TRIM_MM, Picture, Pixels, Sheet, Shown, check};
use crate::world::typeset;

pub use layer::{Dress, Grounds, LAYER_MARGIN_MM, Look, Role, Stroke};
pub(crate) use layer::{element_lines, element_picture, looks};

/// The quality of page pictures: text edges stay clean, and a page of photos stays small.
const WEBP_QUALITY: f32 = 82.0;
/// How long the encoder searches, 0 to 6. Somebody waits for the picture.
const EFFORT: u8 = 1;
/// The narrowest page picture.
pub(crate) const MIN_WIDTH: u32 = 16;
/// The widest.
pub(crate) const MAX_WIDTH: u32 = 4096;
/// How many times finer a page with turned pictures is drawn before it is brought to its size, and the widest page for
/// which there is memory.
const FINER: u32 = 2;
const MOST_FINER: u32 = 2048;
/// The highest picture WebP can hold.
const MAX_HEIGHT: f64 = 16_383.0;
/// How far a frame may reach past the bleed and still be developed whole, in mm: its edges are rounded.
const EDGE_MM: f64 = 1.0;
/// How many times photos may cover a page. Typst keeps a picture of each in the pixels that it is drawn with, however few
/// it comes with, so that one more is left out. In layouts they never overlap.
const MOST_LAYERS: f64 = 8.0;
/// Pixels that all photos of a proof may have: twice those of the longest book that can be bound.
const MOST_PIXELS: u64 = 1 << 30;

/// One of a document's pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageRef {
    /// The front cover.
    Cover,
    /// An inner page, counted from 0.
    Inner(usize),
}

impl PageRef {
    /// The page of a document.
    pub(crate) fn of(self, document: &Document) -> Result<&Page, PressError> {
        match self {
            Self::Cover => Ok(&document.cover),
            Self::Inner(index) => document.pages.get(index).ok_or(PressError::Page(index)),
        }
    }
}

/// Where the screen's photos come from.
pub trait Proxies {
    /// A derivative of a photo: JPEG, PNG or WebP bytes, already upright, with a long side of at least `long_side`
    /// pixels if there is such a one. Where there is none (yet), the frame is shown empty.
    fn proxy(&self, photo: &PhotoId, long_side: u32) -> Option<Vec<u8>>;

    /// The picture of a PDF's page, counted from 1, likewise.
    fn pdf_page(&self, _file: &FileDigest, _page: u32) -> Option<Vec<u8>> {
        None
    }

    /// A PDF itself, for books to read; where it is not given, they show the pictures of its pages.
    fn pdf(&self, _file: &FileDigest) -> Option<Vec<u8>> {
        None
    }
}

/// A picture of one trimmed page as WebP, `width_px` pixels wide.
pub(crate) fn page_picture(
    document: &Document,
    page: PageRef,
    proxies: &dyn Proxies,
    width_px: u32,
) -> Result<Vec<u8>, PressError> {
    let drawn = draw(document, page, proxies, width_px)?;
    photo::encode(&drawn.data, drawn.width, drawn.height, WEBP_QUALITY, EFFORT).ok_or_else(not_encoded)
}

/// The pixels of one trimmed page.
pub(crate) fn draw(
    document: &Document,
    page: PageRef,
    proxies: &dyn Proxies,
    width_px: u32,
) -> Result<photo::Pixels, PressError> {
    let side = page.of(document)?;
    check(document, [side])?;
    let width_px = width_px.clamp(MIN_WIDTH, MAX_WIDTH);
    let pixels_per_mm = f64::from(width_px) / document.trim.width;
    if document.trim.height * pixels_per_mm > MAX_HEIGHT {
        return Err(PressError::Document("the page is too high for a picture of this width".to_owned()));
    }

    let mut darkroom = Darkroom::of_page(proxies, pixels_per_mm, document.trim);
    let sheet = Sheet::new(document, [side], |shown| darkroom.develop(shown))?;
    let finer = if has_turned_pictures(side) && width_px <= MOST_FINER { FINER } else { 1 };
    let drawn = rendered(&typeset(&sheet, darkroom.pictures)?, width_px * finer)?;
    if finer == 1 {
        return Ok(drawn);
    }
    let (width, height) = (drawn.width / finer, drawn.height / finer);
    resize(&mut Resizer::new(), &drawn, None, width, height)
        .map_err(|refusal| PressError::Typesetting(refusal.to_string()))
}

/// The pixels of the first typeset page.
pub(crate) fn rendered(typeset: &PagedDocument, width_px: u32) -> Result<photo::Pixels, PressError> {
    let page =
        typeset.pages().first().ok_or_else(|| PressError::Typesetting("no page came out".to_owned()))?;
    let pixel_per_pt = f64::from(width_px) / page.frame.width().to_pt();
    let options = RenderOptions { pixel_per_pt: pixel_per_pt.into(), render_bleed: false };
    let pixmap = typst_render::render(page, &options);
    // The paper is opaque, and so is everything on it: the alpha channel says nothing.
    let data = pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let (width, height) = (pixmap.width(), pixmap.height());
    Ok(photo::Pixels { width, height, channels: photo::Channels::Rgb, data, profile: None })
}

pub(crate) fn not_encoded() -> PressError {
    PressError::Typesetting("the picture could not be encoded".to_owned())
}

/// Whether there is a picture whose pixels lie across those of the page: Typst then takes the nearest one for each.
fn has_turned_pictures(page: &Page) -> bool {
    let is_picture = |element: &Element| matches!(element, Element::Photo(_) | Element::Pdf(_));
    page.elements.iter().any(|element| is_picture(element) && element.common().rotation % 90.0 != 0.0)
}

/// Cuts and scales photos and pictures of PDF pages to the pixels that their frames have. What lies off the page is never
/// developed: a frame may be far larger than the page.
pub(crate) struct Darkroom<'a> {
    proxies: &'a dyn Proxies,
    pixels_per_mm: f64,
    /// What can be seen, from the page's corner, in mm.
    seen: Rect,
    /// Pixels that may still be developed.
    left: u64,
    pub pictures: Vec<Bytes>,
}

/// The part of a frame that is developed.
struct Visible {
    /// Where it lies, seen from its frame.
    place: Rect,
    /// The part of the photo that fills it.
    crop: Crop,
    size: Pixels,
}

impl<'a> Darkroom<'a> {
    /// For all pages of a book.
    pub fn new(proxies: &'a dyn Proxies, pixels_per_mm: f64) -> Self {
        let seen = seen(Trim { width: MAX_TRIM_MM, height: MAX_TRIM_MM });
        Self { proxies, pixels_per_mm, seen, left: MOST_PIXELS, pictures: Vec::new() }
    }

    /// For one page of this size.
    fn of_page(proxies: &'a dyn Proxies, pixels_per_mm: f64, trim: Trim) -> Self {
        let seen = seen(trim);
        let pixels = seen.width * pixels_per_mm * seen.height * pixels_per_mm;
        Self { seen, left: (MOST_LAYERS * pixels) as u64, ..Self::new(proxies, pixels_per_mm) }
    }

    pub fn develop(&mut self, shown: Shown) -> Result<Option<Picture>, PressError> {
        let Some(part) = self.visible(shown) else { return Ok(None) };
        let Some(derivative) = self.derivative(shown, &part) else { return Ok(None) };
        let (Crop { x, y, width, height }, size) = (part.crop, part.size);
        let key = hash128(&(&derivative, [x, y, width, height].map(f64::to_bits), size.width, size.height));
        let rgb = match CUTS.get(&key) {
            Some(rgb) => rgb,
            None => {
                let Some(rgb) = cut(&derivative, shown, &part)?.map(Bytes::new) else { return Ok(None) };
                CUTS.insert(key, rgb.clone());
                rgb
            }
        };
        self.pictures.push(rgb);
        Ok(Some(self.last(shown, &part, Some(size))))
    }

    /// The same as a JPEG, for files that people send each other.
    pub fn develop_jpeg(&mut self, shown: Shown, quality: u8) -> Result<Option<Picture>, PressError> {
        let Some(part) = self.visible(shown) else { return Ok(None) };
        let Some(derivative) = self.derivative(shown, &part) else { return Ok(None) };
        let Some(rgb) = cut(&derivative, shown, &part)? else { return Ok(None) };
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, quality)
            .encode(&rgb, part.size.width, part.size.height, ExtendedColorType::Rgb8)
            .map_err(|error| shown.unreadable(&error))?;
        self.pictures.push(Bytes::new(jpeg));
        Ok(Some(self.last(shown, &part, None)))
    }

    /// The picture that was developed last.
    fn last(&self, shown: Shown, part: &Visible, pixels: Option<Pixels>) -> Picture {
        let cut = Picture::cut(self.pictures.len() - 1, shown.frame(), pixels);
        Picture { place: part.place, ..cut }
    }

    /// What is developed for a frame, with the pixels that it has; nothing where it lies beside the page, or photos cover the
    /// page too often already.
    fn visible(&mut self, shown: Shown) -> Option<Visible> {
        let (frame, crop) = (shown.frame(), shown.crop());
        let seen = seen_from(frame, shown.rotation(), &self.seen);
        let along = |from: f64, size: f64, seen: f64, length: f64| {
            let start = (seen - from).max(0.0);
            let end = (seen + length - from).min(size);
            (end > start).then_some((start, end - start))
        };
        let (x, width) = along(frame.x, frame.width, seen.x, seen.width)?;
        let (y, height) = along(frame.y, frame.height, seen.y, seen.height)?;
        let crop = Crop {
            x: crop.x + x / frame.width * crop.width,
            y: crop.y + y / frame.height * crop.height,
            width: width / frame.width * crop.width,
            height: height / frame.height * crop.height,
        };
        let side = |mm: f64| (mm * self.pixels_per_mm).ceil().clamp(1.0, f64::from(2 * MAX_WIDTH)) as u32;
        let size = Pixels { width: side(width), height: side(height) };
        self.left = self.left.checked_sub(u64::from(size.width) * u64::from(size.height))?;
        Some(Visible { place: Rect { x, y, width, height }, crop, size })
    }

    /// The file with enough pixels for a part of a frame.
    fn derivative(&self, shown: Shown, part: &Visible) -> Option<Vec<u8>> {
        match shown {
            Shown::Photo(photo) => {
                let whole = |pixels: u32, share: f64| (f64::from(pixels) / share.max(0.01)) as u32;
                let Visible { crop, size, .. } = part;
                let long_side = whole(size.width, crop.width).max(whole(size.height, crop.height));
                self.proxies.proxy(&photo.photo, long_side)
            }
            Shown::Pdf(pdf) => self.proxies.pdf_page(&pdf.file, pdf.page),
        }
    }
}

/// A page with its bleed, and a little more.
fn seen(trim: Trim) -> Rect {
    let Rect { x, y, width, height } = trim.with_bleed();
    Rect { x: x - EDGE_MM, y: y - EDGE_MM, width: width + 2.0 * EDGE_MM, height: height + 2.0 * EDGE_MM }
}

/// What a part of a frame shows of a derivative, sRGB. One that cannot be read is as good as none: the page is shown, the
/// frame stays empty.
fn cut(derivative: &[u8], shown: Shown, part: &Visible) -> Result<Option<Vec<u8>>, PressError> {
    let Some(source) = photo::read_derivative(derivative) else { return Ok(None) };
    let Visible { crop, size, .. } = part;
    let (width, height) = (f64::from(source.width), f64::from(source.height));
    let (left, top) = (crop.x.clamp(0.0, 1.0) * width, crop.y.clamp(0.0, 1.0) * height);
    let across = (crop.width * width).min(width - left);
    let down = (crop.height * height).min(height - top);
    let part = Some((left, top, across, down));
    let cut = resize(&mut Resizer::new(), &source, part, size.width, size.height)
        .map_err(|reason| shown.unreadable(&reason))?;
    Ok(Some(to_srgb(cut).data))
}

/// What was cut last, by its derivative, crop and size: after an edit most of a page is as it was, and reading a photo
/// takes longer than everything else.
static CUTS: LazyLock<Cache<u128, Bytes, ByBytes>> = LazyLock::new(|| {
    // in one piece, since one cut may be a tenth of it
    let options = OptionsBuilder::new()
        .shards(1)
        .estimated_items_capacity(64)
        .weight_capacity(CUTS_BYTES)
        .build()
        .expect("all options are set");
    Cache::with_options(options, ByBytes, Default::default(), Default::default())
});

/// The most memory for [`CUTS`].
const CUTS_BYTES: u64 = 48 << 20;

#[derive(Clone)]
struct ByBytes;

impl Weighter<u128, Bytes> for ByBytes {
    fn weight(&self, _: &u128, cut: &Bytes) -> u64 {
        cut.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use domain::document::PhotoFrame;

    use super::*;

    /// One photo, whichever is asked for.
    struct One(Vec<u8>);

    impl Proxies for One {
        fn proxy(&self, _: &PhotoId, _: u32) -> Option<Vec<u8>> {
            Some(self.0.clone())
        }
    }

    impl One {
        fn grey() -> Self {
            let mut jpeg = Vec::new();
            JpegEncoder::new(&mut jpeg)
                .encode(&[128; 48 * 32 * 3], 48, 32, ExtendedColorType::Rgb8)
                .expect("a JPEG");
            Self(jpeg)
        }
    }

    const TRIM: Trim = Trim { width: 210.0, height: 210.0 };
    /// A page is 630 pixels wide.
    const PIXELS_PER_MM: f64 = 3.0;

    fn frame(x: f64, y: f64, width: f64, height: f64) -> PhotoFrame {
        let photo = "one".parse().expect("a photo id");
        PhotoFrame::new(photo, Rect { x, y, width, height }, Crop::WHOLE)
    }

    fn developed(darkroom: &mut Darkroom, frame: &PhotoFrame) -> Option<Picture> {
        darkroom.develop(Shown::Photo(frame)).expect("a readable photo")
    }

    #[test]
    fn of_a_frame_larger_than_the_page_only_the_page_is_developed() {
        let photo = One::grey();
        let mut darkroom = Darkroom::of_page(&photo, PIXELS_PER_MM, TRIM);
        let picture = developed(&mut darkroom, &frame(-4000.0, -100.0, 9000.0, 400.0)).expect("a picture");
        assert_eq!(picture.place, Rect { x: 3996.0, y: 96.0, width: 218.0, height: 218.0 });
        assert_eq!(darkroom.pictures[0].len(), 3 * 654 * 654);
        assert!(developed(&mut darkroom, &frame(300.0, 0.0, 100.0, 100.0)).is_none(), "beside the page");
    }

    #[test]
    fn of_a_turned_frame_what_can_be_seen_is_developed() {
        let photo = One::grey();
        let mut darkroom = Darkroom::of_page(&photo, PIXELS_PER_MM, TRIM);
        // on its side it stands upright on the page, and reaches 100 mm past its lower edge
        let mut turned = frame(5.0, 110.0, 200.0, 100.0);
        turned.common.rotation = 90.0;
        turned.frame.y += 54.0;
        let picture = developed(&mut darkroom, &turned).expect("a picture");
        assert_eq!(picture.place, Rect { x: 0.0, y: 0.0, width: 100.0, height: 100.0 });
        turned.frame.y += 400.0;
        assert!(developed(&mut darkroom, &turned).is_none(), "beside the page");
    }

    #[test]
    fn what_ends_at_the_bleed_is_developed_whole() {
        let photo = One::grey();
        let mut darkroom = Darkroom::of_page(&photo, PIXELS_PER_MM, TRIM);
        let (x, width) = (-3.004, 216.007);
        let picture = developed(&mut darkroom, &frame(x, 20.0, width, 0.1)).expect("a picture");
        assert_eq!(picture.place, Rect { x: 0.0, y: 0.0, width, height: 0.1 });
        assert_eq!(darkroom.pictures[0].len(), 3 * 649);
    }

    #[test]
    fn photos_on_photos_take_no_more_than_a_few_pages() {
        let photo = One::grey();
        let mut darkroom = Darkroom::of_page(&photo, PIXELS_PER_MM, TRIM);
        let whole = frame(-3.0, -3.0, 216.0, 216.0);
        let count = (0..30).filter(|_| developed(&mut darkroom, &whole).is_some()).count();
        assert_eq!(count, 8);
        assert_eq!(darkroom.pictures.len(), count);
    }
}
