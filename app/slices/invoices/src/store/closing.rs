//! SQL of invoices when an account is closed.

use base::db::{Tx, sql, with_tx};
use base::error::Error;
use base::forgetting;
use domain::ids::MemberId;
use domain::invoice::InvoiceState;

/// How many of a member's invoices are still to be issued.
pub async fn requested(tx: &mut Tx, member: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from invoices where member_id = $1 and state = $2"
    )
    .bind(member.as_str())
    .bind(InvoiceState::Requested.code())
    .fetch_one(conn)
    .await)?)
}

/// Forgets some of a member's titles, and of the addresses that files of its invoices were sent to; whether there may be more.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let parts = [
        (
            sql!(
                "delete from invoice_titles
                 where id in (select id from invoice_titles where member_id = $1 limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "update invoices set email = null
                 where id in (select id from invoices where member_id = $1 and email is not null limit $2)"
            ),
            1,
        ),
    ];
    forgetting::some(tx, &parts, member.as_str()).await
}
