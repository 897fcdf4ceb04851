//! Refunds that need a second person: more than one may give back by itself (`BINDERY_STAFF_LIMIT`).

use domain::ids::OrderId;
use domain::money::Fen;

use crate::progress::{self, Done, Part};
use platform::app::App;
use platform::approvals::{Decision, Kind, Thing};
use platform::db::now_ms;
use platform::error::Error;

/// Orders among what is given of.
pub const KIND: Kind = Kind { name: "order", log: "order refund" };

/// An order as what is given of.
pub fn thing(id: &OrderId) -> Thing<'_> {
    Thing { kind: KIND, id: id.as_str() }
}

/// Carries out what another one decided, in one transaction with the money.
pub async fn decide(app: &App, order: &OrderId, decision: &Decision) -> Result<Done, Error> {
    if decision.is_late() {
        return Ok(Done::Before);
    }
    if !decision.grants {
        return Ok(Done::now_if(decision.decline(app, KIND).await?));
    }
    let part = match decision.request.amount {
        None => Part::Whole,
        Some(amount) => Part::Some { amount: Fen(amount), key: decision.key() },
    };
    let reason = &decision.request.reason;
    let given = progress::refund_by(app, order, part, reason, decision.right(), now_ms()).await?;
    if given != Some(Done::Now) {
        return Ok(Done::Before);
    }
    decision.note_granted(app, KIND).await?;
    Ok(Done::Now)
}
