//! SQL of weixin identities.

use domain::ids::MemberId;

use crate::weixin::Identity;
use platform::db::{Db, with_db, with_write};
use platform::error::Error;

/// What a member's profile shows of its weixin.
pub struct Shown {
    pub nickname: String,
    /// Epoch ms.
    pub bound_at: i64,
}

/// What became of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// Bound, now or before.
    Bound,
    /// The weixin is another member's.
    Taken,
    /// The member has another weixin.
    HasAnother,
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
        .bind(now - 24 * 60 * 60_000)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(inserted == 1)
}

/// The member whose weixin this is.
pub async fn member_of(db: &Db, openid: &str, unionid: Option<&str>) -> Result<Option<MemberId>, Error> {
    let member: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select member_id from third_party_identities
         where kind = 'weixin' and (openid = $1 or unionid = $2)",
    )
    .bind(openid)
    .bind(unionid)
    .fetch_optional(pool)
    .await)?;
    member.map(|member| member.try_into().map_err(Error::internal)).transpose()
}

/// A member's weixin.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Option<Shown>, Error> {
    let row: Option<(String, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select nickname, bound_at from third_party_identities where kind = 'weixin' and member_id = $1",
    )
    .bind(member.as_str())
    .fetch_optional(pool)
    .await)?;
    Ok(row.map(|(nickname, bound_at)| Shown { nickname, bound_at }))
}

/// Binds a weixin to a member. The keys of the table decide between bindings that come at once.
pub async fn bind(db: &Db, member: &MemberId, identity: &Identity, now: i64) -> Result<Binding, Error> {
    let unionid = identity.unionid.as_deref();
    let inserted = with_write!(db, |pool| sqlx::query(
        "insert into third_party_identities (kind, member_id, openid, unionid, nickname, bound_at)
         values ('weixin', $1, $2, $3, $4, $5) on conflict do nothing",
    )
    .bind(member.as_str())
    .bind(&identity.openid)
    .bind(unionid)
    .bind(&identity.nickname)
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    if inserted == 1 {
        return Ok(Binding::Bound);
    }
    Ok(match member_of(db, &identity.openid, unionid).await? {
        Some(owner) if owner == *member => Binding::Bound,
        Some(_) => Binding::Taken,
        None => Binding::HasAnother,
    })
}

/// Takes a member's weixin away; false when it had none.
pub async fn unbind(db: &Db, member: &MemberId) -> Result<bool, Error> {
    let deleted = with_write!(db, |pool| sqlx::query(
        "delete from third_party_identities where kind = 'weixin' and member_id = $1"
    )
    .bind(member.as_str())
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(deleted == 1)
}
