//! What came in from outside within a time, way by way.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::close::{Figures, Way};
use domain::money::Fen;
use domain::payment::METHODS;

/// Adds it to a month's figures.
pub async fn add(tx: &mut Tx, (from, until): (i64, i64), figures: &mut Figures) -> Result<(), Error> {
    for method in METHODS {
        let (count, came, spent): (i64, i64, i64) = with_tx!(&mut *tx, |conn| sqlx::query_as(
            "select count(*), cast(coalesce(sum(amount), 0) as bigint),
                    cast(coalesce(sum(case when paid_order = 1 then amount else 0 end), 0) as bigint)
             from payments where method = $1 and state = 'paid' and paid_at >= $2 and paid_at < $3"
        )
        .bind(method.code())
        .bind(from)
        .bind(until)
        .fetch_one(conn)
        .await)?;
        let back: i64 = with_tx!(&mut *tx, |conn| sqlx::query_scalar(
            "select cast(coalesce(sum(r.amount), 0) as bigint)
             from payment_refunds r join payments p on p.id = r.payment_id
             where p.method = $1 and r.state = 'done' and r.ended_at >= $2 and r.ended_at < $3"
        )
        .bind(method.code())
        .bind(from)
        .bind(until)
        .fetch_one(conn)
        .await)?;
        if count > 0 || back > 0 {
            let (came, back, spent) = (Fen(came), Fen(back), Fen(spent));
            figures.ways.push(Way { name: method.name().to_owned(), count, came, back, spent });
        }
    }
    Ok(())
}
