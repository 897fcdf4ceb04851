//! Where a payment stands: asked at the provider, and told to the page that waits.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::jobs;
use domain::ids::PaymentId;
use domain::payment::{Method, PaymentState, next_question};
use futures::stream;
use serde::Serialize;
use web::app::App;
use web::router::Parameter;
use web::session::Member;

use super::providers::{StandIn, Standing};
use super::settle::{self, Settled};
use super::store::{self, Payment};
use crate::jobs::FollowPayment;

/// How often the database is looked at for a page that waits.
const LOOK: Duration = Duration::from_secs(1);
/// How long one stream of events lasts, in ms; a page that waits longer asks now and then.
const STREAM_MS: i64 = 10 * 60_000;

/// Asks the provider where a payment stands, settles it where it was paid and closes it where its time is over.
pub async fn ask(app: &App, payment: &Payment, now: i64) -> Result<(), Error> {
    if payment.state != PaymentState::Pending {
        return Ok(());
    }
    let over = payment.is_over(now);
    let ways = super::ways(app)?;
    let Some(provider) = ways.provider(payment.method) else {
        // a bank can't be asked; the operator may still confirm it later
        return if over { store::close(&app.db, &payment.id).await } else { Ok(()) };
    };
    let failed = |failure| Error::internal(format!("payment {}: {failure}", payment.id));
    match provider.query(&payment.id, now).await.map_err(failed)? {
        Standing::Paid(receipt) => {
            let settled = settle::settle_now(app, payment.method, &receipt, now).await;
            if settled.map_err(|unsettled| Error::internal(format!("payment {}: {unsettled}", payment.id)))?
                == Settled::Now
            {
                tracing::info!(payment = %payment.id, "A payment was found paid");
            }
        }
        Standing::Closed => store::close(&app.db, &payment.id).await?,
        Standing::Open | Standing::Unknown if over => {
            // paid in this very moment, it can't be closed: the next try finds it paid
            provider.close(&payment.id, now).await.map_err(failed)?;
            store::close(&app.db, &payment.id).await?;
        }
        Standing::Open | Standing::Unknown => {}
    }
    Ok(())
}

/// The job of a payment that waits: asks, and comes back later while it still waits.
pub async fn follow(app: &App, id: &PaymentId) -> Result<(), Error> {
    let now = now_ms();
    ask(app, &store::find(&app.db, id).await?, now).await?;
    let mut tx = app.db.begin().await?;
    let payment = store::lock(&mut tx, id).await?.ok_or(Error::NotFound)?;
    if payment.state == PaymentState::Pending {
        let at = next_question(payment.created_at, payment.expires_at, now);
        jobs::enqueue_at(&mut tx, &FollowPayment { payment: id.clone() }, at).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// POST /manager/payment/{id}/question 「我已付款，查询结果」: asks the provider now.
pub async fn question(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PaymentId>,
) -> Result<Redirect, Error> {
    let payment = store::find_for_owner(&app.db, &id, &member.id).await?;
    let told = match ask(&app, &payment, now_ms()).await {
        Ok(()) => "asked",
        Err(error) => {
            tracing::warn!(%error, "A payment could not be asked about");
            "silent"
        }
    };
    Ok(Redirect::to(&format!("/manager/payment/{id}?{told}=1")))
}

/// POST /manager/payment/{id}/pretence: 演示付款, which a demo offers in the place of a provider. It takes no money.
pub async fn pretend(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PaymentId>,
) -> Result<Redirect, Error> {
    let payment = store::find_for_owner(&app.db, &id, &member.id).await?;
    if payment.method != Method::Demo || !super::ways(&app)?.has(Method::Demo) {
        return Err(Error::NotFound);
    }
    let now = now_ms();
    if !payment.is_over(now) {
        let receipt = StandIn::receipt(&payment.id, payment.amount);
        settle::settle_now(&app, Method::Demo, &receipt, now).await.map_err(Error::internal)?;
    }
    Ok(Redirect::to(&format!("/manager/payment/{id}")))
}

/// Where a payment stands, as scripts read it.
#[derive(Serialize)]
struct Told {
    state: &'static str,
}

fn outcome(payment: &Payment, now: i64) -> &'static str {
    match payment.state {
        PaymentState::Pending if payment.is_over(now) => "expired",
        state => state.code(),
    }
}

/// GET /manager/payment/{id}/state: one server-sent event `state` when it is no longer `pending`; one JSON object for a
/// caller that polls.
pub async fn watch(
    State(app): State<App>,
    member: Member,
    headers: HeaderMap,
    Parameter(id): Parameter<PaymentId>,
) -> Result<Response, Error> {
    let payment = store::find_for_owner(&app.db, &id, &member.id).await?;
    let streams =
        headers.get(header::ACCEPT).is_some_and(|kinds| kinds.as_bytes().starts_with(b"text/event-stream"));
    if !streams {
        let state = outcome(&payment, now_ms());
        return Ok(([(header::CACHE_CONTROL, "no-store")], Json(Told { state })).into_response());
    }
    let until = now_ms() + STREAM_MS;
    let events = stream::unfold(Some(app), move |following| {
        let (id, member) = (id.clone(), member.id.clone());
        async move {
            let app = following?;
            while now_ms() < until {
                let now = now_ms();
                match store::find_for_owner(&app.db, &id, &member).await {
                    Ok(payment) if outcome(&payment, now) == "pending" => tokio::time::sleep(LOOK).await,
                    Ok(payment) => {
                        let event = Event::default().event("state").data(outcome(&payment, now));
                        return Some((Ok::<_, Infallible>(event), None));
                    }
                    // the page asks again by itself
                    Err(_) => return None,
                }
            }
            None
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}
