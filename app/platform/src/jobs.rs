//! Work that must happen even when the server dies half-way: rows in the database, leased by workers.
//!
//! A job may run more than once (a worker can die after the work and before the receipt), so every job is
//! written to give the same result again. A worker renews its lease while it works; one that died stops renewing,
//! and another takes the job over. A job that keeps failing is tried ever more rarely and then stays as a dead letter,
//! for the host to look at (`bindery job list`) and to try again (`bindery job retry`).

pub mod commands;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::db::{Db, Tx, new_id, now_ms, sql, with_tx, with_write};
use crate::detach;
use crate::error::Error;

/// Something that can be done later. Its fields are kept as JSON beside its kind.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// What rows of it are called; those of older versions wait under the same name.
    const KIND: &'static str;
    /// Does it; the same again when it was done before.
    fn run(self, app: App) -> impl Future<Output = Result<(), Error>> + Send;
}

/// A job that is being done.
type Doing = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;
type Handler = fn(App, serde_json::Value) -> Doing;

/// What does each kind of job.
#[derive(Debug, Clone, Default)]
pub struct Handlers(HashMap<&'static str, Handler>);

impl Handlers {
    /// Adds a kind.
    #[must_use]
    pub fn with<J: Job>(mut self) -> Self {
        self.0.insert(J::KIND, |app, payload| {
            Box::pin(async move { serde_json::from_value::<J>(payload)?.run(app).await })
        });
        self
    }
}

/// How long a job is a worker's own without a sign of life, in ms.
const LEASE_MS: i64 = 30_000;
/// How often a worker gives one.
const RENEWAL: Duration = Duration::from_secs(10);
/// After so many failures a job is a dead letter: over an hour after the first.
const MAX_ATTEMPTS: i64 = 12;
/// The longest delay before the next try, in ms.
const LONGEST_DELAY_MS: i64 = 60 * 60_000;
/// How long a job may go on after the program was told to stop: whoever supervises it kills it soon after.
const AFTER_STOP: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(15) };
/// How often a worker looks for work that another instance has queued.
const POLL: Duration = Duration::from_secs(2);

/// Wakes this instance's workers when something was queued.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Notify>);

impl Bell {
    /// Called after the transaction that queued a job is committed.
    pub fn ring(&self) {
        self.0.notify_waiters();
    }
}

/// Queues a job as part of a transaction: it exists exactly when the transaction's writes do.
pub async fn enqueue(tx: &mut Tx, job: &impl Job) -> Result<(), Error> {
    enqueue_at(tx, job, now_ms()).await
}

/// Queues a job that is not to run before a moment, epoch ms.
pub async fn enqueue_at<J: Job>(tx: &mut Tx, job: &J, run_at: i64) -> Result<(), Error> {
    let id: String = new_id();
    let mut payload = serde_json::to_value(job)?;
    payload["kind"] = J::KIND.into();
    with_tx!(tx, |conn| sqlx::query(
        "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
         values ($1, $2, $3, $4, 0, 0, $5)",
    )
    .bind(id)
    .bind(J::KIND)
    .bind(payload.to_string())
    .bind(run_at)
    .bind(now_ms())
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
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

/// Keeps one worker at work until told to stop: one that falls over is started again.
pub async fn keep_working(app: App, stop: CancellationToken) {
    let health = app.health.clone();
    while !stop.is_cancelled() {
        health.0.working.fetch_add(1, Ordering::Relaxed);
        let ended = detach::run(work(app.clone(), stop.clone())).await;
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
async fn work(app: App, stop: CancellationToken) {
    loop {
        let woken = app.bell.0.notified();
        match take(&app.db, now_ms()).await {
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
    let outcome = match handler(app, &payload) {
        Ok(job) => match attend(app, &id, stop, job).await {
            Some(outcome) => outcome,
            None => {
                tracing::warn!(job = payload, "A job takes longer than the stop may, and is given back");
                let given = give_back(&app.db, &id).await;
                if let Err(error) = given {
                    tracing::warn!(%error, "A job could not be given back; another worker takes it over");
                }
                return;
            }
        },
        // of a newer version that ran here before
        Err(error) => Err(error),
    };
    let noted = match outcome {
        Ok(()) => finish(&app.db, &id).await,
        Err(error) => {
            tracing::warn!(job = payload, %error, "A job failed");
            postpone(&app.db, &id, attempts, &error).await
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
                if let Err(error) = renew(&app.db, id).await {
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

/// A job that a worker holds.
#[derive(Debug, sqlx::FromRow)]
struct Leased {
    id: String,
    /// This one included.
    attempts: i64,
    payload: String,
}

/// Leases the next due job. PostgreSQL's workers pass over rows that another one is just taking; SQLite has one
/// writer at a time.
async fn take(db: &Db, now: i64) -> Result<Option<Leased>, Error> {
    const DUE: &str = "select id from jobs where run_at <= $2 and leased_until <= $2 and attempts < $3
                     order by run_at, id limit 1";
    const TAKE: &str = "update jobs set leased_until = $1, attempts = attempts + 1";
    let sql = match db {
        Db::Sqlite(..) => {
            sql!("{TAKE} where id = ({DUE}) and leased_until <= $2 returning id, attempts, payload")
        }
        Db::Postgres(_) => sql!(
            "{TAKE} where id = ({DUE} for update skip locked) and leased_until <= $2
             returning id, attempts, payload"
        ),
    };
    Ok(with_write!(db, |pool| sqlx::query_as(sql.text())
        .bind(now + LEASE_MS)
        .bind(now)
        .bind(MAX_ATTEMPTS)
        .fetch_optional(pool)
        .await)?)
}

async fn renew(db: &Db, id: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update jobs set leased_until = $2 where id = $1")
        .bind(id)
        .bind(now_ms() + LEASE_MS)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Lets another worker take a job at once, as if nobody had tried.
async fn give_back(db: &Db, id: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query(
        "update jobs set leased_until = 0, attempts = attempts - 1 where id = $1"
    )
    .bind(id)
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}

async fn finish(db: &Db, id: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("delete from jobs where id = $1")
        .bind(id)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

async fn postpone(db: &Db, id: &str, attempts: i64, error: &Error) -> Result<(), Error> {
    let delay_ms = (1_000i64 << attempts.clamp(0, 20)).min(LONGEST_DELAY_MS);
    with_write!(db, |pool| sqlx::query(
        "update jobs set leased_until = 0, run_at = $2, last_error = $3 where id = $1"
    )
    .bind(id)
    .bind(now_ms() + delay_ms)
    .bind(error.to_string())
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}
