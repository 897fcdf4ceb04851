//! SQL of articles that somebody lets others read by a link.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{IssueId, MemberId, PublicationId};

/// An article that somebody lets others read.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Given {
    pub id: String,
    pub publication_id: String,
    pub issue_id: String,
    pub number: i64,
    pub member_id: String,
    /// `2026-11`.
    pub month: String,
    pub created_at: i64,
    pub expires_at: i64,
}

const COLUMNS: &str = "id, publication_id, issue_id, number, member_id, month, created_at, expires_at";

/// Writes a new one.
pub async fn insert(tx: &mut Tx, given: &Given) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into given_articles (id, publication_id, issue_id, number, member_id, month, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&given.id)
    .bind(&given.publication_id)
    .bind(&given.issue_id)
    .bind(given.number)
    .bind(&given.member_id)
    .bind(&given.month)
    .bind(given.created_at)
    .bind(given.expires_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// One whose link opens something now.
pub async fn find(db: &Db, id: &str, now: i64) -> Result<Option<Given>, Error> {
    let sql = sql!(
        "select {COLUMNS} from given_articles where id = $1 and expires_at > $2
             and (select m.closed_at from members m where m.id = given_articles.member_id) is null"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id).bind(now).fetch_optional(pool).await)?)
}

/// A member's own of an article, whose link opens it now, the newest.
pub async fn own(
    db: &Db,
    member: &MemberId,
    issue: &IssueId,
    number: i64,
    now: i64,
) -> Result<Option<Given>, Error> {
    let sql = sql!(
        "select {COLUMNS} from given_articles where member_id = $1 and issue_id = $2 and number = $3 and expires_at > $4
         order by expires_at desc limit 1"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(issue.as_str())
        .bind(number)
        .bind(now)
        .fetch_optional(pool)
        .await)?)
}

/// How many articles of a title a member has given in a month.
pub async fn count(
    db: &Db,
    member: &MemberId,
    publication: &PublicationId,
    month: &str,
) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from given_articles where member_id = $1 and publication_id = $2 and month = $3"
    )
    .bind(member.as_str())
    .bind(publication.as_str())
    .bind(month)
    .fetch_one(pool)
    .await)?)
}

/// The same within a transaction that holds the member.
pub async fn count_within(
    tx: &mut Tx,
    member: &MemberId,
    publication: &PublicationId,
    month: &str,
) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from given_articles where member_id = $1 and publication_id = $2 and month = $3"
    )
    .bind(member.as_str())
    .bind(publication.as_str())
    .bind(month)
    .fetch_one(conn)
    .await)?)
}

/// What a member gave of an article in a month.
pub async fn of_month(
    tx: &mut Tx,
    member: &MemberId,
    issue: &IssueId,
    number: i64,
    month: &str,
) -> Result<Option<Given>, Error> {
    let sql = sql!(
        "select {COLUMNS} from given_articles where member_id = $1 and issue_id = $2 and number = $3 and month = $4"
    );
    Ok(with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(issue.as_str())
        .bind(number)
        .bind(month)
        .fetch_optional(conn)
        .await)?)
}

/// Lets a link open its article until a later moment.
pub async fn renew(tx: &mut Tx, id: &str, until: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update given_articles set expires_at = $2 where id = $1")
        .bind(id)
        .bind(until)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Forgets those of a title that count for no month any more.
pub async fn forget_over(tx: &mut Tx, publication: &PublicationId, before: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "delete from given_articles where publication_id = $1 and expires_at < $2"
    )
    .bind(publication.as_str())
    .bind(before)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}
