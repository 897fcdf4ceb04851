//! Which instance does what one does for all: a row says from when on it is due again, and who moves that does it.

use std::time::Duration;

use base::db::{Db, with_write};
use base::error::Error;

/// Takes a round of something that is done every so often; `false` where it is not due, as another instance did it, or this one
/// before it was started anew. One that was broken off has had its turn.
pub(super) async fn take(db: &Db, task: &str, every: Duration, now: i64) -> Result<bool, Error> {
    let every = i64::try_from(every.as_millis()).unwrap_or(i64::MAX);
    // an instance looks every so often; a moment too early would be a whole pause too late
    let due = now.saturating_add(every - every / 10);
    let moved = with_write!(db, |conn| sqlx::query(
        "insert into rounds (task, due_at) values ($1, $2)
         on conflict (task) do update set due_at = excluded.due_at where rounds.due_at <= $3"
    )
    .bind(task)
    .bind(due)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(moved > 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use futures::future::join_all;

    use super::*;
    use crate::app::testing::bare;
    use base::testing::Engine;

    const HOUR: Duration = Duration::from_secs(60 * 60);
    const NOW: i64 = 1_800_000_000_000;

    #[tokio::test]
    async fn one_of_many_takes_a_round_and_the_next_when_it_is_due() {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            let Some((app, _folder)) = bare(engine).await else { continue };
            // in three hours sixteen instances look at about the same time
            for hour in 0..3 {
                let now = NOW + hour * 60 * 60_000;
                let taken =
                    join_all((0..16).map(|late| take(&app.db, "sweep", HOUR, now + late * 1_000))).await;
                assert_eq!(taken.into_iter().filter(|taken| *taken.as_ref().unwrap()).count(), 1);
            }
            // one that was started anew is not early
            assert!(!take(&app.db, "sweep", HOUR, NOW + 150 * 60_000).await.unwrap());
            assert!(take(&app.db, "something else", HOUR, NOW + 150 * 60_000).await.unwrap());
        }
    }
}
