//! Writes what the rules of the print options answer for thousands of goods, page counts and changes, as JSON.
//! The dialog in the browser must answer the same from the data that it is given.
//!
//! `cargo run -p bindery-domain --example print_options_vectors -- <file> [cases]`

#[path = "../tests/rules"]
mod rules {
    pub mod common;
}

use std::error::Error;

use domain::goods::{Cnum, Goods, Step};
use domain::print_options::{Choice, Evaluation, Fit, evaluate, exclusions, fits};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rules::common::arbitrary::any_case;
use serde_json::{Value, json};

/// Changes after one another in each case.
const CHANGES: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("say which file to write")?;
    let count = arguments.next().map_or(Ok(3000), |count| count.parse())?;
    // the same cases every time
    let mut runner = TestRunner::deterministic();
    let mut cases = Vec::with_capacity(count);
    for number in 0..count {
        let (goods, pages, choice) =
            any_case().new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        cases.push(case(&goods, pages, &choice, number));
    }
    std::fs::write(file, json!({ "cases": cases }).to_string())?;
    Ok(())
}

fn case(goods: &Goods, pages: u32, choice: &Choice, seed: usize) -> Value {
    let steps: Vec<&Step> = goods.shown_steps().collect();
    let mut evaluation = evaluate(goods, pages, choice);
    let start = answer(&evaluation);
    let mut changes = Vec::new();
    let items: Vec<(usize, &Cnum)> = steps
        .iter()
        .enumerate()
        .flat_map(|(index, step)| step.items.iter().map(move |item| (index, &item.cnum)))
        .collect();
    for turn in 0..if items.is_empty() { 0 } else { CHANGES } {
        // also items that are disabled: a page that is out of date may ask for one
        let (index, cnum) = items[(seed * 7 + turn * 13) % items.len()];
        let mut chosen: Vec<Option<Cnum>> =
            evaluation.steps.iter().map(|step| step.sel_cnum().cloned()).collect();
        chosen[index] = Some(cnum.clone());
        evaluation = evaluate(goods, pages, &Choice::new(chosen.into_iter().flatten().collect()));
        let mut change = answer(&evaluation);
        change["step"] = json!(index);
        change["cnum"] = json!(cnum);
        changes.push(change);
    }
    let pairs: Vec<_> =
        exclusions(goods, pages).into_iter().map(|pair| (pair.chosen, pair.disabled)).collect();
    let steps: Vec<Value> = steps
        .iter()
        .map(|step| {
            let fits = |item| fits(goods, pages, step, item) == Fit::Fits;
            let items: Vec<Value> =
                step.items.iter().map(|item| json!({ "Cnum": item.cnum, "fits": fits(item) })).collect();
            json!({ "ID": step.id, "items": items })
        })
        .collect();
    json!({
        "steps": steps,
        "exclusions": pairs,
        "start": start,
        "changes": changes,
    })
}

fn answer(evaluation: &Evaluation) -> Value {
    let selected: Vec<&str> =
        evaluation.steps.iter().map(|step| step.sel_cnum().map_or("", |cnum| &cnum.0)).collect();
    let enable: Vec<Vec<bool>> =
        evaluation.steps.iter().map(|step| step.items.iter().map(|item| item.enable).collect()).collect();
    json!({ "selCnum": selected, "enable": enable })
}
