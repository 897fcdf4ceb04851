//! What the host decides here.

use domain::notices::SUMMARY_HOUR;

use platform::config::{switch, variable};
use platform::error::Error;

/// Whether webhooks may lead into private networks, and without https (`BINDERY_WEBHOOK_PRIVATE=1`).
pub fn allows_private() -> bool {
    private().unwrap_or(false)
}

fn private() -> Result<bool, Error> {
    switch("BINDERY_WEBHOOK_PRIVATE", false).map_err(Error::internal)
}

/// The hour at which a day is summed up, in China's time (`BINDERY_SUMMARY_HOUR`, 0 to 23, 8 by default).
pub fn summary_hour() -> Result<u8, Error> {
    let Some(text) = variable("BINDERY_SUMMARY_HOUR") else { return Ok(SUMMARY_HOUR) };
    let hour = text.parse().ok().filter(|hour| *hour < 24);
    hour.ok_or_else(|| Error::internal(format!("BINDERY_SUMMARY_HOUR: {text:?} is no hour from 0 to 23")))
}

/// Refuses settings that can't be used when the program starts.
pub fn check() -> Result<(), Error> {
    private()?;
    summary_hour().map(drop)
}
