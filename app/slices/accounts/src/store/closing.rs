//! SQL of accounts that are closed.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use domain::contact::Contact;
use domain::ids::MemberId;
use domain::tier::Tier;

/// Takes from a member's row whatever says who it is, and gives its contacts free; false when that was done before.
///
/// On PostgreSQL the other account name makes it wait for whoever is writing something of the member's, whose rows hold this
/// one's key: what is looked for afterwards is all there is.
pub async fn close(tx: &mut Tx, member: &MemberId, now: i64) -> Result<bool, Error> {
    let closed = with_tx!(tx, |conn| {
        sqlx::query(
        "update members set account = 'closed:' || id, name = '已注销', phone = null, email = null, password_hash = '',
                            invited_by = null, tier = $3, tier_until = null, tier_after = null,
                            closed_at = $2
         where id = $1 and closed_at is null",
    )
    .bind(member.as_str())
    .bind(now)
    .bind(Tier::default().name())
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(closed == 1)
}

/// Ends whatever lets a member in, and forgets who it is elsewhere: its logins, its second factor, its passkeys, its codes.
pub async fn end(tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    for sql in [
        sql!("delete from logins where member_id = $1"),
        sql!("delete from qr_answers where member_id = $1"),
        sql!("delete from recovery_codes where member_id = $1"),
        sql!("delete from second_factors where member_id = $1"),
        sql!("delete from passkeys where member_id = $1"),
        sql!("delete from third_party_identities where member_id = $1"),
        sql!("delete from sent_codes where member_id = $1"),
    ] {
        with_tx!(tx, |conn| sqlx::query(sql.text()).bind(member.as_str()).execute(conn).await.map(drop))?;
    }
    Ok(())
}

/// Forgets some of what is known of how a member came in, and of its addresses; whether there may be more.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let parts = [
        (sql!("delete from sign_ins where id in (select id from sign_ins where member_id = $1 limit $2)"), 1),
        (
            sql!(
                "delete from addresses where id in (select id from addresses where member_id = $1 limit $2)"
            ),
            1,
        ),
    ];
    forgetting::some(tx, &parts, member.as_str()).await
}

/// Forgets the codes that were sent to a contact.
pub async fn forget_codes(tx: &mut Tx, contact: &Contact) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from sent_codes where contact = $1")
        .bind(contact.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// When a member closed its account, epoch ms; `None` while it is open, or where there is none.
pub async fn closed_at(db: &Db, member: &MemberId) -> Result<Option<i64>, Error> {
    let row: Option<(Option<i64>,)> =
        with_db!(db, |pool| sqlx::query_as("select closed_at from members where id = $1")
            .bind(member.as_str())
            .fetch_optional(pool)
            .await)?;
    Ok(row.and_then(|(closed_at,)| closed_at))
}
