//! What lines of a column say: paragraphs, headings, captions, tables.

use domain::document::{Rect, TextRole};
use domain::reading::{Line, TextBlockRead, hundredth};

use super::letters::{Run, is_ideographic};
use super::lines::Row;

/// How far the first line of a paragraph begins inside it, of its size.
const INDENT: f64 = 1.2;
/// How far the last one ends before the edge: of its size where lines fill their width, of the width where they don't.
const SHORT: f64 = 2.2;
const SHORT_SHARE: f64 = 0.3;
/// Sizes beside the usual one: headings, titles, captions.
const HEADING: f64 = 1.25;
const TITLE: f64 = 2.0;
const CAPTION: f64 = 0.84;
/// How far the middles of centred lines may be apart, and how much their lengths differ at least, of their size.
const CENTRED: f64 = 0.5;
const UNLIKE: f64 = 0.8;
/// Fewer lines may be a paragraph whose lines end so by chance; so many of verse without punctuation end before the others.
const LEAST_OF_VERSE: usize = 4;
const MOST_OF_VERSE: f64 = 0.6;
/// A heading in the size of its text is bold and has at most so many characters.
const MOST_OF_HEADING: usize = 30;

/// The sizes of a page's characters.
pub(super) struct Sizes {
    /// Most have it.
    pub usual: f64,
    largest: f64,
    /// Most of them are bold: that says nothing then.
    is_bold: bool,
}

impl Sizes {
    pub fn of(runs: &[Run]) -> Self {
        let mut sizes: Vec<(f64, usize)> =
            runs.iter().map(|run| (run.size, run.text.chars().count())).collect();
        sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
        let all = sizes.iter().map(|(_, count)| count).sum::<usize>();
        let mut passed = 0;
        let middle = sizes.iter().find(|(_, count)| {
            passed += count;
            passed > all / 2
        });
        let bold: usize = runs.iter().filter(|run| run.is_bold).map(|run| run.text.chars().count()).sum();
        Self {
            usual: middle.map_or(1.0, |(size, _)| *size),
            largest: runs.iter().map(|run| run.size).fold(0.0, f64::max),
            is_bold: bold * 2 > all,
        }
    }

    fn role(&self, rows: &[Row]) -> TextRole {
        let size = rows[0].size;
        match size / self.usual {
            share if share >= TITLE && size >= self.largest / 1.05 => TextRole::Title,
            share if share >= HEADING => TextRole::Heading,
            _ if self.is_bold_heading(rows) => TextRole::Heading,
            share if share <= CAPTION => TextRole::Caption,
            _ => TextRole::Body,
        }
    }

    pub fn is_heading(&self, rows: &[Row]) -> bool {
        matches!(self.role(rows), TextRole::Title | TextRole::Heading)
    }

    /// Whether a line is bold, and no smaller than the text, and so short that it may be a heading.
    fn is_bold_heading(&self, rows: &[Row]) -> bool {
        let [row] = rows else { return false };
        let text: String = row.runs.iter().map(|run| run.text.as_str()).collect();
        let is_sentence = text.trim_end().ends_with(['。', '，', '；', '：', '、', '.', ',', ';', ':']);
        row.is_bold
            && !self.is_bold
            && row.size > 0.97 * self.usual
            && !is_sentence
            && (2..=MOST_OF_HEADING).contains(&text.chars().count())
    }
}

/// Lines of a column with those apart that are headings in the size of its text: bold, short, between paragraphs.
pub(super) fn headed(rows: Vec<Row>, sizes: &Sizes) -> Vec<Vec<Row>> {
    let edge = rows.iter().map(Row::word_end).fold(f64::MIN, f64::max);
    let mut parts: Vec<Vec<Row>> = Vec::new();
    let mut was_heading = false;
    let count = rows.len();
    for (index, row) in rows.into_iter().enumerate() {
        let is_short = edge - row.span().1 > SHORT * row.size;
        let ends_before = parts.last().and_then(|part| part.last()).is_none_or(|above| {
            let last = above.runs.last().map(|run| run.last.letter);
            was_heading || last.is_some_and(|last| "。！？…”」』：；.!?".contains(last))
        });
        let is_heading = count > 1
            && index + 1 < count
            && is_short
            && ends_before
            && sizes.is_bold_heading(std::slice::from_ref(&row));
        match parts.last_mut() {
            Some(part) if !is_heading && !was_heading => part.push(row),
            _ => parts.push(vec![row]),
        }
        was_heading = is_heading;
    }
    parts
}

/// Lines of one column as a block of text.
pub(super) fn block(rows: Vec<Row>, sizes: &Sizes) -> TextBlockRead {
    let size = rows[0].size;
    let role = sizes.role(&rows);
    let start = rows.iter().map(|row| row.span().0).fold(f64::MAX, f64::min);
    let end = rows.iter().map(Row::word_end).fold(f64::MIN, f64::max);
    let (mut text, mut length) = (String::new(), 0);
    let mut lines: Vec<Line> = Vec::new();
    let keeps_lines = is_centred(&rows) || is_verse(&rows, (start, end));
    let mut above: Option<&Row> = None;
    for row in &rows {
        if let Some(above) = above {
            let missing = end - above.span().1;
            let fills = above.runs.iter().any(|run| run.text.chars().any(is_ideographic));
            let is_short = if fills { missing > SHORT * size } else { missing > SHORT_SHARE * (end - start) };
            let inside = |row: &Row| row.span().0 - start > INDENT * size;
            let ends = role == TextRole::Body && (keeps_lines || is_short || inside(row) && !inside(above));
            let (last, next) = (text.chars().last(), row.runs[0].text.chars().next());
            let is_tight =
                last.zip(next).is_some_and(|(last, next)| is_ideographic(last) || is_ideographic(next));
            let is_hyphen = |c: char| matches!(c, '-' | '\u{2010}');
            if ends {
                text.push('\n');
                length += 1;
            } else if last.is_some_and(is_hyphen) && next.is_some_and(char::is_lowercase) {
                // a word goes on: its hyphen is one of the line, not of the word
                text.pop();
                text.push('\u{ad}');
                if let Some(line) = lines.last_mut() {
                    line.text.pop();
                    line.text.push('\u{ad}');
                }
            } else if !is_tight {
                text.push(' ');
                length += 1;
            }
        }
        for run in &row.runs {
            text.push_str(&run.text);
            lines.push(line(run, length));
            length += run.text.chars().count();
        }
        above = Some(row);
    }
    TextBlockRead { role, text, lines }
}

/// Lines of unlike lengths around one middle: verse, each line of which ends where it ends.
fn is_centred(rows: &[Row]) -> bool {
    let middle = |row: &Row| f64::midpoint(row.word_start(), row.span().1);
    let length = |row: &Row| row.span().1 - row.span().0;
    let spread = |of: &dyn Fn(&Row) -> f64| {
        rows.iter().map(of).fold(f64::MIN, f64::max) - rows.iter().map(of).fold(f64::MAX, f64::min)
    };
    let size = rows[0].size;
    rows.len() > 1 && spread(&middle) < CENTRED * size && spread(&length) > UNLIKE * size
}

/// Lines of Chinese from one edge, none of which goes on in the next: each ends a clause, or most end long before the others do.
/// Paragraphs begin inside.
fn is_verse(rows: &[Row], (start, end): (f64, f64)) -> bool {
    let [above @ .., _] = rows else { return false };
    let size = rows[0].size;
    let is_chinese = |row: &Row| row.runs.iter().any(|run| run.text.chars().any(is_ideographic));
    let ends_clause =
        |row: &Row| row.runs.last().is_some_and(|run| "，。；！？、：…—”’》」』".contains(run.last.letter));
    let short = above.iter().filter(|row| end - row.span().1 > SHORT * size).count();
    rows.len() >= LEAST_OF_VERSE
        && rows.iter().all(|row| row.is_level && is_chinese(row) && row.span().0 - start <= INDENT * size)
        && (rows.iter().all(ends_clause) || short as f64 > MOST_OF_VERSE * above.len() as f64)
}

/// A table, row by row: its cells are parted by tabs.
pub(super) fn table(cells: Vec<((usize, usize), Run)>) -> TextBlockRead {
    let (mut text, mut length) = (String::new(), 0);
    let mut lines: Vec<Line> = Vec::new();
    let mut before: Option<(usize, usize)> = None;
    // rows are as long as the longest, so that each is known for one
    let last = cells.iter().map(|(cell, _)| cell.1).max().unwrap_or(0);
    for (cell, run) in cells {
        if let Some(before) = before {
            let is_tight = text.chars().last().is_some_and(is_ideographic)
                && run.text.chars().next().is_some_and(is_ideographic);
            if before.0 != cell.0 {
                (before.1..last).for_each(|_| text.push('\t'));
                text.push('\n');
                (0..cell.1).for_each(|_| text.push('\t'));
                length += last - before.1 + 1 + cell.1;
            } else if before.1 != cell.1 {
                (before.1..cell.1).for_each(|_| text.push('\t'));
                length += cell.1 - before.1;
            } else if !is_tight {
                text.push(' ');
                length += 1;
            }
        }
        if before.is_none() {
            (0..cell.1).for_each(|_| text.push('\t'));
            length += cell.1;
        }
        text.push_str(&run.text);
        lines.push(line(&run, length));
        length += run.text.chars().count();
        before = Some(cell);
    }
    (before.map_or(last, |(_, column)| column)..last).for_each(|_| text.push('\t'));
    TextBlockRead { role: TextRole::Body, text, lines }
}

fn line(run: &Run, start: usize) -> Line {
    let Rect { x, y, width, height } = run.frame;
    let frame = Rect { x: hundredth(x), y: hundredth(y), width: hundredth(width), height: hundredth(height) };
    let edges = if run.is_level { run.edges.iter().copied().map(hundredth).collect() } else { Vec::new() };
    Line { text: run.text.clone(), start, frame, edges }
}
