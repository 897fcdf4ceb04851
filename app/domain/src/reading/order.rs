//! In which order the parts of a page are read: from the top, and where they stand beside each other, from the left.

use crate::document::Rect;

/// How parts that stand beside each other belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Row by row: captions under photos.
    Rows,
    /// Column by column as far as the gutter goes: lines of a newspaper.
    Columns,
}

/// Of the width of all parts: what stands over each other and is no wider may be one column, whose neighbour begins further
/// down.
const NARROW: f64 = 0.6;
/// Of the height of the lower of two parts: how far parts that stand over each other may reach into each other.
const OVERLAP: f64 = 0.3;
/// How often rows are cut into columns and columns into rows.
const DEPTH: usize = 12;

/// The numbers of the frames in reading order. Between two columns lies white space of at least `gutter`.
pub fn reading_order(frames: &[Rect], flow: Flow, gutter: f64) -> Vec<usize> {
    let mut order = Vec::with_capacity(frames.len());
    let page = Page { frames, flow, gutter };
    page.read((0..frames.len()).collect(), DEPTH, &mut order);
    order
}

struct Page<'a> {
    frames: &'a [Rect],
    flow: Flow,
    gutter: f64,
}

/// From where to where something reaches.
type Span = (f64, f64);

impl Page<'_> {
    fn across(&self, index: usize) -> Span {
        let frame = &self.frames[index];
        (frame.x, frame.x + frame.width)
    }

    /// Whether two parts stand beside each other, and do not just reach into each other as lines do. Each pair is looked at
    /// by itself: a thin line somewhere on the page says nothing about two photos.
    fn is_beside(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.frames[one], &self.frames[other]);
        let shared = (one.y + one.height).min(other.y + other.height) - one.y.max(other.y);
        shared > OVERLAP * one.height.min(other.height)
    }

    fn read(&self, parts: Vec<usize>, depth: usize, order: &mut Vec<usize>) {
        let rows = self.rows(parts);
        let all = rows.iter().flatten().map(|part| self.across(*part));
        let (left, right) = all.fold((f64::MAX, f64::MIN), |all, one| (all.0.min(one.0), all.1.max(one.1)));
        let narrow = (right - left) * NARROW;
        let mut first = 0;
        while first < rows.len() {
            match self.columns(&rows[first..], narrow).filter(|_| depth > 0) {
                Some((count, columns)) => {
                    let parts = || rows[first..first + count].iter().flatten().copied();
                    for (from, to) in columns {
                        let column = parts().filter(|part| {
                            let (left, right) = self.across(*part);
                            (from..to).contains(&((left + right) / 2.0))
                        });
                        self.read(column.collect(), depth - 1, order);
                    }
                    first += count;
                }
                None => {
                    let mut row = rows[first].clone();
                    row.sort_by(|one, other| {
                        let (one, other) = (&self.frames[*one], &self.frames[*other]);
                        one.y.total_cmp(&other.y).then(one.x.total_cmp(&other.x))
                    });
                    order.extend(row);
                    first += 1;
                }
            }
        }
    }

    /// Parts that stand beside each other, and what stands beside one of those, the highest first.
    fn rows(&self, mut parts: Vec<usize>) -> Vec<Vec<usize>> {
        parts.sort_by(|one, other| self.frames[*one].y.total_cmp(&self.frames[*other].y));
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for part in parts {
            match rows.last_mut() {
                Some(row) if row.iter().rev().any(|other| self.is_beside(*other, part)) => row.push(part),
                _ => rows.push(vec![part]),
            }
        }
        rows
    }

    /// How many of the rows, from the first on, stand in columns, and where one column ends and the next begins.
    fn columns(&self, rows: &[Vec<usize>], narrow: f64) -> Option<(usize, Vec<Span>)> {
        let mut taken: Vec<Span> = Vec::new();
        let mut found = None;
        let most = if self.flow == Flow::Rows { 1 } else { rows.len() };
        for (index, row) in rows.iter().take(most).enumerate() {
            for part in row {
                add(&mut taken, self.across(*part), self.gutter);
            }
            match taken.as_slice() {
                [(left, right)] if right - left > narrow => break,
                [_] => {}
                _ => found = Some((index + 1, columns(&taken))),
            }
        }
        found
    }
}

/// Adds a span to others that lie apart; what is nearer than a gutter becomes one.
fn add(taken: &mut Vec<Span>, (mut from, mut to): Span, gutter: f64) {
    taken.retain(|(left, right)| {
        let is_apart = from >= right + gutter || to + gutter <= *left;
        if !is_apart {
            (from, to) = (from.min(*left), to.max(*right));
        }
        is_apart
    });
    let place = taken.partition_point(|(left, _)| *left < from);
    taken.insert(place, (from, to));
}

/// The whole width, cut in the middle of each gutter.
fn columns(taken: &[Span]) -> Vec<Span> {
    let cuts: Vec<f64> = taken.windows(2).map(|pair| (pair[0].1 + pair[1].0) / 2.0).collect();
    let from = std::iter::once(f64::MIN).chain(cuts.iter().copied());
    let to = cuts.iter().copied().chain(std::iter::once(f64::MAX));
    from.zip(to).collect()
}
