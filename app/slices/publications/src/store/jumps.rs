//! SQL of articles that go on on another page: 下转 and 上接.

use domain::ids::{ArticleId, IssueId};

use platform::db::{Db, Tx, with_db, with_tx};
use platform::error::Error;

/// An article that another one goes on with, or that goes on with it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Joined {
    pub page: i64,
    pub number: i64,
    pub title: String,
}

/// The part before an article of an issue and the part behind it, by its number, as readers see them.
pub async fn of_article(
    db: &Db,
    issue: &IssueId,
    number: i64,
) -> Result<(Option<Joined>, Option<Joined>), Error> {
    let before = with_db!(db, |pool| sqlx::query_as(
        "select other.page, other.number, other.title from articles a
         join articles other on other.goes_on = a.id and other.issue_id = a.issue_id
         where a.issue_id = $1 and a.number = $2 and other.is_proposed = 0 order by other.number limit 1"
    )
    .bind(issue.as_str())
    .bind(number)
    .fetch_optional(pool)
    .await)?;
    let behind = with_db!(db, |pool| sqlx::query_as(
        "select other.page, other.number, other.title from articles a
         join articles other on other.id = a.goes_on and other.issue_id = a.issue_id
         where a.issue_id = $1 and a.number = $2 and other.is_proposed = 0"
    )
    .bind(issue.as_str())
    .bind(number)
    .fetch_optional(pool)
    .await)?;
    Ok((before, behind))
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
