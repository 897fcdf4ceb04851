//! SQL of what a shop does in a day, and of what it still has to do.

use std::collections::BTreeMap;

use base::db::{Db, Tx, sql, with_tx};
use base::error::Error;
use domain::ids::OrderId;
use domain::production::{Stage, Stages, Work};
use domain::typed;
use time::Date;

use super::{NEVER, Number};

/// What a shop does in a day, and when it does nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shop {
    /// In [`Stage::unit`]s.
    pub capacity: BTreeMap<Stage, u64>,
    pub closed: Vec<Date>,
}

impl Shop {
    /// Whether it takes what comes.
    pub fn is_boundless(&self) -> bool {
        self.capacity.is_empty() && self.closed.is_empty()
    }
}

/// What the shop is set to.
pub async fn shop(tx: &mut Tx) -> Result<Shop, Error> {
    let capacity: Vec<(String, i64)> =
        with_tx!(&mut *tx, |conn| sqlx::query_as("select stage, units from production_capacity")
            .fetch_all(conn)
            .await)?;
    let closed: Vec<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select day from production_closed order by day")
            .fetch_all(conn)
            .await)?;
    // what another program wrote, and can't be read here, bounds nothing: a plan refuses no money
    let capacity = capacity.into_iter().filter_map(|(stage, units)| {
        let read = stage.parse().ok().zip(u64::try_from(units).ok());
        read.or_else(|| {
            tracing::error!(stage, units, "A capacity can't be read");
            None
        })
    });
    let capacity = capacity.collect();
    Ok(Shop { capacity, closed: closed.iter().filter_map(|day| typed::date(day)).collect() })
}

/// Sets it anew.
pub async fn write(tx: &mut Tx, shop: &Shop) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query("delete from production_capacity").execute(conn).await.map(drop))?;
    if !shop.capacity.is_empty() {
        let sql = sql!(
            "insert into production_capacity (stage, units) values [(?, ?)]
             on conflict (stage) do update set units = excluded.units"
        )
        .repeated(shop.capacity.len());
        with_tx!(&mut *tx, |conn| {
            let mut query = sqlx::query(sql.text());
            for (stage, units) in &shop.capacity {
                query = query.bind(stage.code()).bind(i64::try_from(*units).map_err(Error::internal)?);
            }
            query.execute(conn).await.map(drop)
        })?;
    }
    with_tx!(&mut *tx, |conn| sqlx::query("delete from production_closed").execute(conn).await.map(drop))?;
    if !shop.closed.is_empty() {
        let sql = sql!("insert into production_closed (day) values [(?)] on conflict (day) do nothing")
            .repeated(shop.closed.len());
        with_tx!(tx, |conn| {
            let query =
                shop.closed.iter().fold(sqlx::query(sql.text()), |query, day| query.bind(day.to_string()));
            query.execute(conn).await.map(drop)
        })?;
    }
    Ok(())
}

/// A line that still asks for work, and the first moment of its promised day.
#[derive(Debug, Clone)]
pub struct Open {
    pub number: Number,
    pub title: String,
    pub due: Option<i64>,
    pub work: Work,
}

type OpenRow = (String, i64, String, i64, i64, String, Option<String>, i64);

/// One that can't be read, such as another program's stages, is planned by nobody: it is no reason to take no payment.
fn open(row: OpenRow) -> Option<Open> {
    let (order, line, title, copies, pages, stages, stage, due) = row;
    let read = || {
        let order: OrderId = order.clone().try_into().ok()?;
        let all: Stages = stages.parse().ok()?;
        let at: Option<Stage> = stage.as_deref().map(str::parse).transpose().ok()?;
        let stages = all.rest(at.unwrap_or(all.first())).collect();
        let work = Work { stages, copies: copies.try_into().ok()?, pages: pages.try_into().ok()? };
        let due = (due < NEVER).then_some(due);
        Some(Open { number: Number { order, line }, title, due, work })
    };
    let open = read();
    if open.is_none() {
        tracing::error!(order, line, stages, stage, "A line on the floor can't be read");
    }
    open
}

/// All that is on the floor, the first to be promised first.
pub async fn all_open(tx: &mut Tx) -> Result<Vec<Open>, Error> {
    let rows: Vec<OpenRow> = with_tx!(tx, |conn| sqlx::query_as(
        "select order_id, line, title, copies, pages, stages, stage, due from production
         where ended is null order by due, order_id, line"
    )
    .fetch_all(conn)
    .await)?;
    Ok(rows.into_iter().filter_map(open).collect())
}

/// What the shop is set to, and what is on the floor of one that is bounded.
pub async fn read(db: &Db) -> Result<(Shop, Vec<Open>), Error> {
    let mut tx = db.begin_snapshot().await?;
    let shop = shop(&mut tx).await?;
    let open = if shop.is_boundless() { Vec::new() } else { all_open(&mut tx).await? };
    Ok((shop, open))
}
