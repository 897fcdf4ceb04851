//! What the host decides here.

use domain::notices::SUMMARY_HOUR;

use platform::config::variable;
use platform::error::Error;

/// Whether webhooks may lead into private networks, and without https (`BINDERY_WEBHOOK_PRIVATE=1`).
pub fn allows_private() -> bool {
    variable("BINDERY_WEBHOOK_PRIVATE").is_some_and(|value| value == "1")
}

/// The hour at which a day is summed up, in China's time (`BINDERY_SUMMARY_HOUR`, 0 to 23, 8 by default).
pub fn summary_hour() -> Result<u8, Error> {
    let Some(text) = variable("BINDERY_SUMMARY_HOUR") else { return Ok(SUMMARY_HOUR) };
    let hour = text.parse().ok().filter(|hour| *hour < 24);
    hour.ok_or_else(|| Error::internal(format!("BINDERY_SUMMARY_HOUR: {text:?} is no hour from 0 to 23")))
}

/// Refuses settings that can't be used when the program starts.
pub fn check() -> Result<(), Error> {
    summary_hour().map(drop)
}
