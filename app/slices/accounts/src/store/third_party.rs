//! SQL of who members are elsewhere.

use base::db::{Db, Tx, with_db, with_tx, with_write};
use base::error::Error;
use domain::days::DAY_MS;
use domain::ids::MemberId;

use crate::third_party::Identity;

/// What a member's profile shows of one of them.
pub struct Shown {
    pub nickname: String,
    /// Epoch ms.
    pub bound_at: i64,
}

/// Notes that a login came back; false when it did before. Notes older than a day go with it.
pub async fn use_state(db: &Db, nonce: &str, now: i64) -> Result<bool, Error> {
    let inserted = with_write!(db, |pool| sqlx::query(
        "insert into used_states (nonce, used_at) values ($1, $2) on conflict (nonce) do nothing"
    )
    .bind(nonce)
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    with_write!(db, |pool| sqlx::query("delete from used_states where used_at < $1")
        .bind(now - DAY_MS)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(inserted == 1)
}

/// The member whose this is, as long as its account is open.
pub async fn member_of(
    db: &Db,
    kind: &str,
    openid: &str,
    unionid: Option<&str>,
) -> Result<Option<MemberId>, Error> {
    let member: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select t.member_id from third_party_identities t join members m on m.id = t.member_id
         where t.kind = $1 and (t.openid = $2 or t.unionid = $3) and m.closed_at is null",
    )
    .bind(kind)
    .bind(openid)
    .bind(unionid)
    .fetch_optional(pool)
    .await)?;
    member.map(|member| member.try_into().map_err(Error::internal)).transpose()
}

/// What a member has of a kind.
pub async fn of_member(db: &Db, member: &MemberId, kind: &str) -> Result<Option<Shown>, Error> {
    let row: Option<(String, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select nickname, bound_at from third_party_identities where kind = $1 and member_id = $2",
    )
    .bind(kind)
    .bind(member.as_str())
    .fetch_optional(pool)
    .await)?;
    Ok(row.map(|(nickname, bound_at)| Shown { nickname, bound_at }))
}

/// Binds one to a member; false where somebody has it, or the member has another one of the kind. The keys of the table decide between
/// those that come at once.
pub async fn bind(tx: &mut Tx, member: &MemberId, identity: &Identity, now: i64) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into third_party_identities (kind, member_id, openid, unionid, nickname, bound_at)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
    )
    .bind(&identity.kind)
    .bind(member.as_str())
    .bind(&identity.openid)
    .bind(&identity.unionid)
    .bind(&identity.nickname)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Takes away what a member has of a kind; false when that was nothing.
pub async fn unbind(tx: &mut Tx, member: &MemberId, kind: &str) -> Result<bool, Error> {
    let deleted = with_tx!(tx, |conn| sqlx::query(
        "delete from third_party_identities where kind = $1 and member_id = $2"
    )
    .bind(kind)
    .bind(member.as_str())
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(deleted == 1)
}
