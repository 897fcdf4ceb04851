//! What Lighthouse says of the pages that strangers see first.

use std::process::Command;

use serde::Deserialize;

use crate::Failure;
use crate::program::Program;
use crate::report::Section;
use crate::room::Room;

const SCRIPT: &str = concat!(env!("BINDERY_CHECKOUT"), "/end2end/lighthouse/run.mjs");
const PAGES: [&str; 2] = ["/about", "/manager/login"];

/// A page's median of three runs. Scores are 0 to 100, times ms.
#[derive(Deserialize)]
struct Scores {
    version: String,
    performance: u32,
    accessibility: u32,
    practices: u32,
    seo: u32,
    /// Largest Contentful Paint.
    lcp: u32,
    /// Total Blocking Time.
    tbt: u32,
    /// Cumulative Layout Shift.
    cls: f64,
}

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let program = room.runtime.block_on(Program::start(room))?;
    let mut rows = Vec::new();
    let mut version = String::new();
    for page in PAGES {
        let output = Command::new("node")
            .arg(SCRIPT)
            .arg(format!("http://{}{page}", program.process.address))
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let scores: Scores = serde_json::from_slice(&output.stdout)?;
        let row =
            [scores.performance, scores.accessibility, scores.practices, scores.seo, scores.lcp, scores.tbt];
        rows.push(
            [format!("`{page}`")]
                .into_iter()
                .chain(row.map(|score| score.to_string()))
                .chain([scores.cls.to_string()])
                .collect(),
        );
        version = scores.version;
    }
    let about = format!(
        "Lighthouse {version} in Debian's Chromium, its mobile profile with simulated slow 4G; medians of three runs. \
         Goal: 100 in each score."
    );
    let head =
        ["page", "performance", "accessibility", "best practices", "SEO", "LCP in ms", "TBT in ms", "CLS"];
    Ok(Section { title: "Lighthouse", about, head: head.map(str::to_owned).to_vec(), rows })
}
