//! SQL of files that somebody of the back office asked for.

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;

/// A file that was asked for.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Asked {
    pub id: String,
    pub kind: String,
    pub format: String,
    /// The filters of the list.
    pub query: String,
    /// Who asked.
    pub clerk: String,
    pub asked_at: i64,
    /// When it was made; none while it is not.
    pub done_at: Option<i64>,
    pub rows: Option<i64>,
    pub bytes: Option<i64>,
}

const COLUMNS: &str = "id, kind, format, query, clerk, asked_at, done_at, rows, bytes";
/// How many a page shows.
const SHOWN: i64 = 200;

pub async fn insert(tx: &mut Tx, asked: &Asked) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into exports (id, kind, format, query, clerk, asked_at) values ($1, $2, $3, $4, $5, $6)"
    )
    .bind(&asked.id)
    .bind(&asked.kind)
    .bind(&asked.format)
    .bind(&asked.query)
    .bind(&asked.clerk)
    .bind(asked.asked_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// How many of a clerk's are not made yet that were asked for after a moment.
pub async fn count_waiting(tx: &mut Tx, clerk: &str, after: i64) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from exports where clerk = $1 and done_at is null and asked_at > $2"
    )
    .bind(clerk)
    .bind(after)
    .fetch_one(conn)
    .await)?)
}

pub async fn find(db: &Db, id: &str) -> Result<Option<Asked>, Error> {
    let sql = sql!("select {COLUMNS} from exports where id = $1");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id).fetch_optional(pool).await)?)
}

/// The newest of a clerk's, or of everybody's.
pub async fn newest(db: &Db, clerk: &str, is_owner: bool) -> Result<Vec<Asked>, Error> {
    let sql = sql!(
        "select {COLUMNS} from exports where clerk = $1 or $2 = 1 order by asked_at desc, id desc limit $3"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(clerk)
        .bind(i64::from(is_owner))
        .bind(SHOWN)
        .fetch_all(pool)
        .await)?)
}

/// Those that were asked for before a moment.
pub async fn older(db: &Db, before: i64) -> Result<Vec<Asked>, Error> {
    let sql = sql!("select {COLUMNS} from exports where asked_at < $1 order by asked_at limit $2");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(before).bind(SHOWN).fetch_all(pool).await)?)
}

/// Notes that a file is made; false where it was before, or is over.
pub async fn set_done(db: &Db, id: &str, rows: i64, bytes: i64, now: i64) -> Result<bool, Error> {
    let changed = with_write!(db, |conn| sqlx::query(
        "update exports set done_at = $2, rows = $3, bytes = $4 where id = $1 and done_at is null"
    )
    .bind(id)
    .bind(now)
    .bind(rows)
    .bind(bytes)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(changed == 1)
}

pub async fn delete(db: &Db, id: &str) -> Result<(), Error> {
    with_write!(db, |conn| sqlx::query("delete from exports where id = $1")
        .bind(id)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
