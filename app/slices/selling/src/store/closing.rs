//! SQL of selling when an account is closed.

use domain::ids::MemberId;

use platform::db::{Tx, sql, with_tx};
use platform::error::Error;

/// Forgets what a member could read, what it did not buy after all, and what it is called in sales; its packages are no
/// longer sold, and nobody can redeem their codes.
pub async fn forget(tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
    for sql in [
        sql!("delete from entitlements where member_id = $1 and $2 > 0"),
        sql!(
            "delete from gifts where $2 > 0
           and sale_id in (select id from sales where buyer_id = $1 and state = 'unpaid')"
        ),
        sql!(
            "delete from sale_switches where $2 > 0
           and sale_id in (select id from sales where buyer_id = $1 and state = 'unpaid')"
        ),
        sql!("delete from licence_seats where member_id = $1 and $2 > 0"),
        sql!("update licences set ended_at = coalesce(ended_at, $2), digest = null where seller_id = $1"),
        sql!("delete from sales where buyer_id = $1 and state = 'unpaid' and $2 > 0"),
        sql!(
            "update gifts set address = '', receiver = '', giver = '', words = '' where $2 > 0
           and sale_id in (select id from sales where buyer_id = $1)"
        ),
        sql!("update sales set buyer_name = '' where buyer_id = $1 and $2 > 0"),
        sql!(
            "update packages set seller_name = '', on_sale_until = $2
         where seller_id = $1 and (on_sale_until is null or on_sale_until > $2)"
        ),
        sql!("update packages set seller_name = '' where seller_id = $1 and $2 > 0"),
        sql!("update code_batches set voided_at = coalesce(voided_at, $2), salt = null where seller_id = $1"),
        sql!(
            "delete from code_downloads where $2 > 0
           and batch_id in (select id from code_batches where seller_id = $1)"
        ),
    ] {
        with_tx!(tx, |conn| sqlx::query(sql.text())
            .bind(member.as_str())
            .bind(now)
            .execute(conn)
            .await
            .map(drop))?;
    }
    Ok(())
}
