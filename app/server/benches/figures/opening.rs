//! How soon the editor is in use on a telephone, over a slow line.

use serde::Deserialize;

use crate::report::{Section, shown};
use crate::room::Room;
use crate::{Failure, script};

/// What the measurement in the browser says.
#[derive(Deserialize)]
struct Measured {
    pages: u32,
    runs: u32,
    opened: Opened,
}

/// Times in ms from the page's beginning, and bytes on the wire.
#[derive(Deserialize)]
struct Opened {
    first: f64,
    used: f64,
    until: f64,
    bytes: f64,
    requests: f64,
}

pub fn measure(_: &Room) -> Result<Section, Failure> {
    let Measured { pages, runs, opened } = script::measured("opening", &[])?;
    let row = |label: &str, figure: f64, bound: &str| vec![label.to_owned(), shown(figure), bound.to_owned()];
    let rows = vec![
        row("first paint in ms", opened.first, ""),
        row("in use in ms", opened.used, "4,000"),
        row("bytes until then", opened.until, "180,000"),
        row("bytes until nothing comes any more", opened.bytes, ""),
        row("requests", opened.requests, ""),
    ];
    let about = format!(
        "The editor at a page of a book of {pages} pages, at 360 px in Chromium over 3G (400 ms and 400 kbit/s), cold: every load \
         in a browser of its own that has nothing of the site but who is signed in. It is in use when the open page's picture \
         stands and a tap selects a frame. Medians of {runs} loads; HTTP/1.1 without TLS.",
    );
    let head = ["", "ours", "bound"].map(str::to_owned).to_vec();
    Ok(Section { title: "The editor over 3G", about, head, rows })
}
