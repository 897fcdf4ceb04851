//! What parts words on a page: rules, and boxes around some of them.

use serde::{Deserialize, Serialize};

use crate::document::Rect;

/// Of what stands on its sides: how far a rule has to reach past them to part them.
const REACHES: f64 = 0.5;
/// Of a box's side: how near two boxes' sides are that are the same.
const SAME: f64 = 0.02;

/// Lines and boxes of a page, in the unit of what they part.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Separators {
    /// Straight lines, level or upright.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rect>,
    /// Frames and tinted areas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<Rect>,
}

impl Separators {
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.boxes.is_empty()
    }

    /// The same on another scale, or elsewhere; what is nowhere there is left out.
    #[must_use]
    pub fn placed(&self, place: impl Fn(&Rect) -> Option<Rect>) -> Self {
        Self {
            rules: self.rules.iter().filter_map(&place).collect(),
            boxes: self.boxes.iter().filter_map(&place).collect(),
        }
    }

    /// With those of another file on the same page.
    pub fn extend(&mut self, other: Self) {
        self.rules.extend(other.rules);
        self.boxes.extend(other.boxes);
    }

    /// The smallest box in which something stands.
    pub fn box_of(&self, part: &Rect) -> Option<usize> {
        let (x, y) = middle(part);
        let around = self.boxes.iter().enumerate().filter(|(_, one)| holds(one, x, y));
        around.min_by(|(_, one), (_, other)| area(one).total_cmp(&area(other))).map(|(index, _)| index)
    }

    /// Whether a line parts two that stand over each other, or one of them stands in a box that the other is not in.
    pub fn part_over(&self, above: &Rect, below: &Rect) -> bool {
        let (from, to) = (above.x.max(below.x), (above.x + above.width).min(below.x + below.width));
        let between = middle(above).1..middle(below).1;
        // of those that do not overlap, the lower one
        let (from, to) = if from < to { (from, to) } else { (below.x, below.x + below.width) };
        let parts = self.level().any(|rule| {
            let reached = (rule.x + rule.width).min(to) - rule.x.max(from);
            between.contains(&middle(rule).1) && reached > REACHES * (to - from)
        });
        parts || self.in_other_boxes(above, below)
    }

    /// The same of two that stand beside each other.
    pub fn part_beside(&self, left: &Rect, right: &Rect) -> bool {
        let (from, to) = (left.y.max(right.y), (left.y + left.height).min(right.y + right.height));
        // of those that do not stand beside each other, what lies between them
        let (from, to) = (from.min(to), from.max(to));
        let between = middle(left).0..middle(right).0;
        let parts = self.upright().any(|rule| {
            let reached = (rule.y + rule.height).min(to) - rule.y.max(from);
            between.contains(&middle(rule).0) && reached > REACHES * (to - from)
        });
        parts || self.in_other_boxes(left, right)
    }

    fn in_other_boxes(&self, one: &Rect, other: &Rect) -> bool {
        match (self.box_of(one), self.box_of(other)) {
            (Some(one), Some(other)) => !is_same(&self.boxes[one], &self.boxes[other]),
            (None, None) => false,
            _ => true,
        }
    }

    pub fn level(&self) -> impl Iterator<Item = &Rect> {
        self.rules.iter().filter(|rule| rule.width > rule.height)
    }

    pub fn upright(&self) -> impl Iterator<Item = &Rect> {
        self.rules.iter().filter(|rule| rule.height >= rule.width)
    }
}

/// A frame and the tint in it.
fn is_same(one: &Rect, other: &Rect) -> bool {
    let near = |one: f64, other: f64, side: f64| (one - other).abs() <= SAME * side;
    near(one.x, other.x, one.width)
        && near(one.y, other.y, one.height)
        && near(one.x + one.width, other.x + other.width, one.width)
        && near(one.y + one.height, other.y + other.height, one.height)
}

fn middle(part: &Rect) -> (f64, f64) {
    (part.x + part.width / 2.0, part.y + part.height / 2.0)
}

fn holds(frame: &Rect, x: f64, y: f64) -> bool {
    (frame.x..=frame.x + frame.width).contains(&x) && (frame.y..=frame.y + frame.height).contains(&y)
}

fn area(frame: &Rect) -> f64 {
    frame.width * frame.height
}
