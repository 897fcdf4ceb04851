//! SQL of what searches go by: the folded titles of works, and their grams. Written with the title, in one transaction.

use std::collections::BTreeSet;

use base::db::{Db, Sql, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::grams::{self, Gram};
use domain::ids::{MemberId, WorkId};
use domain::reading::folded;

/// Works that are filled in as one transaction.
const FILLED_AT_ONCE: i64 = 500;
/// Grams in one statement.
const WRITTEN_AT_ONCE: usize = 100;
/// Grams of a search that are counted: more of them seldom know a rarer one.
const COUNTED: usize = 8;
/// So few works are looked at without looking for a rarer gram.
const FEW: i64 = 100;
/// A gram that more places have is no help: a page of a shelf that is read in its own order finds as many sooner.
const MANY: i64 = 2_000;

/// Keeps a work's title as searches compare it; the same one as before costs one question.
pub async fn keep(tx: &mut Tx, member: &MemberId, work: &WorkId, title: &str) -> Result<(), Error> {
    let folded = folded(title);
    let before = kept(tx, work).await?;
    if before.as_ref() == Some(&folded) {
        return Ok(());
    }
    let (old, new) = (grams::of_text(before.as_deref().unwrap_or_default()), grams::of_text(&folded));
    remove(tx, member, work, old.difference(&new)).await?;
    add(tx, member, work, new.difference(&old)).await?;
    with_tx!(tx, |conn| sqlx::query(
        "insert into work_titles (work_id, folded) values ($1, $2)
         on conflict (work_id) do update set folded = excluded.folded",
    )
    .bind(work.as_str())
    .bind(&folded)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Forgets a work's title, before the work.
pub async fn forget(tx: &mut Tx, member: &MemberId, work: &WorkId) -> Result<(), Error> {
    let Some(folded) = kept(tx, work).await? else { return Ok(()) };
    remove(tx, member, work, grams::of_text(&folded).iter()).await?;
    with_tx!(tx, |conn| sqlx::query("delete from work_titles where work_id = $1")
        .bind(work.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

async fn kept(tx: &mut Tx, work: &WorkId) -> Result<Option<String>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar("select folded from work_titles where work_id = $1")
        .bind(work.as_str())
        .fetch_optional(conn)
        .await)?)
}

async fn add<'g>(
    tx: &mut Tx,
    member: &MemberId,
    work: &WorkId,
    added: impl Iterator<Item = &'g Gram>,
) -> Result<(), Error> {
    let sql = sql!(
        "insert into title_grams (member_id, work_id, first, second, third) values [($1, $2, ?, ?, ?)]
         on conflict do nothing"
    );
    for some in added.collect::<Vec<_>>().chunks(WRITTEN_AT_ONCE) {
        write(tx, sql, member, work, some).await?;
    }
    Ok(())
}

async fn remove<'g>(
    tx: &mut Tx,
    member: &MemberId,
    work: &WorkId,
    removed: impl Iterator<Item = &'g Gram>,
) -> Result<(), Error> {
    let sql = sql!(
        "delete from title_grams where member_id = $1 and work_id = $2
           and (first, second, third) in (values [(?, ?, ?)])"
    );
    for some in removed.collect::<Vec<_>>().chunks(WRITTEN_AT_ONCE) {
        write(tx, sql, member, work, some).await?;
    }
    Ok(())
}

async fn write(
    tx: &mut Tx,
    sql: Sql,
    member: &MemberId,
    work: &WorkId,
    grams: &[&Gram],
) -> Result<(), Error> {
    let sql = sql.repeated(grams.len());
    with_tx!(tx, |conn| {
        let query = sqlx::query(sql.text()).bind(member.as_str()).bind(work.as_str());
        let letters = grams.iter().flat_map(|gram| gram.letters());
        letters.fold(query, |query, letter| query.bind(letter)).execute(conn).await.map(drop)
    })?;
    Ok(())
}

/// Keeps the titles of works that have none kept yet: made by a version that kept none, or filled in from a backup.
pub async fn fill(db: &Db) -> Result<(), Error> {
    let mut behind = String::new();
    loop {
        let mut tx = db.begin().await?;
        let rows: Vec<(String, String, String)> = with_tx!(&mut tx, |conn| sqlx::query_as(
            "select w.id, w.member_id, w.title from works w
             where w.id > $1 and not exists (select 1 from work_titles t where t.work_id = w.id)
             order by w.id limit $2",
        )
        .bind(&behind)
        .bind(FILLED_AT_ONCE)
        .fetch_all(conn)
        .await)?;
        let Some((last, ..)) = rows.last() else { return Ok(()) };
        behind.clone_from(last);
        for (work, member, title) in rows {
            let (work, member) = (work.try_into().map_err(Error::internal)?, member.try_into());
            keep(&mut tx, &member.map_err(Error::internal)?, &work, &title).await?;
        }
        tx.commit().await?;
    }
}

/// The gram by which a member's titles with a folded search are gathered, the rarest; `None` where all are in so many
/// that the shelf is read instead.
pub async fn rarest(db: &Db, member: &MemberId, search: &str) -> Result<Option<Gram>, Error> {
    let asked: BTreeSet<Gram> = grams::of_search(search);
    let (mut rarest, mut least) = (None, MANY + 1);
    for gram in asked.into_iter().take(COUNTED) {
        let count = count(db, member, &gram, least).await?;
        if count < least {
            (rarest, least) = (Some(gram), count);
        }
        if least <= FEW {
            break;
        }
    }
    Ok(rarest)
}

/// How many places of a member's titles have a gram, no further than `most`.
async fn count(db: &Db, member: &MemberId, gram: &Gram, most: i64) -> Result<i64, Error> {
    const PLACES: &str = "select 1 from title_grams where member_id = $1";
    let sql = match gram.count() {
        1 => sql!("select count(*) from ({PLACES} and first = $3 limit $2) places"),
        2 => sql!("select count(*) from ({PLACES} and first = $3 and second = $4 limit $2) places"),
        _ => sql!(
            "select count(*) from ({PLACES} and first = $3 and second = $4 and third = $5 limit $2) places"
        ),
    };
    Ok(with_db!(db, |pool| {
        let query = sqlx::query_scalar(sql.text()).bind(member.as_str()).bind(most);
        bound(gram).fold(query, |query, letter| query.bind(letter)).fetch_one(pool).await
    })?)
}

/// The letters by which a row's gram begins like this one.
pub(super) fn bound(gram: &Gram) -> impl Iterator<Item = String> + use<> {
    gram.letters().into_iter().take(gram.count())
}
