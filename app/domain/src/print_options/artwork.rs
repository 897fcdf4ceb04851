//! What a chosen craft is drawn from: a field beside the steps, ruled as if it were one more.

use super::{EvaluatedItem, EvaluatedStep, Fit, Selection};
use crate::artwork::Artwork;
use crate::binding::{CoverMake, Embellishment};
use crate::goods::{Cnum, Goods, Item, Step, step_name};
use crate::ornament::Ornament;

/// The id of what is no step of the goods: none of theirs is called so.
pub const ARTWORK_ID: &str = "artwork";

/// What the craft is drawn from beside the chosen items. The title always may be.
pub(super) fn settled(goods: &Goods, chosen: &[(&Step, &Item)], wanted: Artwork) -> Option<EvaluatedStep> {
    if !has_plates(goods) {
        return None;
    }
    let judged = Artwork::all().map(|artwork| {
        let reason = obstacle(goods, chosen, artwork);
        EvaluatedItem {
            cnum: artwork.to_string().as_str().into(),
            name: artwork.name(),
            enable: reason.is_none(),
            fits: artwork_fits(goods, artwork) == Fit::Fits,
            reason,
        }
    });
    let is_possible = obstacle(goods, chosen, wanted).is_none();
    let kept = if is_possible { wanted } else { Artwork::Title };
    Some(EvaluatedStep {
        id: ARTWORK_ID.to_owned(),
        name: step_name::ARTWORK.to_owned(),
        items: judged.collect(),
        sel: Selection::Item(kept.to_string().as_str().into()),
        cover: None,
        desc: None,
        tips: None,
    })
}

/// Whether a shown craft asks for a plate.
fn has_plates(goods: &Goods) -> bool {
    let crafts = goods.shown_steps().filter(|step| step.name == step_name::CRAFT);
    crafts.flat_map(|step| &step.items).any(|item| Embellishment::of_item(&item.name).is_some())
}

/// Whether the page's size alone allows what a craft is drawn from.
pub fn artwork_fits(goods: &Goods, artwork: Artwork) -> Fit {
    let shorter = goods.trim.width.min(goods.trim.height);
    match artwork.ornament() {
        Some(ornament) if shorter < Ornament::LEAST_SIDE_MM => {
            Fit::Not(format!("短边不到 {:.0} 毫米，{}会糊在一起", Ornament::LEAST_SIDE_MM, ornament.name()))
        }
        _ => Fit::Fits,
    }
}

/// Why choosing an item disables what a craft is drawn from: without a plate there is nothing to draw, and leaves are punched
/// where an ornament runs along the edges.
fn excludes(goods: &Goods, (step, item): (&Step, &Item), artwork: Artwork) -> Option<String> {
    let ornament = artwork.ornament()?;
    match step.name.as_str() {
        step_name::CRAFT if Embellishment::of_item(&item.name).is_none() => {
            Some("没有选要做版的工艺".to_owned())
        }
        step_name::BINDING if ornament.runs_along_edges() => {
            let is_punched = matches!(goods.bodies.get(&item.name)?.cover, Some(CoverMake::Leaves(_)));
            is_punched.then(|| format!("{}的孔会打在{}上", item.name, ornament.name()))
        }
        _ => None,
    }
}

/// Every pair in which choosing an item disables what a craft is drawn from, and why.
pub fn artwork_exclusions(goods: &Goods) -> Vec<(Cnum, Artwork, String)> {
    let items = goods.shown_steps().flat_map(|step| step.items.iter().map(move |item| (step, item)));
    let pairs = items.flat_map(|(step, item)| {
        Artwork::all().filter_map(move |artwork| {
            Some((item.cnum.clone(), artwork, excludes(goods, (step, item), artwork)?))
        })
    });
    pairs.collect()
}

/// Why a craft can't be drawn from something beside the chosen items; `None` where it can.
pub(super) fn obstacle(goods: &Goods, chosen: &[(&Step, &Item)], artwork: Artwork) -> Option<String> {
    artwork.ornament()?;
    if !has_plates(goods) {
        return Some("没有要做版的工艺".to_owned());
    }
    match artwork_fits(goods, artwork) {
        Fit::Not(reason) => Some(reason),
        Fit::Fits => chosen.iter().find_map(|chosen| excludes(goods, *chosen, artwork)),
    }
}
