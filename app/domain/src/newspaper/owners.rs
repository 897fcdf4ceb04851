//! Which headline a text belongs to.

use super::{BELOW, Headline, Piece, bottom, shared};
use crate::document::Rect;
use crate::reading::Separators;

/// How far a text may stand from a headline beside it that runs down, in per mille.
const BESIDE: f64 = 40.0;
/// Of the lower one: how much of a headline that runs down stands beside its text.
const LEVEL: f64 = 0.3;
/// How far the first lines of columns may be apart that begin level, in heights of a line.
const SAME_TOP: f64 = 1.2;
/// How far apart neighbouring columns are at most, in characters, and how far one may reach into another.
const GUTTER: f64 = 3.0;
const HANGING: f64 = 1.0;

/// For each text the headline over it, or beside it, or that of the column before it; nothing where there is none.
pub(super) fn owners(
    headlines: &[Headline],
    texts: &[&Piece],
    separators: &Separators,
) -> Vec<Option<usize>> {
    let seek = Seek { headlines, texts, separators };
    let mut owners: Vec<Option<(usize, f64)>> = texts.iter().map(|text| seek.own(text)).collect();
    let mut by_left: Vec<usize> = (0..texts.len()).collect();
    by_left.sort_by(|one, other| {
        let (one, other) = (&texts[*one].frame, &texts[*other].frame);
        one.x.total_cmp(&other.x).then(one.y.total_cmp(&other.y))
    });
    for index in &by_left {
        if owners[*index].is_none() {
            owners[*index] = seek.column_before(*index).and_then(|before| owners[before]);
        }
    }
    // of columns that begin level, those whose headline stands over another text belong to the one with a nearer headline
    for index in by_left.iter().chain(by_left.iter().rev()) {
        for beside in [seek.column_before(*index), seek.column_behind(*index)].into_iter().flatten() {
            let (Some((_, known)), Some(other)) = (owners[*index], owners[beside]) else { continue };
            let is_lower = other.1 > known && other.1 <= texts[*index].frame.y + texts[*index].line;
            if is_lower && seek.is_level(beside, *index) && seek.is_under_text(*index, known) {
                owners[*index] = Some(other);
            }
        }
    }
    // what stands under a text of a nearer headline goes on with it
    let mut by_top = by_left.clone();
    by_top.sort_by(|one, other| texts[*one].frame.y.total_cmp(&texts[*other].frame.y));
    for index in by_top {
        let above = seek.text_above(index).and_then(|above| owners[above]);
        if let (Some((_, known)), Some(above)) = (owners[index], above)
            && above.1 > known
        {
            owners[index] = Some(above);
        }
    }
    for index in 0..texts.len() {
        if owners[index].is_none() {
            owners[index] = seek.lowest_above(texts[index]);
        }
    }
    for index in by_left.into_iter().rev() {
        if owners[index].is_none() {
            owners[index] = seek.column_behind(index).and_then(|behind| owners[behind]);
        }
    }
    owners.into_iter().map(|owner| owner.map(|(headline, _)| headline)).collect()
}

struct Seek<'a> {
    headlines: &'a [Headline<'a>],
    texts: &'a [&'a Piece],
    separators: &'a Separators,
}

impl Seek<'_> {
    /// The lowest headline over a text, or beside it where that runs down; with how far down it stands.
    fn own(&self, text: &Piece) -> Option<(usize, f64)> {
        let found = self.headlines.iter().enumerate().filter_map(|(index, headline)| {
            let frame = &headline.frame;
            if headline.is_vertical() {
                return self.is_beside(frame, text).then_some((index, frame.y));
            }
            let is_over = stands_below(frame, &text.frame) && !self.separators.part_over(frame, &text.frame);
            is_over.then(|| (index, bottom(frame)))
        });
        found.max_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    fn is_beside(&self, headline: &Rect, text: &Piece) -> bool {
        let frame = &text.frame;
        let beside = (frame.x - (headline.x + headline.width)).max(headline.x - (frame.x + frame.width));
        let level = bottom(headline).min(bottom(frame)) - headline.y.max(frame.y);
        let (left, right) = if headline.x < frame.x { (headline, frame) } else { (frame, headline) };
        beside < BESIDE
            && level > LEVEL * headline.height.min(frame.height)
            && !self.separators.part_beside(left, right)
    }

    /// The nearest text on the left that stands beside the beginning of one.
    fn column_before(&self, index: usize) -> Option<usize> {
        let text = self.texts[index];
        let before = (0..self.texts.len()).filter(|other| {
            let (frame, line) = (&self.texts[*other].frame, text.line);
            *other != index
                && frame.x < text.frame.x
                && (-HANGING * text.em..GUTTER * text.em).contains(&(text.frame.x - frame.x - frame.width))
                && frame.y <= text.frame.y + SAME_TOP * line
                && bottom(frame) > text.frame.y
                && !self.separators.part_beside(frame, &text.frame)
        });
        before.max_by(|one, other| {
            let right = |index: usize| self.texts[index].frame.x + self.texts[index].frame.width;
            right(*one).total_cmp(&right(*other))
        })
    }

    /// The nearest text on the right that begins level with one.
    fn column_behind(&self, index: usize) -> Option<usize> {
        let text = self.texts[index];
        let behind = (0..self.texts.len()).filter(|other| {
            let frame = &self.texts[*other].frame;
            *other != index
                && (-HANGING * text.em..GUTTER * text.em)
                    .contains(&(frame.x - text.frame.x - text.frame.width))
                && self.is_level(*other, index)
                && !self.separators.part_beside(&text.frame, frame)
        });
        behind.min_by(|one, other| self.texts[*one].frame.x.total_cmp(&self.texts[*other].frame.x))
    }

    /// The nearest text over one, in its column.
    fn text_above(&self, index: usize) -> Option<usize> {
        let text = self.texts[index];
        let above = (0..self.texts.len()).filter(|other| {
            let frame = &self.texts[*other].frame;
            *other != index
                && bottom(frame) <= text.frame.y + text.line
                && shared(frame, &text.frame) > BELOW * text.frame.width.min(frame.width)
                && !self.separators.part_over(frame, &text.frame)
        });
        above.max_by(|one, other| {
            bottom(&self.texts[*one].frame).total_cmp(&bottom(&self.texts[*other].frame))
        })
    }

    /// Whether another text stands between one and what stands over it, so far down.
    fn is_under_text(&self, index: usize, down: f64) -> bool {
        let frame = &self.texts[index].frame;
        self.texts.iter().any(|other| {
            other.frame.y > down - other.line
                && bottom(&other.frame) <= frame.y + other.line
                && shared(&other.frame, frame) > BELOW * frame.width
        })
    }

    fn is_level(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.texts[one], self.texts[other]);
        (one.frame.y - other.frame.y).abs() < SAME_TOP * one.line.min(other.line)
            && one.line.max(other.line) < 1.2 * one.line.min(other.line)
    }

    /// The lowest headline above a text that nothing parts from it, wherever it stands.
    fn lowest_above(&self, text: &Piece) -> Option<(usize, f64)> {
        let frame = &text.frame;
        let found = self.headlines.iter().enumerate().filter(|(_, headline)| {
            let other = &headline.frame;
            let (left, right) = if other.x < frame.x { (other, frame) } else { (frame, other) };
            !headline.is_vertical()
                && bottom(other) <= frame.y + frame.height / 2.0
                && !self.separators.part_over(other, frame)
                && (shared(other, frame) > 0.0 || !self.separators.part_beside(left, right))
        });
        let found = found.map(|(index, headline)| (index, bottom(&headline.frame)));
        found.max_by(|(_, one), (_, other)| one.total_cmp(other))
    }
}

fn stands_below(headline: &Rect, text: &Rect) -> bool {
    bottom(headline) <= text.y + text.height / 2.0
        && shared(headline, text) > BELOW * text.width.min(headline.width)
}
