//! What readers paid to sellers within a time, what was given back of it, and how many codes were redeemed.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::close::{Figures, Income, Kind};
use domain::money::Fen;

/// Adds it to a month's figures.
pub async fn add(tx: &mut Tx, (from, until): (i64, i64), figures: &mut Figures) -> Result<(), Error> {
    let rows: Vec<(i64, i64, i64, i64)> = with_tx!(&mut *tx, |conn| {
        sqlx::query_as(
        "select cast(case when package_id is null then 0 else 1 end as bigint) as is_package,
                cast(sum(case when paid_at >= $1 and paid_at < $2 then 1 else 0 end) as bigint) as sales,
                cast(sum(case when paid_at >= $1 and paid_at < $2 then amount else 0 end) as bigint) as came,
                cast(sum(case when refunded_at >= $1 and refunded_at < $2 then refunded else 0 end) as bigint) as back
         from sales where paid_at >= $1 and paid_at < $2 or refunded_at >= $1 and refunded_at < $2
         group by case when package_id is null then 0 else 1 end order by is_package"
    )
    .bind(from)
    .bind(until)
    .fetch_all(conn)
    .await
    })?;
    for (is_package, count, came, back) in rows {
        let name = if is_package == 1 { "套餐" } else { "单本" }.to_owned();
        figures.income.push(Income { kind: Kind::Held, name, count, came: Fen(came), back: Fen(back) });
    }
    let codes: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from redeem_codes where redeemed_at >= $1 and redeemed_at < $2"
    )
    .bind(from)
    .bind(until)
    .fetch_one(conn)
    .await)?;
    if codes > 0 {
        let name = "兑换码".to_owned();
        figures.income.push(Income {
            kind: Kind::Held,
            name,
            count: codes,
            came: Fen::ZERO,
            back: Fen::ZERO,
        });
    }
    Ok(())
}
