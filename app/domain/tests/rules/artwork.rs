//! What a craft is drawn from: which is possible beside which, and where it stands.

use crate::common::{all_goods, cnum, goods, quantity};
use domain::artwork::Artwork;
use domain::binding::CoverSheet;
use domain::document::{Element, Page, Rect, SAFE_MM, TextBlock, TextRole, Trim};
use domain::goods::{Goods, step_name};
use domain::ornament::Ornament;
use domain::price::quote;
use domain::print_options::{
    Choice, Evaluation, Fit, Refusal, artwork_exclusions, artwork_fits, check, evaluate, spec,
};
use domain::tier::Tier;

const FRAME: Artwork = Artwork::Ornament(Ornament::Frame);
const SPRIG: Artwork = Artwork::TitleAnd(Ornament::Sprig);

fn made(goods: &Goods, pages: u32, binding: &str, craft: &str, artwork: Artwork) -> Evaluation {
    let items = [(step_name::BINDING, binding), (step_name::CRAFT, craft)];
    let cnums = items.iter().map(|(step, item)| cnum(goods, step, item)).collect();
    evaluate(goods, pages, &Choice::new(cnums).with_artwork(artwork))
}

#[test]
fn codes_are_read_as_they_are_written_and_no_others() {
    let all: Vec<Artwork> = Artwork::all().collect();
    assert_eq!(all.len(), 1 + 2 * Ornament::OF_PLATES.len());
    for artwork in &all {
        assert_eq!(artwork.to_string().parse(), Ok(*artwork));
        assert_eq!(serde_json::to_value(artwork).unwrap(), artwork.to_string());
    }
    for code in ["", "Title", "title ", "title-", "title-title", "frame-title", "star"] {
        assert!(code.parse::<Artwork>().is_err(), "{code}");
    }
    // what was chosen before there was a choice
    assert_eq!(Choice::parse("a|b").artwork(), Artwork::Title);
    assert_eq!(Choice::kept("a|b", "title"), Ok(Choice::parse("a|b")));
    assert_eq!(Choice::kept("a", "title-sprig").map(|choice| choice.artwork()), Ok(SPRIG));
}

/// Craft, binding and page size, each with what they leave.
#[test]
fn what_a_craft_is_drawn_from_depends_on_craft_binding_and_size() {
    let album = goods("album-210");
    for (craft, binding, artwork, is_possible) in [
        ("烫金", "普通精装", FRAME, true),
        ("局部UV", "普通平装", SPRIG, true),
        ("起鼓", "骑马钉", FRAME, true),
        ("无", "普通精装", FRAME, false),
        ("无", "普通精装", Artwork::Title, true),
        ("烫金", "铁圈装", FRAME, false),
        ("烫金", "铁圈装", Artwork::TitleAnd(Ornament::Corners), false),
        ("烫金", "铁圈装", SPRIG, true),
        ("烫金", "铁圈装", Artwork::Title, true),
    ] {
        let evaluation = made(&album, 40, binding, craft, artwork);
        let kept = evaluation.choice();
        let expected = if is_possible { artwork } else { Artwork::Title };
        assert_eq!(kept.artwork(), expected, "{craft} {binding} {artwork}");
        let asked = Choice::new(kept.cnums().to_vec()).with_artwork(artwork);
        match check(&album, 40, &asked) {
            Ok(()) => assert!(is_possible, "{craft} {binding} {artwork}"),
            Err(Refusal::Disabled { step, item, reason }) => {
                assert!(!is_possible, "{reason}");
                assert_eq!((step.as_str(), item), (step_name::ARTWORK, artwork.name()));
            }
            Err(other) => panic!("{other}"),
        }
        // the dialog says the same
        let row = evaluation.artwork.expect("a row");
        let shown = row.items.iter().find(|item| item.cnum.0 == artwork.to_string()).expect("an item");
        assert_eq!(shown.enable, is_possible);
        assert_eq!(shown.reason.is_none(), is_possible);
    }
    let mut tiny = album.clone();
    tiny.trim = Trim { width: 90.0, height: 140.0 };
    assert!(matches!(artwork_fits(&tiny, SPRIG), Fit::Not(reason) if reason.contains("100 毫米")));
    assert_eq!(artwork_fits(&tiny, Artwork::Title), Fit::Fits);
    assert_eq!(made(&tiny, 40, "普通精装", "烫金", SPRIG).choice().artwork(), Artwork::Title);
    // no craft with a plate, no choice
    let mut plain = album.clone();
    for step in plain.steps.iter_mut().filter(|step| step.name == step_name::CRAFT) {
        step.items.truncate(1);
    }
    assert_eq!(made(&plain, 40, "普通精装", "无", FRAME).artwork, None);
    let refused = Choice::new(made(&plain, 40, "普通精装", "无", FRAME).choice().cnums().to_vec());
    assert!(check(&plain, 40, &refused.clone()).is_ok());
    assert!(check(&plain, 40, &refused.with_artwork(FRAME)).is_err());
}

/// What the dialog is told as data comes to what the rules say.
#[test]
fn exclusions_say_all_that_disables() {
    for goods in all_goods() {
        let pages = goods.pages.min;
        let pairs = artwork_exclusions(&goods);
        let crafts = goods.shown_steps().filter(|step| step.name == step_name::CRAFT);
        for craft in crafts.flat_map(|step| &step.items) {
            let evaluation = evaluate(&goods, pages, &Choice::new(vec![craft.cnum.clone()]));
            let chosen = evaluation.choice();
            let Some(row) = evaluation.artwork else { continue };
            for item in &row.items {
                let excluded = pairs
                    .iter()
                    .any(|(cnum, artwork, _)| chosen.contains(cnum) && artwork.to_string() == item.cnum.0);
                assert_eq!(item.enable, item.fits && !excluded, "{} {}", goods.id, item.name);
            }
        }
    }
}

#[test]
fn it_costs_nothing_and_is_said_where_it_is_not_usual() {
    let album = goods("album-210");
    let price = |artwork| {
        let choice = made(&album, 60, "普通精装", "烫金", artwork).choice();
        assert_eq!(choice.artwork(), artwork);
        quote(&album, 60, &choice, quantity(3), Tier::Basic).expect("a price").total
    };
    assert!(Artwork::all().all(|artwork| price(artwork) == price(Artwork::Title)));
    let said = |craft, artwork| {
        let choice = made(&album, 60, "普通精装", craft, artwork).choice();
        album.artwork_name(&choice).map(|name| spec(&[(step_name::ARTWORK.to_owned(), name)]))
    };
    assert_eq!(said("烫金", SPRIG), Some(vec!["书名和枝叶".to_owned()]));
    assert_eq!(said("烫金", Artwork::Title), Some(Vec::new()));
    assert_eq!(said("无", SPRIG), None);
}

/// Inside what is safe, on every goods and binding.
#[test]
fn an_ornament_stands_inside_what_is_safe_and_off_the_words() {
    let words = |y: f64, height: f64| {
        let frame = Rect { x: 20.0, y, width: 100.0, height };
        Element::Text(TextBlock::new(frame, TextRole::Title, "山水之间"))
    };
    let front = |elements| Page { elements, ..Page::default() };
    let mut looked_at = 0;
    for goods in all_goods() {
        let bindings = goods.shown_steps().filter(|step| step.name == step_name::BINDING);
        for binding in bindings.flat_map(|step| &step.items) {
            for artwork in Artwork::all() {
                let evaluation = made(&goods, goods.pages.min, &binding.name, "烫金", artwork);
                let choice = evaluation.choice();
                let cover = goods.cover_sheet(goods.pages.min, &choice);
                let low = goods.trim.height * 0.7;
                for front in [front(Vec::new()), front(vec![words(low, 30.0)])] {
                    let Some((_, at)) = cover.ornament(&front) else {
                        assert_eq!(choice.artwork().ornament(), None);
                        continue;
                    };
                    looked_at += 1;
                    let safe = SAFE_MM.max(cover.hinge_mm);
                    assert!(at.x >= safe && at.y >= safe, "{at:?}");
                    assert!(at.x + at.width <= cover.face.width - safe, "{at:?}");
                    assert!(at.y + at.height <= cover.face.height - safe, "{at:?}");
                    let runs_along = choice.artwork().ornament().is_some_and(Ornament::runs_along_edges);
                    let is_below = at.y + at.height > low && at.y < low + 30.0;
                    assert!(front.elements.is_empty() || runs_along || !is_below, "{at:?}");
                }
            }
        }
    }
    assert!(looked_at > 100);
}

#[test]
fn an_ornament_needs_no_words_and_takes_none() {
    let album = goods("album-210");
    let title = Element::Text(TextBlock::new(
        Rect { x: 20.0, y: 20.0, width: 100.0, height: 20.0 },
        TextRole::Title,
        "山水之间",
    ));
    let (titled, bare) = (Page { elements: vec![title], ..Page::default() }, Page::default());
    let cover = |craft, artwork| -> CoverSheet {
        album.cover_sheet(60, &made(&album, 60, "普通精装", craft, artwork).choice())
    };
    let alone = cover("烫金", FRAME);
    assert_eq!((alone.plated(&titled), alone.plate_refusal(&bare)), (Vec::new(), None));
    assert!(alone.has_plate(&bare) && alone.has_plate(&titled));
    let both = cover("烫金", SPRIG);
    assert_eq!(both.plated(&titled), [0]);
    assert!(both.plate_refusal(&bare).is_some_and(|reason| reason.contains("书名")));
    assert!(!cover("无", FRAME).has_plate(&titled));
    assert!(!cover("烫金", Artwork::Title).has_plate(&bare));
}
