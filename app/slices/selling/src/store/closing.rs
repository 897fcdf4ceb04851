//! SQL of selling when an account is closed.

use base::db::{Tx, sql, with_tx};
use base::error::Error;
use base::forgetting;
use domain::ids::MemberId;

/// Ends what a member sells and what it gave: its packages are no longer sold, nobody can redeem their codes, and the seats that it
/// took are others'.
pub async fn end(tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
    for sql in [
        sql!("delete from licence_seats where member_id = $1 and $2 > 0"),
        sql!("update licences set ended_at = coalesce(ended_at, $2), digest = null where seller_id = $1"),
        sql!(
            "update packages set seller_name = '', on_sale_until = $2
         where seller_id = $1 and (on_sale_until is null or on_sale_until > $2)"
        ),
        sql!("update packages set seller_name = '' where seller_id = $1 and $2 > 0"),
        sql!("update code_batches set voided_at = coalesce(voided_at, $2), salt = null where seller_id = $1"),
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

/// Forgets some of what a member could read, what it did not buy after all, and what it is called in sales; whether there may be
/// more.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let parts = [
        (sql!("delete from entitlements where id in (select id from entitlements where member_id = $1 limit $2)"), 1),
        (
            sql!(
                "delete from gifts where sale_id in (
                     select g.sale_id from sales s join gifts g on g.sale_id = s.id
                     where s.buyer_id = $1 and s.state = 'unpaid' limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from sale_switches where (sale_id, old_id) in (
                     select w.sale_id, w.old_id from sales s join sale_switches w on w.sale_id = s.id
                     where s.buyer_id = $1 and s.state = 'unpaid' limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from sales
                 where id in (select id from sales where buyer_id = $1 and state = 'unpaid' limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "update gifts set address = '', receiver = '', giver = '', words = '' where sale_id in (
                     select g.sale_id from sales s join gifts g on g.sale_id = s.id
                     where s.buyer_id = $1 and (g.address <> '' or g.receiver <> '' or g.giver <> '' or g.words <> '')
                     limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "update sales set buyer_name = ''
                 where id in (select id from sales where buyer_id = $1 and buyer_name <> '' limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from code_downloads where id in (
                     select d.id from code_batches b join code_downloads d on d.batch_id = b.id
                     where b.seller_id = $1 limit $2)"
            ),
            1,
        ),
    ];
    forgetting::some(tx, &parts, member.as_str()).await
}
