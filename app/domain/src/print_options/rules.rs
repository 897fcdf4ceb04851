//! The rules themselves, one function each, as the specification words them.

use crate::binding::Embellishment;
use crate::goods::{Cnum, Goods, Item, PageRange, Step, step_name};

/// Whether the page count alone allows an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    Fits,
    /// It doesn't, and why, for the member.
    Not(String),
}

/// Choosing one item disables another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    pub chosen: Cnum,
    pub disabled: Cnum,
    /// Why, for the member.
    pub reason: String,
}

/// The page counts of each weight of inner paper (specification section 5).
pub const PAPER_WEIGHT_PAGES: [(&str, PageRange); 4] = [
    ("200克", PageRange { min: 1, max: 66 }),
    ("157克", PageRange { min: 7, max: 398 }),
    ("128克", PageRange { min: 67, max: 9999 }),
    ("250克", PageRange { min: 1, max: 31 }),
];

/// Folded sheets that are held by wire in the fold.
pub(crate) const SADDLE_STITCH: &str = "骑马钉";
const DELUXE: &str = "豪华装";
/// Bindings whose leaves are mounted back to back: the inner pages need a film.
const MOUNTED: [&str; 3] = ["对裱精装", "对裱平装", DELUXE];
pub(crate) const NO_LAMINATION: &str = "不覆膜";
const CLOTH: &str = "布艺";
const HARDCOVER: &str = "精装";
/// Goods of this editor type without pastedown count two pages apart from the stitched sheets.
const COUNTS_PASTEDOWN: u8 = 3;

/// Whether the page count allows an item of a step: the range of a binding (`zhuangDingPageCfg`) or of a
/// paper weight (specification section 5), and the multiple of 4 of 骑马钉 (section 4). Everything else
/// fits. A binding without a range in the goods fits every count.
pub fn fits(goods: &Goods, page_count: u32, step: &Step, item: &Item) -> Fit {
    let range = match step.name.as_str() {
        step_name::BINDING => goods.binding_pages.get(&item.name).copied(),
        step_name::WEIGHT => paper_weight_pages(&item.name),
        _ => None,
    };
    if let Some(range) = range.filter(|range| !range.contains(page_count)) {
        let outside = format!("{page_count} 页超出 {}–{}", range.min, range.max);
        let thin = goods.widest_thin_spine(&item.name, page_count).filter(|_| page_count < range.min);
        return Fit::Not(match thin {
            Some((spine, least)) => {
                format!("{outside}：书脊只有 {spine:.1} 毫米，至少要 {least:.0} 毫米才粘得牢")
            }
            None => outside,
        });
    }
    if step.name == step_name::BINDING && item.name == SADDLE_STITCH {
        return saddle_stitch(goods, page_count);
    }
    Fit::Fits
}

/// Every pair in which choosing the first item disables the second in a book of so many pages, in step order. Only shown
/// steps.
pub fn exclusions(goods: &Goods, page_count: u32) -> Vec<Exclusion> {
    let items = || goods.shown_steps().flat_map(|step| step.items.iter().map(move |item| (step, item)));
    let mut pairs = Vec::new();
    for (chosen_step, chosen) in items() {
        for (step, item) in items() {
            if let Some(reason) = excludes(goods, page_count, (chosen_step, chosen), (step, item)) {
                pairs.push(Exclusion { chosen: chosen.cnum.clone(), disabled: item.cnum.clone(), reason });
            }
        }
    }
    pairs
}

/// Why choosing the first item disables the second (specification section 4; backs too narrow to hold; varnish on what takes
/// no print); `None` when it doesn't.
pub(super) fn excludes(
    goods: &Goods,
    page_count: u32,
    (chosen_step, chosen): (&Step, &Item),
    (step, item): (&Step, &Item),
) -> Option<String> {
    match (chosen_step.name.as_str(), step.name.as_str()) {
        (step_name::COVER, step_name::BINDING) => {
            let allowed = item.name.contains(HARDCOVER) || item.name == DELUXE;
            (is_cloth(chosen) && !allowed).then(|| format!("{}封面只能选精装或豪华装", chosen.name))
        }
        (step_name::COVER, step_name::CRAFT) => {
            let is_varnish = Embellishment::of_item(&item.name) == Some(Embellishment::SpotVarnish);
            (is_cloth(chosen) && is_varnish).then(|| format!("{}上做不了{}", chosen.name, item.name))
        }
        (step_name::BINDING, step_name::INNER_LAMINATION) => {
            let film_needed = MOUNTED.contains(&chosen.name.as_str());
            (film_needed && item.name == NO_LAMINATION).then(|| format!("{}的内页必须覆膜", chosen.name))
        }
        (step_name::BINDING, step_name::WEIGHT) => {
            let (spine, least) = goods.thin_spine(&chosen.name, &item.name, page_count)?;
            let name = &chosen.name;
            Some(format!(
                "{page_count} 页{}的书脊只有 {spine:.1} 毫米，{name}至少要 {least:.0} 毫米",
                item.name
            ))
        }
        _ => None,
    }
}

/// Whether a cover's material is drawn over boards, and takes no varnish.
fn is_cloth(material: &Item) -> bool {
    material.name.contains(CLOTH)
}

/// When a step is settled: after every step whose items can exclude its own.
pub(super) fn settling_rank(step: &Step) -> u8 {
    match step.name.as_str() {
        step_name::COVER => 0,
        step_name::BINDING => 1,
        _ => 2,
    }
}

/// The page range of a weight of inner paper by the item's name.
pub(crate) fn paper_weight_pages(name: &str) -> Option<PageRange> {
    PAPER_WEIGHT_PAGES.iter().find(|(weight, _)| *weight == name).map(|(_, range)| *range)
}

/// Whether two pages stand inside the cover and not on the folded sheets. (specification section 4)
pub(crate) fn counts_two_apart(goods: &Goods) -> bool {
    goods.editor_type == COUNTS_PASTEDOWN && !goods.is_has_pastedown
}

/// Folded sheets have four pages each.
fn saddle_stitch(goods: &Goods, page_count: u32) -> Fit {
    let apart = counts_two_apart(goods);
    if apart && page_count % 4 != 2 {
        return Fit::Not("页数减 2 须为 4 的倍数".to_owned());
    }
    if !apart && !page_count.is_multiple_of(4) {
        return Fit::Not("页数须为 4 的倍数".to_owned());
    }
    Fit::Fits
}
