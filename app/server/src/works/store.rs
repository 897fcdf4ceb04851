//! SQL of works and their revisions.

use domain::document::{Document, Trim};
use domain::ids::{MemberId, WorkId};

use crate::db::{self, Db, Tx, with_db, with_tx};
use crate::error::Error;

/// A work with its newest document.
#[derive(Debug, Clone)]
pub struct Work {
    pub id: WorkId,
    pub document: Document,
    pub revision: i64,
    pub updated_at: i64,
}

/// A work as a list shows it.
#[derive(Debug, Clone)]
pub struct Summary {
    pub id: WorkId,
    pub title: String,
    pub trim: Trim,
    pub pages: i64,
    pub revision: i64,
    pub updated_at: i64,
}

/// Adds a work with its first revision.
pub async fn insert(
    db: &Db,
    id: &WorkId,
    member: &MemberId,
    kind: &str,
    document: &Document,
    now: i64,
) -> Result<(), Error> {
    let text = serde_json::to_string(document)?;
    let pages = page_count(document)?;
    let mut tx = db.begin().await?;
    with_tx!(&mut tx, |conn| {
        sqlx::query(
        "insert into works (id, member_id, kind, title, trim_width, trim_height, pages, document, revision, created_at,
                            updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9)",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(kind)
    .bind(&document.title)
    .bind(document.trim.width)
    .bind(document.trim.height)
    .bind(pages)
    .bind(&text)
    .bind(now)
    .execute(conn)
    .await.map(drop)
    })?;
    with_tx!(&mut tx, |conn| sqlx::query(
        "insert into work_revisions (work_id, revision, document, created_at) values ($1, 1, $2, $3)",
    )
    .bind(id.as_str())
    .bind(&text)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    tx.commit().await?;
    Ok(())
}

/// Saves a document as the next revision; false, and nothing written, when `revision` is no longer the newest.
pub async fn save(
    db: &Db,
    id: &WorkId,
    member: &MemberId,
    revision: i64,
    document: &Document,
    now: i64,
) -> Result<bool, Error> {
    let text = serde_json::to_string(document)?;
    let mut tx = db.begin().await?;
    let saved = with_tx!(&mut tx, |conn| {
        sqlx::query(
        "update works set document = $4, title = $5, updated_at = $6, trim_width = $7, trim_height = $8, pages = $9,
                          revision = revision + 1
         where id = $1 and member_id = $2 and revision = $3",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(revision)
    .bind(&text)
    .bind(&document.title)
    .bind(now)
    .bind(document.trim.width)
    .bind(document.trim.height)
    .bind(page_count(document)?)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if saved != 1 {
        return Ok(false);
    }
    with_tx!(&mut tx, |conn| sqlx::query(
        "insert into work_revisions (work_id, revision, document, created_at) values ($1, $2, $3, $4)",
    )
    .bind(id.as_str())
    .bind(revision + 1)
    .bind(&text)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    tx.commit().await?;
    Ok(true)
}

/// One of a member's own works.
pub async fn find_for_owner(db: &Db, id: &WorkId, member: &MemberId) -> Result<Work, Error> {
    let row: Option<(String, i64, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select document, revision, updated_at from works where id = $1 and member_id = $2",
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .fetch_optional(pool)
    .await)?;
    let (document, revision, updated_at) = row.ok_or(Error::NotFound)?;
    Ok(Work { id: id.clone(), document: db::json("document", &document)?, revision, updated_at })
}

/// A member's works of one kind, or of all, the last changed first. Reads no documents: a shelf needs covers.
pub async fn of_member(
    db: &Db,
    member: &MemberId,
    kind: Option<&str>,
    limit: i64,
) -> Result<Vec<Summary>, Error> {
    let rows: Vec<(String, String, f64, f64, i64, i64, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select id, title, trim_width, trim_height, pages, revision, updated_at from works
         where member_id = $1 and ($2 = '' or kind = $2)
         order by updated_at desc, id desc limit $3",
    )
    .bind(member.as_str())
    .bind(kind.unwrap_or(""))
    .bind(limit)
    .fetch_all(pool)
    .await)?;
    rows.into_iter()
        .map(|(id, title, width, height, pages, revision, updated_at)| {
            let id = id.try_into().map_err(Error::internal)?;
            Ok(Summary { id, title, trim: Trim { width, height }, pages, revision, updated_at })
        })
        .collect()
}

/// The title and the newest document of each of a member's works.
pub async fn documents_of(tx: &mut Tx, member: &MemberId) -> Result<Vec<(String, Document)>, Error> {
    let rows: Vec<(String, String)> = with_tx!(tx, |conn| sqlx::query_as(
        "select title, document from works where member_id = $1 order by updated_at desc, id desc"
    )
    .bind(member.as_str())
    .fetch_all(conn)
    .await)?;
    rows.into_iter().map(|(title, text)| Ok((title, db::json("document", &text)?))).collect()
}

fn page_count(document: &Document) -> Result<i64, Error> {
    i64::try_from(document.pages.len()).map_err(Error::internal)
}
