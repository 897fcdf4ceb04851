//! SQL of goods.

use std::sync::{Arc, LazyLock};

use base::db::{self, Db, Tx, with_db, with_tx, with_write};
use base::error::Error;
use domain::goods::Goods;
use domain::ids::GoodsId;
use quick_cache::sync::Cache;

use super::files::Filed;

/// Adds goods unless their id is known.
pub async fn insert_missing(db: &Db, goods: &Goods, position: i64) -> Result<(), Error> {
    with_write!(db, |pool| sqlx::query(
        "insert into goods (id, position, body, active) values ($1, $2, $3, 1) on conflict (id) do nothing",
    )
    .bind(goods.id.as_str())
    .bind(position)
    .bind(serde_json::to_string(goods)?)
    .execute(pool)
    .await
    .map(drop))?;
    Ok(())
}

/// Goods by the text that they were read from: parsing it is most of what a price costs. Whoever changes goods, here or
/// elsewhere, changes the text.
static READ: LazyLock<Cache<String, Arc<Goods>>> = LazyLock::new(|| Cache::new(256));

/// What is sold.
pub async fn active(db: &Db) -> Result<Vec<Arc<Goods>>, Error> {
    let rows: Vec<(String,)> =
        with_db!(db, |pool| sqlx::query_as("select body from goods where active = 1 order by position, id")
            .fetch_all(pool)
            .await)?;
    rows.into_iter().map(|(body,)| read(body)).collect()
}

fn read(body: String) -> Result<Arc<Goods>, Error> {
    if let Some(goods) = READ.get(body.as_str()) {
        return Ok(goods);
    }
    let goods = Arc::new(db::json("body", &body)?);
    READ.insert(body, Arc::clone(&goods));
    Ok(goods)
}

/// Reads goods, sold or not, and holds their row; `None` where there are none of this id.
pub async fn lock(tx: &mut Tx, id: &GoodsId) -> Result<Option<Filed>, Error> {
    let row: Option<(String, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "update goods set body = body where id = $1 returning body, active"
    )
    .bind(id.as_str())
    .fetch_optional(conn)
    .await)?;
    row.map(filed).transpose()
}

/// The same, and nobody is kept from changing them.
pub async fn find(tx: &mut Tx, id: &GoodsId) -> Result<Option<Filed>, Error> {
    let row: Option<(String, i64)> =
        with_tx!(tx, |conn| sqlx::query_as("select body, active from goods where id = $1")
            .bind(id.as_str())
            .fetch_optional(conn)
            .await)?;
    row.map(filed).transpose()
}

/// Writes goods; new ones come last in the catalogue.
pub async fn put(tx: &mut Tx, filed: &Filed) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into goods (id, position, body, active)
         values ($1, (select coalesce(max(position), -1) + 1 from goods), $2, $3)
         on conflict (id) do update set body = $2, active = $3",
    )
    .bind(filed.goods.id.as_str())
    .bind(serde_json::to_string(&filed.goods)?)
    .bind(i64::from(filed.active))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// All goods, sold or not, in the catalogue's order.
pub async fn every(db: &Db) -> Result<Vec<Filed>, Error> {
    let rows: Vec<(String, i64)> =
        with_db!(db, |pool| sqlx::query_as("select body, active from goods order by position, id")
            .fetch_all(pool)
            .await)?;
    rows.into_iter().map(filed).collect()
}

fn filed((body, active): (String, i64)) -> Result<Filed, Error> {
    Ok(Filed { goods: db::json("body", &body)?, active: active == 1 })
}

/// Goods as another version of the program may have written them.
fn readable(body: &str, active: i64) -> Option<Filed> {
    Some(Filed { goods: serde_json::from_str(body).ok()?, active: active == 1 })
}

/// Goods as a list tells of them.
#[derive(Debug)]
pub struct Listed {
    pub filed: Filed,
    /// When they were changed last, epoch ms, and by whom.
    pub changed: Option<(i64, String)>,
    /// When a change takes effect that waits, epoch ms, and whether it could not.
    pub waits: Option<(i64, bool)>,
}

#[derive(sqlx::FromRow)]
struct ListedRow {
    body: String,
    active: i64,
    made_at: Option<i64>,
    made_by: Option<String>,
    takes_effect_at: Option<i64>,
    failed: Option<String>,
}

/// All goods with what became of them, in the catalogue's order.
pub async fn listed(db: &Db) -> Result<Vec<Listed>, Error> {
    let rows: Vec<ListedRow> = with_db!(db, |pool| sqlx::query_as(
        "select g.body, g.active, v.made_at, v.made_by, c.takes_effect_at, c.failed
         from goods g
         left join goods_versions v on v.goods_id = g.id
             and v.number = (select max(n.number) from goods_versions n where n.goods_id = v.goods_id)
         left join goods_changes c on c.goods_id = g.id
         order by g.position, g.id"
    )
    .fetch_all(pool)
    .await)?;
    let listed = |row: ListedRow| -> Result<Listed, Error> {
        Ok(Listed {
            filed: filed((row.body, row.active))?,
            changed: row.made_at.zip(row.made_by),
            waits: row.takes_effect_at.map(|at| (at, row.failed.is_some())),
        })
    };
    rows.into_iter().map(listed).collect()
}

/// What is noted of a version.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Version {
    pub number: i64,
    pub note: String,
    /// Empty for what there was before somebody changed it.
    pub made_by: String,
    pub made_at: i64,
}

/// The newest versions, the newest first.
pub async fn versions(tx: &mut Tx, id: &GoodsId, most: i64) -> Result<Vec<Version>, Error> {
    Ok(with_tx!(tx, |conn| {
        sqlx::query_as(
        "select number, note, made_by, made_at from goods_versions where goods_id = $1 order by number desc limit $2"
    )
    .bind(id.as_str())
    .bind(most)
    .fetch_all(conn)
    .await
    })?)
}

/// The number of the newest version, and what goods were in it where that can still be read.
pub async fn newest_version(tx: &mut Tx, id: &GoodsId) -> Result<Option<(i64, Option<Filed>)>, Error> {
    let row: Option<(i64, String, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select number, body, active from goods_versions where goods_id = $1 order by number desc limit 1"
    )
    .bind(id.as_str())
    .fetch_optional(conn)
    .await)?;
    Ok(row.map(|(number, body, active)| (number, readable(&body, active))))
}

/// What goods were in a version; `None` where there is none of this number, or it can't be read any more.
pub async fn version(tx: &mut Tx, id: &GoodsId, number: i64) -> Result<Option<Filed>, Error> {
    let row: Option<(String, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select body, active from goods_versions where goods_id = $1 and number = $2"
    )
    .bind(id.as_str())
    .bind(number)
    .fetch_optional(conn)
    .await)?;
    Ok(row.and_then(|(body, active)| readable(&body, active)))
}

/// Keeps goods as a version.
pub async fn add_version(tx: &mut Tx, filed: &Filed, version: &Version) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into goods_versions (goods_id, number, body, active, note, made_by, made_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(filed.goods.id.as_str())
    .bind(version.number)
    .bind(serde_json::to_string(&filed.goods)?)
    .bind(i64::from(filed.active))
    .bind(&version.note)
    .bind(&version.made_by)
    .bind(version.made_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// A change that waits for its day.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// What goods will be; `None` where this version of the program can't read it.
    pub filed: Option<Filed>,
    /// The number of the version that it was made over.
    pub base: i64,
    pub note: String,
    pub made_by: String,
    pub made_at: i64,
    pub takes_effect_at: i64,
    /// Why it did not take effect on its day.
    pub failed: Option<String>,
}

#[derive(sqlx::FromRow)]
struct WaitingRow {
    body: String,
    active: i64,
    base: i64,
    note: String,
    made_by: String,
    made_at: i64,
    takes_effect_at: i64,
    failed: Option<String>,
}

impl From<WaitingRow> for Waiting {
    fn from(row: WaitingRow) -> Self {
        Self {
            filed: readable(&row.body, row.active),
            base: row.base,
            note: row.note,
            made_by: row.made_by,
            made_at: row.made_at,
            takes_effect_at: row.takes_effect_at,
            failed: row.failed,
        }
    }
}

/// The change of goods that waits, where one does.
pub async fn waiting(tx: &mut Tx, id: &GoodsId) -> Result<Option<Waiting>, Error> {
    let row: Option<WaitingRow> = with_tx!(tx, |conn| sqlx::query_as(
        "select body, active, base, note, made_by, made_at, takes_effect_at, failed
         from goods_changes where goods_id = $1"
    )
    .bind(id.as_str())
    .fetch_optional(conn)
    .await)?;
    Ok(row.map(Waiting::from))
}

/// Keeps a change for its day, in the place of one that waited.
pub async fn put_waiting(
    tx: &mut Tx,
    filed: &Filed,
    base: i64,
    version: &Version,
    takes_effect_at: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into goods_changes (goods_id, body, active, base, note, made_by, made_at, takes_effect_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (goods_id) do update set body = $2, active = $3, base = $4, note = $5, made_by = $6,
             made_at = $7, takes_effect_at = $8, failed = null",
    )
    .bind(filed.goods.id.as_str())
    .bind(serde_json::to_string(&filed.goods)?)
    .bind(i64::from(filed.active))
    .bind(base)
    .bind(&version.note)
    .bind(&version.made_by)
    .bind(version.made_at)
    .bind(takes_effect_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Notes why a change could not take effect.
pub async fn fail_waiting(tx: &mut Tx, id: &GoodsId, reason: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update goods_changes set failed = $2 where goods_id = $1")
        .bind(id.as_str())
        .bind(reason)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Forgets the change that waits; false where none does.
pub async fn drop_waiting(tx: &mut Tx, id: &GoodsId) -> Result<bool, Error> {
    let dropped = with_tx!(tx, |conn| sqlx::query("delete from goods_changes where goods_id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(dropped > 0)
}

/// How many changes wait, and since when the first waits whose day has come.
pub async fn count_waiting(db: &Db, now: i64) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(case when takes_effect_at <= $1 then takes_effect_at end) from goods_changes"
    )
    .bind(now)
    .fetch_one(pool)
    .await)?)
}
