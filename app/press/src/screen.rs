//! Pictures of pages for the screen. The page comes from the same theme as the print file; only the photos are
//! smaller: each is cut and scaled to the pixels its frame has, before Typst sees it.

use std::collections::HashMap;
use std::io::Cursor;

use domain::document::Document;
use domain::ids::{FileDigest, PhotoId};
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use serde::Serialize;
use typst::foundations::Bytes;
use typst_render::RenderOptions;

use crate::error::PressError;
use crate::pixels::{Photo, decode, scale, to_srgb};
use crate::sheet::{Picture, Pixels, Sheet, Shown, check};
use crate::world::typeset;

/// The quality of page pictures: text edges stay clean, and a page of photos stays small.
const WEBP_QUALITY: f32 = 82.0;
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
    /// A derivative of a photo: JPEG, PNG or WebP bytes, already upright. Where there is none (yet), the frame is
    /// shown empty.
    fn proxy(&self, photo: &PhotoId) -> Option<Vec<u8>>;

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
    let webp = webp::Encoder::from_rgb(&rgb, pixmap.width(), pixmap.height())
        .encode_simple(false, WEBP_QUALITY)
        .map_err(|error| PressError::Typesetting(format!("the picture could not be encoded: {error:?}")))?;
    Ok(webp.to_vec())
}

/// Cuts and scales photos and pictures of PDF pages to the pixels that their frames have.
pub(crate) struct Darkroom<'a> {
    proxies: &'a dyn Proxies,
    pixels_per_mm: f64,
    /// What a page shows, so that a photo in two frames is decoded once. Nothing where there is no usable proxy.
    decoded: HashMap<String, Option<Photo>>,
    pub pictures: Vec<Bytes>,
}

impl<'a> Darkroom<'a> {
    pub fn new(proxies: &'a dyn Proxies, pixels_per_mm: f64) -> Self {
        Self { proxies, pixels_per_mm, decoded: HashMap::new(), pictures: Vec::new() }
    }

    fn develop(&mut self, shown: Shown) -> Result<Option<Picture>, PressError> {
        let Some((rgb, size)) = self.cut(shown)? else { return Ok(None) };
        self.pictures.push(Bytes::new(rgb));
        Ok(Some(Picture::cut(self.pictures.len() - 1, shown.frame(), Some(size))))
    }

    /// The same as a JPEG, for files that people send each other.
    pub fn develop_jpeg(&mut self, shown: Shown, quality: u8) -> Result<Option<Picture>, PressError> {
        let Some((rgb, size)) = self.cut(shown)? else { return Ok(None) };
        // a proof has many pages, whose photos are seldom the same
        self.decoded.clear();
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, quality)
            .encode(&rgb, size.width, size.height, ExtendedColorType::Rgb8)
            .map_err(|error| shown.unreadable(&error))?;
        self.pictures.push(Bytes::new(jpeg));
        Ok(Some(Picture::cut(self.pictures.len() - 1, shown.frame(), None)))
    }

    /// What a frame shows, sRGB.
    fn cut(&mut self, shown: Shown) -> Result<Option<(Vec<u8>, Pixels)>, PressError> {
        let name = match shown {
            Shown::Photo(photo) => photo.photo.to_string(),
            // no id has a colon
            Shown::Pdf(pdf) => format!("{}:{}", pdf.file, pdf.page),
        };
        let decoded = self.decoded.entry(name).or_insert_with(|| {
            let bytes = match shown {
                Shown::Photo(photo) => self.proxies.proxy(&photo.photo),
                Shown::Pdf(pdf) => self.proxies.pdf_page(&pdf.file, pdf.page),
            };
            // A derivative that cannot be read is as good as none: the page is shown, the frame stays empty.
            bytes.and_then(|bytes| decode(Cursor::new(bytes), None).ok())
        });
        let Some(source) = decoded else { return Ok(None) };
        let (frame, crop) = (shown.frame(), shown.crop());
        // A frame may be far larger than the page; nobody needs more pixels than twice the widest picture.
        let side = |mm: f64| (mm * self.pixels_per_mm).ceil().clamp(1.0, f64::from(2 * MAX_WIDTH)) as u32;
        let size = Pixels { width: side(frame.width), height: side(frame.height) };

        let (width, height) = (f64::from(source.pixels.width()), f64::from(source.pixels.height()));
        let (left, top) = (crop.x.clamp(0.0, 1.0) * width, crop.y.clamp(0.0, 1.0) * height);
        let across = (crop.width * width).min(width - left);
        let down = (crop.height * height).min(height - top);
        let cut = scale(&source.pixels, (left, top, across, down), size.width, size.height)
            .map_err(|reason| shown.unreadable(&reason))?;
        Ok(Some((to_srgb(cut, source.profile.as_deref()), size)))
    }
}
