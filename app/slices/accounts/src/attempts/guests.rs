//! Counts of those who send photos to a collection without an account: all guests of a feast may be behind one network
//! address, so the limits are far above what people do, and what is bounded is the rows that a program can make.

use base::db::Tx;
use base::error::Error;
use web::app::App;

use super::{HOUR_MS, Limit, MINUTE_MS, Subject, Taking};

/// What a network address sends to a collection, form by form.
const REQUESTS_HERE: Limit = Limit {
    free: 3_000,
    first_ms: MINUTE_MS,
    doubles_from: i64::MAX,
    longest_ms: MINUTE_MS,
    memory_ms: 10 * MINUTE_MS,
    why: "从您所在的网络，在这里发得太频繁",
    meanwhile: "已经发来的都在。",
};
/// The same to all collections.
const REQUESTS_OF_ADDRESS: Limit = Limit { free: 9_000, ..REQUESTS_HERE };

/// New guests of a collection from a network address.
const GUESTS_HERE: Limit = Limit {
    free: 500,
    first_ms: MINUTE_MS,
    doubles_from: 500,
    longest_ms: HOUR_MS,
    memory_ms: HOUR_MS,
    why: "从您所在的网络，第一次来这里的人太多",
    meanwhile: "",
};

/// See [`crate::take_guest_request`].
pub async fn take_request(app: &App, address: &str, collection: &str) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    taking.take(&mut tx, &Subject::Part("guest-here", collection, address).key(), REQUESTS_HERE).await?;
    taking.take(&mut tx, &Subject::Whole("guest-address", address).key(), REQUESTS_OF_ADDRESS).await?;
    taking.done()?;
    Ok(tx.commit().await?)
}

/// See [`crate::take_guest`].
pub async fn take_guest(tx: &mut Tx, address: &str, collection: &str) -> Result<(), Error> {
    let mut taking = Taking::default();
    taking.take(tx, &Subject::Part("guests", collection, address).key(), GUESTS_HERE).await?;
    taking.done()
}
