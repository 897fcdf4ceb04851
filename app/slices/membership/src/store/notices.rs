//! SQL of what members were told of their tiers' ends.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::ids::MemberId;

/// Notes that a member is told of an end so many days before; false when it was told before.
pub async fn set_told(
    tx: &mut Tx,
    member: &MemberId,
    ends_at: i64,
    days: i64,
    now: i64,
) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into membership_notices (member_id, ends_at, days, told_at) values ($1, $2, $3, $4)
         on conflict (member_id, ends_at, days) do nothing",
    )
    .bind(member.as_str())
    .bind(ends_at)
    .bind(days)
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}
