//! When backups were made and looked through, and what became of that: the back office and whoever watches the program read it
//! here, and nobody asks the place where they lie.

use base::db::{Db, new_id, now_ms, with_db, with_tx, with_write};
use base::error::Error;

/// How long attempts are kept, in ms: 90 days.
const KEPT_MS: i64 = 90 * 24 * 60 * 60_000;
/// What is said of one that ended with its program.
const BROKEN_OFF: &str = "程序中途结束了";

/// What is done with the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A generation is made.
    Run,
    /// One is looked through.
    Verify,
}

impl Act {
    fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Verify => "verify",
        }
    }
}

/// What came out of one that is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The name of the generation.
    pub generation: String,
    /// Bytes that were stored anew.
    pub stored: i64,
    /// Bytes of the whole generation.
    pub size: i64,
    /// Files that were not what they should be or not there.
    pub damaged: i64,
}

/// One that has ended.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Ended {
    pub began_at: i64,
    pub ended_at: i64,
    pub generation: String,
    pub stored: i64,
    pub size: i64,
    pub damaged: i64,
    /// Why what need not stay could not be taken away afterwards.
    pub prune_fault: Option<String>,
}

/// One that failed, and why.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Failed {
    pub ended_at: i64,
    pub fault: String,
}

/// How an act stands.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Since when one is under way, epoch ms.
    pub since: Option<i64>,
    /// The last one that is good.
    pub good: Option<Ended>,
    /// The last one that failed since then, and how many did.
    pub failed: Option<Failed>,
    pub failures: i64,
}

/// Notes that one was made into a folder.
pub async fn note(db: &Db, now: i64) -> Result<(), Error> {
    Ok(with_write!(db, |pool| sqlx::query(
        "insert into backups (made_at) values ($1) on conflict do nothing"
    )
    .bind(now)
    .execute(pool)
    .await
    .map(drop))?)
}

/// When the newest one was made, wherever it is, epoch ms.
pub async fn newest(db: &Db) -> Result<Option<i64>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar("select max(made_at) from backups").fetch_one(pool).await)?)
}

/// Notes that an act begins, and answers its id. Whoever does so is alone with it: one that has not ended never will.
pub async fn begin(db: &Db, act: Act, now: i64) -> Result<String, Error> {
    let id: String = new_id();
    let mut tx = db.begin().await?;
    with_tx!(&mut tx, |conn| sqlx::query(
        "update backup_attempts set ended_at = $1, fault = $3 where what = $2 and ended_at is null"
    )
    .bind(now)
    .bind(act.name())
    .bind(BROKEN_OFF)
    .execute(conn)
    .await
    .map(drop))?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from backup_attempts where what = $2 and ended_at < $1")
        .bind(now - KEPT_MS)
        .bind(act.name())
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(&mut tx, |conn| sqlx::query(
        "insert into backup_attempts (id, what, began_at) values ($1, $2, $3)"
    )
    .bind(&id)
    .bind(act.name())
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    tx.commit().await?;
    Ok(id)
}

/// Notes what became of it.
pub async fn end(db: &Db, id: &str, outcome: &Result<Outcome, String>) -> Result<(), Error> {
    let (good, fault) = match outcome {
        Ok(outcome) => (Some(outcome), None),
        Err(fault) => (None, Some(fault)),
    };
    Ok(with_write!(db, |pool| {
        sqlx::query(
        "update backup_attempts set ended_at = $2, generation = $3, stored = $4, size = $5, damaged = $6, fault = $7
         where id = $1"
    )
    .bind(id)
    .bind(now_ms())
    .bind(good.map(|good| &good.generation))
    .bind(good.map(|good| good.stored))
    .bind(good.map(|good| good.size))
    .bind(good.map(|good| good.damaged))
    .bind(fault)
    .execute(pool)
    .await
    .map(drop)
    })?)
}

/// Notes why nothing could be taken away after one that is good.
pub async fn not_pruned(db: &Db, id: &str, fault: &str) -> Result<(), Error> {
    Ok(with_write!(db, |pool| sqlx::query("update backup_attempts set prune_fault = $2 where id = $1")
        .bind(id)
        .bind(fault)
        .execute(pool)
        .await
        .map(drop))?)
}

/// Notes that one could not even begin, and why.
pub async fn failed(db: &Db, act: Act, fault: &str, now: i64) -> Result<(), Error> {
    Ok(with_write!(db, |pool| sqlx::query(
        "insert into backup_attempts (id, what, began_at, ended_at, fault) values ($1, $2, $3, $3, $4)"
    )
    .bind(new_id::<String>())
    .bind(act.name())
    .bind(now)
    .bind(fault)
    .execute(pool)
    .await
    .map(drop))?)
}

/// How an act stands, by what was noted in this database.
pub async fn standing(db: &Db, act: Act) -> Result<Standing, Error> {
    let good: Option<Ended> = with_db!(db, |pool| {
        sqlx::query_as(
            "select began_at, ended_at, generation, stored, size, damaged, prune_fault from backup_attempts
             where what = $1 and ended_at is not null and fault is null order by ended_at desc, id desc limit 1",
        )
        .bind(act.name())
        .fetch_optional(pool)
        .await
    })?;
    let since_good = good.as_ref().map_or(0, |good| good.ended_at);
    let failed: Option<Failed> = with_db!(db, |pool| {
        sqlx::query_as(
            "select ended_at, fault from backup_attempts
             where what = $1 and fault is not null and ended_at >= $2 order by ended_at desc, id desc limit 1",
        )
        .bind(act.name())
        .bind(since_good)
        .fetch_optional(pool)
        .await
    })?;
    let failures: i64 = with_db!(db, |pool| {
        sqlx::query_scalar(
            "select count(*) from backup_attempts where what = $1 and fault is not null and ended_at >= $2",
        )
        .bind(act.name())
        .bind(since_good)
        .fetch_one(pool)
        .await
    })?;
    let since: Option<i64> = with_db!(db, |pool| {
        sqlx::query_scalar("select max(began_at) from backup_attempts where what = $1 and ended_at is null")
            .bind(act.name())
            .fetch_one(pool)
            .await
    })?;
    Ok(Standing { since, good, failed, failures })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::bare;
    use base::testing::Engine;

    #[tokio::test]
    async fn the_last_good_one_and_what_failed_since_are_told() {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            let Some((app, _folder)) = bare(engine).await else { continue };
            let db = &app.db;
            let empty = standing(db, Act::Run).await.unwrap();
            assert!(empty.good.is_none() && empty.failed.is_none() && empty.since.is_none());
            let outcome = Outcome { generation: "20261128T033000Z".into(), stored: 7, size: 70, damaged: 0 };
            for result in [Err("disk full".to_owned()), Ok(outcome), Err("no answer".to_owned())] {
                let is_good = result.is_ok();
                let id = begin(db, Act::Run, now_ms()).await.unwrap();
                assert!(standing(db, Act::Run).await.unwrap().since.is_some());
                end(db, &id, &result).await.unwrap();
                if is_good {
                    not_pruned(db, &id, "another's").await.unwrap();
                }
                // by the order of their ends
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
            let now = standing(db, Act::Run).await.unwrap();
            assert_eq!(now.good.as_ref().map(|good| (good.stored, good.size)), Some((7, 70)));
            assert_eq!(now.good.and_then(|good| good.prune_fault).as_deref(), Some("another's"));
            assert_eq!((now.failed.map(|failed| failed.fault), now.failures), (Some("no answer".into()), 1));
            assert!(standing(db, Act::Verify).await.unwrap().good.is_none());
            // one that ended with its program, and what is old
            begin(db, Act::Run, now_ms()).await.unwrap();
            let last = begin(db, Act::Run, now_ms() + KEPT_MS / 2).await.unwrap();
            let now = standing(db, Act::Run).await.unwrap();
            assert_eq!(now.failed.map(|failed| failed.fault).as_deref(), Some(BROKEN_OFF));
            end(db, &last, &Err("x".into())).await.unwrap();
            begin(db, Act::Run, now_ms() + 2 * KEPT_MS).await.unwrap();
            let now = standing(db, Act::Run).await.unwrap();
            assert!(now.good.is_none() && now.failures == 0);
        }
    }
}
