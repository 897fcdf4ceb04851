//! The page templates, as data: how photos divide a block, and where the block stands on the page.

/// How a block is divided among photos. Leaves take the photos in reading order, which is the order of time.
/// A row's parts share one height, a column's parts one width; the photos' own shapes give the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    Photo,
    Row(&'static [Tree]),
    Column(&'static [Tree]),
}

/// Where the block of photos stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Placing {
    /// The whole page, off all four edges.
    Bleed,
    /// Off the top, left and right; paper below.
    BleedTop,
    /// Off the top, bottom and outer edge; paper towards the spine.
    BleedOuter,
    /// A band off the left and right edges; paper above and below.
    BleedAcross,
    /// Inside even margins.
    Margins,
    /// Inside wide margins.
    Quiet,
}

impl Placing {
    /// Whether photos run off the page; then their size is given by the page's.
    pub fn bleeds(self) -> bool {
        !matches!(self, Self::Margins | Self::Quiet)
    }
}

/// A page template.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Template {
    /// A name for logs and tests.
    pub name: &'static str,
    pub placing: Placing,
    pub tree: Tree,
    /// How much is held against it before any photo is seen (cost units): plain templates have little.
    pub reserve: f64,
}

impl Tree {
    /// How many photos it takes.
    pub fn photos(&self) -> usize {
        match self {
            Self::Photo => 1,
            Self::Row(parts) | Self::Column(parts) => parts.iter().map(Self::photos).sum(),
        }
    }
}

use Placing::{Bleed, BleedAcross, BleedOuter, BleedTop, Margins, Quiet};
use Tree::{Column, Photo, Row};

const ROW_2: Tree = Row(&[Photo, Photo]);
const ROW_3: Tree = Row(&[Photo, Photo, Photo]);
const COLUMN_2: Tree = Column(&[Photo, Photo]);
const COLUMN_3: Tree = Column(&[Photo, Photo, Photo]);
const TOP_OVER_2: Tree = Column(&[Photo, ROW_2]);
const TWO_OVER_BOTTOM: Tree = Column(&[ROW_2, Photo]);
const LEFT_BESIDE_2: Tree = Row(&[Photo, COLUMN_2]);
const TWO_BESIDE_RIGHT: Tree = Row(&[COLUMN_2, Photo]);
const GRID: Tree = Column(&[ROW_2, ROW_2]);

const fn template(name: &'static str, placing: Placing, tree: Tree, reserve: f64) -> Template {
    Template { name, placing, tree, reserve }
}

const TEMPLATES: &[Template] = &[
    template("one, full bleed", Bleed, Photo, 0.30),
    template("one, off the top", BleedTop, Photo, 0.15),
    template("one, off the outer edge", BleedOuter, Photo, 0.15),
    template("one, across", BleedAcross, Photo, 0.15),
    template("one, margins", Margins, Photo, 0.0),
    template("one, quiet", Quiet, Photo, 0.10),
    template("two, row", Margins, ROW_2, 0.0),
    template("two, column", Margins, COLUMN_2, 0.0),
    template("two, row off the top", BleedTop, ROW_2, 0.20),
    template("two, row across", BleedAcross, ROW_2, 0.25),
    template("two, column off the outer edge", BleedOuter, COLUMN_2, 0.20),
    template("two, row, full bleed", Bleed, ROW_2, 0.30),
    template("two, column, full bleed", Bleed, COLUMN_2, 0.30),
    template("three, row", Margins, ROW_3, 0.10),
    template("three, row across", BleedAcross, ROW_3, 0.30),
    template("three, column", Margins, COLUMN_3, 0.10),
    template("three, top over two", Margins, TOP_OVER_2, 0.0),
    template("three, two over bottom", Margins, TWO_OVER_BOTTOM, 0.05),
    template("three, left beside two", Margins, LEFT_BESIDE_2, 0.0),
    template("three, two beside right", Margins, TWO_BESIDE_RIGHT, 0.05),
    template("three, top over two, off the top", BleedTop, TOP_OVER_2, 0.20),
    template("three, top over two, full bleed", Bleed, TOP_OVER_2, 0.35),
    template("three, left beside two, full bleed", Bleed, LEFT_BESIDE_2, 0.35),
    template("three, two beside right, full bleed", Bleed, TWO_BESIDE_RIGHT, 0.35),
    template("four, grid", Margins, GRID, 0.0),
    template("four, two columns", Margins, Row(&[COLUMN_2, COLUMN_2]), 0.05),
    template("four, top over three", Margins, Column(&[Photo, ROW_3]), 0.05),
    template("four, three over bottom", Margins, Column(&[ROW_3, Photo]), 0.10),
    template("four, left beside three", Margins, Row(&[Photo, COLUMN_3]), 0.05),
    template("four, three beside right", Margins, Row(&[COLUMN_3, Photo]), 0.10),
    template("four, pair between", Margins, Column(&[Photo, ROW_2, Photo]), 0.15),
    template("four, pair beside", Margins, Row(&[Photo, COLUMN_2, Photo]), 0.15),
    template("four, row", Margins, Row(&[Photo, Photo, Photo, Photo]), 0.40),
    template("four, column", Margins, Column(&[Photo, Photo, Photo, Photo]), 0.40),
    template("four, grid, full bleed", Bleed, GRID, 0.35),
];

/// All templates, those for fewer photos first.
pub fn templates() -> &'static [Template] {
    TEMPLATES
}
