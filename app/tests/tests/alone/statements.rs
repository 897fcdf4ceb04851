//! Every SQL statement of the program is one that both engines understand, also where no test happens to run it.
//!
//! The sources are gone through for them: `sqlx::query…(` gets a literal, or the text of a statement that `sql!`, `repeated`
//! or `joined` made (`base::db`). Their constants are looked up, and each choice of pieces is a statement.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sqlx::{AssertSqlSafe, Column, Connection, Executor, SqlSafeStr, Statement as _, TypeInfo};

use support::{Engine, Server, jpeg, on_both_engines};

#[path = "../../../base/src/db/repeated.rs"]
mod repeated;

/// Where sources are, as far as they are there.
const FOLDERS: [&str; 4] = ["app/server/src", "app/base/src", "app/web/src", "app/slices"];

/// Copies whole tables by their names, in each engine's own way.
const BACKUP: &str = "backups/src/rows.rs";
/// Tests of the whole house, which run all that they ask; their texts may come from anywhere.
const TESTS: &str = "app/server/src/models";
/// What only PostgreSQL has and only PostgreSQL is asked.
const ONLY_POSTGRES: [&str; 16] = [
    "from pg_class",
    "alter index",
    "gin_clean_pending_list",
    "clock_timestamp",
    "pg_notify",
    "deallocate",
    "tsvector",
    "tsquery",
    "using gin",
    "toast_tuple_target",
    "pg_advisory",
    "pg_try_advisory",
    "set local",
    "skip locked",
    "tower_sessions.session",
    "schema if not exists",
];
/// And what only SQLite.
const ONLY_SQLITE: [&str; 7] = [
    "from sqlite_master",
    " tower_sessions ",
    "create virtual table",
    "create trigger",
    "search_grams match",
    "sqlite_schema",
    "into search_grams (rowid",
];
/// What the program reads as whole numbers, texts, bytes, switches and fractions on either engine; a lock gives nothing.
const TYPES: [&str; 6] = ["INT8", "TEXT", "BYTEA", "BOOL", "FLOAT8", "VOID"];

on_both_engines!(every_statement_can_be_prepared);

async fn every_statement_can_be_prepared(server: Server) {
    let statements = statements();
    assert!(statements.len() >= 800, "only {} statements were found", statements.len());
    match server.engine {
        Engine::Sqlite => {
            let portable = |text: &str| !ONLY_POSTGRES.iter().any(|word| text.contains(word));
            prepare::<sqlx::SqliteConnection>(&server.database_url, &statements, portable, &[]).await;
        }
        Engine::Postgres => {
            let portable = |text: &str| !ONLY_SQLITE.iter().any(|word| text.contains(word));
            prepare::<sqlx::PgConnection>(&server.database_url, &statements, portable, &TYPES).await;
        }
    }
}

/// Prepares statements, and holds what they give against the types that are named, where any are: those that the program reads
/// alike on both engines. A sum of PostgreSQL's whole numbers, for one, would be `NUMERIC`.
async fn prepare<C>(url: &str, statements: &[Statement], is_asked: impl Fn(&str) -> bool, types: &[&str])
where
    C: Connection,
    for<'c> &'c mut C: Executor<'c, Database = C::Database>,
{
    let mut connection = C::connect(url).await.unwrap();
    let mut others = Vec::new();
    for Statement { file, text } in statements.iter().filter(|statement| is_asked(&statement.text)) {
        let prepared = match connection.prepare(AssertSqlSafe(text.as_str()).into_sql_str()).await {
            Ok(prepared) => prepared,
            Err(error) => panic!("{}: {error}\n{text}", file.display()),
        };
        let given = prepared.columns().iter().map(|column| column.type_info().name().to_owned());
        let mut other = given.filter(|one| !types.is_empty() && !types.contains(&one.as_str())).peekable();
        if other.peek().is_some() {
            others.push(format!("{}: {:?} in\n{text}", file.display(), other.collect::<Vec<_>>()));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
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
    // what a shelf asks; a restored or forgotten work is asked for by its id
    let is_shelf =
        |file: &Path| file.ends_with("works/src/store/list.rs") || file.ends_with("works/src/store/trash.rs");
    let questions: Vec<String> = statements()
        .into_iter()
        .filter(|found| is_shelf(&found.file) && found.text.starts_with("select"))
        .map(|found| found.text)
        .collect();
    assert!(questions.iter().any(|text| text.contains("union all select 'magazine'")));
    assert!(questions.iter().any(|text| text.contains("order by w.title asc")));
    for question in questions {
        let plan = format!("explain query plan {question}");
        let steps: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(AssertSqlSafe(plan)).bind(&owner).fetch_all(&mut connection).await.unwrap();
        let scan = steps.iter().find(|(.., step)| ["SCAN w", "SCAN works"].contains(&step.as_str()));
        assert!(scan.is_none(), "{scan:?}: {question}");
    }
}

/// What is read whole, and why: in which files, of which table, by statements with which words; empty for any.
const READ_WHOLE: &[(&str, &str, &str, &str)] = &[
    ("", "_sqlx_migrations", "", SMALL),
    ("", "oldest_program", "", SMALL),
    ("", "secrets", "", SMALL),
    ("", "audit_ends", "", SMALL),
    ("", "notice_clerks", "", SMALL),
    ("", "notice_mails", "", PASSING),
    ("", "summaries", "", SMALL),
    ("", "webhooks", "", SMALL),
    ("", "goods", "", SMALL),
    ("", "goods_changes", "", SMALL),
    ("", "membership_price_books", "", SMALL),
    ("", "staff", "", SMALL),
    ("", "staff_logins", "", SMALL),
    ("", "outbox", "", PASSING),
    ("", "jobs", "", PASSING),
    ("", "uploads", "", PASSING),
    ("", "letter_hosts", "", PASSING),
    ("", "looks", "", PASSING),
    ("", "used_states", "", PASSING),
    ("", "qr_answers", "", PASSING),
    ("", "sent_codes", "", PASSING),
    ("", "sign_in_attempts", "", PASSING),
    ("", "tower_sessions", "", PASSING),
    ("check.rs", "", "", "the books are gone over by an operator, and at night"),
    ("orders/src/store/list.rs", "orders", "lower(address)", "a clerk looks for part of an address"),
    ("accounts/src/lib.rs", "members", "", "members of the first version are given codes, once"),
    ("server/src/demo.rs", "members", "", "the demo is made where nobody is"),
    ("store/closing.rs", "sub_member_invitations", "", CLOSING),
    ("store/closing.rs", "sub_members", "", CLOSING),
    ("store/sub_members.rs", "sub_members", "", CLOSING),
    ("orders/src/store/list.rs", "cancellation_requests", "", WAITING),
    ("reader/src/reports.rs", "reports", "", WAITING),
    ("production/src/store.rs", "production", "ended is null", WAITING),
    ("production/src/store/plan.rs", "production", "ended is null", WAITING),
    ("", "production_capacity", "", SMALL),
    ("", "production_closed", "", SMALL),
    ("", "shipping_zones", "", SMALL),
    ("", "shipping_sender", "", SMALL),
    ("payments/src/store/staff.rs", "payment_refunds", "r.troubles >=", WAITING),
    ("payments/src/statements/store.rs", "statement_differences", "settled_at is null", WAITING),
    ("", "month_closings", "", SMALL),
    ("staff/src/clerks/store.rs", "staff_requests", "closed_at is null", WAITING),
    ("", "hot_folder_troubles", "", WAITING_JOBS),
    ("src/month.rs", "", "", MONTH),
    ("cart/src/store.rs", "cart_lines", "", "a clerk changes goods, and is told what becomes of all carts"),
    ("payments/src/store.rs", "payments", "$1 = '' or state = $1", COMMAND),
    ("selling/src/store/packages.rs", "packages", "from packages order by id", COMMAND),
    ("selling/src/store/payouts.rs", "", "", COMMAND),
    ("reader/src/store.rs", "shares", "where $1 = ''", COMMAND),
    ("shelves/src/store.rs", "shelves", "where $1 = ''", COMMAND),
    (
        "newsletter/src/store/letters.rs",
        "issue_letters",
        "select distinct issue_id from issue_letters where state = 'waiting'",
        "the index that is read has what waits, and nothing else",
    ),
    (
        "newsletter/src/store/letters.rs",
        "issue_letters",
        "ended_at = queued_at",
        "what a backup brought is ended once, when it is restored",
    ),
    ("invoices/src/lib.rs", "red_invoices", "is not null", BACKED_UP),
    ("payments/src/lib.rs", "statements", "is not null", BACKED_UP),
    ("reader/src/lib.rs", "hot_media", "is not null", BACKED_UP),
    ("works/src/lib.rs", "pdf_files", "is not null", BACKED_UP),
    (
        "publications/src/store/found.rs",
        "search_grams",
        "with hits",
        "the index of words is asked for the newest; what is put in order are those that it gave",
    ),
    (
        "publications/src/store/search.rs",
        "issue_pages",
        "not exists",
        "what no index has yet is looked for when the program opens",
    ),
];
const SMALL: &str = "it has few rows, whatever members do";
const PASSING: &str = "what is in it is over soon";
const CLOSING: &str = "an account is closed";
const WAITING: &str = "the index that is read has what waits for a clerk, and nothing else";
const WAITING_JOBS: &str = "what hangs in the hot folder, until it is mended";
const MONTH: &str = "a clerk looks what a month comes to";
const COMMAND: &str = "an operator asks on the command line";
const BACKED_UP: &str = "a backup holds all files that rows name against those that are there";

/// However many rows there are of others', a question finds its own by an index, or reads along one until it has a page's.
#[tokio::test]
async fn no_question_reads_a_whole_table_that_grows() {
    let server = Server::start(Engine::Sqlite).await.unwrap();
    let mut connection = sqlx::SqliteConnection::connect(&server.database_url).await.unwrap();
    let tables: Vec<String> = sqlx::query_scalar("select name from sqlite_schema where type = 'table'")
        .fetch_all(&mut connection)
        .await
        .unwrap();
    let (mut found, mut excused) = (Vec::new(), BTreeSet::new());
    for Statement { file, text } in statements() {
        let folder = Path::new(env!("BINDERY_CHECKOUT")).join(TESTS);
        if file.starts_with(folder) || ONLY_POSTGRES.iter().any(|word| text.contains(word)) {
            continue;
        }
        let plan = AssertSqlSafe(format!("explain query plan {text}"));
        let steps: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(plan).fetch_all(&mut connection).await.unwrap();
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        let is_sorted = steps.iter().any(|(.., step)| step.contains("USE TEMP B-TREE FOR ORDER BY"));
        for (.., step) in &steps {
            let Some(scan) = step.strip_prefix("SCAN ") else { continue };
            let name = scan.split(' ').next().unwrap();
            let is_named = |table: &&String| {
                *table == name || words.windows(2).any(|two| two[0] == table.as_str() && two[1] == name)
            };
            // what is read of the question's own making is not looked at
            let Some(table) = tables.iter().find(is_named) else { continue };
            if scan.contains(" INDEX ") && text.contains(" limit ") && !is_sorted {
                continue;
            }
            let path = file.to_string_lossy();
            match READ_WHOLE.iter().position(|(of, what, piece, _)| {
                path.contains(of) && text.contains(piece) && (what.is_empty() || what == table)
            }) {
                Some(reason) => drop(excused.insert(reason)),
                None => found.push(format!("{path}: {table}, as {scan}:\n{text}")),
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    let others = (0..READ_WHOLE.len()).filter(|number| !excused.contains(number));
    let others: Vec<_> = others.map(|number| READ_WHOLE[number]).collect();
    assert!(others.is_empty(), "no question does what is excused: {others:?}");
}

/// SQLite thinks that a long list of ids costs more than going through all that somebody has: as if nobody had much.
#[tokio::test]
async fn a_long_list_is_looked_for_as_a_short_one() {
    let server = Server::start(Engine::Sqlite).await.unwrap();
    let mut connection = sqlx::SqliteConnection::connect(&server.database_url).await.unwrap();
    let mut found = Vec::new();
    for Statement { file, text } in texts() {
        let is_asked = text.contains("in ([?])") && !ONLY_POSTGRES.iter().any(|word| text.contains(word));
        if !is_asked {
            continue;
        }
        let mut plans = Vec::new();
        for times in [2, 10, 200] {
            let plan = format!("explain query plan {}", repeated::repeated(&text, times));
            let steps: Vec<(i64, i64, i64, String)> =
                sqlx::query_as(AssertSqlSafe(plan)).fetch_all(&mut connection).await.unwrap();
            // each table by which column; whatever else an index tells apart then
            let by = |step: &str| {
                let (table, by) = step.strip_prefix("SEARCH ")?.split_once('(')?;
                Some(format!("{} {}", table.split(' ').next()?, by.split(['=', '<', '>']).next()?))
            };
            plans.push(steps.iter().filter_map(|(.., step)| by(step)).collect::<BTreeSet<_>>());
        }
        if plans.iter().any(|plan| *plan != plans[0]) {
            found.push(format!("{}: {plans:#?}\n{text}", file.display()));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// A statement, and where it stands.
struct Statement {
    file: PathBuf,
    text: String,
}

/// A source without its comments.
struct Source {
    file: PathBuf,
    text: String,
}

/// All statements of the program, those for lists for one thing and for three.
fn statements() -> Vec<Statement> {
    let times = |text: &str| -> &[usize] { if text.contains('[') { &[1, 3] } else { &[1] } };
    let of = |Statement { file, text }: Statement| {
        let some = times(&text).iter().map(|times| repeated::repeated(&text, *times));
        some.map(|text| Statement { file: file.clone(), text }).collect::<Vec<_>>()
    };
    texts().into_iter().flat_map(of).collect()
}

/// The same as they are written.
fn texts() -> Vec<Statement> {
    let mut sources = Sources(Vec::new());
    for folder in FOLDERS {
        sources.read(&Path::new(env!("BINDERY_CHECKOUT")).join(folder));
    }
    let mut statements = Vec::new();
    for source in sources.0.iter().filter(|source| !source.file.ends_with(BACKUP)) {
        let file = &source.file;
        statements.extend(
            sources.statements(source).into_iter().map(|text| Statement { file: file.clone(), text }),
        );
    }
    statements
}

struct Sources(Vec<Source>);

impl Sources {
    fn read(&mut self, folder: &Path) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let file = entry.unwrap().path();
            if file.is_dir() {
                self.read(&file);
            } else if file.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&file).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let text = code.map(|line| format!("{line}\n")).collect();
                self.0.push(Source { file, text });
            }
        }
    }

    /// The statements of one source.
    fn statements(&self, source: &Source) -> Vec<String> {
        let mut found = Vec::new();
        let Source { file, text } = source;
        for other in ["QueryBuilder", "raw_sql", "use sqlx::query", ".execute(\"", ".prepare(\""] {
            assert!(!text.contains(other), "{}: {other} asks what no test sees", file.display());
        }
        let is_test = file.starts_with(Path::new(env!("BINDERY_CHECKOUT")).join(TESTS));
        for (_, argument) in arguments(text, "sqlx::query") {
            let is_seen = argument.ends_with(".text()") || is_test;
            match literal(argument) {
                Some((text, _)) => found.push(text),
                None => assert!(is_seen, "{}: is this a fixed text? {argument}", file.display()),
            }
        }
        for (_, argument) in arguments(text, "sql!") {
            let (literal, _) = literal(argument).unwrap_or_else(|| panic!("{}: {argument}", file.display()));
            found.push(self.filled(source, &literal));
        }
        for (at, argument) in arguments(text, "joined").filter(|(_, argument)| argument.starts_with("&[")) {
            let mut whole = vec![String::new()];
            for piece in parts(&argument[2..]) {
                let choices = self.choices(source, &text[..at], piece);
                assert!(!choices.is_empty(), "{}: no text for {piece}", file.display());
                let with =
                    |begun: &String| choices.iter().map(|choice| format!("{begun} {choice}")).collect();
                whole = whole.iter().flat_map(|begun| -> Vec<String> { with(begun) }).collect();
            }
            found.extend(whole.into_iter().map(|text| text.trim_start().to_owned()));
        }
        found
    }

    /// A text with the constants that it names in braces.
    fn filled(&self, source: &Source, text: &str) -> String {
        let mut pieces = text.split('{');
        let mut whole = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (name, rest) = piece.split_once('}').unwrap();
            whole += &self.constant(source, name);
            whole += rest;
        }
        whole
    }

    /// The text of a constant, as a source sees it: its own, or that of a module around it, or else the only one of this name
    /// in the nearest folder that has any.
    fn constant(&self, source: &Source, name: &str) -> String {
        let declaration = format!("const {name}: &str =");
        let has_it = |source: &&Source| source.text.contains(&declaration);
        let folders = || source.file.ancestors().skip(1);
        let is_around = |other: &&Source, folder: &Path| {
            [folder.with_extension("rs"), folder.join("lib.rs")].contains(&other.file)
        };
        let around = folders().filter_map(|folder| self.0.iter().find(|other| is_around(other, folder)));
        let beside = || {
            let having: Vec<&Source> = self.0.iter().filter(has_it).collect();
            let within = |folder| having.iter().filter(move |other| other.file.starts_with(folder));
            let nearest = folders().find(|folder| within(*folder).count() > 0)?;
            within(nearest).next().copied().filter(|_| within(nearest).count() == 1)
        };
        let home = std::iter::once(source).chain(around).find(has_it).or_else(beside);
        let home = home.unwrap_or_else(|| panic!("{}: which {name}?", source.file.display()));
        let (_, value) = home.text.split_once(&declaration).unwrap();
        assert!(!value.contains(&declaration), "{}: two of {name}", home.file.display());
        let value = value.trim_start().trim_start_matches("formatcp!(").trim_start();
        let (text, _) = literal(value).unwrap_or_else(|| panic!("{}: {name}", home.file.display()));
        self.filled(home, &text)
    }

    /// What a piece can be: the literals and constants of its expression, or else of what it is the name of, a variable or a
    /// function of this source.
    fn choices(&self, source: &Source, before: &str, expression: &str) -> Vec<String> {
        let (mut found, mut before_arm) = (Vec::new(), 0);
        let mut rest = expression;
        while let Some(letter) = rest.chars().next() {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !"_:.".contains(letter));
            let name = &rest[..end.unwrap_or(rest.len())];
            if let Some((text, behind)) = literal(rest) {
                found.push(text);
                rest = behind;
            } else if !name.is_empty() {
                if name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') {
                    found.push(self.constant(source, name));
                }
                rest = &rest[name.len()..];
            } else if let Some(behind) = rest.strip_prefix("=>") {
                // that was a pattern
                found.truncate(before_arm);
                rest = behind;
            } else {
                if matches!(letter, '{' | ',') {
                    before_arm = found.len();
                }
                rest = &rest[letter.len_utf8()..];
            }
        }
        if found.is_empty() {
            let name = expression.split('(').next().unwrap_or_default();
            let variable = [format!("let {name} ="), format!("let ({name}, ")];
            let value =
                variable.iter().find_map(|variable| Some(before.rsplit_once(variable)?.1.split_once(';')?.0));
            let body = || Some(source.text.split_once(&format!("\nfn {name}("))?.1.split_once("\n}")?.0);
            return value.or_else(body).map_or(Vec::new(), |value| self.choices(source, "", value));
        }
        found
    }
}

/// Where something is called whose name begins like this, each with its first argument.
fn arguments<'t>(text: &'t str, called: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    text.match_indices(called).filter_map(move |(at, _)| {
        let rest = &text[at + called.len()..];
        let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_lowercase() || letter == '_');
        let rest = rest.strip_prefix("::").map_or(rest, |types| {
            let mut depth = 0;
            let end = types.find(|letter| {
                depth += i32::from(letter == '<') - i32::from(letter == '>');
                depth == 0
            });
            end.map_or("", |end| &types[end + 1..])
        });
        Some((at, *parts(rest.strip_prefix('(')?).first()?))
    })
}

/// What stands between commas, as far as the bracket that was open before.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut begin, mut at) = (Vec::new(), 0, 0, 0);
    while let Some(letter) = text[at..].chars().next() {
        if let Some((_, behind)) = literal(&text[at..]) {
            at = text.len() - behind.len();
            continue;
        }
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
        at += letter.len_utf8();
    }
    parts.push(text[begin..at].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The text of a literal, where one stands here, and what is behind it.
fn literal(source: &str) -> Option<(String, &str)> {
    let mut rest = source.strip_prefix('"')?;
    let mut text = String::new();
    loop {
        let end = rest.find(['"', '\\'])?;
        text += &rest[..end];
        if rest[end..].starts_with('"') {
            return Some((text, &rest[end + 1..]));
        }
        let escaped = rest[end + 1..].chars().next()?;
        rest = &rest[end + 1 + escaped.len_utf8()..];
        match escaped {
            '\n' => rest = rest.trim_start(),
            'n' => text.push('\n'),
            _ => text.push(escaped),
        }
    }
}
