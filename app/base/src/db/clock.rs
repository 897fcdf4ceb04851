//! What time it is. Instances share a database and go by its clock: one whose machine is minutes off takes no job that another one
//! holds and brings nothing out too early. SQLite's clock is the machine's own.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio_util::sync::CancellationToken;

use super::Db;

/// How far the database's clock is ahead of this machine's, in ms.
static AHEAD: AtomicI64 = AtomicI64::new(0);

/// Clocks that time servers set are milliseconds apart; what is more than this is gone by, in ms.
const TOLERATED: i64 = 500;
/// How often the clocks are compared, and how many times each.
const EVERY: Duration = Duration::from_secs(60);
const TRIES: usize = 3;

/// Now, in epoch milliseconds (UTC), by the database's clock.
pub fn now_ms() -> i64 {
    machine_ms() + AHEAD.load(Ordering::Relaxed)
}

/// The same by the clock of this machine.
pub fn machine_ms() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}

/// How far a clock is ahead of one's own that showed a time between two of one's own, and by how much that may be wrong.
fn compared(asked: i64, there: i64, answered: i64) -> (i64, i64) {
    (there - (asked + answered) / 2, (answered - asked + 1) / 2)
}

/// What is gone by from now on, where that was gone by so far.
fn settled(known: i64, (ahead, doubt): (i64, i64)) -> i64 {
    let is_near = |one: i64, other: i64| (one - other).abs() <= TOLERATED + doubt;
    match ahead {
        ahead if is_near(ahead, 0) => 0,
        ahead if is_near(ahead, known) => known,
        ahead => ahead,
    }
}

/// Compares the clocks.
pub(super) async fn agree(db: &Db) -> Result<(), sqlx::Error> {
    let Db::Postgres(connections, _) = db else { return Ok(()) };
    let mut best = None;
    for _ in 0..TRIES {
        let asked = machine_ms();
        let there: i64 =
            sqlx::query_scalar("select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)")
                .fetch_one(connections)
                .await?;
        let found = compared(asked, there, machine_ms());
        best = best.filter(|(_, doubt): &(i64, i64)| *doubt <= found.1).or(Some(found));
    }
    let known = AHEAD.load(Ordering::Relaxed);
    let now = best.map_or(known, |best| settled(known, best));
    if now != known {
        AHEAD.store(now, Ordering::Relaxed);
        tracing::warn!(ahead_ms = now, "The database's clock is another than this machine's, and is gone by");
    }
    Ok(())
}

/// Goes on comparing until told to stop.
pub async fn keep_time(db: Db, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        if let Err(error) = agree(&db).await {
            tracing::warn!(%error, "The database's clock could not be read");
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_gone_by_is_the_databases_time(
            off in -1_000_000i64..1_000_000,
            known in -1_000_000i64..1_000_000,
            (there, back) in (0i64..2_000, 0i64..2_000),
        ) {
            // a question takes so long to get there, its answer so long to come back
            let asked = 1_800_000_000_000;
            let found = compared(asked, asked + there + off, asked + there + back);
            prop_assert!((found.0 - off).abs() <= found.1, "it is known how wrong it may be: {found:?}");
            let now = settled(known, found);
            prop_assert!((now - off).abs() <= TOLERATED + 2 * found.1);
            // looked at again, nothing changes
            prop_assert_eq!(settled(now, found), now);
        }
    }
}
