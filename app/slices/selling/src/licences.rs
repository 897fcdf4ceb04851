//! Licences 团体订阅: a seller's package for the people of an organisation, each on a seat. A seat is no right of its own that is used
//! in turn with what its reader bought: it opens what the licence holds as long as both last, and ends with either.
//!
//! The code follows from the licence's id, how often it was changed and the installation's key, so that its seller always sees it.

use std::net::IpAddr;

use base::db::Tx;
use base::error::Error;
use base::signing::{keyed, redeem_code};
use domain::ids::{LicenceId, PackageId};
use domain::licence::{NotSeated, Standing, Way, may_sit, shown_by};
use domain::redeem_code::RedeemCode;
use hmac::Mac;
use web::app::App;
use web::session::Member;

use super::codes::digest;
use super::store::licences::{self as store, Licence};
use super::store::packages::Package;

/// Why nobody sits.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error(transparent)]
    Not(#[from] NotSeated),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Where a reader of an organisation comes to with its code.
pub fn address(code: &RedeemCode) -> String {
    format!("/join/{code}")
}

/// A licence's code; none where none opens it.
pub fn code(key: &str, licence: &Licence) -> Option<RedeemCode> {
    licence.digest.as_ref().map(|_| code_of(key, &licence.id, licence.turn))
}

fn code_of(key: &str, id: &LicenceId, turn: i64) -> RedeemCode {
    let mac = keyed(key.as_bytes(), "code of a licence");
    redeem_code(mac.chain_update(id.as_str()).chain_update(turn.to_be_bytes()))
}

/// The licence that a code opens, whether it runs or not.
pub async fn by_code(app: &App, tx: &mut Tx, code: &RedeemCode) -> Result<Option<Licence>, Error> {
    store::by_digest(tx, &digest(&app.key, code)).await
}

/// What is kept of the code that a licence has at its turn.
pub fn kept(key: &str, id: &LicenceId, turn: i64) -> String {
    digest(key, &code_of(key, id, turn))
}

/// Gives a reader a seat of a licence, as part of a transaction; false where it has one.
///
/// # Errors
/// [`NotSeated`].
pub async fn sit(
    tx: &mut Tx,
    licence: &LicenceId,
    reader: &Member,
    way: Way,
    now: i64,
) -> Result<bool, Refused> {
    let licence = store::lock(tx, licence).await?;
    let standing = Standing {
        state: licence.state(now),
        is_own: licence.seller == reader.id,
        seat: store::seat(tx, &licence.id, &reader.id).await?,
        seats: licence.seats,
        taken: licence.taken,
    };
    let is_new = may_sit(standing)?;
    if is_new {
        store::sit(tx, &licence.id, &reader.id, &reader.name, way, now).await?;
    }
    Ok(is_new)
}

/// The licence of a package at which a reader belongs without a code, and what shows it; one on which it sits, or could, before
/// others.
pub async fn belonging(
    app: &App,
    reader: &Member,
    package: &PackageId,
    address: Option<IpAddr>,
    now: i64,
) -> Result<Option<(Licence, Way)>, Error> {
    let licences = store::of_package(&app.db, package, now).await?;
    let shown = |licence: Licence| {
        let way = shown_by(&licence.domains, &licence.ranges, reader.email.as_deref(), address)?;
        Some((licence, way))
    };
    let mut found: Vec<(Licence, Way)> = licences.into_iter().filter_map(shown).collect();
    found.sort_by_key(|(licence, _)| licence.taken >= licence.seats);
    Ok(found.into_iter().next())
}

/// Whether a reader reads a package on a seat already.
pub async fn reads(app: &App, reader: &Member, package: &PackageId, now: i64) -> Result<bool, Error> {
    let until = store::item_until(&app.db, &reader.id, "package", package.as_str(), now).await?;
    Ok(until.is_some())
}

/// The licence of a package that the page offers to a reader: it belongs there and has no seat, also none that was taken back.
pub async fn offered(
    app: &App,
    reader: &Member,
    package: &Package,
    address: Option<IpAddr>,
    now: i64,
) -> Result<Option<Licence>, Error> {
    if package.seller == reader.id || reads(app, reader, &package.id, now).await? {
        return Ok(None);
    }
    let Some((licence, _)) = belonging(app, reader, &package.id, address, now).await? else {
        return Ok(None);
    };
    let seat = store::seat(&mut app.db.begin_snapshot().await?, &licence.id, &reader.id).await?;
    Ok(seat.is_none().then_some(licence))
}
