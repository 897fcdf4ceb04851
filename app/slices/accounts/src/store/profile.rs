//! SQL of what a member says of itself, and of the list of its logins.

use base::db::{Db, Tx, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{LoginId, MemberId};

use crate::logins::{TokenEnds, over};

/// Names a member.
pub async fn set_name(db: &Db, member: &MemberId, name: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update members set name = $2 where id = $1")
        .bind(member.as_str())
        .bind(name)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes which picture a member shows, by its SHA-256, and answers which it was.
pub async fn set_avatar(
    tx: &mut Tx,
    member: &MemberId,
    sha256: Option<&str>,
) -> Result<Option<String>, Error> {
    let old: Option<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select avatar from members where id = $1")
            .bind(member.as_str())
            .fetch_one(conn)
            .await)?;
    with_tx!(tx, |conn| sqlx::query("update members set avatar = $2 where id = $1")
        .bind(member.as_str())
        .bind(sha256)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(old)
}

/// A member's code.
pub async fn member_code_of(db: &Db, member: &MemberId) -> Result<String, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar("select member_code from members where id = $1")
        .bind(member.as_str())
        .fetch_one(pool)
        .await)?)
}

/// The picture that a member shows, by its SHA-256.
pub async fn avatar_of(db: &Db, member: &MemberId) -> Result<Option<String>, Error> {
    let found: Option<Option<String>> =
        with_db!(db, |pool| sqlx::query_scalar("select avatar from members where id = $1")
            .bind(member.as_str())
            .fetch_optional(pool)
            .await)?;
    Ok(found.flatten())
}

/// How many members registered with a member's invite code.
pub async fn invited(db: &Db, member: &MemberId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar("select count(*) from members where invited_by = $1")
        .bind(member.as_str())
        .fetch_one(pool)
        .await)?)
}

/// One of a member's logins.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Login {
    pub id: String,
    /// Whether a program has it, by a token.
    pub is_program: bool,
    /// As it is stored: see `BeganBy`.
    pub began_by: String,
    pub device: String,
    pub address: String,
    /// Epoch ms.
    pub created_at: i64,
    /// Epoch ms, to the hour.
    pub seen_at: i64,
}

/// A member's logins that have not ended at `now`, the last used first.
pub async fn logins(db: &Db, member: &MemberId, now: i64) -> Result<Vec<Login>, Error> {
    let ends = TokenEnds::at(now);
    let logins = with_db!(db, |pool| sqlx::query_as(
        "select id, (token_hash is not null) as is_program, began_by, device, address, created_at,
                coalesce(last_seen_at, created_at) as seen_at
         from logins where member_id = $1 and (
             (token_hash is null and created_at >= $2)
             or (token_hash is not null and created_at > $3 and coalesce(last_seen_at, created_at) > $4))
         order by seen_at desc, id desc",
    )
    .bind(member.as_str())
    .bind(over(now))
    .bind(ends.began_before)
    .bind(ends.unused_since)
    .fetch_all(pool)
    .await)?;
    Ok(logins)
}

/// How a login began, as it is stored; `None` when it has ended.
pub async fn began_by(db: &Db, id: &LoginId) -> Result<Option<String>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar("select began_by from logins where id = $1")
        .bind(id.as_str())
        .fetch_optional(pool)
        .await)?)
}

/// Notes that a login is in use.
pub async fn see_login(db: &Db, id: &LoginId, now: i64) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update logins set last_seen_at = $2 where id = $1")
        .bind(id.as_str())
        .bind(now)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Ends all of a member's logins but one, and answers how many there were.
pub async fn end_other_logins(db: &Db, member: &MemberId, this: &LoginId) -> Result<u64, Error> {
    let ended = with_write!(db, |pool| sqlx::query("delete from logins where member_id = $1 and id <> $2")
        .bind(member.as_str())
        .bind(this.as_str())
        .execute(pool)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(ended)
}

/// Forgets a member's logins that have ended at `now`.
pub async fn forget_over(db: &Db, member: &MemberId, now: i64) -> Result<(), Error> {
    let ends = TokenEnds::at(now);
    with_write!(db, |pool| sqlx::query(
        "delete from logins where member_id = $1 and (
             (token_hash is null and created_at < $2)
             or (token_hash is not null and (created_at <= $3 or coalesce(last_seen_at, created_at) <= $4)))",
    )
    .bind(member.as_str())
    .bind(over(now))
    .bind(ends.began_before)
    .bind(ends.unused_since)
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}
