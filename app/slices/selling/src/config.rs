//! What the host decides about selling.

use std::sync::Arc;

use base::error::Error;
use base::variables::{Kind, Usual, Variable};
use domain::money::Rate;
use web::app::App;

/// What the host may set.
pub static VARIABLES: &[&Variable] = &[&FEE];

static FEE: Variable = Variable::new(
    "BINDERY_SALES_FEE",
    Kind::Own(|text| match text.parse::<Rate>() {
        Ok(_) => Ok(()),
        Err(_) => {
            Err(format!("{text:?} is no rate from 0 to below 1 with at most four decimals, such as 0.1"))
        }
    }),
    Usual::Value("0.1"),
    "the house's share of what sellers earn, a rate below 1 with at most four decimals; a sale keeps the one it was made with",
);

/// The settings of this slice.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The house's share of what sellers earn (`BINDERY_SALES_FEE`). A sale keeps the one that it was made with.
    pub fee: Rate,
}

/// What the host set.
pub fn settings(app: &App) -> Result<Arc<Settings>, Error> {
    app.own(|_| Ok(Settings { fee: FEE.parsed().map_err(Error::internal)? }))
}
