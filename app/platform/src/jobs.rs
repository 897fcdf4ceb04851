//! Work that must happen even when the server dies half-way: rows in the database, leased by workers.
//!
//! A job may run more than once (a worker can die after the work and before the receipt), so every job is
//! written to give the same result again. A worker renews its lease while it works; one that died stops renewing,
//! and another takes the job over. A job that keeps failing is tried ever more rarely and then stays as a dead letter,
//! for the host to look at (`bindery job list`) and to try again (`bindery job retry`).
//!
//! Jobs wait in lanes ([`Lane`]), and some workers do nothing but messages and money, so that no work of hours is before
//! those. Within a lane members take turns: however much one of them has done, another's first job is among the next.

mod bell;
pub mod commands;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use domain::ids::MemberId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::db::{Db, Tx, new_id, now_ms, sql, with_db, with_tx, with_write};
use crate::delivery;
use crate::detach;
use crate::error::Error;
use crate::metrics;
use crate::notices::{self, Notice};
use crate::traces;

pub use bell::{Bell, between_instances};

/// What goes before what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Messages and money: done in a moment, and late they are worth little.
    Urgent = 0,
    /// What somebody waits for and looks at.
    Awaited = 1,
    /// Everything else.
    Background = 2,
}

impl Lane {
    /// The lanes that a worker takes jobs from, the first that has one; workers are counted from 0.
    pub fn of_worker(worker: usize) -> &'static [Self] {
        match worker {
            0 => &[Self::Urgent],
            // so that what nobody waits for is done some day
            1 => &[Self::Urgent, Self::Background, Self::Awaited],
            // so that neither messages whose provider does not answer nor hours of work keep anybody waiting for pictures
            2 => &[Self::Awaited, Self::Urgent],
            _ => &[Self::Urgent, Self::Awaited, Self::Background],
        }
    }
}

/// Jobs in one statement.
const AT_ONCE: usize = 500;
/// How far a member's next job of a lane stands behind its last one, in ms: longer than most take.
const TURN_MS: i64 = 15_000;

/// Something that can be done later. Its fields are kept as JSON beside its kind.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// What rows of it are called; those of older versions wait under the same name.
    const KIND: &'static str;
    const LANE: Lane = Lane::Background;
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

impl Handlers {
    /// A kind, as far as somebody does it.
    fn known(&self, kind: &str) -> Option<&'static str> {
        self.0.get_key_value(kind).map(|(kind, _)| *kind)
    }
}

/// How the queue stands.
pub struct Queue {
    /// Jobs that wait for somebody.
    pub dead: i64,
    /// Each kind that is done here, with how many wait and how long the oldest is due, in ms.
    pub kinds: Vec<(&'static str, i64, i64)>,
}

/// Looks at the queue; kinds of which none waits are in it, too.
pub async fn queue(app: &App, now: i64) -> Result<Queue, Error> {
    let rows: Vec<(String, i64, i64)> = with_db!(&app.db, |pool| {
        sqlx::query_as(
            "select kind, count(*), min(run_at) from jobs where attempts < $1 or leased_until > $2 group by kind",
        )
        .bind(MAX_ATTEMPTS)
        .bind(now)
        .fetch_all(pool)
        .await
    })?;
    let dead: i64 = with_db!(&app.db, |pool| sqlx::query_scalar(
        "select count(*) from jobs where attempts >= $1 and leased_until <= $2"
    )
    .bind(MAX_ATTEMPTS)
    .bind(now)
    .fetch_one(pool)
    .await)?;
    let stands = |kind: &'static str| {
        let row = rows.iter().find(|(known, ..)| known == kind);
        row.map_or((kind, 0, 0), |(_, waiting, due)| (kind, *waiting, (now - due).max(0)))
    };
    Ok(Queue { dead, kinds: app.handlers.0.keys().copied().map(stands).collect() })
}

/// How long a job is a worker's own without a sign of life, in ms.
const LEASE_MS: i64 = 30_000;
/// How often a worker gives one.
const RENEWAL: Duration = Duration::from_secs(10);
/// After so many failures a job is a dead letter: over an hour after the first.
const MAX_ATTEMPTS: i64 = 12;
/// The longest delay before the next try, in ms.
const LONGEST_DELAY_MS: i64 = 60 * 60_000;
/// How long a job waits for room on the disk, in ms.
const FULL_DELAY_MS: i64 = 60_000;
/// How long a job may go on after the program was told to stop: whoever supervises it kills it soon after.
const AFTER_STOP: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(15) };
/// How often a worker looks for work that has become due, or that another instance queued and could not tell of.
const POLL: Duration = Duration::from_secs(2);

/// Queues a job as part of a transaction: it exists exactly when the transaction's writes do.
pub async fn enqueue(tx: &mut Tx, job: &impl Job) -> Result<(), Error> {
    enqueue_at(tx, job, now_ms()).await
}

/// Queues a job that is not to run before a moment, epoch ms.
pub async fn enqueue_at<J: Job>(tx: &mut Tx, job: &J, run_at: i64) -> Result<(), Error> {
    insert(tx, job, J::LANE, "", (run_at, run_at)).await
}

/// Has a job done now: the one like it that waits, or was given up, is tried at once; where there is none, it is queued.
pub async fn at_once<J: Job>(tx: &mut Tx, job: &J) -> Result<(), Error> {
    let now = now_ms();
    let payload = payload(job)?;
    let known: Option<i64> = with_tx!(&mut *tx, |conn| sqlx::query_scalar(
        "select max(leased_until) from jobs where kind = $1 and payload = $2"
    )
    .bind(J::KIND)
    .bind(&payload)
    .fetch_one(conn)
    .await)?;
    if known.is_none() {
        return enqueue(tx, job).await;
    }
    // one that runs now is what was asked for
    with_tx!(tx, |conn| sqlx::query(
        "update jobs set attempts = 0, run_at = $3, turn = $3
         where kind = $1 and payload = $2 and leased_until <= $3"
    )
    .bind(J::KIND)
    .bind(&payload)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Queues many jobs of one kind.
pub async fn enqueue_all<J: Job>(tx: &mut Tx, jobs: &[J], run_at: i64) -> Result<(), Error> {
    insert_all(tx, jobs, "", run_at, (run_at, 0)).await
}

/// What is kept of a job.
fn payload<J: Job>(job: &J) -> Result<String, Error> {
    let mut payload = serde_json::to_value(job)?;
    payload["kind"] = J::KIND.into();
    Ok(payload.to_string())
}

/// Queues a job that a member has done, of which it may have many: they take turns with those of others.
pub async fn enqueue_for<J: Job>(tx: &mut Tx, job: &J, member: &MemberId, run_at: i64) -> Result<(), Error> {
    enqueue_in(tx, job, J::LANE, member, run_at).await
}

/// The same in another lane than the job's own.
pub async fn enqueue_in(
    tx: &mut Tx,
    job: &impl Job,
    lane: Lane,
    member: &MemberId,
    run_at: i64,
) -> Result<(), Error> {
    let turn = first_turn(tx, lane, member, run_at).await?;
    insert(tx, job, lane, member.as_str(), (run_at, turn)).await
}

/// Queues many jobs of one kind that a member has done: one after the other behind those that it has already.
pub async fn enqueue_all_for<J: Job>(
    tx: &mut Tx,
    jobs: &[J],
    member: &MemberId,
    run_at: i64,
) -> Result<(), Error> {
    let turn = first_turn(tx, J::LANE, member, run_at).await?;
    insert_all(tx, jobs, member.as_str(), run_at, (turn, TURN_MS)).await
}

/// Inserts jobs of an owner, of nobody where that is empty; the first has this turn, and each the one so many ms after.
async fn insert_all<J: Job>(
    tx: &mut Tx,
    jobs: &[J],
    owner: &str,
    run_at: i64,
    (first, step): (i64, i64),
) -> Result<(), Error> {
    let sql = sql!(
        "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at, lane, owner, turn)
         values [(?, $1, ?, $2, 0, 0, $3, $4, $5, ?)]"
    );
    let mut turn = first;
    for part in jobs.chunks(AT_ONCE) {
        let payloads: Vec<String> = part.iter().map(payload).collect::<Result<_, _>>()?;
        let sql = sql.repeated(part.len());
        with_tx!(&mut *tx, |conn| {
            let query = sqlx::query(sql.text()).bind(J::KIND).bind(run_at).bind(now_ms());
            let mut query = query.bind(J::LANE as i64).bind(owner);
            for payload in payloads {
                query = query.bind(new_id::<String>()).bind(payload).bind(turn);
                turn += step;
            }
            query.execute(conn).await.map(drop)
        })?;
    }
    Ok(())
}

/// From when on a member's next job of a lane has its turn: behind those that are due by then. What is for tomorrow holds nothing up
/// today.
async fn first_turn(tx: &mut Tx, lane: Lane, member: &MemberId, run_at: i64) -> Result<i64, Error> {
    let last: Option<i64> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select turn from jobs where owner = $1 and lane = $2 and +run_at <= $3 order by turn desc limit 1"
    )
    .bind(member.as_str())
    .bind(lane as i64)
    .bind(run_at)
    .fetch_optional(conn)
    .await
    })?;
    Ok(last.map_or(run_at, |last| run_at.max(last + TURN_MS)))
}

async fn insert<J: Job>(
    tx: &mut Tx,
    job: &J,
    lane: Lane,
    owner: &str,
    (run_at, turn): (i64, i64),
) -> Result<(), Error> {
    let payload = payload(job)?;
    with_tx!(tx, |conn| sqlx::query(
        "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at, lane, owner, turn)
         values ($1, $2, $3, $4, 0, 0, $5, $6, $7, $8)",
    )
    .bind(new_id::<String>())
    .bind(J::KIND)
    .bind(payload)
    .bind(run_at)
    .bind(now_ms())
    .bind(lane as i64)
    .bind(owner)
    .bind(turn)
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
        let taken = if is_shut { Ok(None) } else { next(&app.db, lanes, now_ms()).await };
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
    let kind = app.handlers.known(&kind_of(&payload));
    let traced = traces::job(kind.unwrap_or("unknown"), &id);
    let doing = traced.clone();
    let outcome = match handler(app, &payload) {
        Ok(job) => match attend(app, &id, stop, async move { doing.carry(job).await }).await {
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
    if let Some(kind) = kind {
        metrics::job(kind, outcome.is_ok());
    }
    traced.ended(outcome.is_ok());
    let noted = match outcome {
        Ok(()) => finish(&app.db, &id).await,
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

/// Leases the next due job of the first lane that has one.
async fn next(db: &Db, lanes: &[Lane], now: i64) -> Result<Option<Leased>, Error> {
    for lane in lanes {
        // looking takes no place of a writer
        if is_due(db, *lane, now).await?
            && let Some(leased) = take(db, *lane, now).await?
        {
            return Ok(Some(leased));
        }
    }
    Ok(None)
}

const DUE: &str = "from jobs where lane = $1 and run_at <= $2 and leased_until <= $2 and attempts < $3";

async fn is_due(db: &Db, lane: Lane, now: i64) -> Result<bool, Error> {
    let sql = sql!("select lane {DUE} limit 1");
    let found: Option<i64> = with_db!(db, |pool| sqlx::query_scalar(sql.text())
        .bind(lane as i64)
        .bind(now)
        .bind(MAX_ATTEMPTS)
        .fetch_optional(pool)
        .await)?;
    Ok(found.is_some())
}

/// Leases the next due job of a lane. PostgreSQL's workers pass over rows that another one is just taking; SQLite has one
/// writer at a time.
async fn take(db: &Db, lane: Lane, now: i64) -> Result<Option<Leased>, Error> {
    const TAKE: &str = "update jobs set leased_until = $4, attempts = attempts + 1
                        where leased_until <= $2 and id = (select id";
    // by the sign the one index is left out that would have all that are due put in order
    const DUE_IN_TURN: &str =
        "from jobs where lane = $1 and +run_at <= $2 and leased_until <= $2 and attempts < $3";
    const FIRST: &str = "order by turn, id limit 1";
    const TAKEN: &str = "returning id, attempts, payload";
    let sql = match db {
        Db::Sqlite(..) => sql!("{TAKE} {DUE_IN_TURN} {FIRST}) {TAKEN}"),
        Db::Postgres(..) => sql!("{TAKE} {DUE_IN_TURN} {FIRST} for update skip locked) {TAKEN}"),
    };
    Ok(with_write!(db, |pool| sqlx::query_as(sql.text())
        .bind(lane as i64)
        .bind(now)
        .bind(MAX_ATTEMPTS)
        .bind(now + LEASE_MS)
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

/// Lets a job that failed be tried later. One that failed too often is told of in the same transaction.
async fn postpone(db: &Db, id: &str, attempts: i64, error: &Error, payload: &str) -> Result<(), Error> {
    // a full disk is no fault of the job's
    let (delay_ms, counts) = match error {
        Error::Full => (FULL_DELAY_MS, 0),
        _ => ((1_000i64 << attempts.clamp(0, 20)).min(LONGEST_DELAY_MS), 1),
    };
    let now = now_ms();
    let mut tx = db.begin().await?;
    with_tx!(&mut tx, |conn| {
        sqlx::query(
        "update jobs set leased_until = 0, run_at = $2, last_error = $3, attempts = attempts - 1 + $4 where id = $1"
    )
    .bind(id)
    .bind(now + delay_ms)
    .bind(error.to_string())
    .bind(counts)
    .execute(conn)
    .await
    .map(drop)
    })?;
    let kind = kind_of(payload);
    if counts == 1 && attempts >= MAX_ATTEMPTS && !tells_others(&kind) {
        // one that is tried again and fails again is told again
        let about = format!("{id} {now}");
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

/// The kind of a job as it is kept.
fn kind_of(payload: &str) -> String {
    let payload: serde_json::Value = serde_json::from_str(payload).unwrap_or_default();
    payload["kind"].as_str().unwrap_or_default().to_owned()
}

/// Whether a job is itself a message on its way: that it failed can't be told by another one like it.
fn tells_others(kind: &str) -> bool {
    kind == delivery::Deliver::KIND || kind.starts_with(notices::JOBS)
}
