//! In which order the parts of a page are read: from the top, and where they stand beside each other, from the left.

use super::{Separators, around};
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
/// In gutters: how far lines that run down may stand from those that go before them.
const DOWN: f64 = 6.0;

/// Of the width or height of some parts: a line so long parts all of them.
const RULED: f64 = 0.8;

/// A part of a printed page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    pub frame: Rect,
    /// A text begins below it.
    pub is_heading: bool,
    /// Its lines run from top to bottom, the first one on the right.
    pub is_vertical: bool,
}

/// The numbers of the frames in reading order. Between two columns lies white space of at least `gutter`.
pub fn reading_order(frames: &[Rect], flow: Flow, gutter: f64) -> Vec<usize> {
    let mut order = Vec::with_capacity(frames.len());
    let page = Page { frames, headings: &[], separators: &Separators::default(), flow, gutter };
    page.read((0..frames.len()).collect(), DEPTH, &mut order);
    order
}

/// The numbers of a printed page's parts in reading order: what stands in a box together, what lines part one after the other,
/// what a heading stands over behind it, else column by column.
pub fn page_order(parts: &[Part], separators: &Separators, gutter: f64) -> Vec<usize> {
    read_boxes(parts, &(0..parts.len()).collect::<Vec<_>>(), separators, gutter, DEPTH)
}

/// What is read as one: a part alone, those in a box, or those whose lines run down.
struct Group {
    frame: Rect,
    is_heading: bool,
    members: Vec<usize>,
}

fn read_boxes(
    parts: &[Part],
    some: &[usize],
    separators: &Separators,
    gutter: f64,
    depth: usize,
) -> Vec<usize> {
    let mut boxes: Vec<Group> = Vec::new();
    let mut rest: Vec<usize> = some.to_vec();
    let mut inner = separators.clone();
    // the largest first: what lies in it is found when that is read
    let mut frames = separators.boxes.clone();
    frames.sort_by(|one, other| (other.width * other.height).total_cmp(&(one.width * one.height)));
    for frame in frames {
        let alone = Separators { rules: Vec::new(), boxes: vec![frame] };
        let (members, others): (Vec<usize>, Vec<usize>) =
            rest.iter().partition(|part| alone.box_of(&parts[**part].frame).is_some());
        if members.is_empty() || depth == 0 {
            continue;
        }
        if others.is_empty() && boxes.is_empty() {
            // a box around all of them parts nothing
            inner.boxes.retain(|other| *other != frame);
            continue;
        }
        rest = others;
        boxes.push(Group { frame, is_heading: false, members });
    }
    let (down, level): (Vec<usize>, Vec<usize>) = rest.iter().partition(|part| parts[**part].is_vertical);
    let mut groups = boxes;
    let boxed = groups.len();
    groups.extend(level.into_iter().map(|part| Group {
        frame: parts[part].frame,
        is_heading: parts[part].is_heading,
        members: vec![part],
    }));
    groups.extend(running_down(parts, down, gutter));
    let frames: Vec<Rect> = groups.iter().map(|group| group.frame).collect();
    let headings: Vec<bool> = groups.iter().map(|group| group.is_heading).collect();
    let page = Page { frames: &frames, headings: &headings, separators: &inner, flow: Flow::Columns, gutter };
    let mut order = Vec::with_capacity(groups.len());
    page.read((0..groups.len()).collect(), DEPTH, &mut order);
    let read = |index: usize| {
        let members = &groups[index].members;
        if index < boxed { read_boxes(parts, members, &inner, gutter, depth - 1) } else { members.clone() }
    };
    order.into_iter().flat_map(read).collect()
}

/// Parts whose lines run down, those together that stand beside each other: the first one is on the right.
fn running_down(parts: &[Part], mut some: Vec<usize>, gutter: f64) -> Vec<Group> {
    let right = |part: usize| parts[part].frame.x + parts[part].frame.width;
    some.sort_by(|one, other| right(*other).total_cmp(&right(*one)));
    let mut groups: Vec<Group> = Vec::new();
    for part in some {
        let Rect { y, height, .. } = parts[part].frame;
        let beside = groups.iter_mut().find(|group| {
            let shared = (group.frame.y + group.frame.height).min(y + height) - group.frame.y.max(y);
            shared > 0.0 && group.frame.x - right(part) < DOWN * gutter
        });
        match beside {
            Some(group) => {
                group.frame = around([group.frame, parts[part].frame]);
                group.members.push(part);
            }
            None => groups.push(Group {
                frame: parts[part].frame,
                is_heading: parts[part].is_heading,
                members: vec![part],
            }),
        }
    }
    groups
}

struct Page<'a> {
    frames: &'a [Rect],
    /// Which of them are headings; fewer where none are.
    headings: &'a [bool],
    separators: &'a Separators,
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

    fn read(&self, mut parts: Vec<usize>, depth: usize, order: &mut Vec<usize>) {
        while depth > 0
            && let Some((first, rest)) = self.parted(&parts)
        {
            self.read(first, depth - 1, order);
            parts = rest;
        }
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

    /// What stands before a line that goes past all parts, or before white space over a heading, and the rest.
    fn parted(&self, parts: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
        if self.separators.is_empty() && self.headings.is_empty() || parts.len() < 2 {
            return None;
        }
        let all = around(parts.iter().map(|part| self.frames[*part]));
        let cut = |is_before: &dyn Fn(&Rect) -> bool| {
            let (before, behind): (Vec<usize>, Vec<usize>) =
                parts.iter().partition(|part| is_before(&self.frames[**part]));
            (!before.is_empty() && !behind.is_empty()).then_some((before, behind))
        };
        let reaches = |from: f64, length: f64, start: f64, whole: f64| {
            (from + length).min(start + whole) - from.max(start) >= RULED * whole
        };
        let crosses = |from: f64, length: f64, at: f64| {
            let inside = (at - from).min(from + length - at);
            inside > OVERLAP * length
        };
        let levels = self.separators.level().filter(|rule| reaches(rule.x, rule.width, all.x, all.width));
        let mut levels: Vec<f64> = levels.map(|rule| rule.y + rule.height / 2.0).collect();
        levels.sort_by(f64::total_cmp);
        for at in levels {
            if !parts.iter().any(|part| crosses(self.frames[*part].y, self.frames[*part].height, at))
                && let Some(found) = cut(&|frame| frame.y + frame.height / 2.0 < at)
            {
                return Some(found);
            }
        }
        let upright =
            self.separators.upright().filter(|rule| reaches(rule.y, rule.height, all.y, all.height));
        let mut upright: Vec<f64> = upright.map(|rule| rule.x + rule.width / 2.0).collect();
        upright.sort_by(f64::total_cmp);
        for at in upright {
            if !parts.iter().any(|part| crosses(self.frames[*part].x, self.frames[*part].width, at))
                && let Some(found) = cut(&|frame| frame.x + frame.width / 2.0 < at)
            {
                return Some(found);
            }
        }
        self.over_heading(parts)
    }

    /// What stands over the first heading that nothing beside it reaches past, where that is more than its own kind.
    fn over_heading(&self, parts: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
        let is_heading = |part: usize| self.headings.get(part) == Some(&true);
        let mut sorted = parts.to_vec();
        sorted.sort_by(|one, other| self.frames[*one].y.total_cmp(&self.frames[*other].y));
        let mut bottom = f64::MIN;
        for (index, part) in sorted.iter().enumerate() {
            let frame = &self.frames[*part];
            let overlap = OVERLAP * frame.height;
            let is_clear = index > 0 && bottom <= frame.y + overlap.min(self.gutter);
            if is_clear && is_heading(*part) && sorted[..index].iter().any(|part| !is_heading(*part)) {
                return Some((sorted[..index].to_vec(), sorted[index..].to_vec()));
            }
            bottom = bottom.max(frame.y + frame.height);
        }
        None
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
