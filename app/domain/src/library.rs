//! Photos of a member's library, compared with each other for a book: which of them shows a moment better.
//!
//! What is measured of them is found by whoever reads photo files; how they stand on pages is the layout's (`layout`).

use crate::faces::PROMINENT;
use crate::layout::PhotoInput;
use crate::look::{Look, MOMENT_MS, Seen, is_alike};
use crate::quality::Flaw;

/// A photo of a library.
#[derive(Debug, Clone, PartialEq)]
pub struct LibraryPhoto {
    pub photo: PhotoInput,
    /// What it looks like, once that was found.
    pub look: Option<Look>,
    /// How blurred it is, from 0 to 1, where that is no weather and was measured.
    pub blur: Option<f64>,
    /// What is weak of it on the pages of the book.
    pub flaw: Option<Flaw>,
}

/// What is better of a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Merit {
    Sharper,
    Larger,
    /// Somebody is in it, or more of those who are.
    People,
    /// The same faces are seen better: turned to the camera, in light, open.
    Faces,
    Light,
}

impl Merit {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sharper, Self::Larger, Self::People, Self::Faces, Self::Light];

    /// What members read.
    pub fn words(self) -> &'static str {
        match self {
            Self::Sharper => "更清晰",
            Self::Larger => "像素更多",
            Self::People => "有人",
            Self::Faces => "脸更清楚",
            Self::Light => "光线更好",
        }
    }

    /// Whether one photo has it before another, with the pixels that would be seen of each.
    fn is_of(self, one: &LibraryPhoto, other: &LibraryPhoto, pixels: impl Fn(&LibraryPhoto) -> f64) -> bool {
        match self {
            Self::Sharper => is_sharper(one, other, pixels),
            Self::Larger => pixels(one) >= pixels(other) * MORE_PIXELS,
            Self::People => one.faces().count() > other.faces().count(),
            Self::Faces => {
                one.faces().count() == other.faces().count() && one.surely() >= other.surely() + SURER
            }
            Self::Light => !one.is_badly_lit() && other.is_badly_lit(),
        }
    }
}

/// How many times the pixels of another photo are more of them.
const MORE_PIXELS: f64 = 1.25;
/// How many times what is to be seen in a photo of the same thing is sharper.
const SHARPER: f64 = 1.25;
/// How much less blur is sharper, where photos show different things.
const LESS_BLUR: f64 = 0.06;
/// How much surer the detector is of a face that is seen better.
const SURER: f64 = 0.1;
/// Better ones that are worth looking at.
const MOST: usize = 12;

impl LibraryPhoto {
    /// The photo as those are compared that may look alike.
    pub fn seen(&self) -> Option<Seen> {
        let pixels = u64::from(self.photo.width) * u64::from(self.photo.height);
        Some(Seen { look: self.look?, taken_at: self.photo.taken_at, pixels })
    }

    fn faces(&self) -> impl Iterator<Item = f64> {
        self.photo.faces.iter().filter(|face| face.area.height >= PROMINENT).map(|face| face.confidence)
    }

    /// How sure the detector is of its faces on average; 0 without any.
    fn surely(&self) -> f64 {
        self.faces().sum::<f64>() / self.faces().count().max(1) as f64
    }

    fn is_badly_lit(&self) -> bool {
        matches!(self.flaw, Some(Flaw::Dark | Flaw::Light | Flaw::Black | Flaw::White))
    }

    /// Whether both are of one moment: they look alike, or were taken within minutes.
    fn is_of_moment(&self, other: &Self) -> bool {
        let apart = self.photo.taken_at.zip(other.photo.taken_at).map(|(one, other)| one.abs_diff(other));
        apart.is_some_and(|apart| apart <= MOMENT_MS.unsigned_abs()) || self.is_alike(other)
    }

    fn is_alike(&self, other: &Self) -> bool {
        self.seen().zip(other.seen()).is_some_and(|(one, other)| is_alike(&one, &other))
    }
}

fn is_sharper(one: &LibraryPhoto, other: &LibraryPhoto, pixels: impl Fn(&LibraryPhoto) -> f64) -> bool {
    match (one.seen(), other.seen()) {
        // only what shows the same thing has edges that compare
        (Some(this), Some(that)) if is_alike(&this, &that) => {
            let detail = |photo, seen| Seen { pixels: pixels(photo) as u64, ..seen }.detail() as f64;
            detail(one, this) >= detail(other, that) * SHARPER
        }
        _ => one.blur.zip(other.blur).is_some_and(|(blur, shown)| blur + LESS_BLUR <= shown),
    }
}

/// The photos of the same moment as `shown` that are better in something and worse in nothing, by their places in `library`, each
/// with its merits: those with the most merits first, then those that look alike, then the nearest in time.
///
/// `pixels` tells how many pixels of a photo the frame shows, or would show: a large file of which little is left is none.
/// Of two photos at most one is better than the other.
pub fn better(
    shown: &LibraryPhoto,
    library: &[LibraryPhoto],
    pixels: impl Fn(&LibraryPhoto) -> f64,
) -> Vec<(usize, Vec<Merit>)> {
    let merits = |one: &LibraryPhoto, other: &LibraryPhoto| -> Vec<Merit> {
        Merit::ALL.into_iter().filter(|merit| merit.is_of(one, other, &pixels)).collect()
    };
    let is_weak =
        |photo: &LibraryPhoto| photo.flaw.is_some_and(|flaw| flaw.leaves_out() || shown.flaw.is_none());
    let mut found: Vec<(usize, Vec<Merit>)> = library
        .iter()
        .enumerate()
        .filter(|(_, photo)| photo.photo.id != shown.photo.id && !is_weak(photo) && photo.is_of_moment(shown))
        .filter(|(_, photo)| merits(shown, photo).is_empty())
        .map(|(place, photo)| (place, merits(photo, shown)))
        .filter(|(_, merits)| !merits.is_empty())
        .collect();
    found.sort_by_key(|(place, merits)| {
        let photo = &library[*place];
        let apart = photo
            .photo
            .taken_at
            .zip(shown.photo.taken_at)
            .map_or(u64::MAX, |(one, other)| one.abs_diff(other));
        (std::cmp::Reverse(merits.len()), !photo.is_alike(shown), apart, *place)
    });
    found.truncate(MOST);
    found
}
