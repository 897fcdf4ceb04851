//! SQL of what is said at places.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{PageId, ReviewCommentId, ReviewerId, WorkId};
use domain::review::Spot;

/// A comment, or an answer to one.
#[derive(Debug, Clone)]
pub struct Comment {
    pub id: ReviewCommentId,
    pub round: i64,
    /// None for the maker.
    pub reviewer: Option<ReviewerId>,
    /// The comment that it answers.
    pub answers: Option<ReviewCommentId>,
    /// In its round: from 1, 0 for the cover.
    pub page: usize,
    pub page_id: Option<PageId>,
    /// None for the page as a whole.
    pub spot: Option<Spot>,
    pub words: String,
    pub created_at: i64,
    /// When the maker said that it is mended.
    pub done_at: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    round: i64,
    reviewer_id: Option<String>,
    answers: Option<String>,
    page: i64,
    page_id: Option<String>,
    x: Option<i64>,
    y: Option<i64>,
    words: String,
    created_at: i64,
    done_at: Option<i64>,
}

impl TryFrom<Row> for Comment {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            round: row.round,
            reviewer: row.reviewer_id.map(|id| id.try_into().map_err(Error::internal)).transpose()?,
            answers: row.answers.map(|id| id.try_into().map_err(Error::internal)).transpose()?,
            page: usize::try_from(row.page).map_err(Error::internal)?,
            page_id: row.page_id.map(|id| id.try_into().map_err(Error::internal)).transpose()?,
            spot: row.x.zip(row.y).and_then(|(x, y)| Spot::new(x, y)),
            words: row.words,
            created_at: row.created_at,
            done_at: row.done_at,
        })
    }
}

const COLUMNS: &str = "id, round, reviewer_id, answers, page, page_id, x, y, words, created_at, done_at";
/// Comments of a work that are read, the newest.
const MOST_READ: i64 = 3_000;

/// What was said of a work, the oldest first.
pub async fn comments(db: &Db, work: &WorkId) -> Result<Vec<Comment>, Error> {
    let sql = sql!(
        "select {COLUMNS} from review_comments where work_id = $1 order by created_at desc, id desc limit $2"
    );
    let mut rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(work.as_str())
        .bind(MOST_READ)
        .fetch_all(pool)
        .await)?;
    rows.reverse();
    rows.into_iter().map(Comment::try_from).collect()
}

/// One of them.
pub async fn find_comment(tx: &mut Tx, id: &ReviewCommentId, work: &WorkId) -> Result<Comment, Error> {
    let sql = sql!("select {COLUMNS} from review_comments where id = $1 and work_id = $2");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(work.as_str())
        .fetch_optional(conn)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// How many one reviewer has written in a round, and all together.
pub async fn counts(
    tx: &mut Tx,
    work: &WorkId,
    round: i64,
    reviewer: Option<&ReviewerId>,
) -> Result<(i64, i64), Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select cast(coalesce(sum(case when reviewer_id = $3 then 1 else 0 end), 0) as bigint), count(*)
         from review_comments where work_id = $1 and round = $2",
    )
    .bind(work.as_str())
    .bind(round)
    .bind(reviewer.map_or("", ReviewerId::as_str))
    .fetch_one(conn)
    .await)?)
}

/// How many answers a comment has.
pub async fn answers(tx: &mut Tx, id: &ReviewCommentId, work: &WorkId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from review_comments where work_id = $1 and answers = $2"
    )
    .bind(work.as_str())
    .bind(id.as_str())
    .fetch_one(conn)
    .await)?)
}

/// Writes a comment down; the same form sent twice is one.
pub async fn insert_comment(tx: &mut Tx, work: &WorkId, comment: &Comment) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into review_comments (id, work_id, round, reviewer_id, answers, page, page_id, x, y, words, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing",
        )
        .bind(comment.id.as_str())
        .bind(work.as_str())
        .bind(comment.round)
        .bind(comment.reviewer.as_ref().map(ReviewerId::as_str))
        .bind(comment.answers.as_ref().map(ReviewCommentId::as_str))
        .bind(comment.page as i64)
        .bind(comment.page_id.as_ref().map(PageId::as_str))
        .bind(comment.spot.map(|spot| i64::from(spot.x)))
        .bind(comment.spot.map(|spot| i64::from(spot.y)))
        .bind(&comment.words)
        .bind(comment.created_at)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Takes one back.
pub async fn delete_comment(tx: &mut Tx, id: &ReviewCommentId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from review_comments where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes since when a comment is mended, or that it is not.
pub async fn set_done(tx: &mut Tx, id: &ReviewCommentId, done_at: Option<i64>) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update review_comments set done_at = $2 where id = $1")
        .bind(id.as_str())
        .bind(done_at)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
