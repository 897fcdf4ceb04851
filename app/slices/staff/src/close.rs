//! /staff/close 月结: each month's figures as the slices tell them, and closing a month for good. What closes stays: a posting
//! belongs to the month of its own time.

mod export;
mod forms;
mod page;
mod store;

pub use export::MonthExport;
pub use forms::{ask, decide};
pub use page::{ClosePage, MonthPage};

use base::db::now_ms;
use base::error::Error;
use base::time::{date, start_of};
use base::variables::{Kind, Usual, Variable};
use domain::close::{Figures, Month, Rates};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use web::app::App;

/// Where months are listed.
pub const LIST: &str = "/staff/close";
/// The rates of tax that is in prices.
pub static TAX_RATES: Variable = Variable::new(
    "BINDERY_TAX_RATES",
    Kind::Own(|text| text.parse::<Rates>().map(drop)),
    Usual::Words("none is reckoned"),
    "the tax (增值税) that is in prices, by what they are for, such as `goods=0.13,postage=0.06,memberships=0.06,fees=0.06`; the \
     close of a month says how much it comes to",
);

/// The host's rates.
struct Configured(Rates);

/// The rates of tax, as the host configured them.
pub fn rates(app: &App) -> Result<Rates, Error> {
    let read: Arc<Configured> = app.own(|_| TAX_RATES.parsed().map(Configured).map_err(Error::internal))?;
    Ok(read.0.clone())
}

/// The month that is now.
fn this_month() -> Month {
    Month::of(date(now_ms()))
}

/// From a month's first moment to that of the next one, epoch ms.
fn times(month: Month) -> Result<(i64, i64), Error> {
    let first = |month: Month| month.first().map(start_of).ok_or(Error::NotFound);
    Ok((first(month)?, first(month.next())?))
}

/// What a month comes to, reckoned over one state of the database.
pub async fn reckon(app: &App, month: Month) -> Result<Figures, Error> {
    let time = times(month)?;
    let mut tx = app.db.begin_snapshot().await?;
    let mut figures = Figures::default();
    for monthly in app.house.slices.iter().filter_map(|slice| slice.monthly) {
        monthly(&mut tx, time, &mut figures).await?;
    }
    Ok(figures)
}

/// Figures as they are kept, and the SHA-256 of that.
fn kept(figures: &Figures) -> Result<(String, String), Error> {
    let text = serde_json::to_string(figures).map_err(Error::internal)?;
    let digest = hex::encode(Sha256::digest(text.as_bytes()));
    Ok((text, digest))
}

/// The page of a month.
fn address(month: Month) -> String {
    format!("{LIST}/{month}")
}

/// What waits here.
pub async fn count_asked(app: &App) -> Result<(i64, Option<i64>), Error> {
    store::count_asked(&app.db).await
}
