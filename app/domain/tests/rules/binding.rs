//! The sheets of covers: how large each binding makes them, and where they fold.

use crate::common::{cnum, goods};
use domain::binding::{BoundEdge, CoverSheet, CoverSides, Embellishment};
use domain::document::{Element, Page, Rect, TextBlock, TextRole};
use domain::goods::{Goods, Problem, step_name};
use domain::print_options::{Choice, Fit, check, evaluate, exclusions, fits};

/// The goods' choice nearest to these items.
fn chosen(goods: &Goods, pages: u32, items: &[(&str, &str)]) -> Choice {
    let cnums = items.iter().map(|(step, item)| cnum(goods, step, item)).collect();
    evaluate(goods, pages, &Choice::new(cnums)).choice()
}

fn cover(id: &str, pages: u32, binding: &str) -> CoverSheet {
    let goods = goods(id);
    let items = [(step_name::BINDING, binding), (step_name::PAPER, "铜版纸"), (step_name::WEIGHT, "157克")];
    let choice = chosen(&goods, pages, &items);
    assert_eq!(goods.chosen(step_name::BINDING, &choice).map(|item| &*item.name), Some(binding));
    goods.cover_sheet(pages, &choice)
}

fn tenths(sides: impl IntoIterator<Item = f64>) -> Vec<f64> {
    sides.into_iter().map(|mm| (mm * 10.0).round() / 10.0).collect()
}

#[test]
fn every_binding_has_a_sheet_of_its_own() {
    // 100 pages of 157克: 50 × 0.13, two boards of 2.5 and two films of 0.02
    let hard = cover("album-a4", 100, "普通精装");
    assert_eq!(tenths([hard.spine_mm, hard.board_mm, hard.around_mm]), [11.5, 2.5, 17.5]);
    assert_eq!(tenths([hard.face.width, hard.face.height]), [213.0, 303.0]);
    // 2 × (17.5 + 213 + 10) + 11.54, and 303 + 2 × 17.5
    assert_eq!(tenths([hard.sheet().width, hard.sheet().height]), [492.5, 338.0]);
    assert_eq!(tenths(hard.folds()), [213.0, 223.0, 234.5, 244.5]);

    let soft = cover("album-a4", 100, "普通平装");
    assert_eq!(tenths([soft.spine_mm, soft.sheet().width, soft.sheet().height]), [7.1, 433.1, 303.0]);
    assert_eq!(tenths(soft.folds()), [202.0, 210.0, 217.1, 225.1]);

    let stitched = cover("album-a4", 32, "骑马钉");
    assert_eq!((stitched.spine_mm, stitched.sides), (0.0, CoverSides::OutsideAndBlank));
    assert_eq!((tenths([stitched.sheet().width]), stitched.folds()), (vec![426.0], vec![210.0]));
    assert_eq!(cover("booklet-a5", 30, "骑马钉").sides, CoverSides::OutsideAndPages);

    let ring = cover("album-a5", 40, "铁圈装");
    assert_eq!(ring.sides, CoverSides::Leaves(BoundEdge::Left));
    assert_eq!(tenths([ring.sheet().width, ring.sheet().height]), [154.0, 216.0]);
    assert_eq!(cover("calendar-wall-a3", 14, "铁圈装").sides, CoverSides::Leaves(BoundEdge::Top));

    let deluxe = cover("album-210", 30, "豪华装");
    assert_eq!(tenths([deluxe.board_mm, deluxe.around_mm, deluxe.face.height]), [3.5, 18.5, 216.0]);
    for (id, binding) in [
        ("layflat-280", "对裱精装"),
        ("layflat-280", "对裱平装"),
        ("album-210", "豪华装"),
        ("album-a4", "全景平装"),
    ] {
        let goods = goods(id);
        assert!(goods.is_mounted(&chosen(&goods, 30, &[(step_name::BINDING, binding)])), "{binding}");
    }
}

/// Back to back: both sheets count, whatever paper was chosen.
#[test]
fn a_mounted_leaf_is_two_sheets() {
    let goods = goods("layflat-280");
    let book = |pages, kind, weight| {
        let items = [
            (step_name::BINDING, "对裱精装"),
            (step_name::PAPER, kind),
            (step_name::WEIGHT, weight),
            (step_name::INNER_LAMINATION, "光膜"),
            (step_name::LAMINATION, "光膜"),
        ];
        let choice = chosen(&goods, pages, &items);
        assert_eq!(goods.chosen(step_name::WEIGHT, &choice).map(|item| &*item.name), Some(weight));
        (goods.spine_mm(pages, &choice).unwrap(), goods.weight_grams(pages, &choice, 1).unwrap())
    };
    // 30 leaves of two sheets of 0.17, two films of 0.02 and 0.1 of board and glue; two boards of 2.5 and two films of 0.02.
    // 30 × 0.0588 m² × (2 × 200 + 50) g/m² and a cover of 195 g
    let (spine, grams) = book(60, "铜版纸", "200克");
    assert_eq!((tenths([spine]), grams), (vec![19.4], 989));
    // the thinnest and the thickest paper of 30 pages: 15 × 2 × (0.335 − 0.22)
    let [thin, thick] = ["铜版纸", "艺术纸"].map(|kind| book(30, kind, "250克").0);
    assert!((thick - thin - 3.45).abs() < 0.001, "{thin} {thick}");
}

#[test]
fn a_cover_says_what_is_put_on_it_besides_ink() {
    let goods = goods("album-210");
    let made = |material, craft| {
        let items = [
            (step_name::BINDING, "普通精装"),
            (step_name::COVER, material),
            (step_name::WEIGHT, "157克"),
            (step_name::CRAFT, craft),
        ];
        goods.cover_sheet(60, &chosen(&goods, 60, &items))
    };
    for (craft, embellishment) in [
        ("无", None),
        ("烫金", Some(Embellishment::Foil)),
        ("局部UV", Some(Embellishment::SpotVarnish)),
        ("起鼓", Some(Embellishment::Emboss)),
    ] {
        let cover = made("铜版纸", craft);
        assert_eq!((cover.embellishment, cover.cloth), (embellishment, None), "{craft}");
    }
    let cloth = made("布艺", "烫金");
    assert!(cloth.cloth.is_some() && cloth.embellishment == Some(Embellishment::Foil));
    // varnish on cloth is no choice
    assert_eq!(made("布艺", "局部UV").embellishment, None);

    let words = |role, text: &str| {
        let frame = Rect { x: 20.0, y: 20.0, width: 100.0, height: 20.0 };
        Element::Text(TextBlock::new(frame, role, text))
    };
    let front = |elements| Page { elements, ..Page::default() };
    let both = front(vec![words(TextRole::Caption, "写给外婆"), words(TextRole::Title, "山水之间")]);
    let untitled = front(vec![words(TextRole::Caption, "写给外婆"), words(TextRole::Title, " ")]);
    let foil = made("铜版纸", "烫金");
    assert_eq!(foil.plated(&both), [1], "the title");
    assert_eq!(foil.plated(&untitled), [0], "what words there are");
    assert_eq!(cloth.plated(&both), [0, 1], "nothing else is seen on cloth");
    assert_eq!(foil.plate_refusal(&both), None);
    assert!(foil.plate_refusal(&front(Vec::new())).is_some_and(|reason| reason.contains("烫金没有图样")));
    let plain = made("铜版纸", "无");
    assert_eq!((plain.plated(&both), plain.plate_refusal(&front(Vec::new()))), (vec![], None));
}

#[test]
fn what_lies_in_a_safe_area_lies_on_no_fold() {
    for binding in ["普通精装", "普通平装", "骑马钉", "铁圈装"] {
        let cover = cover("album-a5", 40, binding);
        let seen = cover.seen();
        for area in cover.safe_areas() {
            assert!(area.x >= 5.0 && area.x + area.width <= seen.width - 5.0 && area.y >= 5.0, "{binding}");
            for fold in cover.folds() {
                assert!(fold <= area.x || fold >= area.x + area.width, "{binding}: {fold} in {area:?}");
            }
        }
    }
}

#[test]
fn a_spine_grows_with_the_kind_of_paper_and_its_films() {
    let goods = goods("album-a4");
    let spine = |paper, film| {
        let items = [
            (step_name::BINDING, "普通平装"),
            (step_name::PAPER, paper),
            (step_name::WEIGHT, "157克"),
            (step_name::LAMINATION, film),
            (step_name::INNER_LAMINATION, "不覆膜"),
        ];
        goods.spine_mm(100, &chosen(&goods, 100, &items)).expect("a spine")
    };
    let thousandths = |mm: f64| (mm * 1000.0).round() / 1000.0;
    // 50 leaves, 0.6 of cover, two films
    assert_eq!(thousandths(spine("铜版纸", "光膜")), 7.14);
    assert_eq!(thousandths(spine("哑粉纸", "光膜")), 7.99);
    assert_eq!(thousandths(spine("艺术纸", "光膜")), 11.39);
    assert_eq!(thousandths(spine("胶版纸", "光膜")), 10.44);
    assert_eq!(thousandths(spine("铜版纸", "触感膜")), 7.16);
}

#[test]
fn a_back_too_narrow_to_be_glued_is_refused_with_its_width() {
    let goods = goods("album-a4");
    let (step, soft) = goods.item(&cnum(&goods, step_name::BINDING, "普通平装")).expect("the binding");
    let Fit::Not(reason) = fits(&goods, 16, step, soft) else { panic!("16 pages are too few") };
    // 8 leaves of 250克 and the cover; with 157克 it would be 1.6
    assert_eq!(reason, "16 页超出 22–300：书脊只有 2.4 毫米，至少要 3 毫米才粘得牢");
    assert_eq!(fits(&goods, 22, step, soft), Fit::Fits);

    // 24 pages hold with 250克 alone, and the pairs say so
    let weight = |name| cnum(&goods, step_name::WEIGHT, name);
    let refused: Vec<_> = exclusions(&goods, 24)
        .into_iter()
        .filter(|pair| pair.chosen == soft.cnum && pair.reason.contains("书脊"))
        .map(|pair| (pair.disabled, pair.reason))
        .collect();
    let reason = "24 页157克的书脊只有 2.2 毫米，普通平装至少要 3 毫米".to_owned();
    assert!(refused.contains(&(weight("157克"), reason)), "{refused:?}");
    assert!(refused.iter().all(|(cnum, _)| *cnum != weight("250克")));
    let thin = [(step_name::BINDING, "普通平装"), (step_name::WEIGHT, "157克")];
    let settled = chosen(&goods, 24, &thin);
    assert_eq!(goods.chosen(step_name::WEIGHT, &settled).map(|item| &*item.name), Some("250克"));
    assert_eq!(check(&goods, 24, &settled), Ok(()));
}

#[test]
fn goods_whose_covers_cannot_be_made_are_refused() {
    let change = |change: &dyn Fn(&mut Goods)| {
        let mut goods = goods("album-a4");
        change(&mut goods);
        goods.validate().expect_err("a problem")
    };
    let few = change(&|goods| {
        goods.binding_pages.insert("普通平装".to_owned(), [16, 300].into());
    });
    assert!(
        matches!(&few[..], [Problem::ThinSpine { binding, pages: 16, .. }] if binding == "普通平装"),
        "{few:?}"
    );
    let narrow = change(&|goods| {
        let case = r#"{"kind":"case","turn_in_mm":12.0}"#;
        goods.bodies.get_mut("普通精装").expect("a body").cover = serde_json::from_str(case).ok();
    });
    assert_eq!(narrow, [Problem::Cover("普通精装".to_owned())]);
    let thick = change(&|goods| {
        goods.calipers.entry("胶版纸".to_owned()).or_default().insert("157克".to_owned(), -1.0);
    });
    assert_eq!(thick, [Problem::Measure("胶版纸157克".to_owned())]);
}

#[test]
fn goods_that_were_ordered_before_are_what_they_were() {
    let mut goods = goods("album-a4");
    goods.calipers.clear();
    for body in goods.bodies.values_mut() {
        body.cover = None;
    }
    let stored = serde_json::to_string(&goods).expect("JSON");
    let body =
        stored.split("\"bodies\":").nth(1).and_then(|rest| rest.split("\"steps\"").next()).expect("bodies");
    assert!(!stored.contains("calipers") && !body.contains("\"cover\":"), "{body}");
    let goods: Goods = serde_json::from_str(&stored).expect("goods");
    let choice = chosen(&goods, 100, &[(step_name::BINDING, "普通精装")]);
    let cover = goods.cover_sheet(100, &choice);
    assert!(!cover.die_line && cover.around_mm == 3.0 && cover.face == goods.trim);
}
