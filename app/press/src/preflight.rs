//! What to look at before printing. Every finding says where it is and what to do about it.
//!
//! Rules of photos, of texts and of whole pages stand in files of their own; each adds to the [`Report`].

mod artwork;
mod codes;
mod copies;
mod finding;
mod inside;
mod mask;
mod months;
mod pages;
mod pdfs;
mod photos;
mod strokes;
mod texts;

pub use finding::{Finding, FindingCode, FoundCopy, Severity};
pub(crate) use inside::inside;
pub(crate) use pdfs::runs as runs_of;

use std::collections::HashMap;

use domain::binding::{CoverMake, CoverSheet, Leaves};
use domain::calendar::is_calendar;
use domain::document::{Border, Document, Element, Page, Rect, Shape, ShapeKind, Trim, bounds};
use domain::faces::Face;
use domain::goods::Goods;
use domain::ids::PhotoId;
use domain::ornament::Ornament;
use domain::print_options::Choice;
use domain::quality::Quality;
use serde::Deserialize;
use serde::de::DeserializeOwned;
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

/// What the theme measured of texts and months, each by its page among those that were typeset and its place on it.
struct Measures {
    texts: HashMap<(usize, usize), Measured>,
    months: HashMap<(usize, usize), months::MeasuredMonth>,
}

/// Typesets pages of a document piece by piece; no longer than somebody waits for it.
fn measure(
    document: &Document,
    pages: &[&Page],
    is_awaited: &dyn Fn() -> bool,
) -> Result<Measures, PressError> {
    let mut measures = Measures { texts: HashMap::new(), months: HashMap::new() };
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
    check(document, document.printed_pages())?;
    if let Some(page) = document.printed_pages().find(|page| !is_known(document.theme_of(page))) {
        return Err(PressError::Theme(document.theme_of(page).to_owned()));
    }
    let pages: Vec<&Page> = document.all_pages().collect();
    let measures = measure(document, &pages, is_awaited)?;
    // every copy has something else in their place
    let unshown = copies::unshown(document);

    let mut report = Report::default();
    pages::book(&mut report, document, making, &unshown);
    pages::titles(&mut report, document);
    pdfs::book(&mut report, document);
    let unprinted = making.map_or(Vec::new(), |making| artwork::unprinted(document, making));
    let document = &*artwork::as_made(document, &unprinted);
    if let Some(making) = making {
        artwork::cover(&mut report, document, making, |index| measures.texts.get(&(0, index)))?;
    }
    let looking = Looking::of(document, making, describe, seen);
    for number in (0..pages.len()).filter(|number| !unshown.contains(number)) {
        report.turn_to(number.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner));
        pages::page(&mut report, document, number);
        looking.at(&mut report, document, number, (&measures, number), &|index| {
            number > 0 || !unprinted.contains(&index)
        });
    }
    report.say_empty_frames();
    report.findings.extend(copies::look(document, &unprinted, &looking, is_awaited)?);
    Ok(report.findings)
}

/// What the rules of single pages go by, beside the page.
struct Looking<'a> {
    /// The holes of leaves.
    holes: Option<Leaves>,
    /// How wide the part of a page is that disappears in the fold.
    fold_mm: f64,
    describe: &'a dyn Fn(&PhotoId) -> Option<Original>,
    seen: &'a dyn Fn(&PhotoId) -> Seen,
}

impl<'a> Looking<'a> {
    fn of(
        document: &Document,
        making: Option<Making>,
        describe: &'a dyn Fn(&PhotoId) -> Option<Original>,
        seen: &'a dyn Fn(&PhotoId) -> Seen,
    ) -> Self {
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
        Self { holes, fold_mm, describe, seen }
    }

    /// Looks at the elements of a page, or at some of them. `number` counts the cover as 0; beside what was measured stands where
    /// the page is among what was typeset.
    fn at(
        &self,
        report: &mut Report,
        document: &Document,
        number: usize,
        (measures, typeset): (&Measures, usize),
        is_looked_at: &dyn Fn(usize) -> bool,
    ) {
        let Some(page) = document.all_pages().nth(number) else { return };
        let trim = document.trim;
        let texts: Vec<Option<&Measured>> =
            (0..page.elements.len()).map(|index| measures.texts.get(&(typeset, index))).collect();
        for (index, element) in page.elements.iter().enumerate().filter(|(index, _)| is_looked_at(*index)) {
            report.element = Some(index);
            match element {
                Element::Photo(photo) => {
                    photos::photo(report, photo, trim, (self.describe)(&photo.photo));
                    let Seen { faces, quality } = (self.seen)(&photo.photo);
                    photos::people(report, document, number, photo, &faces);
                    photos::blur(report, photo, trim, quality);
                    photos::beside_others(report, document, number, index, photo);
                    hairline(report, photo.border.as_ref());
                }
                Element::Text(block) => {
                    let text = texts::Text { block, page, index, measured: texts[index] };
                    text.look(report, trim);
                    text.near_fold(report, trim, self.fold_mm);
                    if let Some(leaves) = self.holes {
                        text.in_holes(report, trim, leaves);
                    }
                    text.beside_others(report, &texts);
                }
                // what a PDF shows is its own affair
                Element::Pdf(_) => {}
                Element::Shape(shape) if outside(&shape.frame, shape.common.rotation, trim) => {
                    let sentence = "有一个图形完全在页面之外，不会印出来。";
                    report.say(Severity::Note, FindingCode::OutsidePage, sentence);
                }
                Element::Shape(Shape { shape: ShapeKind::Ornament(ornament), frame, .. }) => {
                    fine_ornament(report, *ornament, frame);
                }
                Element::Shape(shape) => hairline(report, shape.border.as_ref()),
                Element::Code(code) => {
                    codes::code(report, code, page, index, trim);
                    codes::near_fold(report, code, trim, self.fold_mm);
                }
                Element::Month(block) => {
                    let found = measures.months.get(&(typeset, index));
                    months::month(report, block, page, index, found, trim);
                }
            }
        }
    }
}

/// What is to be known of what is put on a cover besides ink, and of nothing else: only the front is typeset.
pub(crate) fn of_artwork(document: &Document, making: Making) -> Result<Vec<Finding>, PressError> {
    check(document, [&document.cover])?;
    let front = Document { pages: Vec::new(), ..document.clone() };
    let Measures { texts, .. } = measure(&front, &[&front.cover], &|| true)?;
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

/// An ornament so small that its lines are such ones.
fn fine_ornament(report: &mut Report, ornament: Ornament, frame: &Rect) {
    if let Some(finest) = ornament.finest_in(frame).filter(|finest| *finest < HAIRLINE_MM) {
        let sentence = format!(
            "的{}太小，线条只有 {finest:.2} 毫米粗，印出来可能断断续续；请放大一些。",
            ornament.name()
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
        let (page, element) = (self.page, self.element);
        self.findings.push(Finding { page, element, severity, code, message, copies: Vec::new() });
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

/// The area that an element hides or fills, turned as it is: photos, codes, and areas with a colour.
fn solid(element: &Element) -> Option<Turned<'_>> {
    match element {
        Element::Photo(photo) => Some((&photo.frame, photo.common.rotation)),
        Element::Code(code) => Some((&code.frame, code.common.rotation)),
        Element::Shape(shape) if shape.fill.is_some() && shape.shape.is_area() => {
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
