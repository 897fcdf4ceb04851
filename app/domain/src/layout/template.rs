//! The page templates, as data: how photos divide a block, and where the block stands on the page.

use std::sync::LazyLock;

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
    /// Off the bottom, left and right; paper above.
    BleedBottom,
    /// Off the top, bottom and outer edge; paper towards the spine.
    BleedOuter,
    /// A band off the left and right edges; paper above and below.
    BleedAcross,
    /// Inside even margins.
    Margins,
    /// Inside wide margins.
    Quiet,
    /// In the outer part of the page, inside margins; paper for words beside it.
    Aside,
}

impl Placing {
    /// Whether photos run off the page; then their size is given by the page's.
    pub fn bleeds(self) -> bool {
        !matches!(self, Self::Margins | Self::Quiet | Self::Aside)
    }

    /// Whether the page is mirrored on the left: what stands outside on a right-hand page stands outside there, too.
    pub fn has_outside(self) -> bool {
        matches!(self, Self::BleedOuter | Self::Aside)
    }

    fn code(self) -> &'static str {
        match self {
            Self::Bleed => "bleed",
            Self::BleedTop => "top",
            Self::BleedBottom => "bottom",
            Self::BleedOuter => "outer",
            Self::BleedAcross => "across",
            Self::Margins => "margins",
            Self::Quiet => "quiet",
            Self::Aside => "aside",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Bleed => "满版",
            Self::BleedTop => "顶到上边",
            Self::BleedBottom => "顶到下边",
            Self::BleedOuter => "顶到外侧",
            Self::BleedAcross => "横贯页面",
            Self::Margins => "四边留白",
            Self::Quiet => "宽边留白",
            Self::Aside => "旁边留字",
        }
    }
}

/// A way to divide a block among photos.
#[derive(Debug, PartialEq)]
pub struct Division {
    code: &'static str,
    title: &'static str,
    tree: Tree,
    /// How many photos the tree takes.
    photos: usize,
}

/// A page template: a division of a block, and where the block stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Template {
    division: &'static Division,
    pub placing: Placing,
    /// How much is held against it before any photo is seen (cost units): plain templates have little.
    pub reserve: f64,
}

impl Template {
    /// How the block is divided.
    pub fn tree(&self) -> &'static Tree {
        &self.division.tree
    }

    /// How many photos it takes.
    pub fn photos(&self) -> usize {
        self.division.photos
    }

    /// The word for forms; no two templates share it.
    pub fn code(&self) -> String {
        format!("{}-{}", self.division.code, self.placing.code())
    }

    /// The name that members read.
    pub fn title(&self) -> String {
        if self.photos() == 1 {
            self.placing.title().to_owned()
        } else {
            format!("{}，{}", self.division.title, self.placing.title())
        }
    }
}

impl Tree {
    /// How many photos it takes.
    pub const fn photos(&self) -> usize {
        match self {
            Self::Photo => 1,
            Self::Row(parts) | Self::Column(parts) => {
                let (mut sum, mut index) = (0, 0);
                while index < parts.len() {
                    sum += parts[index].photos();
                    index += 1;
                }
                sum
            }
        }
    }
}

use Placing::{Aside, Bleed, BleedAcross, BleedBottom, BleedOuter, BleedTop, Margins, Quiet};
use Tree::{Column, Photo, Row};

const ROW_2: Tree = Row(&[Photo, Photo]);
const ROW_3: Tree = Row(&[Photo, Photo, Photo]);
const ROW_4: Tree = Row(&[Photo, Photo, Photo, Photo]);
const COLUMN_2: Tree = Column(&[Photo, Photo]);
const COLUMN_3: Tree = Column(&[Photo, Photo, Photo]);
const COLUMN_4: Tree = Column(&[Photo, Photo, Photo, Photo]);
const GRID: Tree = Column(&[ROW_2, ROW_2]);

const fn division(code: &'static str, title: &'static str, tree: Tree) -> Division {
    Division { code, title, photos: tree.photos(), tree }
}

/// Templates of one division: each place with what is held against it.
type Places = &'static [(Placing, f64)];

/// The catalogue, by the number of photos.
static CATALOGUE: &[(Division, Places)] = &[
    (
        division("one", "一张", Photo),
        &[
            (Bleed, 0.30),
            (BleedTop, 0.15),
            (BleedBottom, 0.20),
            (BleedOuter, 0.15),
            (BleedAcross, 0.15),
            (Margins, 0.0),
            (Quiet, 0.10),
            (Aside, 0.50),
        ],
    ),
    (
        division("two-row", "左右两张", ROW_2),
        &[
            (Margins, 0.0),
            (BleedTop, 0.20),
            (BleedBottom, 0.25),
            (BleedAcross, 0.25),
            (Bleed, 0.30),
            (Quiet, 0.20),
        ],
    ),
    (
        division("two-column", "上下两张", COLUMN_2),
        &[(Margins, 0.0), (BleedOuter, 0.20), (Bleed, 0.30), (Quiet, 0.20), (Aside, 0.60)],
    ),
    (division("three-row", "并排三张", ROW_3), &[(Margins, 0.10), (BleedAcross, 0.30)]),
    (division("three-column", "竖排三张", COLUMN_3), &[(Margins, 0.10), (BleedOuter, 0.30), (Aside, 0.60)]),
    (
        division("one-over-two", "上一下二", Column(&[Photo, ROW_2])),
        &[(Margins, 0.0), (BleedTop, 0.20), (Bleed, 0.35)],
    ),
    (division("two-over-one", "上二下一", Column(&[ROW_2, Photo])), &[(Margins, 0.05), (BleedBottom, 0.25)]),
    (division("one-beside-two", "左一右二", Row(&[Photo, COLUMN_2])), &[(Margins, 0.0), (Bleed, 0.35)]),
    (division("two-beside-one", "左二右一", Row(&[COLUMN_2, Photo])), &[(Margins, 0.05), (Bleed, 0.35)]),
    (division("four-grid", "四宫格", GRID), &[(Margins, 0.0), (Bleed, 0.35), (Quiet, 0.25)]),
    (division("four-columns", "两列各二", Row(&[COLUMN_2, COLUMN_2])), &[(Margins, 0.05)]),
    (division("one-over-three", "上一下三", Column(&[Photo, ROW_3])), &[(Margins, 0.05), (BleedTop, 0.30)]),
    (division("three-over-one", "上三下一", Column(&[ROW_3, Photo])), &[(Margins, 0.10)]),
    (division("one-beside-three", "左一右三", Row(&[Photo, COLUMN_3])), &[(Margins, 0.05)]),
    (division("three-beside-one", "左三右一", Row(&[COLUMN_3, Photo])), &[(Margins, 0.10)]),
    (division("pair-between", "上下各一，中间二", Column(&[Photo, ROW_2, Photo])), &[(Margins, 0.15)]),
    (division("pair-beside", "左右各一，中间二", Row(&[Photo, COLUMN_2, Photo])), &[(Margins, 0.15)]),
    (division("four-row", "并排四张", ROW_4), &[(Margins, 0.40)]),
    (division("four-column", "竖排四张", COLUMN_4), &[(Margins, 0.40)]),
    (division("two-over-three", "上二下三", Column(&[ROW_2, ROW_3])), &[(Margins, 0.0), (Bleed, 0.35)]),
    (division("three-over-two", "上三下二", Column(&[ROW_3, ROW_2])), &[(Margins, 0.05)]),
    (division("one-over-four", "上一下四", Column(&[Photo, ROW_4])), &[(Margins, 0.10)]),
    (division("four-over-one", "上四下一", Column(&[ROW_4, Photo])), &[(Margins, 0.15)]),
    (division("one-beside-grid", "左一右四", Row(&[Photo, GRID])), &[(Margins, 0.05)]),
    (division("grid-beside-one", "左四右一", Row(&[GRID, Photo])), &[(Margins, 0.10)]),
    (division("two-beside-three", "左二右三", Row(&[COLUMN_2, COLUMN_3])), &[(Margins, 0.05)]),
    (division("three-beside-two", "左三右二", Row(&[COLUMN_3, COLUMN_2])), &[(Margins, 0.10)]),
    (division("one-between-pairs", "上下各二，中间一", Column(&[ROW_2, Photo, ROW_2])), &[(Margins, 0.05)]),
    (
        division("five-row", "并排五张", Row(&[Photo, Photo, Photo, Photo, Photo])),
        &[(Margins, 0.50), (BleedAcross, 0.60)],
    ),
    (division("five-column", "竖排五张", Column(&[Photo, Photo, Photo, Photo, Photo])), &[(Margins, 0.50)]),
    (division("six-rows", "两行各三", Column(&[ROW_3, ROW_3])), &[(Margins, 0.0), (Bleed, 0.35)]),
    (division("six-pairs", "三行各二", Column(&[ROW_2, ROW_2, ROW_2])), &[(Margins, 0.0), (Bleed, 0.35)]),
    (division("six-columns", "两列各三", Row(&[COLUMN_3, COLUMN_3])), &[(Margins, 0.05)]),
    (division("large-left", "左上一张大图", Column(&[Row(&[Photo, COLUMN_2]), ROW_3])), &[(Margins, 0.05)]),
    (division("large-right", "右下一张大图", Column(&[ROW_3, Row(&[COLUMN_2, Photo])])), &[(Margins, 0.10)]),
    (division("two-over-four", "上二下四", Column(&[ROW_2, ROW_4])), &[(Margins, 0.10)]),
    (division("four-over-two", "上四下二", Column(&[ROW_4, ROW_2])), &[(Margins, 0.15)]),
    (division("six-steps", "一二三张三行", Column(&[Photo, ROW_2, ROW_3])), &[(Margins, 0.10)]),
    (division("six-row", "并排六张", Row(&[Photo, Photo, Photo, Photo, Photo, Photo])), &[(Margins, 0.60)]),
    (
        division("six-column", "竖排六张", Column(&[Photo, Photo, Photo, Photo, Photo, Photo])),
        &[(Margins, 0.60)],
    ),
    (division("three-over-four", "上三下四", Column(&[ROW_3, ROW_4])), &[(Margins, 0.0), (Bleed, 0.35)]),
    (division("four-over-three", "上四下三", Column(&[ROW_4, ROW_3])), &[(Margins, 0.05)]),
    (division("seven-steps", "二三二行", Column(&[ROW_2, ROW_3, ROW_2])), &[(Margins, 0.0), (Bleed, 0.35)]),
    (division("one-over-six", "上一下六", Column(&[Photo, ROW_3, ROW_3])), &[(Margins, 0.05)]),
    (division("six-over-one", "上六下一", Column(&[ROW_3, ROW_3, Photo])), &[(Margins, 0.10)]),
    (division("one-beside-six", "左一右六", Row(&[Photo, COLUMN_3, COLUMN_3])), &[(Margins, 0.10)]),
    (division("seven-columns", "三列二三二", Row(&[COLUMN_2, COLUMN_3, COLUMN_2])), &[(Margins, 0.05)]),
    (
        division("seven-row", "并排七张", Row(&[Photo, Photo, Photo, Photo, Photo, Photo, Photo])),
        &[(Margins, 0.80)],
    ),
    (
        division("seven-column", "竖排七张", Column(&[Photo, Photo, Photo, Photo, Photo, Photo, Photo])),
        &[(Margins, 0.80)],
    ),
    (division("eight-rows", "两行各四", Column(&[ROW_4, ROW_4])), &[(Margins, 0.05), (Bleed, 0.35)]),
    (division("eight-steps", "三二三行", Column(&[ROW_3, ROW_2, ROW_3])), &[(Margins, 0.0), (Bleed, 0.35)]),
    (division("eight-falling", "二三三行", Column(&[ROW_2, ROW_3, ROW_3])), &[(Margins, 0.0)]),
    (division("eight-rising", "三三二行", Column(&[ROW_3, ROW_3, ROW_2])), &[(Margins, 0.05)]),
    (division("eight-pairs", "四行各二", Column(&[ROW_2, ROW_2, ROW_2, ROW_2])), &[(Margins, 0.10)]),
    (division("eight-columns", "三列三二三", Row(&[COLUMN_3, COLUMN_2, COLUMN_3])), &[(Margins, 0.05)]),
    (
        division("eight-row", "并排八张", Row(&[Photo, Photo, Photo, Photo, Photo, Photo, Photo, Photo])),
        &[(Margins, 0.90)],
    ),
    (
        division(
            "eight-column",
            "竖排八张",
            Column(&[Photo, Photo, Photo, Photo, Photo, Photo, Photo, Photo]),
        ),
        &[(Margins, 0.90)],
    ),
    (
        division("nine-rows", "九宫格", Column(&[ROW_3, ROW_3, ROW_3])),
        &[(Margins, 0.0), (Bleed, 0.35), (Quiet, 0.30)],
    ),
    (division("nine-columns", "三列各三", Row(&[COLUMN_3, COLUMN_3, COLUMN_3])), &[(Margins, 0.05)]),
    (division("nine-steps", "二三四行", Column(&[ROW_2, ROW_3, ROW_4])), &[(Margins, 0.05)]),
    (division("nine-back", "四三二行", Column(&[ROW_4, ROW_3, ROW_2])), &[(Margins, 0.10)]),
    (division("one-over-eight", "上一下八", Column(&[Photo, ROW_4, ROW_4])), &[(Margins, 0.10)]),
    (division("nine-pairs", "二三二二行", Column(&[ROW_2, ROW_3, ROW_2, ROW_2])), &[(Margins, 0.15)]),
    (
        division(
            "nine-row",
            "并排九张",
            Row(&[Photo, Photo, Photo, Photo, Photo, Photo, Photo, Photo, Photo]),
        ),
        &[(Margins, 1.0)],
    ),
    (
        division(
            "nine-column",
            "竖排九张",
            Column(&[Photo, Photo, Photo, Photo, Photo, Photo, Photo, Photo, Photo]),
        ),
        &[(Margins, 1.0)],
    ),
];

static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(|| {
    let of = |(division, places): &'static (Division, Places)| {
        places.iter().map(move |&(placing, reserve)| Template { division, placing, reserve })
    };
    CATALOGUE.iter().flat_map(of).collect()
});

/// All templates, those for fewer photos first; at least eight for each number of photos.
pub fn templates() -> &'static [Template] {
    &TEMPLATES
}

/// Those for so many photos.
pub(super) fn templates_for(photos: usize) -> &'static [Template] {
    let from = TEMPLATES.partition_point(|template| template.photos() < photos);
    let to = TEMPLATES.partition_point(|template| template.photos() <= photos);
    &TEMPLATES[from..to]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::MAX_PER_PAGE;

    #[test]
    fn every_number_of_photos_has_eight_templates_with_names_of_their_own() {
        for photos in 1..=MAX_PER_PAGE {
            let of_size: Vec<_> = templates().iter().filter(|template| template.photos() == photos).collect();
            assert!(of_size.len() >= 8, "{photos}: {}", of_size.len());
            let mut titles: Vec<_> = of_size.iter().map(|template| template.title()).collect();
            titles.sort();
            titles.dedup();
            assert_eq!(titles.len(), of_size.len(), "{photos}");
        }
        let mut codes: Vec<_> = templates().iter().map(Template::code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), templates().len());
    }
}
