//! The database: whether it is reached, what it is, whether it can be written to, what is not done to it yet.

use base::config::Config;
use base::db::{Db, Fit, machine_ms, now_ms, too_new, with_db, with_tx};
use base::error::Error;
use sqlx::sqlite::SqliteConnectOptions;
use time::PrimitiveDateTime;
use time::macros::format_description;

use super::{Found, PATIENCE, clocks};

pub async fn look(config: &Config) -> Vec<Found> {
    let what = || "database".to_owned();
    let file = config.database_url.parse::<SqliteConnectOptions>().ok();
    if let Some(file) = file.filter(|_| config.database_url.starts_with("sqlite:"))
        && !file.get_filename().exists()
    {
        let place = file.get_filename().display();
        return vec![(what(), Ok(format!("{place} is not there yet; the first start makes it")))];
    }
    let looked = async {
        Db::knock(&config.database_url).await?;
        let db = Db::reach(&config.database_url, config.database_pool).await?;
        let looked = look_at(&db).await;
        db.close().await;
        looked
    };
    match tokio::time::timeout(PATIENCE, looked).await {
        Err(_) => vec![(what(), Err("it did not answer in time".to_owned()))],
        Ok(Err(error)) => vec![(what(), Err(error.to_string()))],
        Ok(Ok((said, ahead))) => {
            let mut found = vec![(what(), said)];
            found.extend(ahead.map(|ahead| ("clock".to_owned(), clocks("database", ahead))));
            found
        }
    }
}

/// What is to say of it, and how far this machine's clock is ahead of it, in ms.
async fn look_at(db: &Db) -> Result<(Result<String, String>, Option<i64>), Error> {
    let (name, ahead) = match db {
        Db::Sqlite(..) => ("SQLite".to_owned(), None),
        Db::Postgres(pool, _) => {
            let number = pool.pool().acquire().await?.server_version_num().unwrap_or_default();
            let version = format!("{}.{}", number / 10_000, number % 10_000);
            (format!("PostgreSQL {version}"), Some(machine_ms() - database_clock(db).await?))
        }
    };
    let fit = Fit::of(db).await?;
    let state = match fit {
        Fit::Empty => "empty; the first start makes its tables".to_owned(),
        Fit::Behind(0) => "up to date".to_owned(),
        Fit::Behind(some) => format!("{some} migrations are not done yet; the next start does them"),
        Fit::Ahead { newest } => {
            format!("brought up to date by a newer program (migration {newest}), which lets this one run")
        }
        Fit::TooNew { newest, least } => {
            return Ok((Err(format!("{name}: {}", too_new(newest, least))), ahead));
        }
    };
    let has_tables = matches!(fit, Fit::Behind(0) | Fit::Ahead { .. });
    let written = if has_tables { db.try_write(now_ms()).await } else { may_make_tables(db).await };
    if let Err(error) = written {
        return Ok((Err(format!("{name}, which can't be written to: {error}")), ahead));
    }
    Ok((Ok(format!("{name}, can be written to, {state}")), ahead))
}

/// Makes a table, and takes it back.
async fn may_make_tables(db: &Db) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    with_tx!(&mut tx, |conn| sqlx::query("create table bindery_trial (id bigint)")
        .execute(conn)
        .await
        .map(drop))
}

/// Epoch ms, to a second.
async fn database_clock(db: &Db) -> Result<i64, Error> {
    let text: String = with_db!(db, |pool| {
        sqlx::query_scalar("select substr(cast(current_timestamp as text), 1, 19)").fetch_one(pool).await
    })?;
    let form = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    let read = PrimitiveDateTime::parse(&text, &form).map_err(Error::internal)?;
    Ok(read.assume_utc().unix_timestamp() * 1000)
}
