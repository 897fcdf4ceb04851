//! What is forgotten in parts, so that nobody waits long for the writer: rows of one member or of a few things, some hundred in a
//! transaction. Statements say themselves how many rows each of them touches at most.

use domain::ids::MemberId;
use sqlx::{Encode, Postgres, Sqlite, Type};

use crate::db::{Sql, Tx, with_tx};
use crate::error::Error;

/// Rows that are forgotten in one transaction; of rows that hold more than a few words fewer.
pub const AT_ONCE: i64 = 500;

/// A statement that deletes rows, or changes them so that it does not find them again, and for how many small rows each of its rows
/// counts: what holds a document or the words of a page takes longer.
pub type Part = (Sql, i64);

/// Runs statements one after the other, of which each touches at most `$2` rows of what is `$1`'s, until that is enough for one
/// transaction. Whether there may be more.
pub async fn some(tx: &mut Tx, parts: &[Part], of: &str) -> Result<bool, Error> {
    let mut left = AT_ONCE;
    for (sql, weight) in parts {
        let most = rows(left, *weight);
        let done = with_tx!(&mut *tx, |conn| sqlx::query(sql.text())
            .bind(of)
            .bind(most)
            .execute(conn)
            .await
            .map(|done| done.rows_affected()))?;
        left -= i64::try_from(done).map_err(Error::internal)? * weight;
        if left <= 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The first few things of a member's that one of these statements finds, each of which takes `$1`, the member, and `$2`, how many.
pub async fn first_of(
    tx: &mut Tx,
    statements: &[Sql],
    member: &MemberId,
    most: i64,
) -> Result<Vec<String>, Error> {
    for sql in statements {
        let found: Vec<String> = with_tx!(&mut *tx, |conn| sqlx::query_scalar(sql.text())
            .bind(member.as_str())
            .bind(most)
            .fetch_all(conn)
            .await)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// What things are called by in rows.
pub trait Id:
    Clone
    + Send
    + Sync
    + 'static
    + for<'q> Encode<'q, Sqlite>
    + Type<Sqlite>
    + for<'q> Encode<'q, Postgres>
    + Type<Postgres>
{
}

impl Id for String {}
impl Id for i64 {}

/// The same of a few things by their ids, which stand behind `$1`, the number of rows.
pub async fn some_of(tx: &mut Tx, parts: &[Part], ids: &[impl Id]) -> Result<bool, Error> {
    if ids.is_empty() {
        return Ok(false);
    }
    let mut left = AT_ONCE;
    for (sql, weight) in parts {
        let sql = sql.repeated(ids.len());
        let most = rows(left, *weight);
        let done = with_tx!(&mut *tx, |conn| {
            let query = sqlx::query(sql.text()).bind(most);
            ids.iter()
                .fold(query, |query, id| query.bind(id.clone()))
                .execute(conn)
                .await
                .map(|done| done.rows_affected())
        })?;
        left -= i64::try_from(done).map_err(Error::internal)? * weight;
        if left <= 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How many rows of a weight are enough.
fn rows(left: i64, weight: i64) -> i64 {
    (left + weight - 1) / weight
}
