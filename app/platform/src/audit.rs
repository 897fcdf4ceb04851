//! The audit log: what operators did, when, and to what. Rows are only added, in the transaction of what they tell of, and
//! each holds a hash over itself and the row before it: a row that was changed or taken out is found ([`check`]).

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::db::{Db, Tx, new_id, now_ms, sql, with_db, with_tx};
use crate::error::Error;
use crate::lists::pattern;

/// One thing that an operator did.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Noted {
    pub id: String,
    pub happened_at: i64,
    pub actor: String,
    pub action: String,
    pub subject: String,
    /// JSON.
    pub detail: String,
    /// Its place in the chain; none in rows from before there was one.
    pub number: Option<i64>,
    pub hash: Option<String>,
}

impl Noted {
    /// The hash of this row behind the row of another.
    fn hash_behind(&self, before: &str) -> String {
        let Self { id, happened_at, actor, action, subject, detail, number, .. } = self;
        hash(before, &json!([number, id, happened_at, actor, action, subject, detail]))
    }

    /// The same as rows of before had it, whose ids nothing holds.
    fn hash_without_id(&self, before: &str) -> String {
        let Self { happened_at, actor, action, subject, detail, number, .. } = self;
        hash(before, &json!([number, happened_at, actor, action, subject, detail]))
    }
}

fn hash(before: &str, row: &Value) -> String {
    hex::encode(
        Sha256::new_with_prefix(before).chain_update([b'\n']).chain_update(row.to_string()).finalize(),
    )
}

/// What [`check`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Rows of the chain that fit, from its beginning.
    pub rows: i64,
    /// Rows from before there was a chain, which nothing holds.
    pub older: i64,
    pub broken: Option<Broken>,
}

/// How the log was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// It, or the one before it, was changed, put in or taken out.
    #[error("row {0} does not fit: it or the one before it was changed")]
    Row(i64),
    /// So many were put in beside the chain.
    #[error("{0} rows stand beside the chain: they were put in")]
    Beside(i64),
}

/// Who acts in a request of the back office, and whether the log has learnt of it.
#[derive(Debug, Clone)]
struct Acting {
    name: Arc<str>,
    has_said: Arc<AtomicBool>,
}

tokio::task_local! {
    static ACTING: Acting;
}

/// Runs what somebody does in the back office: [`note`] writes its name. Answers, too, whether anything was noted or [`unchanged`]
/// was said.
pub async fn acting<T>(name: &str, work: impl Future<Output = T>) -> (T, bool) {
    let acting = Acting { name: name.into(), has_said: Arc::default() };
    let done = ACTING.scope(acting.clone(), work).await;
    (done, acting.has_said.load(Ordering::Relaxed))
}

/// Says that a request of the back office changed nothing, so that there is nothing to note: it was done before, or refused.
pub fn unchanged() {
    let _ = ACTING.try_with(|acting| acting.has_said.store(true, Ordering::Relaxed));
}

/// The name of whoever acts in the back office; none for the host's command line and for members.
pub fn clerk() -> Option<String> {
    ACTING.try_with(|acting| acting.name.to_string()).ok()
}

/// Notes an operator's action as part of the transaction that carries it out. The chain's end is held from here to the end of
/// the transaction, so this comes late in it.
pub async fn note(tx: &mut Tx, action: &str, subject: &str, detail: &Value) -> Result<(), Error> {
    let (number, before): (i64, String) = with_tx!(tx, |conn| sqlx::query_as(
        "insert into audit_head (id, number, hash) values (1, 1, '')
         on conflict (id) do update set number = audit_head.number + 1 returning number, hash"
    )
    .fetch_one(conn)
    .await)?;
    let noted = Noted {
        id: new_id(),
        happened_at: now_ms(),
        actor: actor(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        detail: detail.to_string(),
        number: Some(number),
        hash: None,
    };
    let hash = noted.hash_behind(&before);
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into audit_log (id, happened_at, actor, action, subject, detail, number, hash)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(&noted.id)
        .bind(noted.happened_at)
        .bind(&noted.actor)
        .bind(&noted.action)
        .bind(&noted.subject)
        .bind(&noted.detail)
        .bind(number)
        .bind(&hash)
        .execute(conn)
        .await
        .map(drop)
    })?;
    with_tx!(tx, |conn| sqlx::query("update audit_head set hash = $1 where id = 1")
        .bind(&hash)
        .execute(conn)
        .await
        .map(drop))?;
    unchanged();
    Ok(())
}

/// The columns of a [`Noted`].
const COLUMNS: &str = "id, happened_at, actor, action, subject, detail, number, hash";

/// The newest rows, the newest first; of one subject where it is named.
pub async fn newest(db: &Db, subject: Option<&str>, most: i64) -> Result<Vec<Noted>, Error> {
    let sql = sql!("select {COLUMNS} from audit_log where $1 = '' or subject = $1 order by id desc limit $2");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(subject.unwrap_or(""))
        .bind(most)
        .fetch_all(pool)
        .await)?)
}

/// A page of the log, the newest first, behind the row `after`: those in which who acted, what was done or to what holds the
/// words.
pub async fn found(db: &Db, words: &str, after: &str, most: i64) -> Result<Vec<Noted>, Error> {
    let sql = sql!(
        "select {COLUMNS} from audit_log
         where ($1 = '%%' or lower(actor) like lower($1) escape '\\' or lower(action) like lower($1) escape '\\'
                or lower(subject) like lower($1) escape '\\' or lower(detail) like lower($1) escape '\\')
           and ($2 = '' or id < $2)
         order by id desc limit $3"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(pattern(words))
        .bind(after)
        .bind(most)
        .fetch_all(pool)
        .await)?)
}

/// Reads the whole log: each row of the chain behind the one before it, and none beside it that is younger than its beginning.
pub async fn check(db: &Db) -> Result<Checked, Error> {
    const ROWS: i64 = 1000;
    let sql = sql!("select {COLUMNS} from audit_log where number > $1 order by number limit $2");
    let (mut count, mut before, mut began, mut has_ids) = (0, String::new(), i64::MAX, false);
    let mut broken = None;
    'chain: loop {
        let rows: Vec<Noted> =
            with_db!(db, |pool| sqlx::query_as(sql.text()).bind(count).bind(ROWS).fetch_all(pool).await)?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let stored = row.hash.as_deref();
            let hash = row.hash_behind(&before);
            let old = (!has_ids).then(|| row.hash_without_id(&before));
            let hash = match old.filter(|old| stored == Some(old.as_str())) {
                Some(old) => old,
                None => {
                    has_ids = true;
                    hash
                }
            };
            if row.number != Some(count + 1) || stored != Some(hash.as_str()) {
                broken = Some(Broken::Row(count + 1));
                break 'chain;
            }
            began = began.min(row.happened_at);
            (count, before) = (count + 1, hash);
        }
    }
    let end: Option<(i64, String)> =
        with_db!(db, |pool| sqlx::query_as("select number, hash from audit_head where id = 1")
            .fetch_optional(pool)
            .await)?;
    let (older, beside): (i64, i64) = with_db!(db, |pool| {
        sqlx::query_as(
        "select count(case when happened_at < $1 then 1 end), count(case when happened_at >= $1 then 1 end)
         from audit_log where number is null"
    )
    .bind(began)
    .fetch_one(pool)
    .await
    })?;
    // rows that were taken from its end
    let is_cut = end.unwrap_or_default() != (count, before);
    let broken = broken.or(is_cut.then_some(Broken::Row(count + 1)));
    let broken = broken.or((beside > 0).then_some(Broken::Beside(beside)));
    Ok(Checked { rows: count, older, broken })
}

/// Who gives commands: somebody in the back office, or on this machine.
pub fn actor() -> String {
    if let Ok(name) = ACTING.try_with(|acting| acting.name.to_string()) {
        return name;
    }
    let variable = |name| std::env::var(name).ok().filter(|name: &String| !name.is_empty());
    // with sudo, the person behind it
    variable("SUDO_USER").or_else(|| variable("USER")).unwrap_or_else(|| "unknown".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::{Engine, bare};
    use crate::db::with_write;

    async fn noted(db: &Db, action: &str) {
        let mut tx = db.begin().await.unwrap();
        note(&mut tx, action, "s", &json!({})).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Makes the last row one of before, whose hash says nothing of its id.
    async fn made_old(db: &Db, before: &str) -> String {
        let sql = sql!("select {COLUMNS} from audit_log order by number desc limit 1");
        let row: Noted = with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_one(pool).await).unwrap();
        let hash = row.hash_without_id(before);
        with_write!(db, |pool| sqlx::query("update audit_log set hash = $1 where id = $2")
            .bind(&hash)
            .bind(&row.id)
            .execute(pool)
            .await
            .map(drop))
        .unwrap();
        with_write!(db, |pool| sqlx::query("update audit_head set hash = $1")
            .bind(&hash)
            .execute(pool)
            .await
            .map(drop))
        .unwrap();
        hash
    }

    #[tokio::test]
    async fn rows_without_ids_are_taken_at_the_beginning_only() {
        let (app, _folder) = bare(Engine::Sqlite).await.unwrap();
        let db = &app.db;
        noted(db, "one").await;
        let first = made_old(db, "").await;
        noted(db, "two").await;
        made_old(db, &first).await;
        noted(db, "three").await;
        assert_eq!(check(db).await.unwrap(), Checked { rows: 3, older: 0, broken: None });
        let sql = sql!("select {COLUMNS} from audit_log where number = 3");
        let third: Noted = with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_one(pool).await).unwrap();
        noted(db, "four").await;
        made_old(db, third.hash.as_deref().unwrap()).await;
        assert_eq!(check(db).await.unwrap().broken, Some(Broken::Row(4)));
    }
}
