//! The audit log: what operators did, when, and to what. Rows are only added, in the transaction of what they tell of, and
//! each holds a hash over itself and the row before it: a row that was changed or taken out is found ([`check`]).

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::future::Future;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::db::{Db, Tx, new_id, now_ms, sql, with_db, with_tx};
use crate::error::Error;
use crate::lists::pattern;
use crate::time;

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
    /// Rows of the chain.
    pub rows: i64,
    /// The last one's hash; empty without any.
    pub hash: String,
    /// Rows from before there was a chain, which nothing holds.
    pub older: i64,
    /// What does not fit, the first of it.
    pub broken: Vec<Broken>,
}

impl Checked {
    /// Its end, to be printed and kept elsewhere.
    pub fn head(&self) -> Head {
        Head { number: self.rows, hash: self.hash.clone() }
    }
}

/// The last row of the log at some moment: its number and its hash, as `12:0a1b…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub number: i64,
    pub hash: String,
}

impl Display for Head {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.number, self.hash)
    }
}

/// A text that is no [`Head`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a head is a row's number and its hash of 64 digits: 12:0a1b…")]
pub struct NotAHead;

impl FromStr for Head {
    type Err = NotAHead;
    fn from_str(text: &str) -> Result<Self, NotAHead> {
        let (number, hash) = text.trim().split_once(':').ok_or(NotAHead)?;
        let number: i64 = number.parse().map_err(|_| NotAHead)?;
        let is_hash =
            if number == 0 { hash.is_empty() } else { hash.len() == 64 && hex::decode(hash).is_ok() };
        if number < 0 || !is_hash { Err(NotAHead) } else { Ok(Self { number, hash: hash.to_lowercase() }) }
    }
}

/// How the log was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// This row, its id or its hash was changed, or the one before it.
    #[error("row {0} does not fit: it or the one before it was changed")]
    Row(i64),
    /// Rows from one number to another are not there.
    #[error("rows {0} to {1} are missing")]
    Missing(i64, i64),
    /// It ends before, or behind, where it ended when the last row was added.
    #[error("the log ends with row {0}, and its last one was row {1}")]
    End(i64, i64),
    /// So many rows without a number stand beside the chain.
    #[error("{0} rows without a number stand beside the chain: they were put in, or lost theirs")]
    Beside(i64),
    /// So many rows from before there was a chain are gone.
    #[error("{0} rows from before the chain are missing")]
    Older(i64),
    /// What was kept apart of this row is not what stands there.
    #[error("row {0} is another one than was kept apart: the chain was computed again")]
    Another(i64),
}

/// What doesn't fit is named up to so many times.
const MOST_BROKEN: usize = 20;

/// Who acts in a request of the back office, and whether the log has learnt of it.
#[derive(Debug, Clone)]
struct Acting {
    name: Arc<str>,
    has_said: Arc<AtomicBool>,
    /// Whether it was asked about the money that moves.
    may_move: Arc<AtomicBool>,
}

tokio::task_local! {
    static ACTING: Acting;
}

/// Runs what somebody does in the back office: [`note`] writes its name. Answers, too, whether anything was noted or [`unchanged`]
/// was said.
pub async fn acting<T>(name: &str, work: impl Future<Output = T>) -> (T, bool) {
    let acting = Acting { name: name.into(), has_said: Arc::default(), may_move: Arc::default() };
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

/// Says that whoever acts may move money in this request: it was looked at who has to agree.
pub fn moves() {
    let _ = ACTING.try_with(|acting| acting.may_move.store(true, Ordering::Relaxed));
}

/// Whether money may move: a clerk's request has asked before; the host's command line and members need nobody.
pub fn may_move() -> bool {
    ACTING.try_with(|acting| acting.may_move.load(Ordering::Relaxed)).unwrap_or(true)
}

/// Whether somebody names an action, from the first program of this process on.
static NAMED: OnceLock<Named> = OnceLock::new();

/// Whether an action has a name.
type Named = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// Says how it is known whether an action that [`note`] is given has a name that people read. Without that, any will do.
pub fn named_by(named: impl Fn(&str) -> bool + Send + Sync + 'static) {
    // another program of this process has said it before
    let _ = NAMED.set(Box::new(named));
}

/// Notes an operator's action as part of the transaction that carries it out. The chain's end is held from here to the end of
/// the transaction, so this comes late in it. An action that nobody names ([`named_by`]) is a fault that no test passes
/// over.
pub async fn note(tx: &mut Tx, action: &str, subject: &str, detail: &Value) -> Result<(), Error> {
    debug_assert!(
        NAMED.get().is_none_or(|named| named(action)),
        "nobody says what people call the action {action:?}"
    );
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
    keep_end(tx, number, &hash, noted.happened_at).await?;
    unchanged();
    Ok(())
}

/// Keeps where the log ends today apart from it.
async fn keep_end(tx: &mut Tx, number: i64, hash: &str, now: i64) -> Result<(), Error> {
    let day = time::day(now);
    let kept = with_tx!(&mut *tx, |conn| sqlx::query(
        "update audit_ends set number = $2, hash = $3 where day = $1"
    )
    .bind(&day)
    .bind(number)
    .bind(hash)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    if kept == 0 {
        with_tx!(tx, |conn| sqlx::query(
            "insert into audit_ends (day, number, hash, older)
             select $1, $2, $3, count(*) from audit_log where number is null"
        )
        .bind(&day)
        .bind(number)
        .bind(hash)
        .execute(conn)
        .await
        .map(drop))?;
    }
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

/// A page of the log, the newest first, behind the row `after`: those in which who acted, what was done, or to what holds the words,
/// or whose action is one of `actions`, each between commas.
pub async fn found(db: &Db, words: &str, actions: &str, after: &str, most: i64) -> Result<Vec<Noted>, Error> {
    let sql = sql!(
        "select {COLUMNS} from audit_log
         where ($1 = '%%' or lower(actor) like lower($1) escape '\\' or lower(action) like lower($1) escape '\\'
                or lower(subject) like lower($1) escape '\\' or lower(detail) like lower($1) escape '\\'
                or $4 like '%,' || action || ',%')
           and ($2 = '' or id < $2)
         order by id desc limit $3"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(pattern(words))
        .bind(after)
        .bind(most)
        .bind(actions)
        .fetch_all(pool)
        .await)?)
}

/// An end of the log that was kept apart.
#[derive(Debug, sqlx::FromRow)]
struct End {
    number: i64,
    hash: String,
    older: i64,
}

/// Reads the whole log: each row of the chain behind the one before it, none missing and none beside it, and that it went
/// through the ends that were kept apart, and through those that somebody printed earlier.
pub async fn check(db: &Db, printed: &[Head]) -> Result<Checked, Error> {
    const ROWS: i64 = 1000;
    // what is read first was written before what is read later
    let ends: Vec<End> = with_db!(db, |pool| sqlx::query_as(
        "select number, hash, older from audit_ends order by number, day"
    )
    .fetch_all(pool)
    .await)?;
    let end: Option<(i64, String)> =
        with_db!(db, |pool| sqlx::query_as("select number, hash from audit_head where id = 1")
            .fetch_optional(pool)
            .await)?;
    let end = end.unwrap_or_default();
    let mut kept: BTreeMap<i64, Vec<&str>> = BTreeMap::new();
    let known = ends.iter().map(|end| (end.number, end.hash.as_str()));
    let known = known.chain(printed.iter().map(|head| (head.number, head.hash.as_str())));
    for (number, hash) in known.chain([(end.0, end.1.as_str())]).filter(|(number, _)| *number > 0) {
        kept.entry(number).or_default().push(hash);
    }
    let sql = sql!("select {COLUMNS} from audit_log where number > $1 order by number limit $2");
    let (mut count, mut before, mut began, mut has_ids) = (0, Some(String::new()), i64::MAX, false);
    let mut broken = Vec::new();
    loop {
        let rows: Vec<Noted> =
            with_db!(db, |pool| sqlx::query_as(sql.text()).bind(count).bind(ROWS).fetch_all(pool).await)?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let number = row.number.unwrap_or_default();
            if number != count + 1 {
                broken.push(Broken::Missing(count + 1, number - 1));
                // what stood before is not known
                before = None;
            }
            let stored = row.hash.clone().unwrap_or_default();
            if let Some(before) = &before {
                let is_old = !has_ids && stored == row.hash_without_id(before) && id_fits(&row);
                has_ids = has_ids || !is_old;
                if !is_old && stored != row.hash_behind(before) {
                    broken.push(Broken::Row(number));
                }
            }
            if kept.get(&number).is_some_and(|hashes| hashes.iter().any(|hash| *hash != stored)) {
                broken.push(Broken::Another(number));
            }
            began = began.min(row.happened_at);
            (count, before) = (number, Some(stored));
        }
        if broken.len() > MOST_BROKEN {
            break;
        }
    }
    let hash = before.unwrap_or_default();
    let last = kept.keys().next_back().copied().unwrap_or(0);
    // rows that were added meanwhile are behind the end as it was, and not behind the one that there is now
    let now = head(db).await?.map_or(0, |head| head.number);
    if broken.len() <= MOST_BROKEN && (count < last || end.0 < last || now < count) {
        broken.push(Broken::End(count, last.max(now)));
    }
    let (older, young): (i64, i64) = with_db!(db, |pool| {
        sqlx::query_as(
        "select count(case when happened_at < $1 then 1 end), count(case when happened_at >= $1 then 1 end)
         from audit_log where number is null"
    )
    .bind(began)
    .fetch_one(pool)
    .await
    })?;
    // what was there on the first day of which is known; rows come before the chain no more
    let known = ends.first().map_or(older, |end| end.older);
    let beside = young.max(older + young - known);
    if beside > 0 {
        broken.push(Broken::Beside(beside));
    } else if older < known {
        broken.push(Broken::Older(known - older));
    }
    broken.truncate(MOST_BROKEN);
    Ok(Checked { rows: count, hash, older, broken })
}

/// Whether a row's id is of the moment that the row says: the hash of rows of before holds no ids, which begin with their time.
fn id_fits(row: &Noted) -> bool {
    const APART_MS: u64 = 60_000;
    let made_at = ulid::Ulid::from_string(&row.id).map(|id| id.timestamp_ms());
    made_at.is_ok_and(|at| at.abs_diff(row.happened_at.unsigned_abs()) < APART_MS)
}

/// The log's end now, to be printed and kept elsewhere; nothing before its first row.
pub async fn head(db: &Db) -> Result<Option<Head>, Error> {
    let end: Option<(i64, String)> =
        with_db!(db, |pool| sqlx::query_as("select number, hash from audit_head where id = 1")
            .fetch_optional(pool)
            .await)?;
    Ok(end.map(|(number, hash)| Head { number, hash }))
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
    use crate::db::with_write;
    use crate::testing::{Engine, database};

    /// What somebody does to the log who may write to the database; no page asks it.
    struct Tampering(&'static str);

    impl Tampering {
        fn text(&self) -> &'static str {
            self.0
        }
    }

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
        for sql in ["update audit_head set hash = $1", "update audit_ends set hash = $1"] {
            with_write!(db, |pool| sqlx::query(Tampering(sql).text())
                .bind(&hash)
                .execute(pool)
                .await
                .map(drop))
            .unwrap();
        }
        hash
    }

    #[tokio::test]
    async fn rows_without_ids_are_taken_at_the_beginning_only() {
        let (db, _folder) = database(Engine::Sqlite).await.unwrap();
        let db = &db;
        noted(db, "one").await;
        let first = made_old(db, "").await;
        noted(db, "two").await;
        made_old(db, &first).await;
        noted(db, "three").await;
        let checked = check(db, &[]).await.unwrap();
        assert_eq!((checked.rows, checked.older, checked.broken), (3, 0, Vec::new()));
        let sql = sql!("select {COLUMNS} from audit_log where number = 3");
        let third: Noted = with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_one(pool).await).unwrap();
        noted(db, "four").await;
        made_old(db, third.hash.as_deref().unwrap()).await;
        assert_eq!(check(db, &[]).await.unwrap().broken, [Broken::Row(4)]);
    }

    async fn run(db: &Db, sql: &'static str) {
        with_write!(db, |pool| sqlx::query(Tampering(sql).text()).execute(pool).await.map(drop)).unwrap();
    }

    #[tokio::test]
    async fn each_change_is_named() {
        const FORGED: &str = "0000000000000000000000000000000000000000000000000000000000000000";
        for (changes, named) in [
            (["delete from audit_log where number > 3"].as_slice(), Broken::End(3, 5)),
            // with the end that stands beside it, and with all that the program goes on from
            (
                &["delete from audit_log where number = 5", "update audit_head set number = 4"],
                Broken::End(4, 5),
            ),
            (&["delete from audit_log", "delete from audit_head"], Broken::End(0, 5)),
            (&["delete from audit_log where number <= 2"], Broken::Missing(1, 2)),
            (&["delete from audit_log where number = 3"], Broken::Missing(3, 3)),
            (&["update audit_log set number = null where number = 5"], Broken::Beside(1)),
            (&["update audit_log set number = null where number = 1"], Broken::Beside(1)),
            (&["update audit_log set number = null, happened_at = 1 where number = 2"], Broken::Beside(1)),
            (&["update audit_log set number = null", "delete from audit_head"], Broken::Beside(5)),
            (&["update audit_log set id = 'x' || id where number = 4"], Broken::Row(4)),
            (&["update audit_log set actor = 'x' where number = 5"], Broken::Row(5)),
            (&["update audit_log set hash = null where number = 5"], Broken::Row(5)),
        ] {
            let (db, _folder) = database(Engine::Sqlite).await.unwrap();
            let db = &db;
            for action in ["one", "two", "three", "four", "five"] {
                noted(db, action).await;
            }
            let whole = check(db, &[]).await.unwrap();
            assert_eq!(whole.broken, []);
            assert_eq!(head(db).await.unwrap(), Some(whole.head()));
            let other = Head { number: 5, hash: FORGED.to_owned() };
            assert_eq!(check(db, &[whole.head(), other]).await.unwrap().broken, [Broken::Another(5)]);
            let later = Head { number: 6, hash: FORGED.to_owned() };
            assert_eq!(check(db, &[later]).await.unwrap().broken, [Broken::End(5, 6)]);
            for change in changes {
                run(db, change).await;
            }
            let broken = check(db, &[]).await.unwrap().broken;
            assert!(broken.contains(&named), "{changes:?}: {broken:?}");
            // what was printed earlier says so even where everything in the database was made to fit
            run(db, "delete from audit_ends").await;
            let broken = check(db, &[whole.head()]).await.unwrap().broken;
            assert!(!broken.is_empty(), "{changes:?}");
        }
    }

    #[tokio::test]
    async fn rows_from_before_are_counted() {
        let (db, _folder) = database(Engine::Sqlite).await.unwrap();
        let db = &db;
        run(
            db,
            "insert into audit_log (id, happened_at, actor, action, subject, detail) values ('0', 1, 'a', 'b', 'c', '{}')",
        )
        .await;
        noted(db, "one").await;
        let checked = check(db, &[]).await.unwrap();
        assert_eq!((checked.rows, checked.older, checked.broken), (1, 1, Vec::new()));
        run(db, "delete from audit_log where number is null").await;
        assert_eq!(check(db, &[]).await.unwrap().broken, [Broken::Older(1)]);
    }

    #[test]
    fn a_head_comes_back_as_it_was_printed() {
        let head = Head { number: 12, hash: "0a".repeat(32) };
        assert_eq!(head.to_string().parse(), Ok(head));
        for wrong in ["", "12", "12:", "12:0a", ":0a", "-1:", "x:0a"] {
            assert_eq!(wrong.parse::<Head>(), Err(NotAHead), "{wrong}");
        }
    }
}
