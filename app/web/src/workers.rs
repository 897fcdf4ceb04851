//! What does the jobs of the queue ([`base::jobs`]): workers, each on lanes of its own.
//!
//! A worker renews its lease while it works; one that died stops renewing, and another takes the job over.

pub mod commands;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::FromRef;
use base::db::{Db, now_ms};
use base::delivery;
use base::detach;
use base::error::Error;
use base::jobs::{self, Job, Lane, Leased, Queue};
use base::metrics;
use base::traces;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::notices::{self, Notice};

/// How often a worker gives a sign of life.
const RENEWAL: Duration = Duration::from_secs(10);
/// How long a job may go on after the program was told to stop: whoever supervises it kills it soon after.
const AFTER_STOP: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(15) };
/// How often a worker looks for work that has become due, or that another instance queued and could not tell of.
const POLL: Duration = Duration::from_secs(2);

/// A job that is being done.
type Doing = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;
type Handler = fn(App, serde_json::Value) -> Doing;

/// What does each kind of job.
#[derive(Debug, Clone, Default)]
pub struct Handlers(HashMap<&'static str, Handler>);

impl Handlers {
    /// Adds a kind.
    #[must_use]
    pub fn with<J: Job<App: FromRef<App>>>(mut self) -> Self {
        self.0.insert(J::KIND, |app, payload| {
            Box::pin(async move { serde_json::from_value::<J>(payload)?.run(J::App::from_ref(&app)).await })
        });
        self
    }
}

impl Handlers {
    /// A kind, as far as somebody does it.
    fn known(&self, kind: &str) -> Option<&'static str> {
        self.0.get_key_value(kind).map(|(kind, _)| *kind)
    }
}

/// Looks at the queue: each kind that is done here.
pub async fn queue(app: &App, now: i64) -> Result<Queue, Error> {
    jobs::queue(&app.db, app.handlers.0.keys().copied(), now).await
}

/// What is known of this instance's workers, for `/readyz`.
#[derive(Debug, Clone, Default)]
pub struct Health(Arc<HealthParts>);

#[derive(Debug, Default)]
struct HealthParts {
    /// Workers that take jobs now.
    working: AtomicUsize,
    /// Jobs that panicked since the start.
    panicked: AtomicUsize,
    /// Workers that were started again since the start.
    restarted: AtomicUsize,
}

impl Health {
    /// Workers that take jobs now.
    pub fn working(&self) -> usize {
        self.0.working.load(Ordering::Relaxed)
    }
}

impl std::fmt::Display for Health {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [working, panicked, restarted] =
            [&self.0.working, &self.0.panicked, &self.0.restarted].map(|count| count.load(Ordering::Relaxed));
        write!(to, "workers: {working}, restarted: {restarted}, jobs that panicked: {panicked}")
    }
}

/// How long a worker that fell over stays away, so that one that always does leaves the machine to the others.
const RECOVERY: Duration = Duration::from_secs(1);

/// Keeps one worker at work on some lanes until told to stop: one that falls over is started again.
pub async fn keep_working(app: App, lanes: &'static [Lane], stop: CancellationToken) {
    let health = app.health.clone();
    while !stop.is_cancelled() {
        health.0.working.fetch_add(1, Ordering::Relaxed);
        let ended = detach::run(work(app.clone(), lanes, stop.clone())).await;
        health.0.working.fetch_sub(1, Ordering::Relaxed);
        if let Err(error) = ended {
            health.0.restarted.fetch_add(1, Ordering::Relaxed);
            tracing::error!(%error, "A worker fell over and is started again");
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(RECOVERY) => {}
            }
        }
    }
}

/// Takes jobs and runs them until told to stop; a job under way is finished first, or given back when that takes too
/// long.
async fn work(app: App, lanes: &[Lane], stop: CancellationToken) {
    loop {
        let woken = app.bell.rung();
        // jobs write, and wait
        let is_shut = app.read_only.now().is_some();
        let taken = if is_shut { Ok(None) } else { jobs::next(&app.db, lanes, now_ms()).await };
        match taken {
            Ok(Some(leased)) => {
                carry_out(&app, leased, &stop).await;
                if !stop.is_cancelled() {
                    continue;
                }
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "The job queue could not be read"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = woken => {}
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

async fn carry_out(app: &App, leased: Leased, stop: &CancellationToken) {
    let Leased { id, attempts, payload } = leased;
    let kind = app.handlers.known(&jobs::kind_of(&payload));
    let traced = traces::job(kind.unwrap_or("unknown"), &id);
    let doing = traced.clone();
    let outcome = match handler(app, &payload) {
        Ok(job) => match attend(app, &id, stop, async move { doing.carry(job).await }).await {
            Some(outcome) => outcome,
            None => {
                tracing::warn!(job = payload, "A job takes longer than the stop may, and is given back");
                let given = jobs::give_back(&app.db, &id).await;
                if let Err(error) = given {
                    tracing::warn!(%error, "A job could not be given back; another worker takes it over");
                }
                return;
            }
        },
        // of a newer version that ran here before
        Err(error) => Err(error),
    };
    if let Some(kind) = kind {
        metrics::job(kind, outcome.is_ok());
    }
    traced.ended(outcome.is_ok());
    let noted = match outcome {
        Ok(()) => jobs::finish(&app.db, &id).await,
        Err(error) => {
            traced.say(|| tracing::warn!(job = payload, %error, "A job failed"));
            postpone(&app.db, &id, attempts, &error, &payload).await
        }
    };
    if let Err(error) = noted {
        tracing::warn!(job = payload, %error, "What became of a job could not be noted; it will run again");
    }
}

/// Waits for a job, renewing its lease. One that panics has failed. `None` when it goes on [`AFTER_STOP`] after the
/// program was told to stop: it is broken off.
async fn attend(
    app: &App,
    id: &str,
    stop: &CancellationToken,
    job: impl Future<Output = Result<(), Error>> + Send + 'static,
) -> Option<Result<(), Error>> {
    // a task of its own: what it does to its thread is not the worker's trouble
    let mut running = tokio::spawn(job);
    let mut too_late = std::pin::pin!(async {
        stop.cancelled().await;
        tokio::time::sleep(AFTER_STOP).await;
    });
    loop {
        tokio::select! {
            ended = &mut running => return Some(ended.unwrap_or_else(|error| {
                app.health.0.panicked.fetch_add(1, Ordering::Relaxed);
                Err(Error::internal(error))
            })),
            () = &mut too_late => {
                running.abort();
                return None;
            }
            () = tokio::time::sleep(RENEWAL) => {
                if let Err(error) = jobs::renew(&app.db, id).await {
                    tracing::warn!(%error, "A job's lease could not be renewed");
                }
            }
        }
    }
}

/// What does a job as it is kept.
fn handler(app: &App, payload: &str) -> Result<Doing, Error> {
    let payload: serde_json::Value = serde_json::from_str(payload)?;
    let kind = payload["kind"].as_str().unwrap_or_default();
    let handler = app.handlers.0.get(kind);
    let handler = handler.ok_or_else(|| Error::internal(format!("nobody does jobs of the kind {kind:?}")))?;
    Ok(handler(app.clone(), payload))
}

/// Lets a job that failed be tried later. One that failed too often is told of in the same transaction.
async fn postpone(db: &Db, id: &str, attempts: i64, error: &Error, payload: &str) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    let is_given_up = jobs::postpone(&mut tx, id, attempts, error).await?;
    let kind = jobs::kind_of(payload);
    if is_given_up && !tells_others(&kind) {
        // one that is tried again and fails again is told again
        let about = format!("{id} {}", now_ms());
        let told = Notice {
            kind: notices::Kind::JobFailed,
            about: &about,
            subject: &kind,
            page: "/staff/machine#jobs",
        };
        notices::tell(&mut tx, told).await?;
    }
    Ok(tx.commit().await?)
}

/// Whether a job is itself a message on its way: that it failed can't be told by another one like it.
fn tells_others(kind: &str) -> bool {
    kind == delivery::Deliver::KIND || kind.starts_with(notices::JOBS)
}
