//! `/readyz`: whether this instance can do its work. It tries a write, since a disk that is full still lets everything
//! be read.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::sync::Mutex;

use crate::app::App;
use crate::db::now_ms;
use crate::error::Error;

/// How long an answer is good: whoever asks often does not make the disk write as often.
const GOOD: Duration = Duration::from_secs(1);
/// How long a write may wait for others before the instance counts as stuck.
const PATIENCE: Duration = Duration::from_secs(5);

/// The last answer, and when it was found.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

/// GET /readyz: 200 and `ready`, or 503; then a line about the workers.
pub async fn answer(State(app): State<App>) -> Response {
    let is_ready = is_ready(&app).await;
    let (status, word) =
        if is_ready { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready") };
    (status, format!("{word}\n{}\n", app.health)).into_response()
}

/// Tries a write, unless somebody has just done so. One tries at a time; the others take its answer.
async fn is_ready(app: &App) -> bool {
    let mut last = app.readiness.0.lock().await;
    if let Some((at, known)) = *last
        && at.elapsed() < GOOD
    {
        return known;
    }
    let tried = tokio::time::timeout(PATIENCE, try_everything(app)).await;
    let is_ready = match tried.unwrap_or_else(|_| Err(Error::internal("a write waited too long"))) {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(%error, "Not ready");
            false
        }
    };
    *last = Some((Instant::now(), is_ready));
    is_ready
}

async fn try_everything(app: &App) -> Result<(), Error> {
    if app.read_only.now().is_none() {
        app.db.try_write(now_ms()).await?;
    }
    app.storage.ping().await?;
    if app.health.working() == 0 {
        return Err(Error::internal("no worker takes jobs"));
    }
    Ok(())
}
