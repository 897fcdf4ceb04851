//! SQL of uploads by who sends them.

use base::db::{Tx, with_tx};
use base::error::Error;

use super::Sender;

/// What is under way.
#[derive(Debug, Clone, Copy, Default, sqlx::FromRow)]
pub struct Open {
    /// Uploads to the same place, and of the same sender.
    pub everybodys: i64,
    pub own: i64,
    /// Those of them that have a place of their own.
    pub everybodys_counted: i64,
    pub own_counted: i64,
}

/// How many uploads of a member's own have not ended.
pub async fn count_own(tx: &mut Tx, sender: &Sender) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from uploads where member_id = $1 and state = 'open' and sender = ''"
    )
    .bind(sender.member.as_str())
    .fetch_one(conn)
    .await)?)
}

/// Counts the uploads to where a sender sends that have not ended.
pub async fn open_to(tx: &mut Tx, to: &str, sender: &str) -> Result<Open, Error> {
    Ok(with_tx!(tx, |conn| {
        sqlx::query_as(
            "select count(*) as everybodys,
                    cast(coalesce(sum(case when sender = $2 then 1 else 0 end), 0) as bigint) as own,
                    cast(coalesce(sum(counts), 0) as bigint) as everybodys_counted,
                    cast(coalesce(sum(case when sender = $2 then counts else 0 end), 0) as bigint) as own_counted
             from uploads where sent_to = $1 and state = 'open'",
        )
        .bind(to)
        .bind(sender)
        .fetch_one(conn)
        .await
    })?)
}

/// Notes that something stands for a sender's uploads of a file that has the place in their stead.
pub async fn set_counted_elsewhere(tx: &mut Tx, sender: &Sender, sha256: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update uploads set counts = 0 where sent_to = $1 and sender = $2 and sha256 = $3 and state = 'open'"
    )
    .bind(&sender.to)
    .bind(&sender.name)
    .bind(sha256)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Ends a sender's uploads of a file to which no request adds at this moment: `i64::MAX` is any. What has come of them is deleted
/// within the hour. One that is whole stays: its photo is being made.
pub async fn end_of_file(tx: &mut Tx, sender: &Sender, sha256: &str, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "update uploads set state = 'ended'
             where sent_to = $1 and sender = $2 and sha256 = $3 and state = 'open' and busy_until <= $4
               and received < length",
        )
        .bind(&sender.to)
        .bind(&sender.name)
        .bind(sha256)
        .bind(now)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Ends all uploads to a place; what has come of them is deleted within the hour.
pub async fn end_to(tx: &mut Tx, to: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update uploads set state = 'ended' where sent_to = $1 and state = 'open'"
    )
    .bind(to)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}
