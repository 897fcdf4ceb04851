//! QR codes on paper 纸上的二维码: what a page of a shared work says or plays opens from its printed page.
//!
//! A code holds a short address of the site in capitals. Schemes and hosts are read in either case, and of capitals a code
//! needs fewer squares (ISO/IEC 18004, section 7.4.4), so that one as wide as a thumbnail is still read.

use std::fmt;
use std::str::FromStr;

use crate::document::{
    Align, CodeBlock, Common, Element, Page, Rect, SAFE_MM, TextBlock, TextRole, Trim, shared_area,
};
use crate::hot_area::Kind;
use crate::redeem_code::ALPHABET;
use crate::typed::code;

/// Characters of a code: 40 bits, and whatever it opens asks for its own permissions.
pub const LENGTH: usize = 8;
/// How wide it may be chosen, in mm.
pub const SIDES_MM: [u32; 4] = [12, 15, 20, 25];
/// The one that is offered first.
pub const USUAL_MM: u32 = 15;
/// Characters of the words beside it.
pub const WORDS_LENGTH: usize = 40;
/// How wide one of its squares is where every telephone reads it, and where none can be relied on any more, in mm.
pub const CLEAR_SQUARE_MM: f64 = 0.32;
/// See [`CLEAR_SQUARE_MM`].
pub const LEAST_SQUARE_MM: f64 = 0.22;
/// How far from the edge of the page it is put, and from the fold, in mm.
const MARGIN_MM: f64 = SAFE_MM + 2.0;
const FOLD_MM: f64 = 14.0;
/// How far its words stand from it, and how wide they may be, in mm.
const GAP_MM: f64 = 2.0;
const WORDS_MM: f64 = 42.0;

/// What stands behind `/Q/`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PrintCode(String);

impl PrintCode {
    /// The code of eight numbers, of each of which the lowest five bits count.
    pub fn of(random: [u8; LENGTH]) -> Self {
        Self(random.iter().map(|number| char::from(ALPHABET[usize::from(number & 31)])).collect())
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is printed: its address at a site, `https://books.example` without a slash at its end.
    pub fn address(&self, site: &str) -> String {
        format!("{}/Q/{self}", site.to_ascii_uppercase())
    }
}

impl fmt::Display for PrintCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that is no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a code")]
pub struct NotACode;

impl FromStr for PrintCode {
    type Err = NotACode;
    fn from_str(text: &str) -> Result<Self, NotACode> {
        let typed = code(text).to_ascii_uppercase();
        let is_one = typed.len() == LENGTH && typed.bytes().all(|character| ALPHABET.contains(&character));
        if is_one { Ok(Self(typed)) } else { Err(NotACode) }
    }
}

/// What is said beside the code of an area, until its maker says something else.
pub fn words_for(kind: Kind, name: &str) -> String {
    let does = match kind {
        Kind::Audio => "扫码听",
        Kind::Video | Kind::Picture => "扫码看",
        Kind::Note | Kind::Article => "扫码读",
        Kind::Link | Kind::Page | Kind::Product => "扫码打开",
    };
    format!("{does}：{name}").chars().take(WORDS_LENGTH).collect()
}

/// Where on a page it is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    BottomRight,
    BottomLeft,
    TopRight,
    TopLeft,
}

impl Corner {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 4] = [Self::BottomRight, Self::BottomLeft, Self::TopRight, Self::TopLeft];

    /// The word for forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::BottomRight => "bottom-right",
            Self::BottomLeft => "bottom-left",
            Self::TopRight => "top-right",
            Self::TopLeft => "top-left",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::BottomRight => "右下角",
            Self::BottomLeft => "左下角",
            Self::TopRight => "右上角",
            Self::TopLeft => "左上角",
        }
    }

    /// The one that a form says.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }

    fn is_right(self) -> bool {
        matches!(self, Self::BottomRight | Self::TopRight)
    }

    fn is_bottom(self) -> bool {
        matches!(self, Self::BottomRight | Self::BottomLeft)
    }
}

/// Which page of a book it is for: on which side its fold is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A cover, or a leaf of a calendar.
    NoFold,
    /// A left-hand page has its fold on the right.
    Left,
    Right,
}

impl Side {
    /// Of a page by its number; 0 is the cover, and the first inner page is a right-hand one.
    pub fn of(number: usize) -> Self {
        match number {
            0 => Self::NoFold,
            number if number.is_multiple_of(2) => Self::Left,
            _ => Self::Right,
        }
    }
}

/// A code with its words, in a corner of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub code: CodeBlock,
    /// None where nothing is said.
    pub words: Option<TextBlock>,
}

/// Puts a code of an address in a corner. Its words stand beside it, towards the middle of the page.
pub fn placed(address: String, words: &str, side_mm: u32, corner: Corner, trim: Trim, side: Side) -> Placed {
    let width = f64::from(side_mm);
    let from_left = if side == Side::Right { FOLD_MM } else { MARGIN_MM };
    let from_right = if side == Side::Left { FOLD_MM } else { MARGIN_MM };
    let x = if corner.is_right() { trim.width - from_right - width } else { from_left };
    let y = if corner.is_bottom() { trim.height - MARGIN_MM - width } else { MARGIN_MM };
    let frame = Rect { x, y, width, height: width };
    let room = trim.width - from_left - from_right - width - GAP_MM;
    let wide = room.min(WORDS_MM);
    let words = words.trim();
    let block = (!words.is_empty() && wide > 0.0).then(|| {
        let x = if corner.is_right() { x - GAP_MM - wide } else { x + width + GAP_MM };
        let align = if corner.is_right() { Align::Right } else { Align::Left };
        let frame = Rect { x, y, width: wide, height: width };
        TextBlock { align: Some(align), ..TextBlock::new(frame, TextRole::Caption, words) }
    });
    Placed { code: CodeBlock { common: Common::default(), frame, address }, words: block }
}

/// The corners in which such a code lies on nothing, those away from the fold and below first; all of them where none is free.
pub fn free_corners(page: &Page, side_mm: u32, trim: Trim, side: Side) -> Vec<Corner> {
    let mut corners = Corner::ALL.to_vec();
    corners.sort_by_key(|corner| match side {
        Side::NoFold => false,
        Side::Left => corner.is_right(),
        Side::Right => !corner.is_right(),
    });
    let is_free = |corner: &Corner| {
        let placed = placed(String::new(), "字", side_mm, *corner, trim, side);
        let own = (&placed.code.frame, 0.0);
        page.elements.iter().all(|element| {
            let is_empty = matches!(element, Element::Text(block) if block.text.trim().is_empty());
            is_empty || shared_area((&element.frame(), element.common().rotation), own) <= 0.0
        })
    };
    let free: Vec<Corner> = corners.iter().copied().filter(is_free).collect();
    if free.is_empty() { corners } else { free }
}
