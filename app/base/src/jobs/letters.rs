//! Jobs as the host sees them: what waits, and what was given up.

use super::MAX_ATTEMPTS;
use crate::audit;
use crate::db::{Db, now_ms, with_db, with_tx};
use crate::error::Error;
use crate::time;

/// A job in the queue.
#[derive(Debug, sqlx::FromRow)]
pub struct Letter {
    pub id: String,
    pub kind: String,
    /// JSON.
    pub payload: String,
    /// When it is, or would have been, tried next, epoch ms.
    pub run_at: i64,
    pub leased_until: i64,
    pub attempts: i64,
    pub last_error: Option<String>,
}

impl Letter {
    /// What becomes of it, as a sentence.
    pub fn sentence(&self, now: i64) -> String {
        let state = if self.leased_until > now {
            "is running".to_owned()
        } else if self.attempts >= MAX_ATTEMPTS {
            format!("failed {} times and is not tried again", self.attempts)
        } else {
            format!("runs at {}", time::stamp(self.run_at))
        };
        let error = self.last_error.as_deref().map(|error| format!("\n  last failure: {error}"));
        format!("{} {} {state}\n  {}{}", self.id, self.kind, self.payload, error.unwrap_or_default())
    }
}

/// The jobs that wait, the next due first; only dead letters where they are asked for.
pub async fn letters(db: &Db, dead: bool) -> Result<Vec<Letter>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, kind, payload, run_at, leased_until, attempts, last_error from jobs
         where attempts >= $1 order by run_at, id limit 1000",
    )
    .bind(if dead { MAX_ATTEMPTS } else { 0 })
    .fetch_all(pool)
    .await)?)
}

/// Lets a job be tried again at once, or every dead letter; answers how many there were.
pub async fn retry(db: &Db, id: Option<&str>) -> Result<u64, Error> {
    let now = now_ms();
    let mut tx = db.begin().await?;
    let count = with_tx!(&mut tx, |conn| sqlx::query(
        "update jobs set attempts = 0, run_at = $1
         where leased_until <= $1 and case when $2 = '' then attempts >= $3 else id = $2 end",
    )
    .bind(now)
    .bind(id.unwrap_or(""))
    .bind(MAX_ATTEMPTS)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    if count > 0 {
        audit::note(&mut tx, "job retry", id.unwrap_or("dead"), &serde_json::json!({ "jobs": count }))
            .await?;
    }
    tx.commit().await?;
    Ok(count)
}
