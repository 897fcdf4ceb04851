//! How a book is held together, as far as its print files depend on it: the sheet that becomes the cover, with its folds
//! and the zones that nothing important may lie in.
//!
//! The measures are the bindery's and stand in the files of the goods (`bodies.….cover`). What a file leaves out is usual
//! in the trade; where each number comes from is said beside it.

use serde::{Deserialize, Serialize};

use crate::artwork::Artwork;
use crate::document::{BLEED_MM, Colour, Rect, SAFE_MM, Trim};

/// How a binding makes its cover.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CoverMake {
    /// 骑马钉: one sheet, printed on both sides and folded around the others.
    Folded,
    /// 平装: a paper cover glued to the back of the leaves.
    Glued(Glued),
    /// 精装: a printed sheet drawn over boards.
    Case(Case),
    /// 铁圈装: front and back are leaves like all others.
    Leaves(Leaves),
}

/// A paper cover around glued leaves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Glued {
    /// How far from the back the cover is creased so that it opens, mm. 6 to 8 are usual.
    pub hinge_mm: f64,
    /// How far the glue reaches onto the first and the last leaf and the inside of the cover, mm. 5 to 7 are usual.
    pub glue_mm: f64,
    /// How much wider or narrower than computed the back may come out, mm.
    pub spine_tolerance_mm: f64,
    /// A narrower back does not hold, mm: 3 is what binders ask for.
    pub least_spine_mm: f64,
}

impl Default for Glued {
    fn default() -> Self {
        Self { hinge_mm: 8.0, glue_mm: 6.0, spine_tolerance_mm: 1.0, least_spine_mm: 3.0 }
    }
}

/// A case of three boards (front, back, spine) with a printed sheet drawn over them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Case {
    /// 飘口: how far the boards reach past the leaves at head, tail and fore edge, mm. 3 nearly everywhere.
    pub square_mm: f64,
    /// 书槽: the gap between spine board and cover board, mm. 8 to 10 are usual.
    pub groove_mm: f64,
    /// How much narrower than leaf and square together a cover board is, mm. Binders that count the gap into the leaf's
    /// width (board = leaf + square − gap + board thickness) say so here.
    pub board_less_mm: f64,
    /// 包边: what is drawn over the board's edge and glued inside, mm, besides the board's thickness. 15 at least.
    pub turn_in_mm: f64,
    /// How much wider or narrower than computed the back may come out, mm.
    pub spine_tolerance_mm: f64,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            square_mm: 3.0,
            groove_mm: 10.0,
            board_less_mm: 0.0,
            turn_in_mm: LEAST_TURN_IN_MM,
            spine_tolerance_mm: 1.0,
        }
    }
}

/// Less does not hold inside a board, mm.
pub const LEAST_TURN_IN_MM: f64 = 15.0;

/// Leaves that are punched and held by rings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Leaves {
    /// Where the rings are.
    pub edge: BoundEdge,
    /// What the holes take of a page from that edge, mm: holes of 4 mm, 4 mm from the edge, and their tolerance.
    pub holes_mm: f64,
}

impl Default for Leaves {
    fn default() -> Self {
        Self { edge: BoundEdge::Left, holes_mm: 10.0 }
    }
}

/// The edge at which a book is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundEdge {
    Left,
    Top,
}

impl BoundEdge {
    /// The word for a job ticket.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "左边",
            Self::Top => "上边",
        }
    }
}

/// What is put on a cover besides ink, with a plate of its own (步骤“其他工艺”). ISO 19593-1 calls such plates processing
/// steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Embellishment {
    /// 烫金: metal foil, pressed on by a hot die.
    Foil,
    /// 局部UV: clear varnish on parts of the print.
    SpotVarnish,
    /// 起鼓: the sheet is raised between two dies.
    Emboss,
}

impl Embellishment {
    /// What an item of that step is, by its name; what needs no plate is none.
    pub fn of_item(name: &str) -> Option<Self> {
        if name.contains('烫') {
            Some(Self::Foil)
        } else if name.to_ascii_uppercase().contains("UV") {
            Some(Self::SpotVarnish)
        } else if name.contains("鼓") || name.contains("凹凸") {
            Some(Self::Emboss)
        } else {
            None
        }
    }

    /// The name of its plate, a spot colour of the cover's file.
    pub fn plate(self) -> &'static str {
        match self {
            Self::Foil => "烫金",
            Self::SpotVarnish => "局部UV",
            Self::Emboss => "起鼓",
        }
    }

    /// Whether it stands in the place of ink: foil hides what is under it, and ink under its edges would show.
    pub fn replaces_ink(self) -> bool {
        self == Self::Foil
    }

    /// Smaller characters run together, in pt. Dies and varnish hold strokes and gaps of 0.2 to 0.3 mm, which Chinese
    /// characters of some fifteen strokes have from about 10 pt on; raised paper needs half as much again.
    pub fn least_size_pt(self) -> f64 {
        match self {
            Self::Foil | Self::SpotVarnish => 10.0,
            Self::Emboss => 15.0,
        }
    }

    /// Thinner lines break, in mm. Makers of dies ask for 0.2 at the least; printers for 0.38 (1 pt) of varnish on a part, and
    /// for 0.35 where paper is raised. Where the numbers come from is said in `docs/decisions/printing.md`.
    pub fn least_line_mm(self) -> f64 {
        match self {
            Self::Foil => 0.2,
            Self::SpotVarnish => 0.38,
            Self::Emboss => 0.35,
        }
    }

    /// What lies between two lines runs together where it is narrower, in mm.
    pub fn least_gap_mm(self) -> f64 {
        match self {
            Self::Foil | Self::Emboss => 0.3,
            Self::SpotVarnish => 0.38,
        }
    }
}

/// The sheet of a cover, in mm. Faces are as they are seen on the finished book; from the left there are back, groove,
/// spine, groove and front.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CoverSheet {
    /// A page of the book; the front was made for this size.
    pub page: Trim,
    /// Front and back, each.
    pub face: Trim,
    /// The back of the book; 0 where there is none.
    pub spine_mm: f64,
    /// Between the spine and a face.
    pub groove_mm: f64,
    /// What the sheet has around the faces: bleed that is cut off, or turn-in that is glued inside.
    pub around_mm: f64,
    /// From the spine to the crease on a face; 0 where it has none.
    pub hinge_mm: f64,
    /// By how much the spine may differ.
    pub tolerance_mm: f64,
    /// The thickness of a board; 0 where there is none.
    pub board_mm: f64,
    /// What the sheet is.
    pub sides: CoverSides,
    /// Whether its folds and its outline are drawn in a spot colour of their own.
    pub die_line: bool,
    /// What is put on it besides ink.
    pub embellishment: Option<Embellishment>,
    /// What that is drawn from.
    #[serde(default, skip_serializing_if = "Artwork::is_title")]
    pub artwork: Artwork,
    /// The colour of a material that takes no print, such as cloth; none of paper.
    pub cloth: Option<Colour>,
}

/// What is printed of a cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CoverSides {
    /// One side of one sheet.
    Outside,
    /// Both sides of one sheet; inside are the first and the last page of the book.
    OutsideAndPages,
    /// Both sides of one sheet; the inside is empty.
    OutsideAndBlank,
    /// Two leaves: front and back.
    Leaves(BoundEdge),
}

impl CoverSheet {
    /// Front, spine and back of the page's size with bleed around them, and nothing else: what is known without a binding.
    pub fn plain(page: Trim, spine_mm: f64) -> Self {
        Self {
            page,
            face: page,
            spine_mm,
            groove_mm: 0.0,
            around_mm: BLEED_MM,
            hinge_mm: 0.0,
            tolerance_mm: 0.0,
            board_mm: 0.0,
            sides: CoverSides::Outside,
            die_line: false,
            embellishment: None,
            artwork: Artwork::Title,
            cloth: None,
        }
    }

    /// The cover of a book with a back so wide. `cover_mm` is front and back cover together; `starts_on_cover` says
    /// whether the first and the last page are printed inside it.
    pub fn of(make: CoverMake, page: Trim, spine_mm: f64, cover_mm: f64, starts_on_cover: bool) -> Self {
        let plain = Self { die_line: true, ..Self::plain(page, spine_mm) };
        match make {
            CoverMake::Folded => {
                let sides =
                    if starts_on_cover { CoverSides::OutsideAndPages } else { CoverSides::OutsideAndBlank };
                Self { spine_mm: 0.0, sides, ..plain }
            }
            CoverMake::Glued(glued) => {
                Self { hinge_mm: glued.hinge_mm, tolerance_mm: glued.spine_tolerance_mm, ..plain }
            }
            CoverMake::Case(case) => {
                let board_mm = cover_mm / 2.0;
                Self {
                    face: Trim {
                        width: page.width + case.square_mm - case.board_less_mm,
                        height: page.height + 2.0 * case.square_mm,
                    },
                    groove_mm: case.groove_mm,
                    around_mm: case.turn_in_mm.max(LEAST_TURN_IN_MM) + board_mm,
                    tolerance_mm: case.spine_tolerance_mm,
                    board_mm,
                    ..plain
                }
            }
            CoverMake::Leaves(leaves) => {
                Self { spine_mm: 0.0, sides: CoverSides::Leaves(leaves.edge), ..plain }
            }
        }
    }

    /// What is seen of the open cover: faces, grooves and spine.
    pub fn seen(&self) -> Trim {
        match self.sides {
            CoverSides::Leaves(_) => self.face,
            _ => Trim {
                width: 2.0 * (self.face.width + self.groove_mm) + self.spine_mm,
                height: self.face.height,
            },
        }
    }

    /// The whole sheet.
    pub fn sheet(&self) -> Trim {
        let seen = self.seen();
        Trim { width: seen.width + 2.0 * self.around_mm, height: seen.height + 2.0 * self.around_mm }
    }

    /// Where the front begins, from the left of what is seen.
    pub fn front_mm(&self) -> f64 {
        match self.sides {
            CoverSides::Leaves(_) => 0.0,
            _ => self.face.width + 2.0 * self.groove_mm + self.spine_mm,
        }
    }

    /// How wide spine and front are together, with the groove between them.
    pub fn standing_mm(&self) -> f64 {
        match self.sides {
            CoverSides::Leaves(_) => self.face.width,
            _ => self.spine_mm + self.groove_mm + self.face.width,
        }
    }

    /// Where the page that the front was made of begins on the face: in its middle.
    pub fn page_on_face(&self) -> (f64, f64) {
        ((self.face.width - self.page.width) / 2.0, (self.face.height - self.page.height) / 2.0)
    }

    /// Whether boards are covered.
    pub fn is_case(&self) -> bool {
        self.board_mm > 0.0 && self.groove_mm > 0.0
    }

    /// Where the sheet is folded or creased, from the left of what is seen: upright lines over its whole height.
    pub fn folds(&self) -> Vec<f64> {
        let back = self.face.width;
        let spine = [back + self.groove_mm, back + self.groove_mm + self.spine_mm];
        match self.sides {
            CoverSides::Leaves(_) => Vec::new(),
            _ if self.spine_mm == 0.0 => vec![back],
            _ if self.groove_mm > 0.0 => vec![back, spine[0], spine[1], self.front_mm()],
            _ if self.hinge_mm > 0.0 => {
                vec![spine[0] - self.hinge_mm, spine[0], spine[1], spine[1] + self.hinge_mm]
            }
            _ => spine.to_vec(),
        }
    }

    /// The parts that everything important stays in: inside the edges of front and back, off folds and creases.
    pub fn safe_areas(&self) -> Vec<Rect> {
        let near_spine = SAFE_MM.max(self.hinge_mm);
        let (width, height) = (self.face.width - SAFE_MM - near_spine, self.face.height - 2.0 * SAFE_MM);
        let face = |x: f64| Rect { x, y: SAFE_MM, width, height };
        match self.sides {
            CoverSides::Leaves(_) => {
                vec![Rect { width: self.face.width - 2.0 * SAFE_MM, ..face(SAFE_MM) }]
            }
            _ => vec![face(SAFE_MM), face(self.front_mm() + near_spine)],
        }
    }

    /// The width that words on the spine may fill: what stays on it even where it comes out as narrow as it may.
    pub fn spine_room_mm(&self) -> f64 {
        (self.spine_mm - 2.0 * self.tolerance_mm).max(0.0)
    }
}
