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
mod letters;
#[cfg(test)]
mod tests;

use domain::ids::MemberId;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::db::{Db, Tx, new_id, now_ms, sql, with_db, with_tx, with_write};
use crate::error::Error;

pub use bell::{Bell, between_instances};
pub use letters::{Letter, letters, retry};

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
    /// The part of the program that it needs to be done.
    type App;
    /// What rows of it are called; those of older versions wait under the same name.
    const KIND: &'static str;
    const LANE: Lane = Lane::Background;
    /// Does it; the same again when it was done before.
    fn run(self, app: Self::App) -> impl Future<Output = Result<(), Error>> + Send;
}

/// How the queue stands.
pub struct Queue {
    /// Jobs that wait for somebody.
    pub dead: i64,
    /// Each of the kinds asked for, with how many wait and how long the oldest is due, in ms.
    pub kinds: Vec<(&'static str, i64, i64)>,
}

/// Looks at the queue; kinds of which none waits are in it, too.
pub async fn queue(db: &Db, kinds: impl Iterator<Item = &'static str>, now: i64) -> Result<Queue, Error> {
    let rows: Vec<(String, i64, i64)> = with_db!(db, |pool| {
        sqlx::query_as(
            "select kind, count(*), min(run_at) from jobs where attempts < $1 or leased_until > $2 group by kind",
        )
        .bind(MAX_ATTEMPTS)
        .bind(now)
        .fetch_all(pool)
        .await
    })?;
    let dead: i64 = with_db!(db, |pool| sqlx::query_scalar(
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
    Ok(Queue { dead, kinds: kinds.map(stands).collect() })
}

/// How long a job is a worker's own without a sign of life, in ms.
const LEASE_MS: i64 = 30_000;
/// After so many failures a job is a dead letter: over an hour after the first.
pub const MAX_ATTEMPTS: i64 = 12;
/// The longest delay before the next try, in ms.
const LONGEST_DELAY_MS: i64 = 60 * 60_000;
/// How long a job waits for room on the disk, in ms.
const FULL_DELAY_MS: i64 = 60_000;
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

/// A job that a worker holds.
#[derive(Debug, sqlx::FromRow)]
pub struct Leased {
    pub id: String,
    /// This one included.
    pub attempts: i64,
    /// JSON.
    pub payload: String,
}

/// Leases the next due job of the first lane that has one.
pub async fn next(db: &Db, lanes: &[Lane], now: i64) -> Result<Option<Leased>, Error> {
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

/// A worker goes on: a job stays its own.
pub async fn renew(db: &Db, id: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update jobs set leased_until = $2 where id = $1")
        .bind(id)
        .bind(now_ms() + LEASE_MS)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Lets another worker take a job at once, as if nobody had tried.
pub async fn give_back(db: &Db, id: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query(
        "update jobs set leased_until = 0, attempts = attempts - 1 where id = $1"
    )
    .bind(id)
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}

/// A job is done.
pub async fn finish(db: &Db, id: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("delete from jobs where id = $1")
        .bind(id)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Lets a job that failed be tried later; whether it failed too often and is not.
pub async fn postpone(tx: &mut Tx, id: &str, attempts: i64, error: &Error) -> Result<bool, Error> {
    // a full disk is no fault of the job's
    let (delay_ms, counts) = match error {
        Error::Full => (FULL_DELAY_MS, 0),
        _ => ((1_000i64 << attempts.clamp(0, 20)).min(LONGEST_DELAY_MS), 1),
    };
    with_tx!(tx, |conn| {
        sqlx::query(
        "update jobs set leased_until = 0, run_at = $2, last_error = $3, attempts = attempts - 1 + $4 where id = $1"
    )
    .bind(id)
    .bind(now_ms() + delay_ms)
    .bind(error.to_string())
    .bind(counts)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(counts == 1 && attempts >= MAX_ATTEMPTS)
}

/// The kind of a job as it is kept.
pub fn kind_of(payload: &str) -> String {
    let payload: serde_json::Value = serde_json::from_str(payload).unwrap_or_default();
    payload["kind"].as_str().unwrap_or_default().to_owned()
}
