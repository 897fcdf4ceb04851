//! How smoothly something is dragged in the editor, and how soon the press's own picture of it is seen.

use serde::Deserialize;

use crate::report::{Section, shown};
use crate::room::Room;
use crate::{Failure, script};

/// What the measurement in the browser says.
#[derive(Deserialize)]
struct Measured {
    slower: u32,
    elements: u32,
    /// A round trip, ms.
    trip: u32,
    drags: Drags,
    release: Releases,
}

#[derive(Deserialize)]
struct Drags {
    ours: Frames,
    bare: Frames,
}

/// Times in ms.
#[derive(Deserialize)]
struct Frames {
    frames: u32,
    median: f64,
    p95: f64,
    script: f64,
    script95: f64,
    layouts: u32,
    renders: u32,
    requests: u32,
}

/// Times in ms.
#[derive(Deserialize)]
struct Releases {
    releases: u32,
    median: f64,
    p95: f64,
    most: f64,
}

pub fn measure(_: &Room) -> Result<Section, Failure> {
    let Measured { slower, elements, trip, drags: Drags { ours, bare }, release } =
        script::measured("editor", &[])?;
    let pair = |label: &str, figure: fn(&Frames) -> f64, bound: &str| {
        let (ours, bare) = (figure(&ours), figure(&bare));
        vec![label.to_owned(), shown(ours), shown(bare), format!("{:+.1}", ours - bare), bound.to_owned()]
    };
    let count = |label: &str, ours: u32, bare: u32| {
        vec![label.to_owned(), ours.to_string(), bare.to_string(), String::new(), "0".to_owned()]
    };
    let alone = |label: &str, figure: f64, bound: &str| {
        vec![label.to_owned(), shown(figure), String::new(), String::new(), bound.to_owned()]
    };
    let rows = vec![
        pair("frame in ms, median", |frames| frames.median, ""),
        pair("95th percentile", |frames| frames.p95, "+6"),
        pair("script in a frame in ms, median", |frames| frames.script, ""),
        pair("95th percentile", |frames| frames.script95, "8"),
        count("layouts", ours.layouts, bare.layouts),
        count("commits of React", ours.renders, bare.renders),
        count("requests", ours.requests, bare.requests),
        alone("release to the true picture in ms, median", release.median, ""),
        alone("95th percentile", release.p95, "250"),
        alone("most", release.most, ""),
    ];
    let about = format!(
        "A drag in the editor at 360 px in Chromium, its processor {slower} times slower: one of {elements} photos, texts and \
         shapes on the open page, with the lines that it lies on. {} frames of its middle, when the page has become layers. \
         Beside it, by turns in the same browser, the same pointer drags a bare `<div>` by its transform. Scripts and layouts \
         are what the browser's trace says; commits are what React tells its tools.\n\n\
         The true picture: from letting a photo go on a page with two photos and a line of text to the frame that shows the \
         page as the press has set it, {} times with the usual processor; each request waits {trip} ms more, as the browser \
         emulates it.",
        ours.frames, release.releases,
    );
    let head = ["", "ours", "a bare `<div>`", "difference", "bound"].map(str::to_owned).to_vec();
    Ok(Section { title: "A drag in the editor", about, head, rows })
}
