//! What the print-options island is given, and the cart info of the calls (specification section 3).

use std::collections::BTreeMap;

use domain::goods::{Cnum, Goods, Item, PageRange, Step, step_name};
use domain::ids::CartLineId;
use domain::price::Quote;
use domain::print_options::{EvaluatedItem, EvaluatedStep, Fit, artwork_exclusions, exclusions, fits};
use press::PageRef;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use web::assets;
use web::islands::Props;

use super::Line;
use super::bundles::{Offer, offers};
use super::pages::face_base;
use works::picture_address;

/// Props of the island 印刷选项.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PrintOptionsProps {
    #[serde(rename = "cartID")]
    pub cart_id: String,
}

/// Cart info. Prices are yuan as decimal strings.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CartInfo {
    pub goods: CartInfoGoods,
    /// Pages (sides) of the work: the count that every rule uses.
    pub page_num: u32,
    pub count: u32,
    /// The address of the cover's picture.
    pub photo_path: String,
    pub client_design_name: String,
    pub goods_name: String,
    /// The page count as members read it.
    pub show_page_num: String,
    #[serde(rename = "remarkinfo")]
    pub remark: String,
    /// The volume discounts as text.
    #[serde(rename = "yhstr")]
    pub volume_discounts: String,
    pub total_price: String,
    /// Total ÷ quantity, rounded down.
    pub unit_price: String,
    /// The page range of each offered binding, by its name.
    pub zhuang_ding_page_cfg: BTreeMap<String, [u32; 2]>,
    pub buzhou: Vec<CartInfoStep>,
    /// Choices that go well together.
    pub bundles: Vec<CartInfoBundle>,
    /// The working days in which it is made, such as `5–7`.
    pub making_days: String,
    /// Choosing the first disables the second.
    pub exclusions: Vec<[String; 2]>,
    /// Why, one for each of the exclusions.
    pub exclusion_reasons: Vec<String>,
    /// What a craft is drawn from; null where no craft asks for a plate.
    pub artwork: Option<CartInfoArtwork>,
    /// The address of the front's picture as a choice makes it, without that choice.
    pub front_path: String,
    /// The codes that make the front look otherwise than it is printed.
    pub front_cnums: Vec<String>,
}

/// What a craft is drawn from, as if it were one more step, and which item of a step disables what of it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CartInfoArtwork {
    pub step: CartInfoStep,
    /// Choosing the first disables the second, which is of this step.
    pub exclusions: Vec<[String; 2]>,
    pub exclusion_reasons: Vec<String>,
    /// What is said while no chosen craft asks.
    pub hint: String,
}

/// What is said of it while no chosen craft asks for a plate.
pub const ARTWORK_HINT: &str = "选了烫金、局部UV或起鼓以后，可以在这里选它做在书名上，还是做成一种纹样。";

/// A set of choices under one name.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct CartInfoBundle {
    pub name: String,
    pub about: String,
    /// The names of what it is made of.
    pub items: Vec<String>,
    /// One code for each shown step that has items.
    pub cnums: Vec<String>,
    /// What a copy costs with it, for the saved number of copies.
    pub each: String,
    /// The address of the work's picture as a book made so.
    pub cover: String,
}

/// What the cart info says of the goods.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct CartInfoGoods {
    #[serde(rename = "ID")]
    pub id: String,
    #[serde(rename = "EditorType")]
    pub editor_type: u8,
    /// `y` or `n`.
    #[serde(rename = "isHasPastedown")]
    #[ts(type = "\"y\" | \"n\"")]
    pub is_has_pastedown: String,
}

/// A production step.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(rename = "Step")]
pub struct CartInfoStep {
    #[serde(rename = "ID")]
    pub id: String,
    #[serde(rename = "Name")]
    pub name: String,
    /// `Y` or `N`; a hidden step takes part in no rule.
    #[serde(rename = "IsShow")]
    #[ts(type = "\"Y\" | \"N\"")]
    pub is_show: String,
    pub items: Vec<CartInfoItem>,
    /// Empty where nothing is chosen.
    #[serde(rename = "selCnum")]
    pub sel_cnum: String,
    /// The address of the chosen item's picture, or empty.
    pub cover: String,
    /// The chosen item's description, or empty.
    pub desc: String,
    /// The chosen item's tip, or the step's own.
    pub tips: String,
    /// The tip where the chosen item has none.
    #[serde(rename = "ownTips")]
    pub own_tips: String,
}

/// An item of a step. What it shows once it is chosen comes along, so that choosing it asks nobody.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(rename = "Item")]
pub struct CartInfoItem {
    #[serde(rename = "Cnum")]
    pub cnum: String,
    #[serde(rename = "Name")]
    pub name: String,
    /// Its flag for the saved choice, all rules applied.
    pub enable: bool,
    /// Whether the page count alone allows it.
    pub fits: bool,
    /// Why it does not fit; empty when it does.
    pub reason: String,
    pub cover: String,
    pub desc: String,
    pub tips: String,
    /// What it adds to the price, such as `+¥22.00`; empty where it costs nothing.
    pub surcharge: String,
}

/// One part of a price: yuan as a decimal string, below zero for a discount.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PriceLine {
    pub label: String,
    pub detail: String,
    pub amount: String,
}

impl CartInfo {
    /// What the dialog of a cart line needs, once and for all.
    pub fn of(line: &Line) -> Self {
        let goods = &line.goods;
        let range = |range: &PageRange| [range.min, range.max];
        let exclusions = exclusions(goods, line.pages);
        Self {
            goods: CartInfoGoods {
                id: goods.id.to_string(),
                editor_type: goods.editor_type,
                is_has_pastedown: if goods.is_has_pastedown { "y" } else { "n" }.into(),
            },
            page_num: line.pages,
            count: line.quantity.get(),
            photo_path: picture_address(&line.work.id, line.work.revision, PageRef::Cover, 720),
            client_design_name: line.work.title.clone(),
            goods_name: goods.name.clone(),
            show_page_num: format!("{} 页", line.pages),
            remark: line.remark.clone(),
            volume_discounts: goods.price_book.yhstr(),
            total_price: line.quote.total.to_string(),
            unit_price: line.quote.unit_price_after().to_string(),
            zhuang_ding_page_cfg: offered_bindings(goods)
                .filter_map(|name| Some((name.clone(), range(goods.binding_pages.get(name)?))))
                .collect(),
            buzhou: goods.steps.iter().map(|step| CartInfoStep::of(line, step)).collect(),
            bundles: offers(line).into_iter().map(CartInfoBundle::from).collect(),
            making_days: goods.making_days.to_string(),
            exclusion_reasons: exclusions.iter().map(|pair| pair.reason.clone()).collect(),
            exclusions: exclusions.into_iter().map(|pair| [pair.chosen.0, pair.disabled.0]).collect(),
            artwork: line.evaluation.artwork.as_ref().map(|step| CartInfoArtwork::of(line, step)),
            front_path: face_base(line, "front"),
            front_cnums: goods.seen_on_front().map(|cnum| cnum.0.clone()).collect(),
        }
    }
}

fn offered_bindings(goods: &Goods) -> impl Iterator<Item = &String> {
    let binding = goods.shown_steps().filter(|step| step.name == step_name::BINDING);
    binding.flat_map(|step| step.items.iter().map(|item| &item.name))
}

impl CartInfoArtwork {
    fn of(line: &Line, step: &EvaluatedStep) -> Self {
        let item = |item: &EvaluatedItem| CartInfoItem {
            cnum: item.cnum.0.clone(),
            name: item.name.clone(),
            enable: item.enable,
            fits: item.fits,
            reason: item.reason.clone().filter(|_| !item.fits).unwrap_or_default(),
            cover: String::new(),
            desc: String::new(),
            tips: String::new(),
            surcharge: String::new(),
        };
        let pairs = artwork_exclusions(&line.goods);
        Self {
            step: CartInfoStep {
                id: step.id.clone(),
                name: step.name.clone(),
                is_show: "Y".to_owned(),
                items: step.items.iter().map(item).collect(),
                sel_cnum: step.sel_cnum().map(|cnum| cnum.0.clone()).unwrap_or_default(),
                cover: String::new(),
                desc: String::new(),
                tips: String::new(),
                own_tips: String::new(),
            },
            exclusion_reasons: pairs.iter().map(|(.., reason)| reason.clone()).collect(),
            exclusions: pairs.into_iter().map(|(cnum, artwork, _)| [cnum.0, artwork.to_string()]).collect(),
            hint: ARTWORK_HINT.to_owned(),
        }
    }
}

impl CartInfoStep {
    fn of(line: &Line, step: &Step) -> Self {
        let evaluated = line.evaluation.steps.iter().find(|evaluated| evaluated.id == step.id);
        let text = |text: Option<&String>| text.cloned().unwrap_or_default();
        let chosen = evaluated.and_then(EvaluatedStep::sel_cnum);
        Self {
            id: step.id.clone(),
            name: step.name.clone(),
            is_show: if step.is_show { "Y" } else { "N" }.into(),
            items: step.items.iter().map(|item| CartInfoItem::of(line, step, item, evaluated)).collect(),
            sel_cnum: chosen.map(|cnum| cnum.0.clone()).unwrap_or_default(),
            cover: picture(evaluated.and_then(|step| step.cover.as_ref())),
            desc: text(evaluated.and_then(|step| step.desc.as_ref())),
            tips: text(evaluated.and_then(|step| step.tips.as_ref())),
            own_tips: text(step.tips.as_ref()),
        }
    }
}

impl CartInfoItem {
    fn of(line: &Line, step: &Step, item: &Item, evaluated: Option<&EvaluatedStep>) -> Self {
        let is_enabled = |cnum: &Cnum| {
            evaluated.is_some_and(|step| step.items.iter().any(|item| item.cnum == *cnum && item.enable))
        };
        let (fits, reason) = match fits(&line.goods, line.pages, step, item) {
            Fit::Fits => (true, String::new()),
            Fit::Not(reason) => (false, reason),
        };
        Self {
            cnum: item.cnum.0.clone(),
            name: item.name.clone(),
            enable: if step.is_show { is_enabled(&item.cnum) } else { fits },
            fits,
            reason,
            cover: picture(item.cover.as_ref()),
            desc: item.description.clone().unwrap_or_default(),
            tips: item.tips.clone().unwrap_or_default(),
            surcharge: line
                .goods
                .price_book
                .surcharge(&item.cnum, line.pages)
                .map(|surcharge| surcharge.to_string())
                .unwrap_or_default(),
        }
    }
}

impl From<Offer> for CartInfoBundle {
    fn from(offer: Offer) -> Self {
        Self {
            cnums: offer.choice.cnums().iter().map(|cnum| cnum.0.clone()).collect(),
            each: offer.each.to_string(),
            cover: offer.picture,
            name: offer.name,
            about: offer.about,
            items: offer.items,
        }
    }
}

impl PriceLine {
    /// A price's parts; they sum to its total.
    pub fn all(quote: &Quote) -> Vec<Self> {
        let line = |line: &domain::price::QuoteLine| Self {
            label: line.label.clone(),
            detail: line.detail.clone(),
            amount: line.amount.to_string(),
        };
        quote.lines.iter().map(line).collect()
    }
}

/// The address of a picture by its key, such as `binding-saddle`; empty without.
pub fn picture(key: Option<&String>) -> String {
    key.map(|key| assets::address(&format!("{key}.svg"))).unwrap_or_default()
}

/// What tells cart lines apart for the island.
impl From<&CartLineId> for PrintOptionsProps {
    fn from(id: &CartLineId) -> Self {
        Self { cart_id: id.to_string() }
    }
}

impl Props for PrintOptionsProps {
    const NAME: &'static str = "print-options";
}
