//! The database: one SQL text for SQLite and PostgreSQL.
//!
//! Stores write each statement once, with `$1` placeholders and portable types, and run it through
//! [`with_db!`], [`with_write!`] or [`with_tx!`], which expand the body for both engines.
//!
//! Texts are fixed when the program is compiled: one literal, or a [`Sql`]. So a test can go through all of them, also those
//! that no other test runs.
//!
//! All writes go through one door, where they wait in turn and hold no connection: [`Db::begin`] and [`with_write!`]. SQLite
//! has one writer at a time; whatever else asks has connections that SQLite itself lets only read. Of the connections to
//! PostgreSQL writers have half, so that pages never wait for them.

mod address;
mod clock;
#[doc(hidden)]
pub mod nested;
mod pooling;
mod repeated;
mod schema;
mod scratch;
mod sole;

use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use rand::Rng;
use sha2::{Digest, Sha256};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{
    AssertSqlSafe, Connection, PgConnection, Sqlite, SqlitePool, Transaction,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::detach;
use crate::error::Error;
use crate::metrics;

/// How PostgreSQL is reached (`BINDERY_DATABASE_CONNECTIONS`, `BINDERY_DATABASE_WAIT`).
#[derive(Debug, Clone, Copy)]
pub struct DatabasePool {
    /// At most; half of them may write at once.
    pub connections: u32,
    /// How long a request waits for one.
    pub wait: Duration,
}

/// Connections to either engine, and the way to write.
#[derive(Debug, Clone)]
pub enum Db {
    /// The connections beside the door only read.
    Sqlite(SqlitePool, Door<SqlitePool>),
    Postgres(PgConnections, Door<PgConnections>),
}

/// The one door for writes.
#[derive(Debug, Clone)]
pub struct Door<P> {
    pool: P,
    places: Arc<Semaphore>,
}

impl<P> Door<P> {
    fn of(pool: P, writers: usize) -> Self {
        Self { pool, places: Arc::new(Semaphore::new(writers)) }
    }

    /// Waits for a place for a writer, which is given back when dropped. Who waits holds no connection and gets it in turn.
    pub async fn place(&self) -> Option<Place> {
        nested::check();
        let permit = self.places.clone().acquire_owned().await.ok()?;
        Some(Place { since: Instant::now(), _permit: permit })
    }

    /// Connections that may write, for whoever has a place.
    pub fn pool(&self) -> &P {
        &self.pool
    }
}

/// A writer's place. On SQLite there is one, and everybody else who writes waits meanwhile.
#[derive(Debug)]
pub struct Place {
    since: Instant,
    _permit: OwnedSemaphorePermit,
}

/// From so long on it is written into the log that a place was held: what grows is to be written in slices of a twentieth of that.
const LONG: Duration = Duration::from_secs(1);

impl Drop for Place {
    fn drop(&mut self) {
        let held = self.since.elapsed();
        metrics::place_held(held);
        if held >= LONG {
            tracing::warn!(
                ms = u64::try_from(held.as_millis()).unwrap_or(u64::MAX),
                "A writer's place was held for long"
            );
        }
    }
}

/// A write transaction on either engine; dropped without [`Tx::commit`] it is undone.
pub enum Tx {
    Sqlite(Transaction<'static, Sqlite>, Hold),
    Postgres(PgTransaction, Hold),
}

/// What a transaction keeps from others.
#[derive(Debug)]
pub struct Hold {
    /// A writer's; a reading one has none.
    _place: Option<Place>,
    _alone: nested::Holder,
}

/// Runs one sqlx expression that reads, on a pool of either engine: `with_db!(&db, |pool| query.fetch_all(pool).await)`.
#[macro_export]
macro_rules! with_db {
    ($db:expr, |$pool:ident| $body:expr) => {
        match $db {
            $crate::db::Db::Sqlite($pool, _) => {
                $crate::db::nested::check();
                let _timed = $crate::metrics::statement("sqlite", module_path!());
                $body
            }
            $crate::db::Db::Postgres($pool, _) => {
                $crate::db::nested::check();
                let _timed = $crate::metrics::statement("postgresql", module_path!());
                $body
            }
        }
    };
}

/// Runs one sqlx expression that writes, on a pool of either engine: `with_write!(&db, |pool| query.execute(pool).await)`.
/// Whoever has a write transaction open must not: it would wait for itself.
#[macro_export]
macro_rules! with_write {
    ($db:expr, |$pool:ident| $body:expr) => {
        match $db {
            $crate::db::Db::Sqlite(_, door) => {
                let _place = door.place().await;
                let _timed = $crate::metrics::statement("sqlite", module_path!());
                let $pool = door.pool();
                $body
            }
            $crate::db::Db::Postgres(_, door) => {
                let _place = door.place().await;
                let _timed = $crate::metrics::statement("postgresql", module_path!());
                let $pool = door.pool();
                $body
            }
        }
    };
}

/// Runs one sqlx expression in a transaction of either engine: `with_tx!(tx, |conn| query.execute(conn).await)`.
#[macro_export]
macro_rules! with_tx {
    ($tx:expr, |$conn:ident| $body:expr) => {
        match $tx {
            $crate::db::Tx::Sqlite(inner, _) => {
                let _timed = $crate::metrics::statement("sqlite", module_path!());
                let $conn = &mut **inner;
                $body
            }
            $crate::db::Tx::Postgres(inner, _) => {
                let _timed = $crate::metrics::statement("postgresql", module_path!());
                let $conn = &mut *inner;
                $body
            }
        }
    };
}

/// A statement of a literal and of constants that it names: `sql!("select {COLUMNS} from photos where id = $1")`. Pieces of
/// statements that are made of pieces themselves are made by [`formatcp!`].
#[macro_export]
macro_rules! sql {
    ($text:literal) => {
        $crate::db::Sql::fixed($crate::db::formatcp!($text))
    };
}

pub use address::DATABASE_URL;
pub use address::check_address;
use address::{is_postgres, unreached};
pub use clock::{keep_time, machine_ms, now_ms};
pub use const_format::formatcp;
pub use pooling::{PgConnections, PgTransaction, Pooling};
use schema::MIGRATIONS;
pub use schema::{Fit, Schema, newest_migration, too_new};
pub use scratch::Scratch;
pub use sole::{Deed, Sole};
pub use {sql, with_db, with_tx, with_write};

/// A statement, made by [`sql!`] alone: no text that is put together at run time can be one.
#[derive(Debug, Clone, Copy)]
pub struct Sql(&'static str);

impl Sql {
    #[doc(hidden)]
    pub const fn fixed(text: &'static str) -> Self {
        Self(text)
    }

    pub const fn text(self) -> &'static str {
        self.0
    }

    /// The statement for so many rows or places: `insert into pairs (one, other) values [(?, ?)]`, `… where id in ([?])`.
    /// What stands in brackets is repeated between commas, and each `?` in it is the next place behind the numbered ones.
    pub fn repeated(self, times: usize) -> Composed {
        Composed(repeated::repeated(self.0, times))
    }
}

/// Places of one statement: few lengths, so that few are prepared.
const LENGTHS: [usize; 3] = [8, 40, 200];

/// Parts of a list for statements that name what they look for: the places that are left name the first once more.
pub fn in_parts<T>(list: &[T]) -> impl Iterator<Item = Vec<&T>> {
    let [.., most] = LENGTHS;
    list.chunks(most).map(move |part| {
        let length = LENGTHS.into_iter().find(|length| *length >= part.len()).unwrap_or(most);
        part.iter().chain(std::iter::repeat(&part[0])).take(length).collect()
    })
}

/// A statement that is put together when it is asked, of constants alone: by [`Sql::repeated`] or [`joined`].
#[derive(Debug)]
pub struct Composed(String);

impl Composed {
    pub fn text(&self) -> AssertSqlSafe<&str> {
        AssertSqlSafe(&self.0)
    }
}

/// A statement of pieces that follow one another, some of them one of a few constants: any choice of those is a statement.
pub fn joined(pieces: &[&'static str]) -> Composed {
    Composed(pieces.join(" "))
}

impl Db {
    /// Opens the database named by the address, whose schema is as it should be then. Whoever does so holds a [`Sole`].
    ///
    /// # Errors
    /// A newer program's schema that this one may not run on; and an older one that nobody said to bring up to date.
    pub async fn connect(url: &str, pool: DatabasePool, schema: Schema) -> Result<Self, Error> {
        let db = Self::reach(url, pool).await?;
        clock::agree(&db).await?;
        let fit = Fit::of(&db).await?;
        fit.check(schema)?;
        if let Fit::Ahead { newest } = fit {
            tracing::warn!(
                newest,
                "The database was brought up to date by a newer program, which lets this one run"
            );
        }
        if schema == Schema::AsItIs && fit != Fit::Empty {
            return Ok(db);
        }
        match &db {
            Self::Sqlite(_, door) => MIGRATIONS.run(door.pool()).await,
            Self::Postgres(connections, _) => match connections.pooling() {
                Pooling::Session => MIGRATIONS.run(connections.pool()).await,
                Pooling::Transaction => pooling::migrate(postgres_connection(url).await?, &MIGRATIONS).await,
            },
        }
        .map_err(Error::internal)?;
        Ok(db)
    }

    /// Whether the database named by the address can be reached, and why not.
    pub async fn knock(url: &str) -> Result<(), Error> {
        if is_postgres(url) {
            postgres_connection(url).await?.close().await?;
        }
        Ok(())
    }

    /// Opens the database named by the address as it is.
    pub async fn reach(url: &str, pool: DatabasePool) -> Result<Self, Error> {
        Ok(if is_postgres(url) {
            let DatabasePool { connections, wait } = pool;
            let (options, pooling) = postgres_options(url)?;
            let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(wait);
            let reads = PgConnections::new(pool.connect_with(options).await.map_err(unreached)?, pooling);
            // pages and signing in have the other half
            Self::Postgres(reads.clone(), Door::of(reads, connections as usize / 2))
        } else {
            let options = SqliteConnectOptions::from_str(url)?
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                // NORMAL loses acknowledged commits when the power fails
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(Duration::from_secs(15));
            // the door comes first: it makes the file
            let pool = sqlite(options.clone(), WRITERS, true).await?;
            let reads = sqlite(options.pragma("query_only", "on"), READERS, false).await?;
            Self::Sqlite(reads, Door::of(pool, 1))
        })
    }

    /// Starts a write transaction. On SQLite it takes the write lock at once: a read that later turns into a
    /// write would fail under contention.
    ///
    /// Who asks may go at any moment: sqlx waits once more after the transaction began, and dropped there it gives the
    /// connection back in it (sqlx 0.9.0, both engines). What is then written on it is committed by nobody.
    pub async fn begin(&self) -> Result<Tx, sqlx::Error> {
        match self {
            Self::Sqlite(_, door) => {
                let hold = Hold::with(door.place().await);
                let pool = door.pool.clone();
                to_its_end(Box::pin(async move {
                    Ok(Tx::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?, hold))
                }))
                .await
            }
            Self::Postgres(_, door) => {
                let hold = Hold::with(door.place().await);
                let pool = door.pool.clone();
                to_its_end(Box::pin(async move { Ok(Tx::Postgres(pool.begin().await?, hold)) })).await
            }
        }
    }

    /// Starts a transaction that reads one state of the whole database while others go on writing.
    pub async fn begin_snapshot(&self) -> Result<Tx, sqlx::Error> {
        nested::check();
        let (db, hold) = (self.clone(), Hold::with(None));
        to_its_end(Box::pin(async move {
            Ok(match db {
                Self::Sqlite(pool, _) => Tx::Sqlite(pool.begin().await?, hold),
                Self::Postgres(pool, _) => {
                    let snapshot = "begin isolation level repeatable read, read only";
                    Tx::Postgres(pool.begin_with(snapshot).await?, hold)
                }
            })
        }))
        .await
    }

    /// A key of this installation, made when it is first asked for.
    pub async fn secret(&self, name: &str) -> Result<String, sqlx::Error> {
        let mut bytes = [0; 32];
        rand::rng().fill_bytes(&mut bytes);
        let fresh = base64::engine::general_purpose::STANDARD_NO_PAD.encode(bytes);
        with_write!(self, |pool| {
            // two servers that start at once get the same one
            sqlx::query("insert into secrets (name, value) values ($1, $2) on conflict (name) do nothing")
                .bind(name)
                .bind(fresh)
                .execute(pool)
                .await?;
            sqlx::query_scalar("select value from secrets where name = $1").bind(name).fetch_one(pool).await
        })
    }

    /// Writes something small and durable, to see whether that can be done.
    pub async fn try_write(&self, now: i64) -> Result<(), sqlx::Error> {
        let mut tx = self.begin().await?;
        with_tx!(&mut tx, |conn| sqlx::query(
            "insert into write_probes (id, tried_at) values (1, $1)
             on conflict (id) do update set tried_at = excluded.tried_at",
        )
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
        tx.commit().await
    }

    /// Ends all connections.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(reads, door) => {
                reads.close().await;
                door.pool().close().await;
            }
            Self::Postgres(connections, _) => connections.pool().close().await,
        }
    }
}

/// Connections of SQLite that read: more than one member has turns.
const READERS: u32 = 12;
/// Connections of SQLite that may write: one does, another may be on its way back after a client hung up.
const WRITERS: u32 = 2;

async fn sqlite(options: SqliteConnectOptions, most: u32, writes: bool) -> Result<SqlitePool, sqlx::Error> {
    SqlitePoolOptions::new()
        .max_connections(most)
        // a file does not hang up
        .test_before_acquire(false)
        // One whose transaction neither ended nor was undone (a COMMIT that found the disk full, a client that hung up)
        // would take in what comes next, and never commit it. The ping comes after a rollback that is still on its way. sqlx itself
        // pings once more afterwards: one that only reads is asked before that where it had a transaction at all.
        .after_release(move |connection, _| {
            Box::pin(async move {
                if writes || connection.is_in_transaction() {
                    connection.ping().await?;
                }
                let is_clean = !connection.is_in_transaction();
                if !is_clean {
                    tracing::warn!("A connection was left in a transaction and is closed");
                }
                Ok(is_clean)
            })
        })
        .connect_with(options)
        .await
}

impl Hold {
    fn with(place: Option<Place>) -> Self {
        Self { _place: place, _alone: nested::Holder::here() }
    }
}

impl Tx {
    /// Makes the transaction's writes durable, also when whoever asks goes meanwhile.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        to_its_end(Box::pin(async move {
            match self {
                // the place is given on when the commit is durable
                Self::Sqlite(tx, _hold) => tx.commit().await,
                Self::Postgres(tx, _hold) => tx.commit().await,
            }
        }))
        .await
    }
}

/// One connection outside the pool, which would ask again for as long as it may before it said why there is none.
async fn postgres_connection(url: &str) -> Result<PgConnection, Error> {
    PgConnection::connect_with(&postgres_options(url)?.0).await.map_err(unreached)
}

fn postgres_options(url: &str) -> Result<(PgConnectOptions, Pooling), Error> {
    address::postgres(url).map_err(|reason| Error::internal(DATABASE_URL.refusal(&reason)))
}

/// Runs a step between two states of a connection where a client that hangs up can't stop it half-way. It may have to connect, and
/// all that this needs would be part of whoever asks, and of everybody above.
async fn to_its_end<T: Send + 'static>(
    step: Pin<Box<dyn Future<Output = Result<T, sqlx::Error>> + Send>>,
) -> Result<T, sqlx::Error> {
    detach::run(step).await.unwrap_or_else(|error| Err(sqlx::Error::Protocol(error.to_string())))
}

/// A new id: 26 lower-case letters and digits that sort by time (ULID).
pub fn new_id<T: TryFrom<String>>() -> T
where
    T::Error: std::fmt::Debug,
{
    let text = ulid::Ulid::new().to_string().to_ascii_lowercase();
    T::try_from(text).unwrap_or_else(|error| unreachable!("a ULID is an id: {error:?}"))
}

/// The id of what is made of a thing by a form that was shown once: sent twice, it is the same. It looks like any other, and does
/// not sort by time.
pub fn id_from<T: TryFrom<String>>(shown: &str, thing: &str) -> T
where
    T::Error: std::fmt::Debug,
{
    let digest = Sha256::digest(format!("{shown} {thing}"));
    let bytes = digest.first_chunk().copied().unwrap_or_default();
    let text = ulid::Ulid::from_bytes(bytes).to_string().to_ascii_lowercase();
    T::try_from(text).unwrap_or_else(|error| unreachable!("a ULID is an id: {error:?}"))
}

/// A column that holds a JSON document.
pub fn json<T: serde::de::DeserializeOwned>(column: &str, text: &str) -> Result<T, sqlx::Error> {
    serde_json::from_str(text)
        .map_err(|error| sqlx::Error::ColumnDecode { index: column.into(), source: error.into() })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::http::StatusCode;
    use futures::future::join_all;
    use tokio::time::timeout;

    use crate::config::database_pool;
    use crate::error::Error;
    use crate::testing::{Engine, database};

    #[tokio::test]
    async fn whoever_goes_while_a_transaction_begins_leaves_none_behind() {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            let Some((db, _folder)) = database(engine).await else { continue };
            for round in 0..400 {
                let patience = Duration::from_micros(round % 40 * 25);
                let reads = join_all((0..4).map(|_| timeout(patience, db.begin_snapshot()))).await;
                drop((timeout(patience, db.begin()).await, reads));
            }
            // every connection of the pool: a snapshot begins on none that is in a transaction
            let connections =
                if engine == Engine::Sqlite { super::READERS } else { database_pool().unwrap().connections };
            let all = join_all((0..connections).map(|_| db.begin_snapshot())).await;
            for begun in all {
                begun.unwrap();
            }
        }
    }

    #[tokio::test]
    async fn who_stood_in_each_others_way_is_told_to_try_again() {
        let Some((db, _folder)) = database(Engine::Postgres).await else { return };
        let lock = async |tx: &mut super::Tx, name: &str| -> Result<(), Error> {
            with_tx!(tx, |conn| sqlx::query("update secrets set value = value where name = $1")
                .bind(name)
                .execute(conn)
                .await
                .map(drop))?;
            Ok(())
        };
        for name in ["one", "other"] {
            db.secret(name).await.unwrap();
        }
        let (mut one, mut other) = (db.begin().await.unwrap(), db.begin().await.unwrap());
        lock(&mut one, "one").await.unwrap();
        lock(&mut other, "other").await.unwrap();
        let ends = tokio::join!(lock(&mut one, "other"), async {
            let end = lock(&mut other, "one").await;
            drop(other);
            end
        });
        let refused = [ends.0, ends.1].into_iter().filter_map(Result::err).map(|error| error.status());
        assert_eq!(refused.collect::<Vec<_>>(), [StatusCode::SERVICE_UNAVAILABLE]);
    }

    #[tokio::test]
    async fn whoever_has_a_transaction_asks_for_no_second_connection() {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            let Some((db, _folder)) = database(engine).await else { continue };
            let reading = db.clone();
            let reads = tokio::spawn(async move {
                let _snapshot = reading.begin_snapshot().await?;
                with_db!(&reading, |pool| sqlx::query("select cast(1 as bigint)")
                    .execute(pool)
                    .await
                    .map(drop))
            });
            let writing = db.clone();
            let writes = tokio::spawn(async move {
                let _tx = writing.begin().await?;
                writing.begin().await.map(drop)
            });
            for nested in [reads, writes] {
                assert!(nested.await.unwrap_err().is_panic());
            }
            let in_turn = tokio::spawn(async move {
                db.begin().await?.commit().await?;
                drop(db.begin_snapshot().await?);
                db.try_write(1).await
            });
            in_turn.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn nobody_writes_past_the_door() {
        let (db, _folder) = database(Engine::Sqlite).await.unwrap();
        let write = sql!("update secrets set value = value");
        let past = with_db!(&db, |pool| sqlx::query(write.text()).execute(pool).await.map(drop));
        assert!(past.unwrap_err().to_string().contains("readonly"));
        let mut snapshot = db.begin_snapshot().await.unwrap();
        let past = with_tx!(&mut snapshot, |conn| sqlx::query(write.text()).execute(conn).await.map(drop));
        assert!(past.unwrap_err().to_string().contains("readonly"));
        with_write!(&db, |pool| sqlx::query(write.text()).execute(pool).await.map(drop)).unwrap();
    }
}
