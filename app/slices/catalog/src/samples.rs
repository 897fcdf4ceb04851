//! Twenty prices before and after a change of goods: the same copies every time, spread over what can be ordered.

use domain::goods::{Cnum, Goods, PageAim};
use domain::money::Fen;
use domain::price::quote;
use domain::print_options::{Choice, Quantity, default_choice, evaluate, spec};
use domain::tier::Tier;

use super::files::Filed;

/// How many there are.
const SAMPLES: usize = 20;
/// Numbers of copies: one, two, and those where discounts are usual.
const COPIES: [u32; 5] = [1, 2, 10, 50, 200];
/// Page counts, from the fewest to the most that goods aim at.
const PAGE_COUNTS: u32 = 5;
/// What the choice of a new line is called.
const RECOMMENDED: &str = "推荐";

/// Copies that somebody might order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Of what is recommended, or of a bundle; empty for any other choice.
    pub name: String,
    pub pages: u32,
    pub copies: Quantity,
    pub tier: Tier,
    pub choice: Choice,
}

/// What a sample costs before and after; or why it can't be ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub sample: Sample,
    /// Its items, for one line of text.
    pub items: String,
    pub before: Result<Fen, String>,
    pub after: Result<Fen, String>,
}

/// The samples with their prices before and after.
pub fn compare(before: &Filed, after: &Filed) -> Vec<Compared> {
    let ends = before.active && !after.active;
    let compared = |sample: Sample| Compared {
        items: items(&before.goods, &sample),
        before: price(&before.goods, &sample),
        after: if ends { Err("停止出售".to_owned()) } else { price(&after.goods, &sample) },
        sample,
    };
    spread(&before.goods).into_iter().map(compared).collect()
}

/// Twenty different samples of goods, the same ones whenever they are asked for.
pub fn spread(goods: &Goods) -> Vec<Sample> {
    let counts = page_counts(goods.pages);
    let mut samples: Vec<Sample> = Vec::with_capacity(SAMPLES);
    for index in 0..SAMPLES {
        let (row, column) = (index / COPIES.len(), index % COPIES.len());
        let Ok(copies) = Quantity::try_from(COPIES[column]) else { continue };
        let pages = counts[(row + column) % counts.len()];
        let (name, choice) = chosen(goods, pages, index);
        // each tier has one at the first discount; elsewhere another one stands only where samples were the same
        let first = if column == 2 { row } else { 0 };
        let is_new = |tier: &Tier| {
            samples.iter().all(|other| {
                (other.pages, other.copies, other.tier) != (pages, copies, *tier) || other.choice != choice
            })
        };
        let mut tiers = Tier::ALL.into_iter().cycle().skip(first).take(Tier::ALL.len());
        let tier = tiers.find(is_new).unwrap_or_default();
        samples.push(Sample { name, pages, copies, tier, choice });
    }
    samples
}

/// Some of the page counts aimed at, evenly, each once.
fn page_counts(aim: PageAim) -> Vec<u32> {
    let wide = aim.max.saturating_sub(aim.min);
    let count = |part: u32| aim.at_least(aim.min + wide * part / (PAGE_COUNTS - 1));
    let mut counts: Vec<u32> = (0..PAGE_COUNTS).map(count).collect();
    counts.dedup();
    counts
}

/// A choice that fits together: every fourth is recommended or a bundle, the others go through the items of all steps.
fn chosen(goods: &Goods, pages: u32, index: usize) -> (String, Choice) {
    let recommended = || (RECOMMENDED.to_owned(), default_choice(goods, pages));
    let (name, wish) = if index.is_multiple_of(4) {
        let bundle = (index / 4) % (goods.bundles.len() + 1);
        match bundle.checked_sub(1).and_then(|bundle| goods.bundles.get(bundle)) {
            Some(bundle) => (bundle.name.clone(), bundle.items.clone()),
            None => return recommended(),
        }
    } else {
        (String::new(), turn(goods, index - index / 4 - 1))
    };
    let evaluation = evaluate(goods, pages, &Choice::new(wish));
    if evaluation.is_complete() { (name, evaluation.choice()) } else { recommended() }
}

/// One item of each step: each comes in its turn, and not always beside the same others.
fn turn(goods: &Goods, number: usize) -> Vec<Cnum> {
    let steps = goods.shown_steps().filter(|step| !step.items.is_empty());
    let item = |(place, step): (usize, &domain::goods::Step)| {
        let count = step.items.len();
        step.items[(number + number / count * place) % count].cnum.clone()
    };
    steps.enumerate().map(item).collect()
}

fn items(goods: &Goods, sample: &Sample) -> String {
    let items = sample.choice.cnums().iter().filter_map(|cnum| goods.item(cnum));
    let choices: Vec<_> = items.map(|(step, item)| (step.name.clone(), item.name.clone())).collect();
    spec(&choices).join("、")
}

/// What a sample costs as these goods; or why it can't be ordered so.
fn price(goods: &Goods, sample: &Sample) -> Result<Fen, String> {
    let evaluation = evaluate(goods, sample.pages, &sample.choice);
    if let Some(step) = evaluation.stuck().next() {
        return Err(format!("{}没有可选的选项", step.name));
    }
    // steps that came later have a choice of their own; what was chosen must be there
    let settled = evaluation.choice();
    if let Some(lost) = sample.choice.cnums().iter().find(|cnum| !settled.contains(cnum)) {
        let item = evaluation.steps.iter().flat_map(|step| &step.items).find(|item| item.cnum == *lost);
        return Err(match item {
            Some(item) => {
                format!("{}不可选：{}", item.name, item.reason.as_deref().unwrap_or("与其他选项不合"))
            }
            None => format!("没有选项 {lost} 了"),
        });
    }
    let quote = quote(goods, sample.pages, &settled, sample.copies, sample.tier);
    quote.map(|quote| quote.total).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::print_options::check;

    use super::super::tests::{built_in, ids};
    use super::*;

    fn goods_of_one_kind() -> Goods {
        let mut goods = built_in("calendar-a5");
        goods.pages.max = goods.pages.min;
        goods.bundles.clear();
        for step in &mut goods.steps {
            step.items.truncate(1);
        }
        goods
    }

    #[test]
    fn twenty_samples_are_different_and_always_the_same() {
        for goods in ids().iter().map(|id| built_in(id)).chain([goods_of_one_kind()]) {
            let samples = spread(&goods);
            assert_eq!(samples.len(), SAMPLES);
            assert_eq!(samples, spread(&goods), "{}", goods.id);
            let seen: BTreeSet<_> = samples
                .iter()
                .map(|one| (one.pages, one.copies, one.tier.name(), one.choice.to_string()))
                .collect();
            assert_eq!(seen.len(), SAMPLES, "{}: {samples:?}", goods.id);
        }
    }

    #[test]
    fn samples_stand_for_what_can_be_ordered() {
        for id in ids() {
            let goods = built_in(&id);
            let samples = spread(&goods);
            for sample in &samples {
                assert_eq!(check(&goods, sample.pages, &sample.choice), Ok(()), "{id}: {sample:?}");
            }
            for copies in COPIES {
                let count = samples.iter().filter(|sample| sample.copies.get() == copies).count();
                assert_eq!(count, SAMPLES / COPIES.len(), "{id}");
            }
            let pages: BTreeSet<u32> = samples.iter().map(|sample| sample.pages).collect();
            assert!(pages.contains(&goods.pages.min) && pages.contains(&goods.pages.max), "{id}: {pages:?}");
            for tier in Tier::ALL {
                assert!(samples.iter().any(|sample| sample.tier == tier), "{id}: {tier}");
            }
            assert!(samples.iter().any(|sample| sample.name == RECOMMENDED), "{id}");
        }
    }

    #[test]
    fn prices_are_told_before_and_after() {
        let before = Filed { goods: built_in("album-a5"), active: true };
        assert!(compare(&before, &before).iter().all(|one| one.before.is_ok() && one.before == one.after));
        let mut after = before.clone();
        after.goods.price_book.base = Fen(after.goods.price_book.base.0 + 100);
        for one in compare(&before, &after) {
            assert!(one.after.unwrap() > one.before.unwrap());
        }
        // what is there no more is named
        for step in &mut after.goods.steps {
            step.items.retain(|item| item.cnum != Cnum::from("b-saddle"));
        }
        let compared = compare(&before, &after);
        let with = |one: &&Compared| one.sample.choice.contains(&Cnum::from("b-saddle"));
        assert!(compared.iter().filter(with).count() > 0);
        for one in compared.iter().filter(with) {
            assert_eq!(one.after, Err("没有选项 b-saddle 了".to_owned()));
        }
        after.active = false;
        assert!(compare(&before, &after).iter().all(|one| one.after == Err("停止出售".to_owned())));
    }
}
