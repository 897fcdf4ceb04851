//! Slowing down guesses: failed sign-ins are counted for each account and each network address, and past a
//! few every further one has to wait, twice as long each time. Codes that are sent are counted the same way.

use crate::app::App;
use crate::db::{Tx, now_ms, with_db, with_tx};
use crate::error::Error;

/// How often somebody may try.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Tries without a wait.
    free: i64,
    /// The wait after those, in ms.
    first_ms: i64,
    /// Tries from which on it doubles.
    doubles_from: i64,
    /// The longest wait, so that nobody can lock a member out for good.
    longest_ms: i64,
    /// Tries older than this are forgotten.
    memory_ms: i64,
}

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// Failed sign-ins of an account.
const ACCOUNT: Limit =
    Limit { free: 5, first_ms: 2_000, doubles_from: 5, longest_ms: 5 * MINUTE_MS, memory_ms: 60 * MINUTE_MS };
/// The same, and wrong codes, of a network address, which may be a whole school's.
const ADDRESS: Limit = Limit { free: 30, doubles_from: 30, ..ACCOUNT };
/// Codes sent to a contact: one a minute, and about fifteen on the worst of days, of which each can be guessed at five
/// times.
const CODES_OF_CONTACT: Limit =
    Limit { free: 1, first_ms: MINUTE_MS, doubles_from: 4, longest_ms: DAY_MS / 2, memory_ms: DAY_MS };
/// Codes that a network address asks for.
const CODES_OF_ADDRESS: Limit = Limit {
    free: 30,
    first_ms: MINUTE_MS,
    doubles_from: 30,
    longest_ms: 60 * MINUTE_MS,
    memory_ms: 60 * MINUTE_MS,
};

impl Limit {
    /// How long the next try must wait, in ms, counted from the last one.
    fn wait_ms(self, tries: i64) -> i64 {
        if tries < self.free {
            return 0;
        }
        (self.first_ms << (tries - self.doubles_from).clamp(0, 20)).min(self.longest_ms)
    }
}

/// A try that counts as a failure until [`Attempt::succeeded`]: guesses sent all at once don't slip past the
/// count.
pub struct Attempt {
    /// Where success wipes the slate.
    account: Option<String>,
    /// Where success only takes this one try back.
    address: String,
}

/// Starts a try at an account, or says how many seconds it must wait.
pub async fn start(app: &App, account: &str, address: &str) -> Result<Attempt, Error> {
    let (account, address) = (format!("account:{account}"), format!("address:{address}"));
    let mut tx = app.db.begin().await?;
    take(&mut tx, &account, ACCOUNT).await?;
    take(&mut tx, &address, ADDRESS).await?;
    tx.commit().await?;
    Ok(Attempt { account: Some(account), address })
}

/// Starts a try at something that is not an account's, such as a code.
pub async fn start_anywhere(app: &App, address: &str) -> Result<Attempt, Error> {
    let address = format!("address:{address}");
    let mut tx = app.db.begin().await?;
    take(&mut tx, &address, ADDRESS).await?;
    tx.commit().await?;
    Ok(Attempt { account: None, address })
}

/// Counts a code that is sent in this transaction, or says how many seconds it must wait.
pub async fn take_code(tx: &mut Tx, contact: &str, address: &str) -> Result<(), Error> {
    take(tx, &format!("code:{contact}"), CODES_OF_CONTACT).await?;
    take(tx, &format!("codes:{address}"), CODES_OF_ADDRESS).await
}

/// The owner of a contact, or of an account, has proved itself: what others tried there counts no more.
pub async fn forgive(tx: &mut Tx, contact: &str, account: Option<&str>) -> Result<(), Error> {
    let account = account.map(|account| format!("account:{account}"));
    with_tx!(tx, |conn| sqlx::query("delete from sign_in_attempts where subject = $1 or subject = $2")
        .bind(format!("code:{contact}"))
        .bind(account)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Counts one more try. Refused, the transaction is dropped and takes the count back.
async fn take(tx: &mut Tx, subject: &str, limit: Limit) -> Result<(), Error> {
    // whoever holds the row goes first, so that tries sent at once are counted one after the other
    with_tx!(tx, |conn| sqlx::query(
        "insert into sign_in_attempts (subject, failures, last_failure_at) values ($1, 0, 0)
         on conflict (subject) do update set failures = sign_in_attempts.failures",
    )
    .bind(subject)
    .execute(conn)
    .await
    .map(drop))?;
    let (tries, last): (i64, i64) = with_tx!(tx, |conn| sqlx::query_as(
        "select failures, last_failure_at from sign_in_attempts where subject = $1",
    )
    .bind(subject)
    .fetch_one(conn)
    .await)?;
    let now = now_ms();
    let tries = if now - last < limit.memory_ms { tries } else { 0 };
    let wait = last + limit.wait_ms(tries) - now;
    if wait > 0 {
        return Err(Error::TooMany(u64::try_from(wait).unwrap_or(0).div_ceil(1000)));
    }
    with_tx!(tx, |conn| sqlx::query(
        "update sign_in_attempts set failures = $2, last_failure_at = $3 where subject = $1",
    )
    .bind(subject)
    .bind(tries + 1)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

impl Attempt {
    /// It was right: the account's failures are forgotten, the address gets its one back.
    pub async fn succeeded(self, app: &App) -> Result<(), Error> {
        with_db!(&app.db, |pool| {
            sqlx::query("delete from sign_in_attempts where subject = $1")
                .bind(self.account)
                .execute(pool)
                .await?;
            sqlx::query(
                "update sign_in_attempts set failures = failures - 1 where subject = $1 and failures > 0",
            )
            .bind(self.address)
            .execute(pool)
            .await?;
        });
        Ok(())
    }
}

/// Deletes counts that no limit remembers.
pub async fn forget_over(app: &App) -> Result<(), Error> {
    with_db!(&app.db, |pool| sqlx::query("delete from sign_in_attempts where last_failure_at < $1")
        .bind(now_ms() - DAY_MS)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_failures_are_free_and_then_the_wait_doubles() {
        let waits: Vec<i64> = (3..=9).map(|failures| ACCOUNT.wait_ms(failures) / 1000).collect();
        assert_eq!(waits, [0, 0, 2, 4, 8, 16, 32]);
        assert_eq!(ACCOUNT.wait_ms(10_000), 5 * MINUTE_MS);
    }

    #[test]
    fn a_contact_gets_one_code_a_minute_and_few_a_day() {
        let minutes = |sent| CODES_OF_CONTACT.wait_ms(sent) / MINUTE_MS;
        assert_eq!((0..=7).map(minutes).collect::<Vec<_>>(), [0, 1, 1, 1, 1, 2, 4, 8]);
        let (mut sent, mut at) = (0, 0);
        while at < DAY_MS {
            sent += 1;
            at += CODES_OF_CONTACT.wait_ms(sent);
        }
        assert!(sent <= 15, "{sent} codes a day");
        // NIST SP 800-63B-4 section 3.2.2: no more than 100 wrong guesses in a row
        assert!(sent * crate::accounts::codes::TRIES <= 100);
    }
}
