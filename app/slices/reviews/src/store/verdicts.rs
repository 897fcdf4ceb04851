//! SQL of what reviewers say of rounds as a whole.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::ids::{ReviewerId, WorkId};
use domain::review::Verdict;

/// What somebody said of a round.
#[derive(Debug, Clone)]
pub struct Given {
    pub reviewer: ReviewerId,
    pub name: String,
    pub round: i64,
    pub verdict: Verdict,
    pub at: i64,
}

/// What was said of a work's rounds, the newest round first. Of links that were withdrawn, too: it was said.
pub async fn verdicts(tx: &mut Tx, work: &WorkId) -> Result<Vec<Given>, Error> {
    let rows: Vec<(String, String, i64, String, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select v.reviewer_id, r.name, v.round, v.verdict, v.said_at
         from review_verdicts v join reviewers r on r.id = v.reviewer_id
         where v.work_id = $1 order by v.round desc, v.said_at, v.reviewer_id limit 2000",
    )
    .bind(work.as_str())
    .fetch_all(conn)
    .await)?;
    rows.into_iter()
        .map(|(reviewer, name, round, verdict, at)| {
            let verdict =
                Verdict::of_code(&verdict).ok_or_else(|| Error::internal("a verdict of no kind"))?;
            Ok(Given { reviewer: reviewer.try_into().map_err(Error::internal)?, name, round, verdict, at })
        })
        .collect()
}

/// Writes down what somebody says of a round; false where it said so before.
pub async fn give(
    tx: &mut Tx,
    work: &WorkId,
    reviewer: &ReviewerId,
    round: i64,
    verdict: Verdict,
    now: i64,
) -> Result<bool, Error> {
    let changed = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into review_verdicts (reviewer_id, round, work_id, verdict, said_at) values ($1, $2, $3, $4, $5)
         on conflict (reviewer_id, round) do update set verdict = excluded.verdict, said_at = excluded.said_at
         where review_verdicts.verdict <> excluded.verdict",
    )
    .bind(reviewer.as_str())
    .bind(round)
    .bind(work.as_str())
    .bind(verdict.code())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(changed == 1)
}
