//! PostgreSQL by itself, or behind a pooler that gives each transaction whichever connection is free, as PgBouncer does with
//! `pool_mode = transaction` (<https://www.pgbouncer.org/features.html>).
//!
//! There nothing of a session lasts beyond a transaction, prepared statements neither; and sqlx sends a statement in two
//! steps. So every statement has a transaction, and none has a name.

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgArguments, PgQueryResult, PgRow, PgStatement, PgTypeInfo};
use sqlx::{Connection, Either, Execute, Executor, PgConnection, PgPool, Postgres, SqlStr, Transaction};

/// Who has a connection for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// This program, until it closes it.
    Session,
    /// Whoever has a transaction, until that ends.
    Transaction,
}

/// Connections to PostgreSQL, for statements that stand alone.
#[derive(Debug, Clone)]
pub struct PgConnections {
    pool: PgPool,
    pooling: Pooling,
}

impl PgConnections {
    pub(super) fn new(pool: PgPool, pooling: Pooling) -> Self {
        Self { pool, pooling }
    }

    /// The connections as sqlx has them.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub fn pooling(&self) -> Pooling {
        self.pooling
    }

    pub(super) async fn begin(&self) -> sqlx::Result<PgTransaction> {
        Ok(PgTransaction { inner: self.pool.begin().await?, pooling: self.pooling })
    }

    /// The same, though whoever asks may go meanwhile: see [`super::Db::begin`].
    async fn begin_to_its_end(&self) -> sqlx::Result<PgTransaction> {
        let connections = self.clone();
        super::to_its_end(Box::pin(async move { connections.begin().await })).await
    }

    pub(super) async fn begin_with(&self, statement: &'static str) -> sqlx::Result<PgTransaction> {
        Ok(PgTransaction { inner: self.pool.begin_with(statement).await?, pooling: self.pooling })
    }
}

/// A transaction on PostgreSQL.
#[derive(Debug)]
pub struct PgTransaction {
    inner: Transaction<'static, Postgres>,
    pooling: Pooling,
}

impl PgTransaction {
    pub(super) async fn commit(self) -> sqlx::Result<()> {
        self.inner.commit().await
    }
}

type Step = Either<PgQueryResult, PgRow>;

impl<'c> Executor<'c> for &'c mut PgTransaction {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, sqlx::Result<Step>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        match self.pooling {
            Pooling::Session => self.inner.fetch_many(query),
            Pooling::Transaction => self.inner.fetch_many(Unnamed(query)),
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        match self.pooling {
            Pooling::Session => self.inner.fetch_optional(query),
            Pooling::Transaction => self.inner.fetch_optional(Unnamed(query)),
        }
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, sqlx::Result<PgStatement>>
    where
        'c: 'e,
    {
        self.inner.prepare_with(sql, parameters)
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, sqlx::Result<sqlx::Describe<Postgres>>>
    where
        'c: 'e,
    {
        self.inner.describe(sql)
    }
}

impl<'c> Executor<'c> for &'c PgConnections {
    type Database = Postgres;

    /// Behind a pooler all rows are read before the first is given.
    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, sqlx::Result<Step>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        if self.pooling == Pooling::Session {
            return self.pool.fetch_many(query);
        }
        let steps = async move {
            let mut tx = self.begin_to_its_end().await?;
            let steps: Vec<Step> = tx.fetch_many(query).try_collect().await?;
            tx.commit().await?;
            Ok::<_, sqlx::Error>(stream::iter(steps).map(Ok))
        };
        stream::once(steps).try_flatten().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        if self.pooling == Pooling::Session {
            return self.pool.fetch_optional(query);
        }
        Box::pin(async move {
            let mut tx = self.begin_to_its_end().await?;
            let row = tx.fetch_optional(query).await?;
            tx.commit().await?;
            Ok(row)
        })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, sqlx::Result<PgStatement>>
    where
        'c: 'e,
    {
        self.pool.prepare_with(sql, parameters)
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, sqlx::Result<sqlx::Describe<Postgres>>>
    where
        'c: 'e,
    {
        self.pool.describe(sql)
    }
}

/// Brings a schema up to date behind a pooler, in one transaction: what sqlx itself asks meanwhile has names, which somebody who
/// had the connection before may have taken.
pub(super) async fn migrate(mut connection: PgConnection, migrations: &Migrator) -> Result<(), MigrateError> {
    let mut tx = connection.begin().await?;
    let forget = || sqlx::query("deallocate all").persistent(false);
    forget().execute(&mut *tx).await?;
    migrations.run(&mut *tx).await?;
    forget().execute(&mut *tx).await?;
    tx.commit().await?;
    connection.close().await?;
    Ok(())
}

/// A statement that is forgotten with the next one: another client of the same connection may have any name.
struct Unnamed<E>(E);

impl<'q, E: Execute<'q, Postgres>> Execute<'q, Postgres> for Unnamed<E> {
    fn sql(self) -> SqlStr {
        self.0.sql()
    }

    fn statement(&self) -> Option<&PgStatement> {
        self.0.statement()
    }

    fn take_arguments(&mut self) -> Result<Option<PgArguments>, sqlx::error::BoxDynError> {
        self.0.take_arguments()
    }

    fn persistent(&self) -> bool {
        false
    }
}
