//! The schema: what was done to it, what this program knows of that, and whether the two go together.
//!
//! Migrations add (migrations/README.md), so an older program runs on a newer schema, unless a migration said in `oldest_program`
//! from which one on. So an upgrade is taken back by starting the program of before.

use std::sync::LazyLock;

use sqlx::migrate::Migrator;

use super::{Db, with_db};
use crate::error::Error;

/// What this program does to a schema. It takes no lock of a session: whoever runs it holds a [`super::Sole`]. What a newer one
/// did is none of its business; whether that is right, [`Fit`] knows.
pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let mut migrations = sqlx::migrate!("../../migrations");
    migrations.set_locking(false);
    migrations.set_ignore_missing(true);
    migrations
});

/// The number of the newest migration that this program knows.
pub fn newest_migration() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// What becomes of a schema when a database is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schema {
    /// It is brought up to date first: by `serve` and `migrate`.
    BroughtUp,
    /// It is taken as it is, as other commands run beside a server that may be an older program. An empty one is made.
    AsItIs,
}

/// A schema beside this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// Nothing was done to it.
    Empty,
    /// How many migrations are missing; none where it is up to date.
    Behind(usize),
    /// A newer program did `newest`, and this one runs on it all the same.
    Ahead { newest: i64 },
    /// A newer program did `newest`, and said that a program must know `least`, where it said so.
    TooNew { newest: i64, least: Option<i64> },
}

impl Fit {
    /// Looks at a database.
    pub async fn of(db: &Db) -> Result<Self, Error> {
        let known: Vec<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
        let done = with_db!(db, |pool| {
            sqlx::query_scalar("select version from _sqlx_migrations order by version").fetch_all(pool).await
        });
        let least = with_db!(db, |pool| {
            sqlx::query_scalar("select migration from oldest_program").fetch_optional(pool).await
        });
        Ok(Self::between(&known, &there(done)?.unwrap_or_default(), there(least)?.flatten()))
    }

    /// How migrations that a program knows go with those that were done, in order, and with the `least` that it has to know.
    fn between(known: &[i64], done: &[i64], least: Option<i64>) -> Self {
        let newer = done.iter().rev().find(|version| !known.contains(version));
        match newer {
            Some(&newest) if least.is_some_and(|least| known.contains(&least)) => Self::Ahead { newest },
            Some(&newest) => Self::TooNew { newest, least },
            None if done.is_empty() => Self::Empty,
            None => Self::Behind(known.iter().filter(|version| !done.contains(version)).count()),
        }
    }

    /// What may not be gone on with, as a sentence.
    pub(super) fn check(&self, schema: Schema) -> Result<(), Error> {
        match self {
            Self::TooNew { newest, least } => Err(Error::internal(too_new(*newest, *least))),
            Self::Behind(missing @ 1..) if schema == Schema::AsItIs => Err(Error::internal(format!(
                "the database lacks {missing} migrations: `bindery migrate` or the next start of `bindery serve` does them"
            ))),
            _ => Ok(()),
        }
    }
}

/// Why a program does not run on a schema.
pub fn too_new(newest: i64, least: Option<i64>) -> String {
    let from =
        least.map(|least| format!(", which needs one that knows migration {least}")).unwrap_or_default();
    format!(
        "the database was brought up to date by a newer program (migration {newest}){from}: start that one, or restore a \
         backup of before"
    )
}

/// What was read, where the table that it is in was made.
fn there<T>(read: Result<T, sqlx::Error>) -> Result<Option<T>, sqlx::Error> {
    match read {
        // SQLite has no code of its own for it; SQLSTATE 42P01 is undefined_table
        Err(sqlx::Error::Database(error))
            if error.code().as_deref() == Some("42P01") || error.message().starts_with("no such table") =>
        {
            Ok(None)
        }
        read => read.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_program_runs_where_the_schema_says_so() {
        let known = [1, 2, 360];
        let ahead = Fit::Ahead { newest: 400 };
        let too_new = |least| Fit::TooNew { newest: 400, least };
        for (done, least, expected) in [
            (&[][..], None, Fit::Empty),
            (&[1], None, Fit::Behind(2)),
            (&[1, 2, 360], Some(360), Fit::Behind(0)),
            (&[1, 2, 360, 400], Some(360), ahead.clone()),
            // one of a branch that this program lacks, and one of this program's that is not done yet
            (&[1, 360, 400], Some(360), ahead),
            (&[1, 2, 360, 400], Some(400), too_new(Some(400))),
            (&[1, 2, 360, 380, 400], Some(380), too_new(Some(380))),
            // of before it was written down
            (&[1, 2, 400], None, too_new(None)),
        ] {
            let fit = Fit::between(&known, done, least);
            assert_eq!(fit, expected, "{done:?}");
            let refused = |schema| fit.check(schema).is_err();
            assert_eq!(refused(Schema::BroughtUp), matches!(fit, Fit::TooNew { .. }), "{fit:?}");
            let is_behind = matches!(fit, Fit::Behind(1..));
            assert_eq!(refused(Schema::AsItIs), is_behind || matches!(fit, Fit::TooNew { .. }), "{fit:?}");
        }
    }

    /// Whether a program of before may not survive a statement of a migration.
    fn takes_away(statement: &str, migration: &str) -> bool {
        let words: Vec<&str> = statement.split([' ', '(']).filter(|word| !word.is_empty()).collect();
        let has = |word: &str| words.contains(&word);
        match words.first() {
            Some(&"drop") => words.get(1).is_none_or(|what| *what != "index"),
            Some(&"alter") => {
                has("drop") || has("rename") || has("type") || (has("not") && has("null") && !has("default"))
            }
            // it refuses what is written to a table of before
            Some(&"create") if words[1..].starts_with(&["unique", "index"]) => {
                let table = words.iter().skip_while(|word| **word != "on").nth(1);
                !table.is_some_and(|table| migration.contains(&format!("create table {table} ")))
            }
            _ => false,
        }
    }

    #[test]
    fn a_migration_that_takes_something_away_says_so() {
        for (statement, takes) in [
            ("drop table a", true),
            ("alter table a add column b bigint not null", true),
            ("alter table a drop column b", true),
            ("create unique index a_by_b on a (b)", true),
            ("create unique index c_by_b on c (b)", false),
            ("alter table a add column b bigint not null default 0", false),
            ("create table a (b text not null unique)", false),
            ("drop index a_by_b", false),
        ] {
            assert_eq!(takes_away(statement, "create table c (b text not null)"), takes, "{statement}");
        }
        for migration in MIGRATIONS.iter().filter(|migration| migration.version > 360) {
            let text = migration.sql.as_str().to_lowercase();
            let lines: Vec<&str> =
                text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
            let text = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
            let says_so =
                text.contains(&format!("update oldest_program set migration = {}", migration.version));
            for statement in text.split(';').filter(|statement| takes_away(statement, &text)) {
                assert!(says_so, "migration {}: {statement}", migration.version);
            }
        }
    }
}
