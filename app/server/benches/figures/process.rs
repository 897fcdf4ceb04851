//! Servers as processes of their own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Failure;

/// The kernel's ticks, as `sysconf(_SC_CLK_TCK)` says everywhere.
const TICKS_A_SECOND: u64 = 100;

/// A process that serves until it is dropped.
pub struct Process {
    child: Child,
    /// `127.0.0.1:port`.
    pub address: String,
}

impl Process {
    /// Starts a server that says `… http://address` on one of its first lines. What it logs is written and thrown away.
    pub fn start(command: &mut Command) -> Result<Self, Failure> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().ok_or("a server says nothing")?).lines();
        let mut process = Self { child, address: String::new() };
        let address = lines.find_map(|line| Some(line.ok()?.trim().rsplit_once("http://")?.1.to_owned()));
        process.address = address.ok_or("a server did not say where it is")?;
        // what it says later is read, so that it can
        std::thread::spawn(move || lines.for_each(drop));
        Ok(process)
    }

    /// Lets it run on the first core alone.
    pub fn pin(&self) -> Result<(), Failure> {
        let id = self.child.id().to_string();
        let taken =
            Command::new("taskset").args(["-a", "-c", "-p", "0", &id]).stdout(Stdio::null()).status()?;
        if taken.success() { Ok(()) } else { Err("taskset could not pin a server".into()) }
    }

    /// Waits until it has done what it does by itself, such as drawing what was just made: two seconds in which it needs no
    /// more than a twentieth of a core.
    pub fn settle(&self) -> Result<(), Failure> {
        let mut calm = 0;
        let mut before = self.ticks()?;
        while calm < 2 {
            std::thread::sleep(Duration::from_secs(1));
            let now = self.ticks()?;
            calm = if now - before <= TICKS_A_SECOND / 20 { calm + 1 } else { 0 };
            before = now;
        }
        Ok(())
    }

    /// What it had of the processor so far, in the kernel's ticks.
    fn ticks(&self) -> Result<u64, Failure> {
        Ok(named_ticks(&self.id().to_string())?.1)
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The most memory that it has had so far, in MB.
    pub fn peak_mb(&self) -> Result<f64, Failure> {
        memory_mb(self.child.id(), "VmHWM:")
    }

    /// The memory that it has now, in MB.
    pub fn memory_mb(&self) -> Result<f64, Failure> {
        memory_mb(self.child.id(), "VmRSS:")
    }
}

/// What all programs of these names had of the processor so far, in the kernel's ticks.
pub fn ticks_of(names: &[&str]) -> Result<u64, Failure> {
    let processes =
        std::fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let processes = processes.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    // one that has just ended is none
    let found = processes.filter_map(|process| named_ticks(&process).ok());
    Ok(found.filter(|(name, _)| names.contains(&&**name)).map(|(_, ticks)| ticks).sum())
}

/// What a process is called, and what it had of the processor.
fn named_ticks(process: &str) -> Result<(String, u64), Failure> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // behind the name in brackets; user and system are the 14th and 15th of all
    let (name, rest) = stat.rsplit_once(')').ok_or("no such process")?;
    let (_, name) = name.split_once('(').ok_or("no name")?;
    let mut fields = rest.split_whitespace().skip(11);
    let (user, system) = (fields.next().ok_or("no time")?, fields.next().ok_or("no time")?);
    Ok((name.to_owned(), user.parse::<u64>()? + system.parse::<u64>()?))
}

/// A figure of a process's memory, in MB.
pub fn memory_mb(process: u32, figure: &str) -> Result<f64, Failure> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(figure)).ok_or("no such figure")?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024.0 / 1e6)
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
