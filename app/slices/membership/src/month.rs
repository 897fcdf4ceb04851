//! What terms of tiers brought in within a time, and what was given back of them.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::close::{Figures, Income, Kind};
use domain::money::Fen;

/// Adds it to a month's figures, tier by tier.
pub async fn add(tx: &mut Tx, (from, until): (i64, i64), figures: &mut Figures) -> Result<(), Error> {
    let rows: Vec<(String, i64, i64, i64)> = with_tx!(tx, |conn| {
        sqlx::query_as(
        "select tier, cast(sum(case when paid_at >= $1 and paid_at < $2 then 1 else 0 end) as bigint) as terms,
                cast(sum(case when paid_at >= $1 and paid_at < $2 then amount else 0 end) as bigint) as came,
                cast(sum(case when state = 'refunded' and ended_at >= $1 and ended_at < $2 then rest else 0 end)
                     as bigint) as back
         from membership_terms
         where paid_at >= $1 and paid_at < $2 or state = 'refunded' and ended_at >= $1 and ended_at < $2
         group by tier order by tier"
    )
    .bind(from)
    .bind(until)
    .fetch_all(conn)
    .await
    })?;
    for (name, count, came, back) in rows {
        let (came, back) = (Fen(came), Fen(back));
        figures.income.push(Income { kind: Kind::Memberships, name, count, came, back });
    }
    Ok(())
}
