//! Slowing down guesses: failed sign-ins are counted for each account and each network address, and past a
//! few every further one has to wait, twice as long each time.

use crate::app::App;
use crate::db::{Tx, now_ms, with_db, with_tx};
use crate::error::Error;

/// Failures an account may have before it must wait.
const FREE_FOR_ACCOUNT: i64 = 5;
/// The same for a network address, which may be a whole school's.
const FREE_FOR_ADDRESS: i64 = 30;
/// The longest wait, so that nobody can lock a member out for good.
const LONGEST_WAIT_MS: i64 = 5 * 60_000;
/// Failures older than this are forgotten.
const MEMORY_MS: i64 = 60 * 60_000;

/// How long the next try must wait, in ms, counted from the last failure.
fn wait_ms(failures: i64, free: i64) -> i64 {
    if failures < free { 0 } else { (2_000 << (failures - free).min(20)).min(LONGEST_WAIT_MS) }
}

/// A try that counts as a failure until [`Attempt::succeeded`]: guesses sent all at once don't slip past the
/// count.
pub struct Attempt {
    subjects: [String; 2],
}

/// Starts a try, or says how many seconds it must wait.
pub async fn start(app: &App, account: &str, address: &str) -> Result<Attempt, Error> {
    let now = now_ms();
    let subjects = [format!("account:{account}"), format!("address:{address}")];
    let mut tx = app.db.begin().await?;
    for (subject, free) in subjects.iter().zip([FREE_FOR_ACCOUNT, FREE_FOR_ADDRESS]) {
        let (failures, last) = count(&mut tx, subject, now).await?;
        let wait = last + wait_ms(failures, free) - now;
        if wait > 0 {
            // dropped, the transaction takes back what was counted for this refused try
            return Err(Error::TooMany(u64::try_from(wait).unwrap_or(0).div_ceil(1000)));
        }
    }
    tx.commit().await?;
    Ok(Attempt { subjects })
}

/// Adds a failure and answers how many there were before, and when the last one was.
async fn count(tx: &mut Tx, subject: &str, now: i64) -> Result<(i64, i64), Error> {
    let before: Option<(i64, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select failures, last_failure_at from sign_in_attempts where subject = $1",
    )
    .bind(subject)
    .fetch_optional(conn)
    .await)?;
    let (failures, last) = before.filter(|(_, last)| now - last < MEMORY_MS).unwrap_or((0, 0));
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into sign_in_attempts (subject, failures, last_failure_at) values ($1, $2, $3)
         on conflict (subject) do update set failures = excluded.failures, last_failure_at = excluded.last_failure_at",
    )
    .bind(subject)
    .bind(failures + 1)
    .bind(now)
    .execute(conn)
    .await.map(drop)
    })?;
    Ok((failures, last))
}

impl Attempt {
    /// The password was right: the account's failures are forgotten, the address gets its one back.
    pub async fn succeeded(self, app: &App) -> Result<(), Error> {
        let [account, address] = self.subjects;
        with_db!(&app.db, |pool| {
            sqlx::query("delete from sign_in_attempts where subject = $1")
                .bind(account)
                .execute(pool)
                .await?;
            sqlx::query(
                "update sign_in_attempts set failures = failures - 1 where subject = $1 and failures > 0",
            )
            .bind(address)
            .execute(pool)
            .await?;
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_failures_are_free_and_then_the_wait_doubles() {
        let waits: Vec<i64> = (3..=9).map(|failures| wait_ms(failures, FREE_FOR_ACCOUNT) / 1000).collect();
        assert_eq!(waits, [0, 0, 2, 4, 8, 16, 32]);
        assert_eq!(wait_ms(10_000, FREE_FOR_ACCOUNT), LONGEST_WAIT_MS);
    }
}
