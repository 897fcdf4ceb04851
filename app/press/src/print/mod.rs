//! Print files: typeset with stand-ins, then written out with the originals in their places.

mod assembly;
mod metadata;
mod photos;
mod writer;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use domain::document::{Document, Page};
use domain::ids::{FileDigest, PhotoId};
use serde::{Deserialize, Serialize};
use typst::foundations::{Bytes, Smart};
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use crate::error::PressError;
use crate::photo::PhotoFormat;
use crate::placeholder;
use crate::sheet::{Picture, Sheet, Shown, SpineWords, check};
use crate::world::{refused, typeset};

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

pub(crate) fn inner(
    document: &Document,
    originals: &dyn Originals,
    made_at: i64,
    out: &mut dyn Write,
) -> Result<PrintReport, PressError> {
    let pages: Vec<&Page> = document.pages.iter().collect();
    print(document, &pages, None, originals, made_at, out)
}

pub(crate) fn cover(
    document: &Document,
    spine_mm: f64,
    originals: &dyn Originals,
    made_at: i64,
    out: &mut dyn Write,
) -> Result<PrintReport, PressError> {
    if !(0.0..=150.0).contains(&spine_mm) {
        return Err(PressError::Document("the spine is not between 0 and 150 mm".to_owned()));
    }
    print(document, &[&document.cover], Some(spine_mm), originals, made_at, out)
}

fn print(
    document: &Document,
    pages: &[&Page],
    spine: Option<f64>,
    originals: &dyn Originals,
    made_at: i64,
    out: &mut dyn Write,
) -> Result<PrintReport, PressError> {
    check(document, pages.iter().copied())?;
    if pages.is_empty() {
        return Err(PressError::Document("it has no pages".to_owned()));
    }
    let plan = plan(pages, originals)?;
    let numbers: BTreeMap<&PhotoId, usize> = plan.keys().zip(0..).collect();
    let mut pictures: Vec<Bytes> = plan.keys().map(|photo| Bytes::new(placeholder::make(photo))).collect();
    let files = files(pages, originals, &mut pictures)?;
    let mut sheet = Sheet::new(document, pages.iter().copied(), |shown| {
        let index = match shown {
            Shown::Photo(photo) => numbers.get(&photo.photo),
            Shown::Pdf(pdf) => files.get(&pdf.file),
        };
        Ok::<_, PressError>(index.map(|index| Picture::whole(*index, shown)))
    })?;
    sheet.spine = spine;
    sheet.spine_words = spine
        .filter(|spine| *spine >= SPINE_WORDS_FROM_MM)
        .map(|spine| SpineWords { size: spine_words_mm(spine), share: SPINE_WORDS_SHARE });
    let typeset = typeset(&sheet, pictures)?;
    // Pages of a PDF 2.0 may only stand in another one; what they are made of is no newer for that.
    let version = if files.is_empty() { PdfStandard::V_1_6 } else { PdfStandard::V_2_0 };
    let standards = PdfStandards::new(&[version])
        .map_err(|error| PressError::Typesetting(error.message().to_string()))?;
    let options = PdfOptions {
        ident: Smart::Auto,
        creator: Smart::Custom(Some(metadata::PRODUCER.to_owned())),
        timestamp: None,
        page_ranges: None,
        standards,
        tagged: false,
        pretty: false,
    };
    let pdf = typst_pdf::pdf(&typeset, &options).map_err(|errors| refused(&errors))?;
    drop(typeset);
    // The file's identity: the same book printed at the same time is the same file.
    let seed =
        (serde_json::to_vec(&sheet).map_err(|error| PressError::Document(error.to_string()))?, made_at);
    let imprint = metadata::Imprint {
        title: &document.title,
        author: &document.author,
        made_at,
        identity: typst::utils::hash128(&seed),
    };
    assembly::assemble(&pdf, &imprint, &plan, originals, out)
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

/// The PDF files whose pages are shown, added to the pictures; each with its number there.
fn files<'p>(
    pages: &[&'p Page],
    originals: &dyn Originals,
    pictures: &mut Vec<Bytes>,
) -> Result<BTreeMap<&'p FileDigest, usize>, PressError> {
    let mut files = BTreeMap::new();
    for pdf in pages.iter().flat_map(|page| page.pdfs()) {
        if files.contains_key(&pdf.file) {
            continue;
        }
        let bytes = originals.pdf(&pdf.file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => PressError::MissingFile(pdf.file.clone()),
            _ => PressError::Io(error),
        })?;
        files.insert(&pdf.file, pictures.len());
        pictures.push(Bytes::new(bytes));
    }
    Ok(files)
}
