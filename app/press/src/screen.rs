//! Pictures of pages for the screen. The page comes from the same theme as the print file; only the photos are
//! smaller: each is cut and scaled to the pixels its frame has, before Typst sees it.

use std::sync::LazyLock;

use domain::document::{Crop, Document};
use domain::ids::{FileDigest, PhotoId};
use fast_image_resize::Resizer;
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};
use serde::Serialize;
use typst::foundations::Bytes;
use typst::utils::hash128;
use typst_render::RenderOptions;

use crate::error::PressError;
use crate::photo::{self, resize, to_srgb};
use crate::sheet::{Picture, Pixels, Sheet, Shown, check};
use crate::world::typeset;

/// The quality of page pictures: text edges stay clean, and a page of photos stays small.
const WEBP_QUALITY: f32 = 82.0;
/// How long the encoder searches, 0 to 6. Somebody waits for the picture.
const EFFORT: i32 = 1;
/// The widest page picture.
const MAX_WIDTH: u32 = 4096;
/// The highest picture WebP can hold.
const MAX_HEIGHT: f64 = 16_383.0;

/// One of a document's pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageRef {
    /// The front cover.
    Cover,
    /// An inner page, counted from 0.
    Inner(usize),
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
}

/// A picture of one trimmed page as WebP, `width_px` pixels wide.
pub(crate) fn page_picture(
    document: &Document,
    page: PageRef,
    proxies: &dyn Proxies,
    width_px: u32,
) -> Result<Vec<u8>, PressError> {
    let side = match page {
        PageRef::Cover => &document.cover,
        PageRef::Inner(index) => document.pages.get(index).ok_or(PressError::Page(index))?,
    };
    check(document, [side])?;
    let width_px = width_px.clamp(16, MAX_WIDTH);
    let pixels_per_mm = f64::from(width_px) / document.trim.width;
    if document.trim.height * pixels_per_mm > MAX_HEIGHT {
        return Err(PressError::Document("the page is too high for a picture of this width".to_owned()));
    }

    let mut darkroom = Darkroom::new(proxies, pixels_per_mm);
    let sheet = Sheet::new(document, [side], |shown| darkroom.develop(shown))?;
    let typeset = typeset(&sheet, darkroom.pictures)?;
    let page =
        typeset.pages().first().ok_or_else(|| PressError::Typesetting("no page came out".to_owned()))?;

    let pixel_per_pt = f64::from(width_px) / page.frame.width().to_pt();
    let options = RenderOptions { pixel_per_pt: pixel_per_pt.into(), render_bleed: false };
    let pixmap = typst_render::render(page, &options);
    // The paper is opaque, and so is everything on it: the alpha channel says nothing.
    let rgb: Vec<u8> =
        pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    photo::encode(&rgb, pixmap.width(), pixmap.height(), WEBP_QUALITY, EFFORT)
        .map_err(|error| PressError::Typesetting(format!("the picture could not be encoded: {error}")))
}

/// Cuts and scales photos and pictures of PDF pages to the pixels that their frames have.
pub(crate) struct Darkroom<'a> {
    proxies: &'a dyn Proxies,
    pixels_per_mm: f64,
    pub pictures: Vec<Bytes>,
}

impl<'a> Darkroom<'a> {
    pub fn new(proxies: &'a dyn Proxies, pixels_per_mm: f64) -> Self {
        Self { proxies, pixels_per_mm, pictures: Vec::new() }
    }

    fn develop(&mut self, shown: Shown) -> Result<Option<Picture>, PressError> {
        let size = self.size(shown);
        let Some(derivative) = self.derivative(shown, size) else { return Ok(None) };
        let Crop { x, y, width, height } = *shown.crop();
        let key = hash128(&(&derivative, [x, y, width, height].map(f64::to_bits), size.width, size.height));
        let rgb = match CUTS.get(&key) {
            Some(rgb) => rgb,
            None => {
                let Some(rgb) = cut(&derivative, shown, size)?.map(Bytes::new) else { return Ok(None) };
                CUTS.insert(key, rgb.clone());
                rgb
            }
        };
        self.pictures.push(rgb);
        Ok(Some(Picture::cut(self.pictures.len() - 1, shown.frame(), Some(size))))
    }

    /// The same as a JPEG, for files that people send each other.
    pub fn develop_jpeg(&mut self, shown: Shown, quality: u8) -> Result<Option<Picture>, PressError> {
        let size = self.size(shown);
        let Some(derivative) = self.derivative(shown, size) else { return Ok(None) };
        let Some(rgb) = cut(&derivative, shown, size)? else { return Ok(None) };
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, quality)
            .encode(&rgb, size.width, size.height, ExtendedColorType::Rgb8)
            .map_err(|error| shown.unreadable(&error))?;
        self.pictures.push(Bytes::new(jpeg));
        Ok(Some(Picture::cut(self.pictures.len() - 1, shown.frame(), None)))
    }

    /// The pixels that a frame has.
    fn size(&self, shown: Shown) -> Pixels {
        // A frame may be far larger than the page; nobody needs more pixels than twice the widest picture.
        let side = |mm: f64| (mm * self.pixels_per_mm).ceil().clamp(1.0, f64::from(2 * MAX_WIDTH)) as u32;
        Pixels { width: side(shown.frame().width), height: side(shown.frame().height) }
    }

    /// The file with enough pixels for a frame.
    fn derivative(&self, shown: Shown, size: Pixels) -> Option<Vec<u8>> {
        match shown {
            Shown::Photo(photo) => {
                let whole = |pixels: u32, share: f64| (f64::from(pixels) / share.max(0.01)) as u32;
                let crop = &photo.crop;
                let long_side = whole(size.width, crop.width).max(whole(size.height, crop.height));
                self.proxies.proxy(&photo.photo, long_side)
            }
            Shown::Pdf(pdf) => self.proxies.pdf_page(&pdf.file, pdf.page),
        }
    }
}

/// What a frame shows of a derivative, sRGB. One that cannot be read is as good as none: the page is shown, the frame
/// stays empty.
fn cut(derivative: &[u8], shown: Shown, size: Pixels) -> Result<Option<Vec<u8>>, PressError> {
    let Some(source) = photo::read_derivative(derivative) else { return Ok(None) };
    let crop = shown.crop();
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
