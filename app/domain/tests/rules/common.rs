//! Goods for the tests: the project's own files, and a small one to bend.
#![allow(dead_code, reason = "an example uses its part")]

pub mod arbitrary;
pub mod corpus;
pub mod edits;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use domain::document::Trim;
use domain::goods::{Body, Cnum, Goods, Item, PageAim, PageRange, Paper, Step, step_name};
use domain::layout::{Captions, LayoutOptions, PageRange as Pages};
use domain::money::Fen;
use domain::price::{Basis, ItemPrice, PriceBook, Rung};
use domain::print_options::{Choice, Quantity};
use domain::tier::Tier;

/// Every file of `app/slices/catalog/goods`, by name.
pub fn goods_files() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("BINDERY_CHECKOUT")).join("app/slices/catalog/goods");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder of the goods")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a readable file"))
        })
        .collect();
    files.sort();
    files
}

/// Every goods of the project.
pub fn all_goods() -> Vec<Goods> {
    let parse =
        |(name, text): (String, String)| toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
    goods_files().into_iter().map(parse).collect()
}

/// One goods of the project.
pub fn goods(id: &str) -> Goods {
    all_goods().into_iter().find(|goods| goods.id.as_str() == id).expect("a goods of this id")
}

pub fn item(cnum: &str, name: &str) -> Item {
    Item {
        cnum: cnum.into(),
        name: name.to_owned(),
        description: None,
        cover: None,
        tips: None,
        grams: 0,
        film_mm: 0.0,
        swatch: None,
    }
}

/// A shown step; the code of an item is its step's id and its place.
pub fn step(id: &str, name: &str, items: &[&str]) -> Step {
    let items = items.iter().enumerate().map(|(place, name)| item(&format!("{id}{place}"), name)).collect();
    Step { id: id.to_owned(), name: name.to_owned(), is_show: true, tips: None, items }
}

/// A goods of these steps: album, every binding 1 to 9999 pages but those with a help text.
pub fn goods_of(steps: Vec<Step>) -> Goods {
    let names = |step_name: &str| {
        let steps = steps.iter().filter(move |step| step.name == step_name);
        steps.flat_map(|step| step.items.iter().map(|item| item.name.clone())).collect::<Vec<_>>()
    };
    let range = |name: &str| match name {
        "豪华装" => PageRange { min: 1, max: 40 },
        "对裱精装" => PageRange { min: 1, max: 60 },
        "对裱平装" => PageRange { min: 16, max: 60 },
        _ => PageRange { min: 1, max: 9999 },
    };
    let body = Body {
        cover_mm: 4.0,
        cover_grams: 100,
        sheets_per_leaf: 1,
        leaf_mm: 0.0,
        leaf_grams_per_square_metre: 0,
        cover: None,
        mounted: false,
        section_pages: 0,
    };
    let paper = Paper { grams_per_square_metre: 157, caliper_mm: 0.125 };
    let bindings = names(step_name::BINDING);
    Goods {
        id: "g".parse().expect("an id"),
        name: "测试".to_owned(),
        description: String::new(),
        editor_type: 12,
        is_has_pastedown: true,
        trim: Trim { width: 200.0, height: 250.0 },
        pages: PageAim { min: 8, max: 64, step: 4 },
        binding_pages: bindings.iter().map(|name| (name.clone(), range(name))).collect(),
        papers: names(step_name::WEIGHT).into_iter().map(|name| (name, paper)).collect(),
        calipers: BTreeMap::new(),
        endpapers: String::new(),
        bodies: bindings.into_iter().map(|name| (name, body)).collect(),
        making_days: Default::default(),
        stages: None,
        supplier: None,
        print: Default::default(),
        bundles: Vec::new(),
        price_book: PriceBook {
            valid_from: "2026-01-01".parse().expect("a day"),
            base: Fen(1000),
            per_page: Fen(50),
            items: BTreeMap::new(),
            volume: Vec::new(),
            tiers: BTreeMap::new(),
        },
        steps,
    }
}

/// A goods with most of the rules in it.
pub fn small_goods() -> Goods {
    goods_of(vec![
        step("b", step_name::BINDING, &["骑马钉", "普通平装", "普通精装", "豪华装"]),
        step("c", step_name::COVER, &["铜版纸", "布艺"]),
        step("w", step_name::WEIGHT, &["157克", "200克"]),
        step("i", step_name::INNER_LAMINATION, &["不覆膜", "光膜"]),
        step("x", step_name::CRAFT, &["无", "烫金"]),
        step("r", step_name::REMARKS, &[]),
    ])
}

/// The code of an item by the names of step and item.
pub fn cnum(goods: &Goods, step_name: &str, item_name: &str) -> Cnum {
    let step = goods.steps.iter().find(|step| step.name == step_name).expect("the step");
    step.items.iter().find(|item| item.name == item_name).expect("the item").cnum.clone()
}

/// A choice of items by their names, in the order given.
pub fn choice(goods: &Goods, items: &[(&str, &str)]) -> Choice {
    Choice::new(items.iter().map(|(step, item)| cnum(goods, step, item)).collect())
}

pub fn quantity(count: u32) -> Quantity {
    count.try_into().expect("a quantity")
}

pub fn fen(yuan: &str) -> Fen {
    yuan.parse().expect("an amount")
}

pub fn price(yuan: &str, basis: Basis) -> ItemPrice {
    ItemPrice { price: fen(yuan), basis }
}

pub fn rung(from: u32, rate: &str) -> Rung {
    Rung { from, rate: rate.parse().expect("a rate") }
}

/// Gives a goods a ladder of 10 and 50 copies, and every tier but the lowest a discount.
pub fn with_discounts(mut goods: Goods) -> Goods {
    goods.price_book.volume = vec![rung(10, "0.05"), rung(50, "0.1")];
    for (tier, rate) in [(Tier::Vip, "0.05"), (Tier::Super, "0.1"), (Tier::Enterprise, "0.125")] {
        goods.price_book.tiers.insert(tier, rate.parse().expect("a rate"));
    }
    goods
}

/// How the tests lay out a book of a size.
pub fn options(width: f64, height: f64, pages: Pages) -> LayoutOptions {
    LayoutOptions {
        trim: Trim { width, height },
        pages,
        title: "山间的夏天".to_owned(),
        author: "林小满".to_owned(),
        theme: "plain".to_owned(),
        captions: Captions::Empty,
        chapters: false,
        parts: Default::default(),
        density: Default::default(),
        style: Default::default(),
    }
}

/// The codes of all states that one leads to, over rows of from and to; its own, too.
pub fn reachable<S: Copy + PartialEq>(
    from: S,
    rows: &[(S, S)],
    code: fn(S) -> &'static str,
) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::from([code(from)]);
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for (_, to) in rows.iter().filter(|(row, _)| *row == state) {
            if found.insert(code(*to)) {
                open.push(*to);
            }
        }
    }
    found
}
