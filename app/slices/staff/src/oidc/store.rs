//! SQL of clerks' company accounts.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use openid::Identity;

/// A company account that somebody has connected.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Connected {
    /// Epoch ms.
    pub created_at: i64,
    /// Epoch ms; none before its first use.
    pub used_at: Option<i64>,
}

/// Somebody's account at a provider.
pub async fn of(db: &Db, staff: &str, issuer: &str) -> Result<Option<Connected>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select created_at, used_at from staff_identities where staff_id = $1 and issuer = $2"
    )
    .bind(staff)
    .bind(issuer)
    .fetch_optional(pool)
    .await)?)
}

/// Whose it is, by id and name, of somebody who works here, shows codes and waits for no invitation.
pub async fn whose(db: &Db, identity: &Identity) -> Result<Option<(String, String)>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select s.id, s.name from staff_identities i join staff s on s.id = i.staff_id
             where i.issuer = $1 and i.subject = $2 and s.ended_at is null and s.on_since is not null
               and not exists (select 1 from staff_invitations v where v.staff_id = s.id)",
        )
        .bind(&identity.issuer)
        .bind(&identity.subject)
        .fetch_optional(pool)
        .await
    })?)
}

/// Connects one; false where somebody has it already, or its clerk has another one there.
pub async fn connect(tx: &mut Tx, staff: &str, identity: &Identity, now: i64) -> Result<bool, Error> {
    let connected = with_tx!(tx, |conn| sqlx::query(
        "insert into staff_identities (staff_id, issuer, subject, created_at) values ($1, $2, $3, $4)
         on conflict do nothing"
    )
    .bind(staff)
    .bind(&identity.issuer)
    .bind(&identity.subject)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(connected == 1)
}

/// Whose it is by id, whatever has become of that one.
pub async fn owner(tx: &mut Tx, identity: &Identity) -> Result<Option<String>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select staff_id from staff_identities where issuer = $1 and subject = $2"
    )
    .bind(&identity.issuer)
    .bind(&identity.subject)
    .fetch_optional(conn)
    .await)?)
}

/// Notes that one was used; false where it was disconnected meanwhile.
pub async fn note_use(tx: &mut Tx, staff: &str, identity: &Identity, now: i64) -> Result<bool, Error> {
    let noted = with_tx!(tx, |conn| sqlx::query(
        "update staff_identities set used_at = $4 where staff_id = $1 and issuer = $2 and subject = $3"
    )
    .bind(staff)
    .bind(&identity.issuer)
    .bind(&identity.subject)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(noted == 1)
}

/// Disconnects somebody's account at a provider; false where there was none.
pub async fn disconnect(tx: &mut Tx, staff: &str, issuer: &str) -> Result<bool, Error> {
    let gone =
        with_tx!(tx, |conn| sqlx::query("delete from staff_identities where staff_id = $1 and issuer = $2")
            .bind(staff)
            .bind(issuer)
            .execute(conn)
            .await
            .map(|done| done.rows_affected()))?;
    Ok(gone == 1)
}
