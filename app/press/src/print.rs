//! Print files: typeset with stand-ins, then written out with the originals in their places.

mod ahead;
mod assembly;
mod check;
mod die;
mod grey;
mod imposition;
mod inks;
mod metadata;
mod objects;
mod overprint;
mod photos;
mod plate;
mod profile;
mod run;
mod spot;
mod standard;
mod writer;

pub(crate) use metadata::civil;
pub(crate) use overprint::mixes;
pub(crate) use profile::{is_too_new, lower_version};

use imposition::Side;

pub use check::{Breach, RULES, Rule, breaches};
pub use domain::print_settings::PrintStandard;
pub use profile::OutputCondition;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};

use domain::binding::CoverSheet;
use domain::document::{Document, Page, PdfPage};
use domain::ids::{FileDigest, PhotoId};
use domain::imposition::{Booklet, Spread};
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use photo::{PhotoFormat, Resizer, resize};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use typst::foundations::Bytes;
use typst_pdf::{PdfStandard, PdfStandards};

use crate::cover::{SheetCover, View, with_front};
use crate::error::PressError;
use crate::pdf::{Allowed, Mended, Printing, draw_page, mend};
use crate::placeholder;
use crate::sheet::{Picture, Sheet, Shown, check};
use crate::world::{typeset, write_pdf};

/// Changed whenever the same document is printed differently, by other themes, fonts or versions of Typst, too, so that files
/// made before are made again.
pub(crate) const REVISION: &str = "2";

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
pub trait Originals: Sync {
    /// What is known of a photo's original; nothing when it is not there (yet).
    fn describe(&self, photo: &PhotoId) -> Option<Original>;
    /// The original's bytes from the start. Read once, in large blocks, never kept.
    fn open(&self, photo: &PhotoId) -> io::Result<Box<dyn Read + '_>>;

    /// What the original's bytes were hashed to when they came. Where it is known, other bytes are never printed.
    fn digest(&self, photo: &PhotoId) -> Option<FileDigest>;

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
    /// The same without the first and the last, which are printed inside the cover.
    Middle,
    /// 对裱: facing pages as one sheet, which is folded in its middle and mounted back to back. What is left of the first page
    /// and right of the last is glued to the cover, and empty.
    Mounted,
    /// The cover as its binding makes it.
    Cover(CoverSheet),
    /// A saddle-stitched book on its sheets with marks, front and back in turn: the cover first, whose inside is printed or
    /// empty as its sheet says, and the inner sheets from the outermost on.
    Booklet(Booklet, CoverSheet),
}

/// A print file. Pages of PDFs that break the standard, and can't be mended, are printed as pictures.
pub(crate) fn print(
    standard: PrintStandard,
    condition: &OutputCondition,
    document: &Document,
    part: Part,
    originals: &dyn Originals,
    made_at: i64,
    out: &mut dyn Write,
) -> Result<PrintReport, PressError> {
    match print_with((standard, condition), document, part, originals, made_at, false, out) {
        // nothing is written yet
        Err(PressError::Unfit(_)) => {
            print_with((standard, condition), document, part, originals, made_at, true, out)
        }
        printed => printed,
    }
}

fn print_with(
    (standard, condition): (PrintStandard, &OutputCondition),
    document: &Document,
    part: Part,
    originals: &dyn Originals,
    made_at: i64,
    draws_files: bool,
    out: &mut dyn Write,
) -> Result<PrintReport, PressError> {
    let impossible = |reason: &str| Err(PressError::Document(reason.to_owned()));
    let document = &*match &part {
        Part::Cover(cover) | Part::Booklet(_, cover) => with_front(document, cover),
        _ => Cow::Borrowed(document),
    };
    let blank = Page::default();
    let fronts = run::fronts(document);
    let covers: Vec<&Page> = match &part {
        Part::Cover(cover) | Part::Booklet(_, cover) => run::covers(document, &fronts, cover),
        _ => Vec::new(),
    };
    let inner: Vec<&Page> = match &part {
        Part::Inner => document.pages.iter().collect(),
        Part::Middle => match document.pages.as_slice() {
            [_, inner @ .., _] => inner.iter().collect(),
            _ => Vec::new(),
        },
        Part::Mounted if document.pages.is_empty() => Vec::new(),
        Part::Mounted => {
            let after = document.pages.len().is_multiple_of(2).then_some(&blank);
            std::iter::once(&blank).chain(&document.pages).chain(after).collect()
        }
        Part::Cover(_) => Vec::new(),
        Part::Booklet(booklet, _) => {
            let on_cover = usize::from(booklet.starts_on_cover);
            let last = document.pages.len().saturating_sub(on_cover);
            document.pages.get(on_cover..last).unwrap_or_default().iter().collect()
        }
    };
    let one = inner.len();
    let (inner, order) = run::inner(document, inner);
    // in front of the inner pages lie the sides of covers
    let first = covers.len();
    let pages: Vec<&Page> = covers.into_iter().chain(inner).collect();
    let pages = pages.as_slice();
    check(document, pages.iter().copied())?;
    if pages.is_empty() {
        return impossible("it has no pages");
    }
    let layout = match &part {
        Part::Cover(cover) if !(0.0..=150.0).contains(&cover.spine_mm) => {
            return impossible("the spine is not between 0 and 150 mm");
        }
        Part::Cover(cover) => Layout::Cover(cover),
        Part::Booklet(booklet, cover) => {
            let number = document.pages.len();
            let Some(spreads) = booklet.spreads(number) else {
                return impossible(&format!("{number} pages do not fill folded sheets"));
            };
            if !imposition::is_folded(cover, booklet, document.trim) {
                return impossible("the cover is not folded around the sheets");
            }
            // some of a book's pages are printed inside its cover
            let place = |page: usize| page - usize::from(booklet.starts_on_cover);
            let placed = |it: Spread| Spread { left: place(it.left), right: place(it.right), ..it };
            let spreads: Vec<Spread> = spreads.into_iter().map(placed).collect();
            let sheets = run::sides(&order, &spreads, COVER_SIDES * order.len()).enumerate();
            let whole = |copy: usize| (COVER_SIDES * copy..COVER_SIDES * (copy + 1)).map(Side::Whole);
            Layout::Sheets(sheets.flat_map(|(copy, inner)| whole(copy).chain(inner)).collect())
        }
        Part::Mounted => {
            let sheet = |sheet: usize| Spread { left: 2 * sheet, right: 2 * sheet + 1, creep_mm: 0.0 };
            let spreads: Vec<Spread> = (0..one / 2).map(sheet).collect();
            Layout::Spreads(run::sides(&order, &spreads, first).flatten().collect())
        }
        Part::Inner | Part::Middle if !document.copies().is_empty() => Layout::Run(order.concat()),
        Part::Inner | Part::Middle => Layout::Pages,
    };
    let plan = plan(pages, originals)?;
    let numbers: BTreeMap<&PhotoId, usize> = plan.keys().zip(0..).collect();
    let mut pictures: Vec<Bytes> = plan.keys().map(|photo| Bytes::new(placeholder::make(photo))).collect();
    let files = files(pages, originals)?;
    let numbered = pictures.len();
    let coarse: BTreeSet<&FileDigest> = files
        .iter()
        .filter(|(_, file)| Allowed::of_file(file).printing != Printing::Fine)
        .map(|(name, _)| *name)
        .collect();
    let dpi_of = |pdf: &PdfPage| if coarse.contains(&pdf.file) { COARSE_DPI } else { DRAWN_DPI };
    // whole files, of which pages are shown; or pages drawn as pictures
    let whole: BTreeMap<&FileDigest, Mended> = files
        .iter()
        .filter(|(name, _)| !draws_files && !coarse.contains(*name))
        .filter(|(_, file)| standard == PrintStandard::X4 || is_plain_file(file))
        .map(|(name, file)| (*name, mend(file, Some(condition))))
        .collect();
    let has_files = !whole.is_empty();
    let mut added: Vec<Bytes> = whole.values().map(|file| Bytes::new(file.bytes.clone())).collect();
    let places: BTreeMap<&FileDigest, usize> = whole.keys().copied().zip(numbered..).collect();
    let mut sheet = Sheet::new(document, pages.iter().copied(), |shown| {
        Ok::<_, PressError>(match shown {
            Shown::Photo(photo) => numbers.get(&photo.photo).map(|index| Picture::whole(*index, shown)),
            Shown::Pdf(pdf) => match (places.get(&pdf.file), files.get(&pdf.file)) {
                (Some(index), _) if !whole.get(&pdf.file).is_some_and(|file| file.draws(pdf.page)) => {
                    Some(Picture::whole(*index, shown))
                }
                (_, None) => None,
                (_, Some(file)) => {
                    let picture = drawn(file, pdf, dpi_of(pdf));
                    added.push(Bytes::new(picture.map_err(|reason| shown.unreadable(&reason))?));
                    Some(Picture::cut(numbered + added.len() - 1, shown.frame(), None))
                }
            },
        })
    })?;
    pictures.extend(added);
    let (mut plate, mut covered): (_, Vec<usize>) = (None, Vec::new());
    if let Part::Cover(cover) | Part::Booklet(_, cover) = &part {
        let drawn = SheetCover::of(document, cover, View::Print);
        plate = cover.embellishment.filter(|_| drawn.has_plate());
        let (copies, sides) = (fronts.len().max(1), if drawn.leaves || drawn.inside { 2 } else { 1 });
        covered = (0..copies).map(|copy| copy * sides).collect();
        sheet.cover = Some(SheetCover { copies, ..drawn });
    }
    let typeset = typeset(&sheet, pictures)?;
    // Pages of a PDF 2.0 may only stand in another one; what they are made of is no newer for that.
    let version = if has_files { PdfStandard::V_2_0 } else { standard::typeset_as(standard) };
    let standards = PdfStandards::new(&[version])
        .map_err(|error| PressError::Typesetting(error.message().to_string()))?;
    let pdf = write_pdf(&typeset, standards)?;
    drop(typeset);
    // The file's identity: the same book printed at the same time is the same file.
    let sheet = serde_json::to_vec(&sheet).map_err(|error| PressError::Document(error.to_string()))?;
    let seed = (sheet, made_at, matches!(layout, Layout::Sheets(_)));
    let imprint = metadata::Imprint {
        standard,
        condition,
        title: &document.title,
        author: &document.author,
        made_at,
        identity: typst::utils::hash128(&seed),
    };
    let typeset = assembly::Typeset { pdf: &pdf, trim: document.trim, has_files, plate, fronts: &covered };
    assembly::assemble(&typeset, &imprint, &layout, &plan, originals, out)
}

/// Pages of a folded cover's sheet: its outside and its inside.
const COVER_SIDES: usize = 2;

/// How the typeset pages become those of the file.
enum Layout<'a> {
    /// As they are.
    Pages,
    /// In this order, in which one may stand several times.
    Run(Vec<usize>),
    /// A cover, with its die line.
    Cover(&'a CoverSheet),
    /// Two on each side of folded sheets, with marks; the cover as it is.
    Sheets(Vec<Side>),
    /// Two beside each other, with bleed and nothing else.
    Spreads(Vec<Side>),
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
        if photos::hex(&Sha256::digest(&bytes)) != pdf.file.as_str() {
            return Err(PressError::AlteredFile(pdf.file.clone()));
        }
        files.insert(&pdf.file, Bytes::new(bytes));
    }
    Ok(files)
}

/// Whether a PDF was typeset here of words and lines alone: its colours can be said in inks, and its words stay words.
pub(crate) fn is_plain(pdf: &lopdf::Document) -> bool {
    let info =
        pdf.trailer.get(b"Info").and_then(|info| pdf.dereference(info)).and_then(|(_, info)| info.as_dict());
    let creator = info.and_then(|info| info.get(b"Creator")).and_then(lopdf::Object::as_str);
    let is_ours = creator.is_ok_and(|creator| creator.starts_with(b"Typst "));
    is_ours
        && pdf.objects.values().filter_map(objects::dictionary).all(|dict| {
            let is_picture = objects::is_named(dict, b"Subtype", b"Image");
            !is_picture && !dict.has(b"PatternType") && !dict.has(b"ShadingType") && inks::is_opaque(dict)
        })
}

fn is_plain_file(file: &[u8]) -> bool {
    lopdf::Document::load_mem(file).is_ok_and(|pdf| is_plain(&pdf))
}

/// What a page of a PDF looks like in its frame, as a JPEG: whatever it is made of, pixels can be made into inks.
fn drawn(file: &[u8], shown: &PdfPage, dpi: f64) -> Result<Vec<u8>, String> {
    let across = |mm: f64| mm * dpi / 25.4;
    let (frame, crop) = (&shown.frame, &shown.crop);
    let (width, height) = (across(frame.width), across(frame.height));
    // a frame may reach far past its page; what is on paper stays as fine as it was drawn
    let most = (2.0 * MOST_DRAWN / width.max(height)).min(1.0);
    let (width, height) = (width * most, height * most);
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
/// Pages of files that may not be printed finely, as Acrobat prints them.
pub(crate) const COARSE_DPI: f64 = 150.0;
/// The longest side that is drawn, in pixels: 300 dpi of an A2 sheet.
const MOST_DRAWN: f64 = 7_016.0;
