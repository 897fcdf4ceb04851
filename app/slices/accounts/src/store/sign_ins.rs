//! SQL of the log of sign-ins.

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::MemberId;

/// A row of the log, as it is stored.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct SignIn {
    pub id: String,
    /// Epoch ms.
    pub at: i64,
    pub way: String,
    pub outcome: String,
    pub device: String,
    pub address: String,
    /// How often within the hour.
    pub times: i64,
}

/// Notes a sign-in or a try. One that adds up and is like one of the last hour, since `alike_since`, only counts up
/// there, so that somebody who guesses does not push everything else out; of several at once each sees the one before.
pub async fn insert(
    tx: &mut Tx,
    member: &MemberId,
    new: &SignIn,
    adds_up: bool,
    alike_since: i64,
) -> Result<(), Error> {
    let alike = if !adds_up {
        0
    } else {
        super::hold(tx, member).await?;
        with_tx!(tx, |conn| sqlx::query(
            "update sign_ins set at = $6, times = times + 1, device = $7
             where id = (select id from sign_ins
                         where member_id = $1 and way = $2 and outcome = $3 and address = $4 and at > $5
                         order by at desc limit 1)",
        )
        .bind(member.as_str())
        .bind(&new.way)
        .bind(&new.outcome)
        .bind(&new.address)
        .bind(alike_since)
        .bind(new.at)
        .bind(&new.device)
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?
    };
    if alike > 0 {
        return Ok(());
    }
    with_tx!(tx, |conn| sqlx::query(
        "insert into sign_ins (id, member_id, at, way, outcome, device, address, times)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&new.id)
    .bind(member.as_str())
    .bind(new.at)
    .bind(&new.way)
    .bind(&new.outcome)
    .bind(&new.device)
    .bind(&new.address)
    .bind(new.times)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Keeps the newest of a member's successes, and as many of what failed.
pub async fn trim(tx: &mut Tx, member: &MemberId, most: i64) -> Result<(), Error> {
    for sql in [
        sql!(
            "delete from sign_ins where member_id = $1 and outcome = 'succeeded' and id not in (
                 select id from sign_ins where member_id = $1 and outcome = 'succeeded'
                 order by at desc, id desc limit $2)"
        ),
        sql!(
            "delete from sign_ins where member_id = $1 and outcome <> 'succeeded' and id not in (
                 select id from sign_ins where member_id = $1 and outcome <> 'succeeded'
                 order by at desc, id desc limit $2)"
        ),
    ] {
        with_tx!(tx, |conn| sqlx::query(sql.text())
            .bind(member.as_str())
            .bind(most)
            .execute(conn)
            .await
            .map(drop))?;
    }
    Ok(())
}

/// Takes one of a member's rows away.
pub async fn remove(db: &Db, member: &MemberId, id: &str) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("delete from sign_ins where id = $1 and member_id = $2")
        .bind(id)
        .bind(member.as_str())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// A member's sign-ins and tries since a moment, the newest first.
pub async fn of_member(db: &Db, member: &MemberId, since: i64) -> Result<Vec<SignIn>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, at, way, outcome, device, address, times from sign_ins
         where member_id = $1 and at > $2 order by at desc, id desc",
    )
    .bind(member.as_str())
    .bind(since)
    .fetch_all(pool)
    .await)?)
}

/// Forgets what is older than a moment.
pub async fn forget(db: &Db, before: i64) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("delete from sign_ins where at <= $1")
        .bind(before)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}
