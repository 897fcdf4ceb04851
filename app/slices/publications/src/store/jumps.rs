//! SQL of articles that go on on another page: 下转 and 上接.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::ids::{ArticleId, IssueId};

/// Page, headline and text of articles in whose text something may lead on, and that go on with none that is there.
pub async fn marked(db: &Db, issue: &IssueId) -> Result<Vec<(i64, String, String)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select page, title, text from articles
         where issue_id = $1 and text like '%转%版%' and not exists (
             select 1 from articles other where other.id = articles.goes_on and other.issue_id = $1)
         order by page, position, number"
    )
    .bind(issue.as_str())
    .fetch_all(pool)
    .await)?)
}

/// The articles that go on with one.
pub async fn leading_to(tx: &mut Tx, issue: &IssueId, article: &ArticleId) -> Result<Vec<ArticleId>, Error> {
    let ids: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select id from articles where goes_on = $2 and issue_id = $1 order by id"
    )
    .bind(issue.as_str())
    .bind(article.as_str())
    .fetch_all(conn)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// An article that goes on with one goes on with another one.
pub async fn turn(
    tx: &mut Tx,
    issue: &IssueId,
    (article, from): (&ArticleId, &ArticleId),
    to: &ArticleId,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update articles set goes_on = $4 where issue_id = $1 and id = $2 and goes_on = $3"
    )
    .bind(issue.as_str())
    .bind(article.as_str())
    .bind(from.as_str())
    .bind(to.as_str())
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// An article goes on with one of another page, or with none; false where there is no such one, or where the way leads back to it.
pub async fn set(
    tx: &mut Tx,
    issue: &IssueId,
    article: &ArticleId,
    next: Option<&str>,
    now: i64,
) -> Result<bool, Error> {
    let written = with_tx!(tx, |conn| sqlx::query(
        "update articles set goes_on = cast($3 as text), updated_at = $4 where issue_id = $1 and id = $2
           and (cast($3 as text) is null or exists (select 1 from articles other where other.id = $3
             and other.issue_id = $1 and other.page <> articles.page))
           and not exists (
             with recursive way (id) as (
               select other.id from articles other where other.id = $3 and other.issue_id = $1
               union select next.goes_on from way join articles next on next.id = way.id
                 where next.issue_id = $1 and next.goes_on is not null)
             select 1 from way where way.id = $2)"
    )
    .bind(issue.as_str())
    .bind(article.as_str())
    .bind(next)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(written == 1)
}
