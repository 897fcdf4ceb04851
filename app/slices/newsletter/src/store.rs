//! SQL of readers' addresses and of titles that are mailed.

pub mod letters;

use base::db::{Db, Tx, new_id, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use domain::ids::{FollowerId, PublicationId};
use domain::newsletter::{ASKED_IN_AN_HOUR, CONFIRMED_WITHIN_MS};

const HOUR_MS: i64 = 60 * 60_000;

/// A reader's address for a title.
#[derive(Debug, sqlx::FromRow)]
pub struct Follower {
    pub id: String,
    pub publication_id: String,
    pub address: String,
    pub asked_at: i64,
    pub confirmed_at: Option<i64>,
}

/// The row of an address for a title, new where there was none. Held until the transaction ends.
pub async fn ask(tx: &mut Tx, title: &PublicationId, address: &str) -> Result<Follower, Error> {
    let id: String = new_id();
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "insert into mail_followers (id, publication_id, address, asked_at) values ($1, $2, $3, 0)
         on conflict (publication_id, address) do update set asked_at = mail_followers.asked_at
         returning id, publication_id, address, asked_at, confirmed_at"
    )
    .bind(id)
    .bind(title.as_str())
    .bind(address)
    .fetch_one(conn)
    .await)?)
}

/// Whether a title may have more addresses asked now: many that nobody confirms are somebody who writes to strangers in its name.
pub async fn may_ask(db: &Db, title: &PublicationId, now: i64) -> Result<bool, Error> {
    let asked: i64 = with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from mail_followers
         where publication_id = $1 and confirmed_at is null and asked_at > $2"
    )
    .bind(title.as_str())
    .bind(now - HOUR_MS)
    .fetch_one(pool)
    .await)?;
    Ok(asked < ASKED_IN_AN_HOUR)
}

/// Notes that a message asks for its confirmation.
pub async fn set_asked(tx: &mut Tx, id: &str, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update mail_followers set asked_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// An address by its row; one whose link is over is none.
pub async fn find(db: &Db, id: &FollowerId, now: i64) -> Result<Option<Follower>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, publication_id, address, asked_at, confirmed_at from mail_followers
         where id = $1 and (confirmed_at is not null or asked_at > $2)"
    )
    .bind(id.as_str())
    .bind(now - CONFIRMED_WITHIN_MS)
    .fetch_optional(pool)
    .await)?)
}

/// Who has a title's letters at an address without an account.
pub async fn at_address(db: &Db, title: &PublicationId, address: &str) -> Result<Option<FollowerId>, Error> {
    let found: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select id from mail_followers where publication_id = $1 and address = $2"
    )
    .bind(title.as_str())
    .bind(address)
    .fetch_optional(pool)
    .await)?;
    found.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// Confirms an address; pressed twice it stays as it is. False where the link is over.
pub async fn confirm(tx: &mut Tx, id: &FollowerId, now: i64) -> Result<bool, Error> {
    let confirmed = with_tx!(tx, |conn| sqlx::query(
        "update mail_followers set confirmed_at = coalesce(confirmed_at, $2)
         where id = $1 and (confirmed_at is not null or asked_at > $3)"
    )
    .bind(id.as_str())
    .bind(now)
    .bind(now - CONFIRMED_WITHIN_MS)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(confirmed == 1)
}

/// Forgets an address; false where it was forgotten before.
pub async fn remove(tx: &mut Tx, id: &FollowerId) -> Result<bool, Error> {
    let removed = with_tx!(tx, |conn| sqlx::query("delete from mail_followers where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(removed == 1)
}

/// Addresses of a title that were confirmed by a moment, some of them: those whose ids follow one.
pub async fn confirmed(
    db: &Db,
    title: &PublicationId,
    by: i64,
    after: &str,
    most: i64,
) -> Result<Vec<(String, String)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, address from mail_followers
         where publication_id = $1 and confirmed_at <= $4 and id > $2 order by id limit $3"
    )
    .bind(title.as_str())
    .bind(after)
    .bind(most)
    .bind(by)
    .fetch_all(pool)
    .await)?)
}

/// How many there are.
pub async fn count(db: &Db, title: &PublicationId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from mail_followers where publication_id = $1 and confirmed_at is not null"
    )
    .bind(title.as_str())
    .fetch_one(pool)
    .await)?)
}

/// Forgets addresses that nobody confirmed in time, hosts that are handed nothing, and letters whose time is over.
pub async fn forget_over(db: &Db, now: i64) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    with_tx!(&mut tx, |conn| {
        sqlx::query("delete from mail_followers where confirmed_at is null and asked_at <= $1")
            .bind(now - CONFIRMED_WITHIN_MS)
            .execute(&mut *conn)
            .await?;
        sqlx::query(
            "delete from letter_hosts where minute < $1 and not exists (
                select 1 from issue_letters l where l.host = letter_hosts.host and l.state = 'waiting')",
        )
        .bind(letters::minute_of(now))
        .execute(conn)
        .await
        .map(drop)?;
    });
    tx.commit().await?;
    letters::expire(db, now).await
}

/// What a title's maker sees of its letters.
#[derive(Debug, Default, sqlx::FromRow)]
pub struct Mailed {
    /// 1 where no letters leave.
    pub is_off: i64,
    pub sent: i64,
    pub bounced: i64,
    pub ended: i64,
}

/// That of a title.
pub async fn mailed(db: &Db, title: &PublicationId) -> Result<Mailed, Error> {
    let row: Option<Mailed> = with_db!(db, |pool| sqlx::query_as(
        "select is_off, sent, bounced, ended from mailed_titles where publication_id = $1"
    )
    .bind(title.as_str())
    .fetch_optional(pool)
    .await)?;
    Ok(row.unwrap_or_default())
}

/// Has letters leave, or none.
pub async fn switch(tx: &mut Tx, title: &PublicationId, is_off: bool) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into mailed_titles (publication_id, is_off, sent, bounced, ended) values ($1, $2, 0, 0, 0)
         on conflict (publication_id) do update set is_off = excluded.is_off"
    )
    .bind(title.as_str())
    .bind(i64::from(is_off))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Adds to a title's numbers: letters that were sent, that came back, readers who ended it.
pub async fn add(tx: &mut Tx, title: &PublicationId, [sent, bounced, ended]: [i64; 3]) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into mailed_titles (publication_id, is_off, sent, bounced, ended) values ($1, 0, $2, $3, $4)
         on conflict (publication_id) do update set sent = mailed_titles.sent + excluded.sent,
            bounced = mailed_titles.bounced + excluded.bounced, ended = mailed_titles.ended + excluded.ended"
    )
    .bind(title.as_str())
    .bind(sent)
    .bind(bounced)
    .bind(ended)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Forgets some of who has letters of these titles, and of the letters; whether there may be more.
pub async fn forget_some(tx: &mut Tx, titles: &[PublicationId]) -> Result<bool, Error> {
    let titles: Vec<String> = titles.iter().map(ToString::to_string).collect();
    let parts = [
        (
            sql!(
                "delete from issue_letters where (issue_id, reader) in (
                     select issue_id, reader from issue_letters where publication_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from mail_followers
                 where id in (select id from mail_followers where publication_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from mailed_titles where publication_id in (
                     select publication_id from mailed_titles where publication_id in ([?]) limit $1)"
            ),
            1,
        ),
    ];
    forgetting::some_of(tx, &parts, &titles).await
}
