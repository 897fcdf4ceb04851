//! SQL of collections and of their guests. What they sent: [`photos`].

pub mod closing;
pub mod photos;

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::guests::CollectionState;
use domain::ids::{CollectionId, GuestId, MemberId};

/// What photos are sent to.
#[derive(Debug, Clone)]
pub struct Collection {
    pub id: CollectionId,
    pub member: MemberId,
    /// Without lines.
    pub code: String,
    pub title: String,
    pub greeting: String,
    pub thanks: String,
    pub asks_wishes: bool,
    /// When its last day is over, epoch ms.
    pub until: i64,
    pub most: i64,
    pub most_each: i64,
    pub created_at: i64,
    pub ended_at: Option<i64>,
}

impl Collection {
    /// Where it stands.
    pub fn state(&self, now: i64) -> CollectionState {
        CollectionState::of(self.until, self.ended_at.is_some(), now)
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    member_id: String,
    code: String,
    title: String,
    greeting: String,
    thanks: String,
    asks_wishes: i64,
    until: i64,
    most: i64,
    most_each: i64,
    created_at: i64,
    ended_at: Option<i64>,
}

impl TryFrom<Row> for Collection {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            code: row.code,
            title: row.title,
            greeting: row.greeting,
            thanks: row.thanks,
            asks_wishes: row.asks_wishes == 1,
            until: row.until,
            most: row.most,
            most_each: row.most_each,
            created_at: row.created_at,
            ended_at: row.ended_at,
        })
    }
}

const COLUMNS: &str =
    "id, member_id, code, title, greeting, thanks, asks_wishes, until, most, most_each, created_at, ended_at";

/// Adds a collection, once for its id; false where its member has as many as it may.
pub async fn insert(tx: &mut Tx, collection: &Collection, most: i64) -> Result<bool, Error> {
    let (count, known): (i64, i64) = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select count(*), cast(coalesce(sum(case when id = $2 then 1 else 0 end), 0) as bigint)
         from guest_collections where member_id = $1 and deleted_at is null"
    )
    .bind(collection.member.as_str())
    .bind(collection.id.as_str())
    .fetch_one(conn)
    .await)?;
    if known > 0 {
        return Ok(true);
    }
    if count >= most {
        return Ok(false);
    }
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into guest_collections (id, member_id, code, title, greeting, thanks, asks_wishes, until, most,
                                        most_each, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing",
        )
        .bind(collection.id.as_str())
        .bind(collection.member.as_str())
        .bind(&collection.code)
        .bind(&collection.title)
        .bind(&collection.greeting)
        .bind(&collection.thanks)
        .bind(i64::from(collection.asks_wishes))
        .bind(collection.until)
        .bind(collection.most)
        .bind(collection.most_each)
        .bind(collection.created_at)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(true)
}

/// Writes what its owner says of a collection.
pub async fn change(tx: &mut Tx, collection: &Collection) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "update guest_collections set title = $2, greeting = $3, thanks = $4, asks_wishes = $5, until = $6, most = $7,
                                      most_each = $8
         where id = $1 and deleted_at is null",
        )
        .bind(collection.id.as_str())
        .bind(&collection.title)
        .bind(&collection.greeting)
        .bind(&collection.thanks)
        .bind(i64::from(collection.asks_wishes))
        .bind(collection.until)
        .bind(collection.most)
        .bind(collection.most_each)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Ends a collection, or opens it again.
pub async fn set_ended(tx: &mut Tx, id: &CollectionId, ended_at: Option<i64>) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update guest_collections set ended_at = $2 where id = $1 and deleted_at is null"
    )
    .bind(id.as_str())
    .bind(ended_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Holds a collection's row until the transaction ends, and answers it as it is then; a deleted one is none.
pub async fn hold(tx: &mut Tx, id: &CollectionId) -> Result<Collection, Error> {
    let sql = sql!(
        "update guest_collections set title = title where id = $1 and deleted_at is null returning {COLUMNS}"
    );
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of a member's own collections.
pub async fn find_for_owner(db: &Db, id: &CollectionId, member: &MemberId) -> Result<Collection, Error> {
    let sql = sql!(
        "select {COLUMNS} from guest_collections where id = $1 and member_id = $2 and deleted_at is null"
    );
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any collection that was not deleted.
pub async fn find_any(db: &Db, id: &CollectionId) -> Result<Collection, Error> {
    let sql = sql!("select {COLUMNS} from guest_collections where id = $1 and deleted_at is null");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The collection of a code.
pub async fn by_code(db: &Db, code: &str) -> Result<Option<Collection>, Error> {
    let sql = sql!("select {COLUMNS} from guest_collections where code = $1 and deleted_at is null");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(code).fetch_optional(pool).await)?;
    row.map(Collection::try_from).transpose()
}

/// All of a member's collections, the newest first.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Vec<Collection>, Error> {
    let sql = sql!(
        "select {COLUMNS} from guest_collections where member_id = $1 and deleted_at is null
         order by created_at desc, id desc limit 200"
    );
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_all(pool).await)?;
    rows.into_iter().map(Collection::try_from).collect()
}

/// Who sends.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Guest {
    pub id: String,
    pub name: String,
    pub wish: String,
    pub is_wish_hidden: i64,
}

impl Guest {
    /// What its owner calls it.
    pub fn shown_name(&self) -> &str {
        if self.name.is_empty() { "没有留名字" } else { &self.name }
    }
}

/// The guest of a browser at a collection.
pub async fn guest_of(db: &Db, collection: &CollectionId, browser: &str) -> Result<Option<Guest>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select id, name, wish, is_wish_hidden from guests where collection_id = $1 and browser = $2"
    )
    .bind(collection.as_str())
    .bind(browser)
    .fetch_optional(pool)
    .await)?)
}

/// How many guests a collection has.
pub async fn count_guests(tx: &mut Tx, collection: &CollectionId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar("select count(*) from guests where collection_id = $1")
        .bind(collection.as_str())
        .fetch_one(conn)
        .await)?)
}

/// Adds a browser's guest, and answers it; one that is there already stays what it is.
pub async fn insert_guest(
    tx: &mut Tx,
    id: &GuestId,
    collection: &CollectionId,
    browser: &str,
    now: i64,
) -> Result<Guest, Error> {
    Ok(with_tx!(tx, |conn| {
        sqlx::query_as(
            "insert into guests (id, collection_id, browser, name, wish, created_at) values ($1, $2, $3, '', '', $4)
         on conflict (collection_id, browser) do update set name = guests.name
         returning id, name, wish, is_wish_hidden",
        )
        .bind(id.as_str())
        .bind(collection.as_str())
        .bind(browser)
        .bind(now)
        .fetch_one(conn)
        .await
    })?)
}

/// Writes what a guest says of itself; another wish is looked at anew.
pub async fn set_words(tx: &mut Tx, guest: &str, name: &str, wish: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "update guests set name = $2, wish = $3,
                is_wish_hidden = case when wish = $3 then is_wish_hidden else 0 end
         where id = $1",
        )
        .bind(guest)
        .bind(name)
        .bind(wish)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// A collection's guests who wrote something, those that came first first, behind one of them.
pub async fn wishes(db: &Db, collection: &CollectionId, after: &str, most: i64) -> Result<Vec<Guest>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select id, name, wish, is_wish_hidden from guests
         where collection_id = $1 and wish <> '' and id > $2 order by id limit $3",
        )
        .bind(collection.as_str())
        .bind(after)
        .bind(most)
        .fetch_all(pool)
        .await
    })?)
}

/// How many of a collection's wishes are wanted.
pub async fn count_wishes(db: &Db, collection: &CollectionId) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from guests where collection_id = $1 and wish <> '' and is_wish_hidden = 0"
    )
    .bind(collection.as_str())
    .fetch_one(pool)
    .await)?)
}

/// Hides a wish of a collection, or shows it again.
pub async fn hide_wish(
    tx: &mut Tx,
    collection: &CollectionId,
    guest: &GuestId,
    is_hidden: bool,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update guests set is_wish_hidden = $3 where collection_id = $1 and id = $2"
    )
    .bind(collection.as_str())
    .bind(guest.as_str())
    .bind(i64::from(is_hidden))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}
