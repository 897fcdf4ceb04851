//! The table of sessions, with what was read of it lately.
//!
//! It is the table of the crate `tower-sessions-sqlx-store`, whose sessions go on: a record is MessagePack. That crate wrote past
//! the door of [`base::db`] and held SQLite to a version of 2024.

use std::sync::Arc;

use base::db::{Db, Sql, sql, with_db, with_write};
use base::error::Error;
use domain::ids::LoginId;
use quick_cache::sync::Cache;
use serde::Deserialize;
use time::OffsetDateTime;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error as StoreError, Result as StoreResult};
use tower_sessions::{ExpiredDeletion, Session, SessionStore};

use super::LOGIN;

/// The sessions of the database.
#[derive(Debug, Clone)]
pub struct Store {
    db: Db,
    known: Arc<Cache<Id, Known>>,
}

/// What a session holds, where that is a login and nothing else. Whatever puts something into a session gives it another
/// id, so this stays true for as long as the session is there. Whether the login still counts is not asked here but of
/// its row, each time: ended anywhere, it is refused at once.
#[derive(Debug, Clone)]
struct Known {
    login: LoginId,
    /// When the session ends, or the table is asked again.
    until: OffsetDateTime,
}

/// Sessions that are remembered.
const MOST_KNOWN: usize = 20_000;
/// How long.
const KNOWN_FOR: time::Duration = time::Duration::minutes(1);

/// The table on each engine.
const ON_SQLITE: &str = "tower_sessions";
const ON_POSTGRES: &str = "tower_sessions.session";

/// What follows the table's name when a session is kept.
const SAVED: &str = "(id, data, expiry_date) values ($1, $2, $3)
     on conflict (id) do update set data = excluded.data, expiry_date = excluded.expiry_date";

impl Store {
    /// The session table, made where it is missing.
    pub async fn open(db: &Db) -> Result<Self, Error> {
        let store = Self { db: db.clone(), known: Arc::new(Cache::new(MOST_KNOWN)) };
        let table = store.statement(
            sql!(
                "create table if not exists {ON_SQLITE}
                 (id text primary key not null, data blob not null, expiry_date integer not null)"
            ),
            sql!(
                "create table if not exists {ON_POSTGRES}
                 (id text primary key not null, data bytea not null, expiry_date timestamptz not null)"
            ),
        );
        let schema =
            matches!(db, Db::Postgres(..)).then(|| sql!("create schema if not exists tower_sessions"));
        for statement in schema.into_iter().chain([table]) {
            with_write!(db, |pool| sqlx::query(statement.text()).execute(pool).await.map(drop))?;
        }
        Ok(store)
    }

    fn statement(&self, on_sqlite: Sql, on_postgres: Sql) -> Sql {
        match self.db {
            Db::Sqlite(..) => on_sqlite,
            Db::Postgres(..) => on_postgres,
        }
    }

    /// Whether other instances may have them, too: what one of them wrote, this one does not know.
    pub(super) const fn are_shared(&self) -> bool {
        matches!(self.db, Db::Postgres(..))
    }

    /// The login of a session that was read lately and holds nothing else.
    pub(super) fn known(&self, session: &Session) -> Option<LoginId> {
        let known = self.known.get(&session.id()?)?;
        (OffsetDateTime::now_utc() < known.until).then_some(known.login)
    }

    fn remember(&self, record: &Record) {
        let login = (record.data.len() == 1).then(|| record.data.get(LOGIN)).flatten();
        match login.and_then(|login| LoginId::deserialize(login).ok()) {
            Some(login) => {
                let until = record.expiry_date.min(OffsetDateTime::now_utc() + KNOWN_FOR);
                self.known.insert(record.id, Known { login, until });
            }
            None => drop(self.known.remove(&record.id)),
        }
    }
}

fn failed(error: sqlx::Error) -> StoreError {
    StoreError::Backend(error.to_string())
}

#[async_trait::async_trait]
impl ExpiredDeletion for Store {
    async fn delete_expired(&self) -> StoreResult<()> {
        let sql = self.statement(
            sql!("delete from {ON_SQLITE} where expiry_date < $1"),
            sql!("delete from {ON_POSTGRES} where expiry_date < $1"),
        );
        let now = OffsetDateTime::now_utc();
        with_write!(&self.db, |pool| sqlx::query(sql.text()).bind(now).execute(pool).await.map(drop))
            .map_err(failed)
    }
}

#[async_trait::async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> StoreResult<()> {
        // that an id of 128 random bits is taken needs no second try
        self.save(record).await
    }

    async fn save(&self, record: &Record) -> StoreResult<()> {
        let sql = self
            .statement(sql!("insert into {ON_SQLITE} {SAVED}"), sql!("insert into {ON_POSTGRES} {SAVED}"));
        let data = rmp_serde::to_vec(record).map_err(|error| StoreError::Encode(error.to_string()))?;
        with_write!(&self.db, |pool| sqlx::query(sql.text())
            .bind(record.id.to_string())
            .bind(data)
            .bind(record.expiry_date)
            .execute(pool)
            .await
            .map(drop))
        .map_err(failed)?;
        self.remember(record);
        Ok(())
    }

    async fn load(&self, id: &Id) -> StoreResult<Option<Record>> {
        let sql = self.statement(
            sql!("select data from {ON_SQLITE} where id = $1 and expiry_date > $2"),
            sql!("select data from {ON_POSTGRES} where id = $1 and expiry_date > $2"),
        );
        let data: Option<Vec<u8>> = with_db!(&self.db, |pool| sqlx::query_scalar(sql.text())
            .bind(id.to_string())
            .bind(OffsetDateTime::now_utc())
            .fetch_optional(pool)
            .await)
        .map_err(failed)?;
        let Some(data) = data else {
            self.known.remove(id);
            return Ok(None);
        };
        let record: Record =
            rmp_serde::from_slice(&data).map_err(|error| StoreError::Decode(error.to_string()))?;
        self.remember(&record);
        Ok(Some(record))
    }

    async fn delete(&self, id: &Id) -> StoreResult<()> {
        let sql = self.statement(
            sql!("delete from {ON_SQLITE} where id = $1"),
            sql!("delete from {ON_POSTGRES} where id = $1"),
        );
        self.known.remove(id);
        with_write!(&self.db, |pool| sqlx::query(sql.text())
            .bind(id.to_string())
            .execute(pool)
            .await
            .map(drop))
        .map_err(failed)
    }
}
