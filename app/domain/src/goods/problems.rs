//! What may be wrong with goods, in words for whoever keeps them.

use std::collections::BTreeSet;

use crate::binding::{CoverMake, LEAST_TURN_IN_MM};

use super::{BINDINGS, COLOURS, Goods, PAPERS, PageRange, Step, step_name};
use crate::goods::Cnum;
use crate::imposition::SHEET_PAGES;
use crate::money::Fen;
use crate::print_options::{self, paper_weight_pages};
use crate::tier::Tier;

/// Most pages that any goods can have: the widest range of specification section 5.
const MOST_PAGES: u32 = 9999;

/// The longest that making may take, in working days.
const MOST_DAYS: u8 = 60;

/// More pages of a section are no longer folded into each other without steps at its edge.
const MOST_SECTION_PAGES: u32 = 64;

/// One contradiction in goods.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Problem {
    #[error("商品名称不能为空")]
    NoName,
    #[error("成品尺寸须为 20 到 1000 毫米")]
    Trim,
    #[error("自动排版的页数范围不正确：须有 1 ≤ 最小 ≤ 最大 ≤ 9999，步长不小于 1")]
    PageAim,
    #[error("没有名为「{0}」的工序")]
    UnknownStep(String),
    #[error("工序「{0}」出现了两次")]
    StepTwice(String),
    #[error("工序编号「{0}」为空或重复")]
    StepId(String),
    #[error("缺少要显示的工序「{0}」")]
    StepMissing(&'static str),
    #[error("工序「{0}」要显示，却没有选项")]
    NoItems(String),
    #[error("工序「备注」是文本框，不能有选项")]
    RemarksWithItems,
    #[error("选项编号「{0}」重复")]
    CnumTwice(Cnum),
    #[error("选项编号「{0}」须为 1 到 40 个字母、数字、_ 或 -")]
    CnumShape(Cnum),
    #[error("选项「{0}」没有名称")]
    NoItemName(Cnum),
    #[error("工序「{step}」有两个选项都叫「{item}」")]
    ItemNameTwice { step: String, item: String },
    #[error("工序「{step}」不认识选项「{item}」")]
    UnknownItemName { step: String, item: String },
    #[error("装订「{0}」没有页数范围（zhuangDingPageCfg）")]
    NoBindingPages(String),
    #[error("装订「{0}」的页数范围不正确")]
    BindingPages(String),
    #[error("装订「{binding}」的页数范围须为{limit}，与帮助文字一致")]
    HelpText { binding: String, limit: &'static str },
    #[error("装订「{0}」有页数范围或用料，却不在工序「装订方式」里")]
    BindingNotOffered(String),
    #[error("装订「{0}」没有封面的厚度和重量（bodies）")]
    NoBody(String),
    #[error("克重「{0}」没有纸张的厚度和重量（papers）")]
    NoPaper(String),
    #[error("「{0}」的厚度或重量不正确")]
    Measure(String),
    #[error("装订「{0}」的封面尺寸（cover）不正确：包边至少 15 毫米，其余 0 到 100 毫米")]
    Cover(String),
    #[error("装订「{0}」每帖的页数（section_pages）须为 4 的倍数，至多 64")]
    Section(String),
    #[error("装订「{binding}」{pages} 页的书脊只有 {spine:.1} 毫米，至少要 {least} 毫米：最少页数太小")]
    ThinSpine { binding: String, pages: u32, spine: f64, least: f64 },
    #[error("价格表里有不存在的选项「{0}」")]
    PriceOfUnknown(Cnum),
    #[error("组合「{bundle}」里有不存在的选项「{cnum}」")]
    BundleOfUnknown { bundle: String, cnum: Cnum },
    #[error("制作天数须为 1 到 60，先小后大")]
    MakingDays,
    #[error("价格不能为负：{0}")]
    NegativePrice(String),
    #[error("数量优惠须从 2 本起，数量和折扣逐级递增")]
    Ladder,
    #[error("「普通会员」没有会员优惠")]
    BasicDiscount,
    #[error("{0}")]
    Print(String),
    #[error("供应商（supplier）的名称不能为空")]
    NoSupplierName,
    #[error("{pages} 页时工序「{step}」没有可选的选项")]
    NothingEnabled { pages: u32, step: String },
}

/// Every problem, in the order of the fields.
pub(super) fn of(goods: &Goods) -> Vec<Problem> {
    let mut problems = Vec::new();
    if goods.name.trim().is_empty() {
        problems.push(Problem::NoName);
    }
    let printable = |mm: f64| (20.0..=1000.0).contains(&mm);
    if !printable(goods.trim.width) || !printable(goods.trim.height) {
        problems.push(Problem::Trim);
    }
    let aim = goods.pages;
    let aim_holds = 1 <= aim.min && aim.min <= aim.max && aim.max <= MOST_PAGES && aim.step >= 1;
    if !aim_holds {
        problems.push(Problem::PageAim);
    }
    let days = goods.making_days;
    if days.from == 0 || days.from > days.to || days.to > MOST_DAYS {
        problems.push(Problem::MakingDays);
    }
    problems.extend(goods.print.problem().map(Problem::Print));
    if goods.supplier.as_ref().is_some_and(|name| name.trim().is_empty()) {
        problems.push(Problem::NoSupplierName);
    }
    steps(goods, &mut problems);
    items(goods, &mut problems);
    bindings(goods, &mut problems);
    weights(goods, &mut problems);
    calipers(goods, &mut problems);
    bundles(goods, &mut problems);
    prices(goods, &mut problems);
    // What is wrong above would be told again for every page count.
    if problems.is_empty() {
        problems.extend(dead_end(goods));
    }
    problems
}

fn steps(goods: &Goods, problems: &mut Vec<Problem>) {
    let mut names = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for step in &goods.steps {
        if !step_name::ALL.contains(&step.name.as_str()) {
            problems.push(Problem::UnknownStep(step.name.clone()));
        }
        if !names.insert(&step.name) {
            problems.push(Problem::StepTwice(step.name.clone()));
        }
        if step.id.is_empty() || step.id == print_options::ARTWORK_ID || !ids.insert(&step.id) {
            problems.push(Problem::StepId(step.id.clone()));
        }
        let remarks = step.name == step_name::REMARKS;
        if remarks && !step.items.is_empty() {
            problems.push(Problem::RemarksWithItems);
        }
        if !remarks && step.is_show && step.items.is_empty() {
            problems.push(Problem::NoItems(step.name.clone()));
        }
    }
    // Without these two there is neither a spine nor a weight.
    for name in [step_name::BINDING, step_name::WEIGHT] {
        if !goods.shown_steps().any(|step| step.name == name) {
            problems.push(Problem::StepMissing(name));
        }
    }
}

fn items(goods: &Goods, problems: &mut Vec<Problem>) {
    let mut cnums = BTreeSet::new();
    for step in &goods.steps {
        let mut names = BTreeSet::new();
        for item in &step.items {
            let code = &item.cnum.0;
            let shape = (1..=40).contains(&code.len())
                && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
            if !shape {
                problems.push(Problem::CnumShape(item.cnum.clone()));
            }
            if !cnums.insert(&item.cnum) {
                problems.push(Problem::CnumTwice(item.cnum.clone()));
            }
            if item.name.trim().is_empty() {
                problems.push(Problem::NoItemName(item.cnum.clone()));
            } else if !names.insert(&item.name) {
                problems.push(Problem::ItemNameTwice { step: step.name.clone(), item: item.name.clone() });
            } else if !is_known(step, &item.name) {
                problems.push(Problem::UnknownItemName { step: step.name.clone(), item: item.name.clone() });
            }
        }
    }
}

/// Whether the specification's closed lists (sections 5 and 9) allow a name. Other steps have none.
fn is_known(step: &Step, item: &str) -> bool {
    match step.name.as_str() {
        step_name::BINDING => BINDINGS.contains(&item),
        step_name::PAPER => PAPERS.contains(&item),
        step_name::WEIGHT => paper_weight_pages(item).is_some(),
        step_name::COLOUR => COLOURS.contains(&item),
        _ => true,
    }
}

fn bindings(goods: &Goods, problems: &mut Vec<Problem>) {
    let offered = item_names(goods, step_name::BINDING);
    for &binding in &offered {
        match goods.binding_pages.get(binding) {
            None => problems.push(Problem::NoBindingPages(binding.to_owned())),
            Some(range) => problems.extend(binding_range(binding, *range)),
        }
        match goods.bodies.get(binding) {
            None => problems.push(Problem::NoBody(binding.to_owned())),
            Some(body) => {
                let measured = |mm: f64| (0.0..=100.0).contains(&mm);
                if !measured(body.cover_mm)
                    || !measured(body.leaf_mm)
                    || !(1..=2).contains(&body.sheets_per_leaf)
                {
                    problems.push(Problem::Measure(binding.to_owned()));
                }
                if !body.section_pages.is_multiple_of(SHEET_PAGES) || body.section_pages > MOST_SECTION_PAGES
                {
                    problems.push(Problem::Section(binding.to_owned()));
                }
                if body.cover.is_some_and(|cover| !can_be_made(cover)) {
                    problems.push(Problem::Cover(binding.to_owned()));
                }
            }
        }
    }
    for (binding, range) in goods.binding_pages.iter().filter(|(binding, _)| offered.contains(&&***binding)) {
        if let Some((spine, least)) = goods.widest_thin_spine(binding, range.min) {
            let (binding, pages) = (binding.clone(), range.min);
            problems.push(Problem::ThinSpine { binding, pages, spine, least });
        }
    }
    let configured: BTreeSet<&String> = goods.binding_pages.keys().chain(goods.bodies.keys()).collect();
    for binding in configured.into_iter().filter(|binding| !offered.contains(&binding.as_str())) {
        problems.push(Problem::BindingNotOffered(binding.clone()));
    }
}

/// Whether a cover has measures that it can be made by.
fn can_be_made(cover: CoverMake) -> bool {
    let measures = match cover {
        CoverMake::Folded => return true,
        CoverMake::Glued(glued) => {
            vec![glued.hinge_mm, glued.glue_mm, glued.spine_tolerance_mm, glued.least_spine_mm]
        }
        CoverMake::Case(case) if case.turn_in_mm < LEAST_TURN_IN_MM => return false,
        CoverMake::Case(case) => {
            vec![case.square_mm, case.groove_mm, case.board_less_mm, case.turn_in_mm, case.spine_tolerance_mm]
        }
        CoverMake::Leaves(leaves) => vec![leaves.holes_mm],
    };
    measures.into_iter().all(|mm| (0.0..=100.0).contains(&mm))
}

fn binding_range(binding: &str, range: PageRange) -> Option<Problem> {
    if range.min < 1 || range.min > range.max || range.max > MOST_PAGES {
        return Some(Problem::BindingPages(binding.to_owned()));
    }
    // The help text is fixed (specification section 5), so the data may not say otherwise.
    let (holds, limit) = match binding {
        "豪华装" => (range.max == 40, "至多 40 页"),
        "对裱精装" => (range.max == 60, "至多 60 页"),
        "对裱平装" => (range == PageRange { min: 16, max: 60 }, " 16 到 60 页"),
        _ => return None,
    };
    (!holds).then(|| Problem::HelpText { binding: binding.to_owned(), limit })
}

fn weights(goods: &Goods, problems: &mut Vec<Problem>) {
    for weight in item_names(goods, step_name::WEIGHT) {
        match goods.papers.get(weight) {
            None => problems.push(Problem::NoPaper(weight.to_owned())),
            Some(paper) => {
                let thin = paper.caliper_mm > 0.0 && paper.caliper_mm <= 5.0;
                if !thin || paper.grams_per_square_metre == 0 {
                    problems.push(Problem::Measure(weight.to_owned()));
                }
            }
        }
    }
}

/// Leaves of each kind of paper that stand in the table.
fn calipers(goods: &Goods, problems: &mut Vec<Problem>) {
    for (kind, weights) in &goods.calipers {
        for (weight, caliper) in weights {
            if !(*caliper > 0.0 && *caliper <= 5.0) {
                problems.push(Problem::Measure(format!("{kind}{weight}")));
            }
        }
    }
}

fn prices(goods: &Goods, problems: &mut Vec<Problem>) {
    let book = &goods.price_book;
    let known = cnums(goods);
    let mut not_negative = |what: &str, price: Fen| {
        if price.is_negative() {
            problems.push(Problem::NegativePrice(what.to_owned()));
        }
    };
    not_negative("base", book.base);
    not_negative("per_page", book.per_page);
    for (cnum, item) in &book.items {
        not_negative(&cnum.0, item.price);
    }
    let unknown = book.items.keys().filter(|cnum| !known.contains(cnum));
    problems.extend(unknown.map(|cnum| Problem::PriceOfUnknown(cnum.clone())));
    let climbs = book.volume.windows(2).all(|two| two[0].from < two[1].from && two[0].rate < two[1].rate);
    if !climbs || book.volume.iter().any(|rung| rung.from < 2 || rung.rate.is_none()) {
        problems.push(Problem::Ladder);
    }
    if !book.tier_rate(Tier::Basic).is_none() {
        problems.push(Problem::BasicDiscount);
    }
}

fn bundles(goods: &Goods, problems: &mut Vec<Problem>) {
    let known = cnums(goods);
    for bundle in &goods.bundles {
        let unknown = bundle.items.iter().filter(|cnum| !known.contains(cnum));
        problems.extend(
            unknown.map(|cnum| Problem::BundleOfUnknown { bundle: bundle.name.clone(), cnum: cnum.clone() }),
        );
    }
}

fn cnums(goods: &Goods) -> BTreeSet<&Cnum> {
    goods.steps.iter().flat_map(|step| step.items.iter().map(|item| &item.cnum)).collect()
}

/// The first page count aimed at for which a step has nothing to choose.
fn dead_end(goods: &Goods) -> Option<Problem> {
    goods.pages.counts().find_map(|pages| {
        let evaluation = print_options::evaluate(goods, pages, &print_options::Choice::default());
        let step = evaluation.stuck().next()?.name.clone();
        Some(Problem::NothingEnabled { pages, step })
    })
}

fn item_names<'a>(goods: &'a Goods, step_name: &str) -> Vec<&'a str> {
    let steps = goods.steps.iter().filter(|step| step.name == step_name);
    steps.flat_map(|step| step.items.iter().map(|item| item.name.as_str())).collect()
}
