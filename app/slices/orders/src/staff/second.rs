//! Refunds that need a second person: more than one may give back by itself (`BINDERY_STAFF_LIMIT`).

use base::db::now_ms;
use base::error::Error;
use domain::ids::OrderId;
use domain::money::Fen;
use web::app::App;
use web::approvals::{self, Decision, Kind, Outcome, Request, Thing};

use crate::giving_back::{self, OfCopies};
use crate::progress::{self, Done, Part};
use crate::store::refunded;

/// Orders among what is given of.
pub const KIND: Kind = Kind { name: "order", log: "order refund" };

/// An order as what is given of.
pub fn thing(id: &OrderId) -> Thing<'_> {
    Thing { kind: KIND, id: id.as_str() }
}

/// Asks another one for a refund that is more than whoever asks may give alone: under an id, by its name.
///
/// # Errors
/// [`Error::Conflict`] where the copies can't be refunded.
pub async fn ask(
    app: &App,
    order: &OrderId,
    (id, by): (&str, &str),
    part: &Part,
    reason: &str,
) -> Result<Outcome, Error> {
    let amount = match part {
        Part::Whole => None,
        Part::Some { amount, .. } => Some(amount.0),
        Part::Copies(of) => {
            let amount = giving_back::price(app, order, of).await?;
            let asked = (of.copies.clone(), of.with_shipping);
            // kept first: a request without its copies would be one of an amount
            match refunded::asked_of(&app.db, id).await? {
                None => refunded::keep_asked(&app.db, id, &of.copies, of.with_shipping).await?,
                Some(before) if before == asked => {}
                Some(_) => return Err(Error::Conflict("这张表单提过退另外几本，请刷新页面再提".into())),
            }
            Some(amount.0)
        }
    };
    let request = Request {
        id: id.to_owned(),
        about: order.to_string(),
        amount,
        reason: reason.to_owned(),
        asked_by: by.to_owned(),
        asked_at: now_ms(),
        decided_at: None,
    };
    approvals::ask(app, KIND, &request).await.map(Outcome::asked)
}

/// Carries out what another one decided, in one transaction with the money.
pub async fn decide(app: &App, order: &OrderId, decision: &Decision) -> Result<Outcome, Error> {
    if decision.is_late() {
        return Ok(Outcome::Before);
    }
    if !decision.grants {
        return Ok(decision.outcome(decision.decline(app, KIND).await?));
    }
    let (amount, key) = (decision.request.amount.map(Fen), decision.key());
    let part = match (amount, refunded::asked_of(&app.db, &decision.request.id).await?) {
        (agreed, Some((copies, with_shipping))) => {
            Part::Copies(OfCopies { copies, with_shipping, key, agreed, seen: None })
        }
        (None, None) => Part::Whole,
        (Some(amount), None) => Part::Some { amount, key },
    };
    let reason = &decision.request.reason;
    let given = progress::refund_by(app, order, part, reason, decision.right(), now_ms()).await?;
    if given != Some(Done::Now) {
        return Ok(Outcome::Before);
    }
    decision.note_granted(app, KIND).await?;
    Ok(Outcome::Done)
}
