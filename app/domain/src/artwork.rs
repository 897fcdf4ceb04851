//! What is put on a cover besides ink is drawn from words, or from an ornament of the house, or from both.
//!
//! How an ornament is drawn is the press's (`themes/ornament.typ`); where it stands on a cover is said here.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::binding::CoverSheet;
use crate::document::{Document, Element, Page, Rect, SAFE_MM, TextRole};
use crate::ornament::Ornament;

/// Its width and height as shares of the front's shorter side; nothing for one that fills the front.
fn share_of(ornament: Ornament) -> Option<(f64, f64)> {
    let (width, height) = ornament.natural_mm();
    let least = Ornament::LEAST_SIDE_MM;
    (!ornament.runs_along_edges()).then_some((width / least, height / least))
}

/// Where the middle of an ornament may stand, as shares of the front's height: the first place that has no words.
const PLACES: [f64; 5] = [0.8, 0.2, 0.5, 0.65, 0.35];
/// How far an ornament along the edges stays inside what is safe, in mm.
const INSET_MM: f64 = 4.0;

/// What a plate is drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Artwork {
    /// 书名: what was ordered before there was a choice.
    #[default]
    Title,
    /// The title and an ornament.
    TitleAnd(Ornament),
    /// An ornament alone. The words are printed, where anything is.
    Ornament(Ornament),
}

/// A text that is no code of an [`Artwork`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("没有这种工艺图样：{0}")]
pub struct UnknownArtwork(String);

const TITLE: &str = "title";
const TITLE_AND: &str = "title-";

impl Artwork {
    /// All, as they are offered.
    pub fn all() -> impl Iterator<Item = Self> {
        let titled = Ornament::OF_PLATES.map(Self::TitleAnd);
        std::iter::once(Self::Title).chain(titled).chain(Ornament::OF_PLATES.map(Self::Ornament))
    }

    /// The word for members and on tickets.
    pub fn name(self) -> String {
        match self {
            Self::Title => "书名".to_owned(),
            Self::TitleAnd(ornament) => format!("书名和{}", ornament.name()),
            Self::Ornament(ornament) => ornament.name().to_owned(),
        }
    }

    /// Its ornament.
    pub fn ornament(self) -> Option<Ornament> {
        match self {
            Self::Title => None,
            Self::TitleAnd(ornament) | Self::Ornament(ornament) => Some(ornament),
        }
    }

    /// Whether words are a part of it.
    pub fn has_words(self) -> bool {
        !matches!(self, Self::Ornament(_))
    }

    /// Whether it is what there was before there was a choice.
    pub fn is_title(&self) -> bool {
        *self == Self::Title
    }
}

/// Its code in forms, calls and rows.
impl fmt::Display for Artwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Title => f.write_str(TITLE),
            Self::TitleAnd(ornament) => write!(f, "{TITLE_AND}{}", ornament.code()),
            Self::Ornament(ornament) => f.write_str(ornament.code()),
        }
    }
}

impl FromStr for Artwork {
    type Err = UnknownArtwork;
    fn from_str(code: &str) -> Result<Self, UnknownArtwork> {
        Self::all().find(|artwork| artwork.to_string() == code).ok_or_else(|| UnknownArtwork(code.to_owned()))
    }
}

impl TryFrom<String> for Artwork {
    type Error = UnknownArtwork;
    fn try_from(code: String) -> Result<Self, UnknownArtwork> {
        code.parse()
    }
}

impl From<Artwork> for String {
    fn from(artwork: Artwork) -> String {
        artwork.to_string()
    }
}

impl CoverSheet {
    /// Which elements of the front are on the plate of what is put on it besides ink: its title, or all its words where it has
    /// none; on cloth all of them, since nothing else is seen there. None where an ornament alone is.
    pub fn plated(&self, front: &Page) -> Vec<usize> {
        if self.embellishment.is_none() || !self.artwork.has_words() {
            return Vec::new();
        }
        let words = words(front);
        let is_title = |role: TextRole| role == TextRole::Title;
        let titles_alone = self.cloth.is_none() && words.iter().any(|(_, role, _)| is_title(*role));
        let plated = words.into_iter().filter(|(_, role, _)| !titles_alone || is_title(*role));
        plated.map(|(index, ..)| index).collect()
    }

    /// The ornament on that plate, and where it stands on the face, in mm: inside what is safe, off the words where there is
    /// room.
    pub fn ornament(&self, front: &Page) -> Option<(Ornament, Rect)> {
        self.embellishment?;
        let ornament = self.artwork.ornament()?;
        let face = self.face;
        let Some((wide, high)) = share_of(ornament) else {
            let inset = SAFE_MM.max(self.hinge_mm) + INSET_MM;
            let (width, height) = (face.width - 2.0 * inset, face.height - 2.0 * inset);
            return Some((ornament, Rect { x: inset, y: inset, width, height }));
        };
        let side = face.width.min(face.height);
        let (width, height) = (side * wide, side * high);
        let (left, top) = self.page_on_face();
        let words: Vec<Rect> = words(front)
            .into_iter()
            .map(|(.., frame)| Rect { x: frame.x + left, y: frame.y + top, ..frame })
            .collect();
        let place = |middle: f64| Rect {
            x: (face.width - width) / 2.0,
            y: face.height * middle - height / 2.0,
            width,
            height,
        };
        let covered = |at: &Rect| words.iter().map(|frame| common_area(frame, at)).sum::<f64>();
        PLACES
            .map(place)
            .into_iter()
            .min_by(|a, b| covered(a).total_cmp(&covered(b)))
            .map(|at| (ornament, at))
    }

    /// Whether there is anything to make a plate of.
    pub fn has_plate(&self, front: &Page) -> bool {
        !self.plated(front).is_empty() || self.ornament(front).is_some()
    }

    /// The front as it is made: on cloth there is nothing but what is put on besides ink.
    pub fn front_as_made<'p>(&self, front: &'p Page) -> Cow<'p, Page> {
        if self.cloth.is_none() {
            return Cow::Borrowed(front);
        }
        let plated = self.plated(front);
        let kept = front.elements.iter().enumerate().filter(|(index, _)| plated.contains(index));
        Cow::Owned(Page { elements: kept.map(|(_, element)| element.clone()).collect(), ..front.clone() })
    }

    /// Why what was chosen besides ink can't be put on this front, for the member.
    pub fn plate_refusal(&self, front: &Page) -> Option<String> {
        let plate = self.embellishment?.plate();
        (self.artwork.has_words() && self.plated(front).is_empty()).then(|| {
            format!("封面上没有字，{plate}没有图样可做；请先在封面写上书名，或者选一种纹样，或者不选{plate}")
        })
    }

    /// Why this cover can't say whose copy it is, where copies differ, for the member: cloth takes no print, and a plate is made
    /// once for all.
    pub fn name_refusal(&self, document: &Document) -> Option<String> {
        let place = document.name_place()?;
        if self.cloth.is_some() {
            return Some("布面不印字，印不了每本自己的名字：请换一种封面材质".to_owned());
        }
        let plate = self.embellishment?.plate();
        self.plated(&document.cover).contains(&place).then(|| {
            format!("{plate}整批用一块版，名字也在上面就不能每本不同：请先在封面写上书名，{plate}只做书名")
        })
    }
}

/// The front's words: each with its place, its role and its frame.
fn words(front: &Page) -> Vec<(usize, TextRole, Rect)> {
    let texts = front.elements.iter().enumerate().filter_map(|(index, element)| match element {
        Element::Text(text) if !text.text.trim().is_empty() => Some((index, text.role, text.frame)),
        _ => None,
    });
    texts.collect()
}

/// How much two rectangles have in common, in mm².
fn common_area(a: &Rect, b: &Rect) -> f64 {
    let along = |from: f64, size: f64, other: f64, its: f64| {
        ((from + size).min(other + its) - from.max(other)).max(0.0)
    };
    along(a.x, a.width, b.x, b.width) * along(a.y, a.height, b.y, b.height)
}
