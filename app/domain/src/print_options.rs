//! The rules of the print-options dialog 印刷选项 (specification sections 2, 4 and 5). Nowhere else.
//!
//! An item is enabled exactly when it fits the page count ([`fits`]) and no chosen item excludes it
//! ([`exclusions`]). The dialog in the browser gets both as data, the server asks this module.
//!
//! Exclusions run one way: 封面材质 → 装订方式 and 其他工艺, 装订方式 → 内页覆膜 and 内页克重. So [`evaluate`] settles the cover first, then the
//! binding, then every other step in the order of the dialog, each once: when a step is settled, nothing
//! that can exclude its items changes any more. That ends after one pass however far a fallback cascades,
//! and its result is the only one in which every rule holds and no choice moved without need.
//!
//! Prices are in [`crate::price`].

use std::fmt;

use crate::artwork::{Artwork, UnknownArtwork};
use crate::goods::{Cnum, Goods, Item, Step, step_name};

mod artwork;
mod quantity;
mod rules;
pub use artwork::{ARTWORK_ID, artwork_exclusions, artwork_fits};
pub use quantity::{NotAQuantity, QUANTITY, Quantity};
pub use rules::{Exclusion, Fit, PAPER_WEIGHT_PAGES, exclusions, fits};
pub(crate) use rules::{NO_LAMINATION, SADDLE_STITCH, counts_two_apart, paper_weight_pages};

/// The codes of the chosen items in the order of the shown steps, `cnums` of the calls, joined by a pipe; and what the chosen craft
/// is drawn from.
///
/// Nothing says that they belong to any goods: [`check`] does.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Choice {
    cnums: Vec<Cnum>,
    artwork: Artwork,
}

/// The dialog for one choice: every shown step with what may be chosen and what is.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Pages (sides) of the work.
    pub page_count: u32,
    pub steps: Vec<EvaluatedStep>,
    /// What the craft is drawn from, as if it were one more step; the codes are those of [`Artwork`]. `None` where the goods have
    /// no craft that asks for a plate.
    pub artwork: Option<EvaluatedStep>,
}

/// A shown step with its derived fields (specification section 3).
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedStep {
    pub id: String,
    pub name: String,
    pub items: Vec<EvaluatedItem>,
    /// `selCnum`.
    pub sel: Selection,
    /// The picture key of the chosen item.
    pub cover: Option<String>,
    /// The description of the chosen item.
    pub desc: Option<String>,
    /// The tip of the chosen item, or the step's own.
    pub tips: Option<String>,
}

/// What is chosen in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// An enabled item.
    Item(Cnum),
    /// The step has items, and none is enabled: these goods can't be made like this.
    NothingEnabled,
    /// The step has no items: 备注.
    FreeText,
}

/// An item with its derived flags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluatedItem {
    pub cnum: Cnum,
    pub name: String,
    /// It fits and no chosen item excludes it.
    pub enable: bool,
    /// The page count alone allows it.
    pub fits: bool,
    /// Why it is not enabled, for the member.
    pub reason: Option<String>,
}

/// Why a choice is not saved. The text is for the member.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No shown step has such an item.
    #[error("没有这个选项：{0}")]
    UnknownItem(Cnum),
    /// Two items of one step, or one twice.
    #[error("{step}只能选一项")]
    TwoOfOneStep { step: String },
    /// The codes don't follow the order of the steps.
    #[error("选项的顺序与工序不符")]
    OutOfOrder,
    /// A shown step has items and none is chosen.
    #[error("请选择{step}")]
    Missing { step: String },
    /// The chosen item doesn't fit, or another choice excludes it.
    #[error("{item}不可选：{reason}")]
    Disabled { step: String, item: String, reason: String },
}

impl Choice {
    /// A choice of these codes; a craft is drawn from the title.
    pub fn new(cnums: Vec<Cnum>) -> Self {
        Self { cnums, artwork: Artwork::Title }
    }

    /// The same, with a craft drawn from something.
    pub fn with_artwork(self, artwork: Artwork) -> Self {
        Self { artwork, ..self }
    }

    /// Reads codes joined by a pipe, as `getTotal` and `updateCart` carry them. Empty codes are kept, so that
    /// [`check`] sees where they stand; an empty text is no code at all.
    pub fn parse(cnums: &str) -> Self {
        if cnums.is_empty() {
            return Self::default();
        }
        Self::new(cnums.split('|').map(Cnum::from).collect())
    }

    /// A choice as rows keep it.
    pub fn kept(cnums: &str, artwork: &str) -> Result<Self, UnknownArtwork> {
        Ok(Self::parse(cnums).with_artwork(artwork.parse()?))
    }

    /// The codes in order.
    pub fn cnums(&self) -> &[Cnum] {
        &self.cnums
    }

    /// What the chosen craft is drawn from.
    pub fn artwork(&self) -> Artwork {
        self.artwork
    }

    /// Whether an item is chosen.
    pub fn contains(&self, cnum: &Cnum) -> bool {
        self.cnums.contains(cnum)
    }
}

/// The codes joined by a pipe.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, cnum) in self.cnums.iter().enumerate() {
            let pipe = if index > 0 { "|" } else { "" };
            write!(f, "{pipe}{cnum}")?;
        }
        Ok(())
    }
}

/// Settles a choice: what is chosen and enabled stays, in every other step the first enabled item is
/// selected (specification section 4, rule 5). Codes of no shown step and the second of two of one step
/// are ignored, so any text gives an answer; [`check`] is the strict one.
pub fn evaluate(goods: &Goods, page_count: u32, choice: &Choice) -> Evaluation {
    let steps: Vec<&Step> = goods.shown_steps().collect();
    let mut order: Vec<usize> = (0..steps.len()).collect();
    order.sort_by_key(|&index| rules::settling_rank(steps[index]));

    let mut settled: Vec<(&Step, &Item)> = Vec::new();
    let mut evaluated: Vec<(usize, EvaluatedStep)> = Vec::new();
    for index in order {
        let step = steps[index];
        let items: Vec<EvaluatedItem> =
            step.items.iter().map(|item| judge(goods, page_count, &settled, step, item)).collect();
        let wanted = choice.cnums().iter().find(|cnum| step.item(cnum).is_some());
        let selected = items
            .iter()
            .find(|item| item.enable && Some(&item.cnum) == wanted)
            .or_else(|| items.iter().find(|item| item.enable))
            .and_then(|item| step.item(&item.cnum));
        if let Some(item) = selected {
            settled.push((step, item));
        }
        evaluated.push((index, derive_step(step, items, selected)));
    }
    evaluated.sort_by_key(|(index, _)| *index);
    let artwork = artwork::settled(goods, &settled, choice.artwork());
    Evaluation { page_count, steps: evaluated.into_iter().map(|(_, step)| step).collect(), artwork }
}

/// The choice a new cart line begins with: the first enabled item of every step.
pub fn default_choice(goods: &Goods, page_count: u32) -> Choice {
    evaluate(goods, page_count, &Choice::default()).choice()
}

/// Whether a choice may be saved as it is: [`complete`], and every item of it enabled.
pub fn check(goods: &Goods, page_count: u32, choice: &Choice) -> Result<(), Refusal> {
    let chosen = complete_items(goods, choice)?;
    for (step, item) in &chosen {
        if let Some(reason) = judge(goods, page_count, &chosen, step, item).reason {
            return Err(Refusal::Disabled { step: step.name.clone(), item: item.name.clone(), reason });
        }
    }
    match artwork::obstacle(goods, &chosen, choice.artwork()) {
        Some(reason) => Err(Refusal::Disabled {
            step: step_name::ARTWORK.to_owned(),
            item: choice.artwork().name(),
            reason,
        }),
        None => Ok(()),
    }
}

/// Whether a choice names exactly one known item of each shown step with items, in step order, allowed or
/// not. An empty code is fine in the place of a step without items, where a client that joins every
/// `selCnum` has one.
pub fn complete(goods: &Goods, choice: &Choice) -> Result<(), Refusal> {
    complete_items(goods, choice).map(drop)
}

fn complete_items<'a>(goods: &'a Goods, choice: &Choice) -> Result<Vec<(&'a Step, &'a Item)>, Refusal> {
    let chosen = locate(goods, choice)?;
    let missing = goods
        .shown_steps()
        .filter(|step| !step.items.is_empty())
        .find(|step| !chosen.iter().any(|(chosen_step, _)| chosen_step.id == step.id));
    match missing {
        Some(step) => Err(Refusal::Missing { step: step.name.clone() }),
        None => Ok(chosen),
    }
}

/// The items a choice names, in step order, at most one of each step.
fn locate<'a>(goods: &'a Goods, choice: &Choice) -> Result<Vec<(&'a Step, &'a Item)>, Refusal> {
    let steps: Vec<&Step> = goods.shown_steps().collect();
    let mut chosen: Vec<(&Step, &Item)> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for cnum in choice.cnums() {
        let place = if cnum.0.is_empty() {
            steps.iter().position(|step| step.items.is_empty())
        } else {
            steps.iter().position(|step| step.item(cnum).is_some())
        };
        let place = place.ok_or_else(|| Refusal::UnknownItem(cnum.clone()))?;
        if places.contains(&place) {
            return Err(Refusal::TwoOfOneStep { step: steps[place].name.clone() });
        }
        places.push(place);
        if let Some(item) = steps[place].item(cnum) {
            chosen.push((steps[place], item));
        }
    }
    if places.is_sorted() { Ok(chosen) } else { Err(Refusal::OutOfOrder) }
}

/// The flags of one item beside the chosen ones.
fn judge(
    goods: &Goods,
    page_count: u32,
    chosen: &[(&Step, &Item)],
    step: &Step,
    item: &Item,
) -> EvaluatedItem {
    let fit = fits(goods, page_count, step, item);
    let fits = fit == Fit::Fits;
    let excluded = || {
        let mut chosen = chosen.iter();
        chosen.find_map(|(of, chosen)| rules::excludes(goods, page_count, (of, chosen), (step, item)))
    };
    let reason = match fit {
        Fit::Fits => excluded(),
        Fit::Not(reason) => Some(reason),
    };
    EvaluatedItem { cnum: item.cnum.clone(), name: item.name.clone(), enable: reason.is_none(), fits, reason }
}

fn derive_step(step: &Step, items: Vec<EvaluatedItem>, selected: Option<&Item>) -> EvaluatedStep {
    let sel = match selected {
        Some(item) => Selection::Item(item.cnum.clone()),
        None if step.items.is_empty() => Selection::FreeText,
        None => Selection::NothingEnabled,
    };
    EvaluatedStep {
        id: step.id.clone(),
        name: step.name.clone(),
        items,
        sel,
        cover: selected.and_then(|item| item.cover.clone()),
        desc: selected.and_then(|item| item.description.clone()),
        tips: selected.and_then(|item| item.tips.clone()).or_else(|| step.tips.clone()),
    }
}

/// The chosen items in one line for a member: without those that mean none, and with its part of the book where two steps
/// have an item of the same name.
pub fn spec(choices: &[(String, String)]) -> Vec<String> {
    let part = |step: &str| match step {
        step_name::COVER | step_name::LAMINATION => "封面",
        step_name::PAPER | step_name::INNER_LAMINATION => "内页",
        _ => "",
    };
    let is_twice = |name: &str| choices.iter().filter(|(_, other)| other == name).count() > 1;
    // a craft is made of the title unless something else is said
    let is_usual = |step: &str, name: &str| step == step_name::ARTWORK && name == Artwork::Title.name();
    let said =
        choices.iter().filter(|(step, name)| !NOTHING.contains(&name.as_str()) && !is_usual(step, name));
    said.map(|(step, name)| if is_twice(name) { format!("{}{name}", part(step)) } else { name.clone() })
        .collect()
}

/// What items are called that add nothing.
const NOTHING: [&str; 2] = ["无", "不需要"];

impl Evaluation {
    /// The selected codes in step order: what [`check`] accepts when the evaluation is complete.
    pub fn choice(&self) -> Choice {
        let cnums = self.steps.iter().filter_map(|step| step.sel_cnum().cloned()).collect();
        let artwork = self.artwork.as_ref().and_then(EvaluatedStep::sel_cnum);
        Choice { cnums, artwork: artwork.and_then(|code| code.0.parse().ok()).unwrap_or_default() }
    }

    /// Every step with items has an enabled one.
    pub fn is_complete(&self) -> bool {
        self.stuck().next().is_none()
    }

    /// The steps in which nothing can be chosen.
    pub fn stuck(&self) -> impl Iterator<Item = &EvaluatedStep> {
        self.steps.iter().filter(|step| step.sel == Selection::NothingEnabled)
    }

    /// The step with this name.
    pub fn step(&self, name: &str) -> Option<&EvaluatedStep> {
        self.steps.iter().find(|step| step.name == name)
    }
}

impl EvaluatedStep {
    /// `selCnum`; `None` in 备注 and where nothing is enabled.
    pub fn sel_cnum(&self) -> Option<&Cnum> {
        match &self.sel {
            Selection::Item(cnum) => Some(cnum),
            Selection::NothingEnabled | Selection::FreeText => None,
        }
    }

    /// The selected item.
    pub fn selected(&self) -> Option<&EvaluatedItem> {
        let cnum = self.sel_cnum()?;
        self.items.iter().find(|item| item.cnum == *cnum)
    }

    /// The binding step, which shows a picture and a description (specification section 2).
    pub fn is_binding(&self) -> bool {
        self.name == step_name::BINDING
    }

    /// 备注: a free-text box in the place of a selector (specification section 2).
    pub fn is_remarks(&self) -> bool {
        self.name == step_name::REMARKS
    }
}
