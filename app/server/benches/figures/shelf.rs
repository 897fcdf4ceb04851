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
