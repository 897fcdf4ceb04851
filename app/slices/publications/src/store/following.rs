//! SQL of readers who want to hear of new issues.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::ids::{IssueId, MemberId, PublicationId};

/// Whether a reader follows a publication, and if so whether it wants messages.
pub async fn find(db: &Db, publication: &PublicationId, member: &MemberId) -> Result<Option<bool>, Error> {
    let row: Option<i64> = with_db!(db, |pool| sqlx::query_scalar(
        "select by_message from publication_followers where publication_id = $1 and member_id = $2"
    )
    .bind(publication.as_str())
    .bind(member.as_str())
    .fetch_optional(pool)
    .await)?;
    Ok(row.map(|by_message| by_message == 1))
}

/// Follows, or changes how.
pub async fn follow(
    tx: &mut Tx,
    publication: &PublicationId,
    member: &MemberId,
    by_message: bool,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into publication_followers (publication_id, member_id, by_message, created_at) values ($1, $2, $3, $4)
         on conflict (publication_id, member_id) do update set by_message = excluded.by_message"
    )
    .bind(publication.as_str())
    .bind(member.as_str())
    .bind(i64::from(by_message))
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Sends a reader no messages any more; false where it was sent none.
pub async fn mute(tx: &mut Tx, publication: &PublicationId, member: &MemberId) -> Result<bool, Error> {
    let muted = with_tx!(tx, |conn| sqlx::query(
        "update publication_followers set by_message = 0
         where publication_id = $1 and member_id = $2 and by_message = 1"
    )
    .bind(publication.as_str())
    .bind(member.as_str())
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(muted == 1)
}

/// Follows no more.
pub async fn leave(tx: &mut Tx, publication: &PublicationId, member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "delete from publication_followers where publication_id = $1 and member_id = $2"
    )
    .bind(publication.as_str())
    .bind(member.as_str())
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// How many of a publication's followers want messages.
pub async fn count_by_message(db: &Db, publication: &PublicationId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from publication_followers where publication_id = $1 and by_message = 1"
    )
    .bind(publication.as_str())
    .fetch_one(pool)
    .await)?)
}

/// Some of those who follow a publication, whose ids follow one, each with whether it wants messages.
pub async fn some_followers(
    db: &Db,
    publication: &PublicationId,
    after: &str,
    most: i64,
) -> Result<Vec<(MemberId, bool)>, Error> {
    let rows: Vec<(String, i64)> = with_db!(db, |pool| {
        sqlx::query_as(
        "select member_id, by_message from publication_followers where publication_id = $1 and member_id > $2
         order by member_id limit $3"
    )
    .bind(publication.as_str())
    .bind(after)
    .bind(most)
    .fetch_all(pool)
    .await
    })?;
    rows.into_iter()
        .map(|(member, by_message)| Ok((member.try_into().map_err(Error::internal)?, by_message == 1)))
        .collect()
}

/// Who followed a publication by a moment and wants messages, some of them: those whose ids follow one.
pub async fn heard_since(
    db: &Db,
    publication: &PublicationId,
    by: i64,
    after: &str,
    most: i64,
) -> Result<Vec<MemberId>, Error> {
    let ids: Vec<String> = with_db!(db, |pool| {
        sqlx::query_scalar(
            "select member_id from publication_followers
         where publication_id = $1 and by_message = 1 and created_at <= $2 and member_id > $3
         order by member_id limit $4",
        )
        .bind(publication.as_str())
        .bind(by)
        .bind(after)
        .bind(most)
        .fetch_all(pool)
        .await
    })?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// Notes that a reader is told of an issue; false where it was told before, or there is no such issue any more.
pub async fn set_told(tx: &mut Tx, issue: &IssueId, member: &MemberId, now: i64) -> Result<bool, Error> {
    let told = with_tx!(tx, |conn| {
        sqlx::query(
            "insert into issue_news (issue_id, member_id, created_at)
         select id, $2, $3 from issues where id = $1 on conflict do nothing",
        )
        .bind(issue.as_str())
        .bind(member.as_str())
        .bind(now)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(told == 1)
}

/// The publications that a reader follows, or of whose issues it was told, by their ids.
pub async fn of_reader(db: &Db, member: &MemberId) -> Result<Vec<PublicationId>, Error> {
    let ids: Vec<String> = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select publication_id from publication_followers where member_id = $1
         union select i.publication_id from issue_news n join issues i on i.id = n.issue_id where n.member_id = $1
         limit 100",
    )
    .bind(member.as_str())
    .fetch_all(pool)
    .await
    })?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}
