//! Footnotes of PDFs. Nothing in a page says what is one; but a link over a small or bracketed mark behind words, which leads down to
//! where the same mark stands before a text, is what programs that set books write of one.

use super::{Line, SheetLink, SheetText, TextBlockRead};
use crate::document::Rect;

/// The longest mark: `[12]`, `（注3）`.
const MOST_MARK: usize = 5;
/// How far below its link's destination a note may begin, in mm: programs lead readers to somewhat above it.
const BELOW_MM: f64 = 12.0;
/// How far above it a link back to a mark may lead.
const LEVEL_MM: f64 = 3.0;
/// A mark is raised, and smaller than the words that it stands behind: its height as a part of theirs, at most.
const SMALL: f64 = 0.85;
/// The lines of a note are of one size, more or less.
const SAME_SIZE: std::ops::RangeInclusive<f64> = 0.85..=1.2;
/// What of a note is shown, in characters.
const MOST_TEXT: usize = 2_000;
/// Lines beside each other that are looked at for a mark.
const MOST_BESIDE: usize = 200;
/// Notes of a page.
const MOST_NOTES: usize = 100;

/// A link that leads to a footnote of the same page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetNote {
    /// Which of the page's links, from 0.
    pub link: usize,
    /// What stands under the link: `1`, `*`, `[3]`.
    pub mark: String,
    /// What the note says, without its mark, at most 2,000 characters; a line feed ends a paragraph.
    pub text: String,
    /// The link over the number before the note, where that leads back to this mark.
    pub back: Option<usize>,
}

impl SheetText {
    /// The footnotes of the page, number `page` of its file, to which its links lead, at most 100.
    pub fn notes(&self, page: u32, links: &[SheetLink]) -> Vec<SheetNote> {
        let lines = self.lines();
        let marks = links.iter().enumerate().filter_map(|(index, link)| {
            let down = link.down.filter(|down| link.leads_to(page) && *down > link.frame.y)?;
            let mark = self.mark(&lines, &link.frame)?;
            let start = start(&lines, core(&mark), down * self.height / 1000.0)?;
            Some((index, mark, start))
        });
        let marks: Vec<(usize, String, usize)> = marks.take(MOST_NOTES).collect();
        let note = |(link, mark, start): &(usize, String, usize)| {
            let until = marks.iter().map(|(.., other)| *other).filter(|other| other > start).min();
            let said = said(&lines, *start, until.unwrap_or(lines.len()));
            let text: String = without(said.trim(), core(mark)).chars().take(MOST_TEXT).collect();
            let back = self.back(page, links, lines[*start].0);
            // of several marks of a note it leads to one
            let back = back.filter(|back| self.leads_to(&links[*back], &marks, *start, links) == Some(*link));
            (!text.is_empty()).then(|| SheetNote { link: *link, mark: mark.clone(), text, back })
        };
        marks.iter().filter_map(note).collect()
    }

    /// The link that leads up from where a note begins.
    fn back(&self, page: u32, links: &[SheetLink], line: &Line) -> Option<usize> {
        let down = self.height / 1000.0;
        links.iter().position(|link| {
            let middle = (link.frame.y + link.frame.height / 2.0) * down;
            let is_before = link.frame.x * self.width / 1000.0 <= line.frame.x + line.frame.height;
            link.leads_to(page)
                && link.down.is_some_and(|to| to < link.frame.y)
                && (line.frame.y..=line.frame.y + line.frame.height).contains(&middle)
                && is_before
        })
    }

    /// Of the marks of a note, the one to which a link leads: the nearest below its destination.
    fn leads_to(
        &self,
        back: &SheetLink,
        marks: &[(usize, String, usize)],
        start: usize,
        links: &[SheetLink],
    ) -> Option<usize> {
        let below =
            |link: usize| (links[link].frame.y - back.down.unwrap_or_default()) * self.height / 1000.0;
        let own = marks.iter().filter(|(.., other)| *other == start).map(|(link, ..)| *link);
        let near = own.filter(|link| (-LEVEL_MM..BELOW_MM).contains(&below(*link)));
        near.min_by(|one, other| below(*one).abs().total_cmp(&below(*other).abs()))
    }

    /// All lines in reading order, each with what parts it from the next: nothing, a space, or the end of a paragraph.
    fn lines(&self) -> Vec<(&Line, String)> {
        let of_block = |block: &TextBlockRead| -> Vec<String> {
            let characters: Vec<char> = block.text.chars().collect();
            let starts = block.lines.iter().skip(1).map(|next| next.start);
            let between = block.lines.iter().zip(starts).map(|(line, next)| {
                let end = (line.start + line.length()).min(characters.len());
                let parting =
                    characters.get(end..next).unwrap_or_default().iter().find(|c| c.is_whitespace());
                parting.map(char::to_string).unwrap_or_default()
            });
            between.chain(["\n".to_owned()]).collect()
        };
        let blocks = self.text.blocks.iter();
        blocks.flat_map(|block| block.lines.iter().zip(of_block(block))).collect()
    }

    /// What stands under a link, where that may be a mark: small behind larger words, or in brackets behind others of its line.
    fn mark(&self, lines: &[(&Line, String)], frame: &Rect) -> Option<String> {
        let (across, down) = (self.width / 1000.0, self.height / 1000.0);
        let (left, right) = (frame.x * across, (frame.x + frame.width) * across);
        let (top, bottom) = (frame.y * down, (frame.y + frame.height) * down);
        let is_over = |line: &Line| {
            let middle = line.frame.y + line.frame.height / 2.0;
            top <= middle && middle <= bottom
        };
        let over: Vec<&Line> =
            lines.iter().map(|(line, _)| *line).filter(|line| is_over(line)).take(MOST_BESIDE).collect();
        let small = over.iter().find(|line| {
            let Rect { x, width, height, .. } = line.frame;
            let is_under = left <= x + width / 2.0 && x + width / 2.0 <= right;
            let behind = over.iter().any(|other| other.frame.x < x && height <= SMALL * other.frame.height);
            is_under && behind
        });
        let mark = match small {
            Some(line) => line.text.trim().to_owned(),
            None => over.iter().find_map(|line| bracketed(line, left, right))?,
        };
        let is_mark = (1..=MOST_MARK).contains(&mark.chars().count()) && !core(&mark).is_empty();
        is_mark.then_some(mark)
    }
}

/// The characters of a line from one place to another, where they stand in brackets behind others.
fn bracketed(line: &Line, left: f64, right: f64) -> Option<String> {
    let is_under = |index: usize| {
        let (from, to) = (line.edges.get(index)?, line.edges.get(index + 1)?);
        let middle = f64::midpoint(*from, *to);
        Some(left <= middle && middle <= right)
    };
    let under = line.text.chars().enumerate().filter(|(index, _)| is_under(*index) == Some(true));
    let first = under.clone().next().filter(|(index, _)| *index > 0)?.0;
    let mark: String = under.map(|(_, c)| c).collect();
    // the brackets may stand beside the link
    let before = line.text.chars().nth(first - 1);
    let has_brackets = [mark.trim().chars().next(), before]
        .into_iter()
        .flatten()
        .any(|c| is_bracket(c) && !c.is_whitespace());
    has_brackets.then(|| mark.trim().to_owned())
}

/// The line nearest below a place, in mm, with which a note begins: behind its mark, or with it.
fn start(lines: &[(&Line, String)], mark: &str, down: f64) -> Option<usize> {
    let near = |line: &Line| line.frame.y + line.frame.height > down && line.frame.y < down + BELOW_MM;
    let first = |at: &usize, other: &usize| lines[*at].0.frame.y.total_cmp(&lines[*other].0.frame.y);
    let found = (0..lines.len())
        .filter(|at| near(lines[*at].0) && begins(&lines[*at].0.text, mark).is_some())
        .min_by(first)?;
    let Rect { x, y, width, height } = lines[found].0.frame;
    if begins(&lines[found].0.text, mark).is_some_and(|rest| !rest.trim_start_matches(is_parting).is_empty())
    {
        return Some(found);
    }
    // the mark stands alone: its note begins beside it
    let beside = (0..lines.len()).filter(|at| {
        let other = lines[*at].0.frame;
        *at != found && other.x >= x + width / 2.0 && other.y < y + height && other.y + other.height > y
    });
    beside.min_by(|one, other| lines[*one].0.frame.x.total_cmp(&lines[*other].0.frame.x))
}

/// What a line says behind a mark, where it begins with that: 1 is not the mark of 12 or 1.2.
fn begins<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    let rest = text.trim_start_matches(is_bracket).strip_prefix(mark)?;
    let goes_on = rest.trim_start_matches('.').starts_with(char::is_numeric);
    (!mark.ends_with(char::is_numeric) || !goes_on).then_some(rest)
}

/// The words from a line on, up to another one, as long as they go on closely in the same size.
fn said(lines: &[(&Line, String)], start: usize, until: usize) -> String {
    let size = lines[start].0.frame.height;
    let mut bottom = lines[start].0.frame.y + size;
    let mut said = String::new();
    for (line, parting) in &lines[start..until] {
        let Rect { y, height, .. } = line.frame;
        if height < SMALL * size {
            // the mark of the next one, or of another
            continue;
        }
        let goes_on = SAME_SIZE.contains(&(height / size)) && y < bottom + 2.0 * size;
        if !goes_on || said.chars().count() > MOST_TEXT {
            break;
        }
        said.push_str(&line.text);
        said.push_str(parting);
        bottom = bottom.max(y + height);
    }
    said
}

fn is_bracket(c: char) -> bool {
    matches!(c, '[' | ']' | '(' | ')' | '（' | '）' | '〔' | '〕' | '【' | '】' | '［' | '］')
        || c.is_whitespace()
}

fn is_parting(c: char) -> bool {
    is_bracket(c) || matches!(c, '.' | ':' | '：' | '、' | '．')
}

/// A mark without its brackets.
fn core(mark: &str) -> &str {
    mark.trim_matches(is_bracket)
}

/// What a note says behind its mark.
fn without<'a>(said: &'a str, mark: &str) -> &'a str {
    begins(said, mark).map_or(said, |rest| rest.trim_start_matches(is_parting).trim())
}
