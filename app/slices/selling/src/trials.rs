//! Trials 试读: free days of a package, once for each reader and each thing in it, by its account and its contacts. They end by
//! themselves, and nothing follows.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, new_id, now_ms};
use base::error::Error;
use base::signing::{keyed, short_digest};
use domain::contact::Contact;
use domain::days::DAY_MS;
use domain::ids::{EntitlementId, PackageId};
use domain::package::Span;
use domain::trial::{NotTried, same_for_all};
use hmac::Mac;
use web::app::App;
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;

use super::sales::grant;
use super::store::entitlements::{self, Entitlement};
use super::store::packages::{self, Package};
use super::store::{Subject, trials as store};

/// Under what it is kept that a reader has tried something.
fn takers(app: &App, reader: &Member) -> Vec<String> {
    let contacts =
        [&reader.phone, &reader.email].into_iter().flatten().filter_map(|text| Contact::read(text));
    let names = contacts.map(|contact| same_for_all(&contact)).chain([reader.id.to_string()]);
    names.map(|name| short_digest(keyed(app.key.as_bytes(), "who tries").chain_update(name))).collect()
}

/// Why a reader can't try a package; nothing where it can.
pub async fn obstacle(
    app: &App,
    tx: &mut Tx,
    reader: &Member,
    package: &Package,
    now: i64,
) -> Result<Option<NotTried>, Error> {
    if package.trial_days == 0 || !package.is_on_sale(now) {
        return Ok(Some(NotTried::None));
    }
    if package.seller == reader.id {
        return Ok(Some(NotTried::Own));
    }
    let subject = Subject::Package(package.id.clone());
    let rights = entitlements::spans_of_each(tx, &reader.id, &subject, i64::MAX).await?;
    if rights.iter().any(|spans| !spans.is_empty()) {
        return Ok(Some(NotTried::Before));
    }
    for item in entitlements::opened_by(tx, &subject, i64::MAX).await? {
        for taker in takers(app, reader) {
            if store::has_tried(tx, &taker, &item).await? {
                return Ok(Some(NotTried::Before));
            }
        }
    }
    Ok(None)
}

/// Begins a trial: until when it runs. The inner error is why it does not.
pub async fn begin(
    app: &App,
    reader: &Member,
    package: &Package,
    now: i64,
) -> Result<Result<i64, NotTried>, Error> {
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, &reader.id).await?;
    if let Some(obstacle) = obstacle(app, &mut tx, reader, package, now).await? {
        return Ok(Err(obstacle));
    }
    let id: EntitlementId = new_id();
    let subject = Subject::Package(package.id.clone());
    for item in entitlements::opened_by(&mut tx, &subject, i64::MAX).await? {
        for taker in takers(app, reader) {
            // another account with the same mailbox, at the same moment
            if !store::insert(&mut tx, &taker, &item, &package.id, &id, now).await? {
                return Ok(Err(NotTried::Before));
            }
        }
    }
    let until = now + package.trial_days * DAY_MS;
    let right = Entitlement {
        id: id.clone(),
        member: reader.id.clone(),
        subject,
        title: format!("《{}》", package.title),
        span: Span { from: now, until: Some(until) },
        source: entitlements::TRIAL.to_owned(),
        source_id: id.to_string(),
        hint: None,
        told_at: None,
        created_at: now,
        granted_at: now,
    };
    grant(&mut tx, &right).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Ok(until))
}

/// POST /manager/package/{id}/trial.
pub async fn start(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PackageId>,
    parts: Parts,
) -> Result<Response, Error> {
    let package = packages::find(&app.db, &id).await?;
    let page = format!("/manager/package/{id}");
    match begin(&app, &member, &package, now_ms()).await? {
        Ok(_) => Ok(Redirect::to(&format!("{page}?done=trial")).into_response()),
        // pressed twice
        Err(NotTried::Before) if entitlements::is_tried(&app.db, &member.id, &id, now_ms()).await? => {
            Ok(Redirect::to(&format!("{page}?done=trial")).into_response())
        }
        Err(reason) => {
            let mut form = Form::default();
            form.refuse("", reason.to_string());
            render::again(&app, parts, &page, form).await
        }
    }
}
