//! SQL of payments that an account waits for before it is closed.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::ids::MemberId;
use domain::payment::{PaymentState, RefundState};

/// How many of a member's payments may still arrive.
pub async fn pending_payments(tx: &mut Tx, member: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from payments where member_id = $1 and state = $2"
    )
    .bind(member.as_str())
    .bind(PaymentState::Pending.code())
    .fetch_one(conn)
    .await)?)
}

/// How much of a member's money is on its way back to where it came from, as a number of refunds.
pub async fn pending_refunds(tx: &mut Tx, member: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from payment_refunds r join payments p on p.id = r.payment_id
         where p.member_id = $1 and r.state = $2"
    )
    .bind(member.as_str())
    .bind(RefundState::Pending.code())
    .fetch_one(conn)
    .await)?)
}
