//! The words of a page as readers get them: in reading order, each line with the place where it stands, so that a hit of
//! a search is marked on the picture, a screen reader reads what the eye sees, and words can be marked and copied.
//!
//! Where lines stand is found by the press, in its own pages and in members' PDFs; what is done with them is here.

mod excerpt;
mod find;
mod notes;
mod order;
mod question;
mod separators;

pub use excerpt::{Around, excerpt};
pub use find::{Hit, folded, places};
pub use notes::SheetNote;
pub use order::{Flow, Part, page_order, reading_order};
pub use question::{MOST_WORDS, Match, NoQuestion, QUESTION_LENGTH, Question, sought};
pub use separators::Separators;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::document::{PdfPage, Rect, TextRole, Trim};

/// Whitespace between the parts of a book's page that puts them beside each other, in mm.
pub const GUTTER_MM: f64 = 1.0;

/// The words of a page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageText {
    /// In reading order.
    pub blocks: Vec<TextBlockRead>,
}

/// A paragraph or several, a title, a caption, a month.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextBlockRead {
    pub role: TextRole,
    /// A line feed ends a paragraph; nothing stands where a line of the page ends otherwise.
    pub text: String,
    pub lines: Vec<Line>,
}

/// What stands on one line of the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub text: String,
    /// Where it begins in its block's text, in characters.
    pub start: usize,
    /// In mm from the top left corner of the page.
    pub frame: Rect,
    /// Where each character begins and the last one ends, in mm from the page's left edge; one more than there are characters.
    /// Empty where the line does not run from left to right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<f64>,
}

/// The words of a page of a PDF, as viewers show it: turned, and cut to its CropBox.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SheetText {
    /// The size of the page in mm.
    pub width: f64,
    pub height: f64,
    pub text: PageText,
    /// What parts the words, in mm.
    #[serde(default, skip_serializing_if = "Separators::is_empty")]
    pub separators: Separators,
    /// Glyphs of which nobody knows which character they are.
    #[serde(default)]
    pub unread: u32,
    /// There was more than is taken of one page.
    #[serde(default)]
    pub is_cut: bool,
}

/// A link of a PDF's page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SheetLink {
    /// In per mille of the page as viewers show it.
    pub frame: Rect,
    pub target: LinkTarget,
    /// How far down the page it leads, where it says so, in per mille of that page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down: Option<f64>,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkTarget {
    /// `http:`, `https:`, `mailto:` or `tel:`.
    Uri(String),
    /// A page of the same file, from 1.
    Page(u32),
}

impl Line {
    /// Characters of the line.
    pub fn length(&self) -> usize {
        self.text.chars().count()
    }

    /// Where a range of its characters stands, in mm; all of the line where it is not known more exactly.
    pub fn part(&self, range: Range<usize>) -> Rect {
        let edge = |index: usize| self.edges.get(index.min(self.edges.len().saturating_sub(1))).copied();
        match (edge(range.start), edge(range.end)) {
            (Some(from), Some(to)) => Rect { x: from.min(to), width: (to - from).abs(), ..self.frame },
            _ => self.frame,
        }
    }
}

impl TextBlockRead {
    /// Where a range of its text's characters stands: a rectangle for each line that it touches.
    pub fn frames(&self, range: Range<usize>) -> Vec<Rect> {
        let touched = self.lines.iter().filter_map(|line| {
            let end = line.start + line.length();
            let (from, to) = (range.start.max(line.start), range.end.min(end));
            (from < to).then(|| line.part(from - line.start..to - line.start))
        });
        touched.collect()
    }

    /// Around all of its lines.
    pub fn frame(&self) -> Rect {
        around(self.lines.iter().map(|line| line.frame))
    }
}

impl PageText {
    /// All words, a line for each block and paragraph.
    pub fn plain(&self) -> String {
        self.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Both pages' words, in reading order.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.blocks.extend(other.blocks);
        self.in_order()
    }

    /// The same in reading order.
    #[must_use]
    pub fn in_order(self) -> Self {
        let frames: Vec<Rect> = self.blocks.iter().map(TextBlockRead::frame).collect();
        let mut blocks: Vec<Option<TextBlockRead>> = self.blocks.into_iter().map(Some).collect();
        let order = reading_order(&frames, Flow::Rows, GUTTER_MM);
        Self { blocks: order.into_iter().filter_map(|index| blocks[index].take()).collect() }
    }
}

impl SheetText {
    /// The lines that a document's page shows of it, where they stand in the file.
    #[must_use]
    pub fn cut(&self, pdf: &PdfPage) -> Self {
        let is_seen =
            |line: &Line| shown(pdf, &scaled(&line.frame, 1.0 / self.width, 1.0 / self.height)).is_some();
        let blocks = self.text.blocks.iter().map(|block| TextBlockRead {
            lines: block.lines.iter().filter(|line| is_seen(line)).cloned().collect(),
            ..block.clone()
        });
        let blocks = blocks.filter(|block| !block.lines.is_empty()).collect();
        Self { text: PageText { blocks }, separators: self.separators.clone(), ..*self }
    }

    /// The words that a document's page shows of it, in mm on that page.
    pub fn placed(&self, pdf: &PdfPage) -> PageText {
        let across = |x: f64| pdf.frame.x + (x / self.width - pdf.crop.x) / pdf.crop.width * pdf.frame.width;
        let place = |frame: &Rect| {
            let part = Rect {
                x: frame.x / self.width,
                y: frame.y / self.height,
                width: frame.width / self.width,
                height: frame.height / self.height,
            };
            shown(pdf, &part)
        };
        let blocks = self.text.blocks.iter().filter_map(|block| {
            let lines: Vec<Line> = block
                .lines
                .iter()
                .filter_map(|line| {
                    let edges = line.edges.iter().map(|x| hundredth(across(*x))).collect();
                    Some(Line { frame: place(&line.frame)?, edges, ..line.clone() })
                })
                .collect();
            (!lines.is_empty()).then(|| TextBlockRead { lines, ..block.clone() })
        });
        PageText { blocks: blocks.collect() }
    }

    /// What parts them there, in per mille of that page.
    pub fn separators_placed(&self, pdf: &PdfPage, trim: Trim) -> Separators {
        self.separators.placed(|frame| {
            let place = shown(pdf, &scaled(frame, 1.0 / self.width, 1.0 / self.height))?;
            Some(scaled(&place, 1000.0 / trim.width, 1000.0 / trim.height))
        })
    }
}

impl SheetLink {
    /// Whether it leads to a page of its file.
    pub fn leads_to(&self, page: u32) -> bool {
        self.target == LinkTarget::Page(page)
    }

    /// Where a document's page shows it, in per mille of that page; nothing where it lies beside what is shown.
    pub fn placed(&self, pdf: &PdfPage, trim: Trim) -> Option<Rect> {
        let part = scaled(&self.frame, 0.001, 0.001);
        let place = shown(pdf, &part)?;
        let (right, bottom) =
            ((place.x + place.width).min(trim.width), (place.y + place.height).min(trim.height));
        let (x, y) = (place.x.max(0.0), place.y.max(0.0));
        let seen = Rect { x, y, width: right - x, height: bottom - y };
        let place = scaled(&seen, 1000.0 / trim.width, 1000.0 / trim.height);
        (seen.width > 0.0 && seen.height > 0.0).then_some(place)
    }
}

/// Where a frame shows a part of a PDF's page, both as they lie in the frame; nothing of what the crop cuts away by half or
/// more.
fn shown(pdf: &PdfPage, part: &Rect) -> Option<Rect> {
    let middle = (part.x + part.width / 2.0, part.y + part.height / 2.0);
    let crop = pdf.crop;
    let is_seen = (crop.x..=crop.x + crop.width).contains(&middle.0)
        && (crop.y..=crop.y + crop.height).contains(&middle.1);
    is_seen.then(|| Rect {
        x: hundredth(pdf.frame.x + (part.x - crop.x) / crop.width * pdf.frame.width),
        y: hundredth(pdf.frame.y + (part.y - crop.y) / crop.height * pdf.frame.height),
        width: hundredth(part.width / crop.width * pdf.frame.width),
        height: hundredth(part.height / crop.height * pdf.frame.height),
    })
}

fn scaled(frame: &Rect, across: f64, down: f64) -> Rect {
    Rect { x: frame.x * across, y: frame.y * down, width: frame.width * across, height: frame.height * down }
}

/// As exact as a place on paper needs to be, and as short when it is written down.
pub fn hundredth(mm: f64) -> f64 {
    (mm * 100.0).round() / 100.0
}

/// The least rectangle around others; empty where there are none.
pub fn around(frames: impl IntoIterator<Item = Rect>) -> Rect {
    let both = frames.into_iter().reduce(|one, other| {
        let (x, y) = (one.x.min(other.x), one.y.min(other.y));
        let right = (one.x + one.width).max(other.x + other.width);
        let bottom = (one.y + one.height).max(other.y + other.height);
        Rect { x, y, width: right - x, height: bottom - y }
    });
    both.unwrap_or(Rect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 })
}
