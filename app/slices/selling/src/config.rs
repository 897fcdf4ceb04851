//! What the host decides about selling.

use std::sync::Arc;

use domain::money::Rate;

use platform::app::App;
use platform::config::{ConfigError, variable};
use platform::error::Error;

const FEE: &str = "BINDERY_SALES_FEE";
/// The house's share where the host says nothing.
const USUAL_FEE: &str = "0.1";

/// The settings of this slice.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The house's share of what sellers earn (`BINDERY_SALES_FEE`). A sale keeps the one that it was made with.
    pub fee: Rate,
}

/// What the host set.
pub fn settings(app: &App) -> Result<Arc<Settings>, Error> {
    app.own(|_| {
        let text = variable(FEE).unwrap_or_else(|| USUAL_FEE.to_owned());
        let fee = text.parse().map_err(|_| {
            let sentence = format!(
                "{FEE}: {text:?} is no rate from 0 to below 1 with at most four decimals, such as 0.1"
            );
            Error::internal(ConfigError::new(&sentence))
        })?;
        Ok(Settings { fee })
    })
}
