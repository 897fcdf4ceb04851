//! Refunds that need a second person: more than one may give back by itself (`BINDERY_STAFF_LIMIT`).

use domain::ids::OrderId;
use domain::money::Fen;
use serde_json::json;

use crate::progress::{self, Done, Part};
use platform::app::App;
use platform::approvals::{self, By, Request, Thing};
use platform::audit;
use platform::db::now_ms;
use platform::error::Error;

/// The word for orders among what is given of.
pub const KIND: &str = "order";

/// An order as what is given of.
pub fn thing(id: &OrderId) -> Thing<'_> {
    Thing { kind: KIND, id: id.as_str() }
}

/// Keeps what somebody wants to give back until another one has decided. The money stays where it is.
pub async fn ask(app: &App, request: &Request) -> Result<Done, Error> {
    let mut tx = app.db.begin().await?;
    if !approvals::ask(&mut tx, KIND, request).await? {
        return Ok(Done::Before);
    }
    let detail =
        json!({ "request": request.id, "amount": request.amount.map(Fen), "reason": request.reason });
    audit::note(&mut tx, "order refund-ask", &request.about, &detail).await?;
    tx.commit().await?;
    Ok(Done::Now)
}

/// Carries out what another one decided, in one transaction with the money, which moves under the request's own key.
pub async fn decide(app: &App, request: &Request, by: &str, grants: bool) -> Result<Done, Error> {
    if request.decided_at.is_some() {
        return Ok(Done::Before);
    }
    let order: OrderId = request.about.parse().map_err(Error::internal)?;
    if grants {
        let part = match request.amount {
            None => Part::Whole,
            Some(amount) => Part::Some { amount: Fen(amount), key: format!("second-{}", request.id) },
        };
        let agreed = By::Agreement { request: &request.id, name: by };
        if progress::refund_by(app, &order, part, &request.reason, agreed, now_ms()).await? != Some(Done::Now)
        {
            return Ok(Done::Before);
        }
    }
    let mut tx = app.db.begin().await?;
    if !grants && !approvals::decide(&mut tx, &request.id, by, false, now_ms()).await? {
        return Ok(Done::Before);
    }
    let outcome = if grants { "granted" } else { "declined" };
    let detail = json!({ "request": request.id, "outcome": outcome, "asked_by": request.asked_by });
    audit::note(&mut tx, "order refund-decide", &request.about, &detail).await?;
    tx.commit().await?;
    Ok(Done::Now)
}
