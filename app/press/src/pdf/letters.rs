//! Characters where they stand, and those that are drawn one after the other.

use domain::document::Rect;
use domain::reading::around;

/// How far a line reaches above and below its baseline, of its size.
pub(super) const ABOVE: f64 = 0.88;
pub(super) const BELOW: f64 = 0.18;
/// How far characters of one line may stand from its baseline, of their size.
pub(super) const SAME_LINE: f64 = 0.3;
/// White space between words that are drawn one after the other, of their size: above the first it is a space, above the
/// second the end of a line.
pub(super) const SPACE: f64 = 0.2;
const WIDE_SPACE: f64 = 1.2;

/// A character where it stands, in mm from the page's top left corner, from where to where its baseline goes.
#[derive(Debug, Clone)]
pub(in crate::pdf) struct Letter {
    /// Empty where nobody knows what is drawn.
    pub text: String,
    pub from: (f64, f64),
    pub to: (f64, f64),
    pub size: f64,
    pub is_bold: bool,
}

impl Letter {
    /// Whether anything is seen of it.
    pub fn is_seen(&self) -> bool {
        !self.text.trim().is_empty()
    }

    /// Whether it stands upright on a level line.
    pub fn is_level(&self) -> bool {
        let (x, y) = direction(self);
        x > 0.98 && y.abs() < 0.2
    }

    pub fn end(&self) -> End {
        let letter = self.text.chars().next().unwrap_or(' ');
        End { letter, from: self.from.0, to: self.to.0, baseline: self.from.1, size: self.size }
    }
}

/// The first or the last character of a part of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub letter: char,
    pub from: f64,
    pub to: f64,
    pub baseline: f64,
    pub size: f64,
}

/// Characters of one line.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub text: String,
    /// Where each character begins and the last one ends.
    pub edges: Vec<f64>,
    pub baseline: f64,
    pub size: f64,
    pub frame: Rect,
    pub is_level: bool,
    /// All of it.
    pub is_bold: bool,
    pub first: End,
    pub last: End,
}

impl Run {
    pub fn right(&self) -> f64 {
        self.frame.x + self.frame.width
    }
}

/// Characters that are drawn one after the other on one line.
pub(super) fn groups(letters: Vec<Letter>) -> Vec<Vec<Letter>> {
    let mut groups: Vec<Vec<Letter>> = Vec::new();
    for letter in letters {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|before| follows(before, &letter)) => group.push(letter),
            _ => groups.push(vec![letter]),
        }
    }
    groups
}

/// White space between two characters of a level line.
pub(super) fn gap(before: &Letter, next: &Letter) -> f64 {
    next.from.0 - before.to.0
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
    before.size.min(next.size) * 2.0 > size
        && x * u + y * v > 0.98
        && off.abs() < SAME_LINE * size
        && gap > -0.5 * size
        && gap < WIDE_SPACE * size
}

pub(super) fn run(letters: &[Letter]) -> Option<Run> {
    let first = letters.first()?;
    let is_level = first.is_level();
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
    let mut seen = letters.iter().filter(|letter| letter.is_seen());
    let (first_seen, is_bold) = (seen.clone().next()?, seen.clone().all(|letter| letter.is_bold));
    let last_seen = seen.next_back()?;
    Some(Run {
        text,
        edges,
        baseline: first.from.1,
        size,
        frame,
        is_level,
        is_bold,
        first: first_seen.end(),
        last: last_seen.end(),
    })
}

/// Characters that stand one beside the other without spaces between them.
pub(super) fn is_ideographic(letter: char) -> bool {
    matches!(u32::from(letter), 0x2e80..=0x9fff | 0xf900..=0xfaff | 0xfe30..=0xfe4f | 0xff00..=0xff60 | 0x2_0000..=0x3_ffff)
        || matches!(letter, '“' | '”' | '‘' | '’' | '…' | '—' | '·')
}

/// Punctuation that no line begins with.
pub(super) fn is_never_first(letter: char) -> bool {
    "，。、；：！？”’》〉」』）】〕".contains(letter)
}

/// Punctuation that may hang behind the end of a line.
pub(super) fn is_closing(letter: char) -> bool {
    is_never_first(letter) || "…·—．,.;:!?)-\u{2010}".contains(letter)
}

/// Punctuation that may begin before its line does.
pub(super) fn is_opening(letter: char) -> bool {
    "“‘《〈「『（【〔".contains(letter)
}
