//! Columns, by the edges that their lines share: a gutter may be no wider than a space in a line, and punctuation may hang
//! into it, but lines of a column begin at one place, and most of them end at one.

use domain::reading::Separators;

use super::letters::{End, Letter, SAME_LINE, is_closing, is_never_first, is_opening};

/// White space that may lie between columns, of the size: less is within a line, or punctuation hangs into it.
const CLEAR: f64 = 0.6;
const CUT: f64 = 0.5;
const TIGHT: f64 = 0.35;
/// How exactly lines begin and end at their column's edges, of their size.
const LEFT: f64 = 0.25;
const RIGHT: f64 = 0.35;
/// How far from its line's edge an opening mark's square may begin: its left half is empty.
const OPENING: f64 = 0.6;
/// Lines that show a column, and how far apart two of them may be: those between them may be indented.
const LEAST_LINES: usize = 3;
const APART: f64 = 5.0;
/// How far above and below these lines the column reaches.
const MARGIN: f64 = 3.6;
/// The part of its lines that end where it ends.
const ENDING: f64 = 0.3;
/// How far inside it a paragraph may begin.
const INDENT: f64 = 2.4;
/// The narrowest gutter, of the size.
const LEAST_GUTTER: f64 = 0.4;
/// How much sizes may differ in a column.
const SAME_SIZE: f64 = 1.1;

struct Column {
    left: f64,
    right: Option<f64>,
    top: f64,
    bottom: f64,
    size: f64,
}

/// The columns of a page, and its upright lines.
pub(super) struct Columns<'a> {
    all: Vec<Column>,
    separators: &'a Separators,
}

/// Characters of a line without wide white space.
#[derive(Clone, Copy)]
struct Span {
    first: char,
    last: char,
    left: f64,
    right: f64,
    baseline: f64,
    size: f64,
}

impl<'a> Columns<'a> {
    pub fn of(groups: &[Vec<Letter>], separators: &'a Separators) -> Self {
        let mut spans = whole_spans(groups);
        spans.sort_by(|one, other| one.left.total_cmp(&other.left));
        let mut all: Vec<Column> = Vec::new();
        let mut rest = spans.as_slice();
        while let Some(first) = rest.first() {
            let count = rest.partition_point(|span| span.left - first.left <= LEFT * first.size);
            let (alike, others) = rest.split_at(count);
            let mut alike = alike.to_vec();
            alike.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
            all.extend(alike.chunk_by(goes_on).filter_map(column));
            rest = others;
        }
        // paragraphs that begin inside a column are none of their own
        let is_inside = |one: &Column| {
            all.iter().any(|other| {
                let inside = (one.left - other.left) / one.size;
                (2.0 * LEFT..INDENT).contains(&inside)
                    && other.is_near(one.top.max(other.top).min(one.bottom), one.size)
            })
        };
        let own: Vec<bool> = all.iter().map(|column| !is_inside(column)).collect();
        let all = all.into_iter().zip(own).filter(|(_, own)| *own).map(|(column, _)| column).collect();
        Self { all, separators }
    }

    /// Whether two characters beside each other on a line that begins at `start` stand in two columns. `apart`: they were not
    /// drawn one after the other.
    pub fn part(&self, start: f64, before: &End, next: &End, apart: bool) -> bool {
        let (size, gap) = (before.size.min(next.size), next.from - before.to);
        let white = gap + empty(before.letter, next.letter, size);
        if white <= 0.1 * size {
            return false;
        }
        let middle = f64::midpoint(before.from, before.to);
        let is_ruled = self.separators.upright().any(|rule| {
            let at = rule.x + rule.width / 2.0;
            middle < at
                && at <= next.from + 0.1 * size
                && (rule.y..=rule.y + rule.height).contains(&(before.baseline - size * 0.3))
        });
        if is_ruled {
            return true;
        }
        if is_never_first(next.letter) {
            return false;
        }
        let is_cut = white >= CUT * size;
        if !is_cut && !is_closing(before.letter) {
            return false;
        }
        let near: Vec<&Column> =
            self.all.iter().filter(|column| column.is_near(before.baseline, size)).collect();
        // behind the end of a column
        let hangs = |column: &Column, at: f64| {
            column.left < before.from
                && column.right.is_some_and(|right| {
                    before.from >= right - RIGHT * size && at >= right + LEAST_GUTTER * size
                })
        };
        let begins = |column: &&&Column| {
            let from = if is_opening(next.letter) { next.from + OPENING * size } else { next.from };
            column.left > start + size && middle < column.left && column.left <= from + LEFT * size
        };
        let mut next_columns = near.iter().filter(begins);
        let at_edge = next_columns.any(|next_column| {
            let is_hung = || {
                (next.from - next_column.left).abs() < OPENING * size
                    && near.iter().any(|column| hangs(column, next_column.left))
            };
            // beside its lines no other line goes on there
            let is_beside = next_column.is_beside(before.baseline, size) && white >= TIGHT * size;
            is_cut || is_beside || is_hung()
        });
        // the next column may have fewer lines than show one
        let beyond = |column: &&Column| {
            let begins = (column.left - LEFT * size..column.left + INDENT * size).contains(&start);
            let is_within = (column.top - 0.1 * size..column.bottom + 0.1 * size).contains(&before.baseline);
            let is_behind = column
                .right
                .is_some_and(|right| next.from >= right + LEAST_GUTTER * size && before.from >= start);
            begins
                && is_behind
                && (is_cut && before.to <= column.right.unwrap_or(f64::MAX) + 1.1 * size
                    || (apart || is_within) && is_closing(before.letter) && hangs(column, next.from))
        };
        at_edge || near.iter().any(beyond)
    }
}

impl Column {
    fn is_beside(&self, baseline: f64, size: f64) -> bool {
        (self.top - 0.1 * size..self.bottom + 0.1 * size).contains(&baseline)
    }

    fn is_near(&self, baseline: f64, size: f64) -> bool {
        let is_alike = self.size.max(size) <= SAME_SIZE * self.size.min(size);
        is_alike && (self.top - MARGIN * size..self.bottom + MARGIN * size).contains(&baseline)
    }
}

/// The half of its square that a mark leaves empty, and that some programs leave out, between two characters.
fn empty(before: char, next: char, size: f64) -> f64 {
    if is_never_first(before) || is_opening(next) { size / 2.0 } else { 0.0 }
}

/// The characters of each line, cut where white space is wide, and only there.
fn whole_spans(groups: &[Vec<Letter>]) -> Vec<Span> {
    let mut parts: Vec<Span> = Vec::new();
    for group in groups.iter().filter(|group| group.first().is_some_and(Letter::is_level)) {
        let mut open = false;
        for letter in group.iter().filter(|letter| letter.is_seen()) {
            let Letter { from: (left, baseline), to: (right, _), size, .. } = *letter;
            let only = letter.end().letter;
            match parts.last_mut() {
                Some(span) if open && left - span.right + empty(span.last, only, size) < CLEAR * size => {
                    (span.right, span.last) = (right, only);
                }
                _ => parts.push(Span { first: only, last: only, left, right, baseline, size }),
            }
            open = true;
        }
    }
    let white =
        |before: &Span, next: &Span| next.left - before.right + empty(before.last, next.first, next.size);
    parts.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut spans: Vec<Span> = Vec::new();
    let mut rest = parts.as_mut_slice();
    while let Some(first) = rest.first() {
        let (baseline, size) = (first.baseline, first.size);
        let count = rest.partition_point(|span| span.baseline - baseline < SAME_LINE * size.min(span.size));
        let (row, others) = rest.split_at_mut(count.max(1));
        row.sort_by(|one, other| one.left.total_cmp(&other.left));
        let from = spans.len();
        for span in row.iter() {
            match spans[from..].last_mut() {
                Some(before) if white(before, span) < CLEAR * span.size.max(before.size) => {
                    if span.right > before.right {
                        (before.right, before.last) = (span.right, span.last);
                    }
                }
                _ => spans.push(*span),
            }
        }
        rest = others;
    }
    // edges of what is seen
    for span in &mut spans {
        if is_opening(span.first) {
            span.left += span.size / 2.0;
        }
        if is_never_first(span.last) {
            span.right -= span.size / 2.0;
        }
    }
    spans
}

fn goes_on(above: &Span, below: &Span) -> bool {
    let (small, large) = (above.size.min(below.size), above.size.max(below.size));
    below.baseline - above.baseline <= APART * large && large <= SAME_SIZE * small
}

fn column(lines: &[Span]) -> Option<Column> {
    if lines.len() < LEAST_LINES {
        return None;
    }
    let size = lines[0].size;
    let mut ends: Vec<f64> = lines.iter().map(|line| line.right).collect();
    ends.sort_by(f64::total_cmp);
    // where most of them end
    let counts = ends.iter().enumerate().map(|(index, end)| {
        let count = ends[index..].partition_point(|other| other - end <= RIGHT * size);
        (count, index)
    });
    let (count, index) = counts.max_by_key(|(count, index)| (*count, usize::MAX - index))?;
    let is_shared = count >= 2 && count as f64 >= ENDING * lines.len() as f64;
    Some(Column {
        left: lines[lines.len() / 2].left,
        right: is_shared.then(|| ends[index + count / 2]),
        top: lines[0].baseline,
        bottom: lines[lines.len() - 1].baseline,
        size,
    })
}
