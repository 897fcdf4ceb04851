//! What holds for any goods, page count and choice.

use crate::common::arbitrary::any_case;
use domain::goods::{Cnum, Goods, Step, step_name};
use domain::print_options::{
    Choice, EvaluatedItem, Evaluation, Fit, Selection, check, default_choice, evaluate, exclusions, fits,
};
use proptest::prelude::*;

fn pairs(goods: &Goods, pages: u32) -> Vec<(Cnum, Cnum)> {
    exclusions(goods, pages).into_iter().map(|pair| (pair.chosen, pair.disabled)).collect()
}

fn chosen_names(evaluation: &Evaluation, step_name: &str) -> Vec<String> {
    let step = evaluation.step(step_name);
    step.and_then(|step| step.selected()).map(|item| item.name.clone()).into_iter().collect()
}

/// The flag of an item as the specification's sentences give it, written down a second time.
fn enabled_by_the_words(goods: &Goods, pages: u32, evaluation: &Evaluation, step: &str, item: &str) -> bool {
    match step {
        step_name::BINDING => {
            let range = goods.binding_pages[item];
            let stitched = if goods.editor_type == 3 && !goods.is_has_pastedown {
                (i64::from(pages) - 2) % 4 == 0
            } else {
                pages.is_multiple_of(4)
            };
            let cloth = chosen_names(evaluation, step_name::COVER).iter().any(|name| name.contains("布艺"));
            range.min <= pages
                && pages <= range.max
                && (item != "骑马钉" || stitched)
                && (!cloth || item.contains("精装") || item == "豪华装")
        }
        step_name::WEIGHT => {
            let in_range = match item {
                "200克" => (1..=66).contains(&pages),
                "157克" => (7..=398).contains(&pages),
                "128克" => (67..=9999).contains(&pages),
                _ => (1..=31).contains(&pages),
            };
            // leaves of 0.125 mm and a cover of 0.6, of which 3 mm can be glued
            let binding = chosen_names(evaluation, step_name::BINDING);
            let is_glued = binding == ["普通平装"] && goods.bodies["普通平装"].cover.is_some();
            in_range && !(is_glued && f64::from(pages.div_ceil(2)) * 0.125 + 0.6 < 3.0)
        }
        step_name::INNER_LAMINATION => {
            let binding = chosen_names(evaluation, step_name::BINDING);
            let mounted =
                binding.iter().any(|name| ["对裱精装", "对裱平装", "豪华装"].contains(&name.as_str()));
            item != "不覆膜" || !mounted
        }
        _ => true,
    }
}

/// How the dialog in the browser settles a change: it knows only `fits` and the pairs, and moves one step
/// at a time, the first in the order of the dialog, until none has to.
fn settle_with_data_alone(goods: &Goods, pages: u32, mut chosen: Vec<Option<Cnum>>) -> Vec<Option<Cnum>> {
    let steps: Vec<&Step> = goods.shown_steps().collect();
    let pairs = pairs(goods, pages);
    for _ in 0..100 {
        let enabled = |step: &Step, cnum: &Cnum| {
            let item = step.item(cnum).expect("the step's own");
            fits(goods, pages, step, item) == Fit::Fits
                && !chosen.iter().flatten().any(|other| pairs.contains(&(other.clone(), cnum.clone())))
        };
        let moved = steps.iter().zip(&chosen).enumerate().find_map(|(index, (step, old))| {
            if old.as_ref().is_some_and(|cnum| enabled(step, cnum)) {
                return None;
            }
            let first = step.items.iter().map(|item| item.cnum.clone()).find(|cnum| enabled(step, cnum));
            (first != *old).then_some((index, first))
        });
        match moved {
            Some((index, cnum)) => chosen[index] = cnum,
            None => return chosen,
        }
    }
    panic!("it never settles");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn an_item_is_enabled_exactly_when_it_fits_and_no_chosen_item_excludes_it(
        (goods, pages, choice) in any_case()
    ) {
        let evaluation = evaluate(&goods, pages, &choice);
        let chosen = evaluation.choice();
        let pairs = pairs(&goods, pages);
        for (step, judged) in goods.shown_steps().zip(&evaluation.steps) {
            prop_assert_eq!(&step.id, &judged.id);
            for (item, EvaluatedItem { cnum, enable, fits: fit, reason, .. }) in
                step.items.iter().zip(&judged.items)
            {
                prop_assert_eq!(&item.cnum, cnum);
                prop_assert_eq!(*fit, fits(&goods, pages, step, item) == Fit::Fits);
                let excluded = chosen.cnums().iter().any(|c| pairs.contains(&(c.clone(), cnum.clone())));
                prop_assert_eq!(*enable, *fit && !excluded);
                prop_assert_eq!(*enable, reason.is_none());
                prop_assert_eq!(
                    *enable,
                    enabled_by_the_words(&goods, pages, &evaluation, &step.name, &item.name),
                    "{} {}", step.name, item.name
                );
            }
        }
        prop_assert_eq!(evaluation.steps.len(), goods.shown_steps().count());
    }

    #[test]
    fn what_is_selected_is_enabled_and_moved_only_when_it_had_to(
        (goods, pages, choice) in any_case()
    ) {
        for step in &evaluate(&goods, pages, &choice).steps {
            let wanted = choice.cnums().iter().find_map(|c| step.items.iter().find(|item| item.cnum == *c));
            let first = step.items.iter().find(|item| item.enable);
            let expected = wanted.filter(|item| item.enable).or(first);
            prop_assert_eq!(step.selected(), expected);
            match &step.sel {
                Selection::Item(_) => prop_assert!(expected.is_some_and(|item| item.enable)),
                Selection::NothingEnabled => prop_assert!(first.is_none() && !step.items.is_empty()),
                Selection::FreeText => prop_assert!(step.items.is_empty()),
            }
        }
    }

    #[test]
    fn settling_twice_changes_nothing((goods, pages, choice) in any_case()) {
        let once = evaluate(&goods, pages, &choice);
        prop_assert_eq!(&evaluate(&goods, pages, &once.choice()), &once);
        prop_assert_eq!(default_choice(&goods, pages), evaluate(&goods, pages, &Choice::default()).choice());
    }

    #[test]
    fn a_settled_choice_can_be_saved_when_every_step_has_one((goods, pages, choice) in any_case()) {
        let evaluation = evaluate(&goods, pages, &choice);
        prop_assert_eq!(check(&goods, pages, &evaluation.choice()).is_ok(), evaluation.is_complete());
    }

    #[test]
    fn what_can_be_saved_is_settled((goods, pages, choice) in any_case()) {
        if check(&goods, pages, &choice).is_ok() {
            let codes: Vec<Cnum> = choice.cnums().iter().filter(|c| !c.0.is_empty()).cloned().collect();
            prop_assert_eq!(evaluate(&goods, pages, &choice).choice(), Choice::new(codes));
        }
    }

    #[test]
    fn saving_refuses_any_change_of_shape((goods, pages, choice) in any_case(), at in any::<prop::sample::Index>()) {
        let evaluation = evaluate(&goods, pages, &choice);
        let settled = evaluation.choice().cnums().to_vec();
        if !evaluation.is_complete() || settled.len() < 2 {
            return Ok(());
        }
        let place = at.index(settled.len());
        let mut shorter = settled.clone();
        shorter.remove(place);
        prop_assert!(check(&goods, pages, &Choice::new(shorter)).is_err());
        let mut longer = settled.clone();
        longer.insert(place, "nix".into());
        prop_assert!(check(&goods, pages, &Choice::new(longer)).is_err());
        let mut doubled = settled.clone();
        doubled.insert(place, settled[place].clone());
        prop_assert!(check(&goods, pages, &Choice::new(doubled)).is_err());
        let mut swapped = settled.clone();
        swapped.swap(place, (place + 1) % settled.len());
        prop_assert!(check(&goods, pages, &Choice::new(swapped)).is_err());
    }

    #[test]
    fn the_dialog_settles_a_change_as_the_server_does(
        (goods, pages, choice) in any_case(), at in any::<prop::sample::Index>()
    ) {
        let before = evaluate(&goods, pages, &choice);
        let offers: Vec<(usize, Cnum)> = before.steps.iter().enumerate()
            .flat_map(|(index, step)| {
                step.items.iter().filter(|item| item.enable).map(move |item| (index, item.cnum.clone()))
            })
            .collect();
        if offers.is_empty() {
            return Ok(());
        }
        let (index, cnum) = offers[at.index(offers.len())].clone();
        let mut chosen: Vec<Option<Cnum>> =
            before.steps.iter().map(|step| step.sel_cnum().cloned()).collect();
        chosen[index] = Some(cnum);
        let sent = Choice::new(chosen.iter().flatten().cloned().collect());
        let after = evaluate(&goods, pages, &sent);
        let settled: Vec<Option<Cnum>> = after.steps.iter().map(|step| step.sel_cnum().cloned()).collect();
        prop_assert_eq!(settle_with_data_alone(&goods, pages, chosen), settled);
    }
}
