//! SQL of shipping addresses. Each write locks the member's row first: two of them at once must not leave two
//! defaults, or one address too many.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::ids::{AddressId, MemberId};
use serde::{Deserialize, Serialize};

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
    /// Whether the same person is reached at the same place, whatever else is known of the two.
    pub fn is_same_place(&self, other: &Self) -> bool {
        let said = |it: &Self| (it.receiver.clone(), it.phone.clone(), it.place());
        said(self) == said(other)
    }

    /// The place in one line.
    pub fn place(&self) -> String {
        self.parts().concat()
    }

    /// The place in one line that is easy to read.
    pub fn spaced(&self) -> String {
        self.parts().join(" ")
    }

    /// A city that is a province of its own is named once: 北京市 东城区.
    fn parts(&self) -> Vec<&str> {
        let mut parts =
            vec![self.province.as_str(), self.city.as_str(), self.district.as_str(), self.street.as_str()];
        parts.dedup();
        parts
    }
}

type Row = (String, String, String, String, String, String, String, i64);

/// A member's addresses, the default first; where none is marked the oldest counts as the default
/// (specification section 3).
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Address>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(
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

/// Adds an address; it becomes the default when it is the first, or asked to. False when the member has `most`
/// already.
pub async fn insert(
    db: &Db,
    member: &MemberId,
    address: &Address,
    most: i64,
    now: i64,
) -> Result<bool, Error> {
    let mut tx = begin(db, member).await?;
    let (known,): (i64,) =
        with_tx!(&mut tx, |conn| sqlx::query_as("select count(*) from addresses where member_id = $1")
            .bind(member.as_str())
            .fetch_one(conn)
            .await)?;
    if known >= most {
        return Ok(false);
    }
    with_tx!(&mut tx, |conn| {
        sqlx::query(
        "insert into addresses (id, member_id, receiver, phone, province, city, district, street, is_default, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)",
    )
    .bind(address.id.as_str())
    .bind(member.as_str())
    .bind(&address.receiver)
    .bind(&address.phone)
    .bind(&address.province)
    .bind(&address.city)
    .bind(&address.district)
    .bind(&address.street)
    .bind(now)
    .execute(conn)
    .await.map(drop)
    })?;
    if address.is_default || known == 0 {
        mark_default(&mut tx, member, &address.id).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Changes one of a member's own addresses; false when it has no such address. A default stays the default.
pub async fn update(db: &Db, member: &MemberId, address: &Address) -> Result<bool, Error> {
    let mut tx = begin(db, member).await?;
    let changed = with_tx!(&mut tx, |conn| {
        sqlx::query(
        "update addresses set receiver = $3, phone = $4, province = $5, city = $6, district = $7, street = $8
         where id = $1 and member_id = $2",
    )
    .bind(address.id.as_str())
    .bind(member.as_str())
    .bind(&address.receiver)
    .bind(&address.phone)
    .bind(&address.province)
    .bind(&address.city)
    .bind(&address.district)
    .bind(&address.street)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    if changed == 0 {
        return Ok(false);
    }
    if address.is_default {
        mark_default(&mut tx, member, &address.id).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Removes one of a member's own addresses; false when it has no such address. After the default, the oldest of the
/// others is the default.
pub async fn delete(db: &Db, member: &MemberId, id: &AddressId) -> Result<bool, Error> {
    let mut tx = begin(db, member).await?;
    let was_default: Option<i64> = with_tx!(&mut tx, |conn| sqlx::query_scalar(
        "delete from addresses where id = $1 and member_id = $2 returning is_default"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .fetch_optional(conn)
    .await)?;
    if was_default == Some(1) {
        with_tx!(&mut tx, |conn| sqlx::query(
            "update addresses set is_default = 1
             where id = (select id from addresses where member_id = $1 order by created_at, id limit 1)",
        )
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    }
    tx.commit().await?;
    Ok(was_default.is_some())
}

/// Makes one of a member's own addresses the default; false when it has no such address.
pub async fn set_default(db: &Db, member: &MemberId, id: &AddressId) -> Result<bool, Error> {
    let mut tx = begin(db, member).await?;
    let set = mark_default(&mut tx, member, id).await?;
    if set {
        tx.commit().await?;
    }
    Ok(set)
}

async fn begin(db: &Db, member: &MemberId) -> Result<Tx, Error> {
    let mut tx = db.begin().await?;
    super::hold(&mut tx, member).await?;
    Ok(tx)
}

async fn mark_default(tx: &mut Tx, member: &MemberId, id: &AddressId) -> Result<bool, Error> {
    let known = with_tx!(tx, |conn| sqlx::query(
        "update addresses set is_default = 1 where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    if known == 1 {
        with_tx!(tx, |conn| sqlx::query(
            "update addresses set is_default = 0 where member_id = $1 and id <> $2 and is_default = 1"
        )
        .bind(member.as_str())
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    }
    Ok(known == 1)
}
