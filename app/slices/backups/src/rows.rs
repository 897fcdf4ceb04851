//! Tables as lines of JSON, the same for both database engines.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use base::db::{Tx, with_tx};
use base::error::Failure;
use futures::TryStreamExt;
use sqlx::AssertSqlSafe;
use web::app::App;
use web::slice::House;

/// Tables of what passes that may have rows before there is any member, each before what it refers to: somebody works in the back
/// office already.
const PASSING: [&str; 4] = ["staff_logins", "staff_invitations", "staff_turns", "exports"];

/// Every table that is kept, each after the tables that it refers to.
pub fn tables(house: &'static House) -> impl Iterator<Item = &'static str> {
    house.each(|slice| slice.tables).copied()
}

/// Writes every row of a table as JSON, a line each, and answers how many there are.
pub async fn write(tx: &mut Tx, table: &str, to: &mut (impl Write + Send)) -> Result<u64, Failure> {
    let columns = columns(tx, table).await?;
    let query = match tx {
        Tx::Sqlite(..) => {
            let pairs: Vec<String> = columns.iter().map(|column| format!("'{column}', {column}")).collect();
            format!("select json_object({}) from {table}", pairs.join(", "))
        }
        Tx::Postgres(..) => {
            format!("select row_to_json(r)::text from (select {} from {table}) r", columns.join(", "))
        }
    };
    let mut rows = 0;
    with_tx!(tx, |conn| {
        let mut stream = sqlx::query_scalar::<_, String>(AssertSqlSafe(query.as_str())).fetch(conn);
        while let Some(row) = stream.try_next().await? {
            writeln!(to, "{row}")?;
            rows += 1;
        }
    });
    Ok(rows)
}

/// Whether nobody is a member yet: a backup is put where nothing is.
///
/// # Errors
/// Where somebody is.
pub async fn is_empty(tx: &mut Tx) -> Result<(), Failure> {
    if count(tx, "members").await? > 0 {
        return Err("there are members already; restore into an empty database".into());
    }
    Ok(())
}

/// Fills an empty database, all of it or nothing: `expected` is how many rows each table has, `lines` gives those of one. A
/// backup of an older version has none of a table that came later.
pub async fn fill(
    app: &App,
    mut tx: Tx,
    expected: &BTreeMap<String, u64>,
    mut lines: impl AsyncFnMut(&str) -> Result<Option<Box<dyn BufRead + Send>>, Failure>,
) -> Result<(), Failure> {
    let is_taken = |table: &str| tables(app.house).any(|taken| taken == table);
    if let Some((table, rows)) = expected.iter().find(|(table, rows)| **rows > 0 && !is_taken(table)) {
        return Err(format!("the backup is of another version: nobody takes {rows} rows of {table}").into());
    }
    // what every new database is filled with, and what may have been done in one that has no members yet
    let kept: Vec<&str> = tables(app.house).collect();
    for table in PASSING.iter().chain(kept.iter().rev()) {
        let delete = format!("delete from {table}");
        with_tx!(&mut tx, |conn| sqlx::query(AssertSqlSafe(delete.as_str())).execute(conn).await.map(drop))?;
    }
    for table in kept {
        let read = match lines(table).await? {
            Some(lines) => read(&mut tx, table, lines).await?,
            None => 0,
        };
        let expected = expected.get(table).copied().unwrap_or_default();
        if read != expected {
            let why = format!("the backup is not whole: {table} has {read} of {expected} rows");
            return Err(Failure::from(why));
        }
    }
    photos::derive_again(&mut tx).await?;
    accounts::complete_restored(&mut tx).await?;
    newsletter::complete_restored(&mut tx).await?;
    Ok(tx.commit().await?)
}

/// Adds every row to its table. Columns that the backup does not know stay empty.
async fn read(tx: &mut Tx, table: &str, lines: Box<dyn BufRead + Send>) -> Result<u64, Failure> {
    let known = columns(tx, table).await?;
    let mut rows = 0;
    for line in lines.lines() {
        let line = line?;
        let row: BTreeMap<String, serde::de::IgnoredAny> =
            serde_json::from_str(&line).map_err(|error| format!("{table}, row {}: {error}", rows + 1))?;
        let names: Vec<&str> = row.keys().map(String::as_str).collect();
        if let Some(unknown) = names.iter().find(|name| !known.iter().any(|column| column == *name)) {
            return Err(format!("the backup is of a newer version: {table} has no column {unknown}").into());
        }
        let columns = names.join(", ");
        let insert = match tx {
            Tx::Sqlite(..) => {
                let values: Vec<String> =
                    names.iter().map(|name| format!("json_extract($1, '$.{name}')")).collect();
                format!("insert into {table} ({columns}) values ({})", values.join(", "))
            }
            Tx::Postgres(..) => format!(
                "insert into {table} ({columns}) select {columns} from json_populate_record(null::{table}, $1::json)"
            ),
        };
        with_tx!(tx, |conn| sqlx::query(AssertSqlSafe(insert.as_str()))
            .bind(&line)
            .execute(conn)
            .await
            .map(drop))?;
        rows += 1;
    }
    Ok(rows)
}

async fn columns(tx: &mut Tx, table: &str) -> Result<Vec<String>, sqlx::Error> {
    let query = match tx {
        Tx::Sqlite(..) => "select name from pragma_table_info($1) order by cid",
        Tx::Postgres(..) => {
            "select column_name::text from information_schema.columns
             where table_schema = current_schema() and table_name = $1 order by ordinal_position"
        }
    };
    with_tx!(tx, |conn| sqlx::query_scalar(query).bind(table).fetch_all(conn).await)
}

async fn count(tx: &mut Tx, table: &str) -> Result<i64, sqlx::Error> {
    let query = format!("select count(*) from {table}");
    with_tx!(tx, |conn| sqlx::query_scalar(AssertSqlSafe(query.as_str())).fetch_one(conn).await)
}
