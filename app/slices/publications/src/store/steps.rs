//! SQL of what was read of pages, and of steps that can be undone.

use base::db::{self, Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::ids::{ArticleId, IssueId};
use domain::makeup::Block;
use serde::{Deserialize, Serialize};

use super::articles::{self, Article};
use super::jumps;

/// Steps of a page that can be undone.
const MOST_STEPS: i64 = 50;

/// An article as it was before a step.
#[derive(Debug, Serialize, Deserialize)]
struct Before {
    #[serde(flatten)]
    article: Article,
    /// 上接: articles of other pages that went on with it.
    #[serde(default)]
    led_by: Vec<ArticleId>,
}

/// The blocks of a page; none where it was not read since blocks are kept.
pub async fn blocks(db: &Db, issue: &IssueId, page: usize) -> Result<Vec<Block>, Error> {
    let page = i64::try_from(page).map_err(Error::internal)?;
    let text: Option<Option<String>> = with_db!(db, |pool| sqlx::query_scalar(
        "select blocks from issue_pages where issue_id = $1 and page = $2"
    )
    .bind(issue.as_str())
    .bind(page)
    .fetch_optional(pool)
    .await)?;
    Ok(match text.flatten() {
        Some(text) => db::json("blocks", &text)?,
        None => Vec::new(),
    })
}

/// Keeps what was read of a page.
pub async fn set_blocks(tx: &mut Tx, issue: &IssueId, page: usize, blocks: &[Block]) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update issue_pages set blocks = $3 where issue_id = $1 and page = $2")
        .bind(issue.as_str())
        .bind(i64::try_from(page).map_err(Error::internal)?)
        .bind(serde_json::to_string(blocks)?)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Whether there is a step to be undone.
pub async fn is_any(db: &Db, issue: &IssueId, page: usize) -> Result<bool, Error> {
    let page = i64::try_from(page).map_err(Error::internal)?;
    let one: Option<i64> = with_db!(db, |pool| sqlx::query_scalar(
        "select revision from page_steps where issue_id = $1 and page = $2 limit 1"
    )
    .bind(issue.as_str())
    .bind(page)
    .fetch_optional(pool)
    .await)?;
    Ok(one.is_some())
}

/// Keeps how the articles of a page were before the step that makes its revision, and what led to them; the oldest steps are forgotten.
pub async fn keep(tx: &mut Tx, issue: &IssueId, page: usize, articles: &[Article]) -> Result<(), Error> {
    let page = i64::try_from(page).map_err(Error::internal)?;
    let mut before = Vec::new();
    for article in articles {
        let led_by = jumps::leading_to(tx, issue, &article.id).await?;
        before.push(Before { article: article.clone(), led_by });
    }
    let text = serde_json::to_string(&before)?;
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into page_steps (issue_id, page, revision, articles)
             select issue_id, page, revision, $3 from issue_pages where issue_id = $1 and page = $2",
        )
        .bind(issue.as_str())
        .bind(page)
        .bind(text)
        .execute(&mut *conn)
        .await?;
        sqlx::query(
            "delete from page_steps where issue_id = $1 and page = $2 and revision <=
                (select revision - $3 from issue_pages where issue_id = $1 and page = $2)",
        )
        .bind(issue.as_str())
        .bind(page)
        .bind(MOST_STEPS)
        .execute(&mut *conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Steps before which the page was another one can't be undone: it was read again, or an article was written by hand.
pub async fn forget(tx: &mut Tx, issue: &IssueId, page: usize) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from page_steps where issue_id = $1 and page = $2")
        .bind(issue.as_str())
        .bind(i64::try_from(page).map_err(Error::internal)?)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Undoes the last step of a page. The inner error says why that can't be done.
pub async fn undo(
    tx: &mut Tx,
    issue: &IssueId,
    page: usize,
    now: i64,
) -> Result<Result<(), &'static str>, Error> {
    let number = i64::try_from(page).map_err(Error::internal)?;
    let last: Option<(i64, String)> = with_tx!(tx, |conn| {
        sqlx::query_as(
        "select revision, articles from page_steps where issue_id = $1 and page = $2 order by revision desc limit 1"
    )
    .bind(issue.as_str())
    .bind(number)
    .fetch_optional(conn)
    .await
    })?;
    let Some((revision, text)) = last else { return Ok(Err("没有可以撤销的了")) };
    let before: Vec<Before> = db::json("articles", &text)?;
    let now_there = articles::of_page(tx, issue, page).await?;
    let is_left = |id: &ArticleId| before.iter().any(|before| before.article.id == *id);
    if now_there.iter().any(|known| !is_left(&known.id) && known.sound.is_some()) {
        return Ok(Err("这篇稿件有朗读，请先去掉朗读"));
    }
    for known in now_there.iter().filter(|known| !is_left(&known.id)) {
        articles::remove(tx, issue, &known.id).await?;
    }
    for Before { article, .. } in &before {
        let known = now_there.iter().find(|known| known.id == article.id);
        // where it goes on other pages may have changed since
        let goes_on = known.and_then(|known| known.goes_on.clone());
        articles::keep(tx, issue, &Article { page, updated_at: now, goes_on, ..article.clone() }).await?;
    }
    for Before { article, led_by } in &before {
        let known = now_there.iter().find(|known| known.id == article.id);
        if known.and_then(|known| known.goes_on.as_ref()) != article.goes_on.as_ref() {
            // what is gone meanwhile, or leads back by now, stays as it is
            let next = article.goes_on.as_ref().map(ArticleId::as_str);
            jumps::set(tx, issue, &article.id, next, now).await?;
        }
        if known.is_some() {
            continue;
        }
        // it is back, and what led to it leads to it again
        for other in led_by {
            for from in &now_there {
                jumps::turn(tx, issue, (other, &from.id), &article.id).await?;
            }
        }
    }
    with_tx!(tx, |conn| sqlx::query(
        "delete from page_steps where issue_id = $1 and page = $2 and revision = $3"
    )
    .bind(issue.as_str())
    .bind(number)
    .bind(revision)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(Ok(()))
}
