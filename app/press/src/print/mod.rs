//! Print files: typeset with stand-ins, then written out with the originals in their places.

mod assembly;
mod imposition;
mod inks;
mod metadata;
mod objects;
mod photos;
mod profile;
mod standard;
mod writer;

pub(crate) use metadata::civil;

pub use standard::PrintStandard;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use domain::document::{Document, Page, PdfPage};
use domain::ids::{FileDigest, PhotoId};
use domain::imposition::Booklet;
use fast_image_resize::Resizer;
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use serde::{Deserialize, Serialize};
use typst::foundations::Bytes;
use typst_pdf::{PdfStandard, PdfStandards};

use crate::error::PressError;
use crate::pdf::draw_page;
use crate::photo::{PhotoFormat, resize};
use crate::placeholder;
use crate::sheet::{Picture, Sheet, Shown, SpineWords, check};
use crate::world::{typeset, write_pdf};

/// What is known of an original without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Original {
    /// The kind of file.
    pub format: PhotoFormat,
    /// Pixels across, as stored.
    pub width: u32,
    /// Pixels down, as stored.
    pub height: u32,
    /// How the stored pixels are to be turned: EXIF orientation, 1 to 8; anything else counts as 1.
    pub orientation: u8,
    /// Whether its pixels could not be decoded: it is never printed.
    pub damaged: bool,
}

impl Original {
    /// Width and height in pixels when the photo is upright.
    pub fn upright(&self) -> (u32, u32) {
        if (5..=8).contains(&self.orientation) {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        }
    }
}

/// Where the original photos are.
pub trait Originals {
    /// What is known of a photo's original; nothing when it is not there (yet).
    fn describe(&self, photo: &PhotoId) -> Option<Original>;
    /// The original's bytes from the start. Read once, in large blocks, never kept.
    fn open(&self, photo: &PhotoId) -> io::Result<Box<dyn Read + '_>>;

    /// A PDF file whose pages the document shows.
    fn pdf(&self, _file: &FileDigest) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// What a print file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintReport {
    /// Pages in the file.
    pub pages: usize,
    /// Different photos in it.
    pub photos: usize,
    /// The photos whose bytes are not the original's: PNG and WebP, and JPEGs far over what print needs.
    pub recoded: Vec<PhotoId>,
    /// The size of the file.
    pub bytes: u64,
}

/// A spine from this width on carries words, in mm.
pub(crate) const SPINE_WORDS_FROM_MM: f64 = 6.0;
/// The share of the spine's height that the title may fill.
pub(crate) const SPINE_WORDS_SHARE: f64 = 0.58;

/// The height of the words on a spine, in mm: half its width, at most 15 pt.
pub(crate) fn spine_words_mm(spine: f64) -> f64 {
    (spine / 2.0).min(15.0 * 25.4 / 72.0)
}

/// A photo that is to be printed.
struct Planned {
    original: Original,
    /// The resolution of its largest use: the lowest effective dpi.
    dpi: f64,
}

type Plan = BTreeMap<PhotoId, Planned>;

/// One of a book's print files.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Part {
    /// The inner pages one by one, with 3 mm bleed.
    Inner,
    /// One page with back, spine and front. The spine has this width in mm, 0 where there is none, and carries title and
    /// author when it is at least 6 mm wide.
    Cover(f64),
    /// The inner pages of a saddle-stitched book on their sheets, front and back in turn, with marks.
    Booklet(Booklet),
}

pub(crate) fn print(
    standard: PrintStandard,
    document: &Document,
    part: Part,
    originals: &dyn Originals,
    made_at: i64,
    out: &mut dyn Write,
) -> Result<PrintReport, PressError> {
    let pages: Vec<&Page> = match part {
        Part::Inner | Part::Booklet(_) => document.pages.iter().collect(),
        Part::Cover(_) => vec![&document.cover],
    };
    let pages = pages.as_slice();
    check(document, pages.iter().copied())?;
    if pages.is_empty() {
        return Err(PressError::Document("it has no pages".to_owned()));
    }
    let spine = match part {
        Part::Cover(spine) if (0.0..=150.0).contains(&spine) => Some(spine),
        Part::Cover(_) => {
            return Err(PressError::Document("the spine is not between 0 and 150 mm".to_owned()));
        }
        _ => None,
    };
    let spreads = match part {
        Part::Booklet(booklet) => Some(booklet.spreads(pages.len()).ok_or_else(|| {
            PressError::Document(format!("{} pages do not fill folded sheets", pages.len()))
        })?),
        _ => None,
    };
    let plan = plan(pages, originals)?;
    let numbers: BTreeMap<&PhotoId, usize> = plan.keys().zip(0..).collect();
    let mut pictures: Vec<Bytes> = plan.keys().map(|photo| Bytes::new(placeholder::make(photo))).collect();
    let files = files(pages, originals)?;
    let numbered = pictures.len();
    // whole files, of which pages are shown; or pages drawn as pictures
    let mut added: Vec<Bytes> = match standard {
        PrintStandard::X4 => files.values().cloned().collect(),
        PrintStandard::X1a => Vec::new(),
    };
    let places: BTreeMap<&FileDigest, usize> = files.keys().copied().zip(numbered..).collect();
    let mut sheet = Sheet::new(document, pages.iter().copied(), |shown| {
        Ok::<_, PressError>(match (shown, standard) {
            (Shown::Photo(photo), _) => numbers.get(&photo.photo).map(|index| Picture::whole(*index, shown)),
            (Shown::Pdf(pdf), PrintStandard::X4) => {
                places.get(&pdf.file).map(|index| Picture::whole(*index, shown))
            }
            (Shown::Pdf(pdf), PrintStandard::X1a) => match files.get(&pdf.file) {
                None => None,
                Some(file) => {
                    added.push(Bytes::new(drawn(file, pdf).map_err(|reason| shown.unreadable(&reason))?));
                    Some(Picture::cut(numbered + added.len() - 1, shown.frame(), None))
                }
            },
        })
    })?;
    pictures.extend(added);
    sheet.spine = spine;
    sheet.spine_words = spine
        .filter(|spine| *spine >= SPINE_WORDS_FROM_MM)
        .map(|spine| SpineWords { size: spine_words_mm(spine), share: SPINE_WORDS_SHARE });
    let typeset = typeset(&sheet, pictures)?;
    // Pages of a PDF 2.0 may only stand in another one; what they are made of is no newer for that.
    let version = match standard {
        PrintStandard::X4 if !files.is_empty() => PdfStandard::V_2_0,
        standard => standard.typeset_as(),
    };
    let standards = PdfStandards::new(&[version])
        .map_err(|error| PressError::Typesetting(error.message().to_string()))?;
    let pdf = write_pdf(&typeset, standards)?;
    drop(typeset);
    // The file's identity: the same book printed at the same time is the same file.
    let sheet = serde_json::to_vec(&sheet).map_err(|error| PressError::Document(error.to_string()))?;
    let seed = (sheet, made_at, spreads.is_some());
    let imprint = metadata::Imprint {
        standard,
        title: &document.title,
        author: &document.author,
        made_at,
        identity: typst::utils::hash128(&seed),
    };
    let spreads = spreads.as_deref().map(|spreads| (spreads, document.trim));
    assembly::assemble(&pdf, &imprint, spreads, &plan, originals, out)
}

/// Every photo of the pages once, with the resolution of its largest use.
fn plan(pages: &[&Page], originals: &dyn Originals) -> Result<Plan, PressError> {
    let mut plan = Plan::new();
    let mut missing: Vec<PhotoId> = Vec::new();
    for frame in pages.iter().flat_map(|page| page.photos()) {
        let Some(original) = originals.describe(&frame.photo) else {
            if !missing.contains(&frame.photo) {
                missing.push(frame.photo.clone());
            }
            continue;
        };
        let (width, height) = original.upright();
        let dpi = frame.effective_dpi(width, height);
        let planned = plan.entry(frame.photo.clone()).or_insert(Planned { original, dpi });
        planned.dpi = planned.dpi.min(dpi);
    }
    if missing.is_empty() { Ok(plan) } else { Err(PressError::MissingOriginals(missing)) }
}

/// The PDF files whose pages are shown.
fn files<'p>(
    pages: &[&'p Page],
    originals: &dyn Originals,
) -> Result<BTreeMap<&'p FileDigest, Bytes>, PressError> {
    let mut files = BTreeMap::new();
    for pdf in pages.iter().flat_map(|page| page.pdfs()) {
        if files.contains_key(&pdf.file) {
            continue;
        }
        let bytes = originals.pdf(&pdf.file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => PressError::MissingFile(pdf.file.clone()),
            _ => PressError::Io(error),
        })?;
        files.insert(&pdf.file, Bytes::new(bytes));
    }
    Ok(files)
}

/// What a page of a PDF looks like in its frame, as a JPEG: whatever it is made of, pixels can be made into inks.
fn drawn(file: &[u8], shown: &PdfPage) -> Result<Vec<u8>, String> {
    let across = |mm: f64| mm * DRAWN_DPI / 25.4;
    let (frame, crop) = (&shown.frame, &shown.crop);
    let (width, height) = (across(frame.width), across(frame.height));
    let long_side = (width / crop.width.max(0.01)).max(height / crop.height.max(0.01)).min(MOST_DRAWN) as u16;
    let page = draw_page(file, shown.page, long_side).map_err(|refusal| refusal.to_string())?;
    let (left, top) = (crop.x * f64::from(page.width), crop.y * f64::from(page.height));
    let part = (left, top, crop.width * f64::from(page.width), crop.height * f64::from(page.height));
    let pixels = |side: f64| side.round().max(1.0) as u32;
    let cut = resize(&mut Resizer::new(), &page, Some(part), pixels(width), pixels(height))
        .map_err(|refusal| refusal.to_string())?;
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, photos::QUALITY)
        .encode(&cut.data, cut.width, cut.height, ExtendedColorType::Rgb8)
        .map_err(|error| error.to_string())?;
    Ok(jpeg)
}

/// Pages that are drawn for print have letters in them.
const DRAWN_DPI: f64 = 400.0;
/// The longest side that is drawn, in pixels: 300 dpi of an A2 sheet.
const MOST_DRAWN: f64 = 7_016.0;
