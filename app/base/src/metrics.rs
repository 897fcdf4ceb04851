//! What is counted for a program that watches this one, in the text format of Prometheus.
//!
//! No label holds anything of a member's, and none has more values than the program itself: patterns of routes, kinds of jobs,
//! names of states.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use prometheus::{
    Encoder, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, TextEncoder,
};

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

/// A request was answered: the pattern of its route, its method, the answer's status.
pub fn answered(route: &str, method: &str, status: &str, took: Duration) {
    METRICS.requests.with_label_values(&[route, method, status]).observe(took.as_secs_f64());
}

/// What is not counted as it happens, but looked up when somebody asks.
#[derive(Debug)]
pub struct Standing {
    /// Connections to the database that are open, those of them that nobody uses, and how many there may be.
    pub connections: [u32; 3],
    /// Jobs that wait for somebody.
    pub dead: i64,
    /// Each kind of job, with how many wait and how long the oldest is due, in ms.
    pub kinds: Vec<(&'static str, i64, i64)>,
    /// Bytes that are free where files arrive.
    pub free: u64,
    pub backups: StandingBackups,
}

/// The same of backups; ages and spans in seconds.
#[derive(Debug)]
pub struct StandingBackups {
    pub age: i64,
    pub verified_age: i64,
    pub failures: i64,
    pub duration: i64,
    pub size: i64,
    pub stored: i64,
    pub damaged: i64,
}

impl Standing {
    fn set(self) {
        let all = &*METRICS;
        let Self { connections: [open, idle, most], dead, kinds, free, backups } = self;
        all.connections.with_label_values(&["idle"]).set(idle.into());
        all.connections.with_label_values(&["used"]).set(open.saturating_sub(idle).into());
        all.most_connections.set(most.into());
        all.dead.set(dead);
        for (kind, waiting, oldest_ms) in kinds {
            all.waiting.with_label_values(&[kind]).set(waiting);
            all.oldest.with_label_values(&[kind]).set(oldest_ms / 1000);
        }
        all.free.set(i64::try_from(free).unwrap_or(i64::MAX));
        let told = &all.backups;
        told.age.set(backups.age);
        told.verified.set(backups.verified_age);
        told.failures.set(backups.failures);
        told.duration.set(backups.duration);
        told.size.set(backups.size);
        told.stored.set(backups.stored);
        told.damaged.set(backups.damaged);
    }
}

/// Everything that was counted, and what there is now, in the format that [`prometheus::TEXT_FORMAT`] names.
pub fn text(standing: Standing) -> prometheus::Result<Vec<u8>> {
    standing.set();
    METRICS.memory.set(resident().unwrap_or_default());
    let mut text = Vec::new();
    TextEncoder::new().encode(&METRICS.registry.gather(), &mut text)?;
    Ok(text)
}

/// Bytes of memory that the program has (proc(5), `statm`).
fn resident() -> Option<i64> {
    let pages: i64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * i64::try_from(rustix::param::page_size()).ok()?)
}
