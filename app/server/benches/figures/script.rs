//! Measurements in a browser: scripts beside the journeys, which start the program themselves and answer JSON.

use std::ffi::OsStr;
use std::process::Command;

use serde::de::DeserializeOwned;

use crate::Failure;

const JOURNEYS: &str = concat!(env!("BINDERY_CHECKOUT"), "/end2end");

/// Runs `npm run bench:{name}` with words of its own, and answers what it measured. What it says meanwhile is shown.
pub fn measured<T: DeserializeOwned>(name: &str, words: &[&OsStr]) -> Result<T, Failure> {
    let output = Command::new("npm")
        .args(["--prefix", JOURNEYS, "run", "--silent", &format!("bench:{name}"), "--"])
        .args(words)
        .env("BINDERY_BIN", env!("CARGO_BIN_EXE_bindery"))
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the measurement {name} in a browser ended with {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
