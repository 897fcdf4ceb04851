//! A shelf of works as the program serves it, beside a handler that has the finished bytes in its hand.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, header};
use axum::routing::get;
use axum::serve::ListenerExt;
use domain::grams;
use domain::reading::folded;
use sqlx::{AssertSqlSafe, Connection as _, Executor, SqliteConnection};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::Failure;
use crate::load::{Load, drive};
use crate::process::Process;
use crate::program::{Program, SHELF, WORKS};
use crate::report::{Rounds, Section, head};
use crate::room::Room;

const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(4);
const WARM_UP: Duration = Duration::from_secs(2);
const CONNECTIONS: [usize; 2] = [8, 32];
/// What browsers take.
const ENCODING: &str = "br";

/// How this program is started to serve one answer over and over.
pub const CHILD: &str = "serve-answer";

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let program = room.runtime.block_on(Program::start_with_shelf(room))?;
    let ours = &program.process;
    let request: Arc<str> = format!(
        "GET {SHELF} HTTP/1.1\r\nhost: {}\r\naccept: text/html\r\naccept-encoding: {ENCODING}\r\ncookie: {}\r\n\r\n",
        ours.address, program.cookie
    )
    .into();
    let answer = room.path().join("answer");
    let bytes = room.runtime.block_on(keep(&program, &answer))?;
    let mut bare = Command::new(std::env::current_exe()?);
    let theirs = Process::start(bare.arg(CHILD).arg(&answer))?;

    let load = |server: &Process, connections: usize, time: Duration| -> Result<Load, Failure> {
        room.runtime.block_on(drive(&server.address, &request, connections, time))
    };
    let mut rows = Vec::new();
    for connections in CONNECTIONS {
        load(ours, connections, WARM_UP)?;
        load(&theirs, connections, WARM_UP)?;
        let rounds =
            Rounds::run(ROUNDS, || load(ours, connections, TIME), || load(&theirs, connections, TIME))?;
        rows.push(
            rounds.row(format!("requests a second, {connections} connections"), |load| load.per_second),
        );
        rows.push(
            rounds.row(format!("99th percentile in ms, {connections} connections"), |load| load.p99_ms),
        );
    }
    let about = format!(
        "`GET {SHELF}` of a member with {WORKS} works, as a browser asks for it: the session, the member and the works \
         are read from SQLite, the page is rendered, compressed to {bytes} bytes and logged, every time. Beside it an \
         axum handler in a process of its own, which has the same headers and the same compressed bytes in its hand: \
         what is left when there is nothing to do. {ROUNDS} rounds of {} s over connections that stay open. The load \
         comes from the same {} cores.",
        TIME.as_secs(),
        room.cores,
    );
    Ok(Section { title: "A shelf of 50 works", about, head: head("bare axum"), rows })
}

/// Works of a member who has been making books for a lifetime.
const MANY: usize = 100_000;
/// Connections that ask for pages of a long shelf.
const READERS: usize = 8;

/// A shelf of very many works beside one of a few.
pub fn measure_many(room: &Room) -> Result<Section, Failure> {
    let few = room.runtime.block_on(Program::start_with_shelf(room))?;
    let many = room.runtime.block_on(Program::start_with_shelf(room))?;
    room.runtime.block_on(fill(&many.database))?;
    let load = |program: &Program, path: &str| -> Result<Load, Failure> {
        let request: Arc<str> = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\naccept: text/html\r\ncookie: {}\r\n\r\n",
            program.process.address, program.cookie
        )
        .into();
        room.runtime.block_on(drive(&program.process.address, &request, READERS, TIME))
    };
    let mut rows = Vec::new();
    // changed one millisecond after the other, so every place is known
    let middle = format!("{SHELF}?after={}.{}", MADE_FROM + MANY as i64 / 2, id(MANY / 2));
    let titled = format!("{SHELF}?sort=title&after=B%20050000.{}", id(50_000));
    let pages = [
        ("the first page", SHELF, SHELF),
        ("a page from the middle", &middle, SHELF),
        ("a page from the middle, by title", &titled, "/manager/opus_list/all?sort=title"),
        (
            "a search that finds 100 works, 海边",
            "/manager/opus_list/all?q=%E6%B5%B7%E8%BE%B9",
            "/manager/opus_list/all?q=%E6%9C%AC",
        ),
    ];
    for (name, path, beside) in pages {
        load(&many, path)?;
        load(&few, beside)?;
        let rounds = Rounds::run(ROUNDS, || load(&many, path), || load(&few, beside))?;
        rows.push(rounds.row(format!("{name}, a second"), |load| load.per_second));
        rows.push(rounds.row(format!("{name}, 99th percentile in ms"), |load| load.p99_ms));
    }
    let about = format!(
        "Pages of 48 works of a member with {MANY}, beside the pages of a member with {WORKS}; SQLite, {READERS} \
         connections, {ROUNDS} rounds of {} s. Pages are read by key: which one it is makes no difference. A search looks at \
         the titles that have the rarest three characters of what is searched.",
        TIME.as_secs(),
    );
    Ok(Section { title: "A shelf of 100,000 works", about, head: head("50 works"), rows })
}

/// When the oldest of the works was changed, epoch ms.
const MADE_FROM: i64 = 1_700_000_000_000;

fn id(number: usize) -> String {
    format!("{number:026}")
}

/// Copies a work until there are [`MANY`].
async fn fill(database: &str) -> Result<(), Failure> {
    let statement = format!(
        "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < {MANY})
         insert into works (id, member_id, kind, title, trim_width, trim_height, pages, document, revision, created_at,
                            updated_at)
         select printf('%026d', n), member_id, kind,
                printf('B %06d', n) || case n % 1000 when 0 then '海边的夏天' else '一年里的照片' end,
                trim_width, trim_height, pages, document, revision, {MADE_FROM} + n, {MADE_FROM} + n
         from numbers, (select * from works limit 1)"
    );
    let mut connection = SqliteConnection::connect(database).await?;
    connection.execute(AssertSqlSafe(statement)).await?;
    index(&mut connection).await?;
    connection.execute("analyze").await?;
    Ok(())
}

/// Keeps what the copies are searched by, as the program does for each title.
async fn index(connection: &mut SqliteConnection) -> Result<(), Failure> {
    let mut tx = connection.begin().await?;
    let works: Vec<(String, String, String)> = sqlx::query_as(
        "select id, member_id, title from works where id not in (select work_id from work_titles)",
    )
    .fetch_all(&mut *tx)
    .await?;
    for (work, member, title) in works {
        let folded = folded(&title);
        sqlx::query("insert into work_titles (work_id, folded) values ($1, $2)")
            .bind(&work)
            .bind(&folded)
            .execute(&mut *tx)
            .await?;
        for gram in grams::of_text(&folded) {
            let letters = gram.letters();
            let insert = "insert into title_grams (member_id, work_id, first, second, third)
                          values ($1, $2, $3, $4, $5)";
            let row = sqlx::query(insert).bind(&member).bind(&work);
            letters.iter().fold(row, |row, letter| row.bind(letter)).execute(&mut *tx).await?;
        }
    }
    Ok(tx.commit().await?)
}

/// Keeps what the program answers, headers and body, in a file; how many bytes the body has.
async fn keep(program: &Program, file: &Path) -> Result<usize, Failure> {
    let answer = program.get(SHELF, ENCODING).await?;
    let mut kept = Vec::new();
    // how the body is sent and when is each server's own business
    let own = [header::CONTENT_LENGTH, header::TRANSFER_ENCODING, header::DATE];
    for (name, value) in answer.headers().iter().filter(|(name, _)| !own.contains(name)) {
        kept.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\n"].concat());
    }
    let body = answer.bytes().await?;
    fs::write(file, [&kept, b"\n".as_slice(), &body].concat())?;
    Ok(body.len())
}

/// Serves what a file keeps, over and over.
pub fn bare(file: &str) -> Result<(), Failure> {
    let answer = fs::read(file)?;
    let end = answer.windows(2).position(|two| two == b"\n\n").ok_or("the file has no headers")?;
    let body = Bytes::copy_from_slice(&answer[end + 2..]);
    let mut headers = HeaderMap::new();
    for (name, value) in std::str::from_utf8(&answer[..end])?.lines().filter_map(|line| line.split_once(": "))
    {
        headers.append(HeaderName::from_bytes(name.as_bytes())?, value.parse()?);
    }
    Runtime::new()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let router = Router::new().route(SHELF, get(async move || (headers.clone(), body.clone())));
        Ok(axum::serve(listener, router).await?)
    })
}
