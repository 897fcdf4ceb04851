//! The goods as the public pages show them: with a price that a new member would pay.

use std::sync::Arc;

use base::error::Error;
use domain::goods::{Goods, Item, Step, step_name};
use domain::price::{Quote, quote};
use domain::print_options::{Quantity, default_choice, evaluate};
use domain::tier::Tier;
use web::app::App;

use super::samples::{Sample, sample};

/// Goods with the price of one copy of the fewest pages, as proposed.
pub struct Offer {
    pub goods: Arc<Goods>,
    pub quote: Quote,
    /// Whether a member can make a work of this size today.
    pub is_made_here: bool,
    /// A book of this size that the press drew.
    pub sample: Option<&'static Sample>,
}

impl Offer {
    /// What the price is for.
    pub fn terms(&self) -> String {
        terms(&self.goods, &self.quote)
    }
}

/// All goods that are sold and can be priced.
pub async fn all(app: &App) -> Result<Vec<Offer>, Error> {
    let mut offers = Vec::new();
    for goods in catalog::all(app).await? {
        if let Some(quote) = priced(&goods, goods.pages.min, 1)? {
            let is_made_here = works::offers_size(goods.trim);
            let sample = sample(goods.trim);
            offers.push(Offer { goods, quote, is_made_here, sample });
        }
    }
    Ok(offers)
}

/// What a new member pays for copies as proposed; `None` where nothing can be proposed for so many pages.
pub fn priced(goods: &Goods, pages: u32, count: u32) -> Result<Option<Quote>, Error> {
    let evaluation = evaluate(goods, pages, &default_choice(goods, pages));
    if !evaluation.is_complete() {
        return Ok(None);
    }
    let count = Quantity::try_from(count).map_err(Error::internal)?;
    quote(goods, pages, &evaluation.choice(), count, Tier::Basic).map(Some).map_err(Error::internal)
}

/// What a quote is for: `16 页，普通精装，1 本`.
pub fn terms(goods: &Goods, quote: &Quote) -> String {
    let choice = default_choice(goods, quote.pages);
    let binding = goods.chosen(step_name::BINDING, &choice).map_or("", |item| item.name.as_str());
    format!("{} 页，{binding}，{} 本", quote.pages, quote.count)
}

/// The items of the shown step with this name.
pub fn items<'a>(goods: &'a Goods, step: &str) -> impl Iterator<Item = &'a Item> {
    let step: Option<&Step> = goods.shown_steps().find(|shown| shown.name == step);
    step.into_iter().flat_map(|step| &step.items)
}
