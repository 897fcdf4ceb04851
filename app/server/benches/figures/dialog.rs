//! How long the print-options dialog takes to show what a choice changes.

use serde::Deserialize;

use crate::report::Section;
use crate::room::Room;
use crate::{Failure, script};

/// What the measurement in the browser says.
#[derive(Deserialize)]
struct Measured {
    slower: u32,
    ours: Clicks,
    /// The same click on a page with two radio buttons and nothing else.
    bare: Clicks,
}

/// Times in ms.
#[derive(Deserialize)]
struct Clicks {
    clicks: u32,
    median: f64,
    p95: f64,
    most: f64,
    /// Begun between a click and its paint.
    requests: u32,
}

pub fn measure(_: &Room) -> Result<Section, Failure> {
    let Measured { slower, ours, bare } = script::measured("dialog", &[])?;
    let about = format!(
        "A choice in the dialog at 360 px in Chromium, its processor {slower} times slower: from the press of the pointer to \
         the frame that shows what the rules make of it; {} choices. Beside it, by turns in the same browser, the same \
         press on a page of two radio buttons without a script or a style: that part is the browser's own, and the wait \
         for its next frame. Goals: at most 50 ms, and no request before the frame.",
        ours.clicks
    );
    let head = ["", "ours", "bare radio buttons", "ours ÷ theirs"].map(str::to_owned).to_vec();
    let row = |label: &str, ours: f64, bare: f64| {
        vec![label.to_owned(), format!("{ours:.1}"), format!("{bare:.1}"), format!("**{:.2}**", ours / bare)]
    };
    let rows = vec![
        row("click to paint in ms, median", ours.median, bare.median),
        row("95th percentile", ours.p95, bare.p95),
        row("most", ours.most, bare.most),
        vec!["requests before the paint".into(), ours.requests.to_string(), String::new(), String::new()],
    ];
    Ok(Section { title: "The print-options dialog", about, head, rows })
}
