//! How a theme composes its spreads, as data: its paper, the places that it gives photos, and the rhythm of its book.
//!
//! A theme's letters and colours belong to the press. What is said here is seen without either: the same photos stand
//! otherwise in each composition.

use crate::document::Trim;

/// Where the photos of a page stand. What is called a block stands inside the margins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// As wide as the margins allow, at a step of the scale of heights ([`STEPS`]), counted from the highest.
    Block(u8),
    /// As high as the margins allow and no wider than the photos are, at the outer margin.
    Column,
    /// Over the whole page.
    Page,
    /// Off the top, the bottom and the outer edge; paper towards the fold.
    Outer,
    /// Off both sides, so that two of them are one band over the spread, at a step of [`BANDS`].
    Band(u8),
    /// At the photos' own shapes in the middle: what always fits.
    Natural,
}

/// The heights of blocks, in parts of the height between the margins: one scale for each page size.
pub(super) const STEPS: [f64; 5] = [1.0, 0.84, 0.7, 0.55, 0.42];
/// The heights of bands, in parts of the page's height.
pub(super) const BANDS: [f64; 3] = [0.76, 0.64, 0.54];

impl Place {
    /// All of them.
    pub(super) const ALL: [Self; 12] = [
        Self::Block(0),
        Self::Block(1),
        Self::Block(2),
        Self::Block(3),
        Self::Block(4),
        Self::Column,
        Self::Page,
        Self::Outer,
        Self::Band(0),
        Self::Band(1),
        Self::Band(2),
        Self::Natural,
    ];

    /// Whether photos run off the page.
    pub(super) fn bleeds(self) -> bool {
        matches!(self, Self::Page | Self::Outer | Self::Band(_))
    }

    /// Whether two pages of a spread may have these: their edges meet, or one of them runs off its page.
    pub(super) fn faces(self, other: Self) -> bool {
        use Place::{Band, Block, Column, Natural, Outer, Page};
        match (self, other) {
            (Block(one), Block(other)) | (Band(one), Band(other)) => one == other,
            (Block(0), Column) | (Column, Block(0)) => true,
            // two of them leave nothing but paper in the middle
            (Page, Page) | (Outer, Outer) => false,
            (Natural, _) | (_, Natural) => true,
            (Block(_), Column) | (Column, Block(_)) => false,
            (Band(_), _) | (_, Band(_)) => false,
            (Block(_) | Column | Page | Outer, _) => true,
        }
    }
}

/// What a spread does in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    /// One photo over the fold.
    Full,
    /// One page runs off the paper, the other rests.
    Contrast,
    /// A few photos inside margins.
    Few,
    /// Many, as a grid.
    Many,
}

/// How a block is liked to be divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    Rows,
    Columns,
    /// In equal parts.
    Even,
    Any,
}

/// What a theme says of its spreads. Lengths are thousandths of the page's short side; costs are hundredths of what the
/// layout counts in.
#[derive(Debug, PartialEq, Eq)]
pub struct Composition {
    /// Paper at the outer edge, at the fold, above and below.
    pub outer: u16,
    pub inner: u16,
    pub top: u16,
    pub foot: u16,
    /// Between photos.
    pub gap: u16,
    /// Where a block stands in the height that is left, in percent: 0 hangs from the upper margin, 100 stands on the lower.
    pub stand: u8,
    /// What is held against each kind of place: block, column, page, outer, band. Nothing where it is not used.
    pub block: Option<u16>,
    pub column: Option<u16>,
    pub page: Option<u16>,
    pub side: Option<u16>,
    pub band: Option<u16>,
    pub grain: Grain,
    /// The spreads of a book in turn.
    pub rhythm: &'static [Beat],
    /// The paper of a spread of several photos, in percent: the least and the most.
    pub paper: (u8, u8),
    /// Whether the book's name and the day stand over the pages.
    pub heads: bool,
}

impl Composition {
    /// How far photos stand from one another on such a page, in mm: on the smallest still so far that it is seen.
    pub(super) fn gap_on(&self, trim: Trim) -> f64 {
        (trim.width.min(trim.height) * f64::from(self.gap) / 1000.0).max(1.2)
    }

    /// What is held against a place.
    pub(super) fn cost(&self, place: Place) -> Option<f64> {
        let cost = match place {
            Place::Block(_) => self.block,
            Place::Column => self.column,
            Place::Page => self.page,
            Place::Outer => self.side,
            Place::Band(_) => self.band,
            Place::Natural => Some(NATURAL),
        };
        cost.map(|cost| f64::from(cost) / 100.0)
    }
}

/// What is held against photos that stand by themselves, off every line of the book.
const NATURAL: u16 = 900;

use Beat::{Contrast, Few, Full, Many};

const PLAIN: Composition = Composition {
    outer: 72,
    inner: 58,
    top: 72,
    foot: 72,
    gap: 18,
    stand: 40,
    block: Some(0),
    column: Some(20),
    page: Some(20),
    side: Some(30),
    band: Some(45),
    grain: Grain::Any,
    rhythm: &[Contrast, Few, Full, Many, Few, Contrast, Many],
    paper: (15, 45),
    heads: false,
};

/// One picture to a page where there is room, on much paper; low on the page.
pub static QUIET: Composition = Composition {
    outer: 80,
    inner: 70,
    top: 80,
    foot: 72,
    gap: 24,
    stand: 62,
    band: Some(60),
    rhythm: &[Few, Contrast, Few, Full],
    paper: (22, 45),
    ..PLAIN
};

/// A grid of equal parts around the middle, like pages of an album.
pub static ALBUM: Composition = Composition {
    grain: Grain::Even,
    side: Some(90),
    page: Some(60),
    rhythm: &[Few, Many, Full, Few, Many, Contrast],
    ..PLAIN
};

/// Strips of prints, one below the other, with room around each.
pub static SCRAPS: Composition = Composition {
    gap: 34,
    outer: 42,
    inner: 42,
    top: 46,
    foot: 42,
    grain: Grain::Rows,
    side: None,
    band: None,
    page: Some(90),
    rhythm: &[Many, Few, Many, Full, Few],
    ..PLAIN
};

/// Tiles side by side with a hair between, almost to the edges.
pub static MOSAIC: Composition = Composition {
    outer: 50,
    inner: 45,
    top: 50,
    foot: 45,
    gap: 8,
    grain: Grain::Even,
    column: Some(40),
    side: Some(60),
    rhythm: &[Many, Contrast, Many, Few, Many, Full],
    ..PLAIN
};

/// Pictures off the paper wherever they can, each facing a page that rests.
pub static BLEED: Composition = Composition {
    block: Some(25),
    page: Some(0),
    side: Some(0),
    rhythm: &[Contrast, Full, Contrast, Few],
    ..PLAIN
};

/// Wide bands over both pages, with bars above and below.
pub static CINEMA: Composition = Composition {
    gap: 6,
    block: Some(70),
    column: Some(60),
    page: Some(50),
    side: Some(60),
    band: Some(0),
    grain: Grain::Columns,
    rhythm: &[Full, Few, Few, Contrast],
    ..PLAIN
};

/// Columns under running heads; blocks hang from one line.
pub static MAGAZINE: Composition = Composition {
    outer: 62,
    inner: 62,
    top: 92,
    foot: 58,
    gap: 16,
    stand: 0,
    side: Some(0),
    page: Some(10),
    grain: Grain::Columns,
    rhythm: &[Contrast, Many, Few, Contrast, Full, Many],
    heads: true,
    ..PLAIN
};

/// Each picture on a wall of its own: wide margins, nothing off the paper but what stands over the fold.
pub static GALLERY: Composition = Composition {
    outer: 72,
    inner: 72,
    top: 72,
    foot: 72,
    gap: 40,
    stand: 45,
    column: Some(0),
    page: Some(180),
    side: None,
    band: None,
    grain: Grain::Even,
    rhythm: &[Few, Few, Full, Many],
    paper: (22, 45),
    ..PLAIN
};

/// All of them.
pub static COMPOSITIONS: [&Composition; 8] =
    [&QUIET, &ALBUM, &SCRAPS, &MOSAIC, &BLEED, &CINEMA, &MAGAZINE, &GALLERY];
