//! Paid orders a second, beside the rate at which the database itself makes single rows durable.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection as _, Executor, PgConnection, SqliteConnection};
use tokio::sync::Mutex;

use crate::Failure;
use crate::load::Connection;
use crate::program::Program;
use crate::report::{Rounds, Section, head};
use crate::room::Room;

const ROUNDS: usize = 3;
const TIME: Duration = Duration::from_secs(3);
const CLIENTS: [usize; 3] = [1, 8, 64];
/// Orders that wait for their payment in each round; when they are all paid, the round ends.
const ORDERS: usize = 15_000;

const ADDRESS: &str = r#"{"id":"a","receiver":"林知夏","phone":"13800138000","province":"浙江省","city":"杭州市","district":"西湖区","street":"龙井路 18 号","is_default":true}"#;

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let mut rows = room.runtime.block_on(Shop::open(room, None))?.rows(room, "SQLite")?;
    let postgres = std::env::var("BINDERY_TEST_POSTGRES").ok();
    if let Some(url) = &postgres {
        rows.extend(room.runtime.block_on(Shop::open(room, Some(url)))?.rows(room, "PostgreSQL")?);
    }
    let about = format!(
        "`POST /manager/shopping/pay` from the balance, each client a member of its own over a connection that stays \
         open: an order's state, its timeline, a posting with three entries and their running balances, and the job \
         that makes its print files, all in one transaction; a 303 is counted. Beside it tasks that insert one row \
         each into a table of the same database and commit: on SQLite through one connection in turn (WAL, \
         `synchronous=FULL`), on PostgreSQL through as many connections as there are clients (`fsync=on`). In orders \
         or rows a second; {ROUNDS} rounds of {} s. Afterwards `bindery ledger check` found that the books hold.{}",
        TIME.as_secs(),
        if postgres.is_some() { "" } else { " There was no PostgreSQL." },
    );
    Ok(Section { title: "Paying orders", about, head: head("the engine's own"), rows })
}

struct Shop {
    program: Program,
    /// The clients' sessions and ids.
    members: Vec<(String, String)>,
    round: AtomicUsize,
}

impl Shop {
    async fn open(room: &Room, database: Option<&str>) -> Result<Self, Failure> {
        let program = Program::start_on(room, database).await?;
        let mut members = Vec::new();
        for number in 0..CLIENTS[CLIENTS.len() - 1] {
            let cookie = program.member(number, "10000000").await?;
            members.push((cookie, format!("member-{number}@example.com")));
        }
        execute(&program.database, "create table bench_rows (n bigint not null)").await?;
        Ok(Self { program, members, round: AtomicUsize::new(0) })
    }

    fn rows(&self, room: &Room, engine: &str) -> Result<Vec<Vec<String>>, Failure> {
        let mut rows = Vec::new();
        for clients in CLIENTS {
            let ours = || room.runtime.block_on(self.pay(clients));
            let theirs = || room.runtime.block_on(self.insert(clients));
            let rounds = Rounds::run(ROUNDS, ours, theirs)?;
            let s = if clients == 1 { "" } else { "s" };
            rows.push(rounds.row(format!("{engine}, {clients} client{s}"), |rate| *rate));
        }
        self.program.run(&["ledger", "check"])?;
        Ok(rows)
    }

    /// Orders paid a second.
    async fn pay(&self, clients: usize) -> Result<f64, Failure> {
        let round = self.round.fetch_add(1, Ordering::Relaxed);
        let each = ORDERS / clients;
        for (client, (_, account)) in self.members.iter().take(clients).enumerate() {
            unpaid(&self.program.database, account, &format!("{round}-{client}"), each).await?;
        }
        let start = Instant::now();
        let callers: Vec<_> = (0..clients)
            .map(|client| {
                let (address, cookie) =
                    (self.program.process.address.clone(), self.members[client].0.clone());
                tokio::spawn(async move {
                    let mut connection = Connection::open(&address).await?;
                    let mut paid = 0;
                    while paid < each && start.elapsed() < TIME {
                        let order = format!("order={round}-{client}-{paid}");
                        let request = form(&address, "/manager/shopping/pay", &cookie, &order);
                        connection.ask(&request, 303).await?;
                        paid += 1;
                    }
                    std::io::Result::Ok(paid)
                })
            })
            .collect();
        let mut paid = 0;
        for caller in callers {
            paid += caller.await??;
        }
        Ok(paid as f64 / start.elapsed().as_secs_f64())
    }

    /// Rows made durable a second.
    async fn insert(&self, clients: usize) -> Result<f64, Failure> {
        let written = Arc::new(AtomicUsize::new(0));
        let url = self.program.database.clone();
        let sqlite = match url.starts_with("sqlite:") {
            true => Some(Arc::new(Mutex::new(open_sqlite(&url).await?))),
            false => None,
        };
        let mut connections = Vec::new();
        for _ in 0..if sqlite.is_some() { 0 } else { clients } {
            connections.push(PgConnection::connect(&url).await?);
        }
        let start = Instant::now();
        let mut writers = Vec::new();
        for client in 0..clients {
            let (written, sqlite, mut postgres) = (written.clone(), sqlite.clone(), connections.pop());
            writers.push(tokio::spawn(async move {
                while start.elapsed() < TIME {
                    let statement = sqlx::query::<sqlx::Sqlite>("insert into bench_rows (n) values ($1)");
                    if let Some(sqlite) = &sqlite {
                        let mut connection = sqlite.lock().await;
                        statement.bind(client as i64).execute(&mut *connection).await?;
                    } else if let Some(postgres) = &mut postgres {
                        let statement = sqlx::query("insert into bench_rows (n) values ($1)");
                        statement.bind(client as i64).execute(postgres).await?;
                    }
                    written.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<_, sqlx::Error>(())
            }));
        }
        for writer in writers {
            writer.await??;
        }
        Ok(written.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64())
    }
}

/// Gives a member so many orders that wait for their payment: `name-0`, `name-1` and so on.
pub async fn unpaid(database: &str, account: &str, name: &str, orders: usize) -> Result<(), Failure> {
    let sql = format!(
        "with recursive counter(n) as (select 0 union all select n + 1 from counter where n < {orders} - 1)
         insert into orders (id, member_id, request_key, state, goods_total, shipping, total, address, created_at,
                             state_since)
         select '{name}-' || n, m.id, '{name}-' || n, 'unpaid', 1034, 200, 1234, '{ADDRESS}', 1, 1
         from counter, members m where m.account = '{account}'"
    );
    execute(database, &sql).await
}

/// A form as a member sends it.
pub fn form(address: &str, path: &str, cookie: &str, fields: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{fields}",
        fields.len()
    )
}

async fn open_sqlite(url: &str) -> Result<SqliteConnection, Failure> {
    let options: SqliteConnectOptions = url.parse()?;
    let options = options
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(15));
    Ok(options.connect().await?)
}

/// A new database beside the one that everybody has.
pub async fn empty_database(name: &str) -> Result<String, Failure> {
    let url = std::env::var("BINDERY_TEST_POSTGRES").map_err(|_| "there is no PostgreSQL")?;
    execute(&url, &format!("create database {name}")).await?;
    Ok(url.replace("/postgres?", &format!("/{name}?")))
}

/// Changes a database past the program.
pub async fn execute(url: &str, sql: &str) -> Result<(), Failure> {
    if url.starts_with("sqlite:") {
        open_sqlite(url).await?.execute(AssertSqlSafe(sql)).await?;
    } else {
        PgConnection::connect(url).await?.execute(AssertSqlSafe(sql)).await?;
    }
    Ok(())
}
