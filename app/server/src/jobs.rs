//! Work that must happen even when the server dies half-way: rows in the database, leased by workers.
//!
//! A job may run more than once (a worker can die after the work and before the receipt), so every job is
//! written to give the same result again.

use std::sync::Arc;
use std::time::Duration;

use domain::ids::PhotoId;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::db::{Tx, now_ms, with_db, with_tx};
use crate::error::Error;

/// What can be done later.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Job {
    /// Make a photo's served sizes.
    DerivePhoto { photo: PhotoId },
    /// Hand a message of the outbox to its provider.
    Deliver { message: String },
    /// Delete a member's picture unless somebody shows it.
    ForgetAvatar { sha256: String },
}

impl Job {
    fn kind(&self) -> &'static str {
        match self {
            Self::DerivePhoto { .. } => "derive_photo",
            Self::Deliver { .. } => "deliver",
            Self::ForgetAvatar { .. } => "forget_avatar",
        }
    }
}

/// How long a worker may hold a job before another takes it over, in ms.
const LEASE_MS: i64 = 120_000;
/// The same for a message, which somebody waits for: longer than a provider is waited for.
const DELIVERY_LEASE_MS: i64 = 30_000;
/// After so many failures a job stays where it is, for the host to look at.
const MAX_ATTEMPTS: i64 = 8;
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
pub async fn enqueue(tx: &mut Tx, job: &Job) -> Result<(), Error> {
    let id = ulid::Ulid::new().to_string().to_ascii_lowercase();
    let now = now_ms();
    with_tx!(tx, |conn| sqlx::query(
        "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
         values ($1, $2, $3, $4, 0, 0, $4)",
    )
    .bind(id)
    .bind(job.kind())
    .bind(serde_json::to_string(job)?)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Takes jobs and runs them until told to stop; a job under way is finished first.
pub async fn work(app: App, stop: CancellationToken) {
    loop {
        let woken = app.bell.0.notified();
        match take(&app).await {
            Ok(Some((id, attempts, job))) => {
                if let Err(error) = run(&app, job.clone()).await {
                    tracing::warn!(job = ?job, %error, "A job failed and will be tried again");
                    postpone(&app, &id, attempts, &error).await;
                } else if let Err(error) = finish(&app, &id).await {
                    tracing::warn!(job = ?job, %error, "A finished job could not be removed");
                }
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

async fn run(app: &App, job: Job) -> Result<(), Error> {
    match job {
        Job::DerivePhoto { photo } => crate::photos::make_derivatives(app, &photo).await,
        Job::Deliver { message } => crate::delivery::deliver(app, &message).await,
        Job::ForgetAvatar { sha256 } => crate::accounts::forget_avatar(app, &sha256).await,
    }
}

/// Leases the next due job. Two workers that see the same row don't both get it: the second one's
/// condition no longer holds when its update runs.
async fn take(app: &App) -> Result<Option<(String, i64, Job)>, Error> {
    let now = now_ms();
    let row: Option<(String, i64, String)> = with_db!(&app.db, |pool| {
        sqlx::query_as(
        "update jobs set leased_until = case kind when 'deliver' then $4 else $1 end, attempts = attempts + 1
         where id = (select id from jobs where run_at <= $2 and leased_until <= $2 and attempts < $3
                     order by run_at, id limit 1)
           and leased_until <= $2
         returning id, attempts, payload",
    )
    .bind(now + LEASE_MS)
    .bind(now)
    .bind(MAX_ATTEMPTS)
    .bind(now + DELIVERY_LEASE_MS)
    .fetch_optional(pool)
    .await
    })?;
    match row {
        None => Ok(None),
        Some((id, attempts, payload)) => Ok(Some((id, attempts, serde_json::from_str(&payload)?))),
    }
}

async fn finish(app: &App, id: &str) -> Result<(), Error> {
    with_db!(&app.db, |pool| sqlx::query("delete from jobs where id = $1")
        .bind(id)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

async fn postpone(app: &App, id: &str, attempts: i64, error: &Error) {
    let delay_ms = 1_000 << attempts.clamp(0, 10);
    let result = with_db!(&app.db, |pool| sqlx::query(
        "update jobs set leased_until = 0, run_at = $2, last_error = $3 where id = $1",
    )
    .bind(id)
    .bind(now_ms() + delay_ms)
    .bind(error.to_string())
    .execute(pool)
    .await
    .map(drop));
    if let Err(error) = result {
        tracing::warn!(%error, "A failed job could not be postponed");
    }
}
