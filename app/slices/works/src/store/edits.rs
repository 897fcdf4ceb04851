//! SQL of operations: making them once, and making revisions again that are not kept whole.
//!
//! Every request of an editor is a revision of its own number, so that whoever names one always means the same pages. Of a
//! sitting only the last one is kept whole; those before it follow from the revision before the sitting and the operations.

use domain::days::DAY_MS;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use base::db::{self, Db, Tx, sql, with_tx};
use base::detach::blocking;
use base::error::Error;
use base::keyed::KeyedLock;
use domain::document::Document;
use domain::edit::{Change, Failed, Known, Operation, apply, merge};
use domain::ids::{MemberId, OperationId, WorkId};
use web::app::App;

use super::revisions::{self, Cause};
use super::{page_count, titles, uses};

/// How long a sitting lasts, in ms: from then on another revision is kept whole.
const SITTING_MS: i64 = 10 * 60_000;
/// How long revisions within a sitting can be made again, in ms: an editor that was away so long has its changes kept
/// beside the work's line.
const STEPS_MS: i64 = 30 * DAY_MS;
/// Operations in one statement.
const AT_ONCE: usize = 500;

/// What became of a request's operations.
#[derive(Debug)]
pub enum Edited {
    /// They are in this revision; whether it also has what others did since the request's base.
    In { revision: i64, is_merged: bool },
    /// Both sides changed the same. The newest revision stands, and what the client has is kept under the other number.
    Conflict { revision: i64, kept: i64 },
    /// They can't be made; the sentence says why.
    Refused(String),
}

/// How often a request is brought together again with what was saved meanwhile, by forms or through another instance.
const ROUNDS: usize = 8;
/// Works that somebody edits.
static EDITING: LazyLock<KeyedLock<WorkId>> = LazyLock::new(KeyedLock::default);

/// A work as it is stored, and what is known of a request's base and operations.
struct Seen {
    revision: i64,
    /// Of the document as it is stored.
    bytes: usize,
    document: Document,
    /// Of the operations that were made before.
    known: HashMap<String, Before>,
    /// The document of the base; `None` where nobody can tell any more.
    began: Option<Document>,
}

/// What a request comes to, ready to be written.
struct Brought {
    document: Document,
    /// The same as it is stored.
    text: String,
    /// The operations' names, with what is stored of their changes: empty where there was nothing to change.
    steps: Vec<(OperationId, String)>,
    moves_pages: bool,
}

/// Makes a member's operations over a revision that the client had: all of them, each once, or none.
///
/// Thousands of operations take a while, and others wait to write: they are brought together over what was read, and then
/// written, if nobody else saved meanwhile.
pub async fn edit(
    app: &App,
    id: &WorkId,
    member: &MemberId,
    base: i64,
    operations: Vec<Operation>,
    now: i64,
) -> Result<Edited, Error> {
    let operations: Arc<[Operation]> = operations.into();
    // one after the other: of several that begin together all but one would have to begin anew
    let turn = EDITING.of(id.clone());
    let _turn = turn.lock().await;
    for _ in 0..ROUNDS {
        let Some(seen) = look(&app.db, id, member, base, &operations).await? else {
            return Ok(Edited::Refused("没有这个版本".into()));
        };
        let (revision, bytes) = (seen.revision, seen.bytes);
        let is_merged = has_others(base, revision, &seen.known);
        if operations.iter().all(|operation| seen.known.contains_key(operation.id.as_str())) {
            return Ok(Edited::In { revision, is_merged });
        }
        let asked = operations.clone();
        let brought = match blocking(move || bring(&seen, base, &asked)).await? {
            Ok(brought) => brought,
            Err(Failed::Refused(reason)) => return Ok(Edited::Refused(reason.to_string())),
            Err(Failed::Conflict { mine }) => {
                let kept = revisions::keep_refused(app, id, base, &mine, Cause::Edited, now).await?;
                return Ok(Edited::Conflict { revision, kept });
            }
        };
        let mut tx = app.db.begin().await?;
        if !is_still(&mut tx, id, member, revision).await? {
            continue;
        }
        let changes = brought.steps.iter().any(|(_, change)| !change.is_empty());
        let made = if changes { revision + 1 } else { revision };
        if changes {
            next(app, &mut tx, (id, member), (revision, bytes), &brought, now).await?;
        }
        if !note(&mut tx, id, made, &brought.steps, now).await? {
            continue;
        }
        tx.commit().await?;
        if changes {
            revisions::thin_after(app, id, made, now).await?;
        }
        return Ok(Edited::In { revision: made, is_merged });
    }
    Err(Error::Busy)
}

/// Which of these operations were made before.
pub async fn made_before(db: &Db, id: &WorkId, operations: &[Operation]) -> Result<HashSet<String>, Error> {
    let mut tx = db.begin_snapshot().await?;
    Ok(known(&mut tx, id, operations).await?.into_keys().collect())
}

/// Reads what a request is about, all of one moment; `None` where its base is no revision.
async fn look(
    db: &Db,
    id: &WorkId,
    member: &MemberId,
    base: i64,
    operations: &[Operation],
) -> Result<Option<Seen>, Error> {
    let mut tx = db.begin_snapshot().await?;
    let row: Option<(i64, String, Option<i64>)> = with_tx!(&mut tx, |conn| sqlx::query_as(
        "select revision, document, trashed_at from works where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .fetch_optional(conn)
    .await)?;
    let (revision, text, trashed_at) = row.ok_or(Error::NotFound)?;
    let document: Document = db::json("document", &text)?;
    if trashed_at.is_some() {
        return Err(Error::Conflict(format!("《{}》在回收站里，还原以后才能继续。", document.title)));
    }
    if !(1..=revision).contains(&base) {
        return Ok(None);
    }
    let known = known(&mut tx, id, operations).await?;
    let began = if base == revision {
        Some(document.clone())
    } else {
        rebuilt(&mut tx, id, base).await?.map(|(_, document)| document)
    };
    Ok(Some(Seen { revision, bytes: text.len(), document, known, began }))
}

/// Makes a request's operations over what is stored.
fn bring(seen: &Seen, base: i64, operations: &[Operation]) -> Result<Result<Brought, Failed>, Error> {
    let is_known = |operation: &OperationId| match seen.known.get(operation.as_str()) {
        None => Known::New,
        Some(made) if made.revision <= base => Known::InBase,
        Some(_) => Known::Since,
    };
    let began = seen.began.as_ref().unwrap_or(&seen.document);
    let merged = match merge(began, &seen.document, operations, is_known) {
        // from a revision that nobody has any more, nobody can tell what both sides changed
        Ok(merged) if seen.began.is_none() => {
            return Ok(Err(Failed::Conflict { mine: Box::new(merged.document) }));
        }
        Ok(merged) => merged,
        Err(failed) => return Ok(Err(failed)),
    };
    let moves_pages = merged.made.iter().filter_map(|made| made.change.as_ref()).any(Change::moves_pages);
    let steps = merged.made.into_iter().map(|made| {
        let change = made.change.map(|change| serde_json::to_string(&change)).transpose()?;
        Ok::<_, Error>((made.id, change.unwrap_or_default()))
    });
    let steps = steps.collect::<Result<_, _>>()?;
    let text = serde_json::to_string(&merged.document)?;
    Ok(Ok(Brought { document: merged.document, text, steps, moves_pages }))
}

/// Holds the work so that nobody else saves it meanwhile; false where somebody did, or it lies on the shelf no more.
pub async fn is_still(tx: &mut Tx, id: &WorkId, member: &MemberId, revision: i64) -> Result<bool, Error> {
    let held = with_tx!(tx, |conn| sqlx::query(
        "update works set revision = revision
         where id = $1 and member_id = $2 and revision = $3 and trashed_at is null",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(revision)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(held == 1)
}

/// Whether somebody else made one of the revisions since a base.
fn has_others(base: i64, newest: i64, known: &HashMap<String, Before>) -> bool {
    let own: HashSet<i64> = known
        .values()
        .filter(|made| made.changed && made.revision > base)
        .map(|made| made.revision)
        .collect();
    newest - base > i64::try_from(own.len()).unwrap_or(0)
}

/// An operation that was made before.
struct Before {
    revision: i64,
    /// Whether there was something to change, so that the revision is its request's.
    changed: bool,
}

/// Which of the operations were made before.
async fn known(tx: &mut Tx, id: &WorkId, operations: &[Operation]) -> Result<HashMap<String, Before>, Error> {
    let mut known = HashMap::new();
    let sql = sql!(
        "select id, revision, change is null or change <> ''
         from work_operations where work_id = $1 and id in ([?])"
    );
    for part in operations.chunks(AT_ONCE) {
        let sql = sql.repeated(part.len());
        let rows: Vec<(String, i64, bool)> = with_tx!(&mut *tx, |conn| {
            let query = sqlx::query_as(sql.text()).bind(id.as_str());
            part.iter().fold(query, |query, made| query.bind(made.id.as_str())).fetch_all(conn).await
        })?;
        let before = |(id, revision, changed)| (id, Before { revision, changed });
        known.extend(rows.into_iter().map(before));
    }
    Ok(known)
}

/// Writes the document as the revision after one whose document has so many bytes. That one is kept whole only where it ended
/// a sitting, or something refers to it.
async fn next(
    app: &App,
    tx: &mut Tx,
    (id, member): (&WorkId, &MemberId),
    (before, before_bytes): (i64, usize),
    brought: &Brought,
    now: i64,
) -> Result<(), Error> {
    let Brought { document, text, steps, moves_pages } = brought;
    let revision = before + 1;
    with_tx!(&mut *tx, |conn| {
        sqlx::query(
        "update works set document = $2, revision = $3, updated_at = $4, pages = $5, noted = noted + 1 where id = $1"
    )
    .bind(id.as_str())
    .bind(text)
    .bind(revision)
    .bind(now)
    .bind(page_count(document)?)
    .execute(conn)
    .await
    .map(drop)
    })?;
    let passed: Option<(Option<i64>, i64, String)> = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select sitting, bytes, cause from work_revisions where work_id = $1 and revision = $2"
    )
    .bind(id.as_str())
    .bind(before)
    .fetch_optional(conn)
    .await)?;
    let under_way = passed.and_then(|(began, bytes, cause)| Some((began?, bytes, cause)));
    let under_way = under_way.filter(|(began, ..)| now - began < SITTING_MS);
    // forms that were filled in before a sitting in which pages moved are told so
    let mut moves = *moves_pages;
    // the operations since the revision that is kept whole count as bytes of the one that ends the sitting
    let mut bytes: usize = steps.iter().map(|(_, change)| change.len()).sum();
    let mut sitting = now;
    if let Some((began, with_steps, cause)) = under_way {
        sitting = began;
        moves |= Cause::from_code(&cause) == Some(Cause::Pages);
        let is_referred = revisions::is_referred(app, tx, id, before).await?;
        let passing = if is_referred {
            0
        } else {
            with_tx!(&mut *tx, |conn| {
                sqlx::query(
            "delete from work_revisions where work_id = $1 and revision = $2
                 and not exists (select 1 from work_revisions r where r.work_id = $1 and r.revision < 0 and r.source = $2)",
        )
        .bind(id.as_str())
        .bind(before)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
            })?
        };
        if passing == 1 {
            bytes += usize::try_from(with_steps).unwrap_or(0).saturating_sub(before_bytes);
        }
    }
    let cause = if moves { Cause::Pages } else { Cause::Edited };
    revisions::insert(tx, id, revision, text, cause, None, now).await?;
    titles::keep(tx, member, id, &document.title).await?;
    uses::saved(tx, id, member, revision, document).await?;
    with_tx!(&mut *tx, |conn| sqlx::query(
        "update work_revisions set sitting = $3, bytes = bytes + $4 where work_id = $1 and revision = $2"
    )
    .bind(id.as_str())
    .bind(revision)
    .bind(sitting)
    .bind(i64::try_from(bytes).map_err(Error::internal)?)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Notes the operations under their names; false where one of them was made meanwhile.
async fn note(
    tx: &mut Tx,
    id: &WorkId,
    revision: i64,
    steps: &[(OperationId, String)],
    now: i64,
) -> Result<bool, Error> {
    // a revision may have more than one request's: those that changed nothing come to one that was there
    let sql = sql!(
        "insert into work_operations (work_id, revision, made_at, id, place, change)
         values [($1, $2, $3, ?, ?, ?)] on conflict (work_id, id) do nothing"
    );
    let steps: Vec<_> = (0i64..).zip(steps).collect();
    for part in steps.chunks(AT_ONCE) {
        let sql = sql.repeated(part.len());
        let noted = with_tx!(&mut *tx, |conn| {
            let query = sqlx::query(sql.text()).bind(id.as_str()).bind(revision).bind(now);
            part.iter()
                .fold(query, |query, (place, (id, change))| query.bind(id.as_str()).bind(*place).bind(change))
                .execute(conn)
                .await
                .map(|done| done.rows_affected())
        })?;
        if noted < part.len() as u64 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A revision of the line with when it was made: the one that is kept, or made again of the last kept one before it and what
/// editors did since. `None` where nobody can tell any more.
pub(super) async fn rebuilt(tx: &mut Tx, id: &WorkId, number: i64) -> Result<Option<(i64, Document)>, Error> {
    let kept: Option<(i64, i64, String)> = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select revision, created_at, document from work_revisions
         where work_id = $1 and revision > 0 and revision <= $2 order by revision desc limit 1",
    )
    .bind(id.as_str())
    .bind(number)
    .fetch_optional(conn)
    .await)?;
    let Some((kept, mut at, text)) = kept else { return Ok(None) };
    let mut document: Document = db::json("document", &text)?;
    let steps: Vec<(i64, Option<String>, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select revision, change, made_at from work_operations
         where work_id = $1 and revision > $2 and revision <= $3 and (change is null or change <> '')
         order by revision, place",
    )
    .bind(id.as_str())
    .bind(kept)
    .bind(number)
    .fetch_all(conn)
    .await)?;
    let mut reached = kept;
    for (revision, change, made_at) in steps {
        let Some(change) = change else { return Ok(None) };
        let change: Change = db::json("change", &change)?;
        // another save stands between them
        if revision > reached + 1 || apply(&mut document, &change).is_err() {
            return Ok(None);
        }
        (reached, at) = (revision, made_at);
    }
    Ok((reached == number).then_some((at, document)))
}

/// Forgets what nobody comes back to: the steps within sittings of long ago, or all that are over where the work's versions
/// take too much. The names stay.
pub(super) async fn forget_steps(db: &Db, id: &WorkId, is_crowded: bool, now: i64) -> Result<(), Error> {
    let before = if is_crowded { now - SITTING_MS } else { now - STEPS_MS };
    let mut tx = db.begin().await?;
    let forgotten = with_tx!(&mut tx, |conn| {
        sqlx::query(
        "update work_operations set change = null where work_id = $1 and made_at < $2 and change is not null"
    )
    .bind(id.as_str())
    .bind(before)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if forgotten == 0 {
        return Ok(());
    }
    with_tx!(&mut tx, |conn| sqlx::query(
        "update work_revisions set bytes = octet_length(document)
         where work_id = $1 and sitting is not null and created_at < $2",
    )
    .bind(id.as_str())
    .bind(before)
    .execute(conn)
    .await
    .map(drop))?;
    tx.commit().await?;
    Ok(())
}
