//! SQL of passkeys.

use base::db::{Db, Tx, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{MemberId, PasskeyId};

use crate::passkeys::Key;

/// A passkey.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Passkey {
    pub id: String,
    pub member_id: String,
    /// What its owner calls it.
    pub name: String,
    #[sqlx(flatten)]
    pub key: Key,
    /// Epoch ms.
    pub created_at: i64,
    /// Epoch ms; `None` before its first use.
    pub used_at: Option<i64>,
}

/// A member's passkeys, the newest first.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Passkey>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, member_id, credential, name, transports, public_key, state, created_at, used_at
         from passkeys where member_id = $1 order by created_at desc, id desc",
    )
    .bind(member.as_str())
    .fetch_all(pool)
    .await)?)
}

/// How many passkeys a member has.
pub async fn count(db: &Db, member: &MemberId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar("select count(*) from passkeys where member_id = $1")
        .bind(member.as_str())
        .fetch_one(pool)
        .await)?)
}

/// The passkey that a device calls so; whose it is stands in its row.
pub async fn named(db: &Db, credential: &str) -> Result<Option<Passkey>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, member_id, credential, name, transports, public_key, state, created_at, used_at
         from passkeys where credential = $1",
    )
    .bind(credential)
    .fetch_optional(pool)
    .await)?)
}

/// Adds a passkey; false when somebody has one that is called so, or the member has as many as it may.
pub async fn insert(tx: &mut Tx, new: &Passkey, most: i64) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
            "insert into passkeys (id, member_id, credential, name, transports, public_key, state, created_at)
             select $1, $2, $3, $4, $5, $6, $7, $8
             where (select count(*) from passkeys where member_id = $2) < $9
             on conflict (credential) do nothing",
        )
        .bind(&new.id)
        .bind(&new.member_id)
        .bind(&new.key.credential)
        .bind(&new.name)
        .bind(new.key.transports)
        .bind(&new.key.public_key)
        .bind(&new.key.state)
        .bind(new.created_at)
        .bind(most)
        .execute(conn)
        .await?
        .rows_affected()
    });
    Ok(inserted == 1)
}

/// Notes that a passkey was used, with its counter then; false when it was used meanwhile, or is gone.
pub async fn note_use(db: &Db, passkey: &Passkey, state: &str, now: i64) -> Result<bool, Error> {
    let noted = with_write!(db, |pool| sqlx::query(
        "update passkeys set state = $3, used_at = $4 where id = $1 and state = $2"
    )
    .bind(&passkey.id)
    .bind(&passkey.key.state)
    .bind(state)
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(noted == 1)
}

/// Takes one of a member's passkeys away and answers its name.
pub async fn remove(tx: &mut Tx, member: &MemberId, id: &PasskeyId) -> Result<Option<String>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "delete from passkeys where id = $1 and member_id = $2 returning name"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .fetch_optional(conn)
    .await)?)
}

/// Takes all of a member's passkeys away; false when there were none.
pub async fn remove_all(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let removed = with_tx!(tx, |conn| sqlx::query("delete from passkeys where member_id = $1")
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(removed > 0)
}
