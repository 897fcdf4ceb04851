//! SQL of invoices when an account is closed.

use domain::ids::MemberId;
use domain::invoice::InvoiceState;

use platform::db::{Tx, with_tx};
use platform::error::Error;

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

/// Forgets a member's titles, and where the files of its invoices were sent.
pub async fn forget(tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query("delete from invoice_titles where member_id = $1")
            .bind(member.as_str())
            .execute(&mut *conn)
            .await?;
        sqlx::query("update invoices set email = null where member_id = $1 and email is not null")
            .bind(member.as_str())
            .execute(&mut *conn)
            .await?;
    });
    Ok(())
}
