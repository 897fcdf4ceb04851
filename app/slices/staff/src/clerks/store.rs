//! SQL of invitations and of what waits for a second person.

use base::db::{Db, Tx, now_ms, with_db, with_tx};
use base::error::Error;
use domain::staff::LOGIN_MS;

/// A link that lets somebody in is known by a digest.
pub async fn invite(tx: &mut Tx, staff: &str, digest: &str, ends_at: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into staff_invitations (staff_id, digest, ends_at) values ($1, $2, $3)
         on conflict (staff_id) do update set digest = excluded.digest, ends_at = excluded.ends_at"
    )
    .bind(staff)
    .bind(digest)
    .bind(ends_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Whom an invitation is for, by its id, as long as it is good.
pub async fn invited(db: &Db, digest: &str, now: i64) -> Result<Option<String>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select i.staff_id from staff_invitations i join staff s on s.id = i.staff_id
         where i.digest = $1 and i.ends_at > $2 and s.ended_at is null"
    )
    .bind(digest)
    .bind(now)
    .fetch_optional(pool)
    .await)?)
}

/// Uses an invitation up; false where it was used, is over, or another one took its place.
pub async fn use_invitation(tx: &mut Tx, digest: &str, now: i64) -> Result<bool, Error> {
    let used =
        with_tx!(tx, |conn| sqlx::query("delete from staff_invitations where digest = $1 and ends_at > $2")
            .bind(digest)
            .bind(now)
            .execute(conn)
            .await
            .map(|done| done.rows_affected()))?;
    Ok(used == 1)
}

/// Takes back the invitation of somebody.
pub async fn uninvite(tx: &mut Tx, staff: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from staff_invitations where staff_id = $1")
        .bind(staff)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// The password and the secret that somebody has shown, with the step of the code that it showed.
pub async fn set_shown(tx: &mut Tx, staff: &str, hash: &str, step: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update staff set password_hash = $2, last_step = $3 where id = $1")
        .bind(staff)
        .bind(hash)
        .bind(step)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Where somebody is signed in.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Login {
    pub device: String,
    pub address: String,
    /// Epoch ms.
    pub created_at: i64,
}

/// Where somebody is signed in now, the newest first.
pub async fn logins(tx: &mut Tx, staff: &str) -> Result<Vec<Login>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select device, address, created_at from staff_logins
         where staff_id = $1 and proven_at is not null and created_at > $2 order by created_at desc, id desc"
    )
    .bind(staff)
    .bind(now_ms() - LOGIN_MS)
    .fetch_all(conn)
    .await)?)
}

/// What is to be done to an account when somebody else agrees, as it is stored.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Row {
    pub id: String,
    pub staff_id: String,
    pub act: String,
    pub name: String,
    pub full_name: String,
    /// Codes between commas, or nothing.
    pub roles: String,
    /// Or nothing.
    pub email: String,
    pub version: i64,
}

/// Keeps it; once more is the same.
pub async fn insert(tx: &mut Tx, row: &Row) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into staff_requests (id, staff_id, act, name, full_name, roles, email, version)
             values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing",
        )
        .bind(&row.id)
        .bind(&row.staff_id)
        .bind(&row.act)
        .bind(&row.name)
        .bind(&row.full_name)
        .bind(&row.roles)
        .bind(&row.email)
        .bind(row.version)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// What was asked for under an id.
pub async fn find(db: &Db, id: &str) -> Result<Option<Row>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, staff_id, act, name, full_name, roles, email, version from staff_requests where id = $1"
    )
    .bind(id)
    .fetch_optional(pool)
    .await)?)
}

/// What nobody has decided on, the oldest first.
pub async fn open(db: &Db) -> Result<Vec<Row>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, staff_id, act, name, full_name, roles, email, version from staff_requests
         where closed_at is null order by id"
    )
    .fetch_all(pool)
    .await)?)
}

/// It was decided on.
pub async fn close(tx: &mut Tx, id: &str, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update staff_requests set closed_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
