//! SQL of goods.

use std::sync::{Arc, LazyLock};

use domain::goods::Goods;
use domain::ids::GoodsId;
use quick_cache::sync::Cache;

use platform::db::{self, Db, Tx, with_db, with_tx, with_write};
use platform::error::Error;

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

/// Goods as the database has them.
#[derive(Debug)]
pub struct Kept {
    pub goods: Goods,
    /// Whether they are sold.
    pub active: bool,
}

/// Reads goods, sold or not, and holds their row; `None` where there are none of this id.
pub async fn lock(tx: &mut Tx, id: &GoodsId) -> Result<Option<Kept>, Error> {
    let row: Option<(String, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "update goods set body = body where id = $1 returning body, active"
    )
    .bind(id.as_str())
    .fetch_optional(conn)
    .await)?;
    row.map(kept).transpose()
}

/// Writes goods; new ones come last in the catalogue.
pub async fn put(tx: &mut Tx, goods: &Goods, active: bool) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into goods (id, position, body, active)
         values ($1, (select coalesce(max(position), -1) + 1 from goods), $2, $3)
         on conflict (id) do update set body = $2, active = $3",
    )
    .bind(goods.id.as_str())
    .bind(serde_json::to_string(goods)?)
    .bind(i64::from(active))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// All goods, sold or not, in the catalogue's order.
pub async fn every(db: &Db) -> Result<Vec<Kept>, Error> {
    let rows: Vec<(String, i64)> =
        with_db!(db, |pool| sqlx::query_as("select body, active from goods order by position, id")
            .fetch_all(pool)
            .await)?;
    rows.into_iter().map(kept).collect()
}

fn kept((body, active): (String, i64)) -> Result<Kept, Error> {
    Ok(Kept { goods: db::json("body", &body)?, active: active == 1 })
}
