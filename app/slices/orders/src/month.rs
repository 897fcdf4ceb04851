//! What orders brought in within a time, by goods, and what was given back of them.

use std::collections::BTreeMap;

use base::db::{self, Tx, with_tx};
use base::error::Error;
use domain::close::{Figures, Income, Kind};
use domain::goods::Goods;
use domain::money::Fen;

/// Adds it to a month's figures.
pub async fn add(tx: &mut Tx, (from, until): (i64, i64), figures: &mut Figures) -> Result<(), Error> {
    // the frozen goods of one version are the same text, and there are few of those
    let sold: Vec<(String, i64, i64)> = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select l.goods, cast(sum(l.quantity) as bigint) as copies, cast(sum(l.total) as bigint) as total
         from order_lines l join orders o on o.id = l.order_id
         where o.paid_at >= $1 and o.paid_at < $2 group by l.goods"
    )
    .bind(from)
    .bind(until)
    .fetch_all(conn)
    .await)?;
    let mut by_goods: BTreeMap<String, (String, i64, i64)> = BTreeMap::new();
    for (goods, copies, total) in sold {
        let goods: Goods = db::json("goods", &goods)?;
        let row = by_goods.entry(goods.id.to_string()).or_default();
        row.0 = goods.name;
        row.1 += copies;
        row.2 += total;
    }
    for (name, count, came) in by_goods.into_values() {
        figures.income.push(Income { kind: Kind::Goods, name, count, came: Fen(came), back: Fen::ZERO });
    }
    let (orders, postage, rest): (i64, i64, i64) = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select count(*), cast(coalesce(sum(o.shipping), 0) as bigint),
                cast(coalesce(sum(o.goods_total - coalesce((select sum(l.total) from order_lines l
                                                            where l.order_id = o.id), 0)), 0) as bigint)
         from orders o where o.paid_at >= $1 and o.paid_at < $2"
    )
    .bind(from)
    .bind(until)
    .fetch_one(conn)
    .await)?;
    if rest != 0 {
        // what an order costs beside its lines
        let name = "订单加减".to_owned();
        figures.income.push(Income { kind: Kind::Goods, name, count: 0, came: Fen(rest), back: Fen::ZERO });
    }
    if orders > 0 {
        let name = Kind::Postage.name().to_owned();
        let came = Fen(postage);
        figures.income.push(Income { kind: Kind::Postage, name, count: orders, came, back: Fen::ZERO });
    }
    let (count, back): (i64, i64) = with_tx!(tx, |conn| sqlx::query_as(
        "select count(*), cast(coalesce(sum(amount), 0) as bigint) from order_refunds
         where created_at >= $1 and created_at < $2"
    )
    .bind(from)
    .bind(until)
    .fetch_one(conn)
    .await)?;
    if count > 0 {
        let name = "订单退款".to_owned();
        figures.income.push(Income { kind: Kind::Goods, name, count, came: Fen::ZERO, back: Fen(back) });
    }
    Ok(())
}
