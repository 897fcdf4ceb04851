//! How long the print-options dialog takes to show what a choice changes.

use std::process::Command;

use serde::Deserialize;

use crate::Failure;
use crate::report::Section;
use crate::room::Room;

const JOURNEYS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end");

/// What the measurement in the browser says. Times in ms.
#[derive(Deserialize)]
struct Clicks {
    slower: u32,
    clicks: u32,
    median: f64,
    p95: f64,
    most: f64,
    /// Begun between a click and its paint.
    requests: u32,
}

pub fn measure(_: &Room) -> Result<Section, Failure> {
    let output = Command::new("npm")
        .args(["--prefix", JOURNEYS, "run", "--silent", "bench"])
        .env("BINDERY_BIN", env!("CARGO_BIN_EXE_bindery"))
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let Clicks { slower, clicks, median, p95, most, requests } = serde_json::from_slice(&output.stdout)?;
    let about = format!(
        "A choice in the dialog at 360 px in Chromium, its processor {slower} times slower: from the click to the frame \
         that shows what the rules make of it; {clicks} choices. Goals: at most 50 ms, and no request before the frame."
    );
    let head = ["", "median", "95th percentile", "most"].map(str::to_owned).to_vec();
    let times = [median, p95, most].map(|time| format!("{time:.1}"));
    let rows = vec![
        ["click to paint in ms".to_owned()].into_iter().chain(times).collect(),
        vec!["requests before the paint".into(), String::new(), String::new(), requests.to_string()],
    ];
    Ok(Section { title: "The print-options dialog", about, head, rows })
}
