//! Books of ready pages: every page of a PDF becomes a page of the book, in its order.
//!
//! A page of the book's size stands where it is, its bleed past the trim. A page of another size or shape is scaled
//! evenly and centred, so that all of it is seen.

use serde::{Deserialize, Serialize};

use crate::document::{
    BLEED_MM, Colour, Crop, Document, Element, Page, PdfPage, Rect, SAFE_MM, TextBlock, TextRole, Trim,
};
use crate::goods::PageAim;
use crate::ids::FileDigest;
use crate::layout;

/// A page this much larger or smaller has the book's size, in mm.
pub const TOLERANCE_MM: f64 = 1.0;
/// What no knife sees, in mm: a page that differs by less is not scaled.
const SAME_MM: f64 = 0.1;
const WHITE: Colour = Colour([255; 3]);

/// A page of a PDF as viewers show it: turned, and cut to its CropBox. All measures in mm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PdfSheet {
    pub width: f64,
    pub height: f64,
    /// The finished page, where the file says that more is shown than that (TrimBox); from the top left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trim: Option<Rect>,
}

/// What stands on the cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverChoice {
    /// Title and author, set by the theme.
    Words,
    /// The first page of the file, which then is no inner page.
    FirstPage,
    /// The same words below a small picture of the first page, which stays an inner page, too.
    Both,
}

/// What a book of ready pages is made of.
#[derive(Debug, Clone)]
pub struct Manuscript<'a> {
    pub file: &'a FileDigest,
    pub sheets: &'a [PdfSheet],
    pub trim: Trim,
    pub theme: &'a str,
    pub title: &'a str,
    pub author: &'a str,
    pub cover: CoverChoice,
    /// It was set here, on the theme's paper, and begins with a title page and its empty back.
    pub is_text: bool,
}

/// Pages that stand before the text where there is a title page: itself and its back.
pub const TITLE_LEAF: u32 = 2;

impl PdfSheet {
    /// The finished page on the sheet.
    fn finished(&self) -> Rect {
        self.trim.unwrap_or(Rect { x: 0.0, y: 0.0, width: self.width, height: self.height })
    }

    /// Width and height of the finished page, in mm.
    pub fn finished_size(&self) -> (f64, f64) {
        let Rect { width, height, .. } = self.finished();
        (width, height)
    }

    /// The part that is the page when the book has this page size; nothing where the size is another one.
    fn page_of(&self, trim: Trim) -> Option<Rect> {
        let near = |page: &Rect| {
            (page.width - trim.width).abs() <= TOLERANCE_MM
                && (page.height - trim.height).abs() <= TOLERANCE_MM
        };
        let finished = self.finished();
        // many programs export the bleed and say nothing of it
        let bled = Rect {
            x: finished.x + BLEED_MM,
            y: finished.y + BLEED_MM,
            width: finished.width - 2.0 * BLEED_MM,
            height: finished.height - 2.0 * BLEED_MM,
        };
        [finished, bled].into_iter().find(near)
    }

    /// Whether the page has this size, with its bleed or without.
    pub fn fits(&self, trim: Trim) -> bool {
        self.page_of(trim).is_some()
    }
}

/// The offered size that most pages of a file have.
pub fn size_in_file(sheets: &[PdfSheet], offered: impl IntoIterator<Item = Trim>) -> Option<Trim> {
    let fitting = |trim: &Trim| sheets.iter().filter(|sheet| sheet.fits(*trim)).count();
    offered
        .into_iter()
        .map(|trim| (fitting(&trim), trim))
        .filter(|(count, _)| *count * 2 > sheets.len())
        .max_by_key(|(count, _)| *count)
        .map(|(_, trim)| trim)
}

/// The least number of pages that any of these goods can bind and that holds so many; nothing where none does.
pub fn bound_count(pages: u32, aims: &[PageAim]) -> Option<u32> {
    aims.iter().map(|aim| aim.at_least(pages)).filter(|count| *count >= pages).min()
}

/// How many inner pages a manuscript has before any are added for the binding.
pub fn page_count(manuscript: &Manuscript) -> usize {
    let front = if manuscript.is_text { TITLE_LEAF as usize } else { 0 };
    front + manuscript.sheets.len() - usize::from(manuscript.cover == CoverChoice::FirstPage)
}

/// Makes the book; empty pages at its end fill it up to `count`.
pub fn lay_out(manuscript: &Manuscript, count: usize) -> Document {
    let Manuscript { trim, .. } = *manuscript;
    // a PDF brings its own paper, which is white
    let background = if manuscript.is_text { None } else { Some(WHITE) };
    let empty = || Page { background, ..Page::default() };
    let mut ready = (1..).zip(manuscript.sheets).map(|(page, sheet)| {
        let (frame, crop) = place(sheet, trim);
        let pdf = PdfPage::new(manuscript.file.clone(), page, frame, crop);
        Page { background, elements: vec![Element::Pdf(pdf)], ..Page::default() }
    });
    let cover = match manuscript.cover {
        CoverChoice::FirstPage => ready.next().unwrap_or_default(),
        CoverChoice::Words => words(manuscript, 0.26),
        CoverChoice::Both => both(manuscript),
    };
    let mut pages = Vec::new();
    if manuscript.is_text {
        pages.push(words(manuscript, 0.3));
        pages.resize_with(TITLE_LEAF as usize, empty);
    }
    pages.extend(ready);
    pages.resize_with(count.max(pages.len()), empty);
    Document {
        trim,
        theme: manuscript.theme.to_owned(),
        title: manuscript.title.to_owned(),
        author: manuscript.author.to_owned(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover,
        pages,
    }
}

/// Where a small picture of the first page stands on a cover, as shares of its height, and where the words below it begin.
const PICTURE_SHARES: (f64, f64) = (0.1, 0.44);
const WORDS_BELOW: f64 = 0.58;

/// A cover with a small picture of the first page, and the words below it.
fn both(manuscript: &Manuscript) -> Page {
    let Some(sheet) = manuscript.sheets.first() else { return words(manuscript, 0.26) };
    let Trim { width, height } = manuscript.trim;
    let page = sheet.finished();
    let tall = (height * PICTURE_SHARES.1).min(width * 0.74 * page.height / page.width);
    let wide = tall * page.width / page.height;
    let y = height * (PICTURE_SHARES.0 + PICTURE_SHARES.1) - tall;
    let frame = Rect { x: (width - wide) / 2.0, y, width: wide, height: tall };
    let crop = Crop {
        x: page.x / sheet.width,
        y: page.y / sheet.height,
        width: page.width / sheet.width,
        height: page.height / sheet.height,
    };
    let mut cover = words(manuscript, WORDS_BELOW);
    cover.elements.insert(0, Element::Pdf(PdfPage::new(manuscript.file.clone(), 1, frame, crop)));
    cover
}

/// A page with title and author, the title's top at a share of the page's height.
fn words(manuscript: &Manuscript, top: f64) -> Page {
    let Trim { width, height } = manuscript.trim;
    let scale = (width.min(height) / 200.0).clamp(0.4, 1.4);
    let margin = (width * 0.13).max(SAFE_MM + 5.0).round();
    let block = |y: f64, height: f64, role, text: &str| {
        let frame = Rect { x: margin, y: y.round(), width: width - 2.0 * margin, height: height.round() };
        Element::Text(TextBlock::new(frame, role, text))
    };
    let y = height * top;
    let mut elements = vec![block(y, 46.0 * scale, TextRole::Title, manuscript.title)];
    if !manuscript.author.is_empty() {
        elements.push(block(y + 50.0 * scale, 12.0 * scale, TextRole::Subtitle, manuscript.author));
    }
    Page { elements, ..Page::default() }
}

/// Where a sheet stands on a page, and which part of it.
fn place(sheet: &PdfSheet, trim: Trim) -> (Rect, Crop) {
    let whole = Rect { x: 0.0, y: 0.0, width: sheet.width, height: sheet.height };
    let view = match sheet.page_of(trim) {
        Some(page) => View { page, shown: whole, scale: covering(page.width, page.height, trim) },
        None => {
            let page = sheet.finished();
            View { page, shown: page, scale: inside(page.width, page.height, trim) }
        }
    };
    let (frame, part) = view.on(trim);
    let crop = Crop {
        x: part.x / sheet.width,
        y: part.y / sheet.height,
        width: part.width / sheet.width,
        height: part.height / sheet.height,
    };
    (frame, crop)
}

/// The scale at which no paper is left white beside a page of the right size.
fn covering(width: f64, height: f64, trim: Trim) -> f64 {
    if (width - trim.width).abs() <= SAME_MM && (height - trim.height).abs() <= SAME_MM {
        return 1.0;
    }
    (trim.width / width).max(trim.height / height)
}

/// The largest scale at which all of a page is seen.
fn inside(width: f64, height: f64, trim: Trim) -> f64 {
    (trim.width / width).min(trim.height / height)
}

/// How a sheet is looked at: its `page` is centred, and nothing outside `shown` is printed.
struct View {
    page: Rect,
    shown: Rect,
    scale: f64,
}

impl View {
    /// The frame on a page of this size, which ends at its bleed, and the part of the sheet that fills it.
    fn on(&self, trim: Trim) -> (Rect, Rect) {
        let area = trim.with_bleed();
        let along = |start: f64, length: f64, from: f64, size: f64, middle: f64, paper: f64| {
            // on the sheet, what the paper with its bleed shows
            let first = ((start - paper / 2.0) / self.scale + middle).max(from);
            let last = ((start + length - paper / 2.0) / self.scale + middle).min(from + size);
            (first, last - first, (first - middle) * self.scale + paper / 2.0)
        };
        let middle = |start: f64, length: f64| start + length / 2.0;
        let (page, shown) = (&self.page, &self.shown);
        let (x, width, left) =
            along(area.x, area.width, shown.x, shown.width, middle(page.x, page.width), trim.width);
        let (y, height, top) =
            along(area.y, area.height, shown.y, shown.height, middle(page.y, page.height), trim.height);
        let frame = Rect { x: left, y: top, width: width * self.scale, height: height * self.scale };
        (frame, Rect { x, y, width, height })
    }
}

/// Whether a page of a PDF covers the whole page of the book.
pub fn covers(pdf: &PdfPage, trim: Trim) -> bool {
    reaches(&pdf.frame, Rect { x: 0.0, y: 0.0, width: trim.width, height: trim.height })
}

/// Whether it covers the bleed, too.
pub fn covers_bleed(pdf: &PdfPage, trim: Trim) -> bool {
    reaches(&pdf.frame, trim.with_bleed())
}

fn reaches(frame: &Rect, area: Rect) -> bool {
    frame.x <= area.x + SAME_MM
        && frame.y <= area.y + SAME_MM
        && frame.x + frame.width >= area.x + area.width - SAME_MM
        && frame.y + frame.height >= area.y + area.height - SAME_MM
}

/// The page of a PDF on another page size: scaled evenly, so that what was the page is seen whole.
pub(crate) fn moved(pdf: &PdfPage, from: Trim, to: Trim) -> PdfPage {
    let (frame, crop) = (pdf.frame, pdf.crop);
    let was = if covers(pdf, from) {
        Rect { x: 0.0, y: 0.0, width: from.width, height: from.height }
    } else {
        frame
    };
    let least = inside(was.width, was.height, to);
    let differs = |scale: f64| {
        (was.width * scale - to.width).abs().max((was.height * scale - to.height).abs()) > TOLERANCE_MM
    };
    let scale = if differs(least) { least } else { covering(was.width, was.height, to) };
    let (frame, part) = View { page: was, shown: frame, scale }.on(to);
    // what the frame showed of the page, and what of the frame is still shown
    let share = |start: f64, of: f64| (start / of).max(0.0);
    let crop = Crop {
        x: crop.x + share(part.x - pdf.frame.x, pdf.frame.width) * crop.width,
        y: crop.y + share(part.y - pdf.frame.y, pdf.frame.height) * crop.height,
        width: crop.width * part.width / pdf.frame.width,
        height: crop.height * part.height / pdf.frame.height,
    };
    PdfPage { frame, crop, ..pdf.clone() }
}

/// A book of ready pages on another page size, with at least so many pages; empty ones stand at its end.
pub(crate) fn refitted(document: &Document, trim: Trim, least: usize) -> Document {
    let scaled = |page: &Page| layout::scaled(page, document.trim, trim);
    let written =
        document.pages.iter().rposition(|page| !page.elements.is_empty()).map_or(0, |last| last + 1);
    let background = document.pages.last().and_then(|page| page.background);
    let mut pages: Vec<Page> = document.pages.iter().take(written).map(scaled).collect();
    pages.resize_with(least.max(written), || Page { background, ..Page::default() });
    Document { trim, cover: scaled(&document.cover), pages, ..document.clone() }
}

/// A text that was set again for another theme or page size, with what stood on the cover and the title page before. Its
/// pages bring no look of their own, so the look of an old one is what a member gave it, and stays with its number.
pub fn set_anew(before: &Document, set: Document) -> Document {
    let carried = |page: &Page| layout::scaled(page, before.trim, set.trim);
    let mut pages = set.pages;
    for (index, (new, old)) in pages.iter_mut().zip(&before.pages).enumerate() {
        *new = if index == 0 { carried(old) } else { layout::dressed(std::mem::take(new), old) };
    }
    let (description, category, emoji) = (before.description.clone(), before.category, before.emoji);
    Document { cover: carried(&before.cover), pages, description, category, emoji, ..set }
}
