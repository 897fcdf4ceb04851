//! SQL of accounts; the other things of the slice have files of their own.

pub mod addresses;
pub mod closing;
pub mod codes;
pub mod contacts;
pub mod looks;
pub mod passkeys;
pub mod profile;
pub mod second_factor;
pub mod sign_ins;
pub mod staff;
pub mod third_party;
pub mod tiers;

use base::db::{Db, Tx, now_ms, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::contact::Contact;
use domain::days::DAY_MS;
use domain::ids::{LoginId, LookId, MemberId, SubMemberId};
use domain::money::Fen;
use domain::tier::Tier;
use web::session::Member;

use super::Codes;
use super::logins::{MOST_TOKENS, TokenEnds};

#[derive(sqlx::FromRow)]
struct MemberRow {
    id: String,
    account: String,
    name: String,
    phone: Option<String>,
    email: Option<String>,
    tier: String,
    tier_until: Option<i64>,
    tier_after: Option<String>,
    member_code: String,
    invite_code: String,
    avatar: Option<String>,
    login: String,
    seen_at: i64,
    balance: i64,
    cart_lines: i64,
    works_as: Option<String>,
}

impl TryFrom<MemberRow> for Member {
    type Error = Error;
    fn try_from(row: MemberRow) -> Result<Self, Error> {
        let standing = tiers::standing(&row.tier, row.tier_until, row.tier_after.as_deref())?;
        let (tier, tier_until) = standing.at(now_ms());
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            account: row.account,
            name: row.name,
            phone: row.phone,
            email: row.email,
            tier,
            tier_until,
            member_code: row.member_code,
            invite_code: row.invite_code,
            avatar: row.avatar,
            login: row.login.try_into().map_err(Error::internal)?,
            seen_at: row.seen_at,
            balance: Fen(row.balance),
            cart_lines: row.cart_lines,
            works_as: row.works_as.map(SubMemberId::try_from).transpose().map_err(Error::internal)?,
            acting: None,
            looked_at_until: None,
        })
    }
}

/// What every page shows of a member `m` with the account `a`.
const SHOWN: &str = "m.id, m.account, m.name, m.phone, m.email, m.tier, m.tier_until, m.tier_after, \
                     m.member_code, m.invite_code, m.avatar, coalesce(a.balance, 0) as balance, \
                     (select count(*) from cart_lines c \
                      where c.member_id = m.id and c.removed_at is null) as cart_lines";

/// By what a login is found.
pub enum Key<'a> {
    Login(&'a str),
    /// The token's hash.
    Token(&'a str),
}

/// The member behind a login, with what every page shows of it, in one statement because every page asks.
pub async fn member_of_login(db: &Db, key: Key<'_>) -> Result<Option<Member>, Error> {
    let ends = TokenEnds::at(now_ms());
    // a browser's session can't be had by the id of a program's login
    let (login, token) = match key {
        Key::Login(id) => (Some(id), None),
        Key::Token(hash) => (None, Some(hash)),
    };
    let sql = sql!(
        "select {SHOWN}, l.id as login, l.works_as, coalesce(l.last_seen_at, l.created_at) as seen_at
         from logins l join members m on m.id = l.member_id
              left join ledger_accounts a on a.id = 'member:' || m.id
         where m.closed_at is null
           and ((l.id = $1 and l.token_hash is null)
                or (l.token_hash = $2 and l.created_at > $3 and coalesce(l.last_seen_at, l.created_at) > $4))"
    );
    let row: Option<MemberRow> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(login)
        .bind(token)
        .bind(ends.began_before)
        .bind(ends.unused_since)
        .fetch_optional(pool)
        .await)?;
    row.map(Member::try_from).transpose()
}

/// The member at whose pages somebody of the back office looks, by that look, while it lasts.
pub async fn member_of_look(db: &Db, look: &LookId, staff: &str) -> Result<Option<Member>, Error> {
    #[derive(sqlx::FromRow)]
    struct LookedAt {
        #[sqlx(flatten)]
        member: MemberRow,
        ends_at: i64,
    }
    let sql = sql!(
        "select {SHOWN}, l.id as login, cast(null as text) as works_as, l.began_at as seen_at, l.ends_at
         from looks l join members m on m.id = l.member_id
              left join ledger_accounts a on a.id = 'member:' || m.id
         where l.id = $1 and l.staff = $2 and l.ended_at is null and l.ends_at > $3 and m.closed_at is null"
    );
    let row: Option<LookedAt> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(look.as_str())
        .bind(staff)
        .bind(now_ms())
        .fetch_optional(pool)
        .await)?;
    row.map(|row| Ok(Member { looked_at_until: Some(row.ends_at), ..row.member.try_into()? })).transpose()
}

/// A login to come.
pub struct NewLogin<'a> {
    pub id: &'a LoginId,
    pub member: &'a MemberId,
    pub token_hash: Option<String>,
    pub began_by: &'a str,
    pub device: String,
    pub address: String,
    /// The login that ends with it: the one that the same browser had.
    pub replaces: Option<&'a LoginId>,
}

/// Holds a member's row until the transaction ends, so that what is counted or added up for it is done by one after the
/// other: an update that changes nothing is the portable form of `for update`. It names a column that no foreign key refers to:
/// SQLite looks for all rows that refer to one that is set, also where it stays the same.
pub async fn hold(tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update members set name = name where id = $1")
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes a login. Of a member's tokens the twenty that were in use last stay.
pub async fn insert_login(db: &Db, login: NewLogin<'_>, now: i64) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    let is_token = login.token_hash.is_some();
    // of tokens that are asked for at once there is never one too many
    hold(&mut tx, login.member).await?;
    with_tx!(&mut tx, |conn| {
        sqlx::query(
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
        .execute(&mut *conn)
        .await?;
        if let Some(old) = login.replaces {
            sqlx::query("delete from logins where id = $1 and token_hash is null")
                .bind(old.as_str())
                .execute(&mut *conn)
                .await?;
        }
        if is_token {
            sqlx::query(
                "delete from logins where member_id = $1 and token_hash is not null and id not in (
                     select id from logins where member_id = $1 and token_hash is not null
                     order by coalesce(last_seen_at, created_at) desc, id desc limit $2)",
            )
            .bind(login.member.as_str())
            .bind(MOST_TOKENS)
            .execute(&mut *conn)
            .await?;
        }
    });
    Ok(tx.commit().await?)
}

/// Ends one of a member's own logins; false when it has no such login.
pub async fn delete_login(db: &Db, id: &LoginId, member: &MemberId) -> Result<bool, Error> {
    let ended = with_write!(db, |pool| sqlx::query("delete from logins where id = $1 and member_id = $2")
        .bind(id.as_str())
        .bind(member.as_str())
        .execute(pool)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(ended == 1)
}

/// Notes among which house's sub-members a login works from now on.
pub async fn set_works_as(db: &Db, login: &LoginId, place: Option<&SubMemberId>) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query("update logins set works_as = $2 where id = $1")
        .bind(login.as_str())
        .bind(place.map(SubMemberId::as_str))
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// Whose password is asked for.
pub struct Credentials {
    pub member: MemberId,
    pub account: String,
    pub hash: String,
}

/// The member who signs in by this name: its account, mobile number or e-mail address.
pub async fn credentials(db: &Db, name: &str) -> Result<Option<Credentials>, Error> {
    let row: Option<(String, String, String)> = with_db!(db, |pool| sqlx::query_as(
        "select id, account, password_hash from members
         where (account = $1 or phone = $1 or email = $1) and closed_at is null",
    )
    .bind(name)
    .fetch_optional(pool)
    .await)?;
    row.map(|(id, account, hash)| {
        Ok(Credentials { member: id.try_into().map_err(Error::internal)?, account, hash })
    })
    .transpose()
}

/// A row to come.
pub struct NewMember<'a> {
    pub id: &'a MemberId,
    pub contact: &'a Contact,
    pub name: &'a str,
    pub hash: &'a str,
    pub codes: &'a Codes,
    pub tier: Tier,
    pub invited_by: Option<&'a MemberId>,
}

/// False when the account name, or one of the codes, is taken.
pub async fn insert_member(tx: &mut Tx, new: &NewMember<'_>, now: i64) -> Result<bool, Error> {
    let (phone, email) = match new.contact {
        Contact::Phone(number) => (Some(number), None),
        Contact::Email(address) => (None, Some(address)),
    };
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into members (id, account, phone, email, name, password_hash, member_code, invite_code, tier, invited_by,
                              created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing",
    )
    .bind(new.id.as_str())
    .bind(new.contact.as_str())
    .bind(phone)
    .bind(email)
    .bind(new.name)
    .bind(new.hash)
    .bind(&new.codes.member_code)
    .bind(&new.codes.invite_code)
    .bind(new.tier.name())
    .bind(new.invited_by.map(MemberId::as_str))
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Keeps what a phone answered; false when there is an answer already.
pub async fn insert_qr_answer(
    db: &Db,
    nonce: &str,
    member: &MemberId,
    state: &str,
    now: i64,
) -> Result<bool, Error> {
    let inserted = with_write!(db, |pool| sqlx::query(
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
    let member: Option<String> = with_write!(db, |pool| {
        sqlx::query_scalar(
        "update qr_answers set state = 'used' where nonce = $1 and state = 'confirmed' returning member_id",
    )
    .bind(nonce)
    .fetch_optional(pool)
    .await
    })?;
    let day_ago = now_ms() - DAY_MS;
    with_write!(db, |pool| sqlx::query("delete from qr_answers where answered_at < $1")
        .bind(day_ago)
        .execute(pool)
        .await
        .map(drop))?;
    member.map(|member| member.try_into().map_err(Error::internal)).transpose()
}
