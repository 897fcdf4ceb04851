//! SQL of what members decided: which findings of a work are printed as they are.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::ids::WorkId;

/// Whether these findings of a work were decided.
pub async fn is_decided(db: &Db, id: &WorkId, findings: &str) -> Result<bool, Error> {
    let known: i64 = with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from decided_findings where work_id = $1 and findings = $2"
    )
    .bind(id.as_str())
    .bind(findings)
    .fetch_one(pool)
    .await)?;
    Ok(known > 0)
}

/// Notes that findings of a revision were decided. What was decided of others holds no more.
pub async fn decide(tx: &mut Tx, id: &WorkId, revision: i64, findings: &str, now: i64) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query(
        "delete from decided_findings where work_id = $1 and revision <> $2"
    )
    .bind(id.as_str())
    .bind(revision)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(with_tx!(tx, |conn| sqlx::query(
        "insert into decided_findings (work_id, findings, revision, decided_at) values ($1, $2, $3, $4)
         on conflict (work_id, findings) do nothing"
    )
    .bind(id.as_str())
    .bind(findings)
    .bind(revision)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?)
}
