//! SQL of how members are reached, and of their passwords.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::contact::Contact;
use domain::ids::{LoginId, MemberId};

/// The member behind a contact, with what a change of its password or contact needs.
#[derive(Debug, Clone)]
pub struct Holder {
    pub id: MemberId,
    pub account: String,
    pub name: String,
    pub phone: Option<String>,
    pub email: Option<String>,
}

impl Holder {
    /// Everything by which the member is reached.
    pub fn contacts(&self) -> Vec<Contact> {
        [&self.phone, &self.email].into_iter().flatten().filter_map(|text| Contact::read(text)).collect()
    }
}

type HolderRow = (String, String, String, Option<String>, Option<String>);

fn holder_of((id, account, name, phone, email): HolderRow) -> Result<Holder, Error> {
    Ok(Holder { id: id.try_into().map_err(Error::internal)?, account, name, phone, email })
}

/// The member who has this contact.
pub async fn holder(db: &Db, contact: &str) -> Result<Option<Holder>, Error> {
    let row: Option<HolderRow> = with_db!(db, |pool| {
        sqlx::query_as(
        "select id, account, name, phone, email from members where account = $1 or phone = $1 or email = $1",
    )
    .bind(contact)
    .fetch_optional(pool)
    .await
    })?;
    row.map(holder_of).transpose()
}

/// The same, of a member.
pub async fn holder_by_id(db: &Db, id: &MemberId) -> Result<Holder, Error> {
    let row: HolderRow = with_db!(db, |pool| sqlx::query_as(
        "select id, account, name, phone, email from members where id = $1"
    )
    .bind(id.as_str())
    .fetch_one(pool)
    .await)?;
    holder_of(row)
}

/// The same, within a transaction: it must not wait for another connection.
pub async fn holder_within(tx: &mut Tx, id: &MemberId) -> Result<Holder, Error> {
    let row: HolderRow = with_tx!(tx, |conn| sqlx::query_as(
        "select id, account, name, phone, email from members where id = $1"
    )
    .bind(id.as_str())
    .fetch_one(conn)
    .await)?;
    holder_of(row)
}

/// Whether any member has this contact.
pub async fn is_taken(tx: &mut Tx, contact: &str) -> Result<bool, Error> {
    let taken: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from members where account = $1 or phone = $1 or email = $1",
    )
    .bind(contact)
    .fetch_one(conn)
    .await)?;
    Ok(taken > 0)
}

/// The member with this invite code.
pub async fn by_invite_code(db: &Db, code: &str) -> Result<Option<MemberId>, Error> {
    let id: Option<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select id from members where invite_code = $1 and closed_at is null"
    )
    .bind(code)
    .fetch_optional(pool)
    .await)?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// Gives a member another password and ends its logins, except the one that is kept.
pub async fn set_password(
    tx: &mut Tx,
    member: &MemberId,
    hash: &str,
    kept: Option<&LoginId>,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query("update members set password_hash = $2 where id = $1")
            .bind(member.as_str())
            .bind(hash)
            .execute(&mut *conn)
            .await?;
        sqlx::query("delete from logins where member_id = $1 and id <> $2")
            .bind(member.as_str())
            .bind(kept.map_or("", LoginId::as_str))
            .execute(&mut *conn)
            .await?;
    });
    Ok(())
}

/// Gives a member another mobile number or address; where the old one was the account name, the new one is. False
/// when somebody else has it.
pub async fn set_contact(tx: &mut Tx, member: &MemberId, contact: &Contact) -> Result<bool, Error> {
    if is_taken(tx, contact.as_str()).await? {
        return Ok(false);
    }
    let done = with_tx!(tx, |conn| match contact {
        Contact::Phone(number) => {
            sqlx::query(
                "update members set account = case when account = phone then $2 else account end, phone = $2 where id = $1",
            )
            .bind(member.as_str())
            .bind(number)
            .execute(conn)
            .await
            .map(drop)
        }
        Contact::Email(address) => {
            sqlx::query(
                "update members set account = case when account = email then $2 else account end, email = $2 where id = $1",
            )
            .bind(member.as_str())
            .bind(address)
            .execute(conn)
            .await
            .map(drop)
        }
    });
    match done {
        Ok(()) => Ok(true),
        // somebody else was quicker
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Fills the columns of members that an older version wrote.
pub async fn fill_contacts(tx: &mut Tx) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "update members set email = account where email is null and phone is null and closed_at is null
                    and account like '%@%'",
        )
        .execute(&mut *conn)
        .await?;
        sqlx::query(
            "update members set phone = account where email is null and phone is null and closed_at is null",
        )
        .execute(&mut *conn)
        .await?;
    });
    Ok(())
}
