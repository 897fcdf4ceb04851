//! What to look at before printing. Every finding says where it is and what to do about it.
//!
//! Rules of photos, of texts and of whole pages stand in files of their own; each adds to the [`Report`].

mod artwork;
mod codes;
mod inside;
mod mask;
mod months;
mod pages;
mod pdfs;
mod photos;
mod strokes;
mod texts;

pub(crate) use inside::inside;
pub(crate) use pdfs::runs as runs_of;

use std::collections::HashMap;

use domain::binding::{CoverMake, CoverSheet};
use domain::calendar::is_calendar;
use domain::document::{Border, Document, Element, Page, Rect, ShapeKind, Trim, bounds};
use domain::faces::Face;
use domain::goods::Goods;
use domain::ids::PhotoId;
use domain::print_options::Choice;
use domain::quality::Quality;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use typst::foundations::{Label, Selector};
use typst::introspection::Introspector;
use typst::utils::PicoStr;
use typst_layout::PagedDocument;

use crate::error::PressError;
use crate::print::Original;
use crate::screen::PageRef;
use crate::sheet::{Sheet, check};
use crate::themes::is_known;
use crate::world::typeset;

/// Differences that no eye and no knife sees, in mm.
const TOLERANCE_MM: f64 = 0.1;

/// What is known of a photo's picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// The faces in it, as far as they were looked for.
    pub faces: Vec<Face>,
    /// How good it is, where it was measured.
    pub quality: Option<Quality>,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The print may disappoint.
    Warning,
    /// The print will disappoint, or cannot be made.
    Serious,
}

/// What was found: the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingCode {
    /// A photo prints coarser than one could wish ([`domain::resolution`]).
    LowResolution,
    /// A photo prints visibly coarse.
    VeryLowResolution,
    /// A photo's original is not there yet.
    MissingOriginal,
    /// A photo's pixels can't be decoded.
    DamagedPhoto,
    /// A photo ends at the trim and does not reach into the bleed.
    ShortBleed,
    /// A photo ends less than 3 mm inside the trim: the knife's tolerance makes the white border uneven.
    NarrowMargin,
    /// A photo is shown wider or higher than it is.
    Stretched,
    /// Less than a quarter of a photo is shown.
    HeavyCrop,
    /// A photo that is blurred itself is shown large.
    BlurredPhoto,
    /// A frame's edge or the knife runs through a face.
    CutFace,
    /// A face lies in the fold.
    FaceInFold,
    /// A photo is under 15 mm wide or high.
    TinyPhoto,
    /// A photo lies wholly under another one.
    HiddenPhoto,
    /// A photo is there twice on what one sees at once.
    RepeatedPhoto,
    /// Something lies wholly outside the page.
    OutsidePage,
    /// A text is longer than its frame.
    TextOverflow,
    /// A text frame without text, or how many pages have such.
    EmptyFrame,
    /// A text comes closer than 5 mm to the trim.
    OutsideSafeArea,
    /// A text comes so close to the spine that it disappears in the fold.
    NearFold,
    /// A text has characters that no font of the press has.
    MissingGlyph,
    /// Two texts lie on each other.
    OverlappingTexts,
    /// A photo lies on a text.
    HiddenText,
    /// A text stands on a photo.
    TextOnPhoto,
    /// A text's colour is close to its page's.
    LowContrast,
    /// A text under 5 pt.
    TinyText,
    /// The squares of a QR code are printed too small to be told apart.
    TinyCode,
    /// Something lies on a QR code, or the knife runs through it.
    CoveredCode,
    /// A line under 0.25 pt: a plate may not hold it.
    Hairline,
    /// A colour asks for more ink than the press can lay.
    TooMuchInk,
    /// White that overprints, and so is not there in print.
    LostWhite,
    /// An inner page on which nothing is printed.
    BlankPage,
    /// How many inner pages nothing is printed on.
    BlankPages,
    /// Empty pages at the end of a book of ready pages.
    BlankEnd,
    /// Pages of a PDF have another size or shape than the book.
    ScaledPage,
    /// Pages of a PDF whose pictures and colours end at the trim.
    PdfWithoutBleed,
    /// A PDF uses fonts that it does not hold.
    LooseFont,
    /// A PDF has layers that can be switched off.
    Layers,
    /// A PDF has notes, stamps or fields, which are not printed.
    Annotations,
    /// A PDF's maker forbids some of what is done with other ones.
    Permissions,
    /// Pages of a PDF are printed as pictures of what is seen.
    DrawnPages,
    /// Pages of a PDF have colours that would be a plate of their own.
    SpotColour,
    /// Pages of a PDF have more on them than is looked at.
    PartlyChecked,
    /// Pages of a PDF could not be drawn for the screen.
    UndrawablePage,
    /// A cover with neither photo nor text.
    BlankCover,
    /// The title does not stand on the cover.
    UntitledCover,
    /// The book's page is not the goods' page.
    WrongSize,
    /// What was chosen can't be made with this number of pages, or not together.
    UnfitChoice,
    /// There is nothing on the cover for the plate of what is put on besides ink.
    NoArtwork,
    /// Words are too small for the plate that they stand on, or have lines or gaps that it does not hold.
    FineArtwork,
    /// An ornament comes too near to words.
    CrowdedArtwork,
    /// A cover of cloth with nothing on it.
    BareCloth,
    /// The spine is too narrow for words.
    NarrowSpine,
    /// The title is too long to be read on the spine.
    LongSpineTitle,
}

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The page it is on: `"cover"` or `{"inner": 0}`; null where it is the whole book.
    pub page: Option<PageRef>,
    /// Which of the page's elements, counted from 0, the lowest first; null where it is the whole page.
    pub element: Option<usize>,
    pub severity: Severity,
    pub code: FindingCode,
    /// One plain Chinese sentence for the member.
    pub message: String,
}

impl Finding {
    /// Whether the member is to decide before it pays, as the print will disappoint. What can't be printed at all is no decision.
    pub fn is_to_be_decided(&self) -> bool {
        match self.code {
            FindingCode::MissingOriginal | FindingCode::DamagedPhoto => false,
            _ => self.severity == Severity::Serious,
        }
    }
}

/// What the book is to be made as.
#[derive(Debug, Clone, Copy)]
pub struct Making<'a> {
    pub goods: &'a Goods,
    pub choice: &'a Choice,
}

impl Making<'_> {
    /// The sheet of its cover, around so many pages as the document has: no book has more than a u32 counts.
    fn cover(&self, document: &Document) -> CoverSheet {
        let pages = u32::try_from(document.pages.len()).unwrap_or(u32::MAX);
        self.goods.cover_sheet(pages, self.choice)
    }
}

/// What the theme measured of a text: its longest word and its height, in mm; its colour and the paper's.
#[derive(Debug, Deserialize)]
struct Measured {
    page: usize,
    element: usize,
    width: f64,
    height: f64,
    /// The height of its characters in pt.
    size: f64,
    ink: String,
    paper: String,
}

/// Pages that are typeset at once while texts are measured: what one piece takes in memory is given back before the next.
const PIECE: usize = 32;

/// What the theme measured of texts and months, each by its page (the cover is 0) and its place on it.
struct Measures {
    texts: HashMap<(usize, usize), Measured>,
    months: HashMap<(usize, usize), months::MeasuredMonth>,
}

/// Typesets a document piece by piece; no longer than somebody waits for it.
fn measure(document: &Document, is_awaited: &dyn Fn() -> bool) -> Result<Measures, PressError> {
    let mut measures = Measures { texts: HashMap::new(), months: HashMap::new() };
    let pages: Vec<&Page> = document.all_pages().collect();
    for (piece, pages) in pages.chunks(PIECE).enumerate() {
        if !is_awaited() {
            return Err(PressError::Abandoned);
        }
        if pages.iter().all(|page| page.elements.iter().all(|element| !is_measured(element))) {
            continue;
        }
        // Texts do not depend on photos: frames stay empty.
        let sheet = Sheet::new(document, pages.iter().copied(), |_| Ok::<_, PressError>(None))?;
        let typeset = typeset(&sheet, Vec::new())?;
        let first = piece * PIECE;
        for text in queried::<Measured>(&typeset, "text-block")? {
            measures.texts.insert((first + text.page, text.element), text);
        }
        for month in queried::<months::MeasuredMonth>(&typeset, "month-grid")? {
            measures.months.insert((first + month.page, month.element), month);
        }
    }
    Ok(measures)
}

/// Whether typesetting says something of it.
fn is_measured(element: &Element) -> bool {
    match element {
        Element::Text(block) => !block.text.trim().is_empty(),
        Element::Month(_) => true,
        Element::Photo(_) | Element::Pdf(_) | Element::Shape(_) | Element::Code(_) => false,
    }
}

pub(crate) fn preflight(
    document: &Document,
    making: Option<Making>,
    describe: &dyn Fn(&PhotoId) -> Option<Original>,
    seen: &dyn Fn(&PhotoId) -> Seen,
    is_awaited: &dyn Fn() -> bool,
) -> Result<Vec<Finding>, PressError> {
    check(document, document.all_pages())?;
    if let Some(page) = document.all_pages().find(|page| !is_known(document.theme_of(page))) {
        return Err(PressError::Theme(document.theme_of(page).to_owned()));
    }
    let Measures { texts: measured, months } = measure(document, is_awaited)?;

    let mut report = Report::default();
    pages::book(&mut report, document, making);
    pages::titles(&mut report, document);
    pdfs::book(&mut report, document);
    let unprinted = making.map_or(Vec::new(), |making| artwork::unprinted(document, making));
    let document = &*artwork::as_made(document, &unprinted);
    if let Some(making) = making {
        artwork::cover(&mut report, document, making, |index| measured.get(&(0, index)))?;
    }
    // a calendar's rings are at the top
    let making = making.filter(|_| !is_calendar(document));
    let holes = making.and_then(|making| match making.goods.cover_make(making.choice) {
        Some(CoverMake::Leaves(leaves)) => Some(leaves),
        _ => None,
    });
    let fold_mm = match holes {
        // leaves have holes, and no fold
        Some(_) => 0.0,
        None => making.map_or(0.0, |making| making.goods.fold_mm(making.choice)),
    };
    for (number, page) in document.all_pages().enumerate() {
        report.turn_to(number.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner));
        pages::page(&mut report, document, number);
        let texts: Vec<Option<&Measured>> =
            (0..page.elements.len()).map(|index| measured.get(&(number, index))).collect();
        for (index, element) in page.elements.iter().enumerate() {
            if number == 0 && unprinted.contains(&index) {
                continue;
            }
            report.element = Some(index);
            match element {
                Element::Photo(photo) => {
                    photos::photo(&mut report, photo, document.trim, describe(&photo.photo));
                    let Seen { faces, quality } = seen(&photo.photo);
                    photos::people(&mut report, document, number, photo, &faces);
                    photos::blur(&mut report, photo, document.trim, quality);
                    photos::beside_others(&mut report, document, number, index, photo);
                    hairline(&mut report, photo.border.as_ref());
                }
                Element::Text(block) => {
                    let text = texts::Text { block, page, index, measured: texts[index] };
                    text.look(&mut report, document.trim);
                    text.near_fold(&mut report, document.trim, fold_mm);
                    if let Some(leaves) = holes {
                        text.in_holes(&mut report, document.trim, leaves);
                    }
                    text.beside_others(&mut report, &texts);
                }
                // what a PDF shows is its own affair
                Element::Pdf(_) => {}
                Element::Shape(shape) if outside(&shape.frame, shape.common.rotation, document.trim) => {
                    let sentence = "有一个图形完全在页面之外，不会印出来。";
                    report.say(Severity::Note, FindingCode::OutsidePage, sentence);
                }
                Element::Shape(shape) => hairline(&mut report, shape.border.as_ref()),
                Element::Code(code) => {
                    codes::code(&mut report, code, page, index, document.trim);
                    codes::near_fold(&mut report, code, document.trim, fold_mm);
                }
                Element::Month(block) => {
                    let found = months.get(&(number, index));
                    months::month(&mut report, block, page, index, found, document.trim);
                }
            }
        }
    }
    report.say_empty_frames();
    Ok(report.findings)
}

/// What is to be known of what is put on a cover besides ink, and of nothing else: only the front is typeset.
pub(crate) fn of_artwork(document: &Document, making: Making) -> Result<Vec<Finding>, PressError> {
    check(document, [&document.cover])?;
    let front = Document { pages: Vec::new(), ..document.clone() };
    let Measures { texts, .. } = measure(&front, &|| true)?;
    let mut report = Report::default();
    artwork::cover(&mut report, document, making, |index| texts.get(&(0, index)))?;
    Ok(report.findings)
}

/// The thinnest line that a plate holds, in pt.
const HAIRLINE_PT: f64 = 0.25;
/// The same in mm.
const HAIRLINE_MM: f64 = HAIRLINE_PT * 25.4 / 72.0;

/// A line so thin that it may not be there in print.
fn hairline(report: &mut Report, border: Option<&Border>) {
    if let Some(border) = border.filter(|border| border.width > 0.0 && border.width < HAIRLINE_MM) {
        let sentence = format!(
            "有一条线只有 {:.2} 毫米粗，印出来可能断断续续；请加到 0.09 毫米（0.25 点）以上。",
            border.width
        );
        report.say(Severity::Warning, FindingCode::Hairline, &sentence);
    }
}

/// What the theme noted under a label.
pub(crate) fn queried<T: DeserializeOwned>(
    typeset: &PagedDocument,
    label: &str,
) -> Result<Vec<T>, PressError> {
    let label = Label::new(PicoStr::intern(label))
        .ok_or_else(|| PressError::Typesetting("the theme measured nothing".to_owned()))?;
    let noted = typeset.introspector().query(&Selector::Label(label));
    let read = |error: String| PressError::Typesetting(error);
    noted
        .iter()
        .map(|note| {
            let value = note.get_by_name("value").map_err(|error| read(format!("{error:?}")))?;
            let value = serde_json::to_value(value).map_err(|error| read(error.to_string()))?;
            serde_json::from_value(value).map_err(|error| read(error.to_string()))
        })
        .collect()
}

/// What was found so far, and where the rules are looking.
#[derive(Default)]
struct Report {
    page: Option<PageRef>,
    element: Option<usize>,
    findings: Vec<Finding>,
    /// Text frames without text: automatic layout leaves one under each photo.
    empty_frames: Vec<(Option<PageRef>, Option<usize>)>,
}

impl Report {
    fn turn_to(&mut self, page: PageRef) {
        self.page = Some(page);
        self.element = None;
    }

    /// Says once how many pages have text frames without text.
    fn say_empty_frames(&mut self) {
        let mut frames = std::mem::take(&mut self.empty_frames);
        frames.dedup_by_key(|(page, _)| *page);
        let sentence = match frames.as_slice() {
            [] => return,
            [(page, element)] => {
                (self.page, self.element) = (*page, *element);
                "有空的文字框，印刷时会留白。".to_owned()
            }
            pages => {
                (self.page, self.element) = (None, None);
                format!("有 {} 页留着空的文字框，印刷时会留白。", pages.len())
            }
        };
        self.say(Severity::Note, FindingCode::EmptyFrame, &sentence);
    }

    /// Notes a finding; the sentence begins after the page's name.
    fn say(&mut self, severity: Severity, code: FindingCode, sentence: &str) {
        let page = match self.page {
            None => "这本书".to_owned(),
            Some(PageRef::Cover) => "封面".to_owned(),
            Some(PageRef::Inner(index)) => format!("第 {} 页", index + 1),
        };
        let message = format!("{page}{sentence}");
        self.findings.push(Finding { page: self.page, element: self.element, severity, code, message });
    }
}

/// Whether something turned so lies wholly outside the page.
fn outside(frame: &Rect, rotation: f64, trim: Trim) -> bool {
    let frame = bounds(frame, rotation);
    frame.x >= trim.width
        || frame.y >= trim.height
        || frame.x + frame.width <= 0.0
        || frame.y + frame.height <= 0.0
}

/// A rectangle that is turned about its centre by degrees.
type Turned<'a> = (&'a Rect, f64);

/// The area that an element hides or fills, turned as it is: photos, codes, and shapes with a colour.
fn solid(element: &Element) -> Option<Turned<'_>> {
    match element {
        Element::Photo(photo) => Some((&photo.frame, photo.common.rotation)),
        Element::Code(code) => Some((&code.frame, code.common.rotation)),
        Element::Shape(shape) if shape.fill.is_some() && shape.shape != ShapeKind::Line => {
            Some((&shape.frame, shape.common.rotation))
        }
        _ => None,
    }
}

/// What a solid element is called in a sentence.
fn name_of(element: &Element) -> &'static str {
    match element {
        Element::Shape(_) => "一个色块",
        Element::Code(_) => "一个二维码",
        _ => "一张照片",
    }
}
