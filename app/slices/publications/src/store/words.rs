//! SQL of the words on the pages of issues.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::ids::IssueId;

use super::issues::Issue;
use super::search;

/// The blocks of a page, as JSON; none where nobody has read them off what it shows now.
pub async fn find(db: &Db, issue: &Issue, page: i64) -> Result<Option<String>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select blocks from issue_words where issue_id = $1 and page = $2 and edition = $3"
    )
    .bind(issue.id.as_str())
    .bind(page)
    .bind(issue.edition)
    .fetch_optional(pool)
    .await)?)
}

/// The pages that have been read.
pub async fn read(db: &Db, issue: &Issue) -> Result<Vec<i64>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select page from issue_words where issue_id = $1 and edition = $2"
    )
    .bind(issue.id.as_str())
    .bind(issue.edition)
    .fetch_all(pool)
    .await)?)
}

/// Pages with their blocks, of those up to one that hold a folded text.
pub async fn pages_with(db: &Db, issue: &Issue, text: &str, last: i64) -> Result<Vec<(i64, String)>, Error> {
    let pattern = format!("%{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select page, blocks from issue_words where issue_id = $1 and edition = $2 and page <= $4
               and words like $3 escape '\\' order by page",
        )
        .bind(issue.id.as_str())
        .bind(issue.edition)
        .bind(pattern)
        .bind(last)
        .fetch_all(pool)
        .await
    })?)
}

/// Keeps the words of a page.
pub async fn keep(tx: &mut Tx, issue: &Issue, page: i64, (words, blocks): (&str, &str)) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| {
        sqlx::query(
            "insert into issue_words (issue_id, page, edition, words, blocks)
         select id, $2, $3, $4, $5 from issues where id = $1
         on conflict (issue_id, page) do update set edition = excluded.edition, words = excluded.words,
            blocks = excluded.blocks
         where issue_words.edition <= excluded.edition",
        )
        .bind(issue.id.as_str())
        .bind(page)
        .bind(issue.edition)
        .bind(words)
        .bind(blocks)
        .execute(conn)
        .await
        .map(drop)
    })?;
    search::leave(tx, &issue.id, page).await
}

/// An article as it is searched.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Text {
    pub number: i64,
    /// From 1.
    pub page: i64,
    pub title: String,
    pub kicker: String,
    pub subtitle: String,
    pub author: String,
    pub text: String,
}

/// The articles of an issue that readers see, on its pages up to one.
pub async fn articles(db: &Db, issue: &IssueId, last: i64) -> Result<Vec<Text>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select number, page, title, kicker, subtitle, author, text from articles
             where issue_id = $1 and is_proposed = 0 and page <= $2 order by page, position, number",
        )
        .bind(issue.as_str())
        .bind(last)
        .fetch_all(pool)
        .await
    })?)
}
