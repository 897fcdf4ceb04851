//! Goods, page counts and choices of any kind.

use domain::binding::{CoverMake, Glued};
use domain::goods::{BINDINGS, Cnum, Goods, PageRange, Step, step_name};
use domain::print_options::Choice;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::{goods_of, item};

/// What each step may offer. 备注 stays empty.
fn pool(step: &str) -> Vec<&'static str> {
    match step {
        step_name::BINDING => BINDINGS.to_vec(),
        step_name::COVER => vec!["铜版纸", "布艺", "灰布艺", "仿皮"],
        step_name::WEIGHT => vec!["200克", "157克", "128克", "250克"],
        step_name::INNER_LAMINATION => vec!["不覆膜", "光膜", "哑膜"],
        step_name::REMARKS => vec![],
        // Names that mean something elsewhere must mean nothing here.
        _ => vec!["无", "布艺", "不覆膜", "豪华装", "250克", "骑马钉"],
    }
}

/// A step with some of its pool in any order, shown or hidden.
fn any_step(name: &'static str) -> impl Strategy<Value = Step> {
    let pool = pool(name);
    let least = usize::from(!pool.is_empty());
    let count = least..=pool.len();
    (subsequence(pool, count).prop_shuffle(), prop::bool::weighted(0.8)).prop_map(move |(names, is_show)| {
        let items = names.iter().enumerate().map(|(place, item_name)| {
            item(
                &format!("{}-{place}", step_name::ALL.iter().position(|n| *n == name).unwrap_or(99)),
                item_name,
            )
        });
        Step { id: name.to_owned(), name: name.to_owned(), is_show, tips: None, items: items.collect() }
    })
}

/// Goods with any steps in any order, any ranges and either pastedown.
pub fn any_goods() -> impl Strategy<Value = Goods> {
    let steps = Vec::from(step_name::ALL.map(any_step));
    let ranges = prop::collection::vec((1u32..80, 0u32..120), BINDINGS.len());
    let kinds = (select(vec![3u8, 11, 12, 13]), any::<bool>(), any::<bool>());
    (steps.prop_shuffle(), 0..=10usize, ranges, kinds).prop_map(
        |(mut steps, kept, ranges, (editor_type, is_has_pastedown, is_glued))| {
            steps.truncate(kept);
            let mut goods = goods_of(steps);
            for (binding, (min, more)) in BINDINGS.iter().zip(ranges) {
                let range = PageRange { min, max: min + more };
                goods.binding_pages.entry((*binding).to_owned()).and_modify(|old| *old = range);
            }
            // a glued back has a least width
            if let Some(body) = goods.bodies.get_mut("普通平装").filter(|_| is_glued) {
                body.cover_mm = 0.6;
                body.cover = Some(CoverMake::Glued(Glued::default()));
            }
            goods.editor_type = editor_type;
            goods.is_has_pastedown = is_has_pastedown;
            goods
        },
    )
}

/// Goods, a page count, and codes: some of the goods' own, some of nothing, in any order.
pub fn any_case() -> impl Strategy<Value = (Goods, u32, Choice)> {
    let pages =
        prop_oneof![3 => 1u32..110, 1 => select(vec![0, 6, 7, 31, 32, 66, 67, 398, 399, 9999, 10_000])];
    (any_goods(), pages).prop_flat_map(|(goods, pages)| {
        let mut codes: Vec<Cnum> =
            goods.steps.iter().flat_map(|step| step.items.iter().map(|item| item.cnum.clone())).collect();
        codes.extend(["".into(), "nix".into()]);
        let count = 0..=codes.len();
        let choice = subsequence(codes, count).prop_shuffle().prop_map(Choice::new);
        (Just(goods), Just(pages), choice)
    })
}
