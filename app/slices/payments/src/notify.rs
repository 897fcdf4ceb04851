//! What providers tell without being asked. Nothing is believed that is not signed; nothing is done twice.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base::db::now_ms;
use domain::payment::Method;
use serde_json::json;
use web::app::App;

use super::settle::{self, Unsettled};

/// The largest notification, in bytes; real ones have a few KB.
pub const MOST_BYTES: usize = 64 * 1024;

/// POST /notify/wechatpay: 204 when it was carried out, now or before.
pub async fn wechatpay(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Response {
    match receive(&app, Method::Wechat, &headers, &body).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(status) => {
            let told = json!({ "code": "FAIL", "message": status.canonical_reason().unwrap_or_default() });
            (status, Json(told)).into_response()
        }
    }
}

/// POST /notify/alipay: the word `success` when it was carried out, now or before.
pub async fn alipay(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Response {
    match receive(&app, Method::Alipay, &headers, &body).await {
        Ok(()) => "success".into_response(),
        Err(status) => (status, "failure").into_response(),
    }
}

/// The status says what went wrong: 404 where the way is not configured, 401 where nothing proves who speaks, 400 where
/// it is not what we asked for, 500 where we failed and want to hear it again.
async fn receive(app: &App, method: Method, headers: &HeaderMap, body: &[u8]) -> Result<(), StatusCode> {
    let ways = super::ways(app).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let provider = ways.provider(method).ok_or(StatusCode::NOT_FOUND)?;
    let now = now_ms();
    let receipt = match provider.read_notification(headers, body, now) {
        Ok(Some(receipt)) => receipt,
        Ok(None) => return Ok(()),
        Err(failure) => {
            tracing::warn!(method = method.code(), %failure, "A notification of a payment was refused");
            return Err(StatusCode::UNAUTHORIZED);
        }
    };
    let settled = settle::settle_now(app, method, &receipt, now).await;
    settled.map(drop).map_err(|unsettled| {
        let payment = receipt.payment.as_str();
        match unsettled {
            Unsettled::Failed(error) => {
                tracing::error!(payment, %error, "A payment could not be settled");
                StatusCode::INTERNAL_SERVER_ERROR
            }
            refused => {
                tracing::error!(payment, method = method.code(), %refused, amount = %receipt.amount, "Money arrived that we did not ask for");
                StatusCode::BAD_REQUEST
            }
        }
    })
}
