//! The project's own goods: every file holds, and together they show every rule.

use std::collections::BTreeSet;

use crate::common::{all_goods, cnum, goods, goods_files};
use domain::goods::{BINDINGS, COLOURS, Cnum, Goods, PAPERS, step_name};
use domain::print_options::{
    Choice, Fit, PAPER_WEIGHT_PAGES, check, default_choice, evaluate, exclusions, fits,
};

fn fit(goods: &Goods, pages: u32, step: &str, item: &str) -> bool {
    let (step, item) = goods.item(&cnum(goods, step, item)).expect("a shown item");
    fits(goods, pages, step, item) == Fit::Fits
}

fn item_names(goods: &[Goods], step_name: &str) -> BTreeSet<String> {
    let steps = goods.iter().flat_map(Goods::shown_steps).filter(|step| step.name == step_name);
    steps.flat_map(|step| step.items.iter().map(|item| item.name.clone())).collect()
}

#[test]
fn every_file_is_valid_and_named_after_its_id() {
    assert!(goods_files().len() >= 5);
    for (name, text) in goods_files() {
        let goods: Goods = toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(goods.id.as_str(), name);
        assert_eq!(goods.validate(), Ok(()), "{name}");
    }
}

#[test]
fn sewn_books_say_their_sections_and_no_others_do() {
    let mut sewn = 0;
    for goods in all_goods() {
        for (binding, body) in &goods.bodies {
            assert_eq!(body.section_pages > 0, binding.starts_with("锁线"), "{}: {binding}", goods.id);
            sewn += usize::from(body.section_pages > 0);
        }
    }
    assert!(sewn > 0);
}

#[test]
fn goods_survive_toml_and_json() {
    for goods in all_goods() {
        let text = toml::to_string(&goods).expect("TOML");
        assert_eq!(toml::from_str::<Goods>(&text).expect("TOML"), goods);
        let text = serde_json::to_string(&goods).expect("JSON");
        assert_eq!(serde_json::from_str::<Goods>(&text).expect("JSON"), goods);
    }
}

#[test]
fn a_price_written_as_a_float_is_refused() {
    let (name, text) = goods_files().swap_remove(0);
    let base = text.lines().find(|line| line.starts_with("base = ")).expect("a base price").to_owned();
    let float = text.replace(&base, &base.replace('"', ""));
    assert!(toml::from_str::<Goods>(&float).is_err(), "{name}");
}

#[test]
fn the_specifications_lists_are_all_offered() {
    let all = all_goods();
    for (step, names) in [
        (step_name::BINDING, BINDINGS.to_vec()),
        (step_name::PAPER, PAPERS.to_vec()),
        (step_name::COLOUR, COLOURS.to_vec()),
        (step_name::WEIGHT, PAPER_WEIGHT_PAGES.map(|(name, _)| name).to_vec()),
    ] {
        let offered = item_names(&all, step);
        assert_eq!(offered, names.into_iter().map(str::to_owned).collect(), "{step}");
    }
    for name in step_name::ALL {
        assert!(all.iter().flat_map(Goods::shown_steps).any(|step| step.name == name), "{name}");
    }
    assert!(item_names(&all, step_name::COVER).contains("布艺"));
    assert!(item_names(&all, step_name::INNER_LAMINATION).contains("不覆膜"));
    assert!(item_names(&all, step_name::CRAFT).contains("无"));
    assert!(item_names(&all, step_name::GIFT_BOX).contains("不需要"));
    assert!(all.iter().any(|goods| goods.steps.iter().any(|step| !step.is_show)), "a hidden step");
    assert!(all.iter().all(|goods| !goods.price_book.yhstr().is_empty()), "a volume discount");
}

fn excludes(goods: &Goods, chosen: &Cnum, disabled: &Cnum) -> bool {
    exclusions(goods, 48).iter().any(|pair| pair.chosen == *chosen && pair.disabled == *disabled)
}

#[test]
fn every_rule_is_seen_in_some_goods() {
    let album = goods("album-210");
    // By pages: a weight and a binding allowed and forbidden.
    assert!(fit(&album, 48, step_name::WEIGHT, "200克") && !fit(&album, 48, step_name::WEIGHT, "128克"));
    assert!(
        fit(&album, 48, step_name::BINDING, "普通精装") && !fit(&album, 48, step_name::BINDING, "豪华装")
    );
    // 骑马钉 by the multiple of 4.
    assert!(fit(&album, 48, step_name::BINDING, "骑马钉"));
    assert!(!fit(&goods("album-a4"), 50, step_name::BINDING, "骑马钉"));
    // EditorType 3 without pastedown, within the range of 骑马钉.
    let booklet = goods("booklet-a5");
    assert!((booklet.editor_type, booklet.is_has_pastedown) == (3, false));
    assert!(booklet.pages.counts().all(|pages| fit(&booklet, pages, step_name::BINDING, "骑马钉")));
    // 布艺 against a softcover, 不覆膜 against 对裱 and 豪华装.
    let cloth = (cnum(&album, step_name::COVER, "布艺"), cnum(&album, step_name::BINDING, "普通平装"));
    assert!(excludes(&album, &cloth.0, &cloth.1));
    let layflat = goods("layflat-280");
    for binding in ["对裱精装", "对裱平装", "豪华装"] {
        let bare = cnum(&layflat, step_name::INNER_LAMINATION, "不覆膜");
        assert!(excludes(&layflat, &cnum(&layflat, step_name::BINDING, binding), &bare));
    }
}

#[test]
fn no_choice_of_one_item_leads_into_a_dead_end() {
    for goods in all_goods() {
        for pages in goods.pages.counts() {
            assert_eq!(check(&goods, pages, &default_choice(&goods, pages)), Ok(()));
            for item in goods.shown_steps().flat_map(|step| &step.items) {
                let evaluation = evaluate(&goods, pages, &Choice::new(vec![item.cnum.clone()]));
                assert!(evaluation.is_complete(), "{} {pages} {}", goods.id, item.cnum);
            }
        }
    }
}

#[test]
fn bindings_carry_a_picture_and_a_description() {
    for goods in all_goods() {
        let binding = goods.steps.iter().find(|step| step.name == step_name::BINDING).expect("bindings");
        for item in &binding.items {
            assert!(item.cover.is_some() && item.description.is_some(), "{} {}", goods.id, item.name);
        }
    }
}

/// A bundle is what it says, for one number of pages at least.
#[test]
fn every_bundle_can_be_made() {
    for goods in all_goods() {
        for bundle in &goods.bundles {
            let is_kept = |pages| {
                let choice = evaluate(&goods, pages, &Choice::new(bundle.items.clone())).choice();
                bundle.items.iter().all(|cnum| choice.contains(cnum))
            };
            assert!(goods.pages.counts().any(is_kept), "{} of {}", bundle.name, goods.id);
        }
    }
}
