//! What is done to a coupon in the back office. Every form may be sent again: it does nothing that was done before.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use domain::ids::CouponId;
use serde_json::json;
use web::app::App;
use web::approvals::{Decision, Outcome};
use web::render;
use web::router::Parameter;
use web::staff::Staff;
use web::ui::files::csv_file;
use web::ui::forms::read_form;
use web::ui::staff::said;

use super::address;
use crate::make::{self, thing};
use crate::{KIND, codes as of_batch, store};

fn done(id: &CouponId, outcome: impl Into<Outcome>) -> Response {
    let outcome = outcome.into();
    if outcome.is_unchanged() {
        audit::unchanged();
    }
    Redirect::to(&said(&address(id), outcome)).into_response()
}

/// POST /staff/coupons/{id}/codes: its codes as a file. Who took them away is noted before the first byte leaves.
pub async fn codes(State(app): State<App>, Parameter(id): Parameter<CouponId>) -> Result<Response, Error> {
    let coupon = store::find(&app.db, &id).await?;
    let until = coupon.file_until.unwrap_or(0);
    let Some(salt) = coupon.salt.clone().filter(|_| now_ms() < until) else {
        return Err(Error::Conflict("文件已过了 7 天的下载期，不能再下载。".into()));
    };
    let mut tx = app.db.begin().await?;
    audit::note(&mut tx, "coupon codes", id.as_str(), &json!({ "codes": coupon.codes })).await?;
    tx.commit().await?;
    Ok(csv_file(&format!("coupons-{id}.csv"), of_batch::file(&app.key, &salt, &coupon)))
}

/// POST /staff/coupons/{id}/end.
pub async fn end(State(app): State<App>, Parameter(id): Parameter<CouponId>) -> Result<Response, Error> {
    let coupon = store::find(&app.db, &id).await?;
    if coupon.agreed_at.is_none() && coupon.ended_at.is_none() {
        return Err(Error::Conflict("这张优惠券还在等复核，不用了请撤回".into()));
    }
    Ok(done(&id, make::end(&app, &id).await?))
}

/// POST /staff/coupons/{id}/second: another one agrees, or not.
pub async fn decide(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    Parameter(id): Parameter<CouponId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let coupon = store::find(&app.db, &id).await?;
    let mut form = read_form(&body)?;
    let decision = Decision::read(&app, &parts, staff, &mut form, thing(&id)).await?;
    if decision.is_late() {
        return Ok(done(&id, false));
    }
    if form.is_refused() {
        return render::again(&app, parts, &address(&id), form).await;
    }
    if !decision.grants {
        let declined = decision.decline(&app, KIND).await?;
        if declined {
            make::end(&app, &id).await?;
        }
        return Ok(done(&id, decision.outcome(declined)));
    }
    let agreed = make::agree(&app, &coupon, decision.right()).await?;
    if agreed {
        decision.note_granted(&app, KIND).await?;
    }
    Ok(done(&id, agreed))
}
