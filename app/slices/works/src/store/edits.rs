//! SQL of operations: making them once, and making revisions again that are not kept whole.
//!
//! Every request of an editor is a revision of its own number, so that whoever names one always means the same pages. Of a
//! sitting only the last one is kept whole; those before it follow from the revision before the sitting and the operations.

use std::collections::{HashMap, HashSet};

use domain::document::Document;
use domain::edit::{Change, Failed, Known, Made, Operation, apply, merge};
use domain::ids::{MemberId, OperationId, WorkId};

use super::revisions::{self, Cause};
use super::{page_count, titles, uses};
use platform::db::{self, Db, Tx, sql, with_tx};
use platform::error::Error;
use platform::storage::blocking;

/// How long a sitting lasts, in ms: from then on another revision is kept whole.
const SITTING_MS: i64 = 10 * 60_000;
/// How long revisions within a sitting can be made again, in ms: an editor that was away so long has its changes kept
/// beside the work's line.
const STEPS_MS: i64 = 30 * 24 * 60 * 60_000;
/// Names that are asked for at once.
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

/// A work as it is stored, held until the transaction ends.
struct Held {
    revision: i64,
    text: String,
    document: Document,
}

/// Makes a member's operations over a revision that the client had: all of them, each once, or none.
pub async fn edit(
    db: &Db,
    id: &WorkId,
    member: &MemberId,
    base: i64,
    operations: Vec<Operation>,
    now: i64,
) -> Result<Edited, Error> {
    let mut tx = db.begin().await?;
    let held = hold(&mut tx, id, member).await?;
    if !(1..=held.revision).contains(&base) {
        return Ok(Edited::Refused("没有这个版本".into()));
    }
    let known = known(&mut tx, id, &operations).await?;
    let is_merged = has_others(base, held.revision, &known);
    if operations.iter().all(|operation| known.contains_key(operation.id.as_str())) {
        return Ok(Edited::In { revision: held.revision, is_merged });
    }
    let began = if base == held.revision {
        Some(held.document.clone())
    } else {
        rebuilt(&mut tx, id, base).await?.map(|(_, document)| document)
    };
    // from a revision that nobody has any more, nobody can tell what both sides changed
    let is_lost = began.is_none();
    let stored = held.document.clone();
    // thousands of operations take a while, and others have answers to wait for
    let outcome = blocking(move || {
        let is_known = |operation: &OperationId| match known.get(operation.as_str()) {
            None => Known::New,
            Some(made) if made.revision <= base => Known::InBase,
            Some(_) => Known::Since,
        };
        Ok(merge(began.as_ref().unwrap_or(&stored), &stored, &operations, is_known))
    });
    match outcome.await? {
        Err(Failed::Refused(reason)) => Ok(Edited::Refused(reason.to_string())),
        Err(Failed::Conflict { mine }) => beside(tx, db, id, base, &held, &mine, now).await,
        Ok(merged) if is_lost => beside(tx, db, id, base, &held, &merged.document, now).await,
        Ok(merged) => {
            let changes = merged.made.iter().any(|made| made.change.is_some());
            let revision = if changes {
                next(&mut tx, id, member, &held, &merged.document, &merged.made, now).await?
            } else {
                held.revision
            };
            note(&mut tx, id, revision, &merged.made, now).await?;
            tx.commit().await?;
            if changes {
                revisions::thin_after(db, id, revision, now).await?;
            }
            Ok(Edited::In { revision, is_merged })
        }
    }
}

/// The work, held so that nobody else saves it meanwhile.
async fn hold(tx: &mut Tx, id: &WorkId, member: &MemberId) -> Result<Held, Error> {
    let row: Option<(i64, String, Option<i64>)> = with_tx!(tx, |conn| sqlx::query_as(
        "update works set revision = revision where id = $1 and member_id = $2
         returning revision, document, trashed_at",
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
    Ok(Held { revision, text, document })
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

/// Keeps what the client has beside the work's line.
async fn beside(
    tx: Tx,
    db: &Db,
    id: &WorkId,
    base: i64,
    held: &Held,
    mine: &Document,
    now: i64,
) -> Result<Edited, Error> {
    drop(tx);
    let kept = revisions::keep_refused(db, id, base, mine, Cause::Edited, now).await?;
    Ok(Edited::Conflict { revision: held.revision, kept })
}

/// Writes the document as the next revision and answers its number. The one before it is kept whole only where it ended a
/// sitting, or something refers to it.
async fn next(
    tx: &mut Tx,
    id: &WorkId,
    member: &MemberId,
    held: &Held,
    document: &Document,
    made: &[Made],
    now: i64,
) -> Result<i64, Error> {
    let text = serde_json::to_string(document)?;
    let revision = held.revision + 1;
    with_tx!(&mut *tx, |conn| {
        sqlx::query(
        "update works set document = $2, revision = $3, updated_at = $4, pages = $5, noted = noted + 1 where id = $1"
    )
    .bind(id.as_str())
    .bind(&text)
    .bind(revision)
    .bind(now)
    .bind(page_count(document)?)
    .execute(conn)
    .await
    .map(drop)
    })?;
    let before: Option<(Option<i64>, i64, String)> = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select sitting, bytes, cause from work_revisions where work_id = $1 and revision = $2"
    )
    .bind(id.as_str())
    .bind(held.revision)
    .fetch_optional(conn)
    .await)?;
    let under_way = before.and_then(|(began, bytes, cause)| Some((began?, bytes, cause)));
    let under_way = under_way.filter(|(began, ..)| now - began < SITTING_MS);
    // forms that were filled in before a sitting in which pages moved are told so
    let mut moves = made.iter().filter_map(|made| made.change.as_ref()).any(Change::moves_pages);
    // the operations since the revision that is kept whole count as bytes of the one that ends the sitting
    let mut bytes = made.iter().try_fold(0, |bytes, made| Ok::<_, Error>(bytes + written(made)?.len()))?;
    let mut sitting = now;
    if let Some((began, with_steps, cause)) = under_way {
        sitting = began;
        moves |= Cause::from_code(&cause) == Some(Cause::Pages);
        let passing = with_tx!(&mut *tx, |conn| {
            sqlx::query(
            "delete from work_revisions where work_id = $1 and revision = $2
                 and not exists (select 1 from cart_lines where work_id = $1 and proofed_revision = $2)
                 and not exists (select 1 from work_revisions r where r.work_id = $1 and r.revision < 0 and r.source = $2)",
        )
        .bind(id.as_str())
        .bind(held.revision)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
        })?;
        if passing == 1 {
            bytes += usize::try_from(with_steps).unwrap_or(0).saturating_sub(held.text.len());
        }
    }
    let cause = if moves { Cause::Pages } else { Cause::Edited };
    revisions::insert(tx, id, revision, &text, cause, None, now).await?;
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
    Ok(revision)
}

/// A change as it is stored; empty where there was nothing to change.
fn written(made: &Made) -> Result<String, Error> {
    Ok(made.change.as_ref().map(serde_json::to_string).transpose()?.unwrap_or_default())
}

/// Notes the operations under their names.
async fn note(tx: &mut Tx, id: &WorkId, revision: i64, made: &[Made], now: i64) -> Result<(), Error> {
    // a revision may have more than one request's: those that changed nothing come to one that was there
    for (place, made) in (0i64..).zip(made) {
        let change = written(made)?;
        with_tx!(&mut *tx, |conn| sqlx::query(
            "insert into work_operations (work_id, id, revision, place, change, made_at)
             values ($1, $2, $3, $4, $5, $6)",
        )
        .bind(id.as_str())
        .bind(made.id.as_str())
        .bind(revision)
        .bind(place)
        .bind(change)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    }
    Ok(())
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
