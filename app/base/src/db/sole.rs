//! What one program at a time does to a database, whichever machines they run on.

use std::fs::{File, TryLockError};
use std::str::FromStr;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, PgConnection};

use super::{is_postgres, postgres_connection};
use crate::detach::blocking;
use crate::error::Error;

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// The database is brought up to date.
    Opening,
    /// A backup of it is made.
    Backup,
}

impl Deed {
    /// Any number that no other program on the same PostgreSQL takes for its own.
    fn number(self) -> i64 {
        match self {
            Self::Opening => 0x62_69_6e_64_65_72_79,
            Self::Backup => 0x62_69_6e_64_65_72_7a,
        }
    }

    /// How the name of its file ends.
    fn ending(self) -> &'static str {
        match self {
            Self::Opening => ".lock",
            Self::Backup => ".backup.lock",
        }
    }
}

/// The first and the longest pause between two tries.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(400));

/// The right to do it. Given back when dropped.
pub enum Sole {
    /// A lock of the system on a file beside the database, which ends with the program however that ends.
    Sqlite(File),
    /// A connection in a transaction that holds an advisory lock.
    Postgres(Box<PgConnection>),
}

impl Sole {
    /// Waits until no other program does it.
    pub async fn wait(url: &str, deed: Deed) -> Result<Self, Error> {
        if is_postgres(url) {
            // whoever waited for the lock in a transaction would keep a pooler's connection meanwhile, and of enough of those that
            // wait none would be left to whoever has it
            let mut pause = PAUSES.0;
            loop {
                if let Some(sole) = Self::now(url, deed).await? {
                    return Ok(sole);
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSES.1);
            }
        }
        let name = file_of(url, deed)?;
        blocking(move || {
            let file = File::create(name).map_err(Error::internal)?;
            file.lock().map_err(Error::internal)?;
            Ok(Self::Sqlite(file))
        })
        .await
    }

    /// The right to do it now; nothing where another program does.
    pub async fn now(url: &str, deed: Deed) -> Result<Option<Self>, Error> {
        if is_postgres(url) {
            let mut connection = in_transaction(url).await?;
            let lock = sqlx::query_scalar("select pg_try_advisory_xact_lock($1)")
                .bind(deed.number())
                .persistent(false);
            let is_ours: bool = lock.fetch_one(&mut connection).await?;
            if is_ours {
                return Ok(Some(Self::Postgres(Box::new(connection))));
            }
            // a pooler throws away what somebody left in a transaction
            sqlx::query("rollback").persistent(false).execute(&mut connection).await?;
            connection.close().await?;
            return Ok(None);
        }
        let file = File::create(file_of(url, deed)?).map_err(Error::internal)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self::Sqlite(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(Error::internal(error)),
        }
    }

    /// Whether it is still ours: a connection may have gone.
    ///
    /// # Errors
    /// Where it has.
    pub async fn look(&mut self) -> Result<(), Error> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(connection) => Ok(connection.ping().await?),
        }
    }
}

/// A connection in a transaction that waits for as long as it is wanted: a pooler knows transactions alone.
async fn in_transaction(url: &str) -> Result<PgConnection, Error> {
    let mut connection = postgres_connection(url).await?;
    let mut tx = connection.begin().await?;
    sqlx::query("set local idle_in_transaction_session_timeout = 0")
        .persistent(false)
        .execute(&mut *tx)
        .await?;
    // it ends with the connection
    std::mem::forget(tx);
    Ok(connection)
}

/// The file beside SQLite's.
fn file_of(url: &str, deed: Deed) -> Result<std::ffi::OsString, Error> {
    let mut name = SqliteConnectOptions::from_str(url)?.get_filename().as_os_str().to_owned();
    name.push(deed.ending());
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::{Deed, Sole};
    use crate::testing::{Engine, address};

    #[tokio::test]
    async fn one_at_a_time_has_the_right() {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            let folder = tempfile::tempdir().unwrap();
            let Some(url) = address(engine, folder.path()).await.unwrap() else { continue };
            let mut first = Sole::now(&url, Deed::Backup).await.unwrap().expect("nobody has it");
            assert!(Sole::now(&url, Deed::Backup).await.unwrap().is_none());
            first.look().await.unwrap();
            drop(Sole::wait(&url, Deed::Opening).await.unwrap());
            drop(first);
            // a server notices a moment later that a connection has gone
            let mut again = None;
            for _ in 0..200 {
                again = Sole::now(&url, Deed::Backup).await.unwrap();
                if again.is_some() {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            assert!(again.is_some());
        }
    }
}
