//! `/readyz`: whether this instance can do its work. It tries a write, since a disk that is full still lets everything
//! be read. An instance that was told to stop says so here first, and goes on answering until whoever shares out the requests has
//! heard of it (`BINDERY_DRAIN`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use base::db::now_ms;
use base::error::Error;
use tokio::sync::Mutex;

use crate::app::App;

/// How long an answer is good: whoever asks often does not make the disk write as often.
const GOOD: Duration = Duration::from_secs(1);
/// How long a write may wait for others before the instance counts as stuck.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is known of it.
#[derive(Debug, Default)]
pub struct Readiness {
    /// The last answer, and when it was found.
    last: Mutex<Option<(Instant, bool)>>,
    /// It was told to stop.
    leaves: AtomicBool,
}

impl Readiness {
    /// From now on the answer is 503.
    pub fn leave(&self) {
        self.leaves.store(true, Ordering::Relaxed);
    }
}

/// GET /readyz: 200 and `ready`, or 503; then a line about the workers.
pub async fn answer(State(app): State<App>) -> Response {
    let (status, word) = if app.readiness.leaves.load(Ordering::Relaxed) {
        (StatusCode::SERVICE_UNAVAILABLE, "leaving")
    } else if is_ready(&app).await {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready")
    };
    (status, format!("{word}\n{}\n", app.health)).into_response()
}

/// Tries a write, unless somebody has just done so. One tries at a time; the others take its answer.
async fn is_ready(app: &App) -> bool {
    let mut last = app.readiness.last.lock().await;
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
