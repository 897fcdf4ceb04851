//! SQL of what sending costs, and of who sends.

use base::db::{Tx, sql, with_tx};
use base::error::Error;
use domain::money::Fen;
use domain::shipping::{Tariff, Zone, province};

/// Who sends, as it stands on labels. Empty words are not said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sender {
    pub name: String,
    pub phone: String,
    pub address: String,
}

type ZoneRow = (String, i64, i64, String);

/// What the shop's zones say. Without rows it is the built-in table.
///
/// # Errors
/// What another program wrote and can't be read here: nobody guesses a price.
pub async fn tariff(tx: &mut Tx) -> Result<Tariff, Error> {
    let rows: Vec<ZoneRow> = with_tx!(tx, |conn| sqlx::query_as(
        "select name, first_kg, further_kg, provinces from shipping_zones order by position"
    )
    .fetch_all(conn)
    .await)?;
    if rows.is_empty() {
        return Ok(Tariff::default());
    }
    let zones: Result<Vec<Zone>, Error> = rows
        .into_iter()
        .map(|(name, first_kg, further_kg, provinces)| {
            let read = |name| {
                let known = province(name).map(|(_, full)| full);
                known.ok_or_else(|| Error::internal(format!("no province: {name}")))
            };
            let provinces = provinces.split_whitespace().map(read).collect::<Result<_, _>>()?;
            Ok(Zone { name, first_kg: Fen(first_kg), further_kg: Fen(further_kg), provinces })
        })
        .collect();
    Tariff::new(zones?).map_err(Error::internal)
}

/// Who sends.
pub async fn sender(tx: &mut Tx) -> Result<Sender, Error> {
    let row: Option<(String, String, String)> =
        with_tx!(tx, |conn| sqlx::query_as("select name, phone, address from shipping_sender")
            .fetch_optional(conn)
            .await)?;
    Ok(row.map(|(name, phone, address)| Sender { name, phone, address }).unwrap_or_default())
}

/// Holds what is set here, so that one clerk after the other sets it: its row is there from the first time on.
pub async fn lock(tx: &mut Tx) -> Result<Sender, Error> {
    let (name, phone, address) = with_tx!(tx, |conn| sqlx::query_as(
        "insert into shipping_sender (id, name, phone, address) values (1, '', '', '')
         on conflict (id) do update set id = excluded.id returning name, phone, address"
    )
    .fetch_one(conn)
    .await)?;
    Ok(Sender { name, phone, address })
}

/// Sets both anew; they are held.
pub async fn write(tx: &mut Tx, tariff: &Tariff, sender: &Sender) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query("delete from shipping_zones").execute(conn).await.map(drop))?;
    let sql = sql!(
        "insert into shipping_zones (position, name, first_kg, further_kg, provinces) values [(?, ?, ?, ?, ?)]"
    )
    .repeated(tariff.zones().len());
    with_tx!(&mut *tx, |conn| {
        let mut query = sqlx::query(sql.text());
        for (position, zone) in (0i64..).zip(tariff.zones()) {
            query = query.bind(position).bind(&zone.name).bind(zone.first_kg.0).bind(zone.further_kg.0);
            query = query.bind(zone.provinces.join(" "));
        }
        query.execute(conn).await.map(drop)
    })?;
    with_tx!(tx, |conn| sqlx::query("update shipping_sender set name = $1, phone = $2, address = $3")
        .bind(&sender.name)
        .bind(&sender.phone)
        .bind(&sender.address)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
