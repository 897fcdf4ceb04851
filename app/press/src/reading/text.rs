//! The words of a page as they were typeset: what the member wrote, and where each line of it stands.

use domain::document::Rect;
use domain::document::{Document, Element, Page, TextRole};
use domain::reading::{Line, PageText, TextBlockRead, hundredth};
use domain::typed::is_ignorable;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use typst::foundations::Content;
use typst::introspection::Tag;
use typst::layout::{Frame, FrameItem, Point, Transform};
use typst::text::TextItem;

use crate::error::PressError;
use crate::screen::PageRef;
use crate::sheet::{Sheet, check, printable};
use crate::world::typeset;

/// How high a line is above and below its baseline, of its size: the characters' square, as the themes set it.
const ABOVE: f64 = 0.88;
const BELOW: f64 = 0.12;
/// How far baselines of one line may be apart, of its size.
const SAME_LINE: f64 = 0.3;

/// The words of a page in reading order. Those on pages of PDFs are not among them.
pub(crate) fn page_text(document: &Document, page: PageRef) -> Result<PageText, PressError> {
    side_text(document, page.of(document)?)
}

/// The same of a page that need not stand in the document.
pub(crate) fn side_text(document: &Document, side: &Page) -> Result<PageText, PressError> {
    check(document, [side])?;
    // words do not depend on photos: frames stay empty
    let sheet = Sheet::new(document, [side], |_| Ok::<_, PressError>(None))?;
    let typeset = typeset(&sheet, Vec::new())?;
    let page =
        typeset.pages().first().ok_or_else(|| PressError::Typesetting("no page came out".to_owned()))?;
    let mut walk = Walk { elements: &side.elements, ..Walk::default() };
    walk.frame(&page.frame, Transform::identity());
    Ok(PageText { blocks: walk.blocks }.in_order())
}

/// A run of characters that are set alike, in mm.
struct Run {
    text: String,
    /// Where each character begins and the last one ends.
    edges: Vec<f64>,
    baseline: f64,
    size: f64,
}

/// What the theme notes after an element's words.
#[derive(Deserialize)]
struct Noted {
    element: usize,
}

/// Goes through the page as it was typeset. The theme notes after each element that its words are over.
#[derive(Default)]
struct Walk<'a> {
    elements: &'a [Element],
    /// Words whose element is not known yet.
    runs: Vec<Run>,
    /// The days of a month that is not over yet, and before them the head of its columns.
    days: Vec<Vec<Run>>,
    blocks: Vec<TextBlockRead>,
}

impl Walk<'_> {
    fn frame(&mut self, frame: &Frame, place: Transform) {
        for (at, item) in frame.items() {
            let place = place.pre_concat(Transform::translate(at.x, at.y));
            match item {
                FrameItem::Group(group) => self.frame(&group.frame, place.pre_concat(group.transform)),
                FrameItem::Text(text) => self.runs.extend(run(text, place)),
                FrameItem::Tag(Tag::Start(note, _)) => self.note(note),
                _ => {}
            }
        }
    }

    fn note(&mut self, note: &Content) {
        let Some(label) = note.label() else { return };
        match label.resolve().as_str() {
            "text-block" => {
                let runs = std::mem::take(&mut self.runs);
                if let Some(Element::Text(block)) = self.noted(note) {
                    self.blocks.extend(written(block.role, &block.text, runs));
                }
            }
            "month-day" => self.days.push(std::mem::take(&mut self.runs)),
            "month-block" => {
                let mut days = std::mem::take(&mut self.days);
                days.push(std::mem::take(&mut self.runs));
                self.blocks.extend(month(days));
            }
            _ => {}
        }
    }

    fn noted(&self, note: &Content) -> Option<&Element> {
        let noted: Noted = value(note)?;
        self.elements.get(noted.element)
    }
}

fn value<T: DeserializeOwned>(note: &Content) -> Option<T> {
    let value = serde_json::to_value(note.get_by_name("value").ok()?).ok()?;
    serde_json::from_value(value).ok()
}

/// Words that run from left to right; others are not set on pages.
fn run(text: &TextItem, place: Transform) -> Option<Run> {
    let origin = Point::zero().transform(place);
    let across = place.sx.get();
    if place.ky.get() != 0.0 || place.kx.get() != 0.0 || across <= 0.0 {
        return None;
    }
    let size = text.size.to_mm() * across;
    let mut edges = vec![origin.x.to_mm()];
    let mut from = origin.x.to_mm();
    for glyph in &text.glyphs {
        let to = from + glyph.x_advance.at(text.size).to_mm() * across;
        // a glyph may stand for several characters, and a character may have several glyphs
        let characters = text.text.get(glyph.range()).map_or(0, |part| part.chars().count());
        for number in 1..=characters {
            edges.push(from + (to - from) * number as f64 / characters as f64);
        }
        from = to;
    }
    let count = text.text.chars().count();
    edges.resize(count + 1, from);
    Some(Run { text: text.text.to_string(), edges, baseline: origin.y.to_mm(), size })
}

/// A text as the member wrote it, and its lines. The theme sets its characters in their order, all that can be printed.
fn written(role: TextRole, text: &str, runs: Vec<Run>) -> Option<TextBlockRead> {
    let text: String = printable(text.trim_end()).collect();
    let letters: Vec<char> = text.chars().collect();
    let mut lines = Vec::new();
    let mut next = 0;
    for line in by_line(runs) {
        let mut places: Vec<(usize, f64, f64)> = Vec::new();
        let set = line.iter().flat_map(|run| run.text.chars().zip(run.edges.windows(2)));
        for (letter, edge) in set {
            let gap = letters[next..].iter().take_while(|c| **c != letter && !is_shown(**c)).count();
            if letters.get(next + gap) == Some(&letter) {
                places.push((next + gap, edge[0], edge[1]));
                next += gap + 1;
            }
        }
        let (Some(first), Some(last)) = (places.first(), places.last()) else { continue };
        let (start, end) = (first.0, last.0 + 1);
        let mut edges = Vec::with_capacity(end - start + 1);
        let mut reached = first.1;
        let mut at = places.iter().peekable();
        for letter in start..end {
            match at.next_if(|(place, ..)| *place == letter) {
                Some((_, from, to)) => {
                    edges.push(*from);
                    reached = *to;
                }
                None => edges.push(reached),
            }
        }
        edges.push(reached);
        lines.push(line_of(letters[start..end].iter().collect(), start, edges, &line));
    }
    (!lines.is_empty()).then_some(TextBlockRead { role, text, lines })
}

/// Whether a character leaves ink on paper; of the others, not all are set.
fn is_shown(letter: char) -> bool {
    !letter.is_whitespace() && !is_ignorable(letter)
}

/// The runs of each line, as they come.
fn by_line(runs: Vec<Run>) -> Vec<Vec<Run>> {
    let mut lines: Vec<Vec<Run>> = Vec::new();
    for run in runs {
        match lines.last_mut() {
            Some(line)
                if line.iter().any(|other| (other.baseline - run.baseline).abs() < SAME_LINE * run.size) =>
            {
                line.push(run);
            }
            _ => lines.push(vec![run]),
        }
    }
    lines
}

fn line_of(text: String, start: usize, edges: Vec<f64>, runs: &[Run]) -> Line {
    let top = runs.iter().map(|run| run.baseline - ABOVE * run.size).fold(f64::MAX, f64::min);
    let bottom = runs.iter().map(|run| run.baseline + BELOW * run.size).fold(f64::MIN, f64::max);
    let (left, right) = (edges.first().copied().unwrap_or(0.0), edges.last().copied().unwrap_or(0.0));
    let frame = Rect {
        x: hundredth(left),
        y: hundredth(top),
        width: hundredth(right - left),
        height: hundredth(bottom - top),
    };
    Line { text, start, frame, edges: edges.into_iter().map(hundredth).collect() }
}

/// A month: a paragraph for the head of its columns and one for each day, whose words stand where they stand.
fn month(days: Vec<Vec<Run>>) -> Option<TextBlockRead> {
    let is_grid = days.len() > 1;
    let (mut text, mut length, mut lines) = (String::new(), 0, Vec::new());
    for day in days {
        for (number, run) in day.into_iter().enumerate() {
            if length > 0 {
                text.push(if number == 0 { '\n' } else { ' ' });
                length += 1;
            }
            text.push_str(&run.text);
            let start = length;
            length += run.text.chars().count();
            lines.push(line_of(run.text.clone(), start, run.edges.clone(), &[run]));
        }
    }
    let role = if is_grid { TextRole::Body } else { TextRole::Heading };
    (!lines.is_empty()).then_some(TextBlockRead { role, text, lines })
}
