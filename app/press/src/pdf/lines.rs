//! Lines, paragraphs and columns, concluded from where characters stand.

use domain::document::{Rect, TextRole};
use domain::reading::{Flow, Line, PageText, TextBlockRead, around, hundredth, reading_order};

/// How far a line reaches above and below its baseline, of its size.
const ABOVE: f64 = 0.88;
const BELOW: f64 = 0.18;
/// How far characters of one line may stand from its baseline, of their size.
const SAME_LINE: f64 = 0.3;
/// White space between words that are drawn one after the other, of their size: above the first it is a space, above the
/// second the end of a line.
const SPACE: f64 = 0.2;
const WIDE_SPACE: f64 = 1.2;
/// White space between parts of a line that were not drawn one after the other.
const NEAR: f64 = 0.6;
/// White space between columns, of the usual size.
const GUTTER: f64 = 0.8;
/// From baseline to baseline in a paragraph, of its size.
const PITCH: std::ops::Range<f64> = 0.7..2.1;
/// How much sizes may differ in a paragraph.
const SAME_SIZE: f64 = 1.12;
/// How far the first line of a paragraph begins inside it, of its size.
const INDENT: f64 = 1.2;
/// How far the last one ends before the edge: of its size where lines fill their width, of the width where they don't.
const SHORT: f64 = 2.2;
const SHORT_SHARE: f64 = 0.3;
/// Sizes beside the usual one: headings, titles, captions.
const HEADING: f64 = 1.25;
const TITLE: f64 = 2.0;
const CAPTION: f64 = 0.84;

/// A character where it stands, in mm from the page's top left corner, from where to where its baseline goes.
#[derive(Debug, Clone)]
pub(super) struct Letter {
    /// Empty where nobody knows what is drawn.
    pub text: String,
    pub from: (f64, f64),
    pub to: (f64, f64),
    pub size: f64,
}

/// Characters of one line.
#[derive(Debug, Clone)]
struct Run {
    text: String,
    /// Where each character begins and the last one ends.
    edges: Vec<f64>,
    baseline: f64,
    size: f64,
    frame: Rect,
    is_level: bool,
}

/// What the page says, in reading order.
pub(super) fn blocks(letters: Vec<Letter>) -> PageText {
    let mut runs = joined(runs(letters));
    if runs.is_empty() {
        return PageText::default();
    }
    let usual = usual_size(&runs);
    let level = runs.iter().filter(|run| run.is_level).count();
    if level * 2 < runs.len() {
        // columns of characters are read from the right
        runs.sort_by(|one, other| {
            other.frame.x.total_cmp(&one.frame.x).then(one.frame.y.total_cmp(&other.frame.y))
        });
    } else {
        let frames: Vec<Rect> = runs.iter().map(|run| run.frame).collect();
        let mut all: Vec<Option<Run>> = runs.into_iter().map(Some).collect();
        let order = reading_order(&frames, Flow::Columns, GUTTER * usual);
        runs = order.into_iter().filter_map(|index| all[index].take()).collect();
    }
    let largest = runs.iter().map(|run| run.size).fold(0.0, f64::max);
    let mut parts: Vec<Vec<Run>> = Vec::new();
    for run in runs {
        match parts.last_mut() {
            Some(part) if part.last().is_some_and(|above| goes_on(above, &run)) => part.push(run),
            _ => parts.push(vec![run]),
        }
    }
    PageText { blocks: parts.into_iter().map(|part| block(part, usual, largest)).collect() }
}

/// Characters that are drawn one after the other on one line.
fn runs(letters: Vec<Letter>) -> Vec<Run> {
    let mut runs: Vec<Vec<Letter>> = Vec::new();
    for letter in letters {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|before| follows(before, &letter)) => run.push(letter),
            _ => runs.push(vec![letter]),
        }
    }
    runs.into_iter().filter_map(run).collect()
}

/// Where a character ends, and in which direction its line goes.
fn direction(letter: &Letter) -> (f64, f64) {
    let (x, y) = (letter.to.0 - letter.from.0, letter.to.1 - letter.from.1);
    let length = x.hypot(y).max(1e-9);
    (x / length, y / length)
}

/// How far the next character stands from the end of one: along its line and across it.
fn step(before: &Letter, next: &Letter) -> (f64, f64) {
    let (along, across) = (next.from.0 - before.to.0, next.from.1 - before.to.1);
    let (x, y) = direction(before);
    (along * x + across * y, across * x - along * y)
}

fn follows(before: &Letter, next: &Letter) -> bool {
    let ((x, y), (u, v)) = (direction(before), direction(next));
    let (gap, off) = step(before, next);
    let size = before.size.max(next.size);
    x * u + y * v > 0.98 && off.abs() < SAME_LINE * size && gap > -0.5 * size && gap < WIDE_SPACE * size
}

fn run(letters: Vec<Letter>) -> Option<Run> {
    let first = letters.first()?;
    let (x, y) = direction(first);
    let is_level = x > 0.98 && y.abs() < 0.2;
    let (mut text, mut edges) = (String::new(), Vec::new());
    let mut end: Option<(char, f64)> = None;
    let mut had_space = false;
    for (index, letter) in letters.iter().enumerate() {
        if letter.text.is_empty() {
            // something is drawn here, and nobody knows what it says: its word goes on
            end = end.map(|(last, _)| (last, letter.to.0));
            continue;
        }
        if letter.text.trim().is_empty() {
            had_space |= end.is_some();
            continue;
        }
        let gap = index.checked_sub(1).map_or(0.0, |before| step(&letters[before], letter).0);
        if let (Some((last, to)), Some(next)) = (end, letter.text.chars().next()) {
            let gap = if had_space && is_level { letter.from.0 - to } else { gap };
            let is_wide = gap > SPACE * letter.size;
            let is_tight = is_ideographic(last) && is_ideographic(next) && gap < 0.8 * letter.size;
            if (had_space || is_wide) && !is_tight {
                text.push(' ');
                edges.push(to);
            }
        }
        had_space = false;
        let count = letter.text.chars().count();
        for (number, character) in letter.text.chars().enumerate() {
            text.push(character);
            edges.push(letter.from.0 + (letter.to.0 - letter.from.0) * number as f64 / count as f64);
            end = Some((character, letter.to.0));
        }
    }
    let (_, to) = end?;
    edges.push(to);
    let size = letters.iter().map(|letter| letter.size).fold(0.0, f64::max);
    let frame = if is_level {
        let y = first.from.1 - ABOVE * size;
        Rect { x: edges[0], y, width: to - edges[0], height: (ABOVE + BELOW) * size }
    } else {
        // a little around the line that its baseline makes
        let ends = letters.iter().flat_map(|letter| [letter.from, letter.to]);
        let half = size / 2.0;
        around(ends.map(|(x, y)| Rect { x: x - half, y: y - half, width: size, height: size }))
    };
    Some(Run { text, edges, baseline: first.from.1, size, frame, is_level })
}

/// Characters that stand one beside the other without spaces between them.
fn is_ideographic(letter: char) -> bool {
    matches!(u32::from(letter), 0x2e80..=0x9fff | 0xf900..=0xfaff | 0xfe30..=0xfe4f | 0xff00..=0xff60 | 0x2_0000..=0x3_ffff)
        || matches!(letter, '“' | '”' | '‘' | '’' | '…' | '—' | '·')
}

/// Parts of one line that were drawn at different times, put together.
fn joined(mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_by(|one, other| {
        other.is_level.cmp(&one.is_level).then(one.baseline.total_cmp(&other.baseline))
    });
    let mut lines: Vec<Run> = Vec::new();
    let mut rest = runs.into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut row = vec![first];
        while let Some(next) = rest.next_if(|next| {
            let one = &row[0];
            one.is_level
                && next.is_level
                && next.baseline - one.baseline < SAME_LINE * one.size.min(next.size)
        }) {
            row.push(next);
        }
        row.sort_by(|one, other| one.frame.x.total_cmp(&other.frame.x));
        let from = lines.len();
        for part in row {
            match lines[from..].last_mut() {
                Some(line) if is_beside(line, &part) => append(line, part),
                _ => lines.push(part),
            }
        }
    }
    lines
}

fn is_beside(line: &Run, part: &Run) -> bool {
    let gap = part.frame.x - (line.frame.x + line.frame.width);
    let size = line.size.max(part.size);
    line.is_level
        && part.is_level
        && gap < NEAR * size
        && gap > -NEAR * size
        && line.size.min(part.size) * 2.0 > size
}

fn append(line: &mut Run, part: Run) {
    let gap = part.edges[0] - line.edges.last().copied().unwrap_or_default();
    let is_tight = line.text.chars().last().is_some_and(is_ideographic)
        && part.text.chars().next().is_some_and(is_ideographic);
    if gap > SPACE * part.size && !is_tight {
        line.text.push(' ');
    } else {
        line.edges.pop();
    }
    line.text.push_str(&part.text);
    line.edges.extend(part.edges);
    line.size = line.size.max(part.size);
    line.frame = around([line.frame, part.frame]);
}

/// The size that most characters have.
fn usual_size(runs: &[Run]) -> f64 {
    let mut sizes: Vec<(f64, usize)> = runs.iter().map(|run| (run.size, run.edges.len())).collect();
    sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let half = sizes.iter().map(|(_, count)| count).sum::<usize>() / 2;
    let mut passed = 0;
    let middle = sizes.iter().find(|(_, count)| {
        passed += count;
        passed > half
    });
    middle.map_or(1.0, |(size, _)| *size)
}

/// Whether a line goes on with the text above it.
fn goes_on(above: &Run, line: &Run) -> bool {
    let (small, large) = (above.size.min(line.size), above.size.max(line.size));
    let down = line.baseline - above.baseline;
    let shared = (above.frame.x + above.frame.width).min(line.frame.x + line.frame.width)
        - above.frame.x.max(line.frame.x);
    above.is_level
        && line.is_level
        && large <= small * SAME_SIZE
        && PITCH.contains(&(down / large))
        && shared > 0.3 * above.frame.width.min(line.frame.width)
}

fn block(runs: Vec<Run>, usual: f64, largest: f64) -> TextBlockRead {
    let size = runs[0].size;
    let role = match size / usual {
        share if share >= TITLE && size >= largest / 1.05 => TextRole::Title,
        share if share >= HEADING => TextRole::Heading,
        share if share <= CAPTION => TextRole::Caption,
        _ => TextRole::Body,
    };
    let Rect { x: left, width, .. } = around(runs.iter().map(|run| run.frame));
    let right = left + width;
    let (mut text, mut length) = (String::new(), 0);
    let mut lines: Vec<Line> = Vec::new();
    let mut above: Option<&Run> = None;
    for run in &runs {
        if let Some(above) = above {
            let missing = right - (above.frame.x + above.frame.width);
            let fills = above.text.chars().any(is_ideographic);
            let is_short = if fills { missing > SHORT * size } else { missing > SHORT_SHARE * width };
            let is_indented = run.frame.x - left > INDENT * size && above.frame.x - left <= INDENT * size;
            let ends = role == TextRole::Body && (is_short || is_indented);
            let (last, next) = (text.chars().last(), run.text.chars().next());
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
        text.push_str(&run.text);
        let Rect { x, y, width, height } = run.frame;
        let frame =
            Rect { x: hundredth(x), y: hundredth(y), width: hundredth(width), height: hundredth(height) };
        let edges =
            if run.is_level { run.edges.iter().copied().map(hundredth).collect() } else { Vec::new() };
        lines.push(Line { text: run.text.clone(), start: length, frame, edges });
        length += run.text.chars().count();
        above = Some(run);
    }
    TextBlockRead { role, text, lines }
}
