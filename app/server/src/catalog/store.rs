//! SQL of goods.

use domain::goods::Goods;

use crate::db::{self, Db, with_db};
use crate::error::Error;

/// Adds goods unless their id is known.
pub async fn insert_missing(db: &Db, goods: &Goods, position: i64) -> Result<(), Error> {
    with_db!(db, |pool| sqlx::query(
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

/// What is sold.
pub async fn active(db: &Db) -> Result<Vec<Goods>, Error> {
    let rows: Vec<(String,)> =
        with_db!(db, |pool| sqlx::query_as("select body from goods where active = 1 order by position, id")
            .fetch_all(pool)
            .await)?;
    Ok(rows.iter().map(|(body,)| db::json("body", body)).collect::<Result<_, _>>()?)
}
