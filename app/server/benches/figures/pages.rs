//! The works list and the cart beside the same pages in Astro and Next.js, each server on one core.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{COOKIE, SET_COOKIE};

use crate::Failure;
use crate::load::{Load, drive};
use crate::process::memory_mb;
use crate::program::{Program, SHELF};
use crate::report::{Rounds, Section, head};
use crate::room::Room;

const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(3);
const WARM_UP: Duration = Duration::from_secs(2);
const CONNECTIONS: usize = 16;
/// What browsers take.
const ENCODINGS: &str = "gzip, deflate, br";
const CART: &str = "/manager/shopping/cart";

/// The peers' sources: a folder with `run.sh build|start|stop`, which serves Next.js on port 4701 and Astro on 4702. They
/// are no part of the project.
fn sources() -> PathBuf {
    let beside = concat!(env!("BINDERY_CHECKOUT"), "/../shared/bench/peers");
    std::env::var_os("BINDERY_BENCH_PEERS").map_or_else(|| beside.into(), PathBuf::from)
}

/// The peers, running until this is dropped.
struct Peers {
    script: PathBuf,
    /// Where they are built and run.
    work: PathBuf,
    /// Astro's process.
    astro: u32,
}

impl Peers {
    fn start(room: &Room) -> Result<Self, Failure> {
        let script = sources().join("run.sh");
        if !script.is_file() {
            return Err(format!(
                "no peers at {}: name their folder in BINDERY_BENCH_PEERS",
                script.display()
            )
            .into());
        }
        command(&script, "build", room)?;
        command(&script, "start", room)?;
        let id = std::fs::read_to_string(work(room).join("run/astro.pid"))?;
        Ok(Self { script, work: work(room), astro: id.trim().parse()? })
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        let _ = Command::new("bash").arg(&self.script).arg("stop").env("BENCH_WORK", &self.work).status();
    }
}

fn work(room: &Room) -> PathBuf {
    std::env::var_os("BENCH_WORK").map_or_else(|| room.path().join("peers"), PathBuf::from)
}

fn command(script: &Path, word: &str, room: &Room) -> Result<(), Failure> {
    let status = Command::new("bash").arg(script).arg(word).env("BENCH_WORK", work(room)).status()?;
    if status.success() { Ok(()) } else { Err(format!("the peers did not {word}").into()) }
}

/// What a browser sends as `Cookie` that has been on a page before: its session and which styles it has.
fn styled(room: &Room, program: &Program, path: &str) -> Result<String, Failure> {
    let address = format!("http://{}{path}", program.process.address);
    let asked = reqwest::Client::new().get(address).header(COOKIE, &program.cookie).send();
    let answer = room.runtime.block_on(asked)?;
    let set = answer.headers().get_all(SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
    let pairs = set.filter_map(|cookie| cookie.split(';').next()).map(str::to_owned);
    Ok(std::iter::once(program.cookie.clone()).chain(pairs).collect::<Vec<_>>().join("; "))
}

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let peers = Peers::start(room)?;
    let shelf = room.runtime.block_on(Program::start_with_shelf(room))?;
    let demo = room.runtime.block_on(Program::start_demo(room))?;
    // books that were just made are still being drawn
    shelf.process.settle()?;
    demo.process.settle()?;
    shelf.process.pin()?;
    demo.process.pin()?;
    let ask = |address: &str, path: &str, cookie: &str, time: Duration| -> Result<Load, Failure> {
        let cookie = if cookie.is_empty() { String::new() } else { format!("cookie: {cookie}\r\n") };
        let request: Arc<str> = format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/html\r\naccept-encoding: {ENCODINGS}\r\n{cookie}\r\n"
        )
        .into();
        room.runtime.block_on(drive(address, &request, CONNECTIONS, time))
    };
    let (next, astro) = ("127.0.0.1:4701", "127.0.0.1:4702");
    // a browser that was here before has the styles, and says so
    let works = styled(room, &shelf, SHELF)?;
    let cart = styled(room, &demo, CART)?;
    let pairs = [
        ("works, beside Astro", &shelf, &works, SHELF, astro, "/works", ""),
        ("works, beside Next", &shelf, &works, SHELF, next, "/works", ""),
        ("works, a browser's first page, beside Astro", &shelf, &shelf.cookie, SHELF, astro, "/works", ""),
        ("cart, beside Astro", &demo, &cart, CART, astro, "/cart", ""),
        ("cart, beside Next", &demo, &cart, CART, next, "/cart", ""),
        // what a session costs: the same answer without one
        ("`/healthz` with a session, beside without", &shelf, &shelf.cookie, "/healthz", "", "/healthz", ""),
    ];
    let mut rows = Vec::new();
    for (name, program, cookie, path, peer, peer_path, peer_cookie) in pairs {
        let own = program.process.address.as_str();
        let peer = if peer.is_empty() { own } else { peer };
        let ours = |time| ask(own, path, cookie, time);
        let theirs = |time| ask(peer, peer_path, peer_cookie, time);
        ours(WARM_UP)?;
        theirs(WARM_UP)?;
        let rounds = Rounds::run(ROUNDS, || ours(TIME), || theirs(TIME))?;
        rows.push(rounds.row(format!("{name}, requests a second"), |load| load.per_second));
        rows.push(rounds.row(format!("{name}, 99th percentile in ms"), |load| load.p99_ms));
    }
    let memory = Rounds::run(1, || shelf.process.memory_mb(), || memory_mb(peers.astro, "VmRSS:"))?;
    rows.push(memory.row("memory after this load in MB, beside Astro", |megabytes| *megabytes));
    let about = format!(
        "Pages as a browser asks for them ({ENCODINGS}), signed in; beside them the same pages in Astro 7 and Next 16, which \
         keep 50 works and a cart of 5 lines in SQLite and know no members. Ours show 48 works of 50 and a cart of one line \
         of every goods. Each server is one process on one core, the load comes from the other: {CONNECTIONS} connections, \
         {ROUNDS} rounds of {} s. Goals: works at least 2.5 × Astro, cart at least 2 ×, 10,000 answers of `/healthz` with a \
         session, at most 96 MiB.",
        TIME.as_secs(),
    );
    Ok(Section { title: "Pages beside their peers", about, head: head("theirs"), rows })
}
