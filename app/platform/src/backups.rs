//! When backups were made: the back office says how old the newest one is.

use crate::db::{Db, with_db, with_write};
use crate::error::Error;

/// Notes that one was made.
pub async fn note(db: &Db, now: i64) -> Result<(), Error> {
    Ok(with_write!(db, |pool| sqlx::query(
        "insert into backups (made_at) values ($1) on conflict do nothing"
    )
    .bind(now)
    .execute(pool)
    .await
    .map(drop))?)
}

/// When the newest one was made, epoch ms.
pub async fn newest(db: &Db) -> Result<Option<i64>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar("select max(made_at) from backups").fetch_one(pool).await)?)
}
