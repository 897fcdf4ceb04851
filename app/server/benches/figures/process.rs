//! Servers as processes of their own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::Failure;

/// A process that serves until it is dropped.
pub struct Process {
    child: Child,
    /// `127.0.0.1:port`.
    pub address: String,
}

impl Process {
    /// Starts a server that says `… http://address` on its first line. What it logs is written and thrown away.
    pub fn start(command: &mut Command) -> Result<Self, Failure> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line.trim().rsplit_once("http://").map(|(_, address)| address.to_owned());
        let mut process = Self { child, address: String::new() };
        process.address = address.ok_or_else(|| format!("a server said {line:?}"))?;
        Ok(process)
    }

    /// Lets it run on the first core alone.
    pub fn pin(&self) -> Result<(), Failure> {
        let id = self.child.id().to_string();
        let taken =
            Command::new("taskset").args(["-a", "-c", "-p", "0", &id]).stdout(Stdio::null()).status()?;
        if taken.success() { Ok(()) } else { Err("taskset could not pin a server".into()) }
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
