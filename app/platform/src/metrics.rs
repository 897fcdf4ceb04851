//! What a program that watches this one reads: `/metrics` in the text format of Prometheus, at an address of its own
//! (`BINDERY_METRICS_ADDR`), which the world does not reach.
//!
//! No label holds anything of a member's, and none has more values than the program itself: patterns of routes, kinds of jobs,
//! names of states.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus::{
    Encoder, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, TextEncoder,
};

use crate::app::App;
use crate::backups::{self, Act, Ended};
use crate::db::{Db, now_ms};
use crate::error::Error;
use crate::jobs;
use crate::traces;

/// The upper ends of what requests and turns are counted in, in seconds.
const SECONDS: &[f64] = &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
/// The same of statements.
const STATEMENT_SECONDS: &[f64] =
    &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0];

/// Everything that is counted. A program counts once, however many of it tests open in one process.
struct Metrics {
    registry: Registry,
    requests: HistogramVec,
    statements: Histogram,
    places: Histogram,
    connections: IntGaugeVec,
    most_connections: IntGauge,
    waiting: IntGaugeVec,
    oldest: IntGaugeVec,
    dead: IntGauge,
    jobs: IntCounterVec,
    free: IntGauge,
    written: IntCounter,
    storage_errors: IntCounter,
    sandbox: IntCounterVec,
    sandbox_wait: HistogramVec,
    memory: IntGauge,
    payments: IntCounterVec,
    messages: IntCounterVec,
    sign_ins: IntCounterVec,
    backups: Backups,
}

/// What is told of backups in the repository, by what was noted in the database.
struct Backups {
    scheduled: IntGauge,
    age: IntGauge,
    duration: IntGauge,
    size: IntGauge,
    stored: IntGauge,
    failures: IntGauge,
    damaged: IntGauge,
    verified: IntGauge,
}

static METRICS: LazyLock<Metrics> = LazyLock::new(|| {
    Metrics::new().unwrap_or_else(|error| unreachable!("names of metrics are good: {error}"))
});

impl Metrics {
    fn new() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let counters = |name: &str, help: &str, labels: &[&str]| {
            let made = IntCounterVec::new(Opts::new(name, help), labels)?;
            registry.register(Box::new(made.clone()))?;
            Ok::<_, prometheus::Error>(made)
        };
        let gauges = |name: &str, help: &str, labels: &[&str]| {
            let made = IntGaugeVec::new(Opts::new(name, help), labels)?;
            registry.register(Box::new(made.clone()))?;
            Ok::<_, prometheus::Error>(made)
        };
        let gauge = |name: &str, help: &str| {
            let made = IntGauge::new(name, help)?;
            registry.register(Box::new(made.clone()))?;
            Ok::<_, prometheus::Error>(made)
        };
        let counter = |name: &str, help: &str| {
            let made = IntCounter::new(name, help)?;
            registry.register(Box::new(made.clone()))?;
            Ok::<_, prometheus::Error>(made)
        };
        let histograms = |name: &str, help: &str, labels: &[&str]| {
            let made = HistogramVec::new(HistogramOpts::new(name, help).buckets(SECONDS.to_vec()), labels)?;
            registry.register(Box::new(made.clone()))?;
            Ok::<_, prometheus::Error>(made)
        };
        let statements = Histogram::with_opts(
            HistogramOpts::new(
                "bindery_database_statement_duration_seconds",
                "How long the database takes for what it is asked, waiting for a connection included.",
            )
            .buckets(STATEMENT_SECONDS.to_vec()),
        )?;
        registry.register(Box::new(statements.clone()))?;
        let places = Histogram::with_opts(
            HistogramOpts::new(
                "bindery_database_writer_held_seconds",
                "How long a writer's place is held; of SQLite there is one.",
            )
            .buckets(STATEMENT_SECONDS.to_vec()),
        )?;
        registry.register(Box::new(places.clone()))?;
        Ok(Self {
            requests: histograms(
                "bindery_http_request_duration_seconds",
                "How long requests take, by the pattern of their route.",
                &["route", "method", "status"],
            )?,
            statements,
            places,
            connections: gauges(
                "bindery_database_connections",
                "Connections to the database, by what they do.",
                &["state"],
            )?,
            most_connections: gauge("bindery_database_connections_limit", "Connections that there may be.")?,
            waiting: gauges("bindery_jobs_waiting", "Jobs that are due or later, by kind.", &["kind"])?,
            oldest: gauges(
                "bindery_jobs_oldest_seconds",
                "How long the oldest job is due, by kind.",
                &["kind"],
            )?,
            dead: gauge("bindery_jobs_dead", "Jobs that failed too often and wait for somebody.")?,
            jobs: counters(
                "bindery_jobs_total",
                "Jobs that were tried, by kind and outcome.",
                &["kind", "outcome"],
            )?,
            free: gauge("bindery_storage_free_bytes", "Bytes that are free where files arrive.")?,
            written: counter("bindery_storage_written_bytes_total", "Bytes of files that were written.")?,
            storage_errors: counter("bindery_storage_errors_total", "Times that the storage failed.")?,
            sandbox: counters(
                "bindery_sandbox_turns_total",
                "Tasks in the sandbox, by lane and outcome.",
                &["lane", "outcome"],
            )?,
            sandbox_wait: histograms(
                "bindery_sandbox_wait_seconds",
                "How long tasks wait for their turn in the sandbox.",
                &["lane"],
            )?,
            memory: gauge("process_resident_memory_bytes", "Resident memory size in bytes.")?,
            payments: counters("bindery_payments_total", "Payments that came into a state.", &["state"])?,
            messages: counters(
                "bindery_messages_total",
                "Messages handed to providers, by way and outcome.",
                &["way", "outcome"],
            )?,
            sign_ins: counters(
                "bindery_sign_in_failures_total",
                "Tries to sign in that failed, by door and reason.",
                &["door", "reason"],
            )?,
            backups: Backups {
                scheduled: gauge("bindery_backup_scheduled", "1 where backups are made by themselves.")?,
                age: gauge(
                    "bindery_backup_age_seconds",
                    "How old the last good backup in the repository is; since 1970 where there is none.",
                )?,
                duration: gauge("bindery_backup_duration_seconds", "How long it took to make.")?,
                size: gauge("bindery_backup_size_bytes", "Bytes of all that it is made of.")?,
                stored: gauge("bindery_backup_stored_bytes", "Bytes of it that were stored anew.")?,
                failures: gauge(
                    "bindery_backup_failures",
                    "Tries since then that failed, and whether it could not be cleared away after it.",
                )?,
                damaged: gauge(
                    "bindery_backup_damaged_files",
                    "Files that were not what they should be, or not there, when it was made.",
                )?,
                verified: gauge(
                    "bindery_backup_verified_age_seconds",
                    "How long ago one was looked through and found whole; since 1970 where none was.",
                )?,
            },
            registry,
        })
    }
}

/// Times an expression that asks the database, until it is dropped.
#[derive(Debug)]
pub struct Statement {
    began: Instant,
    // its end is the span's
    _span: tracing::Span,
}

/// See [`Statement`]: of which database, and where it is asked.
pub fn statement(system: &'static str, module: &'static str) -> Statement {
    Statement { began: Instant::now(), _span: traces::statement(system, module) }
}

impl Drop for Statement {
    fn drop(&mut self) {
        METRICS.statements.observe(self.began.elapsed().as_secs_f64());
    }
}

/// A writer's place was given back.
pub fn place_held(held: Duration) {
    METRICS.places.observe(held.as_secs_f64());
}

/// A job was tried.
pub fn job(kind: &'static str, is_done: bool) {
    METRICS.jobs.with_label_values(&[kind, if is_done { "done" } else { "failed" }]).inc();
}

/// Bytes were written to the storage.
pub fn written(bytes: u64) {
    METRICS.written.inc_by(bytes);
}

/// The storage failed.
pub fn storage_failed() {
    METRICS.storage_errors.inc();
}

/// A task had its turn in the sandbox, after so long.
pub fn sandbox_waited(lane: &'static str, waited: Duration) {
    METRICS.sandbox_wait.with_label_values(&[lane]).observe(waited.as_secs_f64());
}

/// A task in the sandbox came to its end, or did not.
pub fn sandbox(lane: &'static str, is_done: bool) {
    METRICS.sandbox.with_label_values(&[lane, if is_done { "done" } else { "ended" }]).inc();
}

/// A payment came into a state.
pub fn payment(state: &'static str) {
    METRICS.payments.with_label_values(&[state]).inc();
}

/// A message was handed to a provider: `sent`, `later` or `refused`.
pub fn message(way: &'static str, outcome: &'static str) {
    METRICS.messages.with_label_values(&[way, outcome]).inc();
}

/// Somebody was not let in: by `password`, by `code`, by a company account (`oidc`), or for having failed too often (`throttled`).
pub fn sign_in_failed(door: &'static str, reason: &'static str) {
    METRICS.sign_ins.with_label_values(&[door, reason]).inc();
}

/// Whether backups are made by themselves.
pub fn backups_are_scheduled(are: bool) {
    METRICS.backups.scheduled.set(are.into());
}

async fn look_at_backups(db: &Db) -> Result<(), Error> {
    let (told, now) = (&METRICS.backups, now_ms());
    let run = backups::standing(db, Act::Run).await?;
    let verify = backups::standing(db, Act::Verify).await?;
    let age = |ended: &Option<Ended>| (now - ended.as_ref().map_or(0, |ended| ended.ended_at)) / 1000;
    told.age.set(age(&run.good));
    told.verified.set(age(&verify.good));
    let is_left = run.good.as_ref().is_some_and(|good| good.prune_fault.is_some());
    told.failures.set(run.failures + i64::from(is_left));
    let good = |of: fn(&Ended) -> i64| run.good.as_ref().map_or(0, of);
    told.duration.set(good(|good| (good.ended_at - good.began_at) / 1000));
    told.size.set(good(|good| good.size));
    told.damaged.set(good(|good| good.damaged));
    told.stored.set(good(|good| good.stored));
    Ok(())
}

/// Times each request.
pub async fn requests(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = match *request.method() {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    };
    let start = Instant::now();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    METRICS
        .requests
        .with_label_values(&[route, method, response.status().as_str()])
        .observe(start.elapsed().as_secs_f64());
    response
}

/// What answers at the address of its own.
pub fn router(app: App) -> Router {
    Router::new().route("/metrics", get(answer)).with_state(app)
}

async fn answer(State(app): State<App>) -> Response {
    match text(&app).await {
        Ok(text) => ([(header::CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response(),
        Err(error) => {
            tracing::warn!(%error, "Nothing could be told of the program");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

async fn text(app: &App) -> Result<Vec<u8>, Error> {
    let all = &*METRICS;
    let (size, idle, most) = match &app.db {
        Db::Sqlite(reads, door) => (
            reads.size() + door.pool().size(),
            reads.num_idle() + door.pool().num_idle(),
            reads.options().get_max_connections() + door.pool().options().get_max_connections(),
        ),
        Db::Postgres(connections, _) => {
            let pool = connections.pool();
            (pool.size(), pool.num_idle(), pool.options().get_max_connections())
        }
    };
    let idle = i64::try_from(idle).unwrap_or(i64::MAX);
    all.connections.with_label_values(&["idle"]).set(idle);
    all.connections.with_label_values(&["used"]).set((i64::from(size) - idle).max(0));
    all.most_connections.set(i64::from(most));
    let queue = jobs::queue(app, now_ms()).await?;
    all.dead.set(queue.dead);
    for (kind, waiting, oldest_ms) in queue.kinds {
        all.waiting.with_label_values(&[kind]).set(waiting);
        all.oldest.with_label_values(&[kind]).set(oldest_ms / 1000);
    }
    look_at_backups(&app.db).await?;
    all.free.set(app.storage.free().map_or(0, |free| i64::try_from(free).unwrap_or(i64::MAX)));
    all.memory.set(resident().unwrap_or_default());
    let mut text = Vec::new();
    TextEncoder::new().encode(&all.registry.gather(), &mut text).map_err(Error::internal)?;
    Ok(text)
}

/// Bytes of memory that the program has (proc(5), `statm`).
fn resident() -> Option<i64> {
    let pages: i64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * i64::try_from(rustix::param::page_size()).ok()?)
}
