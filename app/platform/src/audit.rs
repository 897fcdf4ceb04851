//! The audit log: what operators did, when, and to what. Rows are only added, in the transaction of what they tell of.

use serde_json::Value;

use crate::db::{Db, Tx, new_id, now_ms, with_db, with_tx};
use crate::error::Error;

/// One thing that an operator did.
#[derive(Debug, sqlx::FromRow)]
pub struct Noted {
    pub happened_at: i64,
    pub actor: String,
    pub action: String,
    pub subject: String,
    /// JSON.
    pub detail: String,
}

/// Notes an operator's action as part of the transaction that carries it out.
pub async fn note(tx: &mut Tx, action: &str, subject: &str, detail: &Value) -> Result<(), Error> {
    let id: String = new_id();
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into audit_log (id, happened_at, actor, action, subject, detail) values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id)
    .bind(now_ms())
    .bind(actor())
    .bind(action)
    .bind(subject)
    .bind(detail.to_string())
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// The newest rows, the newest first; of one subject where it is named.
pub async fn newest(db: &Db, subject: Option<&str>, most: i64) -> Result<Vec<Noted>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select happened_at, actor, action, subject, detail from audit_log
         where $1 = '' or subject = $1 order by id desc limit $2",
    )
    .bind(subject.unwrap_or(""))
    .bind(most)
    .fetch_all(pool)
    .await)?)
}

/// Who gives commands on this machine.
fn actor() -> String {
    let variable = |name| std::env::var(name).ok().filter(|name: &String| !name.is_empty());
    // with sudo, the person behind it
    variable("SUDO_USER").or_else(|| variable("USER")).unwrap_or_else(|| "unknown".to_owned())
}
