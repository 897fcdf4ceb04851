//! SQL of clerks' passkeys.

use accounts::webauthn::Key;
use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;

/// A clerk's passkey.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Passkey {
    pub id: String,
    pub staff_id: String,
    /// What its owner calls it.
    pub name: String,
    #[sqlx(flatten)]
    pub key: Key,
    /// Epoch ms.
    pub created_at: i64,
    /// Epoch ms; none before its first use.
    pub used_at: Option<i64>,
}

/// Somebody's passkeys, the newest first.
pub async fn of(db: &Db, staff: &str) -> Result<Vec<Passkey>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, staff_id, credential, name, transports, public_key, state, created_at, used_at
         from staff_passkeys where staff_id = $1 order by created_at desc, id desc",
    )
    .bind(staff)
    .fetch_all(pool)
    .await)?)
}

/// The passkey that a device calls so, of somebody who works here, shows codes and waits for no invitation.
pub async fn named(db: &Db, credential: &str) -> Result<Option<Passkey>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select p.id, p.staff_id, p.credential, p.name, p.transports, p.public_key, p.state, p.created_at, p.used_at
         from staff_passkeys p join staff s on s.id = p.staff_id
         where p.credential = $1 and s.ended_at is null and s.on_since is not null
           and not exists (select 1 from staff_invitations i where i.staff_id = s.id)",
    )
    .bind(credential)
    .fetch_optional(pool)
    .await
    })?)
}

/// Adds one; false where a device has it already, or its owner has as many as it may.
pub async fn insert(tx: &mut Tx, new: &Passkey, most: i64) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
            "insert into staff_passkeys (id, staff_id, credential, name, transports, public_key, state, created_at)
             select $1, $2, $3, $4, $5, $6, $7, $8
             where (select count(*) from staff_passkeys where staff_id = $2) < $9
             on conflict (credential) do nothing",
        )
        .bind(&new.id)
        .bind(&new.staff_id)
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

/// Notes that one was used, with its counter then; false where it was used meanwhile, or is gone.
pub async fn note_use(tx: &mut Tx, passkey: &Passkey, state: &str, now: i64) -> Result<bool, Error> {
    let noted = with_tx!(tx, |conn| sqlx::query(
        "update staff_passkeys set state = $3, used_at = $4 where id = $1 and state = $2"
    )
    .bind(&passkey.id)
    .bind(&passkey.key.state)
    .bind(state)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(noted == 1)
}

/// Takes one of somebody's away and answers its name.
pub async fn remove(tx: &mut Tx, staff: &str, id: &str) -> Result<Option<String>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "delete from staff_passkeys where id = $1 and staff_id = $2 returning name"
    )
    .bind(id)
    .bind(staff)
    .fetch_optional(conn)
    .await)?)
}
