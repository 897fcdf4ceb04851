//! SQL of shelves.

use base::db::{Db, Tx, formatcp, joined, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use domain::ids::{MemberId, ShelfId};
use domain::shelf::{MOST_NAMES, ShelfName};

/// A publication on a shelf: the word for its kind, and its id.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Place {
    pub kind: String,
    #[sqlx(rename = "item_id")]
    pub id: String,
}

/// A shelf of what a member publishes.
#[derive(Debug, Clone)]
pub struct Shelf {
    pub id: ShelfId,
    pub member: MemberId,
    pub name: ShelfName,
    pub title: String,
    /// Whose it is, as readers are told.
    pub byline: String,
    pub description: String,
    pub is_public: bool,
    /// What on it stands for it; none for the first thing.
    pub cover: Option<Place>,
    pub updated_at: i64,
    /// Why the house withdrew it.
    pub withdrawn_reason: Option<String>,
}

impl Shelf {
    /// Whether everybody may look at it.
    pub fn is_open(&self) -> bool {
        self.is_public && self.withdrawn_reason.is_none()
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    member_id: String,
    name: String,
    title: String,
    byline: String,
    description: String,
    is_public: i64,
    cover_kind: Option<String>,
    cover_id: Option<String>,
    updated_at: i64,
    withdrawn_reason: Option<String>,
}

impl TryFrom<Row> for Shelf {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            name: row.name.parse().map_err(Error::internal)?,
            title: row.title,
            byline: row.byline,
            description: row.description,
            is_public: row.is_public == 1,
            cover: row.cover_kind.zip(row.cover_id).map(|(kind, id)| Place { kind, id }),
            updated_at: row.updated_at,
            withdrawn_reason: row.withdrawn_reason,
        })
    }
}

const COLUMNS: &str =
    "s.id, s.member_id, s.name, s.title, s.byline, s.description, s.is_public, s.cover_kind, s.cover_id,
    s.updated_at, s.withdrawn_reason";

/// A member's own shelf.
pub async fn find_for_owner(db: &Db, id: &ShelfId, member: &MemberId) -> Result<Shelf, Error> {
    let sql = sql!("select {COLUMNS} from shelves s where s.id = $1 and s.member_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The shelf that has a name or had it, whoever asks: who may look at it is for the caller to say.
pub async fn find_by_name(db: &Db, name: &ShelfName) -> Result<Option<Shelf>, Error> {
    let sql =
        sql!("select {COLUMNS} from shelf_names n join shelves s on s.id = n.shelf_id where n.name = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(name.as_str()).fetch_optional(pool).await)?;
    row.map(Shelf::try_from).transpose()
}

const ALL: &str = formatcp!("select {COLUMNS} from shelves s");
const OF_MEMBER: &str = "where s.member_id = $1";
const OF_ALL: &str = "where $1 = ''";

/// A member's shelves, or all where none is named; the newest first.
pub async fn list(db: &Db, member: Option<&MemberId>) -> Result<Vec<Shelf>, Error> {
    let whose = if member.is_some() { OF_MEMBER } else { OF_ALL };
    let sql = joined(&[ALL, whose, "order by s.id desc"]);
    let rows: Vec<Row> = with_db!(db, |pool| {
        sqlx::query_as(sql.text()).bind(member.map_or("", MemberId::as_str)).fetch_all(pool).await
    })?;
    rows.into_iter().map(Shelf::try_from).collect()
}

/// The names of shelves that search engines may have, with the moment of the last change; the last changed first.
pub async fn listed(db: &Db, most: i64) -> Result<Vec<(String, i64)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select name, updated_at from shelves where is_public = 1 and withdrawn_at is null
         order by updated_at desc, id desc limit $1",
    )
    .bind(most)
    .fetch_all(pool)
    .await)?)
}

/// What stands on a shelf, in its order.
pub async fn items(db: &Db, id: &ShelfId) -> Result<Vec<Place>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select kind, item_id from shelf_items where shelf_id = $1 order by position, added_at, item_id",
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await)?)
}

/// The same within a transaction that holds the shelf.
pub async fn items_within(tx: &mut Tx, id: &ShelfId) -> Result<Vec<Place>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select kind, item_id from shelf_items where shelf_id = $1 order by position, added_at, item_id",
    )
    .bind(id.as_str())
    .fetch_all(conn)
    .await)?)
}

/// Old names of a shelf that lead to it, the newest first.
pub async fn old_names(db: &Db, shelf: &Shelf) -> Result<Vec<String>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select name from shelf_names where shelf_id = $1 and name <> $2 order by since desc, name",
    )
    .bind(shelf.id.as_str())
    .bind(shelf.name.as_str())
    .fetch_all(pool)
    .await)?)
}

/// Holds a member's own shelf, and notes that it changes; false where there is none.
pub async fn hold(tx: &mut Tx, id: &ShelfId, member: &MemberId, now: i64) -> Result<bool, Error> {
    let held = with_tx!(tx, |conn| sqlx::query(
        "update shelves set updated_at = $3 where id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(held == 1)
}

/// Holds a member's row, so that its shelves are counted one after the other, and answers how many it has.
pub async fn count(tx: &mut Tx, member: &MemberId) -> Result<i64, Error> {
    accounts::hold_member(tx, member).await?;
    Ok(with_tx!(tx, |conn| sqlx::query_scalar("select count(*) from shelves where member_id = $1")
        .bind(member.as_str())
        .fetch_one(conn)
        .await)?)
}

/// Writes a shelf; false where the id is in use, such as when the same form comes twice.
pub async fn insert(tx: &mut Tx, shelf: &Shelf) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
            "insert into shelves (id, member_id, name, title, byline, description, is_public, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict (id) do nothing",
        )
        .bind(shelf.id.as_str())
        .bind(shelf.member.as_str())
        .bind(shelf.name.as_str())
        .bind(&shelf.title)
        .bind(&shelf.byline)
        .bind(&shelf.description)
        .bind(i64::from(shelf.is_public))
        .bind(shelf.updated_at)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Gives a shelf its name; false where that is another shelf's. Of more names than a shelf may have the oldest goes.
pub async fn claim(tx: &mut Tx, id: &ShelfId, name: &ShelfName, now: i64) -> Result<bool, Error> {
    with_tx!(&mut *tx, |conn| {
        sqlx::query(
        "insert into shelf_names (name, shelf_id, since) values ($1, $2, $3)
         on conflict (name) do update set since = excluded.since where shelf_names.shelf_id = excluded.shelf_id",
    )
    .bind(name.as_str())
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    let owner: String =
        with_tx!(&mut *tx, |conn| sqlx::query_scalar("select shelf_id from shelf_names where name = $1")
            .bind(name.as_str())
            .fetch_one(conn)
            .await)?;
    if owner != id.as_str() {
        return Ok(false);
    }
    with_tx!(&mut *tx, |conn| sqlx::query(
        "delete from shelf_names where shelf_id = $1 and name not in (
             select name from shelf_names where shelf_id = $1 order by since desc, name limit $2)",
    )
    .bind(id.as_str())
    .bind(i64::try_from(MOST_NAMES).unwrap_or(i64::MAX))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(true)
}

/// Changes what is known of a shelf that is held.
pub async fn update(tx: &mut Tx, shelf: &Shelf) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "update shelves set name = $2, title = $3, byline = $4, description = $5, is_public = $6 where id = $1",
    )
    .bind(shelf.id.as_str())
    .bind(shelf.name.as_str())
    .bind(&shelf.title)
    .bind(&shelf.byline)
    .bind(&shelf.description)
    .bind(i64::from(shelf.is_public))
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// What stands for a shelf that is held.
pub async fn set_cover(tx: &mut Tx, id: &ShelfId, cover: &Place) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update shelves set cover_kind = $2, cover_id = $3 where id = $1")
        .bind(id.as_str())
        .bind(&cover.kind)
        .bind(&cover.id)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Puts things on a shelf that is held, in this order, in the place of what stood there.
pub async fn set_items(tx: &mut Tx, id: &ShelfId, places: &[Place], now: i64) -> Result<(), Error> {
    let known = items_within(tx, id).await?;
    for gone in known.iter().filter(|known| !places.contains(known)) {
        with_tx!(&mut *tx, |conn| sqlx::query(
            "delete from shelf_items where shelf_id = $1 and kind = $2 and item_id = $3"
        )
        .bind(id.as_str())
        .bind(&gone.kind)
        .bind(&gone.id)
        .execute(conn)
        .await
        .map(drop))?;
    }
    for (position, place) in (0_i64..).zip(places) {
        with_tx!(&mut *tx, |conn| {
            sqlx::query(
            "insert into shelf_items (shelf_id, kind, item_id, position, added_at) values ($1, $2, $3, $4, $5)
             on conflict (shelf_id, kind, item_id) do update set position = excluded.position",
        )
        .bind(id.as_str())
        .bind(&place.kind)
        .bind(&place.id)
        .bind(position)
        .bind(now)
        .execute(conn)
        .await
        .map(drop)
        })?;
    }
    Ok(())
}

/// Takes a member's own shelf away with its names; false where there is none.
pub async fn delete(tx: &mut Tx, id: &ShelfId, member: &MemberId) -> Result<bool, Error> {
    let deleted = with_tx!(tx, |conn| sqlx::query("delete from shelves where id = $1 and member_id = $2")
        .bind(id.as_str())
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(deleted == 1)
}

/// Takes all shelves of a member away.
pub async fn end_all(tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    for sql in [
        sql!("delete from shelf_names where shelf_id in (select id from shelves where member_id = $1)"),
        sql!("update shelves set is_public = 0 where member_id = $1"),
    ] {
        with_tx!(tx, |conn| sqlx::query(sql.text()).bind(member.as_str()).execute(conn).await.map(drop))?;
    }
    Ok(())
}

/// Forgets some of what a member's shelves are and hold; whether there may be more.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let parts = [
        (
            sql!(
                "delete from shelf_items where (shelf_id, kind, item_id) in (
                     select i.shelf_id, i.kind, i.item_id from shelves s join shelf_items i on i.shelf_id = s.id
                     where s.member_id = $1 limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from shelf_names where name in (
                     select n.name from shelves s join shelf_names n on n.shelf_id = s.id
                     where s.member_id = $1 limit $2)"
            ),
            1,
        ),
        (sql!("delete from shelves where id in (select id from shelves where member_id = $1 limit $2)"), 1),
    ];
    forgetting::some(tx, &parts, member.as_str()).await
}

/// The house withdraws a shelf; false where it is so already.
pub async fn withdraw(tx: &mut Tx, id: &ShelfId, reason: &str, now: i64) -> Result<bool, Error> {
    let changed = with_tx!(tx, |conn| {
        sqlx::query(
        "update shelves set withdrawn_at = $2, withdrawn_reason = $3 where id = $1 and withdrawn_at is null",
    )
    .bind(id.as_str())
    .bind(now)
    .bind(reason)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(changed == 1)
}

/// Takes that back; false where it is not withdrawn.
pub async fn allow(tx: &mut Tx, id: &ShelfId) -> Result<bool, Error> {
    let changed = with_tx!(tx, |conn| {
        sqlx::query(
        "update shelves set withdrawn_at = null, withdrawn_reason = null where id = $1 and withdrawn_at is not null",
    )
    .bind(id.as_str())
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(changed == 1)
}
