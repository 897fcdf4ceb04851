//! Every SQL statement of the program is one that both engines understand, also where no test happens to run it.

use std::path::Path;

use sqlx::{Connection, Executor};

use support::{Engine, Server, jpeg, on_both_engines};

on_both_engines!(every_statement_can_be_prepared);

async fn every_statement_can_be_prepared(server: Server) {
    let statements = statements(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../server/src")));
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
        if file.ends_with("backup.rs") || statement.contains("pg_advisory") {
            continue;
        }
        if let Err(error) = connection.prepare(statement.as_str()).await {
            panic!("{file}: {error}\n{statement}");
        }
    }
}

/// SQLite knows after `analyze` that the first columns of the indexes tell nothing apart here, and would rather read
/// everything.
#[tokio::test]
async fn shelves_are_read_by_their_indexes_where_one_member_has_all_works() {
    let server = Server::start(Engine::Sqlite).await.unwrap();
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload(vec![("一.jpg", jpeg(320, 240, 1))]).await;
    member.album("square-210", "一年里的照片", &photos).await;
    let mut connection = sqlx::SqliteConnection::connect(&server.database_url).await.unwrap();
    connection
        .execute(
            "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 3000)
             insert into works (id, member_id, kind, title, trim_width, trim_height, pages, document, revision,
                                created_at, updated_at)
             select printf('%026d', n), member_id, kind, title, trim_width, trim_height, pages, '{}', revision, n, n
             from numbers, (select * from works limit 1);
             analyze",
        )
        .await
        .unwrap();
    let owner = server.read("select member_id from works limit 1").await;
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../server/src/works/store"));
    // what a shelf asks; a restored or forgotten work is asked for by its id
    let is_shelf = |file: &str| file.ends_with("list.rs") || file.ends_with("trash.rs");
    let questions: Vec<String> = statements(folder)
        .into_iter()
        .filter(|(file, text)| is_shelf(file) && text.starts_with("select"))
        .map(|(_, text)| text)
        .collect();
    assert!(questions.iter().any(|text| text.contains("union all select 'magazine'")));
    for question in questions {
        let plan = format!("explain query plan {question}");
        let steps: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(&plan).bind(&owner).fetch_all(&mut connection).await.unwrap();
        let scan = steps.iter().find(|(.., step)| ["SCAN w", "SCAN works"].contains(&step.as_str()));
        assert!(scan.is_none(), "{scan:?}: {question}");
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
