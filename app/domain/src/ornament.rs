//! Drawings that the house keeps, for pages and for what is put on a cover besides ink ([`crate::artwork`]).
//!
//! How one is drawn is the press's (`themes/ornament.typ`); how large, and where in its frame, is said here.

use serde::{Deserialize, Serialize};

use crate::document::Rect;

/// A drawing that the house keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ornament {
    /// 边框: one line around.
    Frame,
    /// 双线框: a broad line, and a fine one inside it.
    DoubleFrame,
    /// 角花: a curl in each corner.
    Corners,
    /// 圆章: a medallion.
    Medallion,
    /// 枝叶: a branch with leaves.
    Sprig,
    /// 横饰: a level line with a lozenge in its middle.
    Rule,
    /// 花环: a round of leaves.
    Wreath,
    /// 梅枝: a branch of plum in flower.
    Plum,
    /// 祥云: a cloud as on old silk.
    Cloud,
    /// 罗盘: a rose of the winds.
    Compass,
    /// 水波: three lines of water.
    Waves,
    /// 星光: stars of four points.
    Stars,
    /// 心形: a heart.
    Heart,
}

impl Ornament {
    /// All, as they are offered.
    pub const ALL: [Self; 13] = [
        Self::Frame,
        Self::DoubleFrame,
        Self::Corners,
        Self::Medallion,
        Self::Sprig,
        Self::Rule,
        Self::Wreath,
        Self::Plum,
        Self::Cloud,
        Self::Compass,
        Self::Waves,
        Self::Stars,
        Self::Heart,
    ];

    /// Those whose lines and gaps a die, varnish and raised paper hold.
    pub const OF_PLATES: [Self; 6] =
        [Self::Frame, Self::DoubleFrame, Self::Corners, Self::Medallion, Self::Sprig, Self::Rule];

    /// On a front whose shorter side is shorter, its gaps are too narrow for a die, in mm. The press's tests measure every ornament
    /// at this size.
    pub const LEAST_SIDE_MM: f64 = 100.0;

    /// The word for members and on tickets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Frame => "边框",
            Self::DoubleFrame => "双线框",
            Self::Corners => "角花",
            Self::Medallion => "圆章",
            Self::Sprig => "枝叶",
            Self::Rule => "横饰",
            Self::Wreath => "花环",
            Self::Plum => "梅枝",
            Self::Cloud => "祥云",
            Self::Compass => "罗盘",
            Self::Waves => "水波",
            Self::Stars => "星光",
            Self::Heart => "心形",
        }
    }

    /// Its code in documents, forms and calls.
    pub fn code(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::DoubleFrame => "double-frame",
            Self::Corners => "corners",
            Self::Medallion => "medallion",
            Self::Sprig => "sprig",
            Self::Rule => "rule",
            Self::Wreath => "wreath",
            Self::Plum => "plum",
            Self::Cloud => "cloud",
            Self::Compass => "compass",
            Self::Waves => "waves",
            Self::Stars => "stars",
            Self::Heart => "heart",
        }
    }

    /// Whether it runs along the edges of what it stands in, and takes its shape.
    pub fn runs_along_edges(self) -> bool {
        matches!(self, Self::Frame | Self::DoubleFrame | Self::Corners)
    }

    /// The width and height at which its lines are as wide as they are drawn, in mm; of one that runs along edges, the least.
    pub fn natural_mm(self) -> (f64, f64) {
        match self {
            Self::Frame => (20.0, 20.0),
            Self::DoubleFrame => (40.0, 40.0),
            Self::Corners => (60.0, 60.0),
            Self::Medallion => (26.0, 26.0),
            Self::Sprig => (44.0, 16.0),
            Self::Rule => (56.0, 6.0),
            Self::Wreath | Self::Compass => (40.0, 40.0),
            Self::Plum => (48.0, 30.0),
            Self::Cloud => (46.0, 30.0),
            Self::Waves => (56.0, 10.0),
            Self::Stars => (40.0, 25.0),
            Self::Heart => (24.0, 22.0),
        }
    }

    /// How wide its finest line is at that size, in mm; nothing for one without lines.
    fn finest_mm(self) -> Option<f64> {
        match self {
            Self::Frame => Some(0.8),
            Self::DoubleFrame | Self::Medallion | Self::Compass => Some(0.5),
            Self::Corners => Some(0.55),
            Self::Sprig | Self::Rule | Self::Plum | Self::Cloud => Some(0.7),
            Self::Wreath | Self::Waves => Some(0.6),
            Self::Stars | Self::Heart => None,
        }
    }

    /// How it is drawn in a frame of a page: along its edges, or as large as fits in its middle. Its lines grow with it, except
    /// those along edges, which only become finer in a small frame.
    pub fn drawn_in(self, frame: &Rect) -> Drawn {
        let (width, height) = self.natural_mm();
        let fits = (frame.width / width).min(frame.height / height);
        if self.runs_along_edges() {
            return Drawn { place: *frame, scale: fits.min(1.0) };
        }
        let (width, height) = (width * fits, height * fits);
        let (x, y) = (frame.x + (frame.width - width) / 2.0, frame.y + (frame.height - height) / 2.0);
        Drawn { place: Rect { x, y, width, height }, scale: fits }
    }

    /// How wide its finest line is in a frame of a page, in mm; nothing for one without lines.
    pub fn finest_in(self, frame: &Rect) -> Option<f64> {
        self.finest_mm().map(|finest| finest * self.drawn_in(frame).scale)
    }
}

/// Where an ornament lies on a page, and how large.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Drawn {
    /// What it covers, in mm.
    #[serde(flatten)]
    pub place: Rect,
    /// How much wider its lines are than they are drawn.
    pub scale: f64,
}
