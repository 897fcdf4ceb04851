//! Weak photos: which of a member's photos a book is better without, or shows small.
//!
//! What is measured is found by whoever reads photo files; thresholds are of pictures whose blur, light and kind are known
//! (`docs/decisions/photos.md`).

use serde::{Deserialize, Serialize};

use crate::tone::Tone;

use crate::document::{BLEED_MM, Trim};

/// What was measured of a photo.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// How blurred its sharpest parts are, from 0 to 1; absent where it has too few edges to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blur: Option<f64>,
    /// The shares of its pixels that print as black, and as paper.
    pub shadows: f64,
    pub highlights: f64,
    /// The grey levels, 0 to 255, of its darkest and its lightest thousandth.
    pub darkest: u8,
    pub lightest: u8,
    /// The shares of its squares that are of one colour, and that have strokes on one colour: letters, lines.
    pub flat: f64,
    pub drawn: f64,
    /// Its colour as a whole; absent where it was measured before that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
}

/// A photo as far as it is judged.
#[derive(Debug, Clone, Copy)]
pub struct Shot<'a> {
    pub file_name: &'a str,
    /// Whether it is kept as screens are, without loss.
    pub is_png: bool,
    /// Whether its file names a camera.
    pub has_camera: bool,
    /// Upright, in pixels.
    pub width: u32,
    pub height: u32,
    /// Absent where nobody measured it.
    pub quality: Option<Quality>,
}

/// Why a photo is weak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    Blurred,
    Tiny,
    /// Nothing is to be seen in it.
    Black,
    White,
    Screenshot,
    /// A screen that went through a messenger, or a receipt: a tall strip of letters.
    Slip,
    Soft,
    Dark,
    Light,
    /// A drawing, a page of letters.
    Paper,
}

/// From this blur on no part of a photo is sharp: of 38 photos that were blurred by a Gaussian of a two hundredth of their length 35
/// are found, and of those that were not none.
const BLURRED: f64 = 0.62;
/// From this blur on a photo is seen to be soft where it is large.
const SOFT: f64 = 0.54;
/// Levels between the darkest and the lightest below which softness is the weather's: fog, snow, a wall.
const HAZE: u8 = 80;
/// The share of clipped pixels, and the level that nothing passes, from which on a photo is too dark. Nights have lamps.
const DARK: (f64, u8) = (0.25, 60);
/// The same of one that is too light.
const LIGHT: (f64, u8) = (0.35, 150);
/// Levels beyond which nothing at all is seen.
const BLACK: u8 = 35;
const WHITE: u8 = 235;
/// The least part of the largest frame's long side that a photo fills at [`PRINT_DPI`]; smaller ones are stickers and thumbnails.
const LEAST_FILLED: f64 = 0.25;
/// The resolution at which that is reckoned, in dots per inch.
const PRINT_DPI: f64 = 200.0;
/// How much longer than wide screens are: from 16:10 to the tallest phones; and strips beyond.
const SCREEN: std::ops::RangeInclusive<f64> = 1.55..=2.5;
/// What files of screenshots are called by systems and phones, in lower case.
const SCREENSHOT_NAMES: [&str; 9] = [
    "screenshot",
    "screen shot",
    "screen_shot",
    "screencapture",
    "截屏",
    "截图",
    "屏幕快照",
    "スクリーンショット",
    "bildschirmfoto",
];

impl Flaw {
    /// Whether a book is better without it; otherwise it is shown small.
    pub fn leaves_out(self) -> bool {
        !matches!(self, Self::Soft | Self::Dark | Self::Light | Self::Paper)
    }

    /// Whether it is a weakness only beside photos: a book of nothing else is about that.
    pub fn is_of_kind(self) -> bool {
        matches!(self, Self::Screenshot | Self::Slip | Self::Paper)
    }

    /// What members read of some of them, after their number.
    pub fn words(self) -> &'static str {
        match self {
            Self::Blurred => "模糊",
            Self::Tiny => "太小",
            Self::Black => "几乎全黑",
            Self::White => "几乎全白",
            Self::Screenshot => "是截屏",
            Self::Slip => "像截屏或小票",
            Self::Soft => "有点模糊",
            Self::Dark => "太暗",
            Self::Light => "太亮",
            Self::Paper => "像图画或文件",
        }
    }
}

/// What is weak of a photo in a book whose pages are so large, if anything; what weighs most.
pub fn flaw(shot: &Shot, trim: Trim) -> Option<Flaw> {
    let long = f64::from(shot.width.max(shot.height));
    let shape = long / f64::from(shot.width.min(shot.height).max(1));
    let name = shot.file_name.to_lowercase();
    if !shot.has_camera && SCREENSHOT_NAMES.iter().any(|known| name.contains(known)) {
        return Some(Flaw::Screenshot);
    }
    if let Some(kind) = shot.quality.and_then(|quality| kind(shot, &quality, shape)) {
        return Some(kind);
    }
    if long < (trim.width.max(trim.height) + 2.0 * BLEED_MM) / 25.4 * PRINT_DPI * LEAST_FILLED {
        return Some(Flaw::Tiny);
    }
    let quality = shot.quality?;
    let blur = quality.told_blur();
    let found = [
        (Flaw::Black, quality.lightest < BLACK),
        (Flaw::White, quality.darkest > WHITE),
        (Flaw::Blurred, blur.is_some_and(|blur| blur >= BLURRED)),
        (Flaw::Dark, quality.shadows >= DARK.0 && quality.lightest < DARK.1),
        (Flaw::Light, quality.highlights >= LIGHT.0 && quality.darkest > LIGHT.1),
        (Flaw::Soft, blur.is_some_and(|blur| blur >= SOFT)),
    ];
    found.into_iter().find(|(_, is_so)| *is_so).map(|(flaw, _)| flaw)
}

impl Quality {
    /// Whether a photo is blurred so that it should not be large; fog and snow are not.
    pub fn is_soft(&self) -> bool {
        self.told_blur().is_some_and(|blur| blur >= SOFT)
    }

    /// Its blur, where that is no weather.
    pub fn told_blur(&self) -> Option<f64> {
        self.blur.filter(|_| self.lightest.saturating_sub(self.darkest) >= HAZE)
    }
}

/// What a picture is that is no photograph of the world.
fn kind(shot: &Shot, quality: &Quality, shape: f64) -> Option<Flaw> {
    let even = quality.flat + quality.drawn;
    let is_screen = SCREEN.contains(&shape) && !shot.has_camera;
    if is_screen && shot.is_png && even >= 0.25 && quality.drawn >= 0.02 {
        return Some(Flaw::Screenshot);
    }
    // what a messenger made of it, or a scanner: a page of A4 is broader
    if shape >= *SCREEN.start() && !shot.has_camera && even >= 0.5 && quality.drawn >= 0.05 {
        return Some(Flaw::Slip);
    }
    // a mast before the sky is a stroke on one colour, too
    let is_paper = match shot.has_camera {
        true => even >= 0.3 && quality.drawn >= 0.12,
        false => even >= 0.3 && quality.drawn >= 0.08 || even >= 0.5 && quality.drawn >= 0.04,
    };
    is_paper.then_some(Flaw::Paper)
}

/// How a photo stands in a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Like any other.
    Full,
    /// In a small frame: neither alone on a page to its edges nor across the fold.
    Small,
    /// Not at all.
    Out,
}

/// How the photos of a book stand, by what is weak of each and whether its member wants it all the same.
///
/// At least half of them are in the book: where more would be left out, none is, and weak ones are small. Where most are
/// screens or papers, these are what the book is about, and stand like any others.
pub fn standings(photos: &[(Option<Flaw>, bool)]) -> Vec<Standing> {
    let count = |is_so: &dyn Fn(Flaw, bool) -> bool| {
        photos.iter().filter(|(flaw, wanted)| flaw.is_some_and(|flaw| is_so(flaw, *wanted))).count()
    };
    let is_about_kind = count(&|flaw, _| flaw.is_of_kind()) * 2 > photos.len();
    let is_weak = |flaw: Flaw| !(is_about_kind && flaw.is_of_kind());
    let out = |flaw: Flaw, wanted: bool| is_weak(flaw) && flaw.leaves_out() && !wanted;
    let may_leave = count(&out) * 2 <= photos.len();
    let standing = |&(flaw, wanted): &(Option<Flaw>, bool)| match flaw {
        Some(flaw) if may_leave && out(flaw, wanted) => Standing::Out,
        Some(flaw) if is_weak(flaw) => Standing::Small,
        _ => Standing::Full,
    };
    photos.iter().map(standing).collect()
}

/// How many there are of each flaw, as members read it: `2 张模糊，1 张是截屏`.
pub fn counted(flaws: &[Flaw]) -> String {
    let mut known = flaws.to_vec();
    known.sort_unstable();
    let each = known.chunk_by(|one, other| one == other);
    each.map(|same| format!("{} 张{}", same.len(), same[0].words())).collect::<Vec<_>>().join("，")
}
