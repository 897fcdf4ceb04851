//! SQL of copies whose money went back by themselves.

use base::db::{Db, Sql, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::ids::OrderId;
use domain::money::Fen;
use domain::order_refund::{Back, Line, Paid, Refunded};
use domain::parcel::Copies;

use super::Order;

/// What stands for a line where it is about what was paid for sending.
const SHIPPING: i64 = 0;

type Row = (i64, i64, i64, i64, i64);

const OF_ORDER: Sql = sql!(
    "select line, copies, unmade, round, amount from refunded_copies where order_id = $1 order by line, refund_key"
);

fn read((line, copies, unmade, round, amount): Row) -> Result<Refunded, Error> {
    let count = |count: i64| count.try_into().map_err(Error::internal);
    Ok(Refunded { line, copies: count(copies)?, unmade: count(unmade)?, round, amount: Fen(amount) })
}

/// What went back of an order by copies; what was paid for sending is there as line 0.
async fn all(tx: &mut Tx, order: &OrderId) -> Result<Vec<Refunded>, Error> {
    let rows: Vec<Row> =
        with_tx!(tx, |conn| sqlx::query_as(OF_ORDER.text()).bind(order.as_str()).fetch_all(conn).await)?;
    rows.into_iter().map(read).collect()
}

/// The copies of an order that were refunded by themselves.
pub async fn of_order(tx: &mut Tx, order: &OrderId) -> Result<Vec<Refunded>, Error> {
    let mut found = all(tx, order).await?;
    found.retain(|one| one.line != SHIPPING);
    Ok(found)
}

/// The same outside of a transaction.
pub async fn listed(db: &Db, order: &OrderId) -> Result<Vec<Refunded>, Error> {
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(OF_ORDER.text()).bind(order.as_str()).fetch_all(pool).await)?;
    rows.into_iter().filter(|(line, ..)| *line != SHIPPING).map(read).collect()
}

/// What is known of a locked order's money.
pub async fn paid(tx: &mut Tx, order: &Order) -> Result<Paid, Error> {
    let refunded = all(tx, &order.id).await?;
    let sent_back = Fen::sum(refunded.iter().filter(|one| one.line == SHIPPING).map(|one| one.amount))
        .map_err(Error::internal)?;
    let before = domain::order_refund::copies_of(&refunded);
    let mut lines = std::collections::BTreeMap::new();
    for (number, total, quantity) in super::totals(tx, &order.id).await? {
        let copies = quantity.try_into().map_err(Error::internal)?;
        let refunded = before.get(&number).copied().unwrap_or(0);
        lines.insert(number, Line { total, copies, refunded });
    }
    let shipping = order.shipping.minus(sent_back).map_err(Error::internal)?.max(Fen::ZERO);
    Ok(Paid { lines, shipping, left: order.kept() })
}

/// The copies that a refund was of, and whether sending was; none where it was of no copies.
pub async fn of_refund(tx: &mut Tx, order: &OrderId, key: &str) -> Result<Option<(Copies, bool)>, Error> {
    let rows: Vec<(i64, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select line, copies from refunded_copies where order_id = $1 and refund_key = $2"
    )
    .bind(order.as_str())
    .bind(key)
    .fetch_all(conn)
    .await)?;
    if rows.is_empty() { Ok(None) } else { asked(rows).map(Some) }
}

fn asked(mut rows: Vec<(i64, i64)>) -> Result<(Copies, bool), Error> {
    let with_shipping = rows.iter().any(|(line, _)| *line == SHIPPING);
    rows.retain(|(line, _)| *line != SHIPPING);
    Ok((super::parcels::copies(rows)?, with_shipping))
}

/// Notes copies whose money goes back, and what of the refund is for sending.
pub async fn insert(
    tx: &mut Tx,
    order: &OrderId,
    key: &str,
    copies: &Copies,
    unmade: &Copies,
    round: i64,
    back: &Back,
) -> Result<(), Error> {
    let of = |from: &Copies, line: i64| i64::from(from.get(&line).copied().unwrap_or(0));
    let mut rows: Vec<Row> = back
        .lines
        .iter()
        .map(|(line, amount)| (*line, of(copies, *line), of(unmade, *line), round, amount.0))
        .collect();
    if back.shipping > Fen::ZERO {
        rows.push((SHIPPING, 0, 0, round, back.shipping.0));
    }
    let sql = sql!(
        "insert into refunded_copies (order_id, refund_key, line, copies, unmade, round, amount)
         values [(?, ?, ?, ?, ?, ?, ?)]"
    );
    let sql = sql.repeated(rows.len());
    with_tx!(tx, |conn| {
        let mut query = sqlx::query(sql.text());
        for (line, copies, unmade, round, amount) in rows {
            query = query.bind(order.as_str()).bind(key).bind(line).bind(copies).bind(unmade).bind(round);
            query = query.bind(amount);
        }
        query.execute(conn).await.map(drop)
    })?;
    Ok(())
}

/// Keeps which copies a request for a refund is of. The same request again changes nothing.
pub async fn keep_asked(db: &Db, request: &str, copies: &Copies, with_shipping: bool) -> Result<(), Error> {
    let mut rows: Vec<(i64, i64)> = copies.iter().map(|(line, copies)| (*line, i64::from(*copies))).collect();
    if with_shipping {
        rows.push((SHIPPING, 0));
    }
    let sql =
        sql!("insert into asked_copies (request_id, line, copies) values [(?, ?, ?)] on conflict do nothing");
    let sql = sql.repeated(rows.len());
    with_write!(db, |pool| {
        let mut query = sqlx::query(sql.text());
        for (line, copies) in rows {
            query = query.bind(request).bind(line).bind(copies);
        }
        query.execute(pool).await.map(drop)
    })?;
    Ok(())
}

/// Which copies a request for a refund is of, and whether of sending, too; none where it is of an amount.
pub async fn asked_of(db: &Db, request: &str) -> Result<Option<(Copies, bool)>, Error> {
    let rows: Vec<(i64, i64)> =
        with_db!(db, |pool| sqlx::query_as("select line, copies from asked_copies where request_id = $1")
            .bind(request)
            .fetch_all(pool)
            .await)?;
    if rows.is_empty() { Ok(None) } else { asked(rows).map(Some) }
}
