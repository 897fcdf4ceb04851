//! A database for a while: what is tried in it is nobody's.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection, Executor};

use super::{check_address, is_postgres, postgres_connection};
use crate::error::Error;

/// An empty database that goes when it is ended.
pub struct Scratch {
    url: String,
    /// Of PostgreSQL: the server's address, and what it is called there.
    made: Option<(String, String)>,
}

impl Scratch {
    /// One in a folder, or on the PostgreSQL of an address, whose user may make databases.
    ///
    /// # Errors
    /// Where there can't be one.
    pub async fn make(folder: &Path, postgres: Option<&str>) -> Result<Self, Error> {
        let Some(server) = postgres else {
            return Ok(Self { url: format!("sqlite:{}", folder.join("scratch.db").display()), made: None });
        };
        check_address(server).map_err(Error::internal)?;
        if !is_postgres(server) {
            return Err(Error::internal("the address is none of a PostgreSQL"));
        }
        let name = format!("bindery_scratch_{}", ulid::Ulid::new().to_string().to_ascii_lowercase());
        Self::run(server, &format!("create database {name}")).await?;
        Ok(Self { url: with_name(server, &name), made: Some((server.to_owned(), name)) })
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Takes it away; one in a folder goes with that.
    ///
    /// # Errors
    /// Where it stays.
    pub async fn end(self) -> Result<(), Error> {
        match &self.made {
            Some((server, name)) => Self::run(server, &format!("drop database {name} with (force)")).await,
            None => Ok(()),
        }
    }

    async fn run(server: &str, statement: &str) -> Result<(), Error> {
        let mut connection = postgres_connection(server).await?;
        connection.execute(AssertSqlSafe(statement)).await?;
        Ok(connection.close().await?)
    }
}

/// The address of another database of the same server.
fn with_name(url: &str, name: &str) -> String {
    let (before, query) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = before.split_once("://").unwrap_or(("postgres", before));
    let authority = rest.split('/').next().unwrap_or_default();
    let query = if query.is_empty() { String::new() } else { format!("?{query}") };
    format!("{scheme}://{authority}/{name}{query}")
}

#[cfg(test)]
mod tests {
    use super::with_name;

    #[test]
    fn another_database_of_a_server_has_its_address() {
        for (url, other) in [
            (
                "postgres://me:pw@db.example:5433/books?sslmode=require",
                "postgres://me:pw@db.example:5433/x?sslmode=require",
            ),
            ("postgresql://me@localhost", "postgresql://me@localhost/x"),
            ("postgres:///books?host=/run/postgresql", "postgres:///x?host=/run/postgresql"),
        ] {
            assert_eq!(with_name(url, "x"), other);
        }
    }
}
