//! Every SQL statement of the program is one that both engines understand, also where no test happens to run it.

use std::path::Path;

use sqlx::{Connection, Executor};

use crate::support::{Engine, Server, on_both_engines};

on_both_engines!(every_statement_can_be_prepared);

async fn every_statement_can_be_prepared(server: Server) {
    let statements = statements(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")));
    assert!(statements.len() > 60, "only {} statements were found", statements.len());
    match server.engine {
        Engine::Sqlite => prepare::<sqlx::SqliteConnection>(&server.database_url, &statements).await,
        Engine::Postgres => prepare::<sqlx::PgConnection>(&server.database_url, &statements).await,
    }
}

async fn prepare<C>(url: &str, statements: &[(String, String)])
where
    C: Connection,
    for<'c> &'c mut C: Executor<'c, Database = C::Database>,
{
    let mut connection = C::connect(url).await.unwrap();
    for (file, statement) in statements {
        // what only one engine has is kept apart by its own branch
        if file.ends_with("backup.rs") {
            continue;
        }
        if let Err(error) = connection.prepare(statement.as_str()).await {
            panic!("{file}: {error}\n{statement}");
        }
    }
}

/// The texts behind `sqlx::query…(`, with the file that each stands in.
fn statements(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(statements(&path));
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        for call in source.split("sqlx::query").skip(1) {
            // past the rest of the name and its types, up to the argument
            let Some((name, argument)) = call.split_once('(') else { continue };
            let Some(text) = argument.trim_start().strip_prefix('"') else { continue };
            assert!(!name.contains(['"', ';']), "{name}");
            let text = text.split_once('"').unwrap().0;
            found.push((path.display().to_string(), text.to_owned()));
        }
    }
    found
}
