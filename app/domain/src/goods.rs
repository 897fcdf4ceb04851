//! Goods 商品: what can be printed, in which steps, out of which paper. Data and its consistency.
//!
//! Which items fit together is in [`crate::print_options`], what they cost in [`crate::price`]. The files
//! of `app/slices/catalog/goods/` and the JSON of the operator's pages are this module's [`Goods`].

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use time::Date;

use crate::binding::{CoverMake, CoverSheet, Embellishment};
use crate::document::{Colour, Trim};
use crate::ids::GoodsId;
use crate::imposition::{Booklet, sections, whole_sheets};
use crate::price::PriceBook;
use crate::print_options::{Choice, SADDLE_STITCH, counts_two_apart};
use crate::print_settings::PrintSettings;
use crate::production::{Stage, is_worked};

mod problems;
pub use problems::Problem;

/// The step names of the specification, section 9 (the contract fixes them and the first).
pub mod step_name {
    pub const BINDING: &str = "装订方式";
    pub const COVER: &str = "封面材质";
    pub const PAPER: &str = "内页纸张";
    pub const WEIGHT: &str = "内页克重";
    pub const LAMINATION: &str = "覆膜";
    pub const INNER_LAMINATION: &str = "内页覆膜";
    pub const COLOUR: &str = "印刷色彩";
    pub const CRAFT: &str = "其他工艺";
    pub const GIFT_BOX: &str = "附礼品盒";
    /// A free-text box: the only step without items.
    pub const REMARKS: &str = "备注";

    /// What the craft is drawn from: a field beside the steps, and none of them.
    pub const ARTWORK: &str = "工艺图样";

    /// All ten.
    pub const ALL: [&str; 10] =
        [BINDING, COVER, PAPER, WEIGHT, LAMINATION, INNER_LAMINATION, COLOUR, CRAFT, GIFT_BOX, REMARKS];
}

/// The bindings of the specification, section 9, in its order.
pub const BINDINGS: [&str; 12] = [
    "骑马钉",
    "普通平装",
    "锁线平装",
    "PUR平装",
    "全景平装",
    "普通精装",
    "锁线精装",
    "PUR精装",
    "豪华装",
    "对裱精装",
    "对裱平装",
    "铁圈装",
];
/// The inner papers of the specification, section 9.
pub const PAPERS: [&str; 4] = ["艺术纸", "铜版纸", "哑粉纸", "胶版纸"];
/// The print colours of the specification, section 9.
pub const COLOURS: [&str; 2] = ["高清印刷(四色)", "超清印刷(六色)"];

/// Bindings whose book has no back to print on.
const WITHOUT_SPINE: [&str; 2] = ["骑马钉", "铁圈装"];

/// Bindings that open flat, or whose pages are not glued at the back: nothing disappears in the fold.
const OPENS_FLAT: [&str; 5] = ["骑马钉", "全景平装", "豪华装", "对裱精装", "对裱平装"];
/// What the fold of glued books and the holes of 铁圈装 take of each page, in mm.
const FOLD_MM: f64 = 10.0;

/// A printable product.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goods {
    /// `goods.ID` of the cart info.
    pub id: GoodsId,
    /// `goodsName` of the cart info.
    pub name: String,
    /// One or two sentences for the catalogue; may be empty.
    #[serde(default)]
    pub description: String,
    /// `goods.EditorType`: 11 document, 12 album, 13 calendar (specification section 2); 3 has its own rule
    /// for 骑马钉 (section 4).
    pub editor_type: u8,
    /// `goods.isHasPastedown`, `y` or `n` on the wire: the first and the last page are glued to the cover.
    pub is_has_pastedown: bool,
    /// The page after cutting, in mm.
    pub trim: Trim,
    /// The page counts that automatic layout aims at.
    pub pages: PageAim,
    /// The page range of each offered binding by its name, `[min, max]`, both included.
    #[serde(rename = "zhuangDingPageCfg")]
    pub binding_pages: BTreeMap<String, PageRange>,
    /// What each offered weight of inner paper measures, by the item's name, such as `157克`.
    pub papers: BTreeMap<String, Paper>,
    /// The thickness of one leaf in mm, by kind of paper and weight, where a kind is thicker or thinner than `papers` says.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub calipers: BTreeMap<String, BTreeMap<String, f64>>,
    /// What each offered binding adds around and between the leaves, by the binding's name.
    pub bodies: BTreeMap<String, Body>,
    /// What a bindery is told of the endpapers of a case; what is usual where it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub endpapers: String,
    /// The working days in which it is made.
    #[serde(default)]
    pub making_days: Days,
    /// The stages of its production, where they are others than its choices ask for. Sending is always the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stages: Option<Vec<Stage>>,
    /// Who prints it, by the name in the house's file of suppliers; the house where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supplier: Option<String>,
    /// What its print files follow, where that is not what its supplier's or the house's do.
    #[serde(default, skip_serializing_if = "PrintSettings::is_empty")]
    pub print: PrintSettings,
    /// The production steps in the order of the dialog.
    pub steps: Vec<Step>,
    /// Choices that go well together, offered before the single steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bundles: Vec<Bundle>,
    /// What all of this costs.
    pub price_book: PriceBook,
}

/// From so many days to so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Days {
    pub from: u8,
    pub to: u8,
}

impl Days {
    /// How long several take that leave together.
    pub fn together(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        all.into_iter().reduce(|a, b| Self { from: a.from.max(b.from), to: a.to.max(b.to) })
    }

    /// The first and the last day on which it is made, where it was paid on a day: weekends and published holidays do not
    /// count ([`is_worked`]).
    pub fn after(self, day: Date) -> (Date, Date) {
        self.after_on(day, is_worked)
    }

    /// The same where other days are worked.
    pub fn after_on(self, day: Date, is_worked: impl Fn(Date) -> bool) -> (Date, Date) {
        let add = |days: u8| {
            let later = std::iter::successors(day.next_day(), |day| day.next_day());
            later.filter(|day| is_worked(*day)).take(days.into()).last().unwrap_or(day)
        };
        (add(self.from), add(self.to))
    }
}

impl Default for Days {
    /// What is usual where a goods' file says nothing.
    fn default() -> Self {
        Self { from: 5, to: 7 }
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to {
            write!(f, "{}", self.from)
        } else {
            write!(f, "{}–{}", self.from, self.to)
        }
    }
}

/// A set of choices under one name, such as 收藏. What a page count does not allow, the rules replace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    pub name: String,
    /// A sentence for the member.
    #[serde(default)]
    pub about: String,
    pub items: Vec<Cnum>,
}

/// Page counts from `min` to `max`, `step` apart. Pages are sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageAim {
    pub min: u32,
    pub max: u32,
    pub step: u32,
}

/// A range of page counts, both ends included; `[min, max]` as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u32; 2]", into = "[u32; 2]")]
pub struct PageRange {
    pub min: u32,
    pub max: u32,
}

/// A weight of inner paper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Grammage, g/m².
    pub grams_per_square_metre: u32,
    /// Thickness of one leaf, mm.
    pub caliper_mm: f64,
}

/// What a binding adds to the leaves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Thickness of front and back cover together, mm.
    pub cover_mm: f64,
    /// Weight of the cover of one copy, g.
    pub cover_grams: u32,
    /// How many sheets of the chosen paper a leaf is: in 对裱 two, back to back. What was ordered before this was said has one,
    /// and the other in `leaf_mm`.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub sheets_per_leaf: u32,
    /// Thickness added to every leaf, mm: board and glue between the sheets of a 对裱 book.
    #[serde(default)]
    pub leaf_mm: f64,
    /// Grammage added to every leaf, g/m².
    #[serde(default)]
    pub leaf_grams_per_square_metre: u32,
    /// How the cover is made. Absent in what was ordered before covers were told apart: front, spine and back, as large as
    /// the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<CoverMake>,
    /// 对裱: two facing pages are one sheet, printed on one side, folded and mounted back to back.
    #[serde(default, skip_serializing_if = "is_false")]
    pub mounted: bool,
    /// 锁线: how many pages a section has at most, a multiple of 4; 0 where nothing is sewn, or it was ordered before this was
    /// said.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub section_pages: u32,
}

/// A production step 工序.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// `ID` of the cart info; unique within the goods.
    pub id: String,
    /// One of [`step_name::ALL`]; unique within the goods.
    pub name: String,
    /// `IsShow`, `Y` or `N` on the wire. A hidden step takes part in no rule.
    pub is_show: bool,
    /// A tip that holds for every item of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tips: Option<String>,
    /// The choices; empty only in 备注.
    #[serde(default)]
    pub items: Vec<Item>,
}

/// One choice in a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    pub cnum: Cnum,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The key of a picture, such as `binding-saddle`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tips: Option<String>,
    /// Weight added to one copy, g: a gift box.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub grams: u32,
    /// The thickness of a film, mm: of one on each cover in 覆膜, of one on each side of every leaf in 内页覆膜.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub film_mm: f64,
    /// The colour of a cover's material that takes no print, such as cloth, as the screen shows it. One without it is
    /// printed, as all were before this was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swatch: Option<Colour>,
}

/// An item's code. [`Goods::validate`] checks its shape: a code from outside is only compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cnum(pub String);

fn one() -> u32 {
    1
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_nothing(number: &f64) -> bool {
    *number == 0.0
}

fn is_false(value: &bool) -> bool {
    !*value
}

impl fmt::Display for Cnum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Cnum {
    fn from(code: &str) -> Self {
        Self(code.to_owned())
    }
}

impl From<[u32; 2]> for PageRange {
    fn from([min, max]: [u32; 2]) -> Self {
        Self { min, max }
    }
}

impl From<PageRange> for [u32; 2] {
    fn from(range: PageRange) -> Self {
        [range.min, range.max]
    }
}

impl PageRange {
    /// Whether a page count lies within the range.
    pub fn contains(self, pages: u32) -> bool {
        (self.min..=self.max).contains(&pages)
    }
}

impl PageAim {
    /// The page counts aimed at, the smallest first.
    pub fn counts(self) -> impl Iterator<Item = u32> {
        (self.min..=self.max).step_by(self.step.max(1) as usize)
    }

    /// The smallest count aimed at that holds so many pages; the largest when none does.
    pub fn at_least(self, pages: u32) -> u32 {
        let step = self.step.max(1);
        let largest = self.min + self.max.saturating_sub(self.min) / step * step;
        if pages >= largest {
            return largest;
        }
        self.min + pages.saturating_sub(self.min).div_ceil(step) * step
    }
}

impl Goods {
    /// Refuses goods that contradict themselves or the specification, with every reason.
    pub fn validate(&self) -> Result<(), Vec<Problem>> {
        let problems = problems::of(self);
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// The steps of the dialog in order: hidden ones are dropped (specification section 4).
    pub fn shown_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.is_show)
    }

    /// The item of a shown step with this code, and its step.
    pub fn item(&self, cnum: &Cnum) -> Option<(&Step, &Item)> {
        self.shown_steps().find_map(|step| Some((step, step.item(cnum)?)))
    }

    /// The chosen item of the shown step with this name.
    pub fn chosen(&self, step_name: &str, choice: &Choice) -> Option<&Item> {
        let step = self.shown_steps().find(|step| step.name == step_name)?;
        choice.cnums().iter().find_map(|cnum| step.item(cnum))
    }

    /// The width of the book's back in mm, 0 for 骑马钉 and 铁圈装, which have none: leaves × caliper, films and the
    /// cover. `None` when the choice names no paper weight or no binding.
    pub fn spine_mm(&self, pages: u32, choice: &Choice) -> Option<f64> {
        let (_, binding, body) = self.materials(choice)?;
        Some(spine_of(
            binding,
            body,
            pages,
            self.leaf_mm(choice)?,
            self.film_mm(step_name::LAMINATION, choice),
        ))
    }

    /// How thick the chosen film of a step is, in mm.
    fn film_mm(&self, step: &str, choice: &Choice) -> f64 {
        self.chosen(step, choice).map_or(0.0, |item| item.film_mm)
    }

    /// The thickness of one sheet in mm.
    fn caliper_mm(&self, kind: Option<&str>, weight: &str) -> Option<f64> {
        let of_kind = kind.and_then(|kind| self.calipers.get(kind)).and_then(|kind| kind.get(weight));
        of_kind.copied().or_else(|| Some(self.papers.get(weight)?.caliper_mm))
    }

    /// The thickness of one leaf of the book in mm: its paper with a film on each side, and what is between its sheets.
    /// `None` when the choice names no paper weight or no binding.
    pub fn leaf_mm(&self, choice: &Choice) -> Option<f64> {
        let (paper, _, body) = self.materials(choice)?;
        let sheet = self.sheet_mm(choice).unwrap_or(paper.caliper_mm);
        Some(body.leaf_of(sheet, self.film_mm(step_name::INNER_LAMINATION, choice)))
    }

    /// The thickness of one sheet of the chosen paper in mm.
    pub fn sheet_mm(&self, choice: &Choice) -> Option<f64> {
        let kind = self.chosen(step_name::PAPER, choice).map(|kind| kind.name.as_str());
        self.caliper_mm(kind, &self.chosen(step_name::WEIGHT, choice)?.name)
    }

    /// Why so many pages on paper of this weight can't be held by a binding: their back is too narrow, even of the thinnest
    /// paper offered. `None` where it is wide enough, or nothing is said of it.
    pub(crate) fn thin_spine(&self, binding: &str, weight: &str, pages: u32) -> Option<(f64, f64)> {
        let body = self.bodies.get(binding)?;
        let Some(CoverMake::Glued(glued)) = body.cover else { return None };
        let kinds = self.shown_steps().filter(|step| step.name == step_name::PAPER);
        let kinds = kinds.flat_map(|step| &step.items).map(|item| Some(item.name.as_str()));
        let calipers = kinds.chain([None]).filter_map(|kind| self.caliper_mm(kind, weight));
        let thinnest = calipers.fold(f64::INFINITY, f64::min);
        let spine = spine_of(binding, body, pages, body.leaf_of(thinnest, 0.0), 0.0);
        (spine < glued.least_spine_mm - 1e-9).then_some((spine, glued.least_spine_mm))
    }

    /// The same of a binding whatever the paper: the widest back that a weight for so many pages gives.
    pub(crate) fn widest_thin_spine(&self, binding: &str, pages: u32) -> Option<(f64, f64)> {
        let weights = self.shown_steps().filter(|step| step.name == step_name::WEIGHT);
        let fitting = weights.flat_map(|step| &step.items).filter(|item| {
            crate::print_options::paper_weight_pages(&item.name).is_none_or(|range| range.contains(pages))
        });
        let mut thin = None;
        for item in fitting {
            let found = self.thin_spine(binding, &item.name, pages)?;
            if thin.is_none_or(|(widest, _)| found.0 > widest) {
                thin = Some(found);
            }
        }
        thin
    }

    /// The sheet of the cover as the choice makes it; front, spine and back of the page's size where the goods say no more.
    pub fn cover_sheet(&self, pages: u32, choice: &Choice) -> CoverSheet {
        let spine = self.spine_mm(pages, choice).unwrap_or(0.0);
        let made = self.materials(choice).and_then(|(_, _, body)| Some((body.cover?, body.cover_mm)));
        let sheet = match made {
            Some((make, cover_mm)) => {
                CoverSheet::of(make, self.trim, spine, cover_mm, counts_two_apart(self))
            }
            None => CoverSheet::plain(self.trim, spine),
        };
        let craft = self.chosen(step_name::CRAFT, choice);
        let material = self.chosen(step_name::COVER, choice);
        CoverSheet {
            embellishment: craft.and_then(|item| Embellishment::of_item(&item.name)),
            artwork: choice.artwork(),
            cloth: material.and_then(|material| material.swatch),
            ..sheet
        }
    }

    /// The word for what the chosen craft is drawn from; nothing where no craft asks for a plate.
    pub fn artwork_name(&self, choice: &Choice) -> Option<String> {
        let craft = self.chosen(step_name::CRAFT, choice)?;
        Embellishment::of_item(&craft.name).map(|_| choice.artwork().name())
    }

    /// The items that make a front look otherwise than it is printed: crafts with a plate, and materials that take no ink.
    pub fn seen_on_front(&self) -> impl Iterator<Item = &Cnum> {
        let items = self.shown_steps().flat_map(|step| step.items.iter().map(move |item| (step, item)));
        let seen = items.filter(|(step, item)| match step.name.as_str() {
            step_name::CRAFT => Embellishment::of_item(&item.name).is_some(),
            step_name::COVER => item.swatch.is_some(),
            _ => false,
        });
        seen.map(|(_, item)| &item.cnum)
    }

    /// How the cover of the chosen binding is made, where the goods say so.
    pub fn cover_make(&self, choice: &Choice) -> Option<CoverMake> {
        self.materials(choice)?.2.cover
    }

    /// Whether facing pages of the chosen binding are printed as one sheet and mounted.
    pub fn is_mounted(&self, choice: &Choice) -> bool {
        self.materials(choice).is_some_and(|(_, _, body)| body.mounted)
    }

    /// How the sheets of a book in 骑马钉 lie; `None` for every other binding.
    pub fn booklet(&self, choice: &Choice) -> Option<Booklet> {
        let (paper, binding, _) = self.materials(choice)?;
        let sheet_mm = self.sheet_mm(choice).unwrap_or(paper.caliper_mm);
        (binding == SADDLE_STITCH).then_some(Booklet { starts_on_cover: counts_two_apart(self), sheet_mm })
    }

    /// The sections of a sewn book, by their pages ([`sections`]); `None` of other bindings.
    pub fn sections(&self, pages: u32, choice: &Choice) -> Option<Vec<u32>> {
        let (_, _, body) = self.materials(choice)?;
        (body.section_pages > 0).then(|| sections(pages, body.section_pages))
    }

    /// How much of each page the fold takes, in mm; 0 where the book opens flat, or no binding is chosen.
    pub fn fold_mm(&self, choice: &Choice) -> f64 {
        let binding = self.chosen(step_name::BINDING, choice);
        binding.map_or(0.0, |binding| if OPENS_FLAT.contains(&&*binding.name) { 0.0 } else { FOLD_MM })
    }

    /// The weight of all copies in grams, rounded up: leaves × area × grammage, the cover, and what the
    /// chosen items add. `None` when the choice names no paper weight or no binding, or past 2⁶⁴ g.
    pub fn weight_grams(&self, pages: u32, choice: &Choice, count: u32) -> Option<u64> {
        let (paper, _, body) = self.materials(choice)?;
        let leaves = u64::from(body.leaves(pages));
        let sheets = u64::from(paper.grams_per_square_metre) * u64::from(body.sheets_per_leaf);
        let grammage = sheets + u64::from(body.leaf_grams_per_square_metre);
        let square_mm = (self.trim.width * self.trim.height).ceil() as u64;
        // g/m² × mm² are millionths of a gram.
        let inner = leaves.checked_mul(grammage)?.checked_mul(square_mm)?.div_ceil(1_000_000);
        let items = choice.cnums().iter().filter_map(|cnum| self.item(cnum));
        let added: u64 = items.map(|(_, item)| u64::from(item.grams)).sum();
        inner.checked_add(u64::from(body.cover_grams))?.checked_add(added)?.checked_mul(u64::from(count))
    }

    fn materials(&self, choice: &Choice) -> Option<(&Paper, &str, &Body)> {
        let paper = self.papers.get(&self.chosen(step_name::WEIGHT, choice)?.name)?;
        let binding = self.chosen(step_name::BINDING, choice)?.name.as_str();
        Some((paper, binding, self.bodies.get(binding)?))
    }
}

impl Body {
    /// How many leaves are bound, with blank ones where sections are made of whole sheets.
    fn leaves(&self, pages: u32) -> u32 {
        if self.section_pages > 0 { whole_sheets(pages) / 2 } else { pages.div_ceil(2) }
    }

    /// The thickness of a leaf of such sheets, with a film on each of its sides.
    fn leaf_of(&self, sheet_mm: f64, film_mm: f64) -> f64 {
        f64::from(self.sheets_per_leaf) * sheet_mm + 2.0 * film_mm + self.leaf_mm
    }
}

/// The width of a back: the leaves and the cover with its films.
fn spine_of(binding: &str, body: &Body, pages: u32, leaf_mm: f64, film_mm: f64) -> f64 {
    if WITHOUT_SPINE.contains(&binding) {
        return 0.0;
    }
    f64::from(body.leaves(pages)) * leaf_mm + body.cover_mm + 2.0 * film_mm
}

impl Step {
    /// The item with this code.
    pub fn item(&self, cnum: &Cnum) -> Option<&Item> {
        self.items.iter().find(|item| item.cnum == *cnum)
    }
}
