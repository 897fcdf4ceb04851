//! The other side: the process that carries a task out.

use std::io::{Read, Write};
use std::process::ExitCode;

use super::confined::confine;
use super::tasks::Any;

/// Bytes of stack: nested structures need more than a thread usually has, endless ones end it.
const STACK: usize = 64 << 20;

/// Reads a task from standard input, carries it out within its limits, and writes the answer to standard output.
pub fn main() -> ExitCode {
    let mut question = Vec::new();
    let task = std::io::stdin().read_to_end(&mut question).map_err(|error| error.to_string());
    let task = task.and_then(|_| serde_json::from_slice::<Any>(&question).map_err(|error| error.to_string()));
    let answer = task.and_then(|mut task| {
        let limits = task.limits();
        let reach = task.reach().map_err(|error| error.to_string())?;
        confine(limits, reach).map_err(|error| error.to_string())?;
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(|| task.carry_out());
        let thread = thread.map_err(|error| error.to_string())?;
        thread.join().unwrap_or_else(|_| Err("the task panicked".to_owned()))
    });
    let written =
        answer.and_then(|answer| std::io::stdout().write_all(&answer).map_err(|error| error.to_string()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bindery sandbox: {reason}");
            ExitCode::FAILURE
        }
    }
}
