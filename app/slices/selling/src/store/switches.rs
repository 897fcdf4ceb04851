//! SQL of changes to a longer term.

use base::db::{Tx, with_tx};
use base::error::Error;
use domain::ids::{MemberId, PackageId, SaleId};

use super::sales::Sale;

/// Notes what is counted for a sale.
pub async fn set(tx: &mut Tx, sale: &SaleId, olds: &[Sale]) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query("delete from sale_switches where sale_id = $1")
        .bind(sale.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    for old in olds {
        with_tx!(&mut *tx, |conn| sqlx::query(
            "insert into sale_switches (sale_id, old_id) values ($1, $2)"
        )
        .bind(sale.as_str())
        .bind(old.id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    }
    Ok(())
}

/// Which sales are counted for one.
pub async fn of_sale(tx: &mut Tx, sale: &SaleId) -> Result<Vec<SaleId>, Error> {
    let ids: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select old_id from sale_switches where sale_id = $1 order by old_id"
    )
    .bind(sale.as_str())
    .fetch_all(conn)
    .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}

/// The newest change of a reader to a package that was paid since a moment and not given back.
pub async fn paid_since(
    tx: &mut Tx,
    reader: &MemberId,
    package: &PackageId,
    since: i64,
) -> Result<Option<SaleId>, Error> {
    let id: Option<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select id from sales where buyer_id = $1 and package_id = $2 and state = 'paid' and credit > 0
           and paid_at > $3 order by paid_at desc, id desc limit 1",
    )
    .bind(reader.as_str())
    .bind(package.as_str())
    .bind(since)
    .fetch_optional(conn)
    .await)?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}
