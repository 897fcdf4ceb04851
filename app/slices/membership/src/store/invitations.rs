//! SQL of invitations.

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{InvitationId, MemberId};
use domain::sub_member::{InvitationState, Role, invitation};

/// An invitation to work for a house.
#[derive(Debug, Clone)]
pub struct Invitation {
    pub id: InvitationId,
    pub house: MemberId,
    /// What the new one will be called.
    pub name: String,
    pub role: Role,
    /// The one account that may accept it; none for whoever has the link.
    pub contact: Option<String>,
    pub created_at: i64,
    pub expires_at: i64,
    pub used_at: Option<i64>,
    pub withdrawn_at: Option<i64>,
}

impl Invitation {
    /// What has become of it.
    pub fn state(&self, now: i64) -> InvitationState {
        invitation(self.used_at, self.withdrawn_at, self.expires_at, now)
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    house_id: String,
    name: String,
    role: String,
    contact: Option<String>,
    created_at: i64,
    expires_at: i64,
    used_at: Option<i64>,
    withdrawn_at: Option<i64>,
}

impl TryFrom<Row> for Invitation {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            house: row.house_id.try_into().map_err(Error::internal)?,
            name: row.name,
            role: row.role.parse().map_err(Error::internal)?,
            contact: row.contact,
            created_at: row.created_at,
            expires_at: row.expires_at,
            used_at: row.used_at,
            withdrawn_at: row.withdrawn_at,
        })
    }
}

const COLUMNS: &str = "id, house_id, name, role, contact, created_at, expires_at, used_at, withdrawn_at";

/// Writes one; false when the id is taken, as when a form is sent again.
pub async fn insert(tx: &mut Tx, new: &Invitation) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into sub_member_invitations (id, house_id, name, role, contact, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing",
    )
    .bind(new.id.as_str())
    .bind(new.house.as_str())
    .bind(&new.name)
    .bind(new.role.code())
    .bind(new.contact.as_deref())
    .bind(new.created_at)
    .bind(new.expires_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Those of a house that can be accepted, the newest first.
pub async fn open_of_house(db: &Db, house: &MemberId, now: i64) -> Result<Vec<Invitation>, Error> {
    let sql = sql!(
        "select {COLUMNS} from sub_member_invitations where house_id = $1 and used_at is null
           and withdrawn_at is null and expires_at > $2 order by id desc"
    );
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(house.as_str()).bind(now).fetch_all(pool).await)?;
    rows.into_iter().map(Invitation::try_from).collect()
}

/// How many those are, and how many were sent to an account since a moment.
pub async fn counts(tx: &mut Tx, house: &MemberId, now: i64, since: i64) -> Result<(i64, i64), Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select count(case when used_at is null and withdrawn_at is null and expires_at > $2 then 1 end),
                count(case when contact is not null and created_at > $3 then 1 end)
         from sub_member_invitations where house_id = $1",
    )
    .bind(house.as_str())
    .bind(now)
    .bind(since)
    .fetch_one(conn)
    .await)?)
}

/// One of a house's own.
pub async fn find_for_house(db: &Db, id: &InvitationId, house: &MemberId) -> Result<Invitation, Error> {
    let sql = sql!("select {COLUMNS} from sub_member_invitations where id = $1 and house_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(house.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any, for whoever has its signed link.
pub async fn find(db: &Db, id: &InvitationId) -> Result<Invitation, Error> {
    let sql = sql!("select {COLUMNS} from sub_member_invitations where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The same, whose row is held until the transaction ends.
pub async fn lock(tx: &mut Tx, id: &InvitationId) -> Result<Invitation, Error> {
    let sql = sql!("update sub_member_invitations set role = role where id = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Notes who accepted it.
pub async fn set_used(tx: &mut Tx, id: &InvitationId, member: &MemberId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update sub_member_invitations set used_at = $2, used_by = $3 where id = $1"
    )
    .bind(id.as_str())
    .bind(now)
    .bind(member.as_str())
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Takes one of a house's own back, where nobody has accepted it.
pub async fn withdraw(db: &Db, id: &InvitationId, house: &MemberId, now: i64) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query(
        "update sub_member_invitations set withdrawn_at = $3
         where id = $1 and house_id = $2 and used_at is null and withdrawn_at is null",
    )
    .bind(id.as_str())
    .bind(house.as_str())
    .bind(now)
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}
