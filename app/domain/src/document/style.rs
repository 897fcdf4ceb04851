//! What things look like beyond what the theme says of them.

use serde::{Deserialize, Serialize};

/// An sRGB colour, `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Colour(pub [u8; 3]);

impl TryFrom<String> for Colour {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii());
        let value = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        let [_, red, green, blue] = value.ok_or_else(|| format!("not a colour: {text}"))?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl From<Colour> for String {
    fn from(Colour([red, green, blue]): Colour) -> String {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// A colour of an element: one of the theme's, which follows the theme, or any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Ink {
    Theme(PaletteColour),
    Free(Colour),
}

/// The colours that every theme has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaletteColour {
    /// Of running text.
    Text,
    /// Of titles.
    Strong,
    /// Of captions.
    Quiet,
    /// Of what is to be noticed.
    Accent,
    /// Of words on the deep background.
    Light,
    /// Of the paper.
    Paper,
}

impl PaletteColour {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 6] =
        [Self::Text, Self::Strong, Self::Quiet, Self::Accent, Self::Light, Self::Paper];

    /// The word in documents.
    pub fn code(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Strong => "strong",
            Self::Quiet => "quiet",
            Self::Accent => "accent",
            Self::Light => "light",
            Self::Paper => "paper",
        }
    }
}

impl TryFrom<String> for Ink {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        match PaletteColour::ALL.into_iter().find(|colour| colour.code() == text) {
            Some(colour) => Ok(Self::Theme(colour)),
            None => Colour::try_from(text).map(Self::Free),
        }
    }
}

impl From<Ink> for String {
    fn from(ink: Ink) -> String {
        match ink {
            Ink::Theme(colour) => colour.code().to_owned(),
            Ink::Free(colour) => colour.into(),
        }
    }
}

/// A line along the edge of something, inside its frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Border {
    /// In mm; 0 is none.
    pub width: f64,
    pub colour: Ink,
}

/// The outline that a photo is cut to inside its frame. Its round corners are quarters of a circle, as large as half of the shorter
/// side lets them be: arcs and straight lines, which are a clipping path on every press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mask {
    /// All four: a circle in a square frame.
    Round,
    /// Both above, as a window in an old wall.
    Arch,
    /// Two that face each other.
    Leaf,
    /// All but the one below on the left.
    Drop,
}

impl Mask {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 4] = [Self::Round, Self::Arch, Self::Leaf, Self::Drop];

    /// Its code in documents.
    pub fn code(self) -> &'static str {
        match self {
            Self::Round => "round",
            Self::Arch => "arch",
            Self::Leaf => "leaf",
            Self::Drop => "drop",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Round => "圆",
            Self::Arch => "拱",
            Self::Leaf => "叶",
            Self::Drop => "滴",
        }
    }

    /// Which corners are round, clockwise from the upper left.
    pub fn corners(self) -> [bool; 4] {
        match self {
            Self::Round => [true; 4],
            Self::Arch => [true, true, false, false],
            Self::Leaf => [true, false, true, false],
            Self::Drop => [true, true, true, false],
        }
    }

    /// Whether it shows a point of a frame of a size, all in mm; the point from the frame's upper left.
    pub fn shows(self, (x, y): (f64, f64), (width, height): (f64, f64)) -> bool {
        let corner = match (x < width / 2.0, y < height / 2.0) {
            (true, true) => 0,
            (false, true) => 1,
            (false, false) => 2,
            (true, false) => 3,
        };
        let radius = width.min(height) / 2.0;
        // how far it is from the edges of its corner towards the middle of that corner's circle
        let (across, down) = (radius - x.min(width - x), radius - y.min(height - y));
        !self.corners()[corner] || across <= 0.0 || down <= 0.0 || across.hypot(down) <= radius
    }
}

/// How the lines of a text stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    Left,
    Center,
    Right,
    /// Both edges straight.
    Justify,
}

/// A family of letters that the house has, all of them under the SIL Open Font License.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Typeface {
    Sans,
    Serif,
    /// Letters of a brush; they have one strength.
    Brush,
    /// Letters for display, narrow and light; they have one strength.
    Xiaowei,
}

impl Typeface {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 4] = [Self::Sans, Self::Serif, Self::Brush, Self::Xiaowei];

    /// The word in documents and forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Sans => "sans",
            Self::Serif => "serif",
            Self::Brush => "brush",
            Self::Xiaowei => "xiaowei",
        }
    }

    /// The one of that word.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sans => "黑体",
            Self::Serif => "宋体",
            Self::Brush => "毛笔",
            Self::Xiaowei => "小薇",
        }
    }
}

/// How strong letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    Regular,
    Bold,
}
