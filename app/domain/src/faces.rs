//! Faces in photos: where they are, and what a part of a photo does to them.
//!
//! Where they are is found by whoever reads photo files; nobody is recognised.

use serde::{Deserialize, Serialize};

use crate::document::Crop;

/// The most faces that are kept of one photo, the surest first.
pub const MOST_FACES: usize = 64;
/// A face from so much of its photo's height on is what the photo is about, not somebody in the street.
pub const PROMINENT: f64 = 0.05;
/// From so many faces on a photo is a group portrait: all of it is the subject.
pub const GROUP: usize = 3;
/// What belongs to a head beyond its face's box, in parts of the box: hair above, ears and chin around.
const HAIR: f64 = 0.3;
const AROUND: f64 = 0.1;

/// A face in a photo.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Face {
    /// From the forehead to the chin, as fractions of the upright photo, inside it.
    #[serde(flatten)]
    pub area: Crop,
    /// How sure the detector is, 0 to 1.
    pub confidence: f64,
}

impl Face {
    /// The face with its hair, ears and chin, as far as the photo shows them.
    pub fn head(&self) -> Crop {
        let Crop { x, y, width, height } = self.area;
        between(
            x - width * AROUND,
            y - height * HAIR,
            x + width * (1.0 + AROUND),
            y + height * (1.0 + AROUND),
        )
    }
}

/// The part of a photo between these edges, as far as it has one.
fn between(left: f64, top: f64, right: f64, bottom: f64) -> Crop {
    let (x, y) = (left.clamp(0.0, 1.0), top.clamp(0.0, 1.0));
    Crop { x, y, width: right.clamp(x, 1.0) - x, height: bottom.clamp(y, 1.0) - y }
}

/// The box around some parts; none around nothing.
pub fn around(parts: impl IntoIterator<Item = Crop>) -> Option<Crop> {
    parts.into_iter().reduce(|one, other| {
        let (x, y) = (one.x.min(other.x), one.y.min(other.y));
        Crop {
            x,
            y,
            width: (one.x + one.width).max(other.x + other.width) - x,
            height: (one.y + one.height).max(other.y + other.height) - y,
        }
    })
}

/// Differences below this are those of rounding, in parts of a photo.
const HAIRLINE: f64 = 1e-6;

/// What becomes of something where only a part is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Whole,
    Cut,
    Outside,
}

/// What becomes of `area` where only `seen` is seen.
pub fn seen(area: &Crop, seen: &Crop) -> Seen {
    let across = extent(area.x, area.width, seen.x, seen.width);
    let down = extent(area.y, area.height, seen.y, seen.height);
    match (across, down) {
        (Seen::Outside, _) | (_, Seen::Outside) => Seen::Outside,
        (Seen::Whole, Seen::Whole) => Seen::Whole,
        _ => Seen::Cut,
    }
}

/// The same along one side.
fn extent(from: f64, size: f64, seen_from: f64, seen_size: f64) -> Seen {
    let (to, seen_to) = (from + size, seen_from + seen_size);
    if to <= seen_from + HAIRLINE || from >= seen_to - HAIRLINE {
        Seen::Outside
    } else if from >= seen_from - HAIRLINE && to <= seen_to + HAIRLINE {
        Seen::Whole
    } else {
        Seen::Cut
    }
}

/// Where a window of `size` begins along one side of a photo, as near to `wished` as it may: with every head whole, or else
/// every face, if only beside the trim; where not even that can be, with the largest face whole and as few others cut through as can be. `inset` is
/// what is lost of the window at its beginning and its end, where it runs off the paper.
///
/// `faces` are spans along that side, each with its head and its face as `(from, size)`.
pub fn window(faces: &[(Span, Span)], size: f64, inset: (f64, f64), wished: f64) -> f64 {
    let most = 1.0 - size;
    let wished = wished.clamp(0.0, most);
    // where a window may begin that shows all of them
    let all = |of: fn(&(Span, Span)) -> Span, inset: (f64, f64)| {
        let spans = faces.iter().map(of);
        let first = spans.clone().map(|span| span.from).fold(f64::INFINITY, f64::min);
        let last = spans.map(|span| span.from + span.size).fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = ((last - size + inset.1).max(0.0), (first - inset.0).min(most));
        (low <= high + HAIRLINE).then(|| wished.max(low).min(high.max(low)))
    };
    if faces.is_empty() {
        return wished;
    }
    let none = (0.0, 0.0);
    if let Some(from) =
        all(|one| one.0, inset).or_else(|| all(|one| one.1, inset)).or_else(|| all(|one| one.1, none))
    {
        return from.clamp(0.0, most);
    }
    let kept = size - inset.0 - inset.1;
    let state = |from: f64, face: Span| extent(face.from, face.size, from + inset.0, kept);
    let largest = faces.iter().map(|face| face.1).max_by(|one, other| one.size.total_cmp(&other.size));
    let rank = |from: f64| {
        let clear = largest.is_some_and(|face| state(from, face) == Seen::Whole);
        let keeps = largest.is_some_and(|face| extent(face.from, face.size, from, size) == Seen::Whole);
        let cut = faces.iter().filter(|face| state(from, face.1) == Seen::Cut).count();
        let whole = faces.iter().filter(|face| state(from, face.1) == Seen::Whole).count();
        (clear, keeps, std::cmp::Reverse(cut), whole)
    };
    let edges = faces.iter().flat_map(|(_, face)| {
        let (begin, end) = (face.from - inset.0, face.from + face.size - kept - inset.0);
        // beside a face, too
        let (after, before) = (face.from + face.size - inset.0, face.from - kept - inset.0);
        [begin, end, after, before, face.from, face.from + face.size - size]
    });
    edges
        .chain([wished, 0.0, most])
        .map(|from| from.clamp(0.0, most))
        .max_by(|one, other| {
            let far = |from: &f64| (from - wished).abs();
            rank(*one).cmp(&rank(*other)).then(far(other).total_cmp(&far(one)))
        })
        .unwrap_or(wished)
}

/// A part of one side of a photo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    pub from: f64,
    pub size: f64,
}
