//! SQL of memberships when an account is closed.

use base::db::{Tx, sql, with_tx};
use base::error::Error;
use domain::ids::MemberId;

/// Forgets what a member did not buy after all, and what it was told. What it paid for is kept: those are accounting records,
/// and have nobody's name.
pub async fn forget(tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    for sql in [
        sql!("delete from membership_terms where member_id = $1 and state = 'unpaid'"),
        sql!("delete from membership_notices where member_id = $1"),
        sql!("delete from sub_member_invitations where house_id = $1"),
        sql!("update sub_member_invitations set used_by = null where used_by = $1"),
        sql!("update sub_members set name = '' where house_id = $1 or member_id = $1"),
    ] {
        with_tx!(tx, |conn| sqlx::query(sql.text()).bind(member.as_str()).execute(conn).await.map(drop))?;
    }
    Ok(())
}
