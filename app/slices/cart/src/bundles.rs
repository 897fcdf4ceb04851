//! Choices that go well together, as they can be made for a line.

use domain::goods::{Bundle, step_name};
use domain::money::Fen;
use domain::price::quote;
use domain::print_options::{Choice, Evaluation, evaluate};

use super::Line;

/// A bundle of the goods after the rules had their say.
#[derive(Debug, Clone)]
pub struct Offer {
    pub name: String,
    pub about: String,
    /// One code for each shown step that has items.
    pub choice: Choice,
    /// The address of the line's work as a book made so.
    pub picture: String,
    /// Binding, cover, paper and what else costs something, by name.
    pub items: Vec<String>,
    /// One copy of the line's number of copies, discounts taken off.
    pub each: Fen,
    pub is_chosen: bool,
}

/// Steps whose choice a bundle names in every case.
const NAMED: [&str; 3] = [step_name::BINDING, step_name::COVER, step_name::PAPER];

/// What the rules make of a bundle for the line's pages; `None` where the goods have none of this name.
pub fn choice_of(line: &Line, name: &str) -> Option<Choice> {
    let bundle = line.goods.bundles.iter().find(|bundle| bundle.name == name)?;
    Some(settled(line, bundle).choice())
}

/// What the rules make of a bundle by its place among the goods', from 1; 0 is the line's own choice.
pub fn choice_at(line: &Line, number: usize) -> Option<Choice> {
    let Some(place) = number.checked_sub(1) else { return Some(line.evaluation.choice()) };
    let bundle = line.goods.bundles.get(place)?;
    Some(settled(line, bundle).choice())
}

fn settled(line: &Line, bundle: &Bundle) -> Evaluation {
    evaluate(&line.goods, line.pages, &Choice::new(bundle.items.clone()))
}

/// The bundles of the line's goods that can be made with its pages, without those that come to the same.
pub fn offers(line: &Line) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    for (place, bundle) in line.goods.bundles.iter().enumerate() {
        let evaluation = settled(line, bundle);
        let choice = evaluation.choice();
        if !evaluation.is_complete() || offers.iter().any(|other| other.choice == choice) {
            continue;
        }
        let Ok(quote) = quote(&line.goods, line.pages, &choice, line.quantity, line.tier) else { continue };
        let named = evaluation.steps.iter().filter_map(|step| {
            let item = step.selected()?;
            let costs = line.goods.price_book.surcharge(&item.cnum, line.pages).is_some();
            let is_extra = step.name == step_name::CRAFT || step.name == step_name::GIFT_BOX;
            (NAMED.contains(&step.name.as_str()) || (is_extra && costs)).then(|| match step.name.as_str() {
                step_name::COVER => format!("{}封面", item.name),
                step_name::PAPER => format!("{}内页", item.name),
                _ => item.name.clone(),
            })
        });
        offers.push(Offer {
            name: bundle.name.clone(),
            // what a bundle says of itself need not hold of what the rules put in its place
            about: if bundle.items.iter().all(|cnum| choice.cnums().contains(cnum)) {
                bundle.about.clone()
            } else {
                evaluation.step(step_name::BINDING).and_then(|step| step.desc.clone()).unwrap_or_default()
            },
            // the address says what the picture shows
            picture: format!(
                "/manager/shopping/cart/{}/bound/{}?r={}",
                line.id,
                place + 1,
                line.work.revision
            ),
            items: named.collect(),
            each: quote.unit_price_after(),
            // whatever a craft is drawn from
            is_chosen: line.evaluation.choice().cnums() == choice.cnums(),
            choice,
        });
    }
    // one alone is no choice
    if offers.len() < 2 { Vec::new() } else { offers }
}
