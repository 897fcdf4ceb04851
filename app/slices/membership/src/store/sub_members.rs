//! SQL of sub-members.

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::{MemberId, SubMemberId};
use domain::sub_member::Role;

/// A member's place among those who work for a house.
#[derive(Debug, Clone)]
pub struct SubMember {
    pub id: SubMemberId,
    /// The member whose house it is.
    pub house: MemberId,
    pub member: MemberId,
    /// As the house calls it.
    pub name: String,
    pub role: Role,
    pub joined_at: i64,
    pub removed_at: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    house_id: String,
    member_id: String,
    name: String,
    role: String,
    joined_at: i64,
    removed_at: Option<i64>,
}

impl TryFrom<Row> for SubMember {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            house: row.house_id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            name: row.name,
            role: row.role.parse().map_err(Error::internal)?,
            joined_at: row.joined_at,
            removed_at: row.removed_at,
        })
    }
}

const COLUMNS: &str = "id, house_id, member_id, name, role, joined_at, removed_at";

/// Writes a new one; false when the member is one of the house's already.
pub async fn insert(tx: &mut Tx, new: &SubMember) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into sub_members (id, house_id, member_id, name, role, joined_at) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing",
    )
    .bind(new.id.as_str())
    .bind(new.house.as_str())
    .bind(new.member.as_str())
    .bind(&new.name)
    .bind(new.role.code())
    .bind(new.joined_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// A house's, those who came first before the others.
pub async fn of_house(tx: &mut Tx, house: &MemberId) -> Result<Vec<SubMember>, Error> {
    let sql = sql!(
        "select {COLUMNS} from sub_members where house_id = $1 and removed_at is null order by joined_at, id"
    );
    let rows: Vec<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(house.as_str()).fetch_all(conn).await)?;
    rows.into_iter().map(SubMember::try_from).collect()
}

/// A member's places in all houses, and within a transaction.
pub async fn of_member(tx: &mut Tx, member: &MemberId) -> Result<Vec<SubMember>, Error> {
    let sql = sql!(
        "select {COLUMNS} from sub_members where member_id = $1 and removed_at is null order by joined_at, id"
    );
    let rows: Vec<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_all(conn).await)?;
    rows.into_iter().map(SubMember::try_from).collect()
}

/// One of a house's own.
pub async fn find_for_house(db: &Db, id: &SubMemberId, house: &MemberId) -> Result<SubMember, Error> {
    let sql =
        sql!("select {COLUMNS} from sub_members where id = $1 and house_id = $2 and removed_at is null");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(house.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The same, whose row is held until the transaction ends.
pub async fn lock_for_house(tx: &mut Tx, id: &SubMemberId, house: &MemberId) -> Result<SubMember, Error> {
    let sql = sql!(
        "update sub_members set role = role where id = $1 and house_id = $2 and removed_at is null returning {COLUMNS}"
    );
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(house.as_str())
        .fetch_optional(conn)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// A member's own place; `None` when it was removed.
pub async fn place_of(tx: &mut Tx, id: &SubMemberId, member: &MemberId) -> Result<Option<SubMember>, Error> {
    let sql =
        sql!("select {COLUMNS} from sub_members where id = $1 and member_id = $2 and removed_at is null");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(conn)
        .await)?;
    row.map(SubMember::try_from).transpose()
}

/// How many have been with a house for longer than one of its own.
pub async fn longer(tx: &mut Tx, place: &SubMember) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from sub_members where house_id = $1 and removed_at is null
           and (joined_at < $2 or joined_at = $2 and id < $3)",
    )
    .bind(place.house.as_str())
    .bind(place.joined_at)
    .bind(place.id.as_str())
    .fetch_one(conn)
    .await)?)
}

/// A place, removed or not, whose row is held until the transaction ends.
pub async fn lock(tx: &mut Tx, id: &SubMemberId) -> Result<SubMember, Error> {
    let sql = sql!("update sub_members set role = role where id = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// How many work for a house.
pub async fn count(tx: &mut Tx, house: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from sub_members where house_id = $1 and removed_at is null"
    )
    .bind(house.as_str())
    .fetch_one(conn)
    .await)?)
}

/// Whether a member works for a house.
pub async fn is_one(tx: &mut Tx, house: &MemberId, member: &MemberId) -> Result<bool, Error> {
    let found: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from sub_members where house_id = $1 and member_id = $2 and removed_at is null"
    )
    .bind(house.as_str())
    .bind(member.as_str())
    .fetch_one(conn)
    .await)?;
    Ok(found > 0)
}

/// Changes what the house calls one of its own, and what that may do; false when it has none such.
pub async fn change(
    db: &Db,
    id: &SubMemberId,
    house: &MemberId,
    name: &str,
    role: Role,
) -> Result<bool, Error> {
    let changed = with_write!(db, |pool| {
        sqlx::query(
        "update sub_members set name = $3, role = $4 where id = $1 and house_id = $2 and removed_at is null"
    )
    .bind(id.as_str())
    .bind(house.as_str())
    .bind(name)
    .bind(role.code())
    .execute(pool)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(changed == 1)
}

/// Ends a place.
pub async fn set_removed(tx: &mut Tx, id: &SubMemberId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update sub_members set removed_at = $2 where id = $1 and removed_at is null"
    )
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// The places of a house or in houses of a member, whose rows are held until the transaction ends.
pub async fn lock_all_of(tx: &mut Tx, member: &MemberId) -> Result<Vec<SubMember>, Error> {
    let sql = sql!(
        "update sub_members set role = role where (house_id = $1 or member_id = $1) and removed_at is null
         returning {COLUMNS}"
    );
    let rows: Vec<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_all(conn).await)?;
    rows.into_iter().map(SubMember::try_from).collect()
}
