//! What the host decides here.

use base::error::Error;
use base::variables::{Kind, Usual, Variable};

/// What the host may set.
pub static VARIABLES: &[&Variable] = &[&HOUR, &PRIVATE];

static HOUR: Variable = Variable::new(
    "BINDERY_SUMMARY_HOUR",
    Kind::Whole(0..=23),
    Usual::Value("8"),
    "the hour, in China's time, at which clerks who asked for it are mailed the day before, summed up",
);
static PRIVATE: Variable = Variable::new(
    "BINDERY_WEBHOOK_PRIVATE",
    Kind::Switch,
    Usual::Value("0"),
    "`1`: webhooks may lead into private networks, and over plain http",
);

/// Whether webhooks may lead into private networks, and without https.
pub fn allows_private() -> bool {
    PRIVATE.is_on().unwrap_or(false)
}

/// The hour at which a day is summed up, in China's time.
pub fn summary_hour() -> Result<u8, Error> {
    HOUR.parsed().map_err(Error::internal)
}
