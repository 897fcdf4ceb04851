//! SQL of replaced pages, and of what readers are told about it.

use base::db::{Db, Tx, new_id, with_db, with_tx};
use base::error::Error;
use domain::document::Document;
use domain::ids::IssueId;

use super::search;

/// 更正: what was put right, as readers are told.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Correction {
    /// From 1; 0 for the whole issue.
    pub page: i64,
    /// The number of the article that it is about, where it is about one.
    pub article: Option<i64>,
    pub note: String,
    /// Epoch ms.
    pub created_at: i64,
}

/// Those of an issue, the newest first.
pub async fn of_issue(db: &Db, issue: &IssueId) -> Result<Vec<Correction>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select page, article, note, created_at from corrections where issue_id = $1 order by created_at desc, id"
    )
    .bind(issue.as_str())
    .fetch_all(pool)
    .await
    })?)
}

/// Tells readers of one.
pub async fn add(tx: &mut Tx, issue: &IssueId, correction: &Correction) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into corrections (id, issue_id, page, article, note, created_at) values ($1, $2, $3, $4, $5, $6)"
    )
    .bind(new_id::<IssueId>().as_str())
    .bind(issue.as_str())
    .bind(correction.page)
    .bind(correction.article)
    .bind(&correction.note)
    .bind(correction.created_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Holds the pages of an issue until the transaction ends: whoever changes one holds it before the issue, too.
pub async fn hold_pages(tx: &mut Tx, issue: &IssueId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update issue_pages set revision = revision where issue_id = $1")
        .bind(issue.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Puts pages in the place of an issue's: another edition of it. False where it was changed since the revision that was seen.
pub async fn set_document(
    tx: &mut Tx,
    (issue, revision): (&IssueId, i64),
    document: &Document,
    now: i64,
) -> Result<bool, Error> {
    let written = with_tx!(tx, |conn| sqlx::query(
        "update issues set document = $3, width = $4, height = $5, pages = $6, edition = edition + 1,
            revision = revision + 1, updated_at = $7 where id = $1 and revision = $2"
    )
    .bind(issue.as_str())
    .bind(revision)
    .bind(serde_json::to_string(document)?)
    .bind(document.trim.width)
    .bind(document.trim.height)
    .bind(i64::try_from(document.pages.len()).map_err(Error::internal)?)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(written == 1)
}

/// A page was replaced, and nobody has read it yet; it is a new one where the issue got longer.
pub async fn set_unread(tx: &mut Tx, issue: &IssueId, page: usize) -> Result<(), Error> {
    let page = i64::try_from(page).map_err(Error::internal)?;
    with_tx!(&mut *tx, |conn| sqlx::query(
        "insert into issue_pages (issue_id, page, name, links, letters) values ($1, $2, '', '[]', 0)
         on conflict (issue_id, page) do update set links = '[]', letters = 0, read_at = null, blocks = null,
            revision = issue_pages.revision + 1"
    )
    .bind(issue.as_str())
    .bind(page)
    .execute(conn)
    .await
    .map(drop))?;
    search::leave(tx, issue, page).await
}

/// The issue ends after a page: those behind it go, with their articles.
pub async fn end_after(tx: &mut Tx, issue: &IssueId, page: usize) -> Result<(), Error> {
    let page = i64::try_from(page).map_err(Error::internal)?;
    with_tx!(tx, |conn| {
        sqlx::query("delete from articles where issue_id = $1 and page > $2")
            .bind(issue.as_str())
            .bind(page)
            .execute(&mut *conn)
            .await?;
        sqlx::query("delete from page_steps where issue_id = $1 and page > $2")
            .bind(issue.as_str())
            .bind(page)
            .execute(&mut *conn)
            .await?;
        sqlx::query("delete from issue_pages where issue_id = $1 and page > $2")
            .bind(issue.as_str())
            .bind(page)
            .execute(&mut *conn)
            .await
            .map(drop)
    })?;
    Ok(())
}

/// A form of a page was filled in over a revision: it is the next one then. False where the page was changed since.
pub async fn next_of_page(
    tx: &mut Tx,
    issue: &IssueId,
    page: usize,
    revision: Option<i64>,
) -> Result<bool, Error> {
    let written = with_tx!(tx, |conn| sqlx::query(
        "update issue_pages set revision = revision + 1
         where issue_id = $1 and page = $2 and revision = coalesce(cast($3 as bigint), revision)"
    )
    .bind(issue.as_str())
    .bind(i64::try_from(page).map_err(Error::internal)?)
    .bind(revision)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(written == 1)
}
