//! Lines, paragraphs and columns, concluded from where characters stand.

use domain::document::Rect;
use domain::reading::{PageText, Part, Separators, around, page_order};

use super::columns::Columns;
use super::letters::{Letter, Run, SAME_LINE, SPACE, groups, is_closing, is_ideographic, is_opening, run};
use super::paragraphs::{self, Sizes};
use super::ruled::{Grid, grids};
use super::stacks::stacks;

/// White space between parts of a line that were not drawn one after the other.
const NEAR: f64 = 0.6;
/// How near a raised mark stands to its word, and how much smaller it is.
const MARK_NEAR: f64 = 0.4;
const MARK: f64 = 0.85;
/// White space between columns, of the usual size.
const GUTTER: f64 = 0.5;
/// From baseline to baseline in a paragraph, of its size; of lines that run down, from line to line.
const PITCH: std::ops::Range<f64> = 0.7..2.1;
const PITCH_DOWN: std::ops::Range<f64> = 0.8..2.6;
/// How much sizes may differ in a paragraph.
const SAME_SIZE: f64 = 1.12;
/// How much lines of a paragraph stand over each other, of the shorter one.
const OVER: f64 = 0.3;
/// How far apart lines of one column begin at most, of their size.
const INDENT: f64 = 2.6;

/// One line: its parts beside each other.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub runs: Vec<Run>,
    pub frame: Rect,
    pub baseline: f64,
    pub size: f64,
    pub is_level: bool,
    pub is_bold: bool,
}

impl Row {
    fn of(runs: Vec<Run>) -> Option<Self> {
        let largest = runs.iter().max_by(|one, other| one.size.total_cmp(&other.size))?;
        Some(Self {
            frame: around(runs.iter().map(|run| run.frame)),
            baseline: largest.baseline,
            size: largest.size,
            is_level: largest.is_level,
            is_bold: runs.iter().all(|run| run.is_bold),
            runs,
        })
    }

    /// Where it begins and ends in the direction in which it is read.
    pub fn span(&self) -> (f64, f64) {
        let Rect { x, y, width, height } = self.frame;
        if self.is_level { (x, x + width) } else { (y, y + height) }
    }

    /// The beginning of its first word: an opening mark may stand before it.
    pub fn word_start(&self) -> f64 {
        let start = self.span().0;
        match self.runs.first() {
            Some(run) if run.is_level && is_opening(run.first.letter) => start + run.size / 2.0,
            _ => start,
        }
    }

    /// The end of its last word, without punctuation behind it that may hang.
    pub fn word_end(&self) -> f64 {
        let end = self.span().1;
        match self.runs.last() {
            Some(run) if run.is_level && is_closing(run.last.letter) => run.last.from.min(end),
            _ => end,
        }
    }
}

/// What the page says, in reading order, with what parts it.
pub(super) fn blocks(letters: Vec<Letter>, mut separators: Separators) -> (PageText, Separators) {
    let tables = grids(&mut separators);
    let mut drawn = groups(letters);
    let upright = stacks(&mut drawn);
    let mut runs = level_lines(drawn, &separators, &tables);
    runs.extend(upright);
    if runs.is_empty() {
        return (PageText::default(), separators);
    }
    let sizes = Sizes::of(&runs);
    let (cells, runs) = in_tables(runs, &tables);
    let (level, down): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(|run| run.is_level);
    let mut parts: Vec<Vec<Row>> = chains(rows(level), &separators);
    parts.extend(chains_down(down, &separators));
    let mut blocks = Vec::new();
    let mut places = Vec::new();
    for rows in parts.into_iter().flat_map(|rows| paragraphs::headed(rows, &sizes)) {
        let place = Part {
            frame: words_frame(&rows),
            is_heading: sizes.is_heading(&rows),
            is_vertical: !rows[0].is_level,
        };
        places.push(place);
        blocks.push(Some(paragraphs::block(rows, &sizes)));
    }
    for (table, cells) in tables.iter().zip(cells).filter(|(_, cells)| !cells.is_empty()) {
        places.push(Part { frame: table.frame, is_heading: false, is_vertical: false });
        blocks.push(Some(paragraphs::table(cells)));
    }
    let order = page_order(&places, &separators, GUTTER * sizes.usual);
    let blocks = order.into_iter().filter_map(|index| blocks[index].take()).collect();
    (PageText { blocks }, separators)
}

/// The lines from left to right, in one column each.
fn level_lines(drawn: Vec<Vec<Letter>>, separators: &Separators, tables: &[Grid]) -> Vec<Run> {
    let columns = Columns::of(&drawn, separators);
    let cell = |letter: &Letter| {
        let at = f64::midpoint(letter.from.0, letter.to.0);
        tables
            .iter()
            .position(|table| table.cell(at, letter.from.1 - 0.3 * letter.size).is_some())
            .map(|table| (table, tables[table].cell(at, letter.from.1 - 0.3 * letter.size)))
    };
    let mut runs = Vec::new();
    for group in drawn {
        let Some(start) = group.iter().find(|letter| letter.is_seen()).map(|letter| letter.from.0) else {
            continue;
        };
        let (mut from, mut start, mut before) = (0, start, None::<usize>);
        for index in 0..group.len() {
            if !group[index].is_seen() {
                continue;
            }
            if let Some(last) = before
                && group[index].is_level()
                && (columns.part(start, &group[last].end(), &group[index].end(), false)
                    || cell(&group[last]) != cell(&group[index]))
            {
                runs.extend(run(&group[from..index]));
                (from, start) = (index, group[index].from.0);
            }
            before = Some(index);
        }
        runs.extend(run(&group[from..]));
    }
    joined(runs, &columns, tables)
}

/// Parts of one line that were drawn at different times, put together.
fn joined(mut runs: Vec<Run>, columns: &Columns, tables: &[Grid]) -> Vec<Run> {
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
                Some(line)
                    if is_beside(line, &part)
                        && !columns.part(line.frame.x, &line.last, &part.first, true)
                        && cell_of(tables, line) == cell_of(tables, &part) =>
                {
                    append(line, part);
                }
                _ => lines.push(part),
            }
        }
    }
    lines
}

fn is_beside(line: &Run, part: &Run) -> bool {
    let gap = part.frame.x - line.right();
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
    line.is_bold &= part.is_bold;
    line.last = part.last;
    line.frame = around([line.frame, part.frame]);
}

/// The table, row and column in which a line stands.
fn cell_of(tables: &[Grid], run: &Run) -> Option<(usize, usize, usize)> {
    let (x, y) = (run.frame.x + run.frame.width / 2.0, run.frame.y + run.frame.height / 2.0);
    tables.iter().enumerate().find_map(|(index, table)| {
        let (row, column) = table.cell(x, y)?;
        Some((index, row, column))
    })
}

/// A table's lines, each with its row and its column.
type Cells = Vec<((usize, usize), Run)>;

/// The lines of each table, row by row and cell by cell; and all others.
fn in_tables(runs: Vec<Run>, tables: &[Grid]) -> (Vec<Cells>, Vec<Run>) {
    let mut cells: Vec<Cells> = tables.iter().map(|_| Vec::new()).collect();
    let mut rest = Vec::new();
    for run in runs {
        match cell_of(tables, &run) {
            Some((table, row, column)) => cells[table].push(((row, column), run)),
            None => rest.push(run),
        }
    }
    for cells in &mut cells {
        cells.sort_by(|(one, a), (other, b)| one.cmp(other).then(a.baseline.total_cmp(&b.baseline)));
    }
    (cells, rest)
}

/// Lines with the raised marks on them: what stands before such a mark, the mark, and what goes on behind it.
fn rows(mut runs: Vec<Run>) -> Vec<Row> {
    runs.sort_by(|one, other| one.frame.x.total_cmp(&other.frame.x));
    let mut next: Vec<Option<usize>> = vec![None; runs.len()];
    let mut is_next = vec![false; runs.len()];
    for mark in 0..runs.len() {
        let is_mark_of = |other: &Run| {
            let (one, size) = (&runs[mark].frame, other.size);
            let middle = one.y + one.height / 2.0;
            runs[mark].size <= MARK * size
                && (other.frame.y..other.frame.y + other.frame.height).contains(&middle)
        };
        let near = |gap: f64, size: f64| gap.abs() < MARK_NEAR * size;
        let before = (0..runs.len()).find(|word| {
            next[*word].is_none()
                && is_mark_of(&runs[*word])
                && near(runs[mark].frame.x - runs[*word].right(), runs[*word].size)
        });
        let behind = (0..runs.len()).find(|word| {
            !is_next[*word]
                && is_mark_of(&runs[*word])
                && near(runs[*word].frame.x - runs[mark].right(), runs[*word].size)
        });
        for (one, other) in before.map(|word| (word, mark)).into_iter().chain(behind.map(|word| (mark, word)))
        {
            if next[one].is_none() && !is_next[other] {
                (next[one], is_next[other]) = (Some(other), true);
            }
        }
    }
    let mut runs: Vec<Option<Run>> = runs.into_iter().map(Some).collect();
    let mut rows = Vec::new();
    for first in (0..runs.len()).filter(|run| !is_next[*run]) {
        let chain = std::iter::successors(Some(first), |run| next[*run]);
        let parts: Vec<Run> = chain.filter_map(|run| runs[run].take()).collect();
        rows.extend(Row::of(parts));
    }
    rows
}

/// Lines that stand over each other as those of one column do.
fn chains(mut rows: Vec<Row>, separators: &Separators) -> Vec<Vec<Row>> {
    rows.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let pairs = (0..rows.len()).flat_map(|above| {
        let rows = &rows;
        let reach = rows[above].baseline + PITCH.end * SAME_SIZE * rows[above].size;
        let below = (above + 1..rows.len()).take_while(move |below| rows[*below].baseline <= reach);
        below.filter_map(move |below| over(&rows[above], &rows[below]).map(|rank| (above, below, rank)))
    });
    let pairs: Vec<_> = pairs
        .filter(|(above, below, _)| !separators.part_over(&rows[*above].frame, &rows[*below].frame))
        .collect();
    linked(rows, pairs)
}

/// Lines that run down beside each other, the first one on the right.
fn chains_down(runs: Vec<Run>, separators: &Separators) -> Vec<Vec<Row>> {
    let mut rows: Vec<Row> = runs.into_iter().filter_map(|run| Row::of(vec![run])).collect();
    rows.sort_by(|one, other| other.frame.x.total_cmp(&one.frame.x));
    let pairs = (0..rows.len()).flat_map(|right| {
        let rows = &rows;
        (right + 1..rows.len()).filter_map(move |left| {
            let (one, other) = (&rows[right], &rows[left]);
            let pitch = (one.frame.x - other.frame.x) / one.size.max(other.size);
            let shared = one.span().1.min(other.span().1) - one.span().0.max(other.span().0);
            let is_alike = one.size.max(other.size) <= SAME_SIZE * one.size.min(other.size);
            (is_alike && PITCH_DOWN.contains(&pitch) && shared > OVER * length(one).min(length(other)))
                .then_some((right, left, (pitch, -shared)))
        })
    });
    let pairs: Vec<_> = pairs
        .filter(|(right, left, _)| !separators.part_beside(&rows[*left].frame, &rows[*right].frame))
        .collect();
    linked(rows, pairs)
}

fn length(row: &Row) -> f64 {
    row.span().1 - row.span().0
}

/// How near a line stands below another one of its column; nothing where it does not.
fn over(above: &Row, below: &Row) -> Option<(f64, f64)> {
    let (small, large) = (above.size.min(below.size), above.size.max(below.size));
    let pitch = (below.baseline - above.baseline) / large;
    let (from, to) = (above.span().0.max(below.span().0), above.span().1.min(below.span().1));
    // a word alone may end a paragraph, and the next one begin behind it
    let is_indented = (above.span().0 - below.span().0).abs() < INDENT * large;
    let is_over = to - from > OVER * length(above).min(length(below)) || is_indented;
    (large <= small * SAME_SIZE && PITCH.contains(&pitch) && is_over).then_some((pitch, from - to))
}

/// Chains of pairs that are each other's nearest, in the order of the lines.
fn linked(rows: Vec<Row>, mut pairs: Vec<(usize, usize, (f64, f64))>) -> Vec<Vec<Row>> {
    pairs.sort_by(|(.., one), (.., other)| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let mut next: Vec<Option<usize>> = vec![None; rows.len()];
    let mut nearest_below: Vec<Option<usize>> = vec![None; rows.len()];
    let mut nearest_above: Vec<Option<usize>> = vec![None; rows.len()];
    for (above, below, _) in &pairs {
        nearest_below[*above].get_or_insert(*below);
        nearest_above[*below].get_or_insert(*above);
    }
    let mut is_next = vec![false; rows.len()];
    for (above, below) in
        nearest_below.iter().enumerate().filter_map(|(above, below)| Some((above, (*below)?)))
    {
        if nearest_above[below] == Some(above) {
            (next[above], is_next[below]) = (Some(below), true);
        }
    }
    let mut rows: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
    let first = (0..rows.len()).filter(|row| !is_next[*row]).collect::<Vec<_>>();
    let chain = |first: usize| std::iter::successors(Some(first), |row| next[*row]).collect::<Vec<_>>();
    first
        .into_iter()
        .map(|first| chain(first).into_iter().filter_map(|row| rows[row].take()).collect())
        .collect()
}

/// Around lines without what hangs behind them or before them.
fn words_frame(rows: &[Row]) -> Rect {
    let whole = around(rows.iter().map(|row| row.frame));
    let ends = rows.iter().filter(|row| row.is_level).map(Row::word_end);
    let end = ends.fold(f64::MIN, f64::max);
    let starts = rows.iter().filter(|row| row.is_level).map(Row::word_start);
    let start = starts.fold(f64::MAX, f64::min);
    if end > start { Rect { x: start, width: end - start, ..whole } } else { whole }
}
