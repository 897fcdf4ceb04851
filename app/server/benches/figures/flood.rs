//! A shelf of works while others try passwords as fast as they can.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::Client;
use reqwest::redirect::Policy;
use tokio::task::JoinSet;

use crate::Failure;
use crate::load::{Load, drive};
use crate::program::{Program, SHELF};
use crate::report::{Rounds, Section, head};
use crate::room::Room;

const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(4);
/// Connections that ask for the shelf, and those that try passwords.
const READERS: usize = 4;
const GUESSERS: usize = 64;

/// What the readers got, and how many guesses were answered a second meanwhile.
struct Answered {
    shelf: Load,
    guesses: f64,
}

#[derive(Default)]
struct Guesses {
    sent: AtomicU64,
    answered: AtomicU64,
}

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let program = room.runtime.block_on(Program::start_with_shelf(room))?;
    let address = program.process.address.clone();
    let request: Arc<str> = format!(
        "GET {SHELF} HTTP/1.1\r\nhost: {address}\r\naccept-encoding: br\r\ncookie: {}\r\n\r\n",
        program.cookie
    )
    .into();
    let guesses = Arc::new(Guesses::default());
    let run = |guessers: usize| -> Result<Answered, Failure> {
        room.runtime.block_on(async {
            let before = guesses.answered.load(Ordering::Relaxed);
            let start = Instant::now();
            let mut flood = JoinSet::new();
            for _ in 0..guessers {
                flood.spawn(guess(address.clone(), guesses.clone()));
            }
            let shelf = drive(&address, &request, READERS, TIME).await?;
            let answered = guesses.answered.load(Ordering::Relaxed) - before;
            let answered = answered as f64 / start.elapsed().as_secs_f64();
            flood.shutdown().await;
            Ok(Answered { shelf, guesses: answered })
        })
    };
    run(GUESSERS)?;
    let rounds = Rounds::run(ROUNDS, || run(GUESSERS), || run(0))?;
    let rows = vec![
        rounds.row("pages a second", |answered| answered.shelf.per_second),
        rounds.row("99th percentile in ms", |answered| answered.shelf.p99_ms),
        rounds.alone("passwords tried a second", |answered| answered.guesses),
    ];
    let about = format!(
        "`GET {SHELF}` over {READERS} connections while {GUESSERS} others send wrong passwords without a pause, each \
         for another account and from another address, so that no limit stops them before the password is hashed \
         (argon2id, 19 MB a hash). Beside it the same with nobody guessing. {ROUNDS} rounds of {} s.",
        TIME.as_secs(),
    );
    Ok(Section { title: "A flood of sign-ins", about, head: head("without the flood"), rows })
}

/// Tries one password after the other until it is stopped.
async fn guess(address: String, guesses: Arc<Guesses>) -> Result<(), Failure> {
    let client = Client::builder().redirect(Policy::none()).build()?;
    loop {
        let number = guesses.sent.fetch_add(1, Ordering::Relaxed);
        let [.., a, b, c] = number.to_be_bytes();
        let answer = client
            .post(format!("http://{address}/manager/login"))
            .header("x-forwarded-for", format!("10.{a}.{b}.{c}"))
            .form(&[
                ("account", format!("nobody{number}@example.com").as_str()),
                ("password", "wrong password"),
            ])
            .send()
            .await?;
        answer.bytes().await?;
        guesses.answered.fetch_add(1, Ordering::Relaxed);
    }
}
