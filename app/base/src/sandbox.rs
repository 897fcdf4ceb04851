//! Work on files that anybody may have made, in a process of its own.
//!
//! A PDF of a few kilobytes can unpack to gigabytes, or keep whoever draws it busy for ever. So PDFs are read, drawn and
//! printed, texts are set, and photos that are coded like films are decoded, by `bindery sandbox`: this same program, with limits on
//! memory, processor time and the size of what it writes, with no files but those of its task and no network, without the server's
//! environment, ended when its time is over. It is told its [`Task`] on its standard input and answers on its standard output; files go by paths. What becomes of it is nobody else's trouble.

mod child;
mod confined;
mod tasks;

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use domain::ids::MemberId;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::Semaphore;

use crate::error::Error;
use crate::keyed::KeyedLock;
use crate::metrics;

pub use child::main as child;
pub use confined::{Reach, confine, hold, lacking};
pub use tasks::{
    Damaged, Derive, Derived, Draw, Files, Inspect, Pictures, Print, ReadSheet, SetText, SheetRead, Task,
    WriteBook,
};

/// Bytes that an answer may have; two thousand pages are described in a few hundred thousand.
const MOST_ANSWER: u64 = 4 << 20;
/// Bytes that are read of why there is none.
const MOST_SAID: u64 = 2_000;
/// The signals that stop a program (POSIX.1-2024, `<signal.h>`).
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;
/// How long a process may take beyond its processor time, on a busy machine.
const PATIENCE: u32 = 3;

/// What a task may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Address space in bytes.
    pub memory: u64,
    /// Processor time in seconds.
    pub seconds: u64,
    /// Bytes that one file may have that it writes.
    pub file: u64,
}

/// A task did not come to its end: it wanted more than it may have, or fell over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended;

/// How long a member waits for a place before it is told to come again.
pub const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Which tasks wait for each other: one that takes minutes does not keep those waiting that take a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// A moment: looking at a PDF, drawing pages.
    Quick,
    /// Some seconds: the pictures of photos, which jobs make.
    Photos,
    /// Up to a minute: setting a text.
    Texts,
    /// Minutes: books to read, which are made ahead.
    Books,
    /// Minutes: print files, which nobody sits and waits for.
    Print,
}

/// Where tasks are started, a few at once, and one at a time of each member: whoever sends eight files waits for himself.
#[derive(Debug)]
pub struct Sandbox {
    quick: Semaphore,
    photos: Semaphore,
    texts: Semaphore,
    books: Semaphore,
    print: Semaphore,
    turns: KeyedLock<(MemberId, &'static str)>,
}

impl Sandbox {
    /// With room for so many processes that take a moment, and one of each other lane.
    pub fn new(places: usize) -> Self {
        let one = || Semaphore::new(1);
        Self {
            quick: Semaphore::new(places),
            photos: one(),
            texts: one(),
            books: one(),
            print: one(),
            turns: KeyedLock::default(),
        }
    }

    /// Carries a member's task out. The inner error is that it did not come to its end.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many others came before.
    pub async fn run<T: Task>(&self, member: &MemberId, task: T) -> Result<Result<T::Answer, Ended>, Error> {
        let (places, name) = match T::LANE {
            Lane::Quick => (&self.quick, "quick"),
            Lane::Photos => (&self.photos, "photos"),
            Lane::Texts => (&self.texts, "texts"),
            Lane::Books => (&self.books, "books"),
            Lane::Print => (&self.print, "print"),
        };
        let turn = self.turns.of((member.clone(), name));
        let waited = async {
            let turn = turn.lock().await;
            Ok::<_, Error>((turn, places.acquire().await.map_err(Error::internal)?))
        };
        let begun = Instant::now();
        let _place = match T::LANE {
            Lane::Photos | Lane::Books | Lane::Print => waited.await?,
            Lane::Quick | Lane::Texts => {
                tokio::time::timeout(LONGEST_WAIT, waited).await.map_err(|_| Error::Busy)??
            }
        };
        metrics::sandbox_waited(name, begun.elapsed());
        let done = Self::carry_out(task).await;
        metrics::sandbox(name, matches!(done, Ok(Ok(_))));
        done
    }

    /// Carries a task out in a process of its own.
    async fn carry_out<T: Task>(task: T) -> Result<Result<T::Answer, Ended>, Error> {
        let limits = T::LIMITS;
        let mut child = Command::new(program())
            .arg("sandbox")
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| Error::internal(format!("the sandbox can't be started: {error}")))?;
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Error::internal("the sandbox has no pipes"));
        };
        let question = serde_json::to_vec(&task.into_any())?;
        let talk = async {
            // it may have ended before it heard everything
            let _ = stdin.write_all(&question).await;
            drop(stdin);
            let (mut answer, mut said) = (Vec::new(), Vec::new());
            let (mut stdout, mut stderr) = (stdout.take(MOST_ANSWER), stderr.take(MOST_SAID));
            tokio::try_join!(stdout.read_to_end(&mut answer), stderr.read_to_end(&mut said))?;
            child.wait().await.map(|status| (status, answer, said))
        };
        let time = Duration::from_secs(limits.seconds) * PATIENCE;
        let ended = match tokio::time::timeout(time, talk).await {
            Ok(ended) => ended.map_err(Error::internal)?,
            // dropping the child ends it
            Err(_) => return Ok(Err(Ended)),
        };
        // whoever stops the program may stop its children first: that says nothing about the task
        if let (status, ..) = &ended
            && matches!(status.signal(), Some(SIGINT | SIGTERM))
        {
            return Err(Error::internal(format!("a task was stopped: {status}")));
        }
        Ok(match ended {
            (status, answer, _) if status.success() => read::<T::Answer>(&answer),
            (status, _, said) => {
                let said = String::from_utf8_lossy(&said);
                tracing::warn!(%status, said = said.trim(), "A task in the sandbox did not come to its end");
                Err(Ended)
            }
        })
    }
}

fn read<A: DeserializeOwned>(answer: &[u8]) -> Result<A, Ended> {
    serde_json::from_slice(answer).map_err(|_| Ended)
}

/// This very program, also when a newer one was put in its place on the disk.
fn program() -> std::path::PathBuf {
    let own = std::path::Path::new("/proc/self/exe");
    if own.exists() { own.to_owned() } else { std::env::current_exe().unwrap_or_else(|_| "bindery".into()) }
}
