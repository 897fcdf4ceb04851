//! How a database is reached, as its address says: PostgreSQL over TLS as libpq has it
//! (<https://www.postgresql.org/docs/current/libpq-ssl.html>).

use std::path::Path;
use std::str::FromStr;

use reqwest::Url;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::sqlite::SqliteConnectOptions;

use super::Pooling;
use crate::error::Error;
use crate::variables::{Kind, Usual, Variable};

/// Where the database is.
pub static DATABASE_URL: Variable = Variable::new(
    "BINDERY_DATABASE_URL",
    Kind::Own(super::check_address),
    Usual::Words("SQLite in the data folder"),
    "`sqlite:…` or `postgres://user:password@host/name`; of the latter `?sslmode=` says how it is reached, as libpq has it: \
     `disable`, `prefer` (TLS where the server has it, usual), `require`, `verify-ca`, `verify-full`; `&sslrootcert=` names \
     the PEM file of an authority that is none of the web's; `&pgbouncer=true` behind PgBouncer's `pool_mode = transaction`",
)
.secret();

/// What an address may say of TLS; a misspelt one would be a connection that nobody looks at.
const OF_TLS: [&str; 4] = ["sslmode", "sslrootcert", "sslcert", "sslkey"];
/// What says that a pooler lends connections for a transaction alone, as Prisma and those who host such poolers write it.
const OF_POOLING: &str = "pgbouncer";
const MODES: [&str; 5] = ["disable", "prefer", "require", "verify-ca", "verify-full"];

pub fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

/// Whether an address can be one of a database. The answer does not repeat it: there is a password in it.
pub fn check_address(url: &str) -> Result<(), String> {
    if is_postgres(url) {
        return postgres(url).map(drop);
    }
    if !url.starts_with("sqlite:") {
        return Err("it is neither a sqlite: nor a postgres: address".to_owned());
    }
    SqliteConnectOptions::from_str(url).map(drop).map_err(|error| error.to_string())
}

/// An address of PostgreSQL as it is connected to.
pub fn postgres(url: &str) -> Result<(PgConnectOptions, Pooling), String> {
    let mut parsed = Url::parse(url).map_err(|error| {
        format!(
            "it is no address ({error}); letters such as @ : / # in a password are written %40 %3A %2F %23"
        )
    })?;
    let pairs: Vec<(String, String)> = parsed.query_pairs().into_owned().collect();
    let said =
        |name: &str| pairs.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    if let Some((name, _)) =
        pairs.iter().find(|(name, _)| name.starts_with("ssl") && !OF_TLS.contains(&name.as_str()))
    {
        return Err(format!("{name} is none of {}", OF_TLS.join(", ")));
    }
    if let Some(mode) = said("sslmode")
        && !MODES.contains(&mode)
    {
        return Err(format!("sslmode={mode} is none of {}", MODES.join(", ")));
    }
    let pooling = match said(OF_POOLING) {
        None | Some("false") => Pooling::Session,
        Some("true") => Pooling::Transaction,
        Some(other) => return Err(format!("{OF_POOLING}={other} is neither true nor false")),
    };
    if pooling == Pooling::Transaction {
        let others = pairs.iter().filter(|(name, _)| name != OF_POOLING);
        parsed.query_pairs_mut().clear().extend_pairs(others);
    }
    let mut options = PgConnectOptions::from_str(parsed.as_str()).map_err(|error| error.to_string())?;
    if pooling == Pooling::Transaction {
        // a setting that PgBouncer does not know of a session, and ends it for
        options = options.extra_float_digits(None);
    }
    let Some(root) = said("sslrootcert") else { return Ok((options, pooling)) };
    let pem = std::fs::read_to_string(Path::new(root));
    let pem = pem.map_err(|error| format!("sslrootcert={root} can't be read: {error}"))?;
    if !pem.contains("-----BEGIN CERTIFICATE-----") {
        return Err(format!("sslrootcert={root} holds no certificate (PEM)"));
    }
    // whoever names an authority wants to be shown a certificate of it
    let options = match said("sslmode") {
        Some("require") => options.ssl_mode(PgSslMode::VerifyCa),
        _ => options,
    };
    Ok((options, pooling))
}

/// Why a database was not reached, as a sentence with what to do.
pub fn unreached(error: sqlx::Error) -> Error {
    let text = match &error {
        sqlx::Error::Io(error) => error.to_string(),
        sqlx::Error::Tls(error) => error.to_string(),
        _ => return error.into(),
    };
    let what = if text.contains("not valid for name") {
        "the server's certificate is for another name; write the host that it is for, or sslmode=verify-ca"
    } else if text.contains("UnknownIssuer") || text.contains("BadSignature") {
        "the server's certificate is from an authority that is not known here; name the PEM file of it with sslrootcert="
    } else if text.contains("Expired") {
        "the server's certificate is over"
    } else if text.contains("does not support TLS") {
        "the server has no TLS, which sslmode asks for"
    } else if text.contains("refused") || text.contains("lookup") {
        "nothing answers there"
    } else {
        return error.into();
    };
    Error::internal(DATABASE_URL.refusal(&format!("{what} ({text})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_how_it_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let (ca, empty) = (folder.path().join("ca.pem"), folder.path().join("empty.pem"));
        std::fs::write(&ca, "-----BEGIN CERTIFICATE-----\n").unwrap();
        std::fs::write(&empty, "").unwrap();
        let mode = |query: &str| {
            let options = postgres(&format!("postgres://me:hush@db.example/books{query}"));
            options.map(|(options, _)| format!("{:?}", options.get_ssl_mode()))
        };
        let root = format!("sslrootcert={}", ca.display());
        for (query, expected) in [
            (String::new(), "Prefer"),
            ("?sslmode=disable".into(), "Disable"),
            ("?sslmode=require".into(), "Require"),
            ("?sslmode=verify-ca".into(), "VerifyCa"),
            (format!("?sslmode=verify-full&{root}"), "VerifyFull"),
            // as libpq has it
            (format!("?{root}&sslmode=require"), "VerifyCa"),
            // Neon's addresses say this, too
            ("?sslmode=require&channel_binding=require".into(), "Require"),
        ] {
            assert_eq!(mode(&query).as_deref(), Ok(expected), "{query}");
        }
        for (query, words) in [
            ("?sslmode=verify_full".to_owned(), "sslmode=verify_full is none of disable, prefer"),
            ("?sslmod=verify-full".into(), "sslmod is none of sslmode"),
            ("?pgbouncer=transaction".into(), "pgbouncer=transaction is neither true nor false"),
            ("?sslmode=verify-full&sslrootcert=/nowhere/ca.pem".into(), "/nowhere/ca.pem can't be read"),
            (format!("?sslrootcert={}", empty.display()), "holds no certificate"),
        ] {
            let refusal = mode(&query).unwrap_err();
            assert!(refusal.contains(words) && !refusal.contains("hush"), "{refusal}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_its_password() {
        for wrong in
            ["mysql://me:hush@db.example/books", "/var/lib/books.db", "postgres://me:hu#sh@db.example/books"]
        {
            let refusal = check_address(wrong).unwrap_err();
            assert!(!refusal.contains("hush") && !refusal.contains("hu#sh"), "{refusal}");
        }
        assert!(check_address("sqlite:data/bindery.db").is_ok());
    }
}
