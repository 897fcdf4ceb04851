//! SQL of accounts and addresses.

pub mod weixin;

use domain::ids::{AddressId, LoginId, MemberId};
use domain::money::Fen;
use domain::tier::Tier;
use serde::{Deserialize, Serialize};

use super::Codes;
use crate::db::{Db, with_db, with_tx};
use crate::error::Error;
use crate::session::Member;

/// Where a parcel goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    pub id: AddressId,
    pub receiver: String,
    pub phone: String,
    pub province: String,
    pub city: String,
    pub district: String,
    pub street: String,
    pub is_default: bool,
}

impl Address {
    /// The place in one line.
    pub fn place(&self) -> String {
        format!("{}{}{}{}", self.province, self.city, self.district, self.street)
    }
}

#[derive(sqlx::FromRow)]
struct MemberRow {
    id: String,
    account: String,
    name: String,
    tier: String,
    tier_until: Option<i64>,
    member_code: String,
    invite_code: String,
    login: String,
    balance: i64,
    cart_lines: i64,
}

/// By what a login is found.
pub enum Key<'a> {
    Login(&'a str),
    /// The token's hash.
    Token(&'a str),
}

/// The member behind a login, with what every page shows of it, in one statement because every page asks.
pub async fn member_of_login(db: &Db, key: Key<'_>) -> Result<Option<Member>, Error> {
    // a browser's session can't be had by the id of a program's login
    let (login, token) = match key {
        Key::Login(id) => (Some(id), None),
        Key::Token(hash) => (None, Some(hash)),
    };
    let row: Option<MemberRow> = with_db!(db, |pool| {
        sqlx::query_as(
        "select m.id, m.account, m.name, m.tier, m.tier_until, m.member_code, m.invite_code, l.id as login,
                coalesce(a.balance, 0) as balance,
                (select count(*) from cart_lines c
                 where c.member_id = m.id and c.removed_at is null) as cart_lines
         from logins l join members m on m.id = l.member_id
              left join ledger_accounts a on a.id = 'member:' || m.id
         where (l.id = $1 and l.token_hash is null) or l.token_hash = $2",
    )
    .bind(login)
    .bind(token)
    .fetch_optional(pool)
    .await
    })?;
    row.map(|row| {
        let lapsed = row.tier_until.is_some_and(|until| until < crate::db::now_ms());
        let tier = if lapsed { Tier::default() } else { row.tier.parse().map_err(Error::internal)? };
        Ok(Member {
            id: row.id.try_into().map_err(Error::internal)?,
            account: row.account,
            name: row.name,
            tier,
            tier_until: row.tier_until.filter(|_| !lapsed),
            member_code: row.member_code,
            invite_code: row.invite_code,
            login: row.login.try_into().map_err(Error::internal)?,
            balance: Fen(row.balance),
            cart_lines: row.cart_lines,
        })
    })
    .transpose()
}

/// A login to come.
pub struct NewLogin<'a> {
    pub id: &'a LoginId,
    pub member: &'a MemberId,
    pub token_hash: Option<String>,
    pub began_by: &'a str,
    pub device: String,
    pub address: String,
}

/// Notes a login.
pub async fn insert_login(db: &Db, login: NewLogin<'_>, now: i64) -> Result<(), Error> {
    with_db!(db, |pool| sqlx::query(
        "insert into logins (id, member_id, token_hash, began_by, device, address, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(login.id.as_str())
    .bind(login.member.as_str())
    .bind(login.token_hash)
    .bind(login.began_by)
    .bind(login.device)
    .bind(login.address)
    .bind(now)
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}

/// Ends one of a member's own logins.
pub async fn delete_login(db: &Db, id: &LoginId, member: &MemberId) -> Result<(), Error> {
    with_db!(db, |pool| sqlx::query("delete from logins where id = $1 and member_id = $2")
        .bind(id.as_str())
        .bind(member.as_str())
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// The id and the password hash of an account.
pub async fn credentials(db: &Db, account: &str) -> Result<Option<(MemberId, String)>, Error> {
    let row: Option<(String, String)> =
        with_db!(db, |pool| sqlx::query_as("select id, password_hash from members where account = $1")
            .bind(account)
            .fetch_optional(pool)
            .await)?;
    row.map(|(id, hash)| Ok((id.try_into().map_err(Error::internal)?, hash))).transpose()
}

/// A row to come.
pub struct NewMember<'a> {
    pub id: &'a MemberId,
    pub account: &'a str,
    pub name: &'a str,
    pub hash: &'a str,
    pub codes: &'a Codes,
    pub tier: Tier,
}

/// False when the account name is taken.
pub async fn insert_member(db: &Db, new: NewMember<'_>, now: i64) -> Result<bool, Error> {
    let inserted = with_db!(db, |pool| {
        sqlx::query(
        "insert into members (id, account, name, password_hash, member_code, invite_code, tier, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (account) do nothing",
    )
    .bind(new.id.as_str())
    .bind(new.account)
    .bind(new.name)
    .bind(new.hash)
    .bind(&new.codes.member_code)
    .bind(&new.codes.invite_code)
    .bind(new.tier.name())
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

type AddressRow = (String, String, String, String, String, String, String, i64);

/// A member's addresses, the default first; where none is marked the oldest counts as the default
/// (specification section 3).
pub async fn addresses(db: &Db, member: &MemberId) -> Result<Vec<Address>, Error> {
    let rows: Vec<AddressRow> = with_db!(db, |pool| sqlx::query_as(
        "select id, receiver, phone, province, city, district, street, is_default
         from addresses where member_id = $1 order by is_default desc, created_at, id",
    )
    .bind(member.as_str())
    .fetch_all(pool)
    .await)?;
    rows.into_iter()
        .map(|(id, receiver, phone, province, city, district, street, is_default)| {
            let id = id.try_into().map_err(Error::internal)?;
            Ok(Address { id, receiver, phone, province, city, district, street, is_default: is_default == 1 })
        })
        .collect()
}

/// Adds an address; it becomes the default when it is the first, or asked to.
pub async fn insert_address(db: &Db, member: &MemberId, address: &Address, now: i64) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    let (known,): (i64,) =
        with_tx!(&mut tx, |conn| sqlx::query_as("select count(*) from addresses where member_id = $1")
            .bind(member.as_str())
            .fetch_one(conn)
            .await)?;
    let is_default = address.is_default || known == 0;
    if is_default {
        with_tx!(&mut tx, |conn| sqlx::query("update addresses set is_default = 0 where member_id = $1")
            .bind(member.as_str())
            .execute(conn)
            .await
            .map(drop))?;
    }
    with_tx!(&mut tx, |conn| {
        sqlx::query(
        "insert into addresses (id, member_id, receiver, phone, province, city, district, street, is_default, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(address.id.as_str())
    .bind(member.as_str())
    .bind(&address.receiver)
    .bind(&address.phone)
    .bind(&address.province)
    .bind(&address.city)
    .bind(&address.district)
    .bind(&address.street)
    .bind(i64::from(is_default))
    .bind(now)
    .execute(conn)
    .await.map(drop)
    })?;
    tx.commit().await?;
    Ok(())
}

/// Makes one of a member's own addresses the default; false when it has no such address.
pub async fn set_default_address(db: &Db, member: &MemberId, id: &AddressId) -> Result<bool, Error> {
    let mut tx = db.begin().await?;
    let set = with_tx!(&mut tx, |conn| sqlx::query(
        "update addresses set is_default = 1 where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    if set == 0 {
        return Ok(false);
    }
    with_tx!(&mut tx, |conn| sqlx::query(
        "update addresses set is_default = 0 where member_id = $1 and id <> $2 and is_default = 1"
    )
    .bind(member.as_str())
    .bind(id.as_str())
    .execute(conn)
    .await
    .map(drop))?;
    tx.commit().await?;
    Ok(true)
}

/// Keeps what a phone answered; false when there is an answer already.
pub async fn insert_qr_answer(
    db: &Db,
    nonce: &str,
    member: &MemberId,
    state: &str,
    now: i64,
) -> Result<bool, Error> {
    let inserted = with_db!(db, |pool| sqlx::query(
        "insert into qr_answers (nonce, member_id, state, answered_at) values ($1, $2, $3, $4)
         on conflict (nonce) do nothing",
    )
    .bind(nonce)
    .bind(member.as_str())
    .bind(state)
    .bind(now)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Who answered a question, and what.
pub async fn qr_answer(db: &Db, nonce: &str) -> Result<Option<(MemberId, String)>, Error> {
    let row: Option<(String, String)> =
        with_db!(db, |pool| sqlx::query_as("select member_id, state from qr_answers where nonce = $1")
            .bind(nonce)
            .fetch_optional(pool)
            .await)?;
    row.map(|(member, state)| Ok((member.try_into().map_err(Error::internal)?, state))).transpose()
}

/// Takes a confirmation, once; old answers go with it.
pub async fn use_qr_answer(db: &Db, nonce: &str) -> Result<Option<MemberId>, Error> {
    let member: Option<String> = with_db!(db, |pool| {
        sqlx::query_scalar(
        "update qr_answers set state = 'used' where nonce = $1 and state = 'confirmed' returning member_id",
    )
    .bind(nonce)
    .fetch_optional(pool)
    .await
    })?;
    let day_ago = crate::db::now_ms() - 24 * 60 * 60_000;
    with_db!(db, |pool| sqlx::query("delete from qr_answers where answered_at < $1")
        .bind(day_ago)
        .execute(pool)
        .await
        .map(drop))?;
    member.map(|member| member.try_into().map_err(Error::internal)).transpose()
}
