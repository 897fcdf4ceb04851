//! Closing a month: one asks, another one agrees. Every form names the figures that were seen, by their SHA-256.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use domain::close::Month;
use serde_json::json;
use web::app::App;
use web::approvals::Outcome;
use web::render::{self, Form};
use web::router::Parameter;
use web::staff::{Staff, asks_code};
use web::ui::forms::{CHOOSE, read_form};
use web::ui::staff::said;

use super::store::{self, Closing};
use super::{address, kept, reckon, this_month};

const CHANGED: &str = "数字已经变了，请看过新的数字再办";

/// The month of an address, which has to be over.
fn over(text: &str) -> Result<Month, Error> {
    let month: Month = text.parse().map_err(|_| Error::NotFound)?;
    if month < this_month() { Ok(month) } else { Err(Error::Conflict("这个月还没有过完".into())) }
}

fn done(month: Month, outcome: impl Into<Outcome>) -> Response {
    let outcome = outcome.into();
    if outcome.is_unchanged() {
        audit::unchanged();
    }
    Redirect::to(&said(&address(month), outcome)).into_response()
}

async fn again(app: &App, parts: Parts, month: Month, form: Form) -> Result<Response, Error> {
    render::again(app, parts, &address(month), form).await
}

/// POST /staff/close/{month}/ask: the figures that were `seen` are to be kept.
pub async fn ask(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(month): Parameter<String>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let month = over(&month)?;
    let mut form = read_form(&body)?;
    if let Some(asked) = store::find(&app.db, &month.to_string()).await? {
        let is_closed = asked.closed_at.is_some();
        return Ok(done(month, if is_closed { Outcome::Before } else { Outcome::AskedBefore }));
    }
    let figures = reckon(&app, month).await?;
    let (text, sha256) = kept(&figures)?;
    if form.get("seen") != sha256 {
        form.refuse("", CHANGED);
    } else if !figures.faults().is_empty() {
        form.refuse("", "有对不上的数字，查清以后才能结账");
    }
    asks_code(&app, &parts, &staff, &mut form).await?;
    if form.is_refused() {
        return again(&app, parts, month, form).await;
    }
    let closing = Closing {
        month: month.to_string(),
        figures: text,
        sha256,
        asked_by: staff.name,
        asked_at: now_ms(),
        closed_by: None,
        closed_at: None,
    };
    let mut tx = app.db.begin().await?;
    let is_now = store::ask(&mut tx, &closing).await?;
    if is_now {
        audit::note(&mut tx, "month ask", &closing.month, &json!({ "sha256": closing.sha256 })).await?;
        tx.commit().await?;
    }
    Ok(done(month, Outcome::asked(is_now)))
}

/// POST /staff/close/{month}/decide: somebody else agrees (`grant`) to the figures that were `seen`, or anybody declines.
pub async fn decide(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(month): Parameter<String>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let month = over(&month)?;
    let mut form = read_form(&body)?;
    let asked = store::find(&app.db, &month.to_string()).await?.ok_or(Error::NotFound)?;
    if asked.closed_at.is_some() {
        return Ok(done(month, false));
    }
    let seen = form.get("seen").to_owned();
    if seen != asked.sha256 {
        form.refuse("", CHANGED);
        return again(&app, parts, month, form).await;
    }
    let grants = match form.get("decision") {
        "grant" => true,
        "decline" => false,
        "" => {
            form.refuse("", CHOOSE);
            return again(&app, parts, month, form).await;
        }
        _ => return Err(Error::BadRequest("没有这一步".into())),
    };
    if grants {
        if asked.asked_by == staff.name {
            form.refuse("", "自己提出的结账，要由另一位同事复核");
        } else if kept(&reckon(&app, month).await?)?.1 != seen {
            form.refuse("", "提出以后数字变了，请退回，重新提出");
        }
        asks_code(&app, &parts, &staff, &mut form).await?;
        if form.is_refused() {
            return again(&app, parts, month, form).await;
        }
    }
    let mut tx = app.db.begin().await?;
    let is_now = if grants {
        store::close(&mut tx, &asked.month, &seen, &staff.name, now_ms()).await?
    } else {
        store::withdraw(&mut tx, &asked.month, &seen).await?
    };
    if is_now {
        let action = if grants { "month close" } else { "month decline" };
        let detail = json!({ "sha256": seen, "asked_by": asked.asked_by });
        audit::note(&mut tx, action, &asked.month, &detail).await?;
        tx.commit().await?;
    }
    let outcome = match (is_now, grants) {
        (true, false) if asked.asked_by == staff.name => Outcome::TakenBack,
        (true, false) => Outcome::Declined,
        (is_now, _) => is_now.into(),
    };
    Ok(done(month, outcome))
}
