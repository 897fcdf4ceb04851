//! Paying.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::ids::OrderId;

use super::ledger::Refusal;
use crate::app::App;
use crate::db::now_ms;
use crate::error::Error;
use crate::orders;
use crate::render;
use crate::session::Member;
use crate::ui::forms::read_form;

/// POST /manager/shopping/pay: the whole order from the balance. The order's own id is the key, so pressing
/// twice pays once.
pub async fn pay(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let id: OrderId = form.get("order").parse().map_err(|_| Error::NotFound)?;
    let success = format!("/manager/shopping/success?order={id}");
    let mut tx = app.db.begin().await?;
    match orders::pay(&mut tx, &id, &member.id, now_ms()).await {
        Ok(_) => {
            tx.commit().await?;
            Ok(Redirect::to(&success).into_response())
        }
        Err(Refusal::InsufficientBalance) => {
            // dropped, the transaction leaves the order unpaid
            drop(tx);
            form.refuse("", "余额不足，订单已保留，充值后可以继续付款。");
            render::again(&app, parts, &format!("/manager/shopping/pay?order={id}"), form).await
        }
        Err(Refusal::KeyReused) => Err(Error::internal("an order's payment key was used for something else")),
        Err(Refusal::Failed(error)) => Err(error),
    }
}
